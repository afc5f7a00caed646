"""Which markup a text is written in, where it is not Markdown. It is told, for what is read as Markdown loses by it.

A text is taken for another markup where two different signs of that stand outside of code, or one and its name has the
ending of such a file. Each sign is one that no Markdown has, or hardly ever.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import NamedTuple

from thread_core.documents.blocks.fences import Fence
from thread_core.documents.blocks.shape import is_page
from thread_core.models import Document

FILES = ("file_path", "source")
"""Where in the metadata loaders write which file a document was."""
SIGNS = 2
"""Different ones that tell a markup where no name does."""


class Markup(NamedTuple):
    """A way to write documents that is not Markdown."""

    name: str
    endings: tuple[str, ...]
    """Of the names of its files, in lower case."""
    mend: str
    """What makes Markdown of it."""
    signs: tuple[tuple[str, re.Pattern[str]], ...] = ()
    """What a text has in which one may be, and the sign itself. No repetition is unbounded, but within a line's end."""

    @property
    def told(self) -> str:
        """What a document in it loses, and what to do."""
        return (
            f"looks like {self.name} but is read as Markdown, so its headings, lists and links are not recognised, and"
            f" its markup is in the units; convert it to Markdown first, {self.mend}"
        )


def _sign(hint: str, pattern: str) -> tuple[str, re.Pattern[str]]:
    return hint, re.compile(pattern, re.MULTILINE)


def _by_pandoc(form: str) -> str:
    return f"with `pandoc -f {form} -t gfm`"


HTML = Markup(
    "HTML",
    (".html", ".htm"),
    'with `pip install "thread-rag[html]"` and thread_rag.converting.html_to_markdown(html).text',
)
RESTRUCTURED_TEXT = Markup(
    "reStructuredText",
    (".rst",),
    'with `pip install "thread-rag[html]"` and thread_rag.restructured.rst_to_markdown(text).text, or'
    " `pandoc -f rst -t gfm`",
    (
        _sign("\n.. ", r"^\.\. (?:\|[^|\n]{1,80}\| )?[a-z][\w.:+-]{0,60}::(?:\s|$)"),
        _sign("\n.. _", r"^\.\. _[^:\n]{1,120}:(?:\s|$)"),
        _sign(":`", r"(?<![\w`}]):[a-z][\w.:+-]{0,60}:`[^`\n]{1,200}`"),
        _sign(">`_", r"`[^`<>\n]{0,200}<[^`<>\n]{1,300}>`__?(?!\w)"),
        _sign("\n~~~", r"^[^\s~].{2,100}\n~{3,100}[^\S\n]*$"),
        _sign('\n"""', r'^[^\s"].{2,100}\n"{3,100}[^\S\n]*$'),
        _sign("\n^^^", r"^[^\s^].{2,100}\n\^{3,100}[^\S\n]*$"),
        _sign("::\n\n", r"[^\s:]::\n\n[ \t]{1,16}\S"),
    ),
)
_OTHERS = (
    Markup(
        "AsciiDoc",
        (".adoc", ".asciidoc", ".asc"),
        _by_pandoc("asciidoc") + " (version 3.9 or later)",
        (
            _sign("\n=", r"^={1,6} [^\s=](?:.*[^\s=])?[^\S\n]*$"),
            _sign("\n:", r"^:!?[a-z][\w-]{0,60}!?:(?:[^\S\n]|$)"),
            _sign(
                "\n[",
                r"^\[(?:(?:source|listing|example|quote|NOTE|TIP|WARNING|CAUTION|IMPORTANT)(?=[\],%#])|%[a-z]|#[\w-]|cols="
                r"|\[[\w-]{1,80}\]\])",
            ),
            _sign("\n|===", r"^\|={3,9}[^\S\n]*$"),
            _sign("[", r"\b(?:link|xref|image|include):{1,2}[^\s\[\]]{1,300}\[|\b(?:kbd|btn|menu):\w{0,40}\["),
        ),
    ),
    Markup(
        "MediaWiki's markup",
        (".wiki", ".mediawiki", ".wikitext"),
        _by_pandoc("mediawiki"),
        (
            _sign("\n==", r"^(={2,6}) [^\s=](?:.*[^\s=])? \1[^\S\n]*$"),
            _sign("'''", r"(?<!')'''[^'\n]{1,200}'''(?!')"),
            _sign("\n{|", r"^\{\|"),
            _sign("[[", r"\[\[[\w:][^\[\]\n]{0,200}\]\]"),
            _sign("[http", r"\[https?://[^\s\[\]]{1,300} [^\[\]\n]{1,200}\](?!\()"),
            _sign("<", r"<(?:nowiki|syntaxhighlight|pre|ref)>"),
        ),
    ),
    Markup(
        "the markup of Jira and Confluence",
        (".jira", ".confluence"),
        _by_pandoc("jira"),
        (
            _sign("\nh", r"^h[1-6]\. \S"),
            _sign(
                "\n{",
                r"^[^\S\n]{0,8}\{(?:code|noformat|panel|info|note|warning|tip|quote|expand|toc)(?::[^{}\n]{1,200})?\}(?!\})",
            ),
            _sign("\n||", r"^\|\|[^|\n].*\|\|[^\S\n]*$"),
            _sign("|", r"(?<![\[!])\[[^\[\]|\n]{1,200}\|(?:https?://|#|\^)?[^\[\]|\n]{1,300}\](?!\()"),
        ),
    ),
    Markup(
        "Textile",
        (".textile",),
        _by_pandoc("textile"),
        (
            _sign("\nh", r"^h[1-6](?:\([^()\n]{1,60}\))?\. \S"),
            _sign("\n", r"^(?:bc|bq|pre|p|notextile|fn\d)(?:\([^()\n]{1,60}\))?\.{1,2} \S"),
            _sign('":', r'"[^"\n]{1,200}":(?:https?://|mailto:|/|#)'),
            _sign("\n|_.", r"^\|_\. "),
        ),
    ),
    Markup(
        "Org mode's markup",
        (".org",),
        _by_pandoc("org"),
        (
            _sign("\n#+", r"^#\+[A-Za-z_]{2,30}(?::|[^\S\n]|$)"),
            _sign("\n**", r"^\*{2,6} [^\s*]"),
            _sign("][", r"\[\[[^\[\]\n]{1,300}\]\[[^\[\]\n]{1,200}\]\]"),
            _sign("\n:", r"^:(?:PROPERTIES|END|CUSTOM_ID|LOGBOOK):"),
        ),
    ),
)
KINDS = (HTML, RESTRUCTURED_TEXT, *_OTHERS)
_FRAGMENT = re.compile(
    r"\s*<(?:head|body|div|p|h[1-6]|ul|ol|table|section|article|main|meta|title)\b(?=[^<>]*>)", re.IGNORECASE
)
"""How a part of a page begins."""
_CODE = re.compile(r"`[^`\n]{1,300}`")
_ENDS = re.compile(r"</(p|li|h[1-6]|td|pre)>", re.IGNORECASE)
IN_MARKDOWN = re.compile(r"^[^\S\n]{0,3}(?:#{1,6} |[-*+] |\d{1,9}[.)] |>|```|~~~)|\]\(", re.MULTILINE)
"""What of a text's marks is Markdown's."""


def written_in(text: str, *names: str) -> Markup | None:
    r"""What a text is written in, where that is not Markdown.

    Args:
        text: The document's.
        names: What it is called, such as its id and the path of its file.

    Example:
        >>> written_in("h1. Disk full\n\n{code}\nls\n{code}\n").name
        'the markup of Jira and Confluence'
    """
    called = _by_name(names)
    if is_page(text) or (_FRAGMENT.match(text) and (called is HTML or _is_fragment(text))):
        return HTML
    found = [kind for kind, signs in _seen(f"\n{text}", called) if signs]
    if not found:
        return None
    counts = dict(_seen(f"\n{outside_code(text)}", called, quoted=_CODE))
    likely = max(found, key=lambda kind: (counts[kind], kind is called))
    return likely if counts[likely] else None


def _is_fragment(text: str) -> bool:
    return len(set(_ENDS.findall(text))) >= SIGNS and not IN_MARKDOWN.search(text)


def problems(document: Document) -> tuple[str, ...]:
    """What the reader of a report should know of a document before it was read."""
    names = (document.id, *(str(document.metadata[key]) for key in FILES if key in document.metadata))
    found = written_in(document.text, *names)
    return (*document.problems, found.told) if found else document.problems


def by_ending(name: str) -> Markup | None:
    """The markup that files of such a name are in, where that is not Markdown."""
    ending = posixpath.splitext(name)[1].lower()
    return next((kind for kind in KINDS if ending in kind.endings), None)


def _by_name(names: tuple[str, ...]) -> Markup | None:
    return next(filter(None, map(by_ending, names)), None)


def _seen(text: str, called: Markup | None, quoted: re.Pattern[str] | None = None) -> Iterator[tuple[Markup, int]]:
    """How many signs of each markup a text has, that begins with a line's end; 0 where they are too few to tell.

    One is enough for the markup as which it is called. What is quoted is no sign, but in reStructuredText, whose signs
    have the same marks.
    """
    unquoted = quoted.sub("", text) if quoted else text
    for kind in KINDS:
        read = text if kind is RESTRUCTURED_TEXT else unquoted
        fewest = 1 if kind is called else SIGNS
        likely = [sign for hint, sign in kind.signs if hint in read]
        signs = sum(sign.search(read) is not None for sign in likely) if len(likely) >= fewest else 0
        yield kind, signs if signs >= fewest else 0


def outside_code(text: str) -> str:
    """A text without its fenced code."""
    fence = Fence()
    return "\n".join(line for line in text.split("\n") if not fence.reads(line))
