"""Whether words say that the problem is gone, that it remains, or that nothing is left to be tried."""

from __future__ import annotations

import re
from functools import lru_cache

from thread_core.text import opposites
from thread_core.text.denials import BAD, denies, in_trouble, is_denial
from thread_core.text.words import content_words
from thread_core.walking.phrases import Phrase, meant
from thread_core.walking.spelling import plain

GONE = "the problem is gone"
"""How it is read that what was wrong is so no more."""
REMEMBERED = 1024
"""Questions of which it is remembered what they miss."""
_BAD = re.compile(rf"\b{BAD}$")
"""A subject that is bad."""
_IS = (
    r"(?:(?:'(?:s|re|m)|\b(?:is|are|am|was|were|has|have|been|be|got|logged|signed|seems?|looks?|appears?|to|went|came"
    r"|comes|now|all|finally|just|really|already|completely))\s+){0,4}"
)
"""Between a subject and what is said of it."""
_TAIL = (
    r"(?:\s+(?:(?P<now>now|again)|fine|great|perfectly|properly|well|normally|correctly|ok(?:ay)?|as it should"
    r"|like a (?:charm|dream)|itself|it|that|this|too|for (?:me|us|all)|at last|finally|completely|away|up)(?!\w))*"
)
"""How it works, and since when."""
_WHILE = (
    r"(?:\s+\w+){0,2}?\s+(?:for (?:(?:an?|one|two|three|some|about|only|just|the|few|several|\d+) )*"
    r"(?:second|sec|minute|min|hour|day|week|while|time|moment|bit)s?\b(?! (?:now|already))"
    r"|for now|only|until|briefly|temporarily|at first|a (?:little|bit)|sometimes|(?<!after )(?<!since )yesterday"
    r"|earlier|(?<!as )before|last (?:night|week|month|year|time)|and then)\b"
)
"""After what says that it is solved: that it was so no longer than that, or not wholly."""
_FOR_A_WHILE = re.compile(_WHILE, re.IGNORECASE)
_SOLVED = re.compile(
    rf"{_IS}\b(?:(?P<fixed>solved|resolved|fixed|sorted(?: out)?|repaired|restored|recovered)|(?P<works>works?|worked"
    r"|working|running|runs|helped|(?:went|goes|gone) through)"
    r"|(?P<back>(?:back )?online|back to (?:normal|life)|up and running|back(?! in\b))"
    r"|(?P<well>good|fine|great|ok(?:ay)?|normal|connected|healthy|quiet)"
    r"|(?P<gone>gone|vanished|disappeared|cleared|(?:went|goes) away|stopped)|(?P<reached>(?:back )?in))"
    rf"(?!\w){_TAIL}"
    r"(?=(?P<end>\W*$|\s*[,.;:!()–—]|\s+-|\s+(?:by|after|since|and|because|so|thanks?)\b)|(?P<when>\s+(?:with|when)\b)"
    rf"|(?P<while>{_WHILE})|)",
    re.IGNORECASE,
)
"""What may say that all is well, of what stands before it; see `_is_solved`."""
_ENDS = re.compile(
    r"\b(?:that did it|did the trick|that was (?:it|the (?:problem|issue|cause|culprit))|(?:turned|went|gone) green"
    rf"|(?:solved|resolved|fixed) (?:it|the (?:issue|problem))|no (?:more|further) {BAD})\b",
    re.IGNORECASE,
)
"""What says so by itself."""
_CAN = re.compile(r"\bcan\s+(?P<what>[\w'\s]{2,60}?)\s+(?:now|again)\b", re.IGNORECASE)
_ENDED = re.compile(
    r"\b(?:no longer(?: any)?|no more|without any more"
    r"|(?:not|(?:is|are|do|does|did|was|were|has|have)n't)(?! (?:yet|solved|fixed))"
    r"(?=(?: [\w'-]+){1,3} any ?(?:more|longer)\b)) (?P<what>[\w'-]+(?: (?!any\b)[\w'-]+){0,2}?)"
    r"(?: any ?(?:more|longer))?"
    r"(?=\W*$|\s*[,.;!]|\s+(?:after|since|and|because|so|now|thanks?)\b)",
    re.IGNORECASE,
)
"""What says that something is so no more: "no longer sour", "doesn't drip any more", "no more squealing"."""
_NEW_CLAUSE = re.compile(r"[.!?;:,()–—\n]|\s-+\s")
_AND = re.compile(r"\b(?:and|so|because|then)\b", re.IGNORECASE)
_BEFORE = 100
"""Characters before what is said, in which its subject is looked for."""
_LEAD = re.compile(
    r"(?:(?:ok(?:ay)?|yes|yep|yeah|yup|now|no|nope|well|great|cool|thanks|done|and|so|finally|never mind"
    r"|i (?:think|guess|see)|(?:it )?(?:looks|seems) like)\b[\s,]*)*",
    re.IGNORECASE,
)
"""What says nothing of it before a subject."""
_SIGN = re.compile(r"\b(?:codes?|messages?|lights?|lamps?|leds?|symbols?|notices?|[a-z]{1,4}-?\d{1,5})$", re.IGNORECASE)
"""A subject that is shown where something is wrong, if what is asked about is that it is shown."""
_IT = frozenset(("", "it", "this", "that"))
_ANYTHING = _IT | {"everything", "all", "things", "they", "these", "those"}
_ME = frozenset(("i", "we"))
_WORD = re.compile(r"[^\W\d_]+(?:'[a-z]+)?")
_BEFORE_VERB = re.compile(rf"(?:\s|^){_IS}$", re.IGNORECASE)
_AT_FIRST = r"\s+(?:on|at|with) the (?:very )?(?:first|second|third) \w+"
_AFTER_VERB = re.compile(
    rf"(?:\s+(?:on|up|in|out|through|now|again|fine|great|well|finally|at last)(?!\w)(?! the\b)|{_AT_FIRST})*"
    r"(?:\W*$|\s*[,.;:!()–—]|\s+-|\s+(?:after|since|because|so|thanks?)\b)",
    re.IGNORECASE,
)
"""How a clause ends that says that something does what it did not."""
_IS_NEW = re.compile(rf"\bnow\b|!|{_AT_FIRST}", re.IGNORECASE)
_MISSED = 3
"""Words after a denial that are what one misses: "it won't turn on", "the mail could not be sent"."""
_UNREAL = re.compile(
    r"\b(?:if|would|could|should|might|may|hop(?:e|ing)|wish|want(?:s|ed)?|needs?|until|unless|whether|when|will|before"
    r"|almost|half|nearly|barely|supposed|used to|tr(?:y|ying)|to be)\b",
    re.IGNORECASE,
)
"""Before what is wished, asked or was once so."""
_ABSENT = re.compile(
    r"\b(?:gone|missing|disappear\w*|vanish\w*|lost|los(?:es?|ing)|not (?:there|found|listed|shown|visible))\b",
    re.IGNORECASE,
)
"""What one complains of who misses something, so that it is no good when it is gone."""
_ENTERED = content_words(
    "login log signin sign password passcode pin account access locked connect internet wifi network online"
)
"""What one complains of who wants to get in."""
_STILL = re.compile(
    r"\b(?:still|not|none|never(?! mind)|no longer works|again fails|yet|but|same|except|i mean"
    r"|(?:apart|aside) from|other than|save for|now another)\b|n't\b"
    r"|\b(?:nothing|nobody|no one|neither) (?:\w+ ){0,3}?(?:solved|resolved|fixed|gone|cleared|work(?:s|ed)|helped)\b"
    r"|\b(?:fail|fir|crash|happen|occurr?|appear|stopp)(?:s|es|ed)? again\b|\b(?:broke again|reappear(?:s|ed))\b",
    re.IGNORECASE,
)
_REMAINS = re.compile(
    r"\b(?:still|same|even now|as before|keeps?|remains?|persists?|continues|yet nothing)\b"
    r"|\bno (?:better|difference|diff|effect|change|luck|help|dice|joy|use)\b"
    r"|(?:\b(?:not|never|nothing)|n't) (?:been )?(?:help|work|change|fix|solve|resolve)"
    r"|(?<!\bi )(?<!\bwe )\bdid nothing\b|\bnothing (?:at all )?happen(?:s|ed)\b"
    r"|(?:n't|\bnot) do (?:anything|a thing)\b|\b(?:got|even|it's|is|now) worse\b"
    r"|\b(?:fail(?:s|ed)|crash(?:es|ed)|broken?|happen(?:s|ed)|occurr?(?:s|ed)|stopp?(?:s|ed)) again\b"
    rf"|\bit(?:'s| is| came) back again\b|\b{BAD}(?:'s| is| are| came) back\b",
    re.IGNORECASE,
)
_NO_USE = re.compile(
    r"(?:(?:no|nope|nah|ok|it|that|this|again)[\s,]+){0,4}(?:(?:has )?fail(?:s|ed)|nothing|nada|useless|unchanged|worse"
    r"|no good|(?:doesn't|didn't|does not|did not)|not really)(?: again| either| too)?[\s.!]*"
    r"|(?:i(?:'ve| have)? )?(?:already )?(?:tried|did(?=.*(?:twice|times)\W*$))(?: (?:that|this|it|those|these))?"
    r"(?: (?:already|before|too|once|twice|\w+ times)){0,3}[\s.!]*",
    re.IGNORECASE,
)
"""What says so, and nothing else."""
_VERDICT = content_words("same thing problem issue result story before wait oh no")
"""Words of who says that nothing has changed, which name nothing that was seen."""
_LEFT = re.compile(
    r"(?:(?:ok|well|so|no|nope|now|and|but|i think)[\s,]+){0,3}(?:(?:(?:i|we)(?:'m|'re| am| are) )?(?:all )?out of"
    r" (?:ideas|options)|(?:there(?:'s| is) )?nothing (?:else |more )?(?:is )?left(?: to (?:try|do))?"
    r"|(?:i|we)(?:'ve| have)? (?:got )?nothing (?:else |more )?(?:left )?to (?:try|do)"
    r"|(?:there(?:'s| is) )?nothing (?:else|more) to (?:try|do)"
    r"|(?:(?:i|we)(?:'ve| have)? )?(?:now |already |just )?(?:tried|(?P<did>done|did|(?:been|gone|went) through))"
    r" (?:everything|all(?: of)? (?:this|that|it|these|those|them|(?:the |these |those |your )?steps)))"
    r"(?: (?:here|above|there|in (?:here|(?:this|the) (?:guide|list))|on (?:this|the) (?:page|list)|i can(?: think of)?"
    r"|you (?:said|told me|suggested)|i could|now|already))*"
    r"(?P<rest>\W*$|[\s,.;–—-]+(?:and|but|so|yet|still|nothing|no)\b.*)",
    re.IGNORECASE | re.DOTALL,
)
"""What says that nothing is left to be tried, and what is said besides."""
_WENT_THROUGH = re.compile(
    r"(?:(?:ok|well|so|no|now|and|but)[\s,]+){0,3}(?:i|we)(?:'ve| have)? (?:now |already |just )?"
    r"(?:\w+ed|done|did|redone|run|ran|(?:been|gone|went|worked) through)"
    r" (?:everything|all of (?:this|that|it|these|those|them)|every single \w+)(?P<beside>(?: (?:here|there|above|twice"
    r"|\w+ times|by now|now|already))*(?:, [^,.;]{1,40},)?)\s*[,;–—-]*\s*(?:and|but|yet)\b(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
"""What says that all was done, whatever that is, and what has come of it."""
_ANEW = re.compile(r"\b(?:now|again|finally|at last)\b", re.IGNORECASE)
"""What says that something is so that was not."""
_WORSE = re.compile(rf"\b(?:{BAD}|less|only|leak\w*|smok\w*|smell\w*|fail\w*|stops?|stopped|too)\b", re.IGNORECASE)
"""What is bad of what is new, or not wholly good."""
_ASKS = re.compile(r"[^.!?\n]*\?")
"""The rest of a sentence that is a question."""


def sounds_solved(text: str, about: str | None = "") -> bool:
    """Whether it says that the problem is gone, and neither asks that nor takes it back.

    Args:
        text: What is said.
        about: What the walk is about. That "the internet works" is good where it is about that, and nothing elsewhere;
            without anything (None), as for a condition of a document, whatever works is meant.

    Example:
        >>> sounds_solved("the wifi works", "no wifi"), sounds_solved("my phone works", "no wifi")
        (True, False)
    """
    said = plain(text)
    if (phrase := meant(text)) in (Phrase.SOLVED, Phrase.UNSOLVED):
        return phrase is Phrase.SOLVED
    said = _ENDED.sub(lambda ended: GONE if _was_wrong(ended["what"], about) else ended[0], said)
    end = _solved_at(said, about)
    if end is None or _ASKS.match(said, end):
        return False
    return not (takes_back(said) or _has_passed(said, about))


def _was_wrong(what: str, about: str | None) -> bool:
    """Whether what is so no more is what a walk is about, and nothing that is missed or good."""
    words = content_words(what)
    return bool(words) and words <= content_words(about or "") - _missed(about or "") and not opposites.is_good(what)


def may_be_solved(text: str) -> bool:
    """Whether it says that something is so now that was not, and nothing bad of it: that may be what was wanted.

    Example:
        >>> may_be_solved("it washes happily now"), may_be_solved("now it leaks"), may_be_solved("it is not on now")
        (True, False, False)
    """
    return _ANEW.search(plain(text)) is not None and is_no_complaint(text)


def is_no_complaint(text: str) -> bool:
    """Whether it says something, and nothing bad of it: "it washes"."""
    said = plain(text)
    if not content_words(said) or _ASKS.search(said) or denies(said) or in_trouble(said):
        return False
    return not (takes_back(text) or _WORSE.search(said) or _is_unreal(said, len(said)) or sounds_unsolved(text))


def only_works(text: str) -> bool:
    """Whether it says that it works, and not that this is new: so it may be what came of the step alone."""
    return sounds_solved(text) and re.search(r"\b(?:now|again|solved|fixed|gone)\b", plain(text), re.IGNORECASE) is None


def _solved_at(said: str, about: str | None) -> int | None:
    """Where words end that say that the problem is gone; None where none do."""
    whole = _ENDS.search(said)
    if whole is not None and not _is_unreal(said, whole.start()):
        return whole.end()
    for match in _SOLVED.finditer(said):
        if _is_solved(said, match, about) and not _is_unreal(said, match.start()):
            return match.end()
    for match in _CAN.finditer(said):
        what = content_words(match["what"])
        if what and what <= content_words(about or "") and not _is_unreal(said, match.start()):
            return match.end()
    return _does_at(said, about or "")


def _does_at(said: str, about: str) -> int | None:
    """Where words end that say that something does again what the walk is about that it does not; None where none do.

    Example: "it turns on now", where the question is why it won't turn on. Who says no subject may tell what they did,
    so that "sent" has to be new: "sent!", "charging now".
    """
    missed = _missed(about)
    for match in _WORD.finditer(said) if missed else ():
        end = _AFTER_VERB.match(said, match.end())
        if end is None or not content_words(match[0]) & missed or _is_unreal(said, match.start()):
            continue
        before = said[max(0, match.start() - _BEFORE) : match.start()]
        clause = _NEW_CLAUSE.split(before)[-1]
        subject = _subject(_BEFORE_VERB.sub("", before), False)
        is_new = _IS_NEW.search(clause + end[0]) is not None
        if not denies(clause) and (is_new if not subject else subject in _ANYTHING or _names(subject, about)):
            return match.end()
    return None


@lru_cache(REMEMBERED)
def _missed(about: str) -> frozenset[str]:
    """What a question or a title says that is not, or is not done."""
    clauses = ([match[0].lower() for match in _WORD.finditer(one)] for one in _NEW_CLAUSE.split(plain(about)))
    after = (words[at + 1 : at + 1 + _MISSED] for words in clauses for at, word in enumerate(words) if is_denial(word))
    return frozenset().union(*(content_words(" ".join(some)) for some in after))


def _is_solved(said: str, match: re.Match[str], about: str | None) -> bool:
    """Whether all is well by what `_SOLVED` has found: it depends on what that is said of."""
    subject = _subject(said[max(0, match.start() - _BEFORE) : match.start()], bool(match["now"]))
    is_over = match["end"] is not None or match["while"] is not None
    it, me = subject in _ANYTHING, subject in _ME
    if match["gone"]:
        is_missed = _ABSENT.search(about or "") is not None
        may_be_it = subject in _IT and match["gone"].lower() != "stopped" and not is_missed
        is_sign = not is_missed and _is_shown(subject, about or "")
        return is_over and (may_be_it or is_sign or _BAD.search(subject) is not None)
    if match["reached"] or (match["back"] and me):
        is_in = me or (not subject and match[0].lower() != "in")
        return is_over and is_in and bool(_ENTERED & content_words(about or ""))
    if match["well"]:
        return match["now"] is not None and (it or me or _names(subject, about))
    if match["works"]:
        is_said = is_over and (match["works"].lower() not in ("running", "runs") or "!" in (match["end"] or ""))
        return (is_said or match["now"] is not None) and (it or _names(subject, about))
    if match["back"]:
        return is_over and ((it and match["back"].lower() != "back") or _names(subject, about))
    is_it = it or _BAD.search(subject) is not None or _names(subject, about)
    return is_it and (is_over or match["when"] is not None)


def _subject(before: str, now: bool) -> str:
    """Of what something is said, by the words before it: nothing stands for the problem, as in "and works now"."""
    clause = _NEW_CLAUSE.split(before)[-1]
    last = _AND.split(clause)[-1]
    said = (last if last.strip() or now else clause).lstrip()
    lead = _LEAD.match(said)
    return said[lead.end() if lead else 0 :].lower().strip()


def _is_shown(subject: str, about: str) -> bool:
    """Whether a subject is a sign that a walk is about: "the code", where it is about error codes."""
    sign = _SIGN.search(subject)
    return sign is not None and re.search(rf"\b{sign[0].removesuffix('s')}s?\b", about, re.IGNORECASE) is not None


def _names(subject: str, about: str | None) -> bool:
    """Whether a subject is what a walk is about."""
    named = content_words(subject)
    return bool(named) and (about is None or named <= content_words(about))


def _is_unreal(said: str, at: int) -> bool:
    """Whether what is said at a place is wished, asked or was once so."""
    sentence = re.split(r"[.!?\n]", said[max(0, at - _BEFORE) : at])[-1]
    return _UNREAL.search(sentence) is not None


def takes_back(text: str) -> bool:
    """Whether it says "still", "not" or the like."""
    return _STILL.search(plain(text)) is not None


def sounds_unsolved(text: str, about: str | None = "") -> bool:
    """Whether it says that what was done has not helped, or for a while only."""
    said = plain(text)
    if meant(text) is Phrase.UNSOLVED:
        return True
    return _REMAINS.search(said) is not None or _NO_USE.fullmatch(said) is not None or _has_passed(said, about)


def _has_passed(said: str, about: str | None) -> bool:
    """Whether a plain line says that the problem was gone for a while: "it helped for an hour"."""
    end = _solved_at(said, about)
    return end is not None and _FOR_A_WHILE.match(said, end) is not None


def came_of(text: str, about: str | None = "") -> int:
    """1 where it says that the problem is gone, -1 where that it remains, 0 where neither; see `sounds_solved`."""
    return 1 if sounds_solved(text, about) else -1 if sounds_unsolved(text, about) else 0


def is_nothing_new(text: str) -> bool:
    """Whether it says that nothing has changed and names nothing that was seen: "same thing", "no luck"."""
    said = plain(text)
    return _NO_USE.fullmatch(said) is not None or content_words(_REMAINS.sub(" ", said)) <= _VERDICT


def has_tried_all(text: str) -> bool:
    """Whether it says that nothing is left to be tried, and names nothing else that was seen."""
    said = plain(text)
    through = _WENT_THROUGH.fullmatch(said)
    if through is not None and sounds_unsolved(through["rest"]):
        return True
    match = _LEFT.fullmatch(said)
    if match is None or sounds_solved(text, None):
        return False
    rest = match["rest"].strip(" .,!")
    return sounds_unsolved(rest) or denies(rest) if rest else not match["did"]
