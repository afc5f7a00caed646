"""Extraction takes time in proportion to the text, whatever the text is.

Prints, for some megabytes of the example documents and of each hostile shape, the seconds of CPU, how many times the
ordinary text's they are, and how they grow when the text doubles (2.0 is linear; from 2.5 on something is wrong).

    python benchmarks/hostile.py [megabytes] [shape ...]
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from thread_core import Document, RuleExtractor

EXAMPLES = Path(__file__).parents[1] / "examples" / "documents"
MEGABYTE = 1_000_000


def repeat(piece: str) -> Callable[[int], str]:
    """A text of one piece over and over."""
    return lambda size: (piece * (size // len(piece) + 1))[:size]


def count(line: str) -> Callable[[int], str]:
    """A text of numbered lines, each of them another."""

    def lines(size: int) -> Iterator[str]:
        written = number = 0
        while written < size:
            number += 1
            made = line.replace("%", str(number))
            written += len(made)
            yield made

    return lambda size: "".join(lines(size))


def ordinary(size: int) -> str:
    documents = [path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.glob("*.md"))]
    pieces: list[str] = []
    written = 0
    while written < size:
        pieces.append(f"# Copy {len(pieces)}\n\n{documents[len(pieces) % len(documents)]}\n\n")
        written += len(pieces[-1])
    return "".join(pieces)


def backticks(size: int) -> str:
    return "".join("`" * (number % 1000 + 1) + "a " for number in range(size // 502))


def deep_lists(size: int) -> str:
    return "".join("  " * (number % 60) + "- if a, go to step 5\n" for number in range(size // 80))


SHAPES: dict[str, Callable[[int], str]] = {
    "deep quotes": repeat(">" * 400 + " go on\n"),
    "one quote, ever deeper": lambda size: ">" * size,
    "deep lists": deep_lists,
    "brackets": repeat("["),
    "brackets and parentheses": repeat("[a]("),
    "emphasis": repeat("*a_ __b** "),
    "bold words": repeat("**a** "),
    "backticks": backticks,
    "one line": repeat("a"),
    "one paragraph of `if a, b`": repeat("if a, b "),
    "sentences of `If a, b.`": repeat("If a, b. "),
    "long sentences of commas": repeat("A" + ", " * 280 + "if a. "),
    "sentences of `if , `": repeat("If " + "if , " * 115 + "b.\n\n"),
    "sentences of `if ; `": repeat("> " + "if ; " * 115 + "b.\n\n"),
    "brackets, dashes and questions": repeat("Hot? (if red - if a (b) – when c; d: if e? "),
    "lettered lists": count("a. x\n   i. y\n   ii. z\n"),
    "pipes": repeat("|"),
    "one paragraph of lines": count("12:00 line % of a log\n"),
    "code never closed": lambda size: "```sh\n" + count("go %\n")(size),
    "headings `# If x`": count("# If x %\n\ntext\n\n"),
    "headings `# If x`, nested": count("# If x %\n\na\n\n## If y %\n\nb\n\n### If z %\n\nc\n\n"),
    "headings between `## If x`": count("## Other %\n\na\n\n## If x %\n\nb\n\n"),
    "sections that send on to the next": count("## Part %\n\nIf it is red, go to [Part %](#part-%).\n\n"),
    "sections that warn": count("## Part %\n\n> [!WARNING]\n> It is hot.\n\nGo on.\n\n"),
    "heading without end": lambda size: "# " + "Ab " * (size // 6) + "\n\n" + ("word " * 150 + "\n\n") * (size // 1504),
    "boxes in each other": lambda size: ":::note\n" * (size // 8),
    "tabs": count('=== "Tab %"\n\n    If it hums, stop it.\n\n'),
    "tabs and boxes never closed": repeat('{{< tabs >}}\n::: tabs\n@tab a  b\n!!! note\n    x\n<Tab title="'),
    "links": count("See [a %](b%.md). "),
    "links in one sentence": count("see [a %](b%.md)\n"),
    "items in another language": count(
        "- **Rot %**: siehe [Kapitel %](b%.md) und warten Sie auf das Licht der Lampe\n"
    ),
    "steps in another script": count("%、检查打印机的墨盒。\n"),
    "link definitions": count("[r%]: /u%\n"),
    "jumps to methods": count("# M %\n\nGo to method 9z.\n\n"),
    "bold lines": count("**Case %**\n\ntext\n\n"),
    "<details> never closed": count("<details>\n<summary>Case %</summary>\n\n"),
    "<summary> never closed": lambda size: "<div>\n" + repeat("<summary>")(size),
    "comments never closed": repeat("<!-- "),
    "table": lambda size: "| Case | Do |\n|---|---|\n" + count("| full % | go to step % |\n")(size),
    "table with a long head": lambda size: (
        f"| {'a' * (size // 2)} | b |\n|---|---|\n" + repeat("| c | d |\n")(size // 2)
    ),
    "front matter never closed": lambda size: "---\n" + repeat("title: a\n")(size),
    "`go go go`": repeat("go "),
    "`step 1 step 2`": repeat("step 1 step 2 "),
    "abbreviations": repeat("Use e.g. A "),
    "names with humps": repeat("ab" + "A" * 60 + "_ "),
    "line ends": repeat("\n"),
}


def seconds(text: str) -> float:
    """CPU time of one extraction, which must keep every line."""
    gc.collect()
    started = time.process_time()
    report = RuleExtractor().extract(Document("a.md", text)).report
    taken = time.process_time() - started
    if report.lines_kept != report.lines:
        raise SystemExit(f"{report.lines - report.lines_kept} lines were lost")
    return taken


def main(megabytes: float, names: list[str]) -> None:
    size = int(megabytes * MEGABYTE)
    seconds(ordinary(MEGABYTE // 10))  # imports and caches
    base = seconds(ordinary(size))
    print(f"{megabytes:g} MB of {'shape':<30} {'seconds':>8} {'ratio':>7} {'doubled':>8}", flush=True)
    print(f"{'the example documents':<38} {base:8.2f} {1:7.1f} {base / seconds(ordinary(size // 2)):8.2f}", flush=True)
    for name in names or SHAPES:
        half, whole = (seconds(SHAPES[name](part)) for part in (size // 2, size))
        print(f"{name:<38} {whole:8.2f} {whole / base:7.1f} {whole / max(half, 1e-3):8.2f}", flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1, sys.argv[2:])
