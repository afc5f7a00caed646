"""What is recalled of the steps done before, in the place of a history that grows with every step.

The way of Self-MAP (Deng et al., 2024) for conversational agents: a bank of snippets, one a step; those are recalled
that were taken in a like situation, instruction and course of actions together; of what was seen only the lines that
matter are kept (`relevance`), and each says why its step followed.

The bank of a walk is made from its state, so nothing is kept twice. Snippets of earlier conversations are handed in.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest

from thread_core.answering.conversation import NOTHING, newest
from thread_core.errors import BadReply, BudgetSpent, ModelError
from thread_core.extraction.difference import unfounded
from thread_core.llm.asking import Ask, Role, Who, ask_for
from thread_core.llm.prompting import Prompt, chosen, quoted
from thread_core.models import Model
from thread_core.plan import Plan, given
from thread_core.ports import Form, Message
from thread_core.store.requests import Embed
from thread_core.walk.relevance import relevant_lines
from thread_core.walk.state import Position, SessionState

RECALLED = 3
"""Snippets that a prompt is given, the K of the paper; as many again of earlier conversations."""
SEEN = 80
"""Tokens of what was seen before a step, and of what came of it."""
SAID = 50
"""Tokens of a question, of the step taken, and of why it followed."""
DONE = 80
"""Tokens of the steps done before, the newest ones."""
EXPECTED = 50
"""Tokens of a rationale in a reply."""
TALK = "talk"
"""Names the conversation that goes on where it is no walk."""
REMEMBERED = 1000
"""Rationales that are kept in memory, the newest ones."""


class Snippet(Model):
    """One step of a conversation: in which situation it was taken, why, and what came of it. JSON both ways."""

    walk: str = ""
    """Of which conversation it is a step."""
    question: str
    """The instruction."""
    done: tuple[str, ...] = ()
    """Headers of the steps done before, in order."""
    seen: str = ""
    """What was reported last before it, the lines that matter to it."""
    action: str
    """The step that was taken: its header."""
    unit_id: str = ""
    document_id: str = ""
    outcome: str = ""
    """What was reported of it, the lines that matter."""
    rationale: str = ""
    """Why it followed: the condition under which the document leads there, or what the walk said."""

    @property
    def situation(self) -> str:
        """What is compared: the question, the steps done and what was seen, as one text."""
        return "\n".join((self.question, *self.done, self.seen))


class Recalled(Model):
    """What a memory gives for one prompt."""

    snippets: tuple[Snippet, ...] = ()
    """The oldest first."""
    walk: str = ""
    """The conversation that goes on."""
    replaces: tuple[str, ...] = ()
    """What was said and done, as it stands in a history, that need not be told besides."""

    def below(self, told: str) -> str:
        """What a prompt says of the past: what it tells anyway, and the snippets below that."""
        shown = render(self.snippets, self.walk)
        recalled = f"Steps that were taken in situations like this one:\n\n{shown}" if shown else ""
        return "\n\n".join(part for part in (told, recalled) if part not in ("", NOTHING)) or NOTHING


Recall = Callable[[], Plan[Recalled]]
"""Asked for where a prompt is made, and not before: it may cost a call."""


def recall_nothing() -> Plan[Recalled]:
    """What is recalled without a memory."""
    return given(Recalled())


class Rationales(Form):
    """A model's reply: why each step followed, in order."""

    rationales: tuple[str, ...]


class StepMemory:
    """Recalls the steps that were taken in situations like the one at hand. One may serve many walks of one person.

    Example:
        earlier = snippets_of(SessionState.model_validate_json(saved))
        session = HowToSession(library, memory=StepMemory(earlier))
    """

    def __init__(self, earlier: Sequence[Snippet] = (), *, k: int = RECALLED) -> None:
        """Remember the ongoing conversation, and what is handed in.

        Args:
            earlier: Steps of other conversations of the same person, the oldest first.
            k: How many are recalled of the ongoing conversation, and of the others.

        Raises:
            ValueError: `k` is less than 1.
        """
        if k < 1:
            raise ValueError(f"found k={k}, expected at least 1")
        self.earlier = tuple(map(simplified, earlier))
        self._k = k
        self._rationales: dict[Snippet, str] = {}
        """What a model said of snippets, so that each is asked about once."""

    def recall(
        self, state: SessionState, seen: str = "", *, prompts: Mapping[str, Prompt] | None = None
    ) -> Plan[Recalled]:
        """The steps of a walk, and of conversations before it, whose situations are likest to where it stands.

        Args:
            state: Where it stands. The step at hand is no step done: it is what the others are compared with.
            seen: What was reported of it.
            prompts: The user's own instead of the package's, by name; `rationale` is used here.
        """
        headers = [position.header for position in state.trail]
        now = Snippet(walk=walk_of(state), question=state.question, done=headers, seen=seen, action=(*headers, "")[-1])
        replaces = (*(position.outcome for position in state.trail), *headers)
        return (yield from self._recall(snippets_of(state)[:-1], now, replaces, prompts))

    def recall_talk(
        self, question: str, history: Sequence[Message], *, prompts: Mapping[str, Prompt] | None = None
    ) -> Plan[Recalled]:
        """What was asked and answered before in a conversation, and in others, that is likest to a question."""
        now = Snippet(walk=TALK, question=question, action="")
        replaces = [message.text for message in history]
        return (yield from self._recall(snippets_of_talk(history, TALK), now, replaces, prompts))

    def _recall(
        self, ongoing: Sequence[Snippet], now: Snippet, replaces: Sequence[str], prompts: Mapping[str, Prompt] | None
    ) -> Plan[Recalled]:
        here = simplified(now)
        others = [one for one in self.earlier if one.walk != now.walk]
        found = (*(yield from likest(here, others, self._k)), *(yield from likest(here, ongoing, self._k)))
        refined = yield from self._refined(found, prompts)
        told = tuple(filter(None, replaces)) if ongoing else ()
        return Recalled(snippets=refined, walk=now.walk, replaces=told)

    def _refined(self, snippets: Sequence[Snippet], prompts: Mapping[str, Prompt] | None) -> Plan[tuple[Snippet, ...]]:
        """The snippets with why their steps followed as a model says it; as they are where none does."""
        name: str | None = yield Who(Role.QUERY_GENERATOR)
        new = [one for one in snippets if one not in self._rationales] if name is not None else []
        if new:
            try:
                found = yield from rationales(new, prompts)
            except BadReply:
                found = tuple(one.rationale for one in new)
            except (BudgetSpent, ModelError):
                found = ()
            self._rationales.update(zip(new, found, strict=False))
            for old in list(self._rationales)[:-REMEMBERED]:
                self._rationales.pop(old, None)
        return tuple(
            one.model_copy(update={"rationale": self._rationales.get(one) or one.rationale}) for one in snippets
        )


def walk_of(state: SessionState) -> str:
    """Names a walk: a session may be started again with another question."""
    return hashlib.sha256(f"{state.root} {state.question}".encode()).hexdigest()[:32]


def snippets_of(state: SessionState) -> tuple[Snippet, ...]:
    """The steps of a walk, in order, the one at hand last; those that the person skipped are none."""
    steps = [position for position in state.trail if not position.ending and not position.skipped]
    headers = [position.header for position in steps]
    outcomes = [_outcome(step, following) for step, following in zip_longest(steps, steps[1:])]
    return tuple(
        simplified(
            Snippet(
                walk=walk_of(state),
                question=state.question,
                done=tuple(headers[:at]),
                seen=outcomes[at - 1] if at else "",
                action=position.header,
                unit_id=position.unit_id,
                document_id=position.document_id,
                outcome=outcomes[at],
                rationale=position.condition or position.why,
            )
        )
        for at, position in enumerate(steps)
    )


def _outcome(step: Position, following: Position | None) -> str:
    """Of what was reported of a step the lines that matter to it and to the one that followed."""
    after = (following.header, following.condition) if following is not None else ()
    return relevant_lines(step.outcome, "\n".join((step.header, *after)), SEEN)


def snippets_of_talk(history: Sequence[Message], walk: str = "") -> tuple[Snippet, ...]:
    """Questions and answers, in order: an answer is the step taken, and what the person says next is its outcome."""
    question = ""
    found: list[Snippet] = []
    for message in history:
        if message.role == "user":
            if found and not found[-1].outcome:
                found[-1] = found[-1].model_copy(update={"outcome": message.text})
            question = message.text
        elif message.role == "assistant" and question:
            found.append(Snippet(walk=walk, question=question, action=message.text))
    return tuple(map(simplified, found))


def simplified(snippet: Snippet) -> Snippet:
    """A snippet without the lines that do not matter to its step, and bounded in each part."""
    question = relevant_lines(snippet.question, snippet.action, SAID)
    action = relevant_lines(snippet.action, question, SAID)
    rationale = relevant_lines(snippet.rationale, action, SAID)
    step = f"{question}\n{action}\n{rationale}"
    return snippet.model_copy(
        update={
            "question": question,
            "done": tuple(newest(snippet.done, DONE)),
            "seen": relevant_lines(snippet.seen, step, SEEN),
            "action": action,
            "outcome": relevant_lines(snippet.outcome, step, SEEN),
            "rationale": rationale,
        }
    )


def likest(now: Snippet, bank: Sequence[Snippet], k: int) -> Plan[tuple[Snippet, ...]]:
    """The k snippets whose situations are likest to one, in the order of the bank; of those alike the newest."""
    best: list[int] = yield from nearest(now.situation, [snippet.situation for snippet in bank], k)
    return tuple(bank[at] for at in sorted(best))


def nearest(text: str, others: Sequence[str], k: int) -> Plan[list[int]]:
    """The positions, from 0, of the k texts that are likest to one, the likest first; of those alike the last ones."""
    if not others:
        return []
    vectors = yield Embed((text, *others))
    likeness = (vectors[1:] @ vectors[0]).round(5).tolist()
    return sorted(range(len(others)), key=lambda at: (-likeness[at], -at))[:k]


def rationales(snippets: Sequence[Snippet], prompts: Mapping[str, Prompt] | None = None) -> Plan[tuple[str, ...]]:
    """Why each of some steps followed, in a sentence of a model's; all of them are one question, kept when answered.

    Raises:
        BadReply: the reply cannot be used, nor the one after the complaint.
        ModelError: there is none.
        BudgetSpent: the model was not asked.
    """
    messages = chosen("rationale", prompts).messages({"steps": render(snippets)})

    def faults(reply: Rationales) -> Iterator[str]:
        if len(reply.rationales) != len(snippets):
            yield f"there are {len(snippets)} steps, and {len(reply.rationales)} rationales"
        for number, (snippet, said) in enumerate(zip(snippets, reply.rationales, strict=False), start=1):
            for finding in unfounded(_shown(snippet), said):
                yield f"rationale {number} has the {finding.kind} {finding.text!r}, which step {number} does not"

    ask = Ask(Role.QUERY_GENERATOR, tuple(messages), expected=EXPECTED * len(snippets))
    reply: Rationales = yield from ask_for(ask, Rationales, lambda reply: list(faults(reply)), keep=True)
    return tuple(relevant_lines(" ".join(said.split()), "", SAID) for said in reply.rationales)


def render(snippets: Sequence[Snippet], walk: str = "") -> str:
    """Snippets by number, as data: in a prompt, and as a framework's memory. What is of another walk is marked."""
    return "\n\n".join(
        f"Step {number}{_whose(snippet, walk)}:\n{_shown(snippet)}" for number, snippet in enumerate(snippets, start=1)
    )


def _whose(snippet: Snippet, walk: str) -> str:
    return ", from earlier: what held then need not hold now" if walk and snippet.walk != walk else ""


def _shown(snippet: Snippet) -> str:
    parts = {
        "The question:": snippet.question,
        "Done before it:": "\n".join(snippet.done),
        "Seen before it:": snippet.seen,
        "The step:": snippet.action,
        "Why it followed:": snippet.rationale,
        "What came of it:": snippet.outcome,
    }
    return "\n".join(f"{name}\n{quoted(text)}" for name, text in parts.items() if text)
