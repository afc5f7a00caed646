"""What a section's heading promises: steps, what they need, background, terms, questions, more to read."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache

from thread_core.text.sentences import lowered


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
_ABOUT = r"(?: (?:about|for|of|on|to|in|from|by) .*)?"
_KIND = (
    r"(?:(?:more|additional|further|related|useful|external|other|common|most|root|possible|likely|known|support|key"
    r"|emergency|revision|version|document|change) ){0,2}"
)
"""What may stand before the noun that says what a section is."""
_ROLES: tuple[tuple[Role, str], ...] = (
    (
        Role.PREREQUISITE,
        rf"(?:[\w-]+ )?(?:pre-?requisites?|requirements?)(?: and \w+)?{_ABOUT}"
        r"|(?:before|prior to) (?:you (?:begin|start|get started)|starting|beginning)"
        r"|(?:what |things )?you(?:['’]ll| will)? need|(?:required|needed) (?:\w+ ){0,2}\w+"
        r"|(?:\w+ )?(?:permissions?|roles?|tools?|materials?|access|rights) (?:required|needed)"
        r"|(?:tools|parts|materials)(?: (?:and|&) \w+)?|supplies|ingredients|equipment|preparations?|assumptions?",
    ),
    (
        Role.TERMINOLOGY,
        rf"glossary{_ABOUT}|(?:(?:key|terms and) )?(?:terminology|terms?|definitions?|abbreviations?|acronyms?)"
        r"(?: used| and \w+)?",
    ),
    (
        Role.FAQ,
        rf"(?:.*\s)?faqs?{_ABOUT}|(?:frequently asked|common) questions?{_ABOUT}|questions (?:and|&) answers|q ?& ?a",
    ),
    (
        Role.APPENDIX,
        rf"appendi(?:x|ces)\b.*|see also|(?:{_KIND}(?:references?|resources?|readings?|links?|topics?|articles?"
        r"|contacts?|documentation|history|incidents)|(?:more|additional|further) information)(?: (?:in|on|at) .*)?"
        r"|related(?: \w+)?|(?:additional|other) (?:content|help|notes|issues)|(?:final )?notes?|next steps?"
        r"|what(?:['’]?s)? ?next\??|contact (?:us|details|information|list)|(?:get|getting) help|learn more"
        r"|affected [\w-]+(?:,? (?:(?:and|or) )?[\w-]+){0,3}|applicable (?:versions?|products?|releases?)"
        r"|applies to|status|meta(?:data)?|environments?|change ?log|revisions?|owners?|authors?"
        r"|reporters?|assignees?|(?:last )?(?:created|updated|modified|edited|changed|reviewed)(?: (?:by|on|at))?"
        r"|last (?:review|update|change)|tips?(?: and tricks)?|summary|conclusions?|examples?"
        r"|(?:table of )?contents|(?:in|on) this \w+|credits|feedback|licen[cs]e|attachments|comments",
    ),
    (
        Role.BACKGROUND,
        rf"meaning|{_KIND}(?:impacts?|effects?|symptoms?|causes?|reasons?)(?: \d{{1,2}}|{_ABOUT})"
        r"|symptoms visible to .*|(?:expected|actual|current) (?:results?|behaviou?r|outcomes?)"
        r"|(?:estimated |expected )?duration|error messages?"
        r"|(?:(?:alert|technical|problem) )?(?:description|details)|description of .*"
        r"|overview|introduction|about(?: .*)?|background(?: information)?|severity|goals?|objectives?|tl;?dr"
        rf"|priority|{_WARNINGS}|limitations?|who is affected|how (?:it|this) works"
        r"|what (?:is|does|happens)\b.*|why (?:is|does|this|it)\b.*|why\b[^?]*|when to use\b.*|scope|purpose"
        r"|problem|issue|context|(?:steps|how|ways?) to reproduce\b.*|reproduction(?: steps)?",
    ),
    (
        Role.STEP,
        r"(?:.*\b)?(?:diagnos(?:is|e|tics?)|mitigat(?:ion|e)|resolutions?|resolve|workarounds?|solutions?"
        r"|fix(?:es)?|procedures?|steps?"
        r"|troubleshoot(?:ing)?|remediat(?:ion|e)|recover(?:y)?|how to|methods?|options?|instructions?|actions?)\b.*",
    ),
)
_NUMBERED = r"(?:\d+[.)]?\s+)*+"
_ROLE_PATTERNS = tuple((role, re.compile(rf"{_NUMBERED}(?:{pattern})\s*[:.]?")) for role, pattern in _ROLES)
"""Of headings in lower case: to ignore the case takes a pattern of so many words twice as long."""
_WARNING_PATTERN = re.compile(rf"{_NUMBERED}(?:{_WARNINGS})\W*")


@lru_cache(maxsize=1024)
def promise(heading: str) -> Role | None:
    """What a heading promises by its own words."""
    said = lowered(heading.strip())
    for role, pattern in _ROLE_PATTERNS:
        if pattern.fullmatch(said):
            return role
    return None


def promises_prerequisites(heading: str) -> bool:
    """Whether a heading promises what must hold first: `promise` of it is `Role.PREREQUISITE`."""
    return promise(heading) is Role.PREREQUISITE


def promises_warnings(heading: str) -> bool:
    """Whether a heading promises nothing but warnings: of the background that is."""
    return _WARNING_PATTERN.fullmatch(lowered(heading.strip())) is not None


def promises_diagnosis(heading: str) -> bool:
    """Whether a heading promises how to find out what is the case."""
    return "diagnos" in lowered(heading)
