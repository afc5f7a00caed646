"""What a person says to move the walk, and nothing that was seen: done, back, skip, a human, the second one.

Each class is compared with the whole line as `spelling` gives it, so "the back light is on" moves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from thread_core.walking.phrases import Phrase, meant
from thread_core.walking.spelling import plain, spelled
from thread_core.walking.states import Event

_ASKING = (
    r"(?:(?:ok(?:ay)?|no|oops|so|and|then|well|wait|actually|just|please|(?:can|could|may) (?:i|we|you)|let me|let's"
    r"|i'll|i(?:'?d| would) (?:like|rather|prefer)(?: to)?|(?:i |we )?(?:just )?(?:want|need|have) to|i'm going to)"
    r"[\s,]+){0,4}"
)
"""What may stand before what is wanted."""
_BESIDES = r"(?:[\s,]+(?:please|now|for now|then|here|right now|instead))*[\s,.!?]*"
"""What may stand behind it."""
_FOR_US = r"(?:human(?: being)?|person|agent|operator|representative|rep|technician|live chat)"
_SUPPORT = (
    r"(?:(?:tech(?:nical)? |customer )?support(?: team| staff)?|customer (?:service|care)|(?:service|help) ?desk)"
)
_SOMEBODY = (
    rf"(?:(?:an?|the|your|some|any) )?(?:(?:real|live|actual|human|support|service) ){{0,3}}(?:{_FOR_US}|{_SUPPORT}"
    r"|people|some(?:one|body)(?: (?:else|real|there))?|any(?:one|body))"
    rf"(?: (?:from|in|at|of) (?:the |your )?(?:team|staff|{_SUPPORT}))?"
)
_HELPS = r"(?:(?:help|call|contact|look at|take over|deal with)(?: (?:me|us|this|it))?(?: (?:back|with (?:this|it)))?)"
_REACH = (
    r"(?:(?:talk|speak|chat) (?:to|with)|call|contact|reach|ask|get(?: me)?|give me|have|i want|want|i need|need"
    r"|i(?:'?d| would) like|(?:transfer|connect|pass|put) (?:me|it|this|us)(?: over| through)? (?:to|with)"
    r"|escalate (?:it |this )?to)"
)
_A_SECOND = r"(?:(?:a|one) (?:moment|min(?:ute)?|sec(?:ond)?)|(?:1 )?sec)"
_SAID = {
    Event.BACK: r"(?:(?:go|take (?:me|us)|bring (?:me|us)|move|step) )?(?:(?:one|a) step )?back"
    r"(?: (?:one|a) step| to the (?:last|previous) (?:step|one))?|undo(?: (?:that|this|it))?"
    r"|prev(?:ious)?(?: (?:step|one))?|the step before|oops|i meant the other one"
    r"|(?:that was |that's )?(?:the )?wrong (?:one|step|option|answer)",
    Event.SKIP: r"skip(?: (?:it|that|this|the|step|one|part))*|pass",
    Event.RESTART: r"restart|(?:(?:re)?start|begin)(?: all)? (?:again|over|anew|afresh"
    r"|from (?:the )?(?:start|beginning|top|scratch))"
    r"|(?:go )?(?:back )?(?:to|from) the (?:very )?(?:start|beginning|top)",
    Event.WHY: r"why(?: (?:that|this|is that|is this|do you ask)(?: step)?)?|why should i(?: do (?:that|this))?",
    Event.SHOW: r"where (?:am i|are we|was i|were we)|(?:show|say)(?: (?:it|that|me))? again|repeat(?: (?:it|that))?"
    rf"|wait|(?:hold|hang) on|brb|be right back|(?:(?:just|give me|wait|hold on|hang on),? )?{_A_SECOND}",
    Event.HAND_OVER: rf"(?:i(?:'m| am)? )?giv(?:e|ing) (?:it )?up|forget (?:it|about it)|never ?mind"
    r"|this is (?:useless|pointless|hopeless|a waste of time)|(?:i'm|i am) done with this|i've had enough"
    r"|hand (?:(?:it|this|me) )?over(?: to somebody(?: [^\n]{1,80})?)?|hand (?:it|this) to somebody(?: [^\n]{1,80})?"
    r"|escalate(?: (?:it|this))?"
    r"|transfer me|(?:(?:can |could )?some(?:one|body) )?call me(?: back)?"
    rf"|{_REACH} {_SOMEBODY}(?: about (?:this|it|that)| (?:to )?{_HELPS})?"
    rf"|(?:can|could|would|will) {_SOMEBODY} (?:please )?{_HELPS}"
    rf"|is there {_SOMEBODY} (?:(?:who|that) )?(?:(?:i|we) )?(?:can|could) (?:{_HELPS}|ask|(?:talk|speak) (?:to|with))"
    rf"|(?:is|are) (?:there|this|you) (?:an? |any )?(?:real |live )?{_FOR_US}"
    rf"|(?:(?:an?|real|live|actual) ){{0,3}}{_FOR_US}|{_SUPPORT}",
}
_STOPS = re.compile(
    rf"{_ASKING}(?:(?:stop|abort|cancel|halt|quit|exit)(?: (?:it|this|that|everything|all(?: of (?:it|this))?))?"
    rf"|do nothing|(?:do not|don't) (?:do|run) (?:it|this|that|anything)){_BESIDES}",
    re.IGNORECASE,
)
_EVENTS = {event: re.compile(rf"{_ASKING}(?:{said}){_BESIDES}", re.IGNORECASE) for event, said in _SAID.items()}

_FINE = r"all (?:good|set|fine)|fine|good|great|perfect|nice|awesome|excellent|success|(?:we're|i'm) (?:all )?good"
"""What agrees, and may say as well how it looks."""
_AGREES = (
    rf"{_FINE}|ok(?:ay)?|yes|yep|yup|yeah|sure(?: thing)?|al(?:l )?right|cool|got (?:it|that)|gotcha|understood|roger"
    r"|will do|of course|please|thanks|cheers"
)
_DONE = r"(?:did|done|finished|completed?)"
_DID = (
    rf"(?:(?:i|we)(?:'m|'ve| am| have)? )?(?:(?:just|all|already) ){{0,2}}(?:{_DONE}|ready)"
    r"(?: (?:it|that|this|those|these|them|so|everything|all(?: of (?:it|that|this|them))?|with (?:it|that)"
    r"|(?:this|the) step)){0,2}(?: (?:already|too|as well|before|now(?=\W*$)))?|(?:it's|that's|it is|that is) done"
)
_WHAT_NEXT = (
    r"(?:what(?:'s| is| comes| should i do| do i do| to do| now)?(?: the)? next(?: (?:step|one|thing))?"
    r"|and (?:now|then|after (?:that|this))|what now|now what|(?:and )?then what|what then)"
)
_UPCOMING = rf"(?:(?:go )?to the )?next(?: (?:step|one))?|{_WHAT_NEXT}"
"""What goes on to the next step, and cannot be leave to run the one at hand, as "continue" may."""
_ON = (
    rf"{_UPCOMING}|(?:continue|go on|go ahead|carry on|move on|keep going|proceed)"
    r"(?: with (?:the|this) (?:rest|procedure|process|guide|steps?|instructions?|walk))?"
    r"|step|then(?=\W*$)"
)
_OF_DOING = frozenset(
    """
    i we you he she they the user customer person says said confirms confirmed reports a an all every everything
    each both of above shown listed given told this these those it them step steps instruction instructions task tasks
    action actions command commands part parts is are was were be been am has have had just already now successfully
    fully as with so done did do completed complete finished performed executed carried out ready on screen described
    instructed first second third last one two three and to through
    """.split()
)
"""The words in which it is said that what is on the screen was done, and nothing else."""
_OF_WAITING = frozenset(
    """
    i we you he she they the user customer person a an any is are am was has have had been be for on still to from of
    waiting wait awaiting responded respond response replied reply answered answer yet not no it this that see above
    """.split()
)
"""The words in which it is said that nobody has told anything yet, and nothing else."""
_WAITS = re.compile(r"\b(?:await(?:ing)?|waiting for|see above|(?:user|customer|person) (?:has|is|did)\b)")
_OF_DONE = re.compile(
    r"^(?!(?:is|are|was|were|has|did)\b).*\b(?:done|finished|completed|performed|executed|carried out)\b"
)
_LETTERS = re.compile(r"[a-z']+")


def _nothing_but(*several: str) -> re.Pattern[str]:
    """Some phrases, one after the other, and nothing else; only the last of the classes may be a question."""
    *stated, asked = several
    said = "|".join(stated)
    return re.compile(rf"(?>(?:(?:{said})(?![\w'])[\s,.!;]*+|(?:{asked})(?![\w'])[\s,.!?;]*+)++)", re.IGNORECASE)


_NEXT = _nothing_but(_DID, _AGREES, _ON)
_PASSED = _nothing_but(r"ok(?:ay)?|please|step", _UPCOMING)
_SAYS_NEXT = re.compile(r"\bnext\b", re.IGNORECASE)
_SAYS_DONE = re.compile(rf"\b{_DONE}\b", re.IGNORECASE)
_ASKS_ON = re.compile(rf"(?:\s*[,.;:!–—-]\s*(?:{_WHAT_NEXT}|next)|\s+{_WHAT_NEXT})\W*$", re.IGNORECASE)
_AGREED = _nothing_but(_AGREES, _AGREES)
_PRAISE = re.compile(rf"(?:(?:ok(?:ay)?|yes|yeah)[\s,.!]+){{0,2}}(?:{_FINE})[\s,.!]*", re.IGNORECASE)
_BYE = _nothing_but(
    r"(?:good ?)?bye|good ?night|see you(?: later)?|take care|have a (?:good|nice|great) (?:day|one|evening|weekend)"
    r"|no,? thanks|thanks(?: again)?(?: for (?:the|your|all) (?:\w+ )?help)?|that(?:'s| is) (?:all|it)|nothing else"
    r"|so much|you too|you're (?:great|awesome|the best)",
    _AGREES,
)

_COUNTED = "one two three four five six seven eight nine ten".split()
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_PICKED = re.compile(
    r"(?:(?:it's|it is|i (?:choose|take|pick|mean|meant|think|guess)|(?:the )?user (?:selected|chose|picked|chooses)"
    r"|choose|pick|take|go (?:for|with)|the)\s+){0,3}"
    rf"(?:(?P<ordinal>{'|'.join(_ORDINALS)}|\d{{1,2}}(?:st|nd|rd|th)|last(?= ))(?: (?:one|option|choice))?"
    rf"|(?:(?:(?:outcome|answer|option|choice)\s*)?(?:number\s*|:\s*)|(?:outcome|option|choice)\s*|no\.?\s*(?=\d)|#)(?P<number>\d{{1,2}}|{'|'.join(_COUNTED)})|(?P<word>{'|'.join(_COUNTED)}))"
    r"[\s.!]*",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    r"(?:both|all(?= of))(?: of (?:them|these|those))?[\s.!]*"
    r"|\d{1,2}(?:(?:\s*[,&+/]\s*|\s*,?\s+(?:and|or)\s+)\d{1,2}){1,20}[\s.!?]*",
    re.IGNORECASE,
)


def asked_for(text: str) -> Event | None:
    """What a line asks for, where that is all it says: "can we go back please"; None where it says anything else."""
    said = plain(text)
    if not said or _NEXT.fullmatch(said) or (says_it_is_done(text) and not any(map(str.isdigit, said))):
        return Event.NEXT
    if _says_only(said, _OF_WAITING, _WAITS):
        return Event.SHOW
    return next((event for event, pattern in _EVENTS.items() if pattern.fullmatch(said)), None)


def says_it_is_done(text: str) -> bool:
    """Whether it says that what is on the screen was done, which step it names or not, and nothing else.

    Example:
        >>> says_it_is_done("Step 1 is done."), says_it_is_done("the drain is done"), says_it_is_done("is it done")
        (True, False, False)
    """
    return _says_only(plain(text), _OF_DOING, _OF_DONE)


def _says_only(said: str, words: Collection[str], what: re.Pattern[str]) -> bool:
    """Whether a line has no words but some, and says with them what it is about."""
    line = said.lower()
    return what.search(line) is not None and all(word in words for word in _LETTERS.findall(line)) and "?" not in line


def asks_on(text: str) -> bool:
    """Whether a line asks for what comes next, whatever it says before that: "done, what next?"."""
    said = plain(text)
    return _SAYS_NEXT.search(said) is not None or _ASKS_ON.search(said) is not None


def before_going_on(text: str) -> str:
    """What a line reports before it asks what comes next: "it is unplugged, what's next?"; empty where it does not.

    Example:
        >>> before_going_on("it is unplugged, whats next"), before_going_on("it is unplugged now")
        ('it is unplugged', '')
    """
    said = _ASKS_ON.search(plain(text))
    return plain(text)[: said.start()].strip() if said else ""


def stops(text: str) -> bool:
    """Whether nothing is to be done for now, and nothing else is said: "abort", "please stop everything"."""
    return _STOPS.fullmatch(plain(text)) is not None or meant(text) is Phrase.STOP


def agrees(text: str) -> bool:
    """Whether it agrees and nothing else: "ok", "cool, thanks". What is done is not said by that."""
    return _AGREED.fullmatch(plain(text)) is not None


def says_done(text: str) -> bool:
    """Whether it says that something was done, and not only that one agrees or goes on."""
    return _SAYS_DONE.search(plain(text)) is not None or meant(text) is Phrase.NEXT


def passes_by(text: str) -> bool:
    """Whether it goes past what might be run, because it is done or is not wanted; "continue" may be leave."""
    said = plain(text)
    return says_done(text) or (_PASSED.fullmatch(said) is not None and _SAYS_NEXT.search(said) is not None)


def may_be_seen(text: str) -> bool:
    """Whether it may say how something looks, beside that one goes on: "all good", "fine"."""
    return _PRAISE.fullmatch(plain(text)) is not None


def is_closing(text: str) -> bool:
    """Whether nothing is wanted any more by who says it at the end: "thanks, bye", "cool"; not "next"."""
    said = spelled(text)
    return _BYE.fullmatch(said) is not None or (bool(said) and not any(sign.isalnum() or sign == "?" for sign in said))


def picked(text: str, options: int) -> int | None:
    """The number of the option that is named by where it stands: "the second one", "option 2", "the last one".

    Where there are no options, only one that is said to be an option's.
    """
    match = _PICKED.fullmatch(plain(text))
    if match is None or not (options or match["number"]):
        return None
    said = (match["ordinal"] or match["number"] or match["word"]).lower()
    if said == "last":
        return options
    for words in (_ORDINALS, _COUNTED):
        if said in words:
            return words.index(said) + 1
    return int(re.sub(r"\D", "", said))


def picks_several(text: str) -> bool:
    """Whether it names several options by their numbers, or all: "1 and 3", "both"."""
    return _SEVERAL.fullmatch(plain(text)) is not None
