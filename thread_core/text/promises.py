"""What a section's heading promises: steps, what they need, background, terms, questions, more to read."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache

from thread_core.text.sentences import lowered, mentions


class Role(Enum):
    """What a section's heading promises."""

    STEP = "step"
    PREREQUISITE = "prerequisite"
    BACKGROUND = "background"
    TERMINOLOGY = "terminology"
    FAQ = "faq"
    APPENDIX = "appendix"


_WARNINGS = (
    r"(?:(?:general|important) )*(?:(?:safety|security) )?(?:warnings?|cautions?|precautions?)"
    r"|(?:(?:general|important) )*safety(?:(?: and| &)? \w+)?"
)
"""What is called so does nothing but warn."""
_ROLES: tuple[tuple[Role, str], ...] = (
    (
        Role.PREREQUISITE,
        r"(?:[\w-]+ )?(?:pre-?requisites?|requirements?)(?: and (?:pre-?requisites?|requirements?))?(?: (?:for|of) .*)?"
        r"|(?:before|prior to) (?:you (?:begin|start|get started)|starting|beginning)"
        r"|(?:what |things )?you(?:'ll|’ll| will)? need"
        r"|(?:required|needed) (?:\w+ ){0,2}\w+"
        r"|(?:\w+ )?(?:permissions?|roles?|tools?|materials?|access|rights) (?:required|needed)"
        r"|(?:tools|parts|materials)(?: (?:and|&) (?:tools|parts|materials|supplies))?|supplies|ingredients|equipment"
        r"|preparations?|assumptions?",
    ),
    (
        Role.TERMINOLOGY,
        r"glossary(?: of .*)?|(?:key )?terminology|(?:key )?terms?(?: used)?|(?:terms and )?definitions?"
        r"(?: and (?:abbreviations?|acronyms?|terms))?|(?:abbreviations?|acronyms?)(?: used)?",
    ),
    (
        Role.FAQ,
        r"(?:.*\s)?faqs?(?: (?:about|on|for) .*)?|(?:frequently asked|common) questions?(?: (?:about|on|for) .*)?"
        r"|questions (?:and|&) answers|q ?(?:&|and) ?a",
    ),
    (
        Role.APPENDIX,
        r"appendi(?:x|ces)\b.*|references?|see also|(?:more|additional|further|related|useful|external|other) "
        r"(?:information|resources?|readings?|links?|topics?|articles?|documentation|documents|content|guides|help"
        r"|notes|issues|alerts|incidents|pages)(?: (?:in|on|at|from) .*)?|related|resources|links"
        r"|(?:final )?notes?|next steps?|what(?:(?:'|’)?s)? ?next\??|where to go next"
        r"|(?:(?:escalation|emergency|on-?call|vendor|support|team|key) )?contacts?(?: (?:list|details|information))?"
        r"|(?:communication|e-?mail|message|status|notification)s? templates?|contact us"
        r"|(?:get|getting) help|learn more|third-party.*disclaimer|status"
        r"|applies to|meta(?:data)?|environments?|applicable (?:versions?|products?|releases?)"
        r"|affected [\w-]+(?:,? (?:(?:and|or) )?[\w-]+){0,3}"
        r"|(?:change ?log|history|revisions?)"
        r"|(?:revision|version|document|change) history|owners?|assignees?|reporters?|authors?|approvers?|project"
        r"|(?:(?:last )?(?:created|updated|modified|edited|changed|reviewed)|last (?:review|update|change))"
        r"(?: (?:by|on|at|time|date))?|(?:next|previous)(?: (?:page|article|topic))?"
        r"|tips?(?: and tricks)?|summary|conclusions?|examples?"
        r"|(?:table of )?contents|in this (?:article|guide|document)|on this page|credits|feedback|licen[cs]e"
        r"|attachments|comments",
    ),
    (
        Role.BACKGROUND,
        r"meaning|(?:impacts?|effects?)(?: (?:on|to|for) .*)?|symptoms?(?: (?:\d{1,2}|of .*|visible to .*))?"
        r"|(?:(?:most|common|root|possible|likely|known|other) ){0,2}(?:causes?|reasons?)(?: (?:\d{1,2}|for .*))?"
        r"|overview|introduction|about(?: .*)?"
        r"|background(?: information)?|(?:(?:alert|technical) )?(?:description|details)|description of .*|severity"
        r"|goals?|objectives?|tl;?dr|priority|(?:estimated |expected )?duration|(?:estimated|expected) time"
        rf"|error messages?|{_WARNINGS}|limitations?|who is affected|how (?:it|this) works"
        r"|what (?:is|does|happens)\b.*|why (?:is|does|this|it)\b.*|why\b[^?]*|when to use\b.*|scope|purpose"
        r"|problem(?: description)?|issue|context|(?:steps|how|ways?) to reproduce\b.*|reproduction(?: steps)?"
        r"|(?:expected|actual|current) (?:results?|behaviou?r|outcomes?)",
    ),
    (
        Role.STEP,
        r"(?:.*\b)?(?:diagnos(?:is|e|tics?)|mitigat(?:ion|e)|resolutions?|resolve|workarounds?|solutions?"
        r"|fix(?:es)?|procedures?|steps?"
        r"|troubleshoot(?:ing)?|remediat(?:ion|e)|recover(?:y)?|how to|methods?|options?|instructions?|actions?)\b.*",
    ),
)
_ANYWHERE = (
    *("diagnos", "mitigat", "resol", "workaround", "solution", "fix", "procedure", "step", "troubleshoot", "remediat"),
    *("recover", "how to", "method", "option", "instruction", "action"),
)
"""Of these every heading has one that promises steps by its words: tried last, and for that wherever they stand."""
_NUMBERED = r"(?:\d+[.)]?\s+)*+"
_ROLE_PATTERNS = tuple((role, re.compile(rf"{_NUMBERED}(?:{pattern})\s*[:.]?")) for role, pattern in _ROLES)
"""Of headings in lower case: to ignore the case takes a pattern of so many words twice as long."""
_WARNING_PATTERN = re.compile(rf"{_NUMBERED}(?:{_WARNINGS})\W*")


@lru_cache(maxsize=1024)
def promise(heading: str) -> Role | None:
    """What a heading promises by its own words."""
    said = lowered(heading.strip())
    for role, pattern in _ROLE_PATTERNS:
        if (role is not Role.STEP or mentions(said, _ANYWHERE)) and pattern.fullmatch(said):
            return role
    return None


def promises_prerequisites(heading: str) -> bool:
    """Whether a heading promises what must hold first: `promise` of it is `Role.PREREQUISITE`."""
    role, pattern = _ROLE_PATTERNS[0]
    return role is Role.PREREQUISITE and pattern.fullmatch(lowered(heading.strip())) is not None


def promises_warnings(heading: str) -> bool:
    """Whether a heading promises nothing but warnings: of the background that is."""
    return _WARNING_PATTERN.fullmatch(lowered(heading.strip())) is not None
