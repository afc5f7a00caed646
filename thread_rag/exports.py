"""What wikis and help desks put around a page, and into it -> elements that mean the same on any page.

A page that a program has exported has furniture of that program; boxes, things to unfold, nested lists and code may be
written in ways of its own. Confluence's storage format is no HTML at all, and becomes some.
"""

from __future__ import annotations

import re
from html import escape, unescape
from urllib.parse import parse_qs, urlsplit

from bs4 import Tag
from bs4.element import NavigableString

from thread_core.documents.headings import slug

_FURNITURE = ", ".join(
    (
        *("[role=navigation]", "[role=contentinfo]", "#footer", ".related_articles"),
        *("#breadcrumb-section", ".page-metadata", "#likes-and-labels-container"),  # Confluence
        *(".mw-editsection", ".mw-jump-link", ".printfooter", ".catlinks", "#siteSub"),  # MediaWiki
    )
)
"""What is no part of a page's text, however it is made."""
_CONTENTS = "#toc, .toc, .toc-macro"
"""Tables of contents, if all that they link to is on their page."""
_WEIGHTS = {
    **dict.fromkeys(("warning", "danger", "error", "critical"), "WARNING"),
    **dict.fromkeys(("caution", "attention"), "CAUTION"),
    **dict.fromkeys(("important",), "IMPORTANT"),
    **dict.fromkeys(("tip", "hint", "success"), "TIP"),
    **dict.fromkeys(("note", "info", "information"), "NOTE"),
}
"""What a box is called in classes -> what it is in Markdown, the weightiest first."""
_ALERTS = frozenset(("warning", "danger", "caution"))
"""Classes that make a box by themselves."""
_BOXES = frozenset("admonition admonitionblock callout alert notice infobox macro aui".split())
"""Words of classes that make a box of the element that has one of `_WEIGHTS`, too."""
BOX_TITLES = frozenset(("title", "admonition-title", "markdown-alert-title", "alert-heading", "alert-title"))
"""Classes of a box's title."""
_LISTS = ("ol", "ul")
_LIST = re.compile(r"lst-kix_\w+-(\d)")
_REDIRECT = re.compile(r"https?://www\.google\.com/url\?")


def opened(html: str) -> str:
    """HTML with what XML has as data (`<![CDATA[...]]>`) as words; a parser of HTML loses it."""
    first, *others = html.split("<![CDATA[")
    return first + "".join(_words(one) for one in others)


def _words(data: str) -> str:
    said, end, after = data.partition("]]>")
    return escape(said, quote=False) + after if end else data


def tidy(soup: Tag) -> None:
    """Take out the furniture, and write alike what programs write differently."""
    if soup.find("ac:structured-macro") or soup.find("ac:link") or soup.find("ac:task-list"):
        _from_storage(soup)
    _name_page(soup)
    for tag in soup.select(_FURNITURE):
        if not tag.decomposed and tag.find(["main", "h1"]) is None:
            tag.decompose()
    for tag in soup.select(_CONTENTS):
        links = [] if tag.decomposed else tag.find_all("a", href=True)
        if links and all(str(link["href"]).startswith("#") for link in links):
            tag.decompose()
    for script in soup.find_all("script", type="syntaxhighlighter"):
        script.replace_with(_element("pre", unescape(script.get_text())))
    for holder in soup.select(".expand-container"):
        _unfold(holder)
    for title in soup.select(".panel:not(.code) > .panelHeader"):
        title.name, title["class"] = "p", "admonition-title"
        if title.parent is not None:
            title.parent["class"] = "admonition"
    for tag in soup.find_all(["div", "aside", "section", "blockquote"], class_=True):
        if (weight := _weight(tag)) and tag.find_parent(box=True) is None and tag.find(["h1", "h2"]) is None:
            tag["box"] = weight
    for listed in soup.find_all(_LISTS, class_=_LIST):
        _nest(listed)
    for link in soup.find_all("a", href=_REDIRECT):
        if goal := parse_qs(urlsplit(str(link["href"])).query).get("q"):
            link["href"] = goal[0]


def classes(tag: Tag | None) -> list[str]:
    """The classes of an element."""
    return " ".join(tag.get_attribute_list("class")).split() if tag is not None else []


def names_weight(title: str) -> bool:
    """Whether a box's title says no more than what kind of box it is."""
    return title.strip(" :!").lower() in _WEIGHTS


def weight_named(name: str) -> str:
    """What a class or a style calls a box -> what it is in Markdown; empty where it names none."""
    words = set(re.split(r"[-_\s]+", name.lower()))
    return next((weight for word, weight in _WEIGHTS.items() if word in words), "")


def _name_page(soup: Tag) -> None:
    """Call a page of Confluence by its name, without that of its space."""
    title, space = soup.select_one("#title-text"), soup.select_one("#breadcrumbs a")
    if title is not None and space is not None:
        name = " ".join(title.get_text().split())
        title.string = name.removeprefix(f"{' '.join(space.get_text().split())} : ")


def _unfold(holder: Tag) -> None:
    """Confluence's expander as the element that HTML has for it."""
    title = holder.select_one(".expand-control-text")
    control = holder.select_one(".expand-control")
    if title is None or control is None:
        return
    holder.name, control.name = "details", "summary"
    control.string = title.get_text()


def _weight(tag: Tag) -> str:
    """What a box is called in Markdown; empty for what is no box of a known kind."""
    named = classes(tag)
    words = {word for name in named for word in re.split("[-_]+", name.lower())}
    if not (_BOXES & words or _ALERTS.intersection(named)) or BOX_TITLES.intersection(named):
        return ""
    return weight_named(" ".join(words))


def _nest(listed: Tag) -> None:
    """Put a list of Google Docs into the item that it is below; there, its class alone says so."""
    above, item = listed.find_previous_sibling(), None
    while above is not None and above.name in _LISTS and _level(above) < _level(listed):
        if (last := _last(above, ("li",))) is None:
            break
        item, above = last, _last(last, _LISTS)
    if item is not None:
        item.append(listed.extract())


def _last(tag: Tag, names: tuple[str, ...]) -> Tag | None:
    """The element with which another one ends, if it is one of these."""
    last = next((child for child in reversed(tag.contents) if isinstance(child, Tag)), None)
    return last if last is not None and last.name in names else None


def _level(listed: Tag | None) -> int:
    return next((int(match[1]) for match in map(_LIST.fullmatch, classes(listed)) if match), 0)


def _from_storage(soup: Tag) -> None:
    """Confluence's storage format, as its REST API gives it -> HTML."""
    for extension in soup.find_all("ac:adf-extension"):
        fallback = extension.find("ac:adf-fallback")
        if fallback is not None and extension.find("ac:adf-content") is not None:
            fallback.decompose()
    for macro in soup.find_all("ac:structured-macro"):
        _from_macro(macro)
    for link in soup.find_all("ac:link"):
        _from_link(link)
    for image in soup.find_all("ac:image"):
        source = image.find(["ri:attachment", "ri:url"])
        at = source.get("ri:filename") or source.get("ri:value") if source is not None else None
        image.name, image.attrs = "img", {"src": str(at or ""), "alt": str(image.get("ac:alt") or at or "")}
        image.clear()
    for status in soup.find_all("ac:task-status"):
        done = {"checked": ""} if status.get_text(strip=True) == "complete" else {}
        status.replace_with(Tag(name="input", attrs={"type": "checkbox", **done}))
    for icon in soup.find_all("ac:emoticon"):
        icon.replace_with(NavigableString(str(icon.get("ac:emoji-fallback") or f"({icon.get('ac:name')})")))
    for moment in soup.find_all("time", datetime=True):
        if not moment.get_text(strip=True):
            moment.append(NavigableString(str(moment["datetime"])))
    for old, new in (("ac:task-list", "ul"), ("ac:task", "li"), ("ac:task-body", "span")):
        for tag in soup.find_all(old):
            tag.name = new
    for tag in soup.find_all(["ac:parameter", "ac:task-id", "ac:task-uuid", "ac:placeholder", "ac:adf-attribute"]):
        tag.decompose()


def _from_macro(macro: Tag) -> None:
    """A macro of the storage format: code, a box, something to unfold, a label; else what it holds."""
    said = {
        str(one.get("ac:name") or ""): one.get_text(" ", strip=True)
        for one in macro.find_all("ac:parameter", recursive=False)
    }
    kind, title = str(macro.get("ac:name") or ""), said.get("title", "")
    body = macro.find(["ac:plain-text-body", "ac:rich-text-body"], recursive=False)
    if body is None:
        page = macro.find(_is_titled)
        words = title or said.get("key", "")
        macro.replace_with(_link_to(page, "", words) if page is not None else NavigableString(words))
    elif body.name == "ac:plain-text-body":
        macro.replace_with(_element("pre", body.get_text(), f"language-{said.get('language', '')}".rstrip("-")))
    elif kind == "expand":
        macro.name = "details"
        macro.insert(0, _element("summary", title or "More"))
    elif kind in _WEIGHTS or kind == "panel":
        macro.name, macro["class"] = "div", f"admonition {kind}"
        if title:
            macro.insert(0, _element("p", title, "admonition-title"))


def _from_link(link: Tag) -> None:
    """A link of the storage format; to a person or a file, the words for it."""
    body = link.find(["ac:plain-text-link-body", "ac:link-body"])
    words = " ".join(body.get_text().split()) if body is not None else ""
    anchor = str(link.get("ac:anchor") or "")
    page = link.find(_is_titled)
    if page is not None or anchor:
        link.replace_with(_link_to(page, anchor, words))
        return
    other = link.find(["ri:attachment", "ri:user", "ri:space", "ri:shortcut"])
    name = next((str(value) for value in other.attrs.values()), "") if other is not None else ""
    at = "@" if other is not None and other.name == "ri:user" else ""
    link.replace_with(NavigableString(words or at + name))


def _is_titled(tag: Tag) -> bool:
    return tag.has_attr("ri:content-title")


def _link_to(page: Tag | None, anchor: str, words: str) -> Tag:
    """A link to a page by its title, with the signs of it that have a meaning in addresses written as there."""
    title = str(page["ri:content-title"]) if page is not None else ""
    href = re.sub("[%#:?]", lambda sign: f"%{ord(sign[0]):02X}", title) + (f"#{slug(anchor)}" if anchor else "")
    link = _element("a", words or title or anchor)
    link["href"] = href
    return link


def _element(name: str, words: str, named: str = "") -> Tag:
    tag = Tag(name=name, attrs={"class": named})
    tag.append(NavigableString(words))
    return tag
