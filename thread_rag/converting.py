"""HTML -> Markdown, for the same rules that read any other document.

markdownify converts; beforehand a page loses what is no part of its text (`exports`: what programs put around it), and
here stands what matters to a guide and is lost elsewhere: the numbers of lists, the languages of code, anchors, the
lines of cells, tables whose cells hold code. Nothing is run and nothing is fetched: a page is text.
"""

from __future__ import annotations

import codecs
import re
import warnings
from typing import NamedTuple

from bs4 import BeautifulSoup, Tag
from bs4.builder import LXMLTreeBuilder  # type: ignore[attr-defined]
from bs4.dammit import EncodingDetector
from bs4.element import NavigableString, PageElement
from markdownify import MarkdownConverter

from thread_core.documents.headings import slug
from thread_rag.encodings import as_on_the_web, is_utf_8
from thread_rag.exports import BOX_TITLES, classes, names_weight, opened, tidy

_NO_TEXT = "script style template noscript nav footer header aside iframe object svg button select colgroup".split()
"""Elements that are no part of a page's text."""
_ASIDE = {"admonition", "note", "tip", "warning", "callout", "footnote", "footnote-list", "topic", "sidebar"}
"""Classes of what is set aside on a page and belongs to its text all the same."""
_HEADINGS = "h1 h2 h3 h4 h5 h6".split()
_BLOCKS = [*_HEADINGS, *"p div ul ol li dl dt dd table pre blockquote section article main details figure hr".split()]
_TALL = [*_HEADINGS, "table", "pre", "details"]
"""What does not fit into one line of a table."""
_LANGUAGE = re.compile(r"(?:language-|lang-|highlight-source-|highlight-)([\w+#.-]+)")
_NO_LANGUAGE = {"default", "none", "plaintext", "text"}
_ANCHOR = re.compile(r"[^\s\"'<>]+")
_LABEL = re.compile(r"(?:[0-9]{1,9}|[a-z]{1,5}|[A-Z]{1,5})[.)]")
"""How an item is numbered: by its place in its list, or as a converter has read it."""
_TICKS = re.compile(r"`+")
_MARKS = re.compile(
    r"""
      \\(?=[!-/:-@\[-`{-~])     # a backslash that Markdown would take for its own
    | <(?=[A-Za-z/!?])          # no tag
    | &(?=\#?\w+;)              # no entity
    | [`*]
    | (?<![^\W_])_ | _(?![^\W_])  # within a word it marks nothing
    | \](?=[(\[:])              # no link
    | ~(?=~) | (?<=~)~
    """,
    re.VERBOSE,
)
"""Signs in plain words that Markdown would read as marks."""
_AS_SEEN = {**dict.fromkeys(map(ord, "\u00a0\u202f\u2007"), " "), **dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))}
"""What editors put between and into words: spaces that break no line, and signs that nobody sees."""
_LINE_MARKS = re.compile(r"(\s*)(?=#{1,6}(?:\s|$)|>)")
"""What would make a heading or a quote at the beginning of a line."""
DEEPEST = 200
"""Elements within each other that are converted; pages have some twenty."""
MOST_NUMBER = 999_999_999
"""The largest number that Markdown takes for a list's."""


class Page(NamedTuple):
    """A converted document."""

    text: str
    """Markdown."""
    title: str = ""
    """What the page is called where no heading says so."""


def charset(data: bytes) -> str:
    """The encoding of a page, by its mark or as its head declares it; empty for UTF-8, declared or not."""
    for mark, encoding in ((codecs.BOM_UTF8, ""), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")):
        if data.startswith(mark):
            return encoding
    declared = EncodingDetector.find_declared_encoding(data, is_html=True) or ""
    try:
        name = codecs.lookup(declared.removeprefix("x-")).name if declared else "utf-8"
    except LookupError:
        return declared
    if name.startswith(("utf-8", "utf-16", "utf-32")):
        return ""  # what was found by reading bytes as ASCII cannot be UTF-16
    return "" if as_on_the_web(name) == "cp1252" and is_utf_8(data) else name


def html_to_markdown(html: str) -> Page:
    """Convert a page.

    Raises:
        RecursionError: it is nested too deeply.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # advice to programmers on what to parse
        lines = html.replace("\r\n", "\n").replace("\r", "\n")
        soup = BeautifulSoup(opened(lines), builder=LXMLTreeBuilder())
    _check_depth(soup)
    tidy(soup)
    title = soup.title.get_text(" ", strip=True) if soup.title else ""
    mains = soup.find_all("main") or soup.find_all(role="main")
    main = mains[0] if len(mains) == 1 else soup.body
    if main is None:
        return Page("", title)
    _clear(main)
    main.smooth()
    for pre in main.find_all("pre"):
        _make_plain(pre)
    for table in main.find_all("table"):
        _flatten(table)
    for ordered in main.find_all("ol"):
        _number(ordered)
    _mark_anchors(main)
    text = _Converter(wrap=True, wrap_width=None, heading_style="atx", bullets="-").convert_soup(main)
    return Page(text.strip("\n") + "\n", "" if main.find("h1") else title)


def _check_depth(soup: Tag) -> None:
    level: list[Tag] = [soup]
    for _ in range(DEEPEST):
        level = [child for tag in level for child in tag.children if isinstance(child, Tag)]
    if level:
        raise RecursionError("elements within each other")


def _clear(main: Tag) -> None:
    """Take out what is no part of the text, and name alike what pages name differently."""
    for tag in main.find_all(_NO_TEXT):
        if (tag.name == "aside" and _ASIDE.intersection(classes(tag))) or (
            tag.name == "header" and tag.find(_HEADINGS)
        ):
            tag.name = "div"
        elif not tag.decomposed:
            tag.decompose()
    for tag in main.find_all(class_=["linenos", "lineno", "lineno-container", "headerlink"]):
        if not tag.decomposed:
            tag.decompose()
    for tag in main.find_all("span", class_="literal"):
        tag.name = "code"
    for heading in main.find_all(_HEADINGS):
        for link in heading.find_all("a", href=re.compile("^#")):
            if not any(sign.isalnum() for sign in link.get_text()) and not link.decomposed:
                link.decompose()


def _make_plain(pre: Tag) -> None:
    """Leave a code block's characters and its language."""
    holders = [*pre.find_all("code", limit=1), pre, *list(pre.parents)[:2]]
    pre["language"] = next(filter(None, map(_language, holders)), "")
    for end in pre.find_all("br"):
        end.append("\n")
    for line in pre.find_all(["div", "p", "li", "tr"]):
        if not line.get_text().endswith("\n"):
            line.append("\n")
    text = pre.get_text()
    pre.clear()
    pre.append(text.removeprefix("\n"))


def _language(tag: Tag) -> str:
    """The language that a tag's classes name, as highlighters write it."""
    names = classes(tag)
    if names[:1] == ["code"] and tag.name == "pre":
        return next((name for name in names[1:] if name != "literal-block"), "")
    found = next((match[1] for match in map(_LANGUAGE.fullmatch, names) if match), "")
    return "" if found in _NO_LANGUAGE else found


def _flatten(table: Tag) -> None:
    """Make a table that one line a row can hold; one that only places blocks on the page becomes these blocks."""
    for pre in table.find_all("pre"):
        if pre.find_parent(["td", "th"]) is not None and "\n" not in pre.get_text().strip("\n"):
            pre.name = "code"
    if table.find(_TALL) or len(table.find_all(["td", "th"], limit=2)) == 1:
        for part in [*table.find_all(["thead", "tbody", "tfoot", "tr", "td", "th", "caption"]), table]:
            if part.find_parent("table") in (table, None) or part is table:
                part.name = "div"
        return
    if (caption := table.find("caption")) is not None:
        caption.name = "p"
        table.insert_before(caption.extract())


def _number(ordered: Tag) -> None:
    """Write each item's number, as a browser would show it, into the item."""
    items = ordered.find_all("li", recursive=False)
    backwards = ordered.has_attr("reversed")
    number = _whole(ordered.get("start"), len(items) if backwards else 1)
    for item in items:
        number = _whole(item.get("value"), number)
        item["value"] = str(min(max(number, 0), MOST_NUMBER))
        number += -1 if backwards else 1


def _whole(written: object, otherwise: int) -> int:
    text = str(written).strip()
    return int(text) if len(text) < 10 and text.removeprefix("-").isdecimal() else otherwise


def _mark_anchors(main: Tag) -> None:
    """Put the anchors that links may name where Markdown can keep them: in a heading, or before the words."""
    linked = {str(link["href"])[1:] for link in main.find_all("a", href=re.compile("^#"))}
    for tag in [main, *main.find_all(id=True), *main.find_all("a", attrs={"name": True})]:
        name = str(tag.get("id") or tag.get("name") or "")
        if not _ANCHOR.fullmatch(name) or tag.find_parent("pre"):
            continue
        heading = tag if tag.name in _HEADINGS else None
        if tag.name in ("section", "div", "article", "main"):
            first = tag.find(_BLOCKS[: _BLOCKS.index("div")])
            heading = first if isinstance(first, Tag) and first.name in _HEADINGS else None
        if heading is not None:
            if slug(heading.get_text()) != name.lower():
                heading.insert(0, _anchor(name))
        elif tag.name in ("a", "span") and not tag.get_text(strip=True):
            tag.replace_with(_anchor(name))
        elif name in linked or tag.name == "dt" or (tag.name == "a" and not tag.has_attr("href")):
            if tag.name in ("p", "li", "dt", "dd", "td", "th", "span"):
                tag.insert(0, _anchor(name))
            elif tag.name not in ("tr", "thead", "tbody"):
                tag.insert_before(_anchor(name))


def _anchor(name: str) -> Tag:
    return Tag(name="anchor", attrs={"id": name})


class _Converter(MarkdownConverter):
    """markdownify with what guides need."""

    def escape(self, text: str, parent_tags: set[str]) -> str:
        return _MARKS.sub(r"\\\g<0>", text)

    def process_text(self, el: NavigableString, parent_tags: set[str] | None = None) -> str:
        text: str = super().process_text(el, parent_tags)  # type: ignore[misc]
        if not {"pre", "code", "kbd", "samp"} & (parent_tags or set()):
            text = text.translate(_AS_SEEN)
        if "_noformat" not in (parent_tags or ()) and _begins_line(el) and (match := _LINE_MARKS.match(text)):
            return f"{match[1]}\\{text[match.end() :]}"
        return text

    def convert_anchor(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        return f'<a id="{el["id"]}"></a>'

    def convert_a(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        href = str(el.get("href") or "").strip()
        words = " ".join(text.split()).lstrip("# ")
        if not words or not href or "_noformat" in parent_tags or href.lower().startswith(("javascript:", "data:")):
            return text
        before, after = (" " * text[:1].isspace(), " " * text[-1:].isspace())
        if words == href and href.startswith(("http://", "https://")) and not re.search(r"[\s<>\\]", href):
            return f"{before}<{href}>{after}"
        target = " ".join(href.split())
        if re.search(r"[\s()<>\\]", target):
            target = "<" + target.replace("\\", "/").replace("<", "%3C").replace(">", "%3E") + ">"
        return f"{before}[{words}]({target}){after}"

    def convert_br(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        return _apart("", parent_tags) if "_inline" in parent_tags else "\n"

    def convert_hr(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        return _apart("", parent_tags) if "_inline" in parent_tags else "\n\n* * *\n\n"

    def convert_code(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        convert = super().convert_code  # type: ignore[misc]
        return "\n".join(convert(el, line, parent_tags) for line in text.split("\n"))

    convert_kbd = convert_samp = convert_code

    def convert_img(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        said, source = " ".join(str(el.get("alt") or "").split()), str(el.get("src") or "").strip()
        if "_inline" in parent_tags or not source or source.startswith("data:") or " " in source:
            return said
        return f"![{said}]({source})"

    def convert_input(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        return ("[x] " if el.has_attr("checked") else "[ ] ") if el.get("type") == "checkbox" else ""

    def convert_pre(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        code = el.get_text()
        if not code.strip():
            return ""
        fence = "`" * max(3, 1 + max(map(len, _TICKS.findall(code)), default=0))
        return f"\n\n{fence}{el['language']}\n{code.removesuffix(chr(10))}\n{fence}\n\n"

    def convert_div(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        if _is_box(el):
            return self.convert_blockquote(el, text, parent_tags)
        if "_inline" in parent_tags:
            return _apart(text, parent_tags)
        return f"\n\n{text.strip()}\n\n" if text.strip() else ""

    convert_article = convert_section = convert_main = convert_figure = convert_dl = convert_aside = convert_div

    def convert_blockquote(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        if "_inline" in parent_tags:
            return _apart(text, parent_tags)
        title = el.find(class_=list(BOX_TITLES))
        if text.strip() and el.has_attr("box") and (title is None or not names_weight(title.get_text())):
            text = f"[!{el['box']}]\n{text.strip()}"
        converted: str = super().convert_blockquote(el, text, parent_tags)  # type: ignore[misc]
        return converted

    def convert_p(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        if BOX_TITLES.intersection(classes(el)) and el.find_parent(_is_box) is not None and text.strip():
            text = f"**{el.get_text().strip()}**"
        if "_inline" in parent_tags:
            return _apart(text, parent_tags)
        converted: str = super().convert_p(el, text, parent_tags)  # type: ignore[misc]
        return converted

    def convert_li(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        label = str(el.get("label") or f"{el.get('value')}.")
        mark = label if _LABEL.fullmatch(label) and el.parent is not None and el.parent.name == "ol" else "-"
        return f"{_hanging(f'{mark} ', text.strip())}\n"

    def convert_dt(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        term = " ".join(text.split())
        if not term or "_inline" in parent_tags:
            return _apart(term, parent_tags)
        return f"\n- {term}" if "**" in term or "<a " in term else f"\n- **{term}**"

    def convert_dd(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        said = text.strip()
        if not said or "_inline" in parent_tags:
            return _apart(said, parent_tags)
        before = el.find_previous_sibling()
        first = el.find(True)
        follows = (
            before is not None and before.name == "dt" and (first is None or first.name not in ("pre", "ul", "ol"))
        )
        return f": {_hanging('  ', said)[2:]}\n" if follows else f"\n\n{_hanging('  ', said)}\n"

    def convert_summary(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        words = " ".join(el.get_text().split()).replace("&", "&amp;").replace("<", "&lt;")
        return f"<summary>{words}</summary>\n\n"

    def convert_details(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        return f"\n\n<details>\n{text.strip()}\n\n</details>\n\n"

    def convert_td(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        span = min(max(1, _whole(el.get("colspan"), 1)), 100)
        lines = [" ".join(line.split()) for line in text.split("\n")]
        words = (" " if el.name == "th" else "<br>").join(filter(None, lines)).replace("|", "\\|")
        return f" {words} |" + "  |" * (span - 1)

    convert_th = convert_td

    def convert_tr(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        return f"| {text.strip()}\n" if text.strip() else ""

    def convert_table(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        rows = [line for line in text.split("\n") if line.strip()]
        first = el.find("tr")
        if not rows or first is None:
            return f"\n\n{text.strip()}\n\n"
        width = max(len(re.findall(r"(?<!\\)\|", row)) - 1 for row in rows)
        headed = not first.find("td") or first.find_parent("thead") is not None
        head = rows.pop(0) if headed else "|" + "  |" * width
        return "\n\n" + "\n".join([head, "|" + " --- |" * width, *rows]) + "\n\n"


def _apart(text: str, parent_tags: set[str]) -> str:
    """What is a block by itself, where no block can be: in a cell it begins a line, in a heading a word."""
    sign = "\n" if parent_tags & {"td", "th"} else " "
    return f"{sign}{text.strip()}{sign}"


def _is_box(tag: Tag) -> bool:
    return tag.has_attr("box") or "admonition" in classes(tag)


def _hanging(mark: str, text: str) -> str:
    """A text behind a mark, with its other lines as far in as the first."""
    first, *rest = text.split("\n")
    return "\n".join([mark + first, *(" " * len(mark) + line if line else "" for line in rest)])


def _begins_line(element: PageElement) -> bool:
    """Whether nothing stands before an element in its line."""
    while element.previous_sibling is None and element.parent is not None and element.parent.name == "span":
        element = element.parent
    before = element.previous_sibling
    if before is None:
        return element.parent is not None and element.parent.name in (*_BLOCKS, "body")
    return isinstance(before, Tag) and before.name in (*_BLOCKS, "br")
