import pytest

from thread_core.documents.blocks.markdown import parse
from thread_core.documents.code import Code, codes

PAGE = """\
---
title: `none`
---
é `a b` and `` x`y `` and `over
two`.

> ```sh -x
> df -h
> ls é
> ```

- item

      indented

~~~

yaml: 1
~~~
"""


def found_in(text: str) -> list[Code]:
    markdown = parse(text)
    return codes(markdown.source, markdown.front_lines[1] if markdown.front_lines else 0)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_code_is_found_with_its_place(end: str) -> None:
    text = PAGE.replace("\n", end)
    found = found_in(text)
    assert [(code.line, code.language, code.inline) for code in found] == [
        *((4, "", True), (4, "", True), (4, "", True)),
        *((8, "sh", False), (14, "", False), (17, "", False)),
    ]
    assert ["".join(text[start:end] for start, end in code.ranges).replace(end, "\n") for code in found] == [
        *("a b", "x`y", "over\ntwo", "df -h\nls é\n", "indented\n", "\nyaml: 1\n"),
    ]


def test_the_text_of_code_has_no_marks() -> None:
    assert [code.text for code in found_in(PAGE)] == [
        *("a b", "x`y", "over two", "df -h\nls é\n", "indented\n", "\nyaml: 1\n"),
    ]


@pytest.mark.parametrize("text", ["", "no code", "```\n```", "`open", "    ", "---\ntitle: `x`\n---\n", "\ud800 é"])
def test_a_text_without_code_has_none(text: str) -> None:
    assert found_in(text) == []


def test_a_lone_surrogate_does_not_move_what_follows() -> None:
    assert found_in("\ud800 é `x`") == [Code("x", 1, "", True, ((5, 6),))]
