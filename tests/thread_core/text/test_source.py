import pytest

from thread_core.text.source import Source


class TestSource:
    @pytest.mark.parametrize(
        ("text", "lines"),
        [
            ("", [""]),
            ("a", ["a"]),
            ("a\n", ["a"]),
            ("a\nb", ["a", "b"]),
            ("a\r\nb\r\n", ["a", "b"]),
            ("a\rb\r", ["a", "b"]),
            ("a\n\r\nb", ["a", "", "b"]),
            ("\n", [""]),
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
