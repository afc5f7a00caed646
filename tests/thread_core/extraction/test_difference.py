from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.thread_core.test_properties import documents
from thread_core.extraction.difference import Finding, invented, lost, unfounded
from thread_core.extraction.statements import Reading
from thread_core.text.facts import Kind

EXAMPLES = sorted(Path("examples/documents").glob("*.md"))

SOURCE = """\
---
title: The queue does not drain
---
# The queue does not drain

Messages pile up in the broker and the alert `QueueStuck` fires after 15 minutes.

## Before you begin

You need the role `queue-operator`.

## Steps

1. Look at the length of the queue:

   ```bash
   brokerctl queue length orders
   brokerctl queue age orders
   ```

   - If it is below 500, wait 5 minutes and look again. Do not restart anything yet.
   - If it is 500 or more, go to step 2.

2. Restart the consumer with `brokerctl consumer restart orders --graceful`.
   If the queue shrinks now, the issue is resolved. Otherwise, see [Collect logs](logs.md) and open a
   ticket with the messaging team. The log is in /var/log/broker/consumer.log.
"""

DRAFT = """\
# The queue does not drain

## Restart the consumer

### Prerequisite
- You hold the role `queue-operator`.
- The alert QueueStuck has fired: messages have piled up in the broker for 15 min.

### Header
Check the queue length, restart the consumer

### Body
Look at the length of the queue:

```bash
brokerctl queue length orders
brokerctl queue age orders
```

Restart the consumer:

    brokerctl consumer restart orders --graceful

Its log is in `/var/log/broker/consumer.log`.

### Linker
- If the length is below 500, then wait five minutes and look at it again; do not restart anything yet. [CONTINUE]
- If the length is 500 or more, then restart the consumer. [CONTINUE]
- If the queue shrinks, then the issue is resolved. [MITIGATE]
- If the queue keeps its length, then follow [Collect logs](logs.md) and open a ticket with the messaging team. [CROSS]
"""


def compare(source: str, draft: str) -> tuple[list[Finding], list[Finding]]:
    """What a draft has lost of its source, and what it has invented."""
    before, after = Reading(source), Reading(draft)
    return lost(before, after), invented(before, after)


def told(source: str, draft: str) -> list[str]:
    """The same in words: a minus before what is lost, a plus before what is invented."""
    gone, new = compare(source, draft)
    signed = [*(("-", finding) for finding in gone), *(("+", finding) for finding in new)]
    return [f"{sign}{one.kind} (line {one.line}): {' '.join(one.text.split())}" for sign, one in signed]


def changed(old: str, new: str) -> list[str]:
    """What is found where one thing is changed."""
    assert SOURCE.count(old) == 1
    return told(SOURCE, SOURCE.replace(old, new))


class TestFaithful:
    @pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
    def test_a_text_has_lost_nothing_of_itself(self, path: Path) -> None:
        text = path.read_text(encoding="utf-8")
        assert told(text, text) == []

    def test_a_draft_in_the_paper_s_form_is_faithful_in_other_words(self) -> None:
        assert told(SOURCE, DRAFT) == []

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("Messages pile up in the broker and the", "Messages pile up in\nthe broker\nand the"),
            *(
                ("2. Restart", "7. Restart"),
                ("go to step 2", "go to step 7"),
                ("   - If it is 500", "   * If it is 500"),
            ),
            ("You need the role `queue-operator`.", "> You need the role queue-operator."),
            *(("Messages pile up", "messages **pile up**"), ("The log is in", 'The log is in "')),
            ("## Steps", "## 4. Look at the length of the queue\n\n### Body"),
            *(("15 minutes", "15 min"), ("15 minutes", "fifteen, that is 15 minutes")),
            ("```bash\n   brokerctl queue length orders", "```\n\n   brokerctl queue length orders   "),
            ("length orders\n   brokerctl", "length orders\n   ```\n\n   And:\n\n   ```\n   brokerctl"),
            ("Do not restart anything yet", "Never restart anything yet"),
            ("title: The queue does not drain\n", "title: Something else\n"),
        ],
    )
    def test_layout_and_wording_do_not_count(self, old: str, new: str) -> None:
        assert changed(old, new) == []


class TestFindings:
    @pytest.mark.parametrize(
        ("old", "new", "findings"),
        [
            ("2. Restart", "2. Reboot it all.\n3. Restart", ["+sentence (line 24): Reboot it all."]),
            ("500 or more", "900 or more", ["-number (line 22): 500", "+number (line 22): 900"]),
            ("15 minutes", "15 hours", ["-number (line 6): 15 minutes", "+number (line 6): 15 hours"]),
            (
                "restart orders --graceful",
                "stop orders",
                [
                    "-command (line 24): brokerctl consumer restart orders --graceful",
                    "+inline code (line 24): brokerctl consumer stop orders",
                ],
            ),
            (
                "   brokerctl queue length orders\n   brokerctl queue age orders\n",
                "   brokerctl queue age orders\n   brokerctl queue length orders\n",
                [
                    "-code block (line 17): brokerctl queue length orders brokerctl queue age orders",
                    "+code block (line 17): brokerctl queue age orders brokerctl queue length orders",
                ],
            ),
            (
                "/var/log/broker/consumer.log",
                "/var/log/consumer.log",
                ["-path (line 26): /var/log/broker/consumer.log", "+path (line 26): /var/log/consumer.log"],
            ),
            ("(logs.md)", "(log.md)", ["-URL (line 25): logs.md", "+URL (line 25): log.md"]),
            ("`QueueStuck`", "`QueueSlow`", ["-inline code (line 6): QueueStuck", "+inline code (line 6): QueueSlow"]),
            (
                "Do not restart anything yet.",
                "Restart anything yet.",
                ["-negation (line 21): Do not restart anything yet."],
            ),
        ],
    )
    def test_what_is_changed_is_found(self, old: str, new: str, findings: list[str]) -> None:
        assert changed(old, new) == findings

    @pytest.mark.parametrize(
        ("source", "draft", "findings"),
        [
            (
                "Set the limit of the reader to 5. Set the limit of the writer to 9.",
                "Set the limit of the reader to 9. Set the limit of the writer to 5.",
                [f"{sign}number (line 1): {number}" for sign, number in ("-5", "-9", "+9", "+5")],
            ),
            (
                "Restart the node.\n\nCheck the logs and restart the node again.",
                "Check the logs and restart the node again.",
                ["-sentence (line 1): Restart the node."],
            ),
            (
                "Otherwise, see [Collect logs](logs.md) for the old segments.",
                "See [Collect logs](logs.md) for the old segments.",
                ["-condition (line 1): Otherwise, see Collect logs for the old segments."],
            ),
            (
                "If it is full, delete the old segments by hand.",
                "Delete the old segments by hand.",
                ["-condition (line 1): If it is full, delete the old segments by hand."],
            ),
            (
                "Delete the old segments by hand.",
                "If it is full, delete the old segments by hand.",
                ["+condition (line 1): If it is full, delete the old segments by hand."],
            ),
            (
                "a:\n\n```yaml\na:\n  b: 1\n```",
                "a:\n\n```yaml\na:\nb: 1\n```",
                ["-code block (line 5): b: 1", "+code block (line 5): b: 1"],
            ),
            (
                "Unless the lamp is green, call Ann.",
                "If the lamp is green, call Ann.",
                ["-negation (line 1): Unless the lamp is green, call Ann."],
            ),
            ("Unless the lamp is green, call Ann.", "If the lamp is not green, call Ann.", []),
            ("Wait, unless it is red, in which case call Ann.", "Wait. If it is red, call Ann.", []),
            ("Open a ticket for it.", "Open no ticket for it.", ["+negation (line 1): Open no ticket for it."]),
            (
                "Do not restart the node. Do not restart the gateway.",
                "Restart the node. Do not restart the gateway.",
                ["-negation (line 1): Do not restart the node."],
            ),
        ],
    )
    def test_what_is_lost_or_invented_is_found(self, source: str, draft: str, findings: list[str]) -> None:
        assert told(source, draft) == findings

    def test_a_finding_is_a_value_with_its_line(self) -> None:
        found, _ = compare("Wait for the broker\n5 minutes.", "Wait for the broker a while.")
        assert found == [Finding(Kind.NUMBER, "5 minutes", 1)]
        assert str(found[0]) == 'the number "5 minutes"'

    def test_a_long_finding_is_cut_and_stays_in_one_line(self) -> None:
        [finding], _ = compare(f"Look at {'words ' * 90}now.", "")
        assert str(finding) == f'the sentence "Look at {"words " * 32}"...'


WORDS = st.text("abcdefghijk", min_size=5, max_size=9).filter(lambda word: word[-1] not in "deg")


@pytest.mark.parametrize(
    ("answer", "findings"),
    [
        ("Sieh mit `brokerctl queue age orders` nach und warte 5 Minuten.", []),
        ("Then restart the consumer: `brokerctl consumer restart orders`.", []),
        (
            "Then restart it: `brokerctl consumer restart payments`.",
            [(Kind.INLINE, "brokerctl consumer restart payments")],
        ),
        ("Warte 20 Minuten.", [(Kind.NUMBER, "20")]),
        ("```\nbrokerctl queue purge\n```", [(Kind.COMMAND, "brokerctl queue purge")]),
        (
            "Lies /var/log/other.log auf node-7, siehe https://queue.example/a.",
            [(Kind.PATH, "/var/log/other.log"), (Kind.NAME, "node-7"), (Kind.URL, "https://queue.example/a")],
        ),
        ("The consumer is asleep, wake it up.", []),
    ],
)
def test_of_an_answer_in_words_of_its_own_what_is_exact_has_to_be_the_sources(
    answer: str, findings: list[tuple[Kind, str]]
) -> None:
    assert [(found.kind, found.text) for found in unfounded(SOURCE, answer)] == findings


@given(documents)
def test_any_text_has_lost_nothing_of_itself_and_invented_nothing(text: str) -> None:
    assert told(text, text) == []


@given(documents, documents)
def test_any_two_texts_can_be_compared(source: str, draft: str) -> None:
    for findings, text in zip(compare(source, draft), (source, draft), strict=True):
        assert all(finding.line <= max(1, len(text.splitlines())) for finding in findings)
        assert all("\n" not in str(finding) for finding in findings)


@given(st.lists(WORDS, min_size=12, max_size=12, unique=True), st.integers(0, 3), st.data())
def test_each_change_of_a_step_is_found(words: list[str], at: int, data: st.DataObject) -> None:
    steps = [
        [f"If {words[n]} is full, then open {words[n + 4]} and wait {n + 3} minutes.", f"Do not {words[n + 8]} it."]
        for n in range(4)
    ]
    code = "\n".join(f"tool {word} --all" for word in words[:2])

    def written(steps: list[list[str]], code: str) -> str:
        said = "\n".join(f"{n}. {' '.join(step)}" for n, step in enumerate(steps, start=1))
        return f"# Guide\n\n{said}\n\n```\n{code}\n```\n"

    one, other = steps[at]
    changes = {
        "number": [one.replace(f"{at + 3} min", f"{at + 30} min"), other],
        "condition": [one.partition(", then ")[2].capitalize(), other],
        "negation": [one, other.removeprefix("Do not ").capitalize()],
        "sentence": [one],
        "inserted": [one, other, "Unplug every machine."],
    }
    change = data.draw(st.sampled_from([*changes, "code", "step"]))
    after = list(steps)
    if change == "step":
        del after[at]
    elif change != "code":
        after[at] = changes[change]
    gone, new = compare(
        written(steps, code), written(after, code.replace("--all", "--any") if change == "code" else code)
    )
    assert bool(new) == (change in ("number", "inserted", "code"))
    assert bool(gone) == (change != "inserted")
