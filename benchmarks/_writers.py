"""Markdown -> the files that people have instead, by several programs, for `office.py`."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import docx
import pypandoc
from bs4 import BeautifulSoup, Tag
from docx.document import Document
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from fpdf import FPDF

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
LIBREOFFICE = shutil.which("soffice")
_PAGE = """<!doctype html><html lang=en><meta charset=utf-8><style>
@page {{ size: {size}; margin: 16mm 12mm; @top-left {{ content: "Works manual, issue 7" }}
         @bottom-center {{ content: "Page " counter(page) " of " counter(pages) }} }}
body {{ font: 10pt/1.3 serif; columns: {columns}; column-gap: 8mm; hyphens: auto; text-align: justify }}
pre {{ white-space: pre-wrap; text-align: left }}
table {{ border-collapse: collapse; width: 100%; font-size: 8pt }}
th, td {{ border: 1px solid #444; padding: 2px 5px; text-align: left }}
</style><body>{body}"""


def html_of(markdown: str) -> str:
    return str(pypandoc.convert_text(markdown, "html", format="gfm"))


def unlinked(markdown: str) -> str:
    """A text with the words of its links alone."""
    return re.sub(r"\[([^\[\]]*)\]\(#[^()]*\)", r"\1", markdown)


def by_pandoc(markdown: str, file: Path) -> None:
    pypandoc.convert_text(markdown, "docx", format="gfm", outputfile=str(file))


def by_chromium(columns: int, size: str) -> Callable[[str, Path], None]:
    """Prints as a browser does, with running heads, page numbers and words parted at lines' ends."""

    def write(markdown: str, file: Path) -> None:
        with TemporaryDirectory() as folder:
            page = Path(folder) / "page.html"
            page.write_text(_PAGE.format(columns=columns, size=size, body=html_of(markdown)), encoding="utf-8")
            command = [str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]
            command += [f"--user-data-dir={folder}/profile", f"--print-to-pdf={file}", page.as_uri()]
            subprocess.run(command, check=True, capture_output=True, timeout=120)

    return write


def by_libreoffice(markdown: str, file: Path) -> None:
    """Writes what LibreOffice makes of a page."""
    page = f"<!doctype html><html lang=en><meta charset=utf-8><body>{_ruled(html_of(markdown))}"
    source = file.with_suffix(".html")
    source.write_text(page, encoding="utf-8")
    _saved_as(source, file, "--infilter=HTML (StarWriter)")


def by_pandoc_and_libreoffice(markdown: str, file: Path) -> None:
    """Prints pandoc's Word document."""
    source = file.with_suffix(".docx")
    by_pandoc(markdown, source)
    _saved_as(source, file)


def _saved_as(source: Path, file: Path, *options: str) -> None:
    command = [str(LIBREOFFICE), "--headless", f"-env:UserInstallation={(file.parent / 'profile').resolve().as_uri()}"]
    command += [*options, "--convert-to", file.suffix[1:], "--outdir", str(file.parent), str(source)]
    subprocess.run(command, check=True, capture_output=True, timeout=300)


class _Manual(FPDF):
    def header(self) -> None:
        self.set_font("Helvetica", size=8)
        self.cell(0, 6, "Works manual, issue 7", new_x="LMARGIN", new_y="NEXT")

    def footer(self) -> None:
        self.set_y(-12)
        self.set_font("Helvetica", size=8)
        self.cell(0, 6, str(self.page_no()), align="C")


def by_fpdf(markdown: str, file: Path) -> None:
    pdf = _Manual(format=(110, 150))
    pdf.set_font("Helvetica", size=10)
    pdf.add_page()
    pdf.write_html(
        str(_tight(html_of(markdown))).encode("latin-1", "replace").decode("latin-1"), table_line_separators=True
    )
    pdf.output(str(file))


def _tight(html: str) -> BeautifulSoup:
    """A page whose items hold their words themselves, for fpdf2 numbers no others."""
    page = _ruled(html)
    for paragraph in page.select("li > p"):
        paragraph.unwrap()
    return page


def _ruled(html: str) -> BeautifulSoup:
    """A page whose tables have lines, as those that people draw in a writer have."""
    page = BeautifulSoup(html, "lxml")
    for table in page.find_all("table"):
        table["border"] = "1"
    return page


# -- python-docx ---------------------------------------------------------------------------------------------------


def by_python_docx(markdown: str, file: Path) -> None:
    """Writes as Word does: one list a list, its levels by indents, what is between two steps plainly between them."""
    document = docx.Document()
    writer = _Writer(document)
    writer.blocks(BeautifulSoup(html_of(markdown), "lxml").body or Tag(name="body"), None, 0)
    document.save(str(file))


_BLOCKS = ("p", "ol", "ul", "div", "pre", "table", "blockquote")


class _Writer:
    def __init__(self, document: Document) -> None:
        self._document = document
        self._numbering = document.part.numbering_part.element
        self._bookmarks = 0

    def blocks(self, holder: Tag, list_id: int | None, level: int) -> None:
        for child in holder.find_all(True, recursive=False):
            if child.name in ("ol", "ul"):
                own = self._list(child.name == "ol", level)
                for item in child.find_all("li", recursive=False):
                    self._item(item, own, level)
            elif child.name and child.name[0] == "h" and child.name[1:].isdecimal():
                paragraph = self._document.add_heading(level=int(child.name[1:]))
                self._bookmark(paragraph, str(child.get("id")))
                self._words(paragraph, child)
            elif child.name == "table":
                self._table(child)
            elif child.name == "pre" or child.find("pre"):
                for line in child.get_text().rstrip("\n").split("\n"):
                    run = self._document.add_paragraph().add_run(line)
                    run.font.name = "Courier New"
            elif child.name == "blockquote":
                cell = self._document.add_table(1, 1).cell(0, 0)
                self._words(cell.paragraphs[0], child)
            else:
                self._words(self._document.add_paragraph(), child)

    def _item(self, item: Tag, list_id: int, level: int) -> None:
        inner = [child for child in item.children if isinstance(child, Tag) and child.name in _BLOCKS]
        first = inner[0] if inner and inner[0].name == "p" else item
        paragraph = self._document.add_paragraph()
        properties = paragraph._p.get_or_add_pPr().get_or_add_numPr()
        properties.get_or_add_ilvl().val = level
        properties.get_or_add_numId().val = list_id
        self._words(paragraph, first, skipped=inner if first is item else ())
        rest = Tag(name="body")
        for child in inner if first is item else inner[1:]:
            rest.append(child.extract())
        self.blocks(rest, list_id, level + 1)

    def _words(self, paragraph: object, holder: Tag, skipped: object = ()) -> None:
        for child in holder.children:
            if isinstance(child, Tag) and child in (skipped or ()):  # type: ignore[operator]
                continue
            text = " ".join(child.get_text().split()) if isinstance(child, Tag) else str(child).replace("\n", " ")
            if isinstance(child, Tag) and child.name == "a" and str(child.get("href")).startswith("#"):
                self._link(paragraph, str(child["href"])[1:], text)
            elif isinstance(child, Tag) and child.name == "p":
                self._words(paragraph, child)
            else:
                run = paragraph.add_run(text)  # type: ignore[attr-defined]
                run.bold = isinstance(child, Tag) and child.name == "strong"
                if isinstance(child, Tag) and child.name == "code":
                    run.font.name = "Courier New"

    def _link(self, paragraph: object, anchor: str, text: str) -> None:
        link, run, words = OxmlElement("w:hyperlink"), OxmlElement("w:r"), OxmlElement("w:t")
        link.set(qn("w:anchor"), anchor.replace("-", "_"))
        words.text = text
        run.append(words)
        link.append(run)
        paragraph._p.append(link)  # type: ignore[attr-defined]

    def _bookmark(self, paragraph: object, name: str) -> None:
        self._bookmarks += 1
        for tag in ("w:bookmarkStart", "w:bookmarkEnd"):
            mark = OxmlElement(tag)
            mark.set(qn("w:id"), str(self._bookmarks))
            if tag == "w:bookmarkStart":
                mark.set(qn("w:name"), name.replace("-", "_"))
            paragraph._p.append(mark)  # type: ignore[attr-defined]

    def _table(self, table: Tag) -> None:
        rows = table.find_all("tr")
        made = self._document.add_table(len(rows), len(rows[0].find_all(["th", "td"])))
        made.style = "Table Grid"
        for row, cells in zip(rows, made.rows, strict=True):
            for source, cell in zip(row.find_all(["th", "td"]), cells.cells, strict=True):
                self._words(cell.paragraphs[0], source)

    def _list(self, is_ordered: bool, level: int) -> int:
        """A list of its own, which begins with 1."""
        name = str(1000 + len(self._numbering))
        abstract, number = OxmlElement("w:abstractNum"), OxmlElement("w:num")
        abstract.set(qn("w:abstractNumId"), name)
        one = OxmlElement("w:lvl")
        one.set(qn("w:ilvl"), str(level))
        for tag, value in _level(is_ordered, level):
            child = OxmlElement(tag)
            child.set(qn("w:val"), value)
            one.append(child)
        properties, indent = OxmlElement("w:pPr"), OxmlElement("w:ind")
        indent.set(qn("w:left"), str(720 * (level + 1)))
        indent.set(qn("w:hanging"), "360")
        properties.append(indent)
        one.append(properties)
        abstract.append(one)
        number.set(qn("w:numId"), name)
        reference = OxmlElement("w:abstractNumId")
        reference.set(qn("w:val"), name)
        number.append(reference)
        self._numbering.insert(0, abstract)
        self._numbering.append(number)
        return int(name)


def _level(is_ordered: bool, level: int) -> Iterator[tuple[str, str]]:
    yield "w:start", "1"
    yield "w:numFmt", "decimal" if is_ordered else "bullet"
    yield "w:lvlText", f"%{level + 1}." if is_ordered else "•"


UNLINKED = ("PDF, by fpdf2",)
"""Writers that know no links within a document: what they are given has none."""
UNRULED = ("PDF, by pandoc and LibreOffice",)
"""Writers that draw no lines around the cells of tables, so that nothing is read of those."""
WRITERS: dict[str, tuple[str, Callable[[str, Path], None]]] = {
    "Word, by pandoc": (".docx", by_pandoc),
    "Word, by python-docx": (".docx", by_python_docx),
    "PDF, by fpdf2": (".pdf", by_fpdf),
    "PDF, by Chromium, one column": (".pdf", by_chromium(1, "A6")),
    "PDF, by Chromium, two columns": (".pdf", by_chromium(2, "A5")),
    "Word, by LibreOffice": (".docx", by_libreoffice),
    "PDF, by LibreOffice": (".pdf", by_libreoffice),
    "PDF, by pandoc and LibreOffice": (".pdf", by_pandoc_and_libreoffice),
}
"""By what they are called in the table."""
MISSING = {
    name: program
    for name in WRITERS
    for program, found in (("Chromium", BROWSER), ("LibreOffice", LIBREOFFICE))
    if program in name and not found
}
"""The program that each writer lacks on this machine."""
