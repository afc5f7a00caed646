"""Link text and hrefs -> documents, resolved against those of a store when they are read; `places` says where in them.

Nothing is resolved at ingest, so an edit of one document never rewrites the rows of another. What cannot be
resolved is said, not guessed: a link is found, moved, ambiguous, dangling, or leads outside.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from enum import Enum
from operator import itemgetter
from urllib.parse import unquote

from thread_core.documents.blocks.markdown import Block, Hyperlink
from thread_core.documents.blocks.references import LABEL
from thread_core.documents.headings import slug
from thread_core.models import Link, LogicUnit, Model
from thread_core.places import place_named
from thread_core.ports import DocumentNames
from thread_core.text import sentences
from thread_core.text.scripts import composed

_URL = re.compile(r"^[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_HOST = re.compile(r"^[a-z][a-z0-9+.-]*://[^/]*", re.IGNORECASE)
_KB = re.compile(r"^kb[\s#-]*(\d{5,9})$")
_KB_PAGE = re.compile(r"/(?:kb)?(\d{5,9})(?:/[^/]*)?$", re.IGNORECASE)
_WIKI = re.compile(r"\[\[([^\[\]|#\n]{1,200})(#[^\[\]|\n]{1,200})?(?:\|[^\[\]\n]{1,200})?\]\]")
_ARTICLE = re.compile(
    r"\b(?:see|follow|read|refer to|(?:described|documented|explained) (?:in|at))\s+"
    r"(?:(?:the|also)\s+)?(?:(?:article|page)\s+)?"
    r"(KB\s?\d{5,9}\b|https?://[\w.-]+/[^\s<>\"'()\[\]{}]*[^\s<>\"'()\[\]{}.,;:!?])",
    re.IGNORECASE,
)
_READING = (
    r"(?<!you\s)(?<!should\s)(?<!will\s)(?<!can\s)(?<!['’]ll\s)(?<!to\s)(?<!now\s)(?<!again\s)see"
    r"|follow(?:ing)?|read|refer(?:ring)?\s+to|consult(?:ing)?|(?:described|documented|explained)\s+(?:in|at)"
    r"|(?:steps|instructions|procedure)\s+(?:in|from|of|under)"
)
_FILE = re.compile(
    rf"\b(?:{_READING}|go\s+to|continue\s+with)\s+(?:also\s+)?(?:the\s+)?([\w./-]{{1,200}}\.(?:mdx?|markdown|rst))\b",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[-_\s]+")
_MENTIONS = ((_WIKI, ("[[",)), (_ARTICLE, ("://", "KB", "kb")), (_FILE, (".m", ".rst")))
"""The ways in which a document is named without Markdown's marks, each with what it cannot do without."""
_SIGNS = ("[[", "://", "kb", ".m", ".rst")
_NO_DOCUMENT = re.compile(
    r"(?!https?:)[a-z][a-z0-9+.-]+:.*|[^\s/:@]+@(?:[\w-]+\.)+(?!(?:mdx?|markdown|txt|rst|html?)$)[a-z]{2,}"
    r"|.*\.(?:zip|gz|tgz|7z|iso|exe|msi|dmg|pkg|deb|rpm|apk|png|jpe?g|gif|svg|mp[34])",
    re.IGNORECASE | re.DOTALL,
)
"""Mail, telephone, programs and media: what no reader goes on reading in."""
_ENDINGS = (".md", ".mdx", ".markdown", ".txt", ".rst", ".html", ".htm")
SOURCES = (".md", ".mdx", ".markdown", ".rst")
"""Of these only what is written for documents, and no page of a site."""
_EVERYWHERE = frozenset(("readme", "index", "default", "home"))
"""File names that say nothing about which document is meant."""
_NUMBER = re.compile(r"(?:kb\d{4,}|(?!(?:19|20)\d{6}$)\d{5,})")
"""What numbers an article or a page wherever it is: "KB0010099", "98304200"; no day such as 20240131."""
_BY_PATH, _BY_END, _BY_NAME, _BY_NUMBER = "path ", "end ", "name ", "number "
"""How keys of the catalog begin."""


class LinkState(Enum):
    """What became of a link's document."""

    FOUND = "found"
    MOVED = "moved"
    """Nothing but the file name fits, and one document alone has it: a walk goes there, and reports name it."""
    AMBIGUOUS = "ambiguous"
    DANGLING = "dangling"
    OUTSIDE = "outside"
    """A web page or an address that no document of the store is a copy of."""


class Resolution(Model):
    """Which document a link means."""

    state: LinkState
    document_id: str = ""
    """Where to go on, of a link that is found or moved."""
    candidates: tuple[str, ...] = ()
    """Of an ambiguous link, the documents that it may mean."""

    @property
    def leads(self) -> bool:
        """Whether there is a document to go on in."""
        return self.state in (LinkState.FOUND, LinkState.MOVED)

    def among(self, admits: Callable[[str], bool]) -> Resolution:
        """What the link means to a reader who may see some documents only."""
        named = self.candidates or ((self.document_id,) if self.leads else ())
        left = [document_id for document_id in named if admits(document_id)]
        if len(left) == len(named):
            return self
        return _one_of(left) if left else Resolution(state=LinkState.OUTSIDE)


class BrokenLink(Model):
    """A link that leads nowhere, to more than one document, or to one that only its file name points at."""

    unit: LogicUnit
    link: Link
    state: LinkState
    candidates: tuple[str, ...] = ()
    """The documents that it may mean; of a dangling link, the one in which its place is not there."""

    def __str__(self) -> str:
        """One line for a person: where it stands, what it names, what is wrong."""
        where = self.link.evidence or self.unit.body_spans[0]
        if self.link.target and not self.link.target.document:
            return f"{where}: {place_named(self.link.target)} is not a section of this document"
        name = self.link.target.document if self.link.target else self.link.query
        what = (
            f"may mean {', '.join(self.candidates)}"
            if self.candidates
            else "leads to a document that is not in this store"
        )
        if self.state is LinkState.MOVED:
            what = f"matches {self.candidates[0]} only by its file name"
        if self.state is LinkState.DANGLING and self.candidates and self.link.target:
            what = f"leads to {place_named(self.link.target)} of {self.candidates[0]}, which does not exist"
        return f"{where}: {name} {what}"


Called = Callable[[str], Collection[str]]
"""The documents that go by a key; `keys_of` says which ones a document goes by."""


def keys_of(named: DocumentNames | LogicUnit) -> set[str]:
    """What a document is found by: its path, each end of it, its title, aliases and numbers, written alike.

    Indexes that outlive the process hold these keys: where they change, `lexical` has another schema.

    Example:
        >>> sorted(keys_of(DocumentNames("docs/Disk.md", "Disk  full", ())))
        ['end disk', 'end docs/disk', 'name disk full', 'path docs/disk']
        >>> sorted(keys_of(DocumentNames("Disk_98304200.html", "", ())))
        ['end disk_98304200', 'number 98304200', 'path disk_98304200']
    """
    path = _path(named.document_id)
    names = filter(None, map(_name, (named.title, *named.aliases)))
    ends, numbers = _ends(path.split("/")), [*_in_query(named.document_id), *_in_name(path.rpartition("/")[2])]
    by = {_BY_PATH: [path], _BY_END: ends, _BY_NAME: names, _BY_NUMBER: numbers}
    return {kind + name for kind, called in by.items() for name in called}


class Catalog:
    """The documents of a store by all the names under which others may link to them."""

    def __init__(self, called: Called) -> None:
        """Resolve by look-ups, such as a `LexicalIndex`'s; each costs what it finds, not what there is."""
        self._called = called

    @classmethod
    def of(cls, named: Iterable[DocumentNames | LogicUnit]) -> Catalog:
        """The catalog of some documents, or of those that some units come from."""
        documents: dict[str, set[str]] = defaultdict(set)
        for one in named:
            for key in keys_of(one):
                documents[key].add(one.document_id)
        return cls(lambda key: documents.get(key, ()))

    def resolve(self, key: str, source: str) -> Resolution:
        """Which document `key`, as written in the document `source`, means.

        Tried in this order: the path relative to the source (from the root, where it begins with a slash), the path
        from the root, a title or alias, a knowledge-base number, a number of its path or query that a single document
        bears, then the longest common end of the paths, so that an absolute URL finds the local copy of its page.
        Where that end is no more than the file name of a path, the document counts as moved.
        """
        if not key:
            return Resolution(state=LinkState.FOUND, document_id=source)
        web = bool(_URL.match(key))
        for path in (key,) if web else _readings(key, source):
            if found := _of_the_same_number(key, self._called(_BY_PATH + _path(path))):
                exact = [document_id for document_id in found if document_id == path]
                return _one_of(exact or found)
        for name in (_name(unquote(key)), _numbered(key)):
            if name and (found := self._called(_BY_NAME + name)):
                return _one_of(found)
        for number in _numbers(key):
            found = self._called(_BY_NUMBER + number) or self._called(_BY_NAME + number)
            if len(found) == 1:
                return _one_of(found)
        return self._by_end(key, web)

    def _by_end(self, key: str, web: bool) -> Resolution:
        parts = [part for part in _path(_HOST.sub("", key)).split("/") if part not in ("", ".", "..")]
        for end in _ends(parts):
            if found := _of_the_same_number(key, self._called(_BY_END + end)):
                one = _one_of(found)
                by_name_alone = "/" not in end and one.state is LinkState.FOUND and not _is_name(key)
                return one.model_copy(update={"state": LinkState.MOVED}) if by_name_alone else one
        is_page = key.startswith("/") and not key.partition("#")[0].lower().endswith(SOURCES)
        elsewhere = web or is_page or _KB.match(_name(key)) is not None
        return Resolution(state=LinkState.OUTSIDE if elsewhere else LinkState.DANGLING)


def absolute(document_id: str) -> str:
    """A document's key in a link, the same from wherever it is read: relative to no folder."""
    return document_id if _URL.match(document_id) or document_id.startswith("/") else f"/{document_id}"


def is_document(href: str) -> bool:
    """Whether an address may name something to read on in, not a mail address, a program or a picture."""
    return not _NO_DOCUMENT.fullmatch(href.split("?", 1)[0])


def destination(href: str) -> tuple[str, str]:
    """The document that a hyperlink names, and the anchor; one of the same document as its heading has it.

    A document goes by the labels in it too, see `sections.Outline.aliases`.

    Example:
        >>> destination("lid.md#on"), destination("#On"), destination("##on")
        (('lid.md', 'on'), ('', 'on'), ('#on', 'on'))
    """
    document, _, anchor = href.partition("#")
    if href.startswith(LABEL):  # it calls the document too
        document, anchor = anchor.lower(), anchor[1:]
    return document, composed(anchor if document else unquote(anchor)).lower()


def may_mention(said: str) -> bool:
    """Whether a text in lower case has a sign with which a document is named without Markdown's marks."""
    return sentences.mentions(said, _SIGNS)


def with_mentions(block: Block) -> Block:
    """A block with links for what names a document without Markdown's marks: `[[Title]]`, "see KB4501234".

    Inline code names none: in a shell, `[[ -f /tmp/lock ]]` is a question.
    """
    mentioned = set(_addressed(block))
    if not mentioned:
        return block
    taken = [(link.offset, link.offset + len(link.text)) for link in block.links]
    new = sorted(one for one in mentioned if not any(start <= one[0] < stop for start, stop in taken))
    links = [*block.links, *_hyperlinks(block, new)]
    return block._replace(links=tuple(sorted(links, key=lambda link: link.offset)))


_Mention = tuple[int, int, str]
"""Where in a block's text a document is named, and its key."""


def _hyperlinks(block: Block, mentioned: Iterable[_Mention]) -> Iterator[Hyperlink]:
    """A link for each of some mentions, of several at one place the first."""
    line, before, end = block.start, 0, 0
    for start, stop, href in mentioned:
        if start >= end:
            line += block.text.count("\n", before, start)
            yield Hyperlink(block.text[start:stop], href, min(line, block.end), start)
            before, end = start, stop


def _addressed(block: Block) -> Iterator[_Mention]:
    """Titles in double brackets, and addresses, numbers and file names after a verb that sends the reader on."""
    for pattern, signs in _MENTIONS:
        if not sentences.mentions(block.text, signs):
            continue
        for match in pattern.finditer(block.text):
            if pattern is _FILE or not _is_code(block, match.start()):
                section = f"#{slug(match[2])}" if pattern is _WIKI and match[2] else ""
                yield *match.span(1), match[1].strip() + section


def _is_code(block: Block, at: int) -> bool:
    """Whether inline code stands at a place in a block's text."""
    before = bisect_right(block.code, at, key=itemgetter(0))
    return before > 0 and at < block.code[before - 1][1]


def _one_of(found: Collection[str]) -> Resolution:
    if len(found) == 1:
        return Resolution(state=LinkState.FOUND, document_id=next(iter(found)))
    return Resolution(state=LinkState.AMBIGUOUS, candidates=tuple(sorted(found)))


def _readings(key: str, source: str) -> Iterator[str]:
    """The paths that a link may mean, the likeliest first."""
    path = unquote(key).split("?", 1)[0].strip().replace("\\", "/")
    folder = source.replace("\\", "/").rpartition("/")[0]
    host = _HOST.match(folder)
    root = f"{host[0]}/" if host else ""
    relative = root + posixpath.normpath(posixpath.join(folder[len(root) :], path.lstrip("/")))
    from_root = root + posixpath.normpath(path.lstrip("/"))
    yield from (from_root, relative) if path.startswith("/") else (relative, from_root)


def _path(text: str) -> str:
    path = composed(unquote(text)).split("?", 1)[0].strip().replace("\\", "/").lower()
    for ending in _ENDINGS:
        if path.endswith(ending):
            path = path[: -len(ending)]
            break
    return path.strip("/").removeprefix("./")


def _ends(parts: Sequence[str]) -> Iterator[str]:
    """What a path ends with, the longest first; not with a file name alone that says nothing."""
    for start in range(len(parts)):
        if start + 1 < len(parts) or parts[start] not in _EVERYWHERE:
            yield "/".join(parts[start:])


def _is_name(key: str) -> bool:
    """Whether a key calls a document by its name, with neither folder nor ending."""
    return "/" not in key and "\\" not in key and not key.lower().endswith(_ENDINGS)


def _name(text: str) -> str:
    name = " ".join(composed(text).replace("`", "").lower().split())
    return _KB.sub(r"kb\1", name)


def _numbered(key: str) -> str:
    """The knowledge-base number at the end of a URL, as an alias: `.../help/3200416` -> `kb3200416`."""
    match = _KB_PAGE.search(key.rstrip("/"))
    return f"kb{match[1]}" if match else ""


def _numbers(key: str) -> Iterator[str]:
    """The numbers by which an address may call an article: in its query, about its name, or by itself in its path."""
    yield from _in_query(key)
    *folders, name = _path(_HOST.sub("", key)).split("/")
    yield from _in_name(name)
    yield from filter(_NUMBER.fullmatch, reversed(folders))


def _in_query(address: str) -> list[str]:
    """Numbers that are a whole value in an address's query: `view?pageId=98304200`."""
    query = address.partition("?")[2].partition("#")[0].lower()
    return [value for pair in query.split("&") if _NUMBER.fullmatch(value := pair.partition("=")[2])]


def _in_name(name: str) -> list[str]:
    """Numbers with which a name begins or ends: `360002-limits`, `ca-portal_98304200`."""
    parts = _BETWEEN.split(name)
    return [part for part in dict.fromkeys((parts[0], parts[-1])) if _NUMBER.fullmatch(part)]


def _of_the_same_number(key: str, found: Collection[str]) -> Collection[str]:
    """Of documents at one address, those whose query does not ask for another number."""
    asked = set(_in_query(key)) if "?" in key else set()
    if not asked:
        return found
    return [one for one in found if not (theirs := _in_query(one)) or asked.intersection(theirs)]
