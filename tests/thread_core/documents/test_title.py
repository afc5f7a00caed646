from __future__ import annotations

import pytest

from thread_core.documents.blocks.markdown import parse
from thread_core.documents.title import TitlePage, title_page


def called(text: str, document_id: str = "guides/disk.md", title: str = "") -> TitlePage:
    return title_page(parse(text), document_id, title)


def headed(*headings: str) -> str:
    return "\n\n".join(f"{heading}\n\ntext" for heading in headings)


class TestTitle:
    @pytest.mark.parametrize(
        ("text", "title", "found", "aliases"),
        [
            ("# Disk full\n\ntext", "", "Disk full", ()),
            ("# Disk full\n\ntext", "Given", "Given", ("Disk full",)),
            ("---\ntitle: From front\n---\n# Disk full\n", "", "Disk full", ("From front",)),
            ("---\ntitle: From front\n---\ntext", "", "From front", ()),
            ("---\ntitle: From front\n---\n## First\n\na\n\n## Second\n\nb", "", "From front", ()),
            ("---\ntitle: From front\n---\na\n\n## Solution\n\nb\n\n### More\n\nc", "", "From front", ()),
            ("## Solution\n\na\n\n### More\n\nb", "Given", "Given", ()),
            ("## First\n\na\n\n## Second\n\nb", "", "First", ()),
            ("Disk full\n=========\n", "", "Disk full", ()),
            ("just text", "", "disk", ()),
            ("", "", "disk", ()),
            ("#\n\n# Real", "", "Real", ()),
            ("---\ntitle: Disk full\n---\n# <%= page.title %>\n\ntext", "", "Disk full", ()),
            ("---\ntitle: Disk full\n---\n# {{ page.title }}\n\ntext", "", "Disk full", ()),
            ("# {{ page.title }}\n\ntext", "", "disk", ()),
        ],
    )
    def test_it_is_given_or_the_first_heading_or_the_front_matter_s_or_the_id_s(
        self, text: str, title: str, found: str, aliases: tuple[str, ...]
    ) -> None:
        page = called(text, title=title)
        assert (page.title, page.aliases) == (found, aliases)

    @pytest.mark.parametrize(
        ("document_id", "found"),
        [
            *(("guides/the-pump_is-loud.md", "the pump is loud"), ("pump/README.md", "pump")),
            *(("docs/pump-care/_index.md", "pump care"), ("index.md", "index"), ("Pump v1.2.md", "Pump v1.2")),
            ("---", "---"),
        ],
    )
    def test_what_nothing_else_names_is_called_by_its_id(self, document_id: str, found: str) -> None:
        assert called("text", document_id).title == found


class TestHeadingsSideBySide:
    @pytest.mark.parametrize("document_id", ["guides/belt_tension.md", "guides/belt-tension.md"])
    def test_the_one_that_the_file_is_called_by_is_the_title(self, document_id: str) -> None:
        page = called(headed("# We have moved", "# Belt tension", "## Tools"), document_id)
        assert page.title == "Belt tension"
        assert page.heading is not None
        assert page.heading.start == 5

    @pytest.mark.parametrize("heading", ["Symptoms", "Symptom:", "Reason", "Steps to check", "Recover"])
    def test_what_heads_a_section_is_none(self, heading: str) -> None:
        page = called(headed(f"## {heading}", "## Fix"), "pump-is-loud.md")
        assert (page.title, page.heading) == ("pump is loud", None)

    @pytest.mark.parametrize(
        ("text", "document_id", "title"),
        [
            (
                '# New disk\n\n=== "Linux"\n\n    Run it.\n\n=== "Windows"\n\n    Press it.\n',
                "swap-drive.md",
                "New disk",
            ),
            (headed("# Linux", "# Windows"), "recover-a-lost-key.md", "recover a lost key"),
        ],
    )
    def test_tabs_and_one_case_of_several_are_none(self, text: str, document_id: str, title: str) -> None:
        assert called(text, document_id).title == title

    @pytest.mark.parametrize("document_id", ["d1", "page.md", "7f9c2b1e-4c52-4a7e-9d1b-0f3f5a2c9e11", "tmpab12.md"])
    def test_the_first_is_where_an_id_says_nothing(self, document_id: str) -> None:
        assert called(headed("## Start the pump", "## Stop the pump"), document_id).title == "Start the pump"

    def test_a_name_in_the_front_matter_decides_too(self) -> None:
        text = "---\ntitle: Care of the pump\n---\n" + headed("# Weekly", "# Yearly")
        assert (called(text).title, called(text).heading) == ("Care of the pump", None)


class TestOtherNames:
    @pytest.mark.parametrize(
        "text", ["_Original KB number:_ 3200416", "KB-3200416", "Applies to KB3200416", "KB article: 3200416"]
    )
    def test_a_knowledge_base_number_is_an_alias(self, text: str) -> None:
        assert called(f"# T\n\n{text}").aliases == ("KB3200416",)

    @pytest.mark.parametrize("text", ["KB4501235 tells more.", "See KB4501235", "Install KB4501235 first."])
    def test_another_document_s_number_is_no_alias(self, text: str) -> None:
        assert called(f"# T\n\n{text}").aliases == ()

    def test_the_date_is_the_front_matter_s(self) -> None:
        assert called("---\nms.date: 03/31/2025\n---\n# T").date == "03/31/2025"
