"""Links as Hugo has them written, read as the links of Markdown that mean the same."""

from __future__ import annotations

import time

import pytest

from thread_core.documents.blocks.markdown import parse
from thread_core.documents.blocks.references import with_links


@pytest.mark.parametrize(
    ("text", "words", "hrefs"),
    [
        ('See [the lid]({{< ref "lid.md#on" >}}).', "See the lid.", ["lid.md#on"]),
        ("See [the lid]({{% relref `a lid.md` %}}).", "See the lid.", ["a%20lid.md"]),
        ('See {{< ref path="lid.md" lang="de" >}}.', "See lid.md.", ["lid.md"]),
        ('See [the lid][1].\n\n[1]: {{< relref "/lid" >}}\n', "See the lid.", ["/lid"]),
        ('See <a href="{{< ref lid.md >}}">the lid</a>.', "See the lid.", ["lid.md"]),
        ("See <Link to='/lid'>the lid</Link>, <Link id=b to=on>on</Link>.", "See the lid, on.", ["/lid", "on"]),
    ],
)
def test_what_a_generator_has_written_is_a_link(text: str, words: str, hrefs: list[str]) -> None:
    block = parse(text).blocks[0]
    assert (block.text, [link.href for link in block.links]) == (words, hrefs)


@pytest.mark.parametrize(
    "text",
    [
        *("`{{< ref a.md >}}`", "\\{{< ref a.md >}}", "```md\n{{< ref a.md >}}\n```", "{{< figure src='a.png' >}}"),
    ],
)
def test_everything_else_stays_as_it_is(text: str) -> None:
    assert with_links(text) == text


@pytest.mark.parametrize("part", ["[`", "`` ` ", "]({{< ref ", "=[a]: "])
def test_it_takes_a_time_in_proportion_to_the_text(part: str) -> None:
    begun = time.process_time()
    with_links("{{ ref " + part * 20_000)
    assert time.process_time() - begun < 3
