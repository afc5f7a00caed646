"""Sentences -> where they send the reader: to a step or a section, to more to read, or to an end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from thread_core.models import LinkAction
from thread_core.text.sentences import LONGEST_SENTENCE, lowered, mentions, without_remark

_KINDS = (
    r"(?:method|option|procedure|workaround|resolution|solution|cause|appendix|section|part|scenario|approach"
    r"|(?<!in )case|phase|stage)"
)
"""What sections are called that a number or a letter tells apart."""
_LETTER = r"(?:[b-z]|(?-i:A)|a(?=[.,;:)]|\W*$))"
"""One that tells them apart; "a" is mostly an article."""
_COUNTED = re.compile(rf"(?:{_KINDS}|step)\s+(?:\d{{1,2}}|{_LETTER})\b", re.IGNORECASE)
_ARROW = r"(?:->|=>|[→⇒➜])\s*"
_GO = r"\b(?:go|skip|jump|proceed|continue|return|move|advance|start (?:over|again)|restart|resume|back|repeat|redo)\b"
_STEP_JUMP = re.compile(
    rf"(?:(?:{_GO}|\b(?:carry on|try|follow)\b)"
    r"(?:(?!\b(?:until|till|that|which|who|after|before|once|when|if|for)\b)[^.;])*?"
    rf"|{_ARROW}|,\s+see\s*)"
    r"\bsteps?\s+#?(?P<number>\d{1,3})(?P<part>[a-h]|(?:\.\d{1,2})+|\.[a-h])?\b"
    r"(?!\s+(?:for|is|are)\b)",
    re.IGNORECASE,
)
_NEXT_STEP = re.compile(
    rf"{_GO}\s+(?:(?:on|ahead|straight|directly|to|with|at|the)\s+){{1,5}}next\s+step\b(?!:)", re.IGNORECASE
)
_SKIP = re.compile(r"\bskip(?:ping)?\s+steps?\s+\d{1,3}(?:\s*(?:,|and|-|–|to|through)\s*\d{1,3})*", re.IGNORECASE)
_SECTION_JUMP = re.compile(
    rf"(?:(?:{_GO}|\b(?:try|see|use|follow|refer)\b)[^.;]*?|{_ARROW})\b({_KINDS}\s+(?:\d{{1,2}}(?:\.\d{{1,2}})*|{_LETTER}))\b"
    rf"|(?:{_GO}\s+(?:back\s+|on\s+)?(?:to|with|at)\s+|(?<![\d ])\s{_ARROW})(?P<number>\d{{1,2}}(?:\.\d{{1,2}})*)"
    r"(?=[.,;:)!]*\s*$|[.,;:)](?!\d)|\s+(?:if|when|unless|and|or|otherwise|else|below|above|again)\b)",
    re.IGNORECASE,
)
"""A bare number ends its clause: "go to 3", not "go to 3 pumps"; an arrow between two numbers is a change."""
_FOLLOWING = re.compile(
    rf"(?:{_GO}|\b(?:try|see|use|follow|perform|do)\b)\s+(?:(?:on|to|with|at|the)\s+){{0,3}}next\s+({_KINDS})\b(?!:)",
    re.IGNORECASE,
)
_CALLED = (
    *("method", "option", "procedure", "workaround", "resolution", "solution", "cause", "appendix", "section", "part"),
    *("scenario", "approach", "case", "phase", "stage"),
)
_MAY_COUNT = re.compile(rf"{_KINDS}\s+(?:\d|[a-z]\b)")
_MAY_BE_NUMBER = re.compile(rf"(?:(?:to|with|at)\s+|{_ARROW})\d")
"""Of these three what names a section by its number has one, in lower case."""
_DENIED = re.compile(
    r"(?:\b(?:not|never|cannot|without|instead\s+of|rather\s+than|before(?:\s+you)?)|n['’]t)\s+"
    r"(?:(?:to|yet|just|simply|ever|directly|need|have|try|see|read|use|follow|open)\s+){0,3}(?:the\s+)?\W*$",
    re.IGNORECASE,
)
"""Before what nobody is sent to: "do not go to step 3"."""
NEAR = 60
"""Characters in which that stands."""
_DIRECTING = re.compile(
    r"(?:^\W*|[,;:]\s*|\b(?:and|then|please|now)\s+)"
    r"(?:go (?:back |on |straight )?(?:to|with)|continue (?:to|with|at|in|by)|proceed (?:to|with)|return to|skip to"
    r"|jump to|move on to|follow|refer to|perform|work through|complete|apply|begin with"
    r"|start (?:again )?(?:with|at))\b",
    re.IGNORECASE,
)
_SENDING = re.compile(
    r"\b(?:go (?:back )?to|return to|skip to|jump to|proceed (?:to|with)|continue (?:below )?(?:to|with|at)|see|follow"
    r"|refer to|use|try|described in|steps in|section)\b",
    re.IGNORECASE,
)
_MORE = r"(?:more|further|additional|detailed|general|background|details?|information|documentation|examples?|help)\b"
_REFERENCE = re.compile(
    rf"(?:for|to (?:learn|read|know|find out|get|see)|if you (?:want|need|would like))\s+(?:[\w-]+ ){{0,4}}?{_MORE}"
    r"|(?:see also|learn more|more (?:information|details)|read more|also see|source|reference)\b"
    r"|\W*(?:please\s+|also\s+)*(?:see|refer to|read|consult|visit|check(?: out)?)\b.*?\bfor\s+(?:\w+\s+){0,2}?"
    rf"{_MORE}",
    re.IGNORECASE,
)
"""How a sentence begins that only says where to read more."""
_RESOLVED = re.compile(
    r"\b(?:(?:issue|problem|incident|alert|error|fault)s?\s+(?:is|are|has been|have been|should be)\s+(?:now\s+)?"
    r"(?:resolved|fixed|solved|gone|cleared)"
    r"|(?:this|that|it|you(?: have|['’]ve)?) (?:resolved|fixed|solved) (?:it|the|your)"
    r"|no (?:further|more|other) (?:action|steps?)"
    r"|no action (?:is )?(?:needed|required|necessary)|nothing (?:more|else|further)? ?(?:to do|needs? to be done)"
    r"|you(?:['’]re| are) (?:done|finished|all set)|you (?:can|may) stop(?: here| now)?(?=\W*$)"
    r"|(?:^|please )close the (?:ticket|alert|incident|case)|the procedure is (?:complete|finished|done)"
    r"|(?:can|may) (?:safely )?be (?:ignored|disregarded)|false (?:alarm|positive|alert)"
    r"|works? as (?:expected|designed|intended)|(?:this|that|it)(?:['’]s| is) (?:expected|normal))\b",
    re.IGNORECASE,
)
_PARTY = (
    r"(?:support|team|administrators?|admins?|vendor|manufacturer|engineer\w*|on-?call|help ?desk|service desk"
    r"|department|provider|technician|specialist|expert|owner|manager|maintainers?|developers?|hotline|sre|dealer"
    r"|retailer|supplier|electrician|plumber|supervisor)\b"
)
"""People, alone or in an organisation, to whom a case is handed."""
_ESCALATE = re.compile(
    r"\b(?:(?:open|create|raise|file|submit|log)\s+(?:the|an?)\s+(?:\w+\s+){0,4}?"
    r"(?:case|ticket|request|bug|issue|incident)\b"
    r"|(?:contact(?:ing)?|call|consult|ask|engage|involve|notify|inform|alert|page|tell|e-?mail|(?:talk|speak) to)"
    rf"\s+(?:[\w'’-]+\s+){{0,4}}?{_PARTY}"
    r"|contact(?:ing)?\s+(?:your|our|us|(?-i:[A-Z]\w+))\b|(?:escalate|escalation|escalating|reach out to|page the)\b"
    r"|(?:get|ask for) help from\b|report (?:it|this|the \w+) to\b|hand (?:\w+ ){0,3}over to\b)",
    re.IGNORECASE,
)
_FETCHED = re.compile(
    r"[^.;]*?\bfor\s+(?:[\w-]+\s+){0,3}(?:updat|upgrad|version|cop(?:y|ies)|driver|access|approv|permission|key|licen)",
    re.IGNORECASE,
)
"""What is asked of others to go on with."""
_STOPS = re.compile(
    r"\W*(?:please |then |immediately )*(?:(?:do not|don['’]t|never) (?:continue|proceed|go on|go any further)"
    r"|(?:stop|abort)(?: (?:here|now|immediately|at once|the procedure))?)(?=\W*$|\W+(?:and\s+)?(?:do not|don['’]t)\b)",
    re.IGNORECASE,
)
"""The procedure ends here and nothing is solved: "STOP", "do not continue"; not "stop the service"."""
_NOT_SO = re.compile(
    r"(?:\b(?:not|never|cannot|may|might|when|once|until|till|unless|if|whether|after|before|without|instead of"
    r"|verify|check|confirm|ensure|sure)|n['’]t):?(?:\s+(?:that|the|this|your|an?|\w+ly)){0,2}(?:\s+[\w-]+)?\s*$",
    re.IGNORECASE,
)
"""Before what is denied, or is so only later: "close it when you are finished"."""
_ENDS = (
    *("resol", "fixed", "solved", "gone", "cleared", "action", "step", "nothing", "done", "finish", "set", "stop"),
    *("close", "complete", "ignored", "disreg", "false", "expected", "designed", "intended", "normal", "open"),
    *("create", "raise", "file", "submit", "log", "contact", "call", "consult", "ask", "engage", "involve", "notify"),
    *(
        "inform",
        "alert",
        "page",
        "tell",
        "mail",
        "talk",
        "speak",
        "escalat",
        "reach",
        "help",
        "report",
        "hand",
        "abort",
        "not ",
    ),
    *("don't", "don’t", "never"),
)
"""Of these what ends a procedure has one."""


@dataclass(frozen=True, slots=True)
class Jump:
    """A step ("5"), or a section ("Method 2"), that the text sends the reader to."""

    step: int | None = None
    section: str = ""
    """Or a number alone ("3", "2.1"): of a section, or of a step; of a part of a step its name ("3.2", "4b")."""
    following: str = ""
    """What the section after this one is called ("the next method")."""


def is_counted(heading: str) -> bool:
    """Whether a heading is one of several that are tried in turn: "Method 2", "Cause B: ...", "Step 3"."""
    return _COUNTED.match(heading) is not None


def is_counted_alone(name: str) -> bool:
    """Whether a name is nothing but what such a heading begins with: "Method 2"."""
    return _COUNTED.fullmatch(name.strip()) is not None


def refers(sentence: str) -> bool:
    """Whether a sentence offers something to read besides ("For more information, see B"): no case, and no way on."""
    return len(sentence) <= LONGEST_SENTENCE and _REFERENCE.match(without_remark(sentence)) is not None


def may_jump(said: str) -> bool:
    """Whether a text in lower case may name a step or a section: many times as fast as to look for a jump."""
    return mentions(said, ("step", "next")) or _may_name_section(said)


def _may_name_section(said: str) -> bool:
    is_called = mentions(said, _CALLED) and _MAY_COUNT.search(said) is not None
    return is_called or _MAY_BE_NUMBER.search(said) is not None


def jump(text: str) -> Jump | None:
    """The step or section that a sentence sends the reader to, of several the first.

    "Skip steps 4 and 5" goes to step 6, "do not go to step 3" nowhere.
    """
    if len(text) > LONGEST_SENTENCE:
        return None
    said = lowered(text)
    if "step" in said:
        wanted = [(int(match["number"]), match["part"] or "") for match in _meant(_STEP_JUMP, text)]
        for skipped in _meant(_SKIP, text):
            numbers = [int(number) for number in re.findall(r"\d+", skipped[0])]
            return Jump(step=next((one for one, _ in wanted if one not in numbers), max(numbers) + 1))
        for step, part in wanted:
            return Jump(step=step, section=f"{step}{part.lower()}" if part else "")
    for match in _meant(_FOLLOWING, text) if "next" in said else ():
        return Jump(following=match[1].lower())
    for match in _meant(_SECTION_JUMP, text) if _may_name_section(said) else ():
        return Jump(section=match[1] or match["number"])
    return None


def goes_on(text: str) -> bool:
    """Whether a sentence sends the reader to the step after the one in which it stands."""
    return len(text) <= LONGEST_SENTENCE and "next" in lowered(text) and any(_meant(_NEXT_STEP, text))


def is_denied_link(before: str) -> bool:
    """Whether the words of a sentence before a hyperlink say not to go where it leads."""
    return _DENIED.search(before) is not None


def _meant(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Where a pattern that begins with a verb matches, and nothing denies the verb."""
    for match in pattern.finditer(text):
        if not _DENIED.search(text, max(0, match.start() - NEAR), match.start()):
            yield match


def directs(text: str) -> bool:
    """Whether a sentence tells the reader to go on elsewhere ("then go to 2.1"), not where more can be read."""
    return len(text) <= LONGEST_SENTENCE and _DIRECTING.search(text) is not None and not refers(text)


def sends_on(text: str) -> bool:
    """Whether a sentence sends the reader to another place in its own words."""
    return len(text) <= LONGEST_SENTENCE and _SENDING.search(text) is not None


def ending(text: str) -> LinkAction | None:
    """RESOLVED or ESCALATE where a sentence ends the procedure, by what it says last."""
    if len(text) > LONGEST_SENTENCE or not mentions(lowered(text), _ENDS):
        return None
    if _STOPS.match(text):
        return LinkAction.ESCALATE
    found = [
        (match.start(), action)
        for pattern, action in ((_ESCALATE, LinkAction.ESCALATE), (_RESOLVED, LinkAction.RESOLVED))
        for match in pattern.finditer(text)
        if not _NOT_SO.search(text[: match.start()]) and not _FETCHED.match(text, match.start())
    ]
    return max(found)[1] if found else None
