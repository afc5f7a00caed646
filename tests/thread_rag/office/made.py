"""Word documents for tests, each written as the XML that Word writes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPES = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_LEVELS = (("decimal", "%1."), ("lowerLetter", "%2)"), ("lowerRoman", "%3."))


def level(at: int, kind: str, text: str, start: int = 1, more: str = "") -> str:
    return (
        f'<w:lvl w:ilvl="{at}"><w:start w:val="{start}"/><w:numFmt w:val="{kind}"/>{more}<w:lvlText w:val="{text}"/>'
        f'<w:pPr><w:ind w:left="{720 * (at + 1)}" w:hanging="360"/></w:pPr></w:lvl>'
    )


NUMBERS = "".join(level(at, *how) for at, how in enumerate(_LEVELS))
"""The levels of a list: 1., a), i."""
BULLETS = level(0, "bullet", "•") + level(1, "bullet", "◦")


def numbering(abstract: Mapping[int, str], lists: Mapping[int, str]) -> str:
    """The part of lists: levels by the abstract list, and what each list says (of which one it is, and overrides)."""
    kinds = "".join(
        f'<w:abstractNum w:abstractNumId="{key}">{value}</w:abstractNum>' for key, value in abstract.items()
    )
    return kinds + "".join(f'<w:num w:numId="{key}">{value}</w:num>' for key, value in lists.items())


def of(abstract: int, override: str = "") -> str:
    return f'<w:abstractNumId w:val="{abstract}"/>{override}'


LISTS = numbering({0: NUMBERS, 1: BULLETS}, {1: of(0), 2: of(1)})


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(content: str, properties: str = "") -> str:
    content = content if content.startswith("<") else run(content)
    return f"<w:p><w:pPr>{properties}</w:pPr>{content}</w:p>"


def item(content: str, at: int = 0, list_id: int = 1) -> str:
    return paragraph(content, f'<w:numPr><w:ilvl w:val="{at}"/><w:numId w:val="{list_id}"/></w:numPr>')


def styled(content: str, style: str) -> str:
    return paragraph(content, f'<w:pStyle w:val="{style}"/>')


def table(*rows: tuple[str, ...]) -> str:
    made = "".join(f"<w:tr>{''.join(row)}</w:tr>" for row in rows)
    return f'<w:tbl><w:tblPr><w:tblLook w:firstRow="1"/></w:tblPr>{made}</w:tbl>'


def cell(content: str, properties: str = "") -> str:
    inner = content if content.startswith("<w:p>") else paragraph(content)
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{inner}</w:tc>"


_STYLES = "".join(
    f'<w:style w:type="paragraph" w:styleId="{name}"><w:name w:val="{called}"/>{more}</w:style>'
    for name, called, more in (
        ("H1", "heading 1", ""),
        ("H2", "heading 2", '<w:basedOn w:val="H1"/>'),
        ("Code", "Source Code", ""),
        ("Warn", "Warning", ""),
        ("Toc", "toc 1", ""),
    )
)


def docx(body: str, lists: str = LISTS, parts: Mapping[str, str] | None = None, links: str = "") -> bytes:
    """A package of Word with a body; `parts` are further ones by their names, `links` further relationships."""
    written = {
        "[Content_Types].xml": _types(parts or {}),
        "_rels/.rels": _relations(f'<Relationship Id="a" Type="{_OFFICE}/officeDocument" Target="word/document.xml"/>'),
        "word/document.xml": f"<w:document {_W} {_R}><w:body>{body}</w:body></w:document>",
        "word/_rels/document.xml.rels": _relations(
            f'<Relationship Id="n" Type="{_OFFICE}/numbering" Target="numbering.xml"/>'
            f'<Relationship Id="s" Type="{_OFFICE}/styles" Target="styles.xml"/>{links}'
        ),
        "word/numbering.xml": f"<w:numbering {_W}>{lists}</w:numbering>",
        "word/styles.xml": f"<w:styles {_W}>{_STYLES}</w:styles>",
        **{f"word/{name}.xml": f"<w:{name} {_W}>{text}</w:{name}>" for name, text in (parts or {}).items()},
    }
    return packed(written)


def packed(parts: Mapping[str, str | bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return held.getvalue()


def relation(name: str, kind: str, target: str, *, is_external: bool = False) -> str:
    mode = ' TargetMode="External"' * is_external
    return f'<Relationship Id="{name}" Type="{_OFFICE}/{kind}" Target="{target}"{mode}/>'


def _relations(inner: str) -> str:
    namespace = "http://schemas.openxmlformats.org/package/2006/relationships"
    return f'<Relationships xmlns="{namespace}">{inner}</Relationships>'


def _types(parts: Mapping[str, str]) -> str:
    named = (("document", "document.main"), ("numbering", "numbering"), ("styles", "styles"), *((n, n) for n in parts))
    overrides = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="{_TYPES}.{kind}+xml"/>' for name, kind in named
    )
    namespace = "http://schemas.openxmlformats.org/package/2006/content-types"
    default = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    default += '<Default Extension="xml" ContentType="application/xml"/>'
    return f'<Types xmlns="{namespace}">{default}{overrides}</Types>'
