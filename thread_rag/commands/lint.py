"""`thread-rag lint`: mistakes in guides, for their authors, code hosts and CI."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from thread_rag.ending import errors_in_one_line, told_when_stopped

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from thread_core.documents.blocks.source import Source
    from thread_core.models import LogicUnit
    from thread_lint import Finding, Rule
    from thread_rag.sources import Root

EXAMPLES = """\
thread-rag lint guides
thread-rag lint guides --baseline known.json --format sarif > lint.sarif
thread-rag lint --explain TR201"""

FOUND = 3
"""Exit code if something is reported, as if some documents were not ingested."""
WORKERS = 2
"""Processes that split guides."""
WIDEST = 120
"""Characters of a line that is quoted."""
MOST_LINES = 5
"""Lines of a finding that are quoted."""
CONVERTED = (".html", ".htm", ".rst")
"""Extensions of files whose lines are not those of their Markdown."""


def lint(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="PATH", help="Guides, as for `ingest`.", show_default=False),
    ] = None,
    select: Annotated[
        list[str] | None,
        typer.Option(
            "--select", metavar="RULE", help="Report only this rule: its code, its name, or a prefix such as TR2."
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option("--ignore", metavar="RULE", help="Do not report this rule.")
    ] = None,
    form: Annotated[
        Literal["text", "json", "sarif", "github"],
        typer.Option(
            "--format", help="For people, for programs, for code scanning, or as annotations in GitHub Actions."
        ),
    ] = "text",
    baseline: Annotated[
        Path | None, typer.Option("--baseline", metavar="FILE", help="Do not report the findings in this file.")
    ] = None,
    write_baseline: Annotated[
        Path | None,
        typer.Option("--write-baseline", metavar="FILE", help="Save the findings in this file, and exit with 0."),
    ] = None,
    statistics: Annotated[bool, typer.Option("--statistics", help="Only count findings, per rule.")] = False,
    explain: Annotated[
        str, typer.Option("--explain", metavar="RULE", help="Explain a rule, with examples; `all` lists the rules.")
    ] = "",
) -> None:
    """Find mistakes in guides.

    Reports links and numbered steps that do not exist, drawn decisions without all of their answers, guides that cannot
    be read, and more. `--explain all` lists the rules. No model is asked, nothing is written, and nothing in a guide is
    run. Guides link to each other, so name the folder that has them all.

    A comment disables rules: `<!-- thread-rag-disable-next-line TR201 -->`, `thread-rag-disable-line`, or
    `thread-rag-disable-file` for the whole guide. A comment that disables nothing is reported.

    `select`, `ignore` and `exclude` are read from the nearest .thread-lint.toml above the guides, or from
    [tool.thread-lint] in the nearest pyproject.toml that has it. --select and --ignore override them.

    Exits with 3 if anything is reported.
    """
    with errors_in_one_line(), told_when_stopped():
        from thread_core.text.safe import clean
        from thread_lint import RULES
        from thread_lint.baseline import to_lines, without_known
        from thread_lint.choosing import chosen, named, settings_above
        from thread_rag import files, rendering, sources

        console = rendering.a_console()
        if explain:
            _explain(console, RULES if explain == "all" else _of(lambda: named(explain), "--explain"))
            return
        if not paths:
            raise typer.BadParameter("found none; name a folder of guides", param_hint="PATH")
        settings = settings_above(Path(os.path.commonpath([path.resolve() for path in paths])))
        rules = _of(lambda: chosen(select or settings.select, ignore or settings.ignore), "--select or --ignore")
        roots = sources.find(paths)
        shown, texts, findings = {}, {}, []
        for document_id, path, text, found in _checked(roots, rules, settings.leaves_out):
            shown[document_id], texts[document_id] = path, text
            findings += found
        if write_baseline is not None:
            files.write(write_baseline, to_lines(findings))
            rendering.say(console, f"Saved {len(findings):,} findings in {write_baseline}.")
            return
        if baseline is not None:
            with files.text_of(baseline) as file:
                findings = without_known(findings, file.read(), str(baseline))
        if form == "github":
            for line in _annotations(findings, shown):
                typer.echo(clean(line))
        elif form == "text":
            _show(console, findings, shown, texts, only_counts=statistics)
        else:
            files.write(files.PIPE, _lines(form, findings, rules, shown))
        if findings:
            raise typer.Exit(FOUND)


def _of(choose: Callable[[], Sequence[Rule]], option: str) -> Sequence[Rule]:
    """Return the rules that an option names."""
    try:
        return choose()
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint=option) from error


def _checked(
    roots: Sequence[Root], rules: Sequence[Rule], leaves_out: Callable[[str], bool]
) -> Iterator[tuple[str, str, str, list[Finding]]]:
    """Yield each guide's id, path and text, and its findings."""
    from thread_core.errors import BadDocument
    from thread_core.ingest.workers import ByRules
    from thread_core.models import Document
    from thread_core.shelf import Shelf
    from thread_lint.checking import check_guide, unreadable
    from thread_rag import reading

    paths = {file.document_id: _shown(file.path) for root in roots for file in root.files}
    texts: dict[str, str] = {}
    failed: dict[str, BadDocument] = {}

    def read() -> Iterator[Document]:
        for one in reading.read(file for root in roots for file in root.files):
            if isinstance(one, BadDocument):
                failed.setdefault(one.document_id, one)
            else:
                texts[one.id] = one.text
                yield one

    units: list[LogicUnit] = []
    for extracted in ByRules(WORKERS).attempt_all(read()):
        if isinstance(extracted, BadDocument):
            failed.setdefault(extracted.document_id, extracted)
        else:
            units += extracted.units
    shelf = Shelf.of(units)
    looked_for = {rule.code for rule in rules}
    for name in sorted({*texts, *failed}):
        if leaves_out(name):
            continue
        found = [] if name in failed else check_guide(name, shelf, texts, rules)
        if name in failed and (fault := unreadable(name, failed[name].reason)).rule in looked_for:
            found = [fault]
        yield name, paths.get(name, name), texts.get(name, ""), found


def _shown(path: Path) -> str:
    """Return a path relative to the current folder if it is below it, with slashes."""
    whole, here = Path(os.path.abspath(path)), Path.cwd()
    return (whole.relative_to(here) if whole.is_relative_to(here) else whole).as_posix()


def _has_lines(document_id: str) -> bool:
    return not document_id.lower().endswith(CONVERTED)


def _annotations(findings: Sequence[Finding], paths: Mapping[str, str]) -> Iterator[str]:
    from thread_lint.formats import github

    return github.commands(findings, paths.__getitem__, has_lines=_has_lines)


def _lines(form: str, findings: Sequence[Finding], rules: Sequence[Rule], paths: Mapping[str, str]) -> Iterator[str]:
    """Yield the findings in a format for programs."""
    from importlib.metadata import version

    from thread_lint.formats import sarif

    if form == "sarif":
        told = sarif.log(findings, rules, paths.__getitem__, has_lines=_has_lines, version=version("thread-rag"))
        yield json.dumps(told, ensure_ascii=False)
    else:
        for one in findings:
            yield json.dumps({"path": paths[one.document_id], **one.model_dump(mode="json")}, ensure_ascii=False)


# -- for people ----------------------------------------------------------------------------------------------------


def _show(
    console: Console,
    findings: Sequence[Finding],
    paths: Mapping[str, str],
    texts: Mapping[str, str],
    *,
    only_counts: bool,
) -> None:
    from thread_core.documents.blocks.source import Source
    from thread_lint import Severity
    from thread_rag.rendering import say

    styles = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow", Severity.NOTE: "bold"}
    source, quoted = Source(""), ""
    for one in () if only_counts else findings:
        if one.document_id != quoted:
            source, quoted = Source(texts[one.document_id]), one.document_id
        console.print(_headline(one, paths[one.document_id], styles[one.severity]), soft_wrap=True)
        for line in _excerpt(source, one):
            console.print(line, soft_wrap=True)
    if only_counts:
        for (code, name), count in sorted(Counter((one.rule, one.name) for one in findings).items()):
            say(console, f"{count:>7,}  {code}  {name}")
    guides = len({one.document_id for one in findings})
    plural = "finding" if len(findings) == 1 else "findings"
    told = f"{len(findings):,} {plural} in {guides:,} of {len(texts):,} guides." if findings else "No findings."
    say(console, told)


def _headline(one: Finding, path: str, style: str) -> Text:
    from rich.text import Text

    from thread_core.text.safe import one_line

    lines = f"{one.first}" if one.first == one.last else f"{one.first}-{one.last}"
    return Text.assemble(
        (f"{one_line(path)}:{lines}: ", "bold"), (f"{one.rule} {one.name}", style), f": {one_line(one.message)}"
    )


def _excerpt(source: Source, one: Finding) -> Iterator[Text]:
    """Yield the numbered lines of a finding; a single line is underlined."""
    from rich.text import Text

    from thread_core.text.safe import one_line

    last = min(one.last, one.first + MOST_LINES - 1, len(source))
    width = len(str(last))
    for number in range(one.first, last + 1):
        line = source.line(number)[:WIDEST].expandtabs(4)
        indent = len(line) - len(line.lstrip())
        said = one_line(line)
        yield Text(f"  {number:>{width}} | {' ' * indent}{said}")
        if one.first == one.last and said:
            yield Text(f"  {'':>{width}} | {' ' * indent}{'^' * len(said)}", style="dim")
    if one.last > last >= one.first:
        yield Text(f"  {'':>{width}} | … {one.last - last} more", style="dim")


def _explain(console: Console, rules: Sequence[Rule]) -> None:
    from thread_rag.rendering import say, show_document_text

    for rule in rules:
        if len(rules) > 1:
            note = "" if rule.is_usual else " (only if selected)"
            say(console, f"{rule.code}  {rule.name:<20} {rule.summary}{note}.")
        else:
            show_document_text(console, f"# {rule.code} {rule.name}\n\n{rule.page()}")
