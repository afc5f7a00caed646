"""reStructuredText -> HTML -> Markdown.

docutils reads it. Directives and roles that it does not know, such as Sphinx's, keep their words; a file that a
document names is not read, raw HTML is left out, and no warning is printed.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from docutils import nodes, utils
from docutils.core import publish_doctree, publish_from_doctree
from docutils.languages import get_language
from docutils.parsers.rst import Directive, directives, roles
from docutils.readers import standalone
from docutils.transforms import Transform
from docutils.transforms.references import Substitutions

from thread_core.documents.blocks.references import LABEL
from thread_rag.converting import Page, html_to_markdown

_SETTINGS = {
    "_disable_config": True,
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "warning_stream": False,
    "report_level": 5,
    "halt_level": 5,
    "traceback": True,  # else an error ends the process
    "line_length_limit": 1 << 30,
    "doctitle_xform": False,
    "docinfo_xform": False,
    "initial_header_level": 1,
    "syntax_highlight": "none",
    "math_output": "LaTeX",
    "footnote_backlinks": False,
    "toc_backlinks": False,
    "embed_stylesheet": False,
    "stylesheet_path": "",
    "output_encoding": "unicode",
}
_DIRECTIVE = re.compile(r"^[ \t]*\.\. (?:\|[^|\n]+\| )?([\w.:+-]+)::", re.MULTILINE)
_ROLE = re.compile(r":([\w.:+-]+):`|`:([\w.:+-]+):")
_TITLED = re.compile(r"(.+?)\s*<([^<>]+)>", re.DOTALL)
_LINKS = {"ref", "numref", "any", "doc", "download"}
_SHOWN = {"guilabel", "menuselection", "kbd", "term", "abbr", "dfn"}
"""Roles whose text is words, not code."""
MOST_SUBSTITUTIONS = 1000
"""Places that one substitution may fill with others."""
MOST_SEARCHED = 300_000_000
"""Characters that docutils may search through for the ends of marks; for each it searches the rest of its paragraph."""
_MARKS = "`*|+"
_ERROR = 3
"""docutils' level of what cannot be understood; below are warnings."""


def rst_to_markdown(text: str) -> Page:
    """Convert a document.

    Raises:
        RecursionError: it is nested too deeply.
        ValueError: it would take minutes.
    """
    if _searched(text) > MOST_SEARCHED:
        raise ValueError("a paragraph or table has too many backticks, stars and bars")
    _learn(text)
    tree = publish_doctree(text, reader=_Reader(), settings_overrides=_SETTINGS)
    for link in list(tree.findall(_Reference)):
        link.resolve(tree)
    for target in list(tree.findall(nodes.target)):
        _label(target, tree)
    for message in list(tree.findall(nodes.system_message)):
        # What could not be understood is kept as it was written.
        kept = [child for child in message.children if isinstance(child, nodes.literal_block)]
        message.parent.replace(message, kept if message["level"] >= _ERROR else [])
    for odd in list(tree.findall(nodes.problematic)):
        odd.attributes.pop("refid", None)
    tree.parse_messages, tree.transform_messages = [], []
    return html_to_markdown(publish_from_doctree(tree, writer="html5", settings_overrides=_SETTINGS))


def _searched(text: str) -> int:
    """How many characters docutils searches through where no mark has an end."""
    runs = groupby(text.split("\n"), key=lambda line: bool(line.strip()))
    paragraphs = ("\n".join(lines) for is_text, lines in runs if is_text)
    return sum(len(one) * sum(map(one.count, _MARKS)) for one in paragraphs)


def _label(target: nodes.target, tree: nodes.document) -> None:
    """Write the label of a section as MyST does, so that other documents can call it."""
    label = target.get("refid", "")
    section = tree.ids.get(label)
    if isinstance(section, nodes.section):
        section["ids"].remove(label)
        target.replace_self(nodes.paragraph("", f"({label})="))


class _Bounded(Transform):
    """Refuses substitutions that would grow without bounds, each naming several others."""

    default_priority = Substitutions.default_priority - 1

    def apply(self) -> None:
        """Add up what each substitution becomes, as often as one may name another."""
        inner = {
            name: [one["refname"] for one in definition.findall(nodes.substitution_reference)]
            for name, definition in self.document.substitution_defs.items()
        }
        sizes = dict.fromkeys(inner, 1)
        for _ in inner:
            grown = {name: 1 + sum(sizes.get(one, 0) for one in used) for name, used in inner.items()}
            if grown == sizes:
                return
            if max(grown.values()) > MOST_SUBSTITUTIONS:
                raise ValueError("substitutions refer to each other without end")
            sizes = grown


class _Reader(standalone.Reader):  # type: ignore[type-arg]
    def get_transforms(self) -> list[type[Transform]]:
        return [*super().get_transforms(), _Bounded]


class _AnyOption(dict[str, Any]):
    """Takes every option a directive is given."""

    def __bool__(self) -> bool:
        return True

    def __missing__(self, name: str) -> Any:
        return directives.unchanged


class _Passage(Directive):
    """A directive that is not known: its argument and its content, as text."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = _AnyOption()

    def run(self) -> Sequence[nodes.Node]:
        passage = nodes.container()
        for argument in self.arguments:
            words, messages = self.state.inline_text(argument, self.lineno)
            passage += nodes.paragraph(argument, "", *words)
            passage += messages
        self.state.nested_parse(self.content, self.content_offset, passage, match_titles=True)
        return [passage]


class _Code(_Passage):
    """A code block with its language, whatever its options."""

    def run(self) -> Sequence[nodes.Node]:
        code = "\n".join(self.content)
        return [nodes.literal_block(code, code, classes=["code", *self.arguments[:1]])]


class _Reference(nodes.inline):
    """A reference to a label, until the whole document is known."""

    def resolve(self, tree: nodes.document) -> None:
        """Make it a link: to where the document has the label, else to the document that has it."""
        known = tree.nameids.get(nodes.fully_normalize_name(self["label"]))
        words = self.astext()
        if known and not self["titled"]:
            section = tree.ids[known]
            title = section.next_node(nodes.title) if isinstance(section, nodes.section) else None
            words = title.astext() if title is not None else words
        if known:
            self.replace_self(nodes.reference(words, words, refid=known))
        else:
            self.replace_self(nodes.reference(words, words, refuri=LABEL + nodes.make_id(self["label"])))


def _role(
    name: str,
    rawtext: str,
    text: str,
    lineno: int,
    inliner: Any,
    options: Mapping[str, Any] | None = None,
    content: Sequence[str] | None = None,
) -> tuple[list[nodes.Node], list[nodes.Node]]:
    """A role that is not known: a link, words or code."""
    said = utils.unescape(text)
    titled = _TITLED.fullmatch(said)
    words, target = (titled[1], titled[2]) if titled else (said, said)
    kind = name.rpartition(":")[2]
    if kind in ("doc", "download"):
        return [nodes.reference(rawtext, words, refuri=target)], []
    if kind in _LINKS:
        return [_Reference(rawtext, words, label=target, titled=titled is not None)], []
    return [nodes.inline(rawtext, words) if kind in _SHOWN else nodes.literal(rawtext, words)], []


def _learn(text: str) -> None:
    """Teach docutils the directives and roles of a text that it does not know; those it knows stay as they are."""
    document = utils.new_document("")
    document.reporter = utils.Reporter("", 4, 4, stream=io.StringIO())
    language = get_language("en")
    for name in set(_DIRECTIVE.findall(text)):
        if directives.directive(name, language, document)[0] is None:
            directives.register_directive(name, _Passage)
    for name in {found for pair in _ROLE.findall(text) for found in pair if found}:
        if roles.role(name, language, 0, document.reporter)[0] is None:
            roles.register_local_role(name, _role)  # type: ignore[arg-type]


for _name in ("code", "code-block", "sourcecode"):
    # docutils' own refuses the options of Sphinx's.
    directives.register_directive(_name, _Code)
