import pytest

from thread_core.documents.blocks.markdown import CELL, Block, Hyperlink, parse, parts, visible
from thread_core.documents.blocks.source import Source


def shape(text: str) -> list[object]:
    """Blocks as "kind start-end", a container with its children."""

    def of(block: Block) -> object:
        line = f"{block.kind} {block.start}-{block.end}"
        return (line, [of(child) for child in block.children]) if block.children else line

    return [of(block) for block in parse(text).blocks]


class TestLines:
    @pytest.mark.parametrize("text", ["", "\n", " \t\n\n", "\ufeff", "\r\r", "\x0b\n\x1f"])
    def test_a_blank_document_has_no_words(self, text: str) -> None:
        assert [block.text.strip() for block in parse(text).blocks if block.text.strip()] == []

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_line_ends_of_any_kind_give_the_same_blocks(self, end: str) -> None:
        text = end.join(["# Disk", "", "1. Look.", "   more", "2. Act.", "", "```sh", "df", "```", ""])
        assert shape(text) == [
            "heading 1-1",
            ("list 3-5", [("item 3-4", ["paragraph 3-4"]), ("item 5-5", ["paragraph 5-5"])]),
            "code 7-9",
        ]

    @pytest.mark.parametrize(
        ("text", "blocks"),
        [
            (
                "---\ntitle: é\n---\né😀\n\n\ud800 lone\n\nß\u2028ß\n\n# Z",
                [*("paragraph 4-4", "paragraph 6-6", "paragraph 8-8"), "heading 10-10"],
            ),
            (
                "- a\n\t- b",
                [("list 1-2", [("item 1-2", ["paragraph 1-1", ("list 2-2", [("item 2-2", ["paragraph 2-2"])])])])],
            ),
            ("-\n after", [("list 1-1", ["item 1-1"]), "paragraph 2-2"]),
            (
                "- a\n\n\n\n> q\n\n\n\nend\n\n",
                [("list 1-1", [("item 1-1", ["paragraph 1-1"])]), ("quote 5-5", ["paragraph 5-5"]), "paragraph 9-9"],
            ),
            ("text\n\n~~~\na\n\nb\n\n\n", ["paragraph 1-1", "code 3-6"]),
        ],
    )
    def test_a_block_has_its_own_lines(self, text: str, blocks: list[object]) -> None:
        assert shape(text) == blocks

    def test_a_byte_order_mark_is_no_part_of_the_text(self) -> None:
        assert parse("\ufeff# Disk\n\ntext").blocks == (
            Block("heading", 1, 1, "Disk", level=1),
            Block("paragraph", 3, 3, "text"),
        )

    def test_a_byte_order_mark_where_files_were_joined_hides_no_heading(self) -> None:
        blocks = parse("# A\n\nb\n\ufeff# C\n").blocks
        assert [(block.start, block.text) for block in blocks if block.kind == "heading"] == [(1, "A"), (4, "C")]


class TestLists:
    @pytest.mark.parametrize(
        ("text", "numbers"),
        [
            *(("1. a\n1. b\n1. c", [1, 1, 1]), ("1. a\n2. b\n4. c", [1, 2, 4]), ("3) a\n4) b", [3, 4])),
            *(("- a\n- b", [None, None]), ("1. a\n\n   - x\n\n2. b", [1, 2])),
        ],
    )
    def test_items_keep_the_numbers_that_are_written(self, text: str, numbers: list[int | None]) -> None:
        (block,) = parse(text).blocks
        assert [item.number for item in block.children] == numbers

    def test_a_list_that_a_paragraph_interrupts_starts_again_with_its_own_number(self) -> None:
        first, _, second = parse("1. a\n2. b\n\nText between.\n\n3. c").blocks
        assert [[item.number for item in block.children] for block in (first, second)] == [[1, 2], [3]]

    def test_nested_lists_keep_their_lines(self) -> None:
        blocks = [
            block for top in parse("1. a\n   - b\n     1. c\n     2. d\n   - e\n2. f").blocks for block in top.walk()
        ]
        assert [f"{block.start}-{block.end}" for block in blocks if block.kind == "list"] == ["1-6", "2-5", "3-4"]
        items = [
            (block.words, block.start, block.end) for block in blocks if block.kind == "item" and len(block.words) == 1
        ]
        assert items == [("c", 3, 3), ("d", 4, 4), ("e", 5, 5), ("f", 6, 6)]

    def test_a_task_list_has_its_words_without_the_boxes(self) -> None:
        (block,) = parse("- [ ] look\n- [x] act").blocks
        assert [item.words for item in block.children] == ["look", "act"]


class TestCode:
    def test_a_fence_has_its_language_and_its_lines(self) -> None:
        assert parse("```bash\n  df -h\n\n# not a heading\n```").blocks == (
            Block("code", 1, 5, "  df -h\n\n# not a heading", language="bash"),
        )

    def test_indented_code_has_no_language(self) -> None:
        assert parse("text\n\n    df\n    du\n").blocks[1] == Block("code", 3, 4, "df\ndu")

    def test_fences_inside_quotes_and_lists_keep_their_lines(self) -> None:
        text = "> ```\n> a\n> ```\n\n- b\n\n  ~~~\n  c\n  ~~~"
        code = [block for top in parse(text).blocks for block in top.walk() if block.kind == "code"]
        assert [(block.start, block.end, block.text) for block in code] == [(1, 3, "a"), (7, 9, "c")]


class TestTables:
    def test_a_row_is_its_cells(self) -> None:
        (table,) = parse("| Code | Do |\n|---|---|\n| 503 | restart `it` |\n| 504 | |").blocks
        assert [(row.kind, row.start, row.end, row.text.split(CELL)) for row in table.children] == [
            ("row", 1, 1, ["Code", "Do", ""]),
            ("row", 3, 3, ["503", "restart it", ""]),
            ("row", 4, 4, ["504", "", ""]),
        ]

    def test_a_separator_in_a_cell_does_not_split_it(self) -> None:
        (table,) = parse("| a | b |\n|---|---|\n| x\x1fy | z |").blocks
        assert table.children[1].text.split(CELL) == ["x y", "z", ""]

    def test_a_link_in_a_cell_is_the_row_s(self) -> None:
        (table,) = parse("| a |\n|---|\n| see [b](c.md#d) |").blocks
        assert table.children[1].links == (Hyperlink("b", "c.md#d", 3, 4),)


class TestLinks:
    @pytest.mark.parametrize(
        ("text", "link"),
        [
            ("See [the guide](a.md#b).", Hyperlink("the guide", "a.md#b", 1, 4)),
            ("See [a]( /site/page ).", Hyperlink("a", "/site/page", 1, 4)),
            ("See [it][1].\n\n[1]: ../x.md", Hyperlink("it", "../x.md", 1, 4)),
            ("See [it].\n\n[it]: x.md 'T'", Hyperlink("it", "x.md", 1, 4)),
            ("See <https://a.example/b>.", Hyperlink("https://a.example/b", "https://a.example/b", 1, 4)),
            ("one\ntwo [**bold** `code`](c)", Hyperlink("bold code", "c", 2, 8)),
            ("[![picture](p.png)](c)", Hyperlink("picture", "c", 1, 0)),
            ("[ ](c)", Hyperlink("", "c", 1, 0)),
            ('See <a class="x" href="a.md#b">the guide</a>.', Hyperlink("the guide", "a.md#b", 1, 4)),
            ("See <A HREF='a.md'>it</A>.", Hyperlink("it", "a.md", 1, 4)),
            ("See <a href=a.md>it</a>.", Hyperlink("it", "a.md", 1, 4)),
        ],
    )
    def test_a_link_has_its_words_target_line_and_place(self, text: str, link: Hyperlink) -> None:
        assert parse(text).blocks[0].links == (link,)

    def test_an_offset_counts_characters_of_the_block_s_text(self) -> None:
        (block,) = parse("**Note** that é [a](x) comes\nbefore [b](y).").blocks
        assert [block.text[link.offset :][: len(link.text)] for link in block.links] == ["a", "b"]

    @pytest.mark.parametrize(
        "text",
        [
            *('See <a id="b"></a>it.', "See <a href='a.md'>it.", "See it</a>.", "See <abbr>it</abbr>."),
            *("![p](p.png)", "See <a href='a.md'>it.\n\nGo</a> on."),
        ],
    )
    def test_a_picture_and_a_tag_that_names_or_is_not_closed_are_no_links(self, text: str) -> None:
        assert not any(block.links for block in parse(text).blocks)

    def test_a_reference_that_is_not_defined_stays_text(self) -> None:
        assert parse("See [that][2].").blocks == (Block("paragraph", 1, 1, "See [that][2]."),)


class TestBold:
    @pytest.mark.parametrize(
        ("text", "bold"),
        [
            *(
                ("**All**", True),
                ("**All**:", True),
                ("__All__", True),
                ("**All `code`**", True),
                ("**One** **Two**", True),
            ),
            *(("**Part** of it", False), ("none", False), ("*slanted*", False), ("a **b**", False), ("`code`", False)),
        ],
    )
    def test_a_line_all_in_bold_is_bold(self, text: str, bold: bool) -> None:
        assert parse(text).blocks[0].bold is bold

    def test_items_do_not_inherit_what_came_before(self) -> None:
        (block,) = parse("- plain\n- **bold**\n- plain").blocks
        assert [item.children[0].bold for item in block.children] == [False, True, False]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        *(("See `a b` and\n*`c`*.", ["a b", "c"]), ("- `a` in **an `item`**\n  - `b`", ["a", "item"])),
        *(("![`p`](p.png) `a`", ["a"]), ("| `x` | y |\n|---|---|", ["x"]), ("None.", [])),
    ],
)
def test_a_block_knows_where_its_code_stands(text: str, code: list[str]) -> None:
    block = next(block for block in parts(parse(text).blocks) if block.text)
    assert [block.text[start:stop] for start, stop in block.code] == code


class TestHeadings:
    @pytest.mark.parametrize(
        ("text", "block"),
        [
            ("### Disk *full* `df`", Block("heading", 1, 1, "Disk full df", level=3, code=((10, 12),))),
            ("Disk\n====", Block("heading", 1, 2, "Disk", level=1)),
            ("Disk\nfull\n---", Block("heading", 1, 3, "Disk\nfull", level=2)),
            ("# ", Block("heading", 1, 1, "", level=1)),
            ("## Closed ##", Block("heading", 1, 1, "Closed", level=2)),
        ],
    )
    def test_a_heading_has_a_level_and_words(self, text: str, block: Block) -> None:
        assert parse(text).blocks == (block,)


def test_html_is_kept_as_written() -> None:
    assert parse("<details>\n<summary><b>S</b></summary>\n\ntext <b>x</b>\n\n</details>").blocks == (
        Block("html", 1, 2, "<details>\n<summary><b>S</b></summary>"),
        Block("paragraph", 4, 4, "text x"),
        Block("html", 6, 6, "</details>"),
    )


@pytest.mark.parametrize(
    ("html", "seen"),
    [
        *(("<details>", ""), ("<b>S</b> t", "S t"), ("<!-- a\nb -->x<!-- c -->", "x")),
        *(("<!-- never closed", "<!-- never closed"), ("a < b > c", "a < b > c"), ("", "")),
    ],
)
def test_visible_is_what_a_reader_sees(html: str, seen: str) -> None:
    assert visible(html) == seen


PICTURE = f"data:image/png;base64,{'iVBORw0KGgo' * 20}="


@pytest.mark.parametrize(
    "text",
    ["1. Look: ![x]({})\n2. Go.", "Look.\r\n\r\n[a]: <{}>\r\n", '<img alt="x" src="{}">', "---\na: b\n---\n![x](<{}>)"],
)
def test_the_data_of_a_picture_are_no_part_of_the_text(text: str) -> None:
    assert parse(text.format(PICTURE)).source.text == text.format("data:")


@pytest.mark.parametrize(
    "text", ["```md\n![x]({})\n```", "    ![x]({})", "See {}.", "`{}`", "![x](data:text/plain,hello)"]
)
def test_in_code_and_words_they_stay(text: str) -> None:
    assert parse(text.format(PICTURE)).source.text == text.format(PICTURE)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Open it. ~~If it is red, see [B](b.md).~~ See [C](c.md).", ("Open it.  See C.", ["c.md"])),
        ("Open it. <del>If it is red, run `a`.</del>", ("Open it.", [])),
        ("<s>Open\n\nit.</s> Now", ("", [])),
        ("Find PROGRA~1 and PROGRA~2.", ("Find PROGRA~1 and PROGRA~2.", [])),
        ("## ~~Old~~ way", ("Old way", [])),
    ],
)
def test_what_is_struck_out_is_not_read(text: str, read: tuple[str, list[str]]) -> None:
    block = parse(text).blocks[0]
    assert (block.text, [link.href for link in block.links]) == read


@pytest.mark.parametrize(
    ("text", "lead"),
    [
        *(("**Disk full**: free space", "Disk full"), ("**One** **two**: both", "One two"), ("**All**", "All")),
        *(("plain **late**", ""), ("plain", "")),
    ],
)
def test_a_block_knows_the_bold_words_with_which_it_begins(text: str, lead: str) -> None:
    assert [parse(text).blocks[0].lead, parse(f"- {text}").blocks[0].children[0].children[0].lead] == [lead, lead]


class TestSource:
    @pytest.mark.parametrize(
        ("text", "lines"),
        [
            *(("", [""]), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("a\r\nb\r\n", ["a", "b"])),
            *(("a\rb\r", ["a", "b"]), ("a\n\r\nb", ["a", "", "b"]), ("\n", [""])),
            ("a\u2028b\x0bc\x1cd\x85e\n", ["a\u2028b\x0bc\x1cd\x85e"]),
        ],
    )
    def test_a_line_ends_at_lf_crlf_or_cr_and_nothing_else(self, text: str, lines: list[str]) -> None:
        source = Source(text)
        assert [source.line(number) for number in range(1, len(source) + 1)] == lines

    def test_a_slice_keeps_the_line_ends_inside_it(self) -> None:
        assert Source("a\r\n  b\rc\nd").slice(2, 3) == "  b\rc"

    @pytest.mark.parametrize("line", ["", "  ", "\t", "\x0b", "\x1f", "\u2028", "\u00a0"])
    def test_a_line_of_white_space_is_blank(self, line: str) -> None:
        assert Source(f"a\n{line}\nb").blank(2)


class TestFrontMatter:
    @pytest.mark.parametrize(
        ("text", "fields", "lines"),
        [
            ("---\ntitle: Disk full\n---\n", {"title": "Disk full"}, (1, 3)),
            ("---\nTitle:  'Disk: full' \n...\ntext", {"title": "Disk: full"}, (1, 3)),
            ("---\r\na: 1\r\nb:\r\n---\r\n", {"a": "1", "b": ""}, (1, 4)),
            ("\ufeff---\na: b\n---", {"a": "b"}, (1, 3)),
            ("---\ntitle: a: [b\napplies:\n  - x\n# comment\n---\n", {"title": "a: [b", "applies": ""}, (1, 6)),
            ("---\ntitle: >-\n  Disk\n  full\nms.date: 1/2\n---\n", {"title": "Disk full", "ms.date": "1/2"}, (1, 6)),
            ("+++\ntitle = 'Disk full'\ndate=2024-05-02\n+++\n", {"title": "Disk full", "date": "2024-05-02"}, (1, 4)),
            ('+++\na = [\n"x",\n]\n[extra]\na = 2\nb = "3"\n+++\ntext', {"a": "[", "b": "3"}, (1, 8)),
        ],
    )
    def test_flat_fields_are_read(self, text: str, fields: dict[str, str], lines: tuple[int, int]) -> None:
        markdown = parse(text)
        assert (markdown.front_matter, markdown.front_lines) == (fields, lines)

    @pytest.mark.parametrize(
        "text",
        [
            *("---\ntitle: never closed\n", "---\ntitle: a\n\nA sentence: of prose\nthat goes on.\n---\n"),
            *("---\n# Heading\n- item\n---\n", "---\n\n---\n", "+++\na: b\n+++\n", "+++\na = b\n---\n"),
            *("----\na: b\n---\n", " ---\na: b\n---\n", "text\n---\na: b\n---\n"),
        ],
    )
    def test_what_is_not_front_matter_stays_in_the_document(self, text: str) -> None:
        markdown = parse(text)
        assert (markdown.front_matter, markdown.front_lines) == ({}, None)
        assert markdown.blocks[0].start == 1

    def test_blocks_after_it_keep_the_document_s_lines(self) -> None:
        heading, listed = parse("---\na: é\n---\n\n# T\n\n- b").blocks
        assert (heading.kind, heading.start, heading.end) == ("heading", 5, 5)
        assert {(block.start, block.end) for block in listed.walk()} == {(7, 7)}

    def test_a_document_may_be_nothing_else(self) -> None:
        assert parse("---\na: b\n---").blocks == ()
