import pytest

from thread_core.documents.boxes import boxes

SAID = "Unplug it first."


def read(text: str) -> list[str]:
    return [box.text for box in boxes(text)]


class TestAWarningIsReadHoweverItIsWritten:
    @pytest.mark.parametrize(
        "text",
        [
            f"> **Warning**\n> {SAID}",
            f"> **Warning**\n>\n> {SAID}",
            f"> **Warning:** {SAID}",
            f"> **WARNING** {SAID}",
            f"> Warning\n> {SAID}",
            f"> **SAFETY FIRST**\n> {SAID}",
            f"> **⚠️ Warning**\n> {SAID}",
            f"⚠️ {SAID}",
            f"**Warning**\n\n{SAID}",
        ],
    )
    def test_with_a_label_or_a_sign(self, text: str) -> None:
        assert read(text) == [f"Warning: {SAID}"]

    def test_with_another_label(self) -> None:
        assert read(f"> **Danger**\n> {SAID}") == [f"Danger: {SAID}"]

    def test_with_a_list(self) -> None:
        text = "> **Warning**\n> Mind this:\n>\n> - the belt\n> - the plate\n"
        assert read(text) == ["Warning: Mind this: the belt; the plate"]
        box = boxes("**Caution**\n\n- The belt is hot\n- The plate cuts.\n\nWait.")[0]
        assert box[:3] == ("Caution: The belt is hot; The plate cuts.", 1, 4)


class TestIsNoWarning:
    @pytest.mark.parametrize(
        "text",
        [
            "**Stop** the pump.",
            "**Danger** zones are red.",
            "Important people wait here.",
            "Never open the lid.",
            "> **Note:** Never open the lid.",
            "> [!NOTE]\n> Do not wait.",
            "> Wait a minute.",
            "**Never again**",
            "**Warning**\n\n1. Unplug it.",
            "**Warning**",
            "## Safety valve\n\nOpen it.",
        ],
    )
    def test_what_is_called_otherwise_or_only_has_the_word(self, text: str) -> None:
        assert read(text) == []
