"""What a person's line means: an option's number, "done", yes or no, leave, or what was seen."""

from __future__ import annotations

import re

from thread_core.models import encodable
from thread_core.retrieval import prerequisites
from thread_core.retrieval.prerequisites import Known, Verdict
from thread_core.text import tense
from thread_core.walking import moves
from thread_core.walking.phrases import Phrase, meant
from thread_core.walking.spelling import plain, spelled
from thread_core.walking.states import Event

_I_DO = r"(?:it (?:does|is)|(?:i|we) (?:do|have)|i am|i'm)"
_STRESS = (
    r"(?:(?:well|oh|um+|hm+|definitely|absolutely|certainly|surely|clearly|of course|most|but|sorry|unfortunately"
    r"|i'm afraid|i am afraid|actually|really)\b[\s,.!–—-]*)*"
)
"""What may stand before a yes or a no."""
_BY_ITSELF = r"(?=\W*$|\s*[,.;:!–—-]|\s+(?:it|they|that|this|there|i|we|not|sir|sorry|thanks?)\b)"
"""A yes or a no that nothing is counted or named with: "No pods" is none."""
_NO = re.compile(
    rf"{_STRESS}(?:(?:no|nope|nah|never){_BY_ITSELF}|(?:n|false|none|neither)(?=\W*$|\s*[,.;:!–—-])"
    r"|not(?=\W*$|\s+(?:yet|really|at all|here|any ?more|any longer|so far|currently|now|quite|i|we|me|true)\b)"
    rf"|{_I_DO}\s+(?:not|never|(?<=have )(?:no|none|nothing|neither))\b|(?:(?:it|i|we) )?(?:does|do|have|is|are)n't\b)"
    r"(?!\s+(?:see|find|hear|understand|remember|get|think|believe)\b)",
    re.IGNORECASE,
)
_YES = re.compile(
    rf"(?:{_STRESS}(?:yes|yep|yeah|yup|y|sure|correct|right|true|ok(?:ay)?|indeed|exactly|please|thanks|it holds"
    rf"|{_I_DO}|(?:got|have) (?:it|that|one)|sure thing|of course|absolutely|definitely|certainly)(?:[\s,.!]+|$))+",
    re.IGNORECASE,
)
"""Words that agree, and nothing else."""
_YES_AND_MORE = re.compile(
    rf"{_STRESS}(?:yes|yep|yeah|yup|indeed|correct|{_I_DO}){_BY_ITSELF}(?!.*(?:\b(?:but|except|no|not)\b|n't\b|\?))",
    re.IGNORECASE | re.DOTALL,
)
_APPROVES = re.compile(
    r"(?:(?:yes|yep|yeah|y|sure|of course|ok(?:ay)?|please|(?:please )?(?:do|run) it|do so|go(?: ahead)?|approved?"
    r"|confirm(?:ed)?|(?:i|we) (?:approve|confirm)(?: (?:it|this))?|lgtm)(?:[\s,.!]+|$))+",
    re.IGNORECASE,
)
_ANSWER = re.compile(
    r"(?:(?P<yes>yes|yep|yeah|indeed|correct)|no|nope)(?:\s*(?:[,.;:!–—-]|$)|\s+(?:it|they|that|this|there|i|we)\b)",
    re.IGNORECASE,
)
"""A yes or a no that stands by itself: "No pods" is none."""
_UNSURE = re.compile(
    r"(?:(?:well|oh|um+|hm+|sorry)[\s,.]+)*(?:(?:i |we )?(?:don'?t|do not|can'?t|cannot) (?:really )?"
    r"(?:know|tell|say|remember)"
    r"|(?:(?:i am |i'?m )?not (?:really |so |quite |entirely )?(?:sure|certain)|no idea|no clue|unsure|unknown"
    r"|(?:i )?(?:have )?no (?:idea|clue)|maybe|perhaps|possibly|hard to (?:say|tell)|who knows|beats me|i guess)\b)",
    re.IGNORECASE,
)
_LOST = re.compile(
    r"(?:(?:sorry|please|but|well|oh|uh)[\s,.]+)*(?:help(?: me)?|h+m+|huh|\?+|which one|confused"
    r"|how (?:do|can|would) i (?:know|tell)"
    r"|(?:i am|i'm|we are|we're) (?:stuck|lost|confused)"
    r"|(?:i |we )?(?:did not|didn't|do not|don't) (?:understand|get)(?: (?:it|that|this))?"
    r"|(?:it is |it's )?(?:none|neither|not any) of (?:these|those|them|the above|that))(?:,? please)?\W*",
    re.IGNORECASE,
)
"""What asks for help, and nothing else."""
_OF_WHAT = re.compile(r"(?:,?\s+(?:what|which|how|if|whether|where|why)(?:\s+[a-z']+){0,6})?\W*", re.IGNORECASE)
"""After what says that one does not know: what it is, and nothing that was seen."""
_CORRECTS = re.compile(
    r"\b(?:w?h?oops|sorry|i meant?|my (?:mistake|bad|fault)|correction|actually|(?:no|oh|but),? wait|wait,? no|misread"
    r")\b|\Awrong\b",
    re.IGNORECASE,
)
_AMISS = r"(?:w?h?oops|sorry|wait|wrong|actually|correction|i (?:meant?|misread(?: it)?)|my (?:mistake|bad|fault))"
_TAKING_BACK = re.compile(
    rf"(?:(?:no|nope|oh|but|and)\b[\s,.:;!–—-]*)*"
    rf"(?:{_AMISS}\b[\s,.:;!–—-]*(?:(?:no|but|it was)\b[\s,.:;!–—-]*)?)+(?=\S)",
    re.IGNORECASE,
)
"""What begins a line that takes back what was said before."""
_INSTEAD = re.compile(
    r"[\s,;(–—-]+(?:and )?(?:not|instead of|rather than) (?:an? |the )?[^\W\d]*\d[\w.]*(?: [a-z]+)?\W*$", re.IGNORECASE
)
"""The number or code in the place of which another was said before it: "45 days, not 20"."""
_REFUSES = re.compile(
    r"(?:(?:no|nope|nah|oh|well|ok(?:ay)?|sorry|but|and|so|then|actually|really|honestly)\b[\s,.!]*)*+"
    r"(?:(?:i|we)(?:(?: really| still| certainly)?"
    r" (?:(?:do not|don't|never|would not|wouldn't) (?:really )?(?:want|wish|like|intend)|will not|won't|refuse"
    r"|would (?:really |much )?rather not)|'?d (?:really |much )?rather not"
    r"|(?: am| are|'m|'re) not (?:really )?(?:going to|willing to))\b|(?:rather not|no way|no,? thanks?(?: you)?)\W*$)",
    re.IGNORECASE,
)
"""What says that one will not do something, and nothing of what is seen."""
_SOMEBODY = r"(?:i|we|he|she|they|(?:my|our) [a-z]+)"
_ARE = r"(?:'m| am|'re| are| is|'s)"
_DO = r"(?:do|did|done|try|tried|check|checked|start|started|finish|finished)"
_DOING = r"(?:doing|trying|checking|starting|finishing|working|busy)"
_WILL = rf"(?:{_SOMEBODY}(?:'ll| will|{_ARE} going to| plan to)|will) (?!not\b|never\b)"
_LATER = r"(?:first|later|soon|tomorrow|tonight|this (?:evening|afternoon|week|weekend)|next week|on \w+day|in a \w+)"
_NOW = r"(?:right now|at the moment|currently|now|still|yet)"
_PUTS_OFF = re.compile(
    r"(?:(?:ok(?:ay)?|well|sorry|yes|no|so|thanks|oh|al(?:l )?right)\b[\s,.!]*)*(?:"
    rf"let (?:me|us) (?:just |first |quickly )*(?:{_DO}|look|see|think|find)\b.*"
    rf"|{_WILL}(?:{_DO}|look|see)\b(?: (?:it|that|this|so|the \w+|\w+ly))*(?: {_LATER})?"
    rf"|{_SOMEBODY} (?:need|have|want) to .* {_LATER}|{_WILL}.* {_LATER}"
    rf"|(?:{_SOMEBODY} )?(?:have not|haven't|did not|didn't) (?:even |really )?(?:{_DO}|had time|looked)"
    rf"(?: (?:for )?(?:it|that|this|so|any(?:thing)? of (?:it|that)|anything|everything))*(?: {_NOW})*"
    rf"|(?:{_SOMEBODY}{_ARE} )?(?:still )?{_DOING}(?: (?:on|at|with|it|that|this|so|hard))+(?: {_NOW})*"
    rf"|{_SOMEBODY}{_ARE} (?:not (?:at|there|home|near|in the)\b.*|at work|out|away|busy)(?: {_NOW})*"
    r"|not (?:just )?yet|(?:give me|i need) .*\b(?:minutes?|moments?|seconds?|hours?)"
    r")[\s.!]*",
    re.IGNORECASE,
)
"""What says that nothing was done yet: somebody is at it, will do it, or cannot now."""
_NUMBER = re.compile(r"[#(\[*\"'`]*\d{1,2}[.)\]*\"'`!]*")
_VERSION = re.compile(
    r"(?:(?:it|this|that|mine|ours) is |it's |(?:i|we) (?:have|run|use) )?v?(?P<number>\d+(?:\.\d+)+)[.!]?",
    re.IGNORECASE,
)
"""A version that answers whether one is had: of which product, the question says."""
_BY_PHRASE: dict[Phrase | None, Event] = {
    Phrase.YES: Event.NEXT,
    Phrase.NEXT: Event.NEXT,
    Phrase.BACK: Event.BACK,
    Phrase.SKIP: Event.SKIP,
    Phrase.GIVE_UP: Event.HAND_OVER,
}


def heard(line: str) -> tuple[Event, str]:
    """What a person means by a line, and its words: an option's number, "done", "back" and such, or an outcome.

    Example:
        >>> heard(" 2. "), heard("back pls"), heard("lamp is red")
        ((<Event.CHOOSE: 'choose'>, '2'), (<Event.BACK: 'back'>, 'back pls'), (<Event.REPORT: 'report'>, 'lamp is red'))
    """
    text = encodable(line.strip())
    if (event := _BY_PHRASE.get(meant(text))) is not None:
        return event, text
    if _NUMBER.fullmatch(said := plain(text)):
        return Event.CHOOSE, re.sub(r"\D", "", said)
    return moves.asked_for(text) or Event.REPORT, text


def numbered(said: object) -> object:
    """An option's number as text; anything else as it is."""
    return str(said) if isinstance(said, int) and not isinstance(said, bool) else said


def approves(text: str) -> bool:
    """Whether it is leave to run what is shown and nothing else: "yes", "approved"; not "I do" or "lol yes"."""
    return _APPROVES.fullmatch(spelled(text).strip(" .!")) is not None


def is_bare(text: str) -> bool:
    """Whether it is a yes or a no and says nothing else; "not yet" is one."""
    said = plain(text).strip(" .!").removesuffix(" yet")
    return bool(_YES.fullmatch(said) or _NO.fullmatch(said)) or meant(text) in (Phrase.YES, Phrase.NO)


def is_yes(text: str) -> bool:
    """Whether it is clearly a yes: "Sure", "Yes, I do"; not "Yes, but ..." or "Sure is what I do not feel"."""
    said = plain(text)
    if meant(text) is Phrase.YES:
        return True
    return bool(_YES.fullmatch(said) or _YES_AND_MORE.match(said)) and _NO.match(said) is None


def passes_on(text: str) -> bool:
    """Whether it leaves a question open: "I don't know", or "next"."""
    said = plain(text)
    if meant(text) is Phrase.NEXT:
        return True
    onward = moves.asked_for(text) is Event.NEXT and not moves.agrees(text)
    return not said or _UNSURE.match(said) is not None or (onward and not is_yes(said))


def is_unsure(text: str) -> bool:
    """Whether it says that one does not know, and nothing else: "no idea", "I can't tell which it is", "help"."""
    said = plain(text)
    unsure = _UNSURE.match(said)
    if unsure is not None:
        return _OF_WHAT.fullmatch(said, unsure.end()) is not None
    return _LOST.fullmatch(said) is not None


def refuses(text: str) -> bool:
    """Whether somebody says that they will not do something: "I don't want a new one", "I'd rather not".

    Example:
        >>> refuses("no i dont want that"), refuses("I can't open it")
        (True, False)
    """
    return _REFUSES.match(plain(text)) is not None


def puts_off(text: str) -> bool:
    """Whether it says that what the step says is still to be done, and nothing that was seen.

    Example:
        >>> puts_off("I'll try that tonight"), puts_off("my wife is doing it"), puts_off("I haven't got a code yet")
        (True, True, False)
    """
    return _PUTS_OFF.fullmatch(plain(text)) is not None


def corrects(text: str) -> bool:
    """Whether it may take back what was said before: "oops, it was green", "sorry, I mean the left one"."""
    return _CORRECTS.search(plain(text)) is not None


def as_corrected(said: str) -> str:
    """A plain line without what it takes back: the words for that before it, and the number in the place of its own.

    Example:
        >>> as_corrected("no wait, 45 days"), as_corrected("it's E02, not E04"), as_corrected("no, it is 3")
        ('45 days', "it's E02", 'no, it is 3')
    """
    begun = _TAKING_BACK.match(said)
    rest = said[begun.end() if begun else 0 :]
    replaced = _INSTEAD.search(rest)
    return rest[: replaced.start()] if replaced and any(map(str.isdigit, rest[: replaced.start()])) else rest


def answer(text: str) -> bool | None:
    """Whether it begins with a yes or with a no that answers a question; None where with neither."""
    if (phrase := meant(text)) in (Phrase.YES, Phrase.NO):
        return phrase is Phrase.YES
    match = _ANSWER.match(plain(text))
    return None if match is None else match["yes"] is not None


def verdict_on(asked: str, text: str) -> Verdict:
    """What an answer says about a prerequisite: its facts ("I have Agent 2.1") before its yes or no, if it is clear."""
    said = plain(text)
    number = _VERSION.fullmatch(said)
    facts = f"version {number['number']}" if number else said
    by_facts = prerequisites.judge(asked, Known(said=(facts,))).verdict
    if by_facts is not Verdict.ASK or _UNSURE.match(said):
        return by_facts
    if is_yes(text):
        return Verdict.ASK if tense.unreal(said) else Verdict.MET
    return Verdict.NOT_MET if _NO.match(said) or meant(text) is Phrase.NO else Verdict.ASK
