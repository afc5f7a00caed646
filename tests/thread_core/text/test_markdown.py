import pytest

from thread_core.text.markdown import CELL, Block, Hyperlink, parse, parts, visible


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

    @pytest.mark.parametrize("letter", ["e", "é", "😀", "\ud800"])
    def test_letters_of_any_length_in_utf8_leave_lines_where_they_are(self, letter: str) -> None:
        lines = ["---", f"title: {letter}", "---", letter, "", f"1. {letter} {letter}", f"   {letter}", "2. b", ""]
        assert shape("\n".join(lines)) == [
            "paragraph 4-4",
            ("list 6-8", [("item 6-7", ["paragraph 6-7"]), ("item 8-8", ["paragraph 8-8"])]),
        ]

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_line_ends_of_any_kind_give_the_same_blocks(self, end: str) -> None:
        text = end.join(["# Disk", "", "1. Look.", "   more", "2. Act.", "", "```sh", "df", "```", ""])
        assert shape(text) == [
            "heading 1-1",
            ("list 3-5", [("item 3-4", ["paragraph 3-4"]), ("item 5-5", ["paragraph 5-5"])]),
            "code 7-9",
        ]

    def test_a_byte_order_mark_is_no_part_of_the_text(self) -> None:
        assert parse("\ufeff# Disk\n\ntext").blocks == (
            Block("heading", 1, 1, "Disk", level=1),
            Block("paragraph", 3, 3, "text"),
        )

    def test_a_second_byte_order_mark_does_not_move_the_lines(self) -> None:
        assert shape("\ufeff\ufeff\n# Disk\nmore") == ["heading 2-2", "paragraph 3-3"]

    def test_a_byte_order_mark_where_files_were_joined_hides_no_heading(self) -> None:
        blocks = parse("# A\n\nb\n\ufeff# C\n").blocks
        assert [(block.start, block.text) for block in blocks if block.kind == "heading"] == [(1, "A"), (4, "C")]

    def test_letters_of_any_length_in_bytes_do_not_move_the_lines(self) -> None:
        assert shape("é😀\n\n\ud800 lone\n\nß\u2028ß\n\n# Z") == [
            "paragraph 1-1",
            "paragraph 3-3",
            "paragraph 5-5",
            "heading 7-7",
        ]

    def test_a_list_that_is_indented_by_a_tab_starts_on_its_own_line(self) -> None:
        assert shape("- a\n\t- b\n") == [
            ("list 1-2", [("item 1-2", ["paragraph 1-1", ("list 2-2", [("item 2-2", ["paragraph 2-2"])])])])
        ]

    def test_an_empty_item_ends_before_the_next_paragraph(self) -> None:
        assert shape("-\n after") == [("list 1-1", ["item 1-1"]), "paragraph 2-2"]

    def test_blank_lines_after_a_block_are_not_in_it(self) -> None:
        assert shape("- a\n\n\n\n> q\n\n\n\nend\n\n") == [
            ("list 1-1", [("item 1-1", ["paragraph 1-1"])]),
            ("quote 5-5", ["paragraph 5-5"]),
            "paragraph 9-9",
        ]


class TestLists:
    @pytest.mark.parametrize("gap", ["\n", "\n\n"], ids=["tight", "loose"])
    def test_the_words_of_an_item_are_a_paragraph(self, gap: str) -> None:
        (block,) = parse(f"- one{gap}- two").blocks
        assert [[child.text for child in item.children] for item in block.children] == [["one"], ["two"]]

    @pytest.mark.parametrize(
        ("text", "numbers"),
        [
            ("1. a\n1. b\n1. c", [1, 1, 1]),
            ("1. a\n2. b\n4. c", [1, 2, 4]),
            ("3) a\n4) b", [3, 4]),
            ("- a\n- b", [None, None]),
            ("1. a\n\n   - x\n\n2. b", [1, 2]),
        ],
    )
    def test_items_keep_the_numbers_that_are_written(self, text: str, numbers: list[int | None]) -> None:
        (block,) = parse(text).blocks
        assert [item.number for item in block.children] == numbers

    def test_a_list_that_a_paragraph_interrupts_starts_again_with_its_own_number(self) -> None:
        first, _, second = parse("1. a\n2. b\n\nText between.\n\n3. c").blocks
        assert [[item.number for item in block.children] for block in (first, second)] == [[1, 2], [3]]

    def test_nested_lists_keep_their_lines(self) -> None:
        assert shape("1. a\n   - b\n     1. c\n     2. d\n   - e\n2. f") == [
            (
                "list 1-6",
                [
                    (
                        "item 1-5",
                        [
                            "paragraph 1-1",
                            (
                                "list 2-5",
                                [
                                    (
                                        "item 2-4",
                                        [
                                            "paragraph 2-2",
                                            (
                                                "list 3-4",
                                                [("item 3-3", ["paragraph 3-3"]), ("item 4-4", ["paragraph 4-4"])],
                                            ),
                                        ],
                                    ),
                                    ("item 5-5", ["paragraph 5-5"]),
                                ],
                            ),
                        ],
                    ),
                    ("item 6-6", ["paragraph 6-6"]),
                ],
            )
        ]

    def test_a_task_list_has_its_words_without_the_boxes(self) -> None:
        (block,) = parse("- [ ] look\n- [x] act").blocks
        assert [item.words for item in block.children] == ["look", "act"]

    def test_an_item_keeps_words_before_and_after_its_code(self) -> None:
        (block,) = parse("1. Run:\n\n   ```\n   df\n   ```\n\n   Then read.").blocks
        assert [(child.kind, child.start, child.end, child.text) for child in block.children[0].children] == [
            ("paragraph", 1, 1, "Run:"),
            ("code", 3, 5, "df"),
            ("paragraph", 7, 7, "Then read."),
        ]


class TestCode:
    def test_a_fence_has_its_language_and_its_lines(self) -> None:
        assert parse("```bash\n  df -h\n\n# not a heading\n```").blocks == (
            Block("code", 1, 5, "  df -h\n\n# not a heading", language="bash"),
        )

    def test_a_fence_that_is_never_closed_runs_to_the_last_word(self) -> None:
        assert shape("text\n\n~~~\na\n\nb\n\n\n") == ["paragraph 1-1", "code 3-6"]

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

    def test_a_picture_is_no_link(self) -> None:
        assert parse("![p](p.png)").blocks[0].links == ()

    @pytest.mark.parametrize(
        "text", ['See <a id="b"></a>it.', "See <a href='a.md'>it.", "See it</a>.", "See <abbr>it</abbr>."]
    )
    def test_a_tag_that_names_or_is_not_closed_is_no_link(self, text: str) -> None:
        assert parse(text).blocks[0].links == ()

    def test_a_link_that_is_not_closed_in_its_block_ends_with_it(self) -> None:
        first, second = parse("See <a href='a.md'>it.\n\nGo</a> on.").blocks
        assert (first.links, second.links) == ((), ())

    def test_a_reference_that_is_not_defined_stays_text(self) -> None:
        assert parse("See [that][2].").blocks == (Block("paragraph", 1, 1, "See [that][2]."),)


class TestBold:
    @pytest.mark.parametrize("text", ["**All**", "**All**:", "__All__", "**All `code`**", "**One** **Two**"])
    def test_a_line_all_in_bold_is_bold(self, text: str) -> None:
        assert parse(text).blocks[0].bold

    @pytest.mark.parametrize("text", ["**Part** of it", "none", "*slanted*", "a **b**", "`code`"])
    def test_a_line_partly_in_bold_is_not(self, text: str) -> None:
        assert not parse(text).blocks[0].bold

    def test_items_do_not_inherit_what_came_before(self) -> None:
        (block,) = parse("- plain\n- **bold**\n- plain").blocks
        assert [item.children[0].bold for item in block.children] == [False, True, False]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("See `a b` and\n*`c`*.", ["a b", "c"]),
        ("- `a` in **an `item`**\n  - `b`", ["a", "item"]),
        ("![`p`](p.png) `a`", ["a"]),
        ("| `x` | y |\n|---|---|", ["x"]),
        ("None.", []),
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


def test_a_rule_is_a_block_of_its_own() -> None:
    assert shape("a\n\n---\n\nb") == ["paragraph 1-1", "rule 3-3", "paragraph 5-5"]


@pytest.mark.parametrize(
    ("html", "seen"),
    [
        ("<details>", ""),
        ("<b>S</b> t", "S t"),
        ("<!-- a\nb -->x<!-- c -->", "x"),
        ("<!-- never closed", "<!-- never closed"),
        ("a < b > c", "a < b > c"),
        ("", ""),
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


@pytest.mark.parametrize("text", ["```md\n![x]({})\n```", "    ![x]({})", "See {}.", "`{}`"])
def test_in_code_and_words_they_stay(text: str) -> None:
    assert parse(text.format(PICTURE)).source.text == text.format(PICTURE)


def test_short_data_stay() -> None:
    assert parse("[x](data:text/plain,hello)").source.text == "[x](data:text/plain,hello)"


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


def test_a_tag_that_strikes_out_ends_with_its_block() -> None:
    assert [block.text for block in parse("<s>Open\n\nit.</s> Now").blocks] == ["", "it. Now"]


@pytest.mark.parametrize(
    ("text", "lead"),
    [
        ("**Disk full**: free space", "Disk full"),
        ("**One** **two**: both", "One two"),
        ("**All**", "All"),
        ("plain **late**", ""),
        ("plain", ""),
    ],
)
def test_a_block_knows_the_bold_words_with_which_it_begins(text: str, lead: str) -> None:
    assert [parse(text).blocks[0].lead, parse(f"- {text}").blocks[0].children[0].children[0].lead] == [lead, lead]
