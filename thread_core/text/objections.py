"""What words say against running the code beside them: when, where or by whom alone, that it does harm, or not at all.

In doubt they speak against it. What says to run code is `orders`'.
"""

from __future__ import annotations

import re

from thread_core.text.sentences import ALARMS

MARK = "\ue000"
"""Stands around the number of a piece of inline code in what is read here."""
LIMITING = (
    r"(?:to|as|at|by|for|from|in|inside|into|over|than|through|under|using|via|with|within|above|across|against|along"
    r"|among|around|behind|below|between|beyond|despite|near|off|onto|out|outside|past|per|since|throughout|till|towards?"
    r"|upon|without|although|because|considering|following|given|having|lest|pending|should|so|though|when|whenever"
    r"|wherever|whilst|alone|\w+sel(?:f|ves)|\w+ly|\w+wards?|beforehand|\w*(?:night|noon|morning|evening|weekend)s?"
    r"|(?:hour|day|week|month|year)s?)\b(?!-)"
)
"""Prepositions, conjunctions, adverbs and times: they say how, when, where or by whom."""
_NOT_NOW = re.compile(
    r"\b(?:not|never|no|cannot|avoid|rather than|instead of|optional(?:ly)?|can|may|might|could|consider"
    r"|or|either|whichever|depending|until|while|each|every|repeat\w*|twice|times"
    r"|only|except|excluding|provid(?:ed|ing)|assuming|whenever|during|before|after(?! (?:this|that)\b)|where"
    r"|(?<!turn )(?<!switch )on(?= \S)|later|elevated"
    r"|should (?:the|it|they|there|an?y?)|(?:as|so) long|as root|as (?:an? )?administrator|sparingly|risk|care|caution"
    r"|today|tonight|tomorrow|nights?|daily|weekly|(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|for example|e\.g|such as|examples?|samples?|outputs?|prints|returns|looks like|similar)\b|n['’]t\b",
    re.IGNORECASE,
)
"""With one of these, a sentence does not say to run its code once, here and now."""
_ANOTHER_WAY = re.compile(r"^\W*(?:alternatively|or)\b|\binstead\b(?!\s+of\b)", re.IGNORECASE)
"""There is another way than the commands before it: somebody has to choose."""
_BACK = re.compile(
    r"\W*(?:(?:but|please)[, ]+)*(?:(?:only|never|do not|don['’]t)\s+)?"
    r"(?:do|run|use|execute|perform|apply|issue|skip)\s+(?:this|that|it|so|these|those|them)\b"
    r"(?!(?:\s+(?:commands?|scripts?))?\W*$)(?!.*:\W*$)"
    r"|.*\b(?:only (?:on|for|in|if|when|after|as|at|to|during|with|from|do|appl\w+)|except)\b"
    rf"|(?!.*{MARK})\W*(?:not|never)\b"
    r"|\W*(?:do not|don['’]t)\s+(?:do|run|use|execute|perform|try)\s+the following\b",
    re.IGNORECASE | re.DOTALL,
)
"""What is said about the commands before it: when, where or whether they are to be run."""
_EARLIER = re.compile(
    rf"(?!.*{MARK}).*\b(?:first|beforehand|before (?:this|that|(?:you do|doing) (?:so|this)))\W*$", re.IGNORECASE
)
"""What is to be done before the commands before it."""
_HARM = re.compile(
    r"\b(?:(?:cannot|can not|can['’]t) be (?:undone|reverted|reversed|restored|recovered|rolled back)"
    r"|irreversibl[ey]|destructive|dangerous|anti-?pattern|data loss|los(?:e|es|ing) (?:[^\W\d_]+ )?data"
    r"|data (?:is|will be|gets?) lost|deletes|erases|wipes|destroys|overwrites|loses"
    r"|(?:will|would|may|might|could) (?:delete|erase|wipe|destroy|overwrite|lose|break)"
    r"|(?:take|make|create|have) an? (?:[^\W\d_]+ )?(?:backup|snapshot)|approvals?"
    r"|(?:ha(?:s|ve) to|needs? to|must|should) (?:first )?"
    r"(?:(?:approve|authori[sz]e|agree|sign off)|be (?:approved|authori[sz]ed|signed off)))\b",
    re.IGNORECASE,
)
"""What the commands beside it do that somebody would want to know before, or has to allow."""
_SIGN = re.compile(
    r"[\u2600-\u2610\u2612\u2615-\u2704\u2706-\u2712\u2715-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]"
    r"|(?<!\S):(?!\w*check)[a-z][a-z0-9_+-]*:(?!\S)"
)
"""A picture among words, or its name: it may well be a cross or a stop sign. Check marks are none."""
_STRUCK = re.compile(r"~~|(?<!\w)~(?=\S)[^~]*(?<=\S)~(?!\w)|<(?:del|s|strike)\b", re.IGNORECASE)
"""How words are struck out in a document's lines."""
_NEEDED = re.compile(
    r"\W*+(?:(?:note|tip)\b\W*+(?:that\s+)?+)?+(?:"
    r"you\s+(?:(?:must|should|(?:need|have|ought) to)\s+(?:be|have)|need(?! (?:to|no|not)\b))\b"
    r"|(?:make sure|be sure|ensure)\s+(?:that\s+)?(?:you|nobody|no one)\b"
    r"|(?:it|they|(?:this|that|these|those|the)(?: (?:commands?|scripts?|tools?|programs?|steps?))?)\s+(?:\w+ly\s+)?"
    r"(?:must|(?:needs?|requires?)(?! no\b)|ha(?:s|ve) to|(?:is|are) (?:meant|intended|for)"
    r"|(?:works?|appl(?:y|ies)) (?:on|in|for)"
    r"|(?:should|can)(?: ?not|n?['’]t)? be (?:run|done|used|executed|performed))\b"
    r"|(?:needs|requires)(?! no\b)\b|(?!no\b).*\b(?:(?:(?<!not )required|only|alone)\W*$|only be\b)"
    rf"|(?:\w+ly\s+)?(?!so\b|\w+ly\b){LIMITING}(?:\s+[\w'’-]+){{0,4}}[^\w:]*$)",
    re.IGNORECASE | re.DOTALL,
)
"""What is said, before or after them, that all commands need: a user, a system, a time."""
_CHOICE = re.compile(
    r"\b(?:(?:one|any|either) of|(?:two|three|several|different|multiple|following|other)"
    r" (?:ways|options|methods|alternatives|possibilities|approaches))\b",
    re.IGNORECASE,
)
"""What is said of ways of which somebody takes one."""
_ALARM = re.compile(rf"\W*(?:{'|'.join(ALARMS)})\b", re.IGNORECASE)
_ALARMING_TAG = re.compile(
    r"<[A-Za-z][^<>]*\b(?:warning|caution|danger|important|attention|deprecated)\b", re.IGNORECASE
)
_DENYING = re.compile(
    r"[^\w⚠☠⛔🚫🛑❌✖✗✘]*+(?:\d+[.)]\s*)?(?:[⚠☠⛔🚫🛑❌✖✗✘]"
    r"|(?:warnings?|caution|danger|important|attention)\W*(?:$|[:!.–—-])"
    r"|(?:do not|don['’]t|never|avoid|optional|(?:what|how|when) not to"
    r"|only (?:on|for|in|if|when|after|as|at|to|during|with|from))\b"
    r"|(?:examples?|samples?)(?:\W*$|:|\s+(?:of|for|outputs?|us(?:ag)?e)\b)"
    r"|(?:.*[(\[:–—-]\s*)?(?:anti-?patterns?|deprecated|obsolete|outdated|optional)\W*(?:$|[:–—-]))",
    re.IGNORECASE,
)
"""A heading under which nothing is said to be run."""


def limits(said: str) -> bool:
    """Whether a sentence does not say to run its code once, here and now."""
    return _NOT_NOW.search(said) is not None


def names_another_way(sentence: str) -> bool:
    """Whether there is another way than the commands before a sentence."""
    return _ANOTHER_WAY.search(sentence) is not None


def comes_before(sentence: str) -> bool:
    """Whether a sentence says what is to be done before the commands before it."""
    return _EARLIER.match(sentence) is not None


def speaks_against(said: str) -> bool:
    """Whether words take back, limit or warn of the commands beside them."""
    return bool(_BACK.match(said) or _HARM.search(said) or _SIGN.search(said))


def is_needed(said: str) -> bool:
    """Whether a sentence says what all commands need: a user, a system, a time."""
    return _NEEDED.match(said) is not None


def offers_choice(sentence: str) -> bool:
    """Whether a sentence speaks of ways of which somebody takes one."""
    return _CHOICE.search(sentence) is not None


def alarms(said: str) -> bool:
    """Whether words begin as a warning does."""
    return _ALARM.match(said) is not None


def is_alarming_html(text: str) -> bool:
    """Whether a tag says that what it holds warns."""
    return _ALARMING_TAG.search(text) is not None


def is_struck_out(line: str) -> bool:
    """Whether words of a line are struck out."""
    return _STRUCK.search(line) is not None


def heads_nothing_to_run(heading: str) -> bool:
    """Whether it is a heading under which nothing is said to be run."""
    return _DENYING.match(heading) is not None
