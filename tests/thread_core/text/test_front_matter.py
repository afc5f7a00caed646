import pytest

from thread_core.text.markdown import parse


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
            "---\ntitle: never closed\n",
            "---\ntitle: a\n\nA sentence: of prose\nthat goes on.\n---\n",
            "---\n# Heading\n- item\n---\n",
            "---\n\n---\n",
            "+++\na: b\n+++\n",
            "+++\na = b\n---\n",
            "----\na: b\n---\n",
            " ---\na: b\n---\n",
            "text\n---\na: b\n---\n",
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
