"""The values everything else speaks in. Frozen, checked when made, JSON both ways.

A `LogicUnit` is the paper's unit of knowledge (section 3.2): a header that says its intent, a body copied
from the source, what must hold first (prerequisites) and where to go next (links).
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import uuid
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple, Self, TypeVar

import numpy as np
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticSerializationError, to_json

NAMESPACE = uuid.UUID("6f1d6f0e-3a3b-5f1c-9b2a-7c1f5d0a9e11")
"""All unit ids are uuid5 values under this namespace, so they are the same in every process."""

Scalar = str | int | float | bool
_OF_STORES = ("$", "#", "chroma:")
"""With what keys begin that Chroma refuses or drops."""
_SCALARS = TypeAdapter(dict[str, Scalar])
Line = Annotated[int, Field(ge=1)]
OneLine = Annotated[str, StringConstraints(pattern=r"^[^\r\n]+$")]


def storable(key: object, value: object) -> bool:
    """Whether every store takes a value of a document's metadata under a key: none is told of the others' limits."""
    if not isinstance(key, str) or not key or key.startswith(_OF_STORES):
        return False
    return math.isfinite(value) if isinstance(value, float) else isinstance(value, str | int)


def encodable(text: str) -> str:
    """The text with a form in UTF-8, line for line the same: halves of a character are joined or become U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


Text = Annotated[str, AfterValidator(encodable)]
"""Text from outside: stores and files take UTF-8 only."""


def faults_in(error: ValidationError) -> list[str]:
    """What does not have its form: `units.0.lines: Field required`."""
    found = (
        (".".join(map(str, one["loc"])), one["msg"]) for one in error.errors(include_url=False, include_input=False)
    )
    return [": ".join(filter(None, one)) for one in found]


class Model(BaseModel):
    """A frozen value that refuses fields it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    given: ClassVar[set[str]]
    """The names of all its fields, as pydantic keeps them with a value; one set for all values that `made` makes."""

    if TYPE_CHECKING:

        def __init__(self, **values: Any) -> None: ...

    @classmethod
    def __pydantic_init_subclass__(cls, **_: Any) -> None:
        cls.given = set(cls.model_fields)

    def __reduce__(self) -> tuple[Any, ...]:
        """A process hands it to another one as its fields alone, which need no check again."""
        return made, (type(self), self.__dict__)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What a notebook shows of it as a cell's value: what `print` does, where it has words of its own for that."""
        printer.text(repr(self) if type(self).__str__ is BaseModel.__str__ else str(self))


_Value = TypeVar("_Value", bound=Model)
_new = object.__new__
_set_fields = BaseModel.__dict__["__dict__"].__set__
_set_given = BaseModel.__dict__["__pydantic_fields_set__"].__set__
_set_extra = BaseModel.__dict__["__pydantic_extra__"].__set__
_set_private = BaseModel.__dict__["__pydantic_private__"].__set__


def made(kind: type[_Value], fields: dict[str, Any]) -> _Value:
    """A value of what our own code made, unchecked: every field in the order in which the class has them.

    What comes from outside goes through the constructor.
    """
    value = _new(kind)
    _fill(value, fields)
    return value


def _fill(value: Model, fields: dict[str, Any]) -> None:
    """Give a value its fields past pydantic, which takes several times as long; a unit has a dozen small values."""
    _set_fields(value, fields)
    _set_given(value, value.given)
    _set_extra(value, None)
    _set_private(value, None)


def changed(value: _Value, fields: dict[str, Any]) -> _Value:
    """`model_copy` with some fields changed, of values as in `made`."""
    return made(type(value), value.__dict__ | fields)


class Goal(StrEnum):
    """Where somebody says that a link leads."""

    STEP = "step"
    """To a step of the same document."""
    INSIDE = "inside"
    """Nowhere else: the step itself says what to do then."""
    DOCUMENT = "document"
    """To another document."""
    RESOLVED = "resolved"
    ESCALATE = "escalate"
    NOWHERE = "nowhere"
    """It is no link."""


class Correction(Model):
    """What somebody has said about a link, which is named by the words that state it: lines may move, words may not."""

    text: str
    """The lines that state the link, each without the blanks around it; of a link that none states (the next step in
    order), the first line of its unit."""
    condition: str = ""
    """The link's condition."""
    next_step: bool = False
    """Whether it is the link that no line states."""
    nth: Annotated[int, Field(ge=1)] = 1
    """Which one it is of the links of that text and condition, in reading order."""
    leads: Goal
    to: str = ""
    """Of `STEP` the first line of the step; of `DOCUMENT` its id or address."""
    section: str = ""
    """The anchor of the section in which that is; of `DOCUMENT` empty for its first step."""
    verdict: Literal["approved", "corrected"]
    """Whether that is what was read of the document, too."""
    by: OneLine
    """Who says so, and"""
    at: datetime
    """when."""

    @property
    def key(self) -> tuple[str, str, bool, int]:
        """Which link it is about."""
        return self.text, self.condition, self.next_step, self.nth


class Document(Model):
    r"""A how-to document as it came from its source.

    Example:
        >>> Document("disk.md", "# Disk full\n\n1. Free space.").id
        'disk.md'
    """

    id: Annotated[str, Field(min_length=1)]
    """Names the document in ids, citations and links; a path or a URL lets other documents' links find it."""
    text: Text
    title: Text = ""
    """When empty, the first heading or the front matter's title is taken."""
    metadata: Mapping[str, Any] = Field(default_factory=dict)
    """Carried along by the adapters; scalar values reach the units."""
    problems: tuple[str, ...] = ()
    """What it has lost on its way here; its report says so."""
    corrections: tuple[Correction, ...] = ()
    """Links that somebody has approved or corrected; see `extraction.corrections`."""

    def __init__(
        self,
        id: str,
        text: str,
        title: str = "",
        metadata: Mapping[str, Any] | None = None,
        problems: Iterable[str] = (),
        corrections: Iterable[Correction] = (),
    ) -> None:
        super().__init__(
            id=id,
            text=text,
            title=title,
            metadata=metadata or {},
            problems=tuple(problems),
            corrections=tuple(corrections),
        )

    @cached_property
    def scalars(self) -> dict[str, Scalar]:
        """The metadata that units carry: strings, finite numbers and truth values, under keys that stores take."""
        plain = {key: value.item() if isinstance(value, np.generic) else value for key, value in self.metadata.items()}
        return _SCALARS.validate_python(
            {
                encodable(key): encodable(value) if isinstance(value, str) else value
                for key, value in plain.items()
                if storable(key, value)
            }
        )


class Span(Model):
    r"""Lines of a document: 1-based, both ends included. A line ends at \n, \r\n or \r."""

    document_id: str
    start: Line
    end: Line

    def __init__(self, document_id: str, start: int, end: int) -> None:
        if type(document_id) is str and type(start) is type(end) is int and 1 <= start <= end:
            _fill(self, {"document_id": document_id, "start": start, "end": end})
        else:
            super().__init__(document_id=document_id, start=start, end=end)

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.end < self.start:
            raise ValueError(f"found the span {self.start}-{self.end}, expected an end at or after the start")
        return self

    def __str__(self) -> str:
        """`disk.md:4-9`, or `disk.md:4` for a single line."""
        lines = f"{self.start}-{self.end}" if self.end > self.start else f"{self.start}"
        return f"{self.document_id}:{lines}"


class Place(Model):
    """An address inside a document: a section and the unit's number in it. An edit elsewhere does not move it."""

    anchor: str = ""
    """The section heading's slug, as in `page.md#anchor`; empty before the first heading."""
    number: Annotated[int, Field(ge=1)] = 1
    """1-based position of the unit among the units of its section."""

    def __init__(self, anchor: str = "", number: int = 1) -> None:
        if type(anchor) is str and type(number) is int and number >= 1:
            _fill(self, {"anchor": anchor, "number": number})
        else:
            super().__init__(anchor=anchor, number=number)


class Target(Model):
    """Where a link points, as the text names it. Resolved against the store's documents when it is read."""

    document: str = ""
    """A path, URL, title or alias; empty for the link's own document."""
    anchor: str = ""
    """A section's slug (or the beginning of it, as `method-2`); empty for the document's first step."""
    step: int | None = None
    """A numbered step, in the section named by `anchor`."""
    place: Place | None = None
    """A unit of the same document, where the structure itself says which one comes next."""

    def __init__(
        self,
        document: str = "",
        anchor: str = "",
        step: int | None = None,
        place: Place | None = None,
        **unknown: Any,
    ) -> None:
        known = type(document) is type(anchor) is str and not unknown
        if known and (step is None or type(step) is int) and (place is None or type(place) is Place):
            _fill(self, {"document": document, "anchor": anchor, "step": step, "place": place})
        else:
            super().__init__(document=document, anchor=anchor, step=step, place=place, **unknown)


class LinkAction(StrEnum):
    """What following a link does. The paper writes the last two as one mark, `[MITIGATE]`."""

    CONTINUE = "CONTINUE"
    CROSS = "CROSS"
    RESOLVED = "RESOLVED"
    ESCALATE = "ESCALATE"

    @property
    def mark(self) -> str:
        """The paper's mark: `[CONTINUE]`, `[CROSS]` or `[MITIGATE]`."""
        return "[MITIGATE]" if self.ends else f"[{self.value}]"

    @property
    def ends(self) -> bool:
        """Whether it ends a walk."""
        return self in (LinkAction.RESOLVED, LinkAction.ESCALATE)


class Link(Model):
    """One entry of the paper's linker: "if condition, then query", with the place that the text names."""

    condition: str = ""
    """The outcome that selects this link, in the document's words; empty means whatever happened."""
    query: str = ""
    """What to look for next; without a target it is searched over headers (`retrieve.find_goal`)."""
    action: LinkAction = LinkAction.CONTINUE
    target: Target | None = None
    evidence: Span | None = None
    """The lines that say so."""

    def __init__(
        self,
        condition: str = "",
        query: str = "",
        action: LinkAction = LinkAction.CONTINUE,
        target: Target | None = None,
        evidence: Span | None = None,
    ) -> None:
        known = type(condition) is type(query) is str and type(action) is LinkAction
        if known and (target is None or type(target) is Target) and (evidence is None or type(evidence) is Span):
            fields = {"condition": condition, "query": query, "action": action, "target": target, "evidence": evidence}
            _fill(self, fields)
        else:
            super().__init__(condition=condition, query=query, action=action, target=target, evidence=evidence)


class Twin(Model):
    """A unit of another document that says the same. It counts for as long as the store holds it."""

    document_id: str
    unit_id: str

    def __init__(self, document_id: str, unit_id: str) -> None:
        super().__init__(document_id=document_id, unit_id=unit_id)


class Passage(NamedTuple):
    """A paragraph, a list item or a table row of a unit's body."""

    first: int
    last: int
    """Its lines in the body, 1-based, both included; what stands inside of it has passages of its own."""
    indent: int = 0
    """Characters before its first word or mark: what is indented more than an item above it stands inside of it."""
    number: int | None = None
    """Of an item of a numbered list."""
    kind: Literal["text", "item", "row"] = "text"
    has_code: bool = False
    """Whether a fenced code block is part of it."""


class LogicUnitType(StrEnum):
    """What a unit is for. Other names are allowed: a unit's type is one of these or any other word."""

    STEP = "step"
    TERMINOLOGY = "terminology"
    FAQ = "faq"
    APPENDIX = "appendix"
    BACKGROUND = "background"
    """Meaning, impact, symptoms, cause: what a reader may want to know and need not do."""


_QUESTION = re.compile(r"[^.!?。！？]*[?？]")
"""A text that begins with a question."""
_KNOWN_TYPES: dict[str, LogicUnitType] = {known.value: known for known in LogicUnitType}


class LogicUnit(Model):
    """One piece of know-how: what must hold, what to do, and where each outcome leads."""

    id: str
    """uuid5 of document, content and occurrence; see `identify`."""
    document_id: str
    place: Place
    type: LogicUnitType | OneLine
    header: OneLine
    """The intent in one line, with the document's title and the section path in it. Alone indexed (section 3.3)."""
    prerequisites: tuple[str, ...] = ()
    body: str
    """Copied from the source: the lines of `body_spans`, joined by newlines. See `rewritten` for the exceptions."""
    links: tuple[Link, ...] = ()
    parameters: Mapping[str, str] = Field(default_factory=dict)
    """Placeholders in the body's code and their defaults."""
    steps: tuple[int, ...] = ()
    """Numbers of the numbered steps that begin in the body, so that "go to step 5" can find them."""
    title: str = ""
    date: str = ""
    section: tuple[str, ...] = ()
    """Headings from the top of the document down to the unit's section, the title left out."""
    spans: Annotated[tuple[Span, ...], Field(min_length=1)]
    """Every line that this unit accounts for, headings included, in reading order."""
    body_spans: Annotated[tuple[Span, ...], Field(min_length=1)]
    """The lines of the body. All but the last are lines above that it cannot be read without: a table's head."""
    rewritten: bool = False
    """Whether the body was written from all the lines of `body_spans` together, by a model, or of a step in a drawing
    as it is seen there; it is shown and cited whole."""
    aliases: tuple[str, ...] = ()
    """Other names by which documents link to this one: front-matter title, knowledge-base number, `#label`."""
    metadata: Mapping[str, Scalar] = Field(default_factory=dict)
    """The document's own metadata, scalars only."""
    passages: tuple[Passage, ...] = ()
    """The body cut into paragraphs, items and rows, see `text.passages`; of a value made by hand, none."""
    warnings: tuple[Span, ...] = ()
    """Where the document warns of something that holds for this unit, in it or elsewhere; see `extraction.warned`."""
    twins: tuple[Twin, ...] = ()
    """Units of other documents that a retrieval shows as one with this one. No part of the content."""

    @property
    def start(self) -> int:
        """First line that is the unit's own."""
        return self.body_spans[0 if self.rewritten else -1].start

    @property
    def position(self) -> tuple[int, str, int]:
        """Units of a document sorted by it are in reading order; several may be written from one line."""
        return self.start, self.place.anchor, self.place.number

    def goes_on_with(self, other: LogicUnit) -> bool:
        """Whether a reader goes on with another unit, of the same document and after this one: with any step.

        An answer to a question (`LogicUnitType.FAQ`) stands for itself: it goes on in its own section alone, and there
        with no other question.
        """
        if self.continues_in(other):
            return True
        if self.type == LogicUnitType.FAQ:
            return other.type in (LogicUnitType.STEP, LogicUnitType.FAQ) and (
                other.section[: len(self.section)] == self.section and not other.asks
            )
        return other.type == LogicUnitType.STEP

    def continues_in(self, other: LogicUnit) -> bool:
        """Whether another unit of its section is only what comes next: the bare link leads there."""
        return self.section == other.section and any(
            link.evidence is None and _leads_on(link) and link.target and link.target.place == other.place
            for link in self.links
        )

    @property
    def asks(self) -> bool:
        """Whether it begins with a question that it answers, and that is not what its section is called."""
        is_called_so = bool(self.section) and self.section[-1].endswith("?")
        return self.type == LogicUnitType.FAQ and not is_called_so and _QUESTION.match(self.body) is not None

    def text_of(self, first: int, last: int) -> str:
        """Some lines of the body, 1-based, both included."""
        return "\n".join(self.body.split("\n")[first - 1 : last])

    def lines_of(self, first: int, last: int) -> Span:
        """Where some lines of the body, 1-based, stand in the document; of a rewritten body, all that it is from."""
        if self.rewritten:
            starts, ends = zip(*((span.start, span.end) for span in self.body_spans), strict=True)
            return Span(self.document_id, min(starts), max(ends))
        chosen = list(islice(self.numbers, first - 1, last)) or [self.body_spans[-1].end]
        return Span(self.document_id, min(chosen), max(chosen))

    def line_in_body(self, line: int) -> int | None:
        """Which line of the body, 1-based, a line of the document is; None where it is none, or the body rewritten."""
        before = 0
        for span in () if self.rewritten else self.body_spans:
            if span.start <= line <= span.end:
                return before + line - span.start + 1
            before += span.end - span.start + 1
        return None

    @property
    def numbers(self) -> Iterator[int]:
        """The lines of `body_spans`, one after the other. A unit that was imported may claim any number of them."""
        return chain.from_iterable(range(span.start, span.end + 1) for span in self.body_spans)

    def says(self, link: Link) -> bool:
        """Whether the lines that say what a link says are lines of the body; of a rewritten one none are."""
        at = link.evidence.start if link.evidence and not self.rewritten else 0
        return any(span.start <= at <= span.end for span in self.body_spans)

    @property
    def content_hash(self) -> str:
        """SHA-256 (hex) of the unit's content; spans and what links resolve to are not part of it."""
        return hashlib.sha256(content_of(self)).hexdigest()

    @field_validator("type")
    @classmethod
    def _known_by_name(cls, value: str) -> str:
        """A type that we know is the enum's member, in whatever way it was given."""
        return _KNOWN_TYPES.get(value, value)


_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def content_of(unit: LogicUnit) -> bytes:
    """What makes two units the same: type, header, prerequisites, body, links' conditions and queries, parameters.

    The bare link to the next unit is left out: it follows from the order, and the next unit's words are not ours.
    """
    links = [(link.condition, link.query, link.action.value) for link in unit.links if not _leads_on(link)]
    parts = (
        str(unit.type),
        unit.header,
        unit.prerequisites,
        unit.body,
        links,
        sorted(unit.parameters.items()),
    )
    return as_json(parts)


def as_json(value: Any) -> bytes:
    """A value in one line of JSON, also where a text has half of a character."""
    try:
        return to_json(value)
    except PydanticSerializationError:
        return _COMPACT.encode(value).encode("utf-8", "surrogatepass")


def _leads_on(link: Link) -> bool:
    return not link.condition and link.target is not None and link.target.place is not None


def identify(units: Iterable[LogicUnit]) -> tuple[LogicUnit, ...]:
    """Give each unit its id: uuid5 of document id, content, and how many equal ones came before it in the document.

    Texts do repeat inside a document, and one duplicate id fails a whole batch in the store.
    """
    seen: dict[tuple[str, str], int] = {}
    named = []
    for unit in units:
        content = unit.content_hash
        nth = seen.get((unit.document_id, content), 0)
        seen[unit.document_id, content] = nth + 1
        named.append(changed(unit, {"id": _uuid5(f"{unit.document_id}\n{content}\n{nth}")}))
    return tuple(named)


def _uuid5(name: str) -> str:
    """`str(uuid.uuid5(NAMESPACE, name))` in a third of the time: there is one for every unit."""
    digest = hashlib.sha1(NAMESPACE.bytes + name.encode(), usedforsecurity=False).hexdigest()
    variant = "89ab"[int(digest[16], 16) % 4]
    return f"{digest[:8]}-{digest[8:12]}-5{digest[13:16]}-{variant}{digest[17:20]}-{digest[20:32]}"
