"""What a text is written in, told by signs that Markdown does not have."""

import time

import pytest

from thread_core import Document, RuleExtractor
from thread_core.documents.markup import KINDS, written_in

TEXTS = {
    "HTML": "<h1>Pump</h1>\n<p>Press the key.</p>\n",
    "reStructuredText": "Pump\n====\n\n.. note:: Wait.\n\nSee :ref:`valve`.\n",
    "AsciiDoc": "= Pump\n:toc:\n\n== Start\n\n. Press the key.\n",
    "MediaWiki's markup": "== Start ==\n\n# Press the '''red''' key.\n# See [[Valve]].\n",
    "the markup of Jira and Confluence": "h2. Start\n\n{code:sh}\nls\n{code}\n",
    "Textile": 'h2. Start\n\n# See "the valve":/valve.\n',
    "Org mode's markup": "#+TITLE: Pump\n* Start\n** Press the key\n",
}

MARKDOWN = """\
# How other markups write it

| Markup | Heading | Link |
|---|---|---|
| AsciiDoc | `== Start` | `link:valve.adoc[Valve]` |
| MediaWiki | `== Start ==` | `[[Valve]]` and `'''bold'''` |
| Jira | `h2. Start` | `[Valve|https://example.org]` |

```rst
.. note:: Wait.

:ref:`valve`
```

* One [valve](valve.md "The valve": open it)
** Note ** that [[wiki pages]] are linked so, too.

1. <p>Press the key.</p>

----
"""


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_is_named_in_the_report_with_what_makes_markdown_of_it(name: str) -> None:
    [kind] = [kind for kind in KINDS if kind.name == name]
    [problem] = RuleExtractor().extract(Document("guide", TEXTS[name])).report.problems
    assert problem.startswith(f"looks like {name} but ")
    assert kind.mend in problem


@pytest.mark.parametrize("name", ["guide", "guide.md", "guide.adoc", "guide.html"])
def test_markdown_that_only_tells_of_others_is_none_of_them(name: str) -> None:
    assert written_in(MARKDOWN, name) is None


def test_one_sign_is_enough_where_the_name_or_the_file_says_it_too() -> None:
    text = "h2. Start\n\nPress the key.\n"
    assert written_in(text) is None
    assert [kind.name for kind in (written_in(text, "a.textile"), written_in(text, "7", "docs/a.jira")) if kind] == [
        "Textile",
        "the markup of Jira and Confluence",
    ]


@pytest.mark.parametrize("sign", ["[[a", "'''a", "link:", "[http://x ", "`a <", "\n.. |a", "[a|b", '"a', "</p>"])
def test_a_long_line_of_beginnings_takes_no_long_time(sign: str) -> None:
    begun = time.process_time()
    written_in("h1. a\n{code}\n" + sign * 60_000, "a.html")
    assert time.process_time() - begun < 2
