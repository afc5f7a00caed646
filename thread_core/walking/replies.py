"""What a person's line means: an option's number, "done", yes or no, an end, or what was seen."""

from __future__ import annotations

import re

from thread_core.retrieval import prerequisites
from thread_core.retrieval.prerequisites import Known, Verdict
from thread_core.text.denials import straight
from thread_core.walking.phrases import Phrase, meant
from thread_core.walking.states import Event

_NEXT = re.compile(
    r"(?:(?:ok(?:ay)?|done|yes|yep|next|continue|go on|finished|ready|i did(?: (?:it|that|so))?|did (?:it|that)"
    r"|all done|what(?:'s| is)?"
    r"(?: comes)? next|and (?:now|then)|now what|then what|please|step)[\s,.!?;]*)+",
    re.IGNORECASE,
)
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
    rf"|{_I_DO}|of course|absolutely|definitely|certainly)(?:[\s,.!]+|$))+",
    re.IGNORECASE,
)
"""Words that agree, and nothing else."""
_YES_AND_MORE = re.compile(
    rf"{_STRESS}(?:yes|yep|yeah|yup|indeed|correct|{_I_DO}){_BY_ITSELF}(?!.*(?:\b(?:but|except|no|not)\b|n't\b|\?))",
    re.IGNORECASE | re.DOTALL,
)
_APPROVES = re.compile(
    r"(?:(?:yes|yep|yeah|y|sure|of course|ok(?:ay)?|please|(?:please )?(?:do|run) it|do so|go ahead)(?:[\s,.!]+|$))+",
    re.IGNORECASE,
)
_DONE = re.compile(r"\b(?:done|finished|completed|did)\b", re.IGNORECASE)
_PASSED = re.compile(
    r"(?:(?:ok(?:ay)?|please|step|what(?:'s| is)?(?: comes)?|next)[\s,.!?]*)+(?<=next)\W*", re.IGNORECASE
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
    r"|(?:i )?(?:have )?no (?:idea|clue)|maybe|perhaps|possibly|hard to (?:say|tell)|who knows|dunno)\b)",
    re.IGNORECASE,
)
_LOST = re.compile(
    r"(?:(?:sorry|please|but|well|oh|uh)[\s,.]+)*(?:help(?: me)?|h+m+|huh"
    r"|(?:i am|i'm|we are|we're) (?:stuck|lost|confused)"
    r"|(?:i |we )?(?:did not|didn't|do not|don't) (?:understand|get)(?: (?:it|that|this))?"
    r"|(?:it is |it's )?(?:none|neither|not any) of (?:these|those|them|the above|that))(?:,? please)?\W*",
    re.IGNORECASE,
)
"""What asks for help, and nothing else."""
_OF_WHAT = re.compile(r"(?:,?\s+(?:what|which|how|if|whether|where|why)(?:\s+[a-z']+){0,6})?\W*", re.IGNORECASE)
"""After what says that one does not know: what it is, and nothing that was seen."""
_SOLVED = re.compile(
    r"^\W*(?:(?:the|my|this|it|that|all|now|problem|issue|error)\s+){0,3}(?:solved|resolved|fixed)"
    r"(?=\W*$|[,.;:!)–—-]|\s+(?:it|now|itself|that|this|thanks?|by|with|after|when|and)\b|\s+the (?:issue|problem)\b)"
    r"|\b(?:(?:is|'s|has been|was|are|got|now)\s+(?:now\s+)?(?:solved|resolved|fixed|gone|cleared)|(?:solved|resolved"
    r"|fixed) (?:it|the (?:issue|problem))"
    r"|works?(?: (?:now|again|fine|perfectly|properly))|working (?:now|again|fine)|problem (?:is )?gone"
    r"|that did it|back to normal|(?:that|this|it) (?:has )?(?:worked|helped)|(?:turned|went|gone) green"
    r"|(?:it|that|error|alert|problem|issue|warning|message)s?\s+(?:has |have )?(?:now )?"
    r"(?:gone|went|vanished|disappeared|cleared))\b",
    re.IGNORECASE,
)
_STILL = re.compile(
    r"\b(?:still|not|none|never|no longer works|again fails|yet|but|same)\b|n't\b"
    r"|\b(?:nothing|nobody|no one|neither) (?:\w+ ){0,3}?(?:solved|resolved|fixed|gone|cleared|work(?:s|ed)|helped)\b"
    r"|\b(?:fail|fir|crash|happen|occurr?|appear|stopp)(?:s|es|ed)? again\b|\b(?:broke again|reappear(?:s|ed))\b",
    re.IGNORECASE,
)
_FOR_A_WHILE = re.compile(
    r"(?:\s+\w+){0,2}?\s+(?:for (?:(?:an?|one|two|three|some|about|only|just|the|few|several|\d+) )*"
    r"(?:second|minute|hour|day|week|while|time|moment)s?\b(?! (?:now|already))"
    r"|for now|only|until|briefly|temporarily|at first|a (?:little|bit)|sometimes)\b",
    re.IGNORECASE,
)
"""After what says that it is solved: that it was so no longer than that, or not wholly."""
_REMAINS = re.compile(
    r"\b(?:still|same|even now|as before|keeps?|remains?|persists?|continues|yet nothing)\b"
    r"|\bno (?:better|difference|effect|change|luck|help)\b"
    r"|(?:\b(?:not|never|nothing)|n't) (?:been )?(?:help|work|change|fix|solve|resolve)",
    re.IGNORECASE,
)
_ASKS = re.compile(r"[^.!?\n]*\?")
"""The rest of a sentence that is a question."""
_NUMBER = re.compile(r"#?\d{1,2}[.)]?")
_VERSION = re.compile(
    r"(?:(?:it|this|that|mine|ours) is |it's |(?:i|we) (?:have|run|use) )?v?(?P<number>\d+(?:\.\d+)+)[.!]?",
    re.IGNORECASE,
)
"""A version that answers whether one is had: of which product, the question says."""
_ASKED_FOR = {
    Event.BACK: r"(?:go )?back|undo(?: that)?|previous(?: step)?|the step before",
    Event.SKIP: r"skip(?: (?:it|that|this)(?: step)?| the step)?",
    Event.RESTART: r"restart|(?:(?:re)?start (?:again|over|anew|from the beginning))|from the (?:start|beginning)",
    Event.WHY: r"why(?: (?:that|this|is that|is this|do you ask)(?: step)?)?|why should i(?: do (?:that|this))?",
    Event.SHOW: r"where (?:am i|are we|was i|were we)|(?:(?:can|could) you )?(?:(?:show|say)(?: (?:it|that|me))? again"
    r"|repeat(?: (?:it|that))?)(?: please)?|(?:wait|hold on"
    r"|(?:just )?(?:one|a) (?:moment|minute|second|sec))(?:,? please)?",
    Event.HAND_OVER: r"(?:i )?give (?:it )?up|hand (?:it|this) (?:over|to somebody(?: .*)?)|escalate(?: (?:it|this))?",
}
"""What a person says for an event, and nothing else with it."""
_EVENTS = {event: re.compile(rf"(?:please )?(?:{said})[\s.!?]*", re.IGNORECASE) for event, said in _ASKED_FOR.items()}


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
        >>> heard(" 2. "), heard("back"), heard("the lamp is red")
        ((<Event.CHOOSE: 'choose'>, '2'), (<Event.BACK: 'back'>, 'back'), (<Event.REPORT: 'report'>, 'the lamp is red'))
    """
    text = line.strip()
    said = straight(text)
    if (event := _BY_PHRASE.get(meant(text))) is not None:
        return event, text
    if _NUMBER.fullmatch(said):
        return Event.CHOOSE, re.sub(r"\D", "", text)
    if not said or _NEXT.fullmatch(said):
        return Event.NEXT, text
    return next((event for event, pattern in _EVENTS.items() if pattern.fullmatch(said)), Event.REPORT), text


def numbered(said: object) -> object:
    """An option's number as text; anything else as it is."""
    return str(said) if isinstance(said, int) and not isinstance(said, bool) else said


def approves(text: str) -> bool:
    """Whether it is leave to run what is shown: a yes and nothing else. "I do" and "right" are none."""
    return _APPROVES.fullmatch(straight(text.strip(" .!"))) is not None


def says_done(text: str) -> bool:
    """Whether it says that something was done, and not only that one agrees or goes on."""
    return _DONE.search(straight(text)) is not None or meant(text) is Phrase.NEXT


def passes_by(text: str) -> bool:
    """Whether it goes past what might be run, because it is done or is not wanted; "k" and "continue" may be leave."""
    return says_done(text) or _PASSED.fullmatch(straight(text.strip())) is not None


def is_bare(text: str) -> bool:
    """Whether it is a yes or a no and says nothing else."""
    said = straight(text.strip(" .!"))
    return bool(_YES.fullmatch(said) or _NO.fullmatch(said)) or meant(text) in (Phrase.YES, Phrase.NO)


def is_yes(text: str) -> bool:
    """Whether it is clearly a yes: "Sure", "Yes, I do"; not "Yes, but ..." or "Sure is what I do not feel"."""
    said = straight(text.strip())
    if meant(text) is Phrase.YES:
        return True
    return bool(_YES.fullmatch(said) or _YES_AND_MORE.match(said)) and _NO.match(said) is None


def passes_on(text: str) -> bool:
    """Whether it leaves a question open: "I don't know", or "next"."""
    said = straight(text.strip())
    if meant(text) is Phrase.NEXT:
        return True
    return not said or _UNSURE.match(said) is not None or (_NEXT.fullmatch(said) is not None and not is_yes(said))


def is_unsure(text: str) -> bool:
    """Whether it says that one does not know, and nothing else: "no idea", "I can't tell which it is", "help"."""
    said = straight(text.strip())
    unsure = _UNSURE.match(said)
    if unsure is not None:
        return _OF_WHAT.fullmatch(said, unsure.end()) is not None
    return _LOST.fullmatch(said) is not None


def answer(text: str) -> bool | None:
    """Whether it begins with a yes or with a no that answers a question; None where with neither."""
    if (phrase := meant(text)) in (Phrase.YES, Phrase.NO):
        return phrase is Phrase.YES
    match = _ANSWER.match(straight(text.strip()))
    return None if match is None else match["yes"] is not None


def sounds_solved(text: str) -> bool:
    """Whether it says that the problem is gone, and neither asks that nor takes it back."""
    said = straight(text)
    if (phrase := meant(text)) in (Phrase.SOLVED, Phrase.UNSOLVED):
        return phrase is Phrase.SOLVED
    solved = _SOLVED.search(said)
    if solved is None or _ASKS.match(said, solved.end()):
        return False
    return not (takes_back(said) or _has_passed(said))


def takes_back(text: str) -> bool:
    """Whether it says "still", "not" or the like."""
    return _STILL.search(straight(text)) is not None


def sounds_unsolved(text: str) -> bool:
    """Whether it says that what was done has not helped, or for a while only."""
    said = straight(text)
    if meant(text) is Phrase.UNSOLVED:
        return True
    return _REMAINS.search(said) is not None or _has_passed(said)


def _has_passed(said: str) -> bool:
    """Whether words, with straight apostrophes, say that the problem was gone for a while: "it helped for an hour"."""
    solved = _SOLVED.search(said)
    return solved is not None and _FOR_A_WHILE.match(said, solved.end()) is not None


def came_of(text: str) -> int:
    """1 where it says that the problem is gone, -1 where that it remains, 0 where neither."""
    return 1 if sounds_solved(text) else -1 if sounds_unsolved(text) else 0


def verdict_on(asked: str, text: str) -> Verdict:
    """What an answer says about a prerequisite: its facts ("I have Agent 2.1") before its yes or no, if it is clear."""
    said = straight(text.strip())
    number = _VERSION.fullmatch(said)
    facts = f"version {number['number']}" if number else text
    by_facts = prerequisites.judge(asked, Known(said=(facts,))).verdict
    if by_facts is not Verdict.ASK or _UNSURE.match(said):
        return by_facts
    if is_yes(text):
        return Verdict.MET
    return Verdict.NOT_MET if _NO.match(said) or meant(text) is Phrase.NO else Verdict.ASK
