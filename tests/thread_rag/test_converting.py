"""Pages and reStructuredText become Markdown; `README.md` says that lines are counted in it."""

from pathlib import Path

import pytest

from thread_core import Document, RuleExtractor
from thread_core.documents.blocks.markdown import parse
from thread_core.errors import BadDocument
from thread_rag.converting import html_to_markdown
from thread_rag.reading import read
from thread_rag.restructured import rst_to_markdown
from thread_rag.sources import SourceFile


def markdown(html: str) -> str:
    return html_to_markdown(html).text.strip("\n")


def from_rst(text: str) -> str:
    return rst_to_markdown(text).text.strip("\n")


def taken(tmp_path: Path, name: str, text: str) -> Document | BadDocument:
    (tmp_path / name).write_text(text)
    [one] = read([SourceFile(tmp_path / name, name)])
    return one


PAGE = """<!doctype html>
<html><head><title>Press room</title><style>p { color: red }</style></head><body>
<header><a href="/">Home</a></header><nav><ul><li>Menu</ul></nav>
<main>
<h1>Ink the press<a class="headerlink" href="#ink">¶</a></h1>
<section id="rollers"><h2>Clean the rollers</h2>
<ol start="3">
  <li>Stop the motor:
    <pre><code class="language-sh">press stop
  --wait   30

press status</code></pre>
    If it still turns, see <a href="../motor.html#stuck">the motor</a>.</li>
  <li>Wipe:<ul><li>the <b>upper</b> roller<li>the lower one</ul>
</ol></section>
<aside>Our shop sells ink.</aside>
</main>
<script>document.write("x")</script><footer>Imprint</footer></body></html>"""


def test_a_page_keeps_its_text_and_loses_what_stands_around_it() -> None:
    assert html_to_markdown(PAGE) == (
        """\
# Ink the press

## <a id="rollers"></a>Clean the rollers

3. Stop the motor:

   ```sh
   press stop
     --wait   30

   press status
   ```

   If it still turns, see [the motor](../motor.html#stuck).
4. Wipe:
   - the **upper** roller
   - the lower one
""",
        "",
    )


def test_links_lead_from_a_page_to_its_neighbour(tmp_path: Path) -> None:
    page = taken(tmp_path, "press.html", PAGE)
    assert isinstance(page, Document)
    units = RuleExtractor().extract(page).units
    targets = [link.target for unit in units for link in unit.links if link.target and link.target.document]
    assert [(target.document, target.anchor) for target in targets] == [("../motor.html", "stuck")]


def test_a_page_without_a_heading_is_called_by_its_title() -> None:
    assert html_to_markdown("<title>Ink &amp; paper</title><h2>Ink</h2>") == ("## Ink\n", "Ink & paper")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<ol reversed><li>b<li>a</ol>", "2. b\n1. a"),
        ("<ol><li value=7>a<li>b<li value=x>c</ol>", "7. a\n8. b\n9. c"),
        ("<ol start=99999999999999><li>a</ol>", "1. a"),
        ("<ol start=-1><li>a<li>b<li>c</ol>", "0. a\n0. b\n1. c"),
        ("<ul><li><p>a</p><ol><li>b<p>c</p></ol></ul>", "- a\n\n  1. b\n\n     c"),
        ("<ul><li><input type=checkbox checked>a<li><input type=checkbox>b</ul>", "- [x] a\n- [ ] b"),
    ],
)
def test_lists_keep_their_numbers(html: str, expected: str) -> None:
    assert markdown(html) == expected


def test_words_are_written_as_they_are_seen_and_code_as_it_is() -> None:
    html = "<ol><li>Open&nbsp;it.<li>If&nbsp;it is&#8203; red, wait. Other&shy;wise run <code>a&nbsp;b</code>.</ol>"
    assert markdown(html) == "1. Open it.\n2. If it is red, wait. Otherwise run `a\u00a0b`."


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<pre>\n\n  a\n\tb  \n\n</pre>", "```\n\n  a\n\tb  \n\n```"),
        ("<pre>a ``` b</pre>", "````\na ``` b\n````"),
        ("<pre>&lt;b&gt; &amp;amp; *x* <i>y</i>_z_</pre>", "```\n<b> &amp; *x* y_z_\n```"),
        ("<pre>a\r\nb</pre>", "```\na\nb\n```"),
        ("<pre><code>a<br>b</code></pre>", "```\na\nb\n```"),
        ("<pre><div>a</div><div>  b</div></pre>", "```\na\n  b\n```"),
        ('<div class="highlight-yaml"><div class="highlight"><pre>a: 1\n</pre></div></div>', "```yaml\na: 1\n```"),
        ('<div class="highlight-default notranslate"><pre>a</pre></div>', "```\na\n```"),
        ("<p>Run <code>a_b  `c` *</code> now", "Run `` a_b `c` * `` now"),
    ],
)
def test_code_is_kept_character_for_character(html: str, expected: str) -> None:
    assert markdown(html) == expected


def test_line_numbers_beside_code_are_no_code() -> None:
    html = '<table><tr><td class="linenos"><pre>1\n2</pre><td class="code"><pre>a\n  b</pre></table>'
    assert markdown(html) == "```\na\n  b\n```"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            "<table><thead><tr><th>Light<th>Fix<tbody><tr><td>red | <code>E|1</code><td>Wait<br>a day</table>",
            "| Light | Fix |\n| --- | --- |\n| red \\| `E\\|1` | Wait<br>a day |",
        ),
        (
            "<table><tr><th>Check<br>it<th><p>Do</p><tr><td>Ping"
            "<td><p>An answer</p><p>If there is none:</p><ol><li>Call <b>Bob<br>or Ann</b></ol>"
            "<code>a<br>b</code></table>",
            "| Check it | Do |\n| --- | --- |\n"
            "| Ping | An answer<br>If there is none:<br>1. Call **Bob<br>or Ann**<br>`a`<br>`b` |",
        ),
        ("<table><tr><td><p>ctl status</p><p>ctl drain</p></table>", "ctl status\n\nctl drain"),
        (
            "<table><caption>Lights</caption><colgroup><col></colgroup><tbody><tr><td>a<td>b<tbody><tr><td>c</table>",
            "Lights\n\n|  |  |\n| --- | --- |\n| a | b |\n| c |",
        ),
        (
            "<table><tr><th>a<td colspan=2>b<tr><td>c<td><pre>d</pre><td></table>",
            "|  |  |  |\n| --- | --- | --- |\n| a | b |  |\n| c | `d` |  |",
        ),
        ("<table><tr><td><h2>A</h2><td><p>b</table>", "## A\n\nb"),
    ],
)
def test_tables(html: str, expected: str) -> None:
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<a href="a b(c).html">x</a>', "[x](<a b(c).html>)"),
        ('<a href="https://example.org/a_b">https://example.org/a_b</a>', "<https://example.org/a_b>"),
        ('<a href="b.html">b.html</a>', "[b.html](b.html)"),
        ('<a href="javascript:x()">x</a> <a>y</a>', "x y"),
        ('<p><a href="x.html"><div><h3>To</h3> ink</div></a>', "[To ink](x.html)"),
    ],
)
def test_links_lead_where_the_page_says(html: str, expected: str) -> None:
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<h2 id="clean-the-press">Clean the press</h2>', "## Clean the press"),
        ('<h2 id="c-2">Clean</h2>', '## <a id="c-2"></a>Clean'),
        ('<h2>Clean<a href="#c"></a></h2><p id="c">a', '## Clean\n\n<a id="c"></a>a'),
        ('<p id="unnamed">a <a name="old"></a>b', 'a <a id="old"></a>b'),
        ('<p id="&quot;><img">a', "a"),
    ],
)
def test_anchors_that_links_may_name(html: str, expected: str) -> None:
    assert (
        markdown(html.replace('<a href="#c"></a></h2>', '</h2><a href="#c">x</a>')).replace("[x](#c)\n\n", "")
        == expected
    )


@pytest.mark.parametrize(
    "words",
    [
        "<name> & &amp; </b> <!-- no -->",
        "*a* __init__ snake_case _b_ `c` ~~d~~",
        r"C:\_temp \* [a](b) [c]: d",
        "# df -h",
        "> a",
    ],
)
def test_words_that_look_like_marks_stay_words(words: str) -> None:
    escaped = words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = markdown(f"<p>{escaped}</p>")
    [block] = parse(text).blocks
    assert (block.kind, block.text, block.links) == ("paragraph", words, ())


def test_notes_terms_and_what_unfolds() -> None:
    assert markdown('<aside class="admonition note"><p class="admonition-title">Note</p><p>Hot.</aside>') == (
        "> **Note**\n>\n> Hot."
    )
    assert markdown("<dl><dt>Forme<dd>locked type<dt>Quoin<dd><p>a wedge</p><pre>x</pre></dl>") == (
        "- **Forme**: locked type\n- **Quoin**: a wedge\n\n  ```\n  x\n  ```"
    )
    assert markdown("<details><summary>By <b>hand</b></summary><p>Wash.</details>") == (
        "<details>\n<summary>By hand</summary>\n\nWash.\n\n</details>"
    )


RST = """\
Ink the press
=============

.. _rollers:

Clean the rollers
-----------------

.. note:: The ink is hot.

#. Stop the motor:

   .. code-block:: sh
      :linenos:

      press stop
        --wait 30

5. Look at :doc:`the motor </motor>`, :doc:`oil`, :ref:`rollers`, :ref:`Elsewhere <other>`.

.. versionchanged:: 2.1
   Wipe *twice*.

.. tabs::

   .. tab:: Upper

      1. Wipe ``upper_roller``.

Press :guilabel:`Stop`, then :command:`press off`.
"""


def test_restructured_text_keeps_its_steps_code_and_links() -> None:
    assert rst_to_markdown(RST) == (
        """\
# Ink the press

(rollers)=

## Clean the rollers

> **Note**
>
> The ink is hot.

1. Stop the motor:

   ```sh
   press stop
     --wait 30
   ```

5. Look at [the motor](/motor), [oil](oil), [Clean the rollers](#rollers), [Elsewhere](##other).

2.1 Wipe *twice*.

Upper

1. Wipe `upper_roller`.

Press Stop, then `press off`.
""",
        "",
    )


def test_no_file_that_a_document_names_is_read_and_nothing_is_printed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "docutils.conf").write_text("[general]\nfile_insertion_enabled: yes\nraw_enabled: yes\n")
    monkeypatch.chdir(tmp_path)
    text = from_rst(
        ".. include:: secret.txt\n\n.. csv-table::\n   :file: secret.txt\n\n.. raw:: html\n\n   <b>raw</b>\n\n"
        ".. literalinclude:: secret.txt\n\nA long title\n====\n\n|unknown| and `broken\n"
    )
    assert text == "secret.txt\n\n# A long title\n\n|unknown| and \\`broken"
    assert capfd.readouterr() == ("", "")


def test_a_table_that_docutils_refuses_is_kept_as_it_was_written() -> None:
    table = "====  ====\nA     B\n====  ====\nlonger than it may be\n====  ===="
    assert "longer than it may be" in from_rst(f"Lights\n\n{table}\n\nAfter.\n")


HOSTILE = {
    "deep.html": "<div>" * 3000 + "x",
    "tables.html": "<table><tr><td>" * 500 + "x",
    "comments.html": "<!--" * 100_000,
    "script.html": "<script>x</script>",
    "deep.rst": "".join("  " * depth + "* a\n\n" for depth in range(200)),
    "grows.rst": "".join(f".. |a{n}| replace:: |a{n + 1}| |a{n + 1}|\n" for n in range(40)) + "\n|a0|\n",
    "circle.rst": ".. |a| replace:: |b| |b|\n.. |b| replace:: |a| |a|\n\n|a|\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_document_is_refused_in_one_line(tmp_path: Path, name: str) -> None:
    failure = taken(tmp_path, name, HOSTILE[name])
    assert isinstance(failure, BadDocument)
    assert len(str(failure).splitlines()) == 1 and len(str(failure)) < 300


@pytest.mark.parametrize(
    ("name", "text", "characters"),
    [
        ("line.html", "<p>" + "word " * 400_000, 1_999_999),
        ("signs.html", "<" * 100_000, 100_000),
        ("unclosed.html", "<p>a" * 2000, 2000),
        ("fragment.html", "guide.html", 10),
        ("ticks.html", f"<pre>{'`' * 10_000}</pre>", 30_004),
        ("line.rst", "word " * 40_000, 199_999),
    ],
)
def test_a_strange_document_is_still_one(tmp_path: Path, name: str, text: str, characters: int) -> None:
    page = taken(tmp_path, name, text)
    assert isinstance(page, Document)
    assert len(page.text.strip().replace("\n\n", "")) == characters


def test_line_breaks_in_code_take_no_time() -> None:
    assert markdown("<pre>" + "a<br>" * 5000 + "b</pre>") == "```\n" + "a\n" * 5000 + "b\n```"


@pytest.mark.parametrize(
    "paragraph", ["`a " * 20_000, "*a " * 20_000, f"+{'-+' * 20_000}\n|{'a|' * 20_000}\n+{'-+' * 20_000}"]
)
def test_a_paragraph_that_takes_minutes_is_refused(tmp_path: Path, paragraph: str) -> None:
    assert "too many backticks, stars and bars" in str(taken(tmp_path, "a.rst", f"A\n=\n\n{paragraph}\n"))


def test_long_code_and_many_short_paragraphs_are_none() -> None:
    code = "\n".join(["   a * b"] * 5000)
    assert from_rst(f"A\n=\n\nRun::\n\n{code}\n").count("a * b") == 5000
    assert from_rst("\n\n".join(["Run ``a``."] * 1000)).count("`a`") == 1000
