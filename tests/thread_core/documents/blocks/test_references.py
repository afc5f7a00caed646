"""Links as generators have them written, read as the links of Markdown that mean the same."""

from __future__ import annotations

import time

import pytest

from thread_core import Document, RuleExtractor, Target
from thread_core.documents.blocks.markdown import parse
from thread_core.documents.blocks.plain import plain
from thread_core.documents.blocks.references import with_links


@pytest.mark.parametrize(
    ("text", "words", "hrefs"),
    [
        ('See [the lid]({{< ref "lid.md#on" >}}).', "See the lid.", ["lid.md#on"]),
        ("See [the lid]({{% relref `a lid.md` %}}).", "See the lid.", ["a%20lid.md"]),
        ('See {{< ref path="lid.md" lang="de" >}}.', "See lid.md.", ["lid.md"]),
        ('See [the lid][1].\n\n[1]: {{< relref "/lid" >}}\n', "See the lid.", ["/lid"]),
        ('See <a href="{{< ref lid.md >}}">the lid</a>.', "See the lid.", ["lid.md"]),
        ("See [the lid]({% link _docs/lid.md %}#on).", "See the lid.", ["/_docs/lid.md#on"]),
        ("See [the lid]({{ site.baseurl }}{% post_url 2024-05-01-lid %}).", "See the lid.", ["2024-05-01-lid"]),
        ("See [the lid]({{ site.url }}/lid.html).", "See the lid.", ["/lid.html"]),
        ("See [the lid]({{ '/lid.html' | relative_url }}).", "See the lid.", ["/lid.html"]),
        ("See {ref}`the lid <lid-on>`.", "See the lid.", ["##lid-on"]),
        ("See {ref}`the\nlid\n  <lid-on>`.", "See the\nlid\n.", ["##lid-on"]),
        ("See {std:ref}`Lid-on`.", "See Lid-on.", ["##Lid-on"]),
        ("See {doc}`../lid` and :doc:`the lid </lid>`.", "See ../lid and the lid.", ["../lid", "/lid"]),
        ("See :ref:`lid-on`, press {guilabel}`Stop`.", "See lid-on, press Stop.", ["##lid-on"]),
        ("See [the `lid`][lid-on] and [lid.on][].", "See the lid and lid.on.", ["##lid-on", "##lid.on"]),
        ("See [](lid.md) and [](#lid-on).", "See lid.md and lid-on.", ["lid.md", "##lid-on"]),
        ("See <Link to='/lid'>the lid</Link>, <Link id=b to=on>on</Link>.", "See the lid, on.", ["/lid", "on"]),
    ],
)
def test_what_a_generator_has_written_is_a_link(text: str, words: str, hrefs: list[str]) -> None:
    block = parse(text).blocks[0]
    assert (block.text, [link.href for link in block.links]) == (words, hrefs)


@pytest.mark.parametrize(
    "text",
    [
        *("`{{< ref a.md >}}`", "\\{{< ref a.md >}}", "```md\n{ref}`a-b`\n```", "{ref} `a-b`", "a:ref:`b-c`"),
        *("{{ site.title }}", "{% link %}", "{% link _docs/a.md %}", "{{< figure src='a.png' >}}", "${ref}"),
        *("[a][b-c]\n\n[B-C]: d.md\n", "[a][b]", "x[a][b-c]", "[A-Z][a-z]", "![a][b-c]", "![](a.md)", "[x](a)[]"),
    ],
)
def test_everything_else_stays_as_it_is(text: str) -> None:
    assert with_links(text) == text


@pytest.mark.parametrize("part", ["[a-b][", "{ref}`", "[`", "`` ` ", "]({{< ref ", "{{ site.a }}", "=[a]: ", ":a:`x <"])
def test_it_takes_a_time_in_proportion_to_the_text(part: str) -> None:
    begun = time.process_time()
    with_links("[](a) ][ :` {% ref " + part * 20_000)
    assert time.process_time() - begun < 3


def test_a_unit_leads_where_its_roles_say_and_its_body_is_verbatim() -> None:
    body = "If it hums, see {ref}`the lid <lid-on>`. If it is dark, see {ref}`lid-off`."
    text = f"# Lamp\n\n1. Look.\n\n{body}\n\n(lid-on)=\n\n## Open it\n\n1. Turn.\n"
    unit = RuleExtractor().extract(Document("a.md", text)).units[0]
    goals = [(one.condition, one.target) for one in unit.links if one.condition]
    assert goals == [
        ("it hums", Target(anchor="lid-on")),
        ("it is dark", Target(document="#lid-off", anchor="lid-off")),
    ]
    assert body in unit.body
    assert "see the lid. If it is dark, see lid-off." in plain(unit.body)
