"""What a loader or another splitter has made of documents -> the documents, as whole as they can be made again.

A file that came in parts is one document again, with the headings that stand in the metadata back in their places, so
that links and steps from one part to another are found. What was lost on the way is told: in the document's problems,
which its report has, and once a run as a warning.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, takewhile
from pathlib import PurePosixPath
from typing import Any, NamedTuple, TypeVar

from thread_core.documents import markup
from thread_core.errors import BadDocument
from thread_core.extraction.fidelity import Extraction
from thread_core.models import Document, changed

Given = TypeVar("Given")

MARKDOWN = (".md", ".mdx", ".markdown")
FLAT = 4
"""Paragraphs of a Markdown file that surely has lost its marks where it has none."""
HEADING_WORDS = 8
"""Words of a line that was a heading."""

_NUMBERED = re.compile(r"(?P<file>.+)_part_(?P<number>\d{1,9})", re.DOTALL)
_HEADING_KEY = re.compile(r"header[ _-]?([1-6])", re.IGNORECASE)
"""What headings are called in metadata, by all that show a splitter at headings: `Header 2`."""
_LINE_END = re.compile(r"\r\n|\n|\r")
_ENDED = (".", "!", "?", ":", ";", ",")
_ADVICE = "; load files unchanged, as {}"


class Whole(NamedTuple):
    """A document, and of what it was made."""

    document: Document
    parts: tuple[tuple[str, int], ...]
    """The ids of the documents that were given, each with the line with which it begins in this one."""

    def part_of(self, line: int) -> str:
        """The id of the part in which a line stands."""
        return next(name for name, first in reversed(self.parts) if first <= line)


class _Form(NamedTuple):
    """A way in which documents come in parts."""

    reads: Callable[[Document], bool]
    """Whether a document is such a part."""
    goes_on: Callable[[Document, Document], bool]
    """Whether a part is the next one after another of the same document."""
    restored: Callable[[Sequence[Document]], list[str]]
    """The parts' texts as they were, as far as they can be made again."""
    lost: str
    """What is told of it."""


def arrived(documents: Iterable[Document | BadDocument], advice: str) -> Iterator[Whole | BadDocument]:
    """The documents, those that came in parts joined; warns of each problem, once.

    Args:
        documents: As the caller gave them, the parts of one after each other.
        advice: How to load a file as it stands, where it has lost what it was.
    """
    told: set[str] = set()
    for one in _joined(documents, _ADVICE.format(advice)):
        if isinstance(one, Whole):
            for problem in markup.problems(one.document):
                if problem not in told:
                    told.add(problem)
                    warnings.warn(f"{one.document.id}: {problem}", UserWarning, stacklevel=2)
        yield one


def in_place(
    given: Iterable[Given],
    is_unit: Callable[[Given], bool],
    wholes: Iterable[Whole],
    extractions: Iterable[Extraction],
    units: Callable[[Whole, Extraction], Iterable[Given]],
) -> Iterator[Given]:
    """The units of each document in the place of its first part; what is a unit already stays as it is."""
    read = zip(wholes, extractions, strict=True)
    left = 0
    for one in given:
        if is_unit(one):
            yield one
        elif left:
            left -= 1
        else:
            whole, extraction = next(read)
            left = len(whole.parts) - 1
            yield from units(whole, extraction)


def _joined(documents: Iterable[Document | BadDocument], advice: str) -> Iterator[Whole | BadDocument]:
    waiting: list[Document] = []
    for document in documents:
        form = _form(document) if isinstance(document, Document) else None
        if waiting and not (form and isinstance(document, Document) and form.goes_on(waiting[-1], document)):
            yield from _made_whole(waiting, advice)
            waiting = []
        if isinstance(document, Document):
            waiting.append(document)
        else:
            yield document
    if waiting:
        yield from _made_whole(waiting, advice)


def _form(document: Document) -> _Form | None:
    return next((form for form in _FORMS if form.reads(document)), None)


def _made_whole(parts: Sequence[Document], advice: str) -> Iterator[Whole]:
    form = _form(parts[-1])
    is_cut_again = form is _HEADED and any(_headings(one) == _headings(other) for one, other in pairwise(parts))
    if form is not None and not is_cut_again and not _is_rest(parts[0]):
        yield _one_of(parts, form, advice)
        return
    for part in parts:
        lost = [_CUT_AGAIN] if is_cut_again else [_FLAT] * _is_flat(part) + [_REST] * (form is not None)
        yield _alone(changed(part, {"problems": (*part.problems, *(text + advice for text in lost))}))


def _alone(document: Document) -> Whole:
    return Whole(document, ((document.id, 1),))


def _one_of(parts: Sequence[Document], form: _Form, advice: str) -> Whole:
    texts = form.restored(parts)
    lines, starts = 1, []
    for text in texts:
        starts.append(lines)
        lines += len(_LINE_END.findall(text)) + 2
    first = parts[0]
    numbered = _NUMBERED.fullmatch(first.id)
    is_as_it_stood = texts == [part.text for part in parts]
    if is_as_it_stood and len(parts) == 1 and form is not _PARTS:
        return _alone(first)
    whole = Document(
        numbered["file"] if numbered and form is _PARTS else first.id,
        "\n\n".join(texts),
        first.title,
        _shared([part.metadata for part in parts]),
        first.problems if is_as_it_stood and form is _PARTS else (*first.problems, form.lost + advice),
    )
    return Whole(whole, tuple(zip((part.id for part in parts), starts, strict=True)))


def _shared(metadata: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What is said of all parts alike, but for the headings that are in the text again."""
    first, *others = metadata
    return {
        key: value
        for key, value in first.items()
        if not _HEADING_KEY.fullmatch(key) and all(key in one and repr(one[key]) == repr(value) for one in others)
    }


def _file(document: Document) -> str:
    """The file that a document was read from; empty where nothing says so."""
    numbered = _NUMBERED.fullmatch(document.id)
    named = (str(document.metadata[key]) for key in markup.FILES if document.metadata.get(key))
    return numbered["file"] if numbered else next(named, "")


def _is_of_markdown(document: Document) -> bool:
    return PurePosixPath(_file(document) or document.id).suffix.lower() in MARKDOWN


# Parts that are numbered, `a.md_part_0` and on, or have nothing but their file in common.


def _is_part(document: Document) -> bool:
    is_known = _NUMBERED.fullmatch(document.id) is not None or "file_path" in document.metadata
    return is_known and _is_of_markdown(document)


def _is_next_part(before: Document, document: Document) -> bool:
    one, other = _NUMBERED.fullmatch(before.id), _NUMBERED.fullmatch(document.id)
    if one and other:
        is_next = int(other["number"]) == int(one["number"]) + 1
    else:
        is_next = not (one or other) and document.text.startswith("\n\n")
    return is_next and _file(before) == _file(document) and repr(before.metadata) == repr(document.metadata)


def _is_rest(document: Document) -> bool:
    """Whether a part came without the first of its file."""
    numbered = _NUMBERED.fullmatch(document.id)
    return numbered is not None and int(numbered["number"]) > 0 and _is_of_markdown(document)


def _with_heading_lines(parts: Sequence[Document]) -> list[str]:
    """Each heading has those above it in its line; what all of them begin with is the document's."""
    headed = [_heading_line(part) for part in parts]
    words = [heading.split() for heading, _ in headed if heading]
    alike = takewhile(lambda column: len(set(column)) == 1, zip(*words, strict=False))
    title = [word for word, *_ in alike] if len(words) > 1 else []
    texts = []
    is_titled = not title
    for heading, text in headed:
        above = [] if is_titled or not heading else [f"# {' '.join(title)}"]
        is_titled = is_titled or bool(heading)
        own = heading.split()[len(title) :]
        texts.append("\n\n".join([*above, *([f"## {' '.join(own)}"] if own else []), text]))
    return texts


def _heading_line(part: Document) -> tuple[str, str]:
    """The first line of a part and the others; where it was no heading, nothing and all.

    Before such a heading stand two line ends, and outside of code no others.
    """
    heading, _, text = part.text.strip("\n").partition("\n")
    if not part.text.startswith("\n\n") or markup.IN_MARKDOWN.match(heading) or "\n\n" in markup.outside_code(text):
        return "", part.text
    return heading, text


# Parts between headings, which stand in the metadata: `Header 1`, `Header 2`.


def _headings(document: Document) -> dict[int, str]:
    """The headings above a part, by their levels."""
    keys = ((_HEADING_KEY.fullmatch(key), value) for key, value in document.metadata.items())
    return dict(sorted((int(key[1]), value) for key, value in keys if key and isinstance(value, str)))


def _stands_below_its_heading(before: Document, document: Document) -> bool:
    """Where nothing says which document it was, the first heading has to be the same."""
    one, other = (
        {k: v for k, v in part.metadata.items() if not _HEADING_KEY.fullmatch(k)} for part in (before, document)
    )
    tops = [next(iter(_headings(part).values()), "") for part in (before, document)]
    return repr(one) == repr(other) and (bool(other) or tops[0] == tops[1])


def _below_headings(part: Document, before: Document | None) -> str:
    """With the headings that the part before does not stand under, and paragraphs apart again."""
    above = _headings(before) if before else {}
    own = _headings(part)
    new = next((level for level in own if own[level] != above.get(level)), 7)
    lines = [f"{'#' * level} {name}" for level, name in own.items() if level >= new]
    missing = [line for line in lines if not re.search(rf"^{re.escape(line)}[^\S\n]*$", part.text, re.MULTILINE)]
    text = part.text.replace("  \n", "\n\n") if before or missing else part.text
    return "\n\n".join([*missing, text])


# Elements: each a title, an item of a list, a paragraph, with what it is in the metadata.


def _is_element(document: Document) -> bool:
    return "category" in document.metadata and "element_id" in document.metadata


def _is_next_element(before: Document, document: Document) -> bool:
    keys = ("source", "page_number")
    return _is_element(before) and all(before.metadata.get(key) == document.metadata.get(key) for key in keys)


def _as_markdown(element: Document) -> str:
    text, category, depth = _linked(element), element.metadata["category"], element.metadata.get("category_depth")
    if category == "Title" and isinstance(depth, int):
        return f"{'#' * min(depth + 1, 6)} {text}"
    return f"- {text}" if category == "ListItem" else text


def _linked(element: Document) -> str:
    """The text with its links, which stand in the metadata in the same order."""
    texts, urls = (element.metadata.get(key) or [] for key in ("link_texts", "link_urls"))
    pieces, at = [], 0
    for words, url in zip(texts, urls, strict=False):
        found = element.text.find(words, at) if words else -1
        if found < 0:
            break
        pieces += [element.text[at:found], f"[{words}]({url})"]
        at = found + len(words)
    return "".join([*pieces, element.text[at:]])


def _is_flat(document: Document) -> bool:
    """Whether a Markdown file came without any mark: each paragraph one line, and headings lines without an end."""
    if not _is_of_markdown(document) or markup.IN_MARKDOWN.search(document.text):
        return False
    paragraphs = document.text.strip().split("\n\n")
    is_bare = all("\n" not in one and not one.startswith((" ", "<", "|", "*", "_", "---")) for one in paragraphs)
    headings = (one for one in paragraphs[:-1] if not one.endswith(_ENDED) and len(one.split()) <= HEADING_WORDS)
    return is_bare and len(paragraphs) >= FLAT and any(headings)


_PARTS = _Form(
    _is_part,
    _is_next_part,
    _with_heading_lines,
    "a Markdown file came in parts without heading marks; the parts were joined, but nested lists,"
    " paragraphs, words in angle brackets and links may be lost",
)
_HEADED = _Form(
    lambda document: bool(_headings(document)),
    _stands_below_its_heading,
    lambda parts: [_below_headings(part, before) for part, before in zip(parts, (None, *parts), strict=False)],
    "another splitter has split a document at its headings; the parts were joined with the headings from the metadata,"
    " but nested lists and the indentation of code may be lost",
)
_ELEMENTS = _Form(
    _is_element,
    _is_next_element,
    lambda parts: [*map(_as_markdown, parts)],
    "a document came as elements, such as titles and list items; they were joined, with headings and links restored,"
    " but step numbers, table cells and lines of code may be lost",
)
_FORMS = (_ELEMENTS, _HEADED, _PARTS)
_CUT_AGAIN = (
    "other splitters have split a document at its headings and between them; the parts were read separately, so"
    " links and steps from one to another are not found"
)
_REST = (
    "a part of a Markdown file came without the parts before it; it was read separately, so links and steps from one"
    " part to another are not found"
)
_FLAT = "a Markdown file came without its marks; headings, step numbers, links and code cannot be recognised"
