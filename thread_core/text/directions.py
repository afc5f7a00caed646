"""Sentences -> where they send the reader: jumps, endings, references.

Words only; which unit a jump means is `linkers`' to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from thread_core.models import LinkAction
from thread_core.text.denials import BAD, in_trouble
from thread_core.text.opposites import compare
from thread_core.text.sentences import (
    LONGEST_SENTENCE,
    beginnings,
    has,
    lowered,
    mentions,
    places,
    tells,
    wholes,
    without_remark,
)

_NEXT_STEP = re.compile(
    r"\b(?:go|jump|proceed|continue|move|advance|skip(?=\s+(?:ahead\s+)?to\b))\s+"
    r"(?:(?:on|ahead|straight|directly|to|with|at|the)\s+){1,5}next\s+step\b(?!:)",
    re.IGNORECASE,
)
_STEP_JUMP = re.compile(
    r"(?:\b(?:go|going|goes|skip|jump|proceed|continue|return|move|advance|start (?:over|again)|restart|resume|back"
    r"|carry on|repeat|redo)\b(?:(?!\b(?:until|till|that|which|who|after|before|once|when|if|for)\b)[^.;])*?"
    r"|\b(?:try|follow|(?<!\byou\s)(?:do|perform))\s+(?:(?:the|instructions?|procedure|in|from|again|with)\s+){0,5}"
    r"|(?:->|=>|[→⇒➜]|,\s+see"
    r"|^(?:see|(?:(?:or|and|but)\b\s*)?(?:(?:to|with|at)\b)?)(?=\s+steps?\s+\d+,?\s+(?:if|when|unless|in case)\b))\s*)"
    r"\bsteps?\s+#?(\d{1,3})\b(?!\s+(?:for|is|are)\b)",
    re.IGNORECASE,
)
_SKIP = re.compile(
    r"\bskip(?:ping)?\s+(?:to\s+)?steps?\s+(\d{1,3})(?:\s*(?:,|and|-|–|to|through)\s*(\d{1,3}))*",
    re.IGNORECASE,
)
_STEP_OF = re.compile(
    r"\bsteps?\s+#?\d{1,3}(?:\s*(?:,|and|or|to|through|–|-)\s*\d{1,3}){0,5}\s+(?:of|in|from|under|on)\s+(?:\w+\s+){0,3}\W*$",
    re.IGNORECASE,
)
_A_STEP = re.compile(r"step(?<=\bstep)s?\s+#?\d")
_CALLED = (
    *("method", "option", "procedure", "workaround", "resolution", "solution", "cause", "appendix", "section", "part"),
    *("scenario", "approach", "case", "phase", "stage"),
)
"""What sections are called that a number or a letter tells apart."""
_KINDS = rf"(?:{'|'.join(_CALLED)})(?<!\bin case)"
_LETTER = r"(?:[b-z]|(?-i:A)|a(?=[.,;:)]|\W*$))"
"""One that tells them apart; "a" is mostly an article."""
_A_SECTION = wholes(*_CALLED)
_A_NUMBER = re.compile(r"(?:to|with|at)\s+\d{1,2}\.\d")
"""Of these every jump names one, in lower case; they are looked for first, because few sentences have it."""
_DOTTED = re.compile(r"\.(?<=\d\.)\d")
"""With its dot first, which is looked for many times as fast as a digit."""
_COUNTED = re.compile(rf"(?:{_KINDS}|step)\s+(?:\d{{1,2}}|{_LETTER})\b", re.IGNORECASE)
_FOLLOWING_JUMP = re.compile(
    r"\b(?:go|skip|jump|proceed|continue|move|try|see|use|follow|perform|do)\s+"
    r"(?:(?:on|ahead|directly|to|with|at|out|the|instructions|steps|procedure|in)\s+){0,6}"
    rf"(?:next\s+(?P<next>{_KINDS})\b(?!:)|following\s+(?P<following>section)\b(?!:)"
    rf"|(?P<below>{_KINDS})\s+that\s+follows\b|(?<=\bthe\s)(?P<section>section)\s+below\b)",
    re.IGNORECASE,
)
_FOLLOWING = ("next", "follow", "below")
"""Of these `_FOLLOWING_JUMP` has one."""
_SECTION_JUMP = re.compile(
    rf"\b(?:go|skip|jump|proceed|continue|return|move|try|see|use|follow|refer)\b[^.;]*?\b({_KINDS}"
    rf"\s+(?:\d{{1,2}}(?:\.\d{{1,2}})*|{_LETTER}|(?-i:[A-Z]{{2}})))\b"
    r"|\b(?:go|skip|jump|proceed|continue|return)\s+(?:back\s+|on\s+)?"
    r"(?:to|with|at)\s+(?P<number>\d{1,2}(?:\.\d{1,2})+)\b",
    re.IGNORECASE,
)
_GOING = ("go", "continue", "proceed", "jump", "skip", "return", "move")
_TO_NUMBER = r"(?:(?:back|on|straight|ahead|directly)\s+)?(?:to|with|at)\s+"
_TO_A_NUMBER = tuple((verb, re.compile(rf"{verb}(?<=\b{verb})\s+{_TO_NUMBER}\d")) for verb in _GOING)
_NUMBER_JUMP = re.compile(
    rf"(?:^|[,;:.(–—>→]|\s-\s|\b(?:and|or|but|then|please|otherwise|else)\b)\s*(?:{'|'.join(_GOING)})\s+{_TO_NUMBER}"
    r"(?P<number>\d{1,2})"
    r"(?=[.,;:)!]*\s*$|[.,;:)](?!\d)|\s+(?:if|when|unless|in case|and|or|otherwise|else|below|above|again)\b)",
    re.IGNORECASE,
)
"""A bare number, where an instruction begins: "go to 3", not "the counter goes to 3" or "go to 3 pumps"."""
_DIRECTING = re.compile(
    r"(?:^\W*|[,;:]\s*|\b(?:and|then|please|now)\s+)"
    r"(?:go (?:back |on |straight )?(?:to|with)|continue (?:to|with|at|in|by)|proceed (?:to|with)|return to|skip to"
    r"|jump to|move on to|follow|refer to|perform|work through|complete|apply|begin with"
    r"|start (?:again )?(?:with|at))\b",
    re.IGNORECASE,
)
_CIRCUMSTANCE = re.compile(
    r"(?P<case>(?:after|for|with|during|(?P<place>on|in|at|under|from))\b"
    r"(?!\s+(?:this|that|these|those|example|instance|general|addition|order)\b)(?:[^,.:]|\.(?=\d)){3,60}),\s+\w",
    re.IGNORECASE,
)
_ALWAYS = re.compile(
    r"(?:^|\s)(?:in (?:either|both|any|every|each|all) (?:cases?|events?)(?! (?:of|that|when|where)\b)|either way"
    r"|regardless|irrespective|no matter|whether or not|(?<!.)whatever|afterwards?)\b",
    re.IGNORECASE,
)
_CASES = ("case", "event", "either way", "regardless", "irrespective", "matter", "whether", "whatever", "afterward")
"""Of these `_ALWAYS` has one."""
_SENDING = re.compile(
    r"\b(?:go (?:back )?to|return to|skip to|jump to|proceed (?:to|with)|continue (?:below )?(?:to|with|at)|see|follow"
    r"|refer to|use|try|described in|steps in|section)\b",
    re.IGNORECASE,
)
_NOUN = r"(?:(?!(?:with|without|of|that|which|who|in|on|from|to|by|than)\b)[\w-]+ ){0,4}?"
_REFERENCE = re.compile(
    rf"(?:for|to (?:learn|read|know|find out|get|see)|if you (?:want|need|would like))\s+{_NOUN}"
    r"(?:(?:more|further|additional)\b(?! than\b)|(?:details?|detailed|general|background|comprehensive|information"
    r"|instructions?|guidance|documentation|explanations?|examples?|list|troubleshooting steps|solutions|help"
    r"|assistance|suggest(?:ed|ions?)|recommend(?:ed|ations?))\b)"
    r"|(?:see also|learn more|more (?:information|details)|read more|also see|source|reference)\b",
    re.IGNORECASE,
)
"""How a sentence begins that says for what to read something else: what is read, not what is the case."""
_OFFER = re.compile(
    r"\W*(?:please\s+|also\s+)*(?:see|refer to|read|consult|visit|check(?: out)?)\b.*?\bfor\s+"
    r"(?:\w+\s+){0,2}?(?:more|further|additional|details?|detailed|general|background|information)\b"
    r"|\W*you (?:can|will|may) (?:also )?find (?:more|further|additional|details?)\b[^.,;:()]*?\s+(?:in|at)\b"
    r"|\W*(?:see also|also see)\b|\W*(?:more )?details\W*$",
    re.IGNORECASE,
)
_RESOLVED = re.compile(
    r"\b(?:(?:issue|problem|incident|alert|error|fault)s?\s+(?:is|are|has been|have been|should be"
    r"|was)?\s*(?:now\s+)?(?:resolved|fixed|solved|gone|cleared|finished)"
    r"|(?:this|that|it|you(?: have|['’]ve)?)\s+(?:has\s+)?(?:resolved|fixed|solved)\s+"
    r"(?:it|(?:the|your) (?:issue|problem|error))"
    r"|no (?:further|more|other) (?:action|steps?)|nothing (?:more|else|further)? ?(?:to do|needs? to be done)"
    r"|no action (?:is )?(?:needed|required|necessary)|^do nothing|you (?:can|may) stop(?: here| now)?(?=\W*$)"
    r"|you (?:need not|needn['’]t|(?:do not|don['’]t) (?:need|have) to) (?:go on|continue|proceed)(?=\W*$)"
    r"|you(?:['’]re| are) (?:done|finished)"
    r"|you(?:['’]re| are) (?:now )?(?:back online|online again|back in business|up and running)(?: now)?(?=\W*$)"
    r"|^(?:all|everything)(?:['’]s| is) (?:now )?"
    r"(?:well|fine|good|ok(?:ay)?|in order|working|back to normal)(?: again| now)?(?=\W*$)"
    r"|^(?:now )?everything works(?: again| now)?(?=\W*$)|^that (?:was|did) it(?=\W*$)"
    r"|(?:^|please )close the (?:ticket|alert|incident|case)(?! \w)"
    r"|you have (?:finished|completed the procedure)|the procedure is (?:complete|finished|done)"
    r"|^(?:great|perfect|excellent|congratulations|well done|done)(?=\W*$)"
    r"|you(?:['’]re| are) (?:all set|good to go)|has (?:now )?returned to normal"
    r"|^(?:you(?:['’]re| are) |it['’]?s |it is )?(?:finished|complete|through|over)(?=\W*$)"
    r"|^(?:that|this)(?:['’]s| is) (?:it|all)(?=\W*$))\b",
    re.IGNORECASE,
)
_HARMLESS = re.compile(
    r"\b(?:(?:can|may) (?:safely )?(?:be )?(?:ignored?|disregard(?:ed)?)|false (?:alarm|positive|alert)"
    r"|(?:^|safely |please )(?:ignore|disregard)"
    r" (?:it|th(?:e|is|ese) (?:\w+ ){0,2}(?:message|warning|error|alert|notification)s?)"
    r"|works? as (?:expected|designed|intended)|(?:this|that|it)(?:['’]s| is) (?:expected|normal)"
    r"|^(?:it|that|this)(?: has)? worked(?=\W*$))\b",
    re.IGNORECASE,
)
"""Nothing is wrong with what is seen, so that the procedure ends here, unless there is more of it to do."""
_NOT_SO = re.compile(
    r"(?:\b(?:not|never|cannot|may|might|when|whenever|once|until|till|unless|if|whether|after|before"
    r"|verify|check|confirm|ensure|sure|see|soon as)|n['’]t):?(?:\s+(?:that|the|this|your|an?|always|\w+ly)){0,2}"
    r"(?:\s+(?:the|this|your|an?)\s+[\w-]+)?\s*$",
    re.IGNORECASE,
)
"""Before what is denied, or is so only later: "close it when you are finished", "it may not work as expected"."""
_AT_AN_END = (
    *("solved", "fixed", "gone", "cleared", "finished", "action", "step", "nothing", "ignore", "false", "done", "stop"),
    *(
        "disregard",
        "close",
        "complete",
        "expected",
        "designed",
        "intended",
        "normal",
        "great",
        "perfect",
        "excellent",
        "congrat",
    ),
    *("well done", "all set", "good to go", "through", "is over", "s over", "that is", "that's", "that’s", "this is"),
    *("online", "in business", "running", "need", "have to", "all", "everything", "that was", "that did", "worked"),
)
"""Of these `_RESOLVED` and `_HARMLESS` have one."""
_BROKEN_OFF = re.compile(
    r"(?:(?:please|then|so|and|you (?:must|should|have to)|immediately)\s+){0,3}"
    r"(?:(?P<stop>stop(?P<here>\s+(?:here|at this point))?(?:\s+now)?(?=\W*$))"
    r"|(?:stop|abort|halt|quit|break off)(?:\s+(?:here|now|immediately|at once|at this point))?"
    r"|(?:stop|abort|halt|quit|cancel|end|leave|break off)\s+(?:this|the)\s+"
    r"(?:procedure|process|guide|runbook|instructions)"
    r"|(?:do not|don['’]t|never) (?:continue|proceed|go on|go (?:any )?further)(?:\s+(?:here|any further|further))?"
    r"(?:\s+with(?:\s+(?!(?:until|till|before|unless|without|if|while)\b)[\w-]+){1,5})?)"
    r"(?=\W*$|\W+(?:and\s+)?(?:do not|don['’]t|never)\b|\s+and\s+(?:tell|call|contact|inform|notify|alert|report)\b)",
    re.IGNORECASE,
)
"""The procedure ends here and nothing is solved: "STOP", "do not continue"; not "stop the service"."""
_NEWLY = re.compile(r"\b(?:now|again)\b", re.IGNORECASE)
_ALARMING = re.compile(rf"\b(?:red|{BAD})\b", re.IGNORECASE)
_STOP_AT = re.compile(r"\bstop(?: here)? (?:(?:as soon as|once)|(?P<when>when))\b", re.IGNORECASE)
"""Says how far to go: "stop as soon as the tank is full"; "when" may say as well that something is wrong."""
_IN_TURN = re.compile(r"\b(?:try|work through|go through)\b", re.IGNORECASE)
"""Before it, that several things are tried, so that the first that helps is the end."""
_PARTY = (
    r"(?:support|team|administrators?|admins?|vendor|manufacturer|engineer\w*|on-?call|help ?desk|service desk"
    r"|department|provider|dealer|retailer|reseller|technician|specialist|expert|owner|manager|maintainers?|developers?"
    r"|supplier|landlord|electrician|plumber|supervisor|hotline|hr|sre)\b"
)
"""People, alone or in an organisation, to whom a case is handed."""
_ESCALATE = re.compile(
    r"\b(?:(?:open|create|raise|file|submit|log)\s+(?:(?:the|an?)?\s*(?:\w+\s+){0,4}?(?:case|ticket)"
    r"|an?\s+(?:\w+\s+){0,4}?(?:request|bug|issue|incident|(?:p|sev(?:erity)?[ -]?|prio(?:rity)?[ -]?)\d))\b"
    rf"|(?:contact(?:ing)?|call|consult|ask|engage|involve|notify|inform|alert|e-?mail|talk to|speak (?:to|with))\s+"
    rf"(?:[\w'’-]+\s+){{0,4}}?{_PARTY}"
    r"|(?:tell|ping|loop in|bring in|pull in"
    r"|(?:^|(?<=and )|(?<=then )|(?<=please )|(?<=to )|(?<=[,;:] ))(?:page|message))\s+"
    rf"(?:[\w'’-]+\s+){{0,4}}?{_PARTY}"
    r"(?=\W*$|[,.;:)]|\s+(?:and|or|to|on|in|via|by|with|about|at|for|so|that|of)\b)"
    r"|(?:ask|ping|page|message|post|write)\s+(?:(?:in|to|on|it)\s+){0,2}[#@]\w"
    r"|contact(?:ing)?\s+(?:your|our|us|(?-i:[A-Z]\w+))\b"
    r"|(?:escalate|escalation|escalating|reach out to|page the)\b"
    r"|(?:get|ask for) help from\b|report (?:it|this|the \w+) to\b|hand (?:\w+ ){0,3}over to\b"
    r"|(?:send|write) an? e-?mail to\b)",
    re.IGNORECASE,
)
_HANDING = beginnings(
    *("open", "create", "raise", "file", "submit", "log", "contact", "call", "consult", "ask", "engage", "involve"),
    *("notify", "inform", "alert", "email", "e-mail", "talk", "speak", "tell", "ping", "loop", "bring", "pull", "page"),
    *("message", "post", "write", "escalat", "reach", "get", "report", "hand", "send"),
)
"""With one of these `_ESCALATE` begins."""
_FETCHED = re.compile(
    r"(?:contact(?:ing)?|call|consult|ask|e-?mail)\b[^.;]*?\bfor\s+(?:(?!(?:and|or|with|about|on|of|in|to|if)\b)[\w'’-]+\s+){0,3}"
    r"(?:updates?|upgrades?|versions?|cop(?:y|ies)|drivers?|patch(?:es)?|licen[cs]es?|keys?"
    r"|approvals?|permissions?|confirmations?|consent|sign-?offs?|access|names?|numbers?|passwords?)\b"
    r"|ask\b[^.;,]*?\s(?:whose|which|whether|who|when|where|what(?! (?:to|next)\b)|how (?:many|much|long|old))\b",
    re.IGNORECASE,
)
"""What is asked of others to go on with: things, leave, or what they know."""
_INSTEAD = re.compile(
    r"(?:\b(?:not|never|no need to|need not|without|instead of|rather than|before)|n['’]t)\s+"
    r"(?:(?!hesitate)\w+\s+){0,2}$",
    re.IGNORECASE,
)
_NO = (
    r"(?:\b(?:(?:do|must|should|shall|need|may|can|will|please|to)\s+not|cannot|never|without|instead\s+of|rather\s+than"
    r"|no\s+need\s+to|not\s+(?:necessary|required|needed|allowed)\s+to|before(?:\s+you)?)"
    r"|\b(?:do|must|should|need|can|wo)n['’]t)\s+"
    r"(?:(?:to|yet|just|simply|ever|directly|need|have|try|attempt|immediately)\s+){0,4}"
)
_DENIED = re.compile(rf"{_NO}$", re.IGNORECASE)
"""Before a verb that sends the reader on: "do not go to step 3", and not "if not go to step 3"."""
_DENIED_LINK = re.compile(
    rf"(?!\b(?:without|before|never\s+used)\b){_NO}(?:see|read|go|use|follow|open|consult|refer|visit|continue|proceed|return|try|apply|perform)\w*\b"
    r"(?:\s+(?!(?:but|before|until|till|unless|without|if|when|in|on|from|by|any|that|which|listed)\b)[\w-]+){0,4}\W*$",
    re.IGNORECASE,
)
"""Before a hyperlink to which nobody is sent: "you need not see [the guide]"."""
NEAR = 80
"""Characters before a verb in which it may be denied."""
_NOS = ("not", "n't", "n’t", "never", "without", "instead", "rather", "no need", "before")
"""Of these a denial has one."""
_THEN = re.compile(r"\bthen\s+", re.IGNORECASE)
_CLAUSES = re.compile(r"[,;:.]\s+(?:(?:and|then)\s+)*|\s+and\s+", re.IGNORECASE)
_AND_THEN = re.compile(r"\b(?:and|then)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Jump:
    """A step ("5"), or a section ("Method 2"), that the text sends the reader to."""

    step: int | None = None
    section: str = ""
    """Or a number alone ("3", "2.1"): of a section, or of a step."""
    following: str = ""
    """What the section after this one is called ("the next method")."""


def may_jump(said: str) -> bool:
    """Whether a text in lower case names a step or a section: many times as fast as to look for a jump."""
    return _names_step(said) or _names_section(said) or has(said, _TO_A_NUMBER)


def _names_step(said: str) -> bool:
    return "step" in said and _A_STEP.search(said) is not None


def _names_section(said: str) -> bool:
    return has(said, _A_SECTION) or (_DOTTED.search(said) is not None and _A_NUMBER.search(said) is not None)


def is_counted(heading: str) -> bool:
    """Whether a heading is one of several that are tried in turn: "Method 2", "Cause B: ...", "Step 3"."""
    return _COUNTED.match(heading) is not None


def is_counted_alone(name: str) -> bool:
    """Whether a name is nothing but what such a heading begins with: "Method 2"."""
    return _COUNTED.fullmatch(name.strip()) is not None


def refers(sentence: str) -> bool:
    """Whether a sentence offers something to read besides ("For more information, see B"): no case, and no way on."""
    if len(sentence) > LONGEST_SENTENCE:
        return False
    return _REFERENCE.match(without_remark(sentence)) is not None or _OFFER.match(sentence) is not None


def circumstance(sentence: str) -> str:
    """What comes before the comma of an instruction to go elsewhere ("After the third try, go to Appendix A").

    "In the menu, click B" only says where.
    """
    match = None if in_any_case(sentence) else _CIRCUMSTANCE.match(sentence)
    is_place = match is not None and match["place"] and not sends_on(sentence[match.end("case") :])
    return " ".join(match["case"].split()) if match and not is_place else ""


def in_any_case(sentence: str) -> bool:
    """Whether a sentence says of itself that it holds whatever was the case before it ("In either case, go to B")."""
    return mentions(lowered(sentence), _CASES) and _ALWAYS.search(sentence) is not None


def jump(text: str) -> Jump | None:
    """The step or section that a sentence sends the reader to, of several the first.

    "Skip steps 4 and 5" goes to step 6, "do not go to step 3" nowhere.
    """
    if len(text) > LONGEST_SENTENCE:
        return None
    said = lowered(text)
    names_step = _names_step(said)
    skipped = next(_meant(_SKIP, text, said), None) if names_step else None
    wanted = [int(match[1]) for match in _meant(_STEP_JUMP, text, said)] if names_step else []
    if skipped and not re.match(r"skip(?:ping)?\s+to\b", skipped[0], re.IGNORECASE):
        numbers = [int(number) for number in re.findall(r"\d+", skipped[0])]
        later = [number for number in wanted if number not in numbers]
        return Jump(step=later[0] if later else max(numbers) + 1)
    if wanted:
        return Jump(step=wanted[0])
    names_section = _names_section(said)
    for match in _meant(_FOLLOWING_JUMP, text, said) if names_section and mentions(said, _FOLLOWING) else ():
        return Jump(following=(match[match.lastgroup or 0]).lower())
    for match in _meant(_SECTION_JUMP, text, said) if names_section else ():
        if not re.match(r"skip(?:ping)?\s+(?!to\b)", match[0], re.IGNORECASE):
            return Jump(section=match[1] or match["number"])
    bare = _NUMBER_JUMP.search(text) if has(said, _TO_A_NUMBER) else None
    return Jump(section=bare["number"]) if bare else None


def goes_on(text: str) -> bool:
    """Whether a sentence sends the reader to the step after the one in which it stands."""
    said = lowered(text) if len(text) <= LONGEST_SENTENCE else ""
    return "next" in said and any(_meant(_NEXT_STEP, text, said))


def is_denied_link(before: str) -> bool:
    """Whether the words of a sentence before a hyperlink say not to go where it leads."""
    return mentions(lowered(before), _NOS) and _DENIED_LINK.search(before) is not None


def _meant(pattern: re.Pattern[str], text: str, said: str) -> Iterator[re.Match[str]]:
    """Where a pattern that begins with a verb matches, and nothing denies the verb.

    Args:
        pattern: What is looked for.
        text: A sentence.
        said: The same in lower case.
    """
    if not mentions(said, _NOS):
        yield from pattern.finditer(text)
        return
    at = 0
    while match := pattern.search(text, at):
        is_denied = _DENIED.search(text, max(0, match.start() - NEAR), match.start()) is not None
        at = match.start() + 1 if is_denied else match.end()
        if not is_denied:
            yield match


def is_step_of(sentence: str, name: str) -> bool:
    """Whether a sentence says that a step is one of what it names: "step 2 of Pump"."""
    if _A_STEP.search(lowered(name)):
        return True
    before, found, _ = sentence.partition(name)
    return bool(found) and _STEP_OF.search(before) is not None


def directs(text: str) -> bool:
    """Whether a sentence tells the reader to go on elsewhere ("then go to 2.1"), not where more can be read."""
    return len(text) <= LONGEST_SENTENCE and _DIRECTING.search(text) is not None and not refers(text)


def sends_on(text: str) -> bool:
    """Whether a sentence sends the reader to another place in its own words."""
    return len(text) <= LONGEST_SENTENCE and _SENDING.search(text) is not None


def only_sends_on(text: str) -> bool:
    """Whether a sentence says nothing but where to go on.

    Example:
        >>> only_sends_on("Go on with step 3."), only_sends_on("Clean it, then go to step 3.")
        (True, False)
    """
    return all(directs(clause) or sends_on(clause) for clause in _CLAUSES.split(text.strip(" .")))


def ending(text: str, sentence: str = "", around: str = "", condition: str = "") -> LinkAction | None:
    """RESOLVED or ESCALATE where a sentence ends the procedure.

    Args:
        text: What it says to do.
        sentence: All of it, its condition with it.
        around: The paragraph in which it stands.
        condition: Under which it is said: to stop is good where that is.
    """
    if len(text) > LONGEST_SENTENCE:
        return None
    said = lowered(text)
    if any(_is_meant(match, text) for match in _beginning_at(places(said, _HANDING), _ESCALATE, text)):
        return LinkAction.ESCALATE
    if broken := _BROKEN_OFF.match(text):
        until = _STOP_AT.search(sentence)
        return LinkAction.RESOLVED if not until and _is_good_to_stop(broken, condition) else _broken_off(until, around)
    return LinkAction.RESOLVED if _ends_well(text, _RESOLVED, _HARMLESS) else None


def breaks_off(text: str) -> bool:
    """Whether it begins by saying to do nothing more of the procedure: "do not go on", "stop and call the smith"."""
    return _BROKEN_OFF.match(text) is not None


def reassures(text: str) -> bool:
    """Whether a sentence says that nothing is wrong: no end where there are steps below it ("that is normal")."""
    return len(text) <= LONGEST_SENTENCE and _ends_well(text, _HARMLESS)


def _ends_well(text: str, *patterns: re.Pattern[str]) -> bool:
    """Whether one of some patterns finds in a text that all is well, nothing denies it, and no instruction follows."""
    return mentions(lowered(text), _AT_AN_END) and any(
        _is_last(_AND_THEN.search(text, match.end()), text) and not _NOT_SO.search(text[: match.start()])
        for pattern in patterns
        for match in pattern.finditer(text)
    )


def _is_good_to_stop(stop: re.Match[str], condition: str) -> bool:
    """Whether it is because all is well that nothing more is done: "If it is green now, stop here", no "STOP"."""
    if not stop["stop"] or stop["stop"].isupper() or "immediately" in lowered(stop[0]) or not condition:
        return False
    if in_trouble(condition) or _ALARMING.search(condition):
        return False
    is_new = _NEWLY.search(condition) is not None
    well = any(compare(condition, good) > 0 for good in ("it works", "it is green"))
    return (well and (is_new or bool(stop["here"]))) or (is_new and compare(condition, "it is on and runs") > 0)


def _broken_off(stop: re.Match[str] | None, around: str) -> LinkAction | None:
    """What it means to stop: that it is solved where it says when several things need be tried no further."""
    if stop is not None and _IN_TURN.search(around):
        return LinkAction.RESOLVED
    return LinkAction.ESCALATE if stop is None or stop["when"] else None


def _beginning_at(starts: Iterable[int], pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Where a pattern matches that begins at none but some places: looked for there, and not at every letter."""
    end = 0
    for start in sorted(starts):
        if start >= end and (match := pattern.match(text, start)):
            yield match
            end = match.end()


def _is_meant(match: re.Match[str], text: str) -> bool:
    """Whether nothing denies what is said ("do not contact support") and nothing is left to do after it."""
    if _INSTEAD.search(text[: match.start()]) or _FETCHED.match(text, match.start()):
        return False
    return _is_last(_THEN.search(text, match.end()), text)


def _is_last(onward: re.Match[str] | None, text: str) -> bool:
    """Whether no instruction follows a "then"."""
    return onward is None or not tells(text[onward.end() :])
