r"""Code with its parameters as placeholders (the paper's default parameters), filled from what was said.

A unit's `parameters` map a name to its default. Where the code holds the name as a placeholder (`<node>`, `$NODE`),
the placeholder is filled; else the default itself stands in the verbatim code (`web-3`), and is what is replaced. What
nobody has named, and what has no default, stays as it stands.

Values come from the words of a person or a history, which are untrusted, and somebody may run the code. A value is
refused unless it is one plain word: letters, digits and `. _ : / @ % + , = -`, no `-` at the beginning. Then the
default stays in what is shown, and what a step says to run has no value. Nothing with white space, quotes, `;`, `|`,
`&`, `$`, backticks, brackets, `<`, `>` or `\` gets into a command. Nothing is ever executed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from thread_core.documents.blocks.source import Source
from thread_core.documents.code import Code, codes
from thread_core.models import LogicUnit, Model
from thread_core.text.sentences import mentions

LONGEST_VALUE = 128
"""Characters of a value."""

_MARKED = re.compile(
    r"(?<![\w<])<(?P<angled>[^\W\d_][\w'’-]*(?: [\w'’-]+){0,5})>"
    r"|\$\{(?P<braced>[A-Z][A-Z0-9_]+)\}|\$(?P<variable>[A-Z][A-Z0-9_]+)\b"
    r"|(?<![\w.-])(?P<yours>(?:[Yy]our|YOUR)[_-]\w[\w-]*)"
)
"""How documents mark what the reader has to fill in."""
_DEFAULT = re.compile(
    r"\bdefault(?: value)? (?:of|for) `?(?P<name>[^\s`]+)`? is `?(?P<value>[\w/@%+-]+(?:[.:][\w/@%+-]+)*)",
    re.IGNORECASE,
)
_SIGNS = ("<", "$", "our-", "our_", "OUR-", "OUR_")
_MAY_MARK = re.compile(r"<[^\W\d_]|\$\{?[A-Z]|(?:[Yy]our|YOUR)[_-]\w")
_OUTPUT = frozenset("none unset unknown nil null empty blank optional eof".split())
"""What programs print in angle brackets."""
_TAGS = frozenset(
    "a b body br code dd details div dl dt em h1 h2 h3 h4 hr html i img kbd li ol p pre span strong sub summary sup"
    " table td th tr u ul".split()
)
_MARKUPS = frozenset("html xml svg xaml xslt jsx tsx vue".split())
_SET_BY_THE_SYSTEM = frozenset("HOME HOSTNAME IFS LANG LC_ALL OLDPWD PATH PWD RANDOM SHELL TMPDIR UID USER".split())
_SAFE = re.compile(r"[\w./@%+:][\w./@%+,:=-]*")
_WORD = re.compile(r"[^\W_]+")
_FILLING = frozenset(("your", "my", "the"))
_GENERIC = ("id", "name", "number")
"""Last words of a name that people leave out: `<node-name>` is "node web-3"."""
_SAID = r"""(?P<value>(?P<quote>["'“`])[^"'”`\n]*["'”`]?\S*|[^\s,]+(?:,(?=\w)(?![\w"']+\s*[:=])\S*)?)"""
"""To its end: more than a plain word is none, but the next pair of a name and a value is not read with it."""
_AROUND = "\"'“”`.:!?()[]{}*,;"
_LIKE_A_VALUE = re.compile(r"[\d_./:]")


class Slot(NamedTuple):
    """Where a parameter stands in a body: characters, the last one not included."""

    name: str
    start: int
    end: int


class Template(Model):
    """A body with the places of its parameters."""

    body: str
    slots: tuple[Slot, ...]
    """In order, not overlapping; all of them in code."""

    def fill(self, values: Mapping[str, str]) -> str:
        """The body with values put in, whatever they are; what has no value stays as it stands."""
        pieces, at = [], 0
        for slot in self.slots:
            pieces += [self.body[at : slot.start], values.get(slot.name, self.body[slot.start : slot.end])]
            at = slot.end
        return "".join([*pieces, self.body[at:]])


def template_of(unit: LogicUnit) -> Template:
    """A unit's body with a slot wherever a parameter stands in code as a whole token.

    Of two parameters that stand as the same text, neither has slots: nothing says which is meant.
    """
    names: dict[str, list[str]] = {}
    for name, default in unit.parameters.items():
        for token in _tokens(name, default, unit.body):
            names.setdefault(token, []).append(name)
    meant = {token: found[0] for token, found in names.items() if len(found) == 1}
    if not meant:
        return Template(body=unit.body, slots=())
    whole = re.compile("|".join(_whole(token) for token in sorted(meant, key=len, reverse=True)))
    ranges = (place for code in _filled(unit.body) for place in code.ranges)
    found_in = (match for start, end in ranges for match in whole.finditer(unit.body, start, end))
    return Template(body=unit.body, slots=tuple(Slot(meant[match[0]], *match.span()) for match in found_in))


def placeholder(name: str) -> str:
    """How a parameter stands where it has no value: as the document marks it, else `<name>`."""
    return name if _MARKED.fullmatch(name) else f"<{name}>"


def _tokens(name: str, default: str, body: str) -> list[str]:
    """As what a parameter stands in a body: its placeholders, else its default."""
    placeholders = [name] if _MARKED.fullmatch(name) else [f"<{name}>", f"${{{name}}}", f"${name}"]
    return [token for token in placeholders if token in body] or [token for token in (default,) if token.strip()]


def fill(unit: LogicUnit, values: Mapping[str, str]) -> str:
    """A unit's body with values in its code. A value that is refused (see `is_safe`) leaves the default.

    Example:
        >>> fill(unit, {"<node-name>": "web-3"})  # the body is "Run `drain <node-name>`."
        'Run `drain web-3`.'
    """
    return template_of(unit).fill({name: value for name, value in values.items() if is_safe(value)})


def is_safe(value: str) -> bool:
    """Whether a value is one plain word, which no shell takes for anything else."""
    return len(value) <= LONGEST_VALUE and _SAFE.fullmatch(value) is not None


def values_in(unit: LogicUnit, said: Iterable[str]) -> dict[str, str]:
    """A value for each parameter of a unit: what was said of it last, else its default.

    Where that is more than one plain word (`"old data"`, `a,b`), there is none: nobody can tell what is meant.

    Args:
        unit: The unit whose parameters are looked for.
        said: The history and the question, the oldest first. Understood are "--namespace prod", "namespace: prod",
            "node called web-3", the labels of JSON and of Markdown, and before a value that is no word, "node web-3".
    """
    values = dict(unit.parameters)
    mentions = [(name, mention) for name in values if (mention := _mention(name)) is not None]
    for text in said:
        for name, mention in mentions:
            for match in mention.finditer(text):
                if (value := _value(match)) is not None:
                    values[name] = value
    return values


def marked(body: str) -> dict[str, str]:
    """The parameters that a text marks in its code itself, with the defaults that it states; most have none.

    These are `<node-name>`, `$NODE` and `${NODE}`, where the code does not set them, and `your-node`. Markup, what
    programs print (`<none>`), variables of the system and of other template languages are none.

    Example:
        >>> marked("Run `drain <node> --port <port>`. The default of `<port>` is 8443.")
        {'<node>': '', '<port>': '8443'}
    """
    if not (mentions(body, _SIGNS) and _MAY_MARK.search(body)):
        return {}
    pieces = _filled(body)
    written = "\n".join(code.text for code in pieces)
    matches = ((match, code) for code in pieces for match in _MARKED.finditer(code.text))
    found = dict.fromkeys(match[0] for match, code in matches if _is_parameter(match, code, written))
    stated = {match["name"]: match["value"] for match in _DEFAULT.finditer(body)} if "efault" in body else {}
    return {name: stated.get(name, "") for name in found}


def _filled(body: str) -> list[Code]:
    """The code of a text in which something is filled in: "the default of `<port>`" only speaks of it."""
    return [code for code in codes(Source(body)) if not (code.inline and _MARKED.fullmatch(code.text.strip()))]


def _is_parameter(match: re.Match[str], code: Code, written: str) -> bool:
    if name := match["angled"]:
        is_markup = name.lower() in _TAGS or code.language in _MARKUPS or f"</{name}" in written
        return not is_markup and name.lower() not in _OUTPUT
    if name := match["braced"] or match["variable"]:
        sets = re.search(rf"(?<![\w$]){name}=|\b(?:for|read|local|declare)\s+(?:-\w+\s+)*{name}\b", written)
        return not (sets or name in _SET_BY_THE_SYSTEM)
    return True


def _whole(default: str) -> str:
    """A pattern for a text as a whole token: `web-3` is not in `web-32`, `$NODE` is in `$NODE.local`."""
    before = r"(?<![\w-])(?<!\w\.)" if default[0].isalnum() else ""
    after = r"(?!\w)" if default[0] == "$" else r"(?![\w-]|\.\w)"
    return f"{before}{re.escape(default)}{after if default[-1].isalnum() or default[-1] == '_' else ''}"


# -- what was said of a parameter --------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _mention(name: str) -> re.Pattern[str] | None:
    """How a parameter is mentioned with its value: "--node web-3", "node: web-3", "node called web-3", "node web-3"."""
    words = [word for word in _WORD.findall(name.lower()) if word not in _FILLING]
    if not words:
        return None
    generic = words.pop() if len(words) > 1 and words[-1] in _GENERIC else "|".join(_GENERIC)
    said = r"[\s_-]*".join(words) + rf"(?:[\s_-]*(?:{generic})(?![^\W_]))?"
    option = rf"(?<![\w-])--{said}(?:\s*=\s*|\s+)"
    told = rf"(?<![\w-]){said}(?:[\"'*_`]{{0,3}}\s*[:=][*_]{{0,2}}\s*|\s+(?:is\s+)?(?:called|named)\s+)"
    return re.compile(rf"(?:(?P<sure>{option}|{told})|(?<![\w-]){said}\s+(?:is\s+)?){_SAID}", re.IGNORECASE)


def _value(match: re.Match[str]) -> str | None:
    """The value in a mention, empty where it is no plain word; None where it says something else: "node is down"."""
    said = match["value"]
    value = said.strip(_AROUND)
    is_value = bool(match["sure"]) or _LIKE_A_VALUE.search(said) is not None
    is_run = said[0] == "`" and match.string[match.start("value") - 1] == "="
    if is_run or "," in value or not is_safe(value):
        return "" if is_value or match["quote"] else None
    return value if is_value and value.lower() not in _OUTPUT else None
