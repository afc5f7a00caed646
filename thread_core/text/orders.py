"""The words of a step -> the code in it that is to be run whatever comes of it.

In doubt, code is not to be run: whatever is not taken here is left to the person, whatever is taken may be done by a
machine. Reading stops before the first condition, before what a person has to do with their own hands, and before
what is said to be optional, repeated, one of several ways, or for one time, place, system or user. So what stands
around code in its sentence has to be known: before it, what it is for; after it, the same, or that it is a command.
Headings above, signs, struck out words and what stands in HTML are read for what speaks against it (`objections`). What
is not English for sure may say anything, so nothing beside it is run.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator
from enum import Enum, auto
from typing import NamedTuple

from thread_core.text import cases, conditions, directions, leaning, objections
from thread_core.text.code import codes
from thread_core.text.english import is_clearly_english, may_be_english
from thread_core.text.gates import gate_of
from thread_core.text.markdown import Block, parse, visible
from thread_core.text.objections import LIMITING, MARK
from thread_core.text.scripts import COLONS
from thread_core.text.sentences import LONGEST_SENTENCE, cut, is_aside, tells
from thread_core.text.source import Source
from thread_core.text.words import content_words

SHELLS = frozenset(
    "sh bash zsh ksh shell console terminal shell-session shellsession sh-session cmd bat powershell".split()
)
"""What fences are called whose lines are commands."""

_NO_BACKSLASH = frozenset("cmd bat powershell".split())
"""Of these, those in which a backslash at the end of a line joins nothing."""
_PROMPT = "$ "
_FURTHER = re.compile(r"^[ \t]*> ")
"""How a terminal asks for the next line of a command."""
_GOES_ON = re.compile(
    r"""(?!\s*(?:\$ )?\s*#)(?:[^'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*+")*+(?:"(?:[^"\\]|\\.)*+)?\\""", re.DOTALL
)
"""A line of code that ends in a backslash, where a shell reads on: not in a remark, and not within single quotes."""
LONGEST_JOINED = 4096
"""Characters; what runs on longer is no command that anybody reads."""
NOT_ENGLISH = "its words are not English for sure"
LONGEST_REASON = 200
"""Characters of the words because of which code is left to a person."""
LONG_HEADING = 5
"""Words from which on a heading has one that tells its language."""
LONG_REMARK = 3
"""The same for a remark in code."""
_CODE = re.compile(f"X{MARK}(\\d+){MARK}")
"""Stands for a piece of inline code while sentences are read: no full stop or comma of it ends anything."""
_CLAUSE = re.compile(rf"[,;]\s+|:\s+(?!X{MARK})|\s+(?=(?:and|then)\s)", re.IGNORECASE)
_LEAD = (
    r"\W*(?:\d+[.)]\s*)?"
    r"(?:(?:and|then|please|now|first|next|also|finally|again|just|simply|you (?:must|should))[, ]+)*"
)
_THINGS = r"(?:\s+(?:the|this|these|following|commands?|scripts?|tools?|functions?|programs?)\b)*\s*:?\W*"
_LEADING = re.compile(_LEAD, re.IGNORECASE)
_COMMAND = re.compile(r"[^-].*[^\W\d_]|[^\W\d_]", re.DOTALL)
"""What may be run: no number ("Call `112`") and no option ("with `--force`")."""
_RUN = re.compile(rf"{_LEAD}(?:run|execute|issue|invoke|enter|type|use|call)\b{_THINGS}", re.IGNORECASE)
"""What stands in a clause before the code that it says to run."""
_MAY_RUN = re.compile(
    rf"(?:\b(?:run|execute|issue|invoke|call|(?P<how>with|using|via))\b[^{MARK}]{{0,200}}|(?P<colon>:\s*))X{MARK}",
    re.IGNORECASE,
)
"""Where somebody may have meant that code is run; in some words only where they tell to do something."""
_WITH = re.compile(rf"(?:.*\s)?(?:with|using|via)\b{_THINGS}", re.IGNORECASE)
_ALSO = re.compile(r"[\s,]*(?:and|then|and then)?[\s,]*", re.IGNORECASE)
"""What stands between two pieces of code that are run one after the other."""
_WORDS = rf"(?:(?<!\S)(?!(?:\S*[^\w\s-])?{LIMITING})[^\s,;]++\s*+)*"
"""Words that say nothing of the kind."""
_FOR = (
    r"(?:(?:in order )?to (?:look (?:at|for)|make sure|find out|see|list|show|check(?: for)?|view|verify|validate|get"
    r"|find|read|test|ping|print|display|inspect|examine|review|identify|determine|confirm|compare|count|measure|collect"
    r"|gather|start|restart|reload|refresh|apply|install|update|upgrade|enable|create|fix|repair|free|clear"
    r"|do (?:this|that|so)|(?:build|compile|stop|delete|remove)(?=\s+(?:the|an?|all|your|this|that|these|those)\s))"
    rf"|for an? (?:(?:quick|short|brief|full|complete) )?(?:overview|summary|list))\b\s*+{_WORDS}"
)
"""What an order is for; not "to cancel", which somebody has to choose."""
_PLAINLY = (
    r"(?:in (?:(?:this|that|the (?:same|given|following)) )?order\b(?! to\b)"
    r"|in (?:a|the|your) (?:terminal(?: window)?|shell|command line)\b)"
)
"""How and where all commands are run."""
_END = re.compile(
    r"(?:\W*\b(?:commands?|scripts?|tools?|functions?|programs?|again|now|immediately|first|next|once)\b)*"
    rf"(?:\W*{_PLAINLY})?(?:\W*{_FOR})?\W*",
    re.IGNORECASE,
)
"""What may stand in a clause after the code that is run."""
_ANNOUNCED = re.compile(rf"{_WORDS}(?:\s*{_PLAINLY})?(?:\s*{_FOR})?\W*", re.IGNORECASE)
"""What may stand after "run" where the code comes below."""
_BEGINNING = re.compile(
    rf"{_LEAD}(?:{_FOR}|(?:for|after|with) (?:this|that)|step\s+\d+|\d+|and|then|now|first|next|also|finally)?\W*",
    re.IGNORECASE,
)
"""What may stand in a clause before the one that says to run code."""
_OBJECT = re.compile(r"(?P<verb>[a-z]+)\s+(?:the|an?|your|all|it|them|its|this|that|these|those)\b", re.IGNORECASE)
"""How an instruction begins whose verb nobody has listed: "Ping the primary"."""
_NO_VERB = frozenset("since although because though sometimes always perhaps maybe most many half both during".split())
_LOOKING = re.compile(
    r"(?:check|look|review|inspect|examine|determine|identify|find|see|list|show|view|read|note)\b(?!\s+that\b)",
    re.IGNORECASE,
)
"""An instruction that changes nothing and that nothing after it depends on."""
_IF = re.compile(rf"{_LEAD}(?:but |only )*(?:if|when|unless|in case|once)\b", re.IGNORECASE)
_POINTING = re.compile(rf"{_LEAD}(?:for|with) (?:this|that)\b|.*\bto do (?:this|that|so)\b", re.IGNORECASE)
"""What the sentence before says is what a command is for."""
_OTHERS = re.compile(rf"{_LEAD}(?:ask|tell|have|let|instruct|request)\b", re.IGNORECASE)
"""How somebody else is told to do something."""
_SHELL = re.compile(r"\b(?:run|execute|commands?)\b", re.IGNORECASE)
"""What announces commands, where a block does not say by itself that it holds some: not "use this:"."""
_CONTENT = re.compile(
    r"\b(?:add|append|paste|insert|put|save|write)\b.*\b(?:to|in|into|as)\b|\b(?:contents?|lines?)\b", re.IGNORECASE
)
"""What announces the text of a file."""
_PURPOSE = re.compile(r"(?:how|what|which|whether|why|to|this|then|now|first|next|finally)\b", re.IGNORECASE)
"""How a remark in code begins that says what the code is for, and not where: "how full", "to see the lag"."""


class Orders(NamedTuple):
    """What a step says to run."""

    commands: tuple[str, ...]
    complete: bool
    """Whether they are all that the step says to do, up to its first branch."""
    reason: str = ""
    """Why code is left to a person, in their words; empty where there is none to run, or an outcome decides."""
    branches: bool = False
    """Whether words come after them on what follows from what is seen."""


class _Stop(Enum):
    """What ends the reading."""

    BRANCH = auto()
    SECTION = auto()
    """A heading of what is for one case, or is one way of several."""
    PERSON = auto()
    """Something that only a person can do, or decide."""


def orders(text: str, branches: Collection[int] = (), condition: str = "", *, headings: Collection[str] = ()) -> Orders:
    """The commands that a step says to run unconditionally.

    Args:
        text: The step, Markdown, its parameters filled in.
        branches: Lines of it (1-based) that say where an outcome leads.
        condition: What is known to hold, because it led to the step.
        headings: Under which it stands.

    Example:
        >>> orders("Ping it with `db ping`. If it is silent, run `db restart`.")
        Orders(commands=('db ping',), complete=True, reason='', branches=True)
    """
    reading = _Reading(text, branches, condition.casefold())
    if denying := next(filter(objections.heads_nothing_to_run, headings), ""):
        return Orders((), False, _says(denying) if reading.may_run else "")
    if not _are_understood(headings, text):
        return Orders((), False, NOT_ENGLISH if reading.may_run else "")
    stop = next((stop for block in reading.blocks if (stop := reading.read(block)) is not None), None)
    commands = tuple(command for group in reading.groups for command in group)
    is_complete = stop is not _Stop.PERSON and not reading.announces
    is_left = stop is _Stop.PERSON or (stop is None and not commands)
    return Orders(
        commands, bool(commands) and is_complete, reading.reason(stop) if is_left else "", stop is _Stop.BRANCH
    )


class _Reading:
    """One reading of a step, block by block."""

    def __init__(self, text: str, branches: Collection[int], condition: str) -> None:
        self._codes: list[str] = []
        self._branches = branches
        self._condition = condition
        self.groups: list[list[str]] = []
        """The commands taken, sentence by sentence and block by block."""
        self._before: str | None = ""
        """The sentence before a block; None after a block of code."""
        self._at = ""
        """What was read last."""
        masked = self._masked(text)
        self._source = Source(masked)
        self.blocks = [leaf for block in parse(masked).blocks for leaf in _leaves(block)]

    @property
    def announces(self) -> bool:
        """Whether the last sentence says that what is to be done comes after it."""
        return self._before is not None and self._before.endswith(COLONS)

    @property
    def may_run(self) -> str:
        """The first words by which somebody may have meant that code is run; empty where there are none."""
        return next((said for block in self.blocks for said in _meant(block)), "")

    def reason(self, stop: _Stop | None) -> str:
        """The words that have stopped the reading, or by which nothing is run; empty where there is nothing to run."""
        said = self.may_run and (self._at if stop else self.may_run)
        return said and _says(_CODE.sub(lambda match: f"`{self._codes[int(match[1])]}`", said))

    def read(self, block: Block) -> _Stop | None:
        """Take the commands of a block; say what ends the reading in it."""
        self._at = visible(block.text) if block.kind == "html" else block.text or block.words
        halves = [half.text for sentence in cut(block.text) for half in conditions.halves(sentence, block.text)]
        is_told = block.kind == "paragraph" and any(map(_states, halves))
        if not is_told and any(block.start <= line <= block.end for line in self._branches):
            return _Stop.BRANCH
        if block.kind == "code":
            return self._read_code(block)
        if any(objections.is_struck_out(self._source.line(number)) for number in range(block.start, block.end + 1)):
            return _Stop.PERSON
        if (block.kind == "heading" or block.bold) and (
            objections.heads_nothing_to_run(block.flat) or gate_of(block.flat)
        ):
            return self._alarmed(block.flat) or _Stop.PERSON
        match block.kind:
            case "heading":
                is_way = cases.heading_condition(block.flat) or directions.is_counted(block.flat)
                return _Stop.SECTION if is_way else None
            case "quote":
                return self._not_understood(block.words) or self._alarmed(block.words)
            case "html":
                return self._read_html(block)
        stops = (self._read_sentence(half) for half in halves)
        return next((stop for stop in stops if stop is not None), None)

    def _read_html(self, block: Block) -> _Stop | None:
        """What HTML shows is no order; it may speak against those before it."""
        if objections.is_alarming_html(block.text):
            self._take_back()
            return _Stop.PERSON
        shown = visible(block.text)
        return (self._not_understood(shown) or self._alarmed(shown) or _Stop.PERSON) if shown else None

    def _read_code(self, block: Block) -> _Stop | None:
        before, self._before = self._before, None
        self._at = before or block.text
        language = next(iter(block.language.lower().split()), "")
        lines = _joined(block.text, language)
        is_prompted = any(line.startswith(_PROMPT) for line in lines)
        if before is None and not is_prompted:
            return None  # what the block above prints
        said = before or ""
        is_run = any(
            _RUN.fullmatch(part) or _WITH.fullmatch(part) for part in _CLAUSE.split(said) if _SHELL.search(part)
        )
        is_shell = language in SHELLS or (not language and (is_run or is_prompted))
        typed = [line.removeprefix(_PROMPT).lstrip() for line in lines if line.startswith(_PROMPT) or not is_prompted]
        remarks = [line for line in typed if line.startswith("#")]
        is_doubtful = objections.limits(said) or not all(map(_is_harmless, remarks))
        if not is_shell or is_doubtful or _CONTENT.search(said) or not _announces_plainly(said):
            return _Stop.PERSON
        self.groups.append([line for line in typed if not line.startswith("#")])
        return None

    def _read_sentence(self, said: str) -> _Stop | None:
        self._at = said
        if self.announces or len(said) > LONGEST_SENTENCE:
            return _Stop.PERSON
        if stop := self._not_understood(said):
            return stop
        sentence = self._without_condition(said)
        is_too_late = any(self.groups) and objections.comes_before(sentence)
        if is_too_late or objections.names_another_way(sentence) or objections.speaks_against(sentence):
            self._take_back()
            return _Stop.PERSON
        if is_aside(said) or objections.alarms(said):
            return self._alarmed(said)
        if _states(sentence) or leaning.asks(sentence) or (conditions.label(sentence) and not tells(sentence)):
            return _Stop.BRANCH
        is_way = directions.is_counted(sentence) and not tells(sentence)
        if is_way or objections.offers_choice(sentence):
            return _Stop.PERSON
        if objections.is_needed(sentence):
            self.groups.clear()
            return _Stop.PERSON
        if _POINTING.match(sentence) and _may_be_a_choice(self._before or ""):
            return _Stop.PERSON
        self._before = sentence
        return self._read_clauses(sentence)

    def _alarmed(self, said: str) -> _Stop | None:
        """Take back what a warning follows, or words on when or where; what else is said beside is nothing to do."""
        if any(objections.is_needed(sentence.text) for sentence in cut(said)):
            self.groups.clear()
            return _Stop.PERSON
        if not (objections.alarms(said) or objections.speaks_against(said)):
            return None
        self._take_back()
        return _Stop.PERSON

    def _not_understood(self, said: str) -> _Stop | None:
        """Take back what stands beside words that may say anything."""
        if _is_understood(said):
            return None
        self._take_back()
        return _Stop.PERSON

    def _take_back(self) -> None:
        """Leave the commands that were taken last to the person."""
        while self.groups and not self.groups.pop():
            pass

    def _read_clauses(self, sentence: str) -> _Stop | None:
        """Take what a sentence says to run, as far as nothing is to be done by hand before it."""
        group: list[str] = []
        self.groups.append(group)
        clauses = _CLAUSE.split(sentence)
        is_plain = True
        for clause, following in itertools.pairwise([*clauses, "and"]):
            if _IF.match(clause) and not (group and following.lower().startswith("and")):
                return _Stop.BRANCH
            instructs = _instructs(clause)
            ordered = self._ordered(clause, instructs or (not group and _instructs(sentence)), bool(group))
            is_plain = is_plain and bool(ordered or instructs or _BEGINNING.fullmatch(clause))
            is_limited = not is_plain or objections.limits(sentence) or _has_circumstance(sentence)
            if ordered is None or ((ordered or group) and is_limited):
                group.clear()
                return _Stop.PERSON
            group += ordered
            is_by_hand = not ordered and instructs and not _LOOKING.match(_bare(clause))
            if is_by_hand and (not (self.announces and clause is clauses[-1]) or _OTHERS.match(clause)):
                return _Stop.PERSON
        return None

    def _ordered(self, clause: str, instructs: bool, goes_on: bool) -> list[str] | None:
        """The code that a clause says to run; None where it says how, when or where, too."""
        ordered: list[str] = []
        at = last = 0
        for match in _CODE.finditer(clause):
            before = clause[at : match.start()]
            at = match.end()
            says_so = _RUN.fullmatch(before) or (instructs and not ordered and _WITH.fullmatch(before))
            if says_so or ((ordered or goes_on) and _ALSO.fullmatch(before)):
                ordered.append(self._codes[int(match[1])])
                last = at
        is_clear = not ordered or (_END.fullmatch(clause, last) and all(map(_COMMAND.match, ordered)))
        return ordered if is_clear else None

    def _without_condition(self, sentence: str) -> str:
        """A sentence without its condition, where that is the one that is known to hold."""
        found = conditions.clause(sentence) if self._condition else None
        if found is None:
            return sentence
        stated = _CODE.sub(lambda match: self._codes[int(match[1])], found.condition)
        return found.consequence if stated.casefold() in self._condition else sentence

    def _masked(self, text: str) -> str:
        """A text with a number in place of each inline code, line for line the same."""
        pieces, at = [], 0
        plain = text.replace(MARK, "\ufffd")
        for code in codes(Source(plain)):
            if code.inline:
                start, end = code.ranges[0][0], code.ranges[-1][1]
                further = "\n." * plain.count("\n", start, end)
                pieces += [plain[at:start], f"X{MARK}{len(self._codes)}{MARK}{further}"]
                self._codes.append(code.text)
                at = end
        return "".join([*pieces, plain[at:]])


def _leaves(block: Block) -> Iterator[Block]:
    """The blocks that hold words or code, in reading order; a quotation is one."""
    if block.kind in ("list", "item"):
        for child in block.children:
            yield from _leaves(child)
    elif block.kind in ("paragraph", "code", "heading", "quote", "html"):
        yield block


def _says(said: str) -> str:
    words = " ".join(said.split())
    return f'it says "{words if len(words) <= LONGEST_REASON else f"{words[:LONGEST_REASON]} ..."}"'


def _meant(block: Block) -> Iterator[str]:
    """The sentences of a block, or its lines, by which somebody may have meant that code is run."""
    if block.kind == "code":
        yield from [block.text] if next(iter(block.language.lower().split()), "") in SHELLS else []
        return
    for said in (sentence.text for sentence in cut(block.text)):
        found = _MAY_RUN.search(said)
        if found and (not (found["how"] or found["colon"]) or _instructs(said)):
            yield said


def _are_understood(headings: Collection[str], text: str) -> bool:
    """Whether headings are English: they and the step below them together, and the long ones each for itself."""
    long = (heading for heading in headings if len(heading.split()) >= LONG_HEADING)
    return is_clearly_english("\n".join((*headings, text))) and all(map(may_be_english, long))


def _is_understood(said: str) -> bool:
    """Whether words are English for sure, or there are none."""
    return is_clearly_english(_CODE.sub(" ", said))


def _states(sentence: str) -> bool:
    return conditions.clause(sentence) is not None or bool(conditions.announced(sentence))


def _instructs(text: str) -> bool:
    """Whether a text begins by telling the reader to do something, in a verb that is listed or in its form."""
    bare = _bare(text)
    found = _OBJECT.match(bare)
    verb = found["verb"].lower() if found else ""
    is_noun = verb in _NO_VERB or (verb.endswith("ing") and len(verb) > len("bring"))
    return tells(bare) or (not is_noun and bool(content_words(verb)))


def _announces_plainly(said: str) -> bool:
    """Whether the sentence before a block of code tells to do something, and neither how, nor when, nor where."""
    if not said:
        return True
    clauses = _CLAUSE.split(said)
    runs = [(clause, found) for clause in clauses if (found := _RUN.match(clause))]
    is_told = any(_instructs(clause) or _LOOKING.match(_bare(clause)) or _WITH.fullmatch(clause) for clause in clauses)
    is_plain = all(_ANNOUNCED.fullmatch(clause, found.end()) for clause, found in runs)
    return is_plain and (is_told or bool(runs)) and not _has_circumstance(said)


def _is_harmless(remark: str) -> bool:
    """Whether a remark in code says what the code is for, and nothing that limits it: "# list all", not "# standby"."""
    bare = _bare(remark)
    is_purpose = not bare or _PURPOSE.match(bare) or _instructs(bare)
    is_known = len(bare.strip("# ").split()) < LONG_REMARK or may_be_english(bare)
    is_limited = objections.limits(remark) or _IF.match(remark) or objections.speaks_against(remark)
    return bool(is_purpose) and is_known and not is_limited


def _may_be_a_choice(before: str) -> bool:
    """Whether what "to do this" points to is anything but an order."""
    return bool(before) and (not _instructs(before) or objections.limits(before))


def _has_circumstance(sentence: str) -> bool:
    """Whether a sentence begins with when or where, and not with what its order is for."""
    found = directions.circumstance(sentence)
    return bool(found) and _BEGINNING.fullmatch(found) is None


def _bare(clause: str) -> str:
    """A clause without "and", "then" or "please" before it."""
    found = _LEADING.match(clause)
    return clause[found.end() :] if found else clause


def _joined(code: str, language: str) -> list[str]:
    """The lines of a block, without blank ones; one that ends with a backslash goes on in the next, as in a shell."""
    typed = code.split("\n")
    is_prompted = any(line.lstrip().startswith(_PROMPT) for line in typed)
    lines = [""]
    for line in typed:
        if language in _NO_BACKSLASH or len(lines[-1]) > LONGEST_JOINED or not _GOES_ON.fullmatch(lines[-1]):
            lines.append(line)
        else:
            lines[-1] = lines[-1][:-1] + (_FURTHER.sub("", line) if is_prompted else line)
    stripped = (line.strip(" \t") for line in lines)
    return list(filter(None, stripped))
