"""Which texts count as English."""

from __future__ import annotations

import time

import pytest

from thread_core.text.english import is_english

GERMAN = "Öffnen Sie zuerst das Gehäuse und lösen Sie dann das Netzteil. Prüfen Sie das VPN mit Cisco AnyConnect."
SPANISH = "Espere once minutos y reinicie el servicio. No toque el cable a la derecha si el panel está abierto."
POLISH = "Jeśli to nie pomoże, sprawdź to jeszcze raz i uruchom to ponownie na innym komputerze."
JAPANESE = "まず電源を切ります。次にカバーを開けます。"
CHINESE = "首先断开电源并拔下插头。"
DUTCH = "Open de kast en controleer of het lampje van de voeding is gaan branden in een minuut of twee."


@pytest.mark.parametrize("text", [GERMAN, GERMAN.upper(), SPANISH, POLISH, JAPANESE, CHINESE, DUTCH])
def test_sentences_of_another_language_are_not_english(text: str) -> None:
    assert not is_english(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "Disk full", "Netzteil tauschen", "Open the case. Loosen the four screws. Take the supply out."),
        "OPEN THE CASE AND TAKE THE POWER SUPPLY OUT.",
        "The `für`, `über` and `ändern` commands of the Müller AG do what you want.",
        "```\nalpha beta gamma delta epsilon zeta eta theta\n```",
    ],
)
def test_english_sentences_and_a_few_words_of_any_kind_are_taken_for_english(text: str) -> None:
    assert is_english(text)


def test_addresses_that_never_end_take_time_in_proportion() -> None:
    started = time.process_time()
    is_english("[a](" * 50_000)
    assert time.process_time() - started < 1
