"""Whole answers in other languages than English."""

from __future__ import annotations

import pytest

from thread_core.retrieval.prerequisites import Verdict
from thread_core.walking import endings, replies
from thread_core.walking.phrases import Phrase, meant
from thread_core.walking.states import Event


@pytest.mark.parametrize(
    ("said", "phrase"),
    [
        ("ja", Phrase.YES),
        (" Oui ! ", Phrase.YES),
        ("SÍ.", Phrase.YES),
        ("はい。", Phrase.YES),
        ("Nein", Phrase.NO),
        ("na\u0303o", Phrase.NO),
        ("没有", Phrase.NO),
        ("C\N{RIGHT SINGLE QUOTATION MARK}est fait", Phrase.NEXT),
        ("zurück", Phrase.BACK),
        ("pomiń", Phrase.SKIP),
        ("已解决", Phrase.SOLVED),
        ("toujours pas", Phrase.UNSOLVED),
        ("Ich gebe auf.", Phrase.GIVE_UP),
        ("quitter", Phrase.STOP),
        ("ja, aber nicht hier", None),
        ("no", None),
        ("fertig ist nichts", None),
        ("der Ende", None),
        ("", None),
    ],
)
def test_a_phrase_is_a_whole_line(said: str, phrase: Phrase | None) -> None:
    assert meant(said) is phrase


@pytest.mark.parametrize(
    ("said", "event"),
    [
        ("erledigt", Event.NEXT),
        ("oui", Event.NEXT),
        ("次へ", Event.NEXT),
        ("retour", Event.BACK),
        ("跳过", Event.SKIP),
        ("desisto", Event.HAND_OVER),
        ("nein", Event.REPORT),
        ("hat nicht geholfen", Event.REPORT),
    ],
)
def test_it_is_heard_as_its_english_twin(said: str, event: Event) -> None:
    assert replies.heard(said) == (event, said)


@pytest.mark.parametrize(
    ("said", "verdict"),
    [("tak", Verdict.MET), ("いいえ", Verdict.NOT_MET), ("non", Verdict.NOT_MET), ("weiter", Verdict.ASK)],
)
def test_a_yes_and_a_no_answer_a_prerequisite(said: str, verdict: Verdict) -> None:
    assert replies.verdict_on("The lamp is lit", said) is verdict


def test_solved_and_not_solved() -> None:
    assert [endings.came_of(said) for said in ("Problem gelöst!", "ça ne marche pas", "解決しました", "gelb")] == [
        1,
        -1,
        1,
        0,
    ]


@pytest.mark.parametrize("said", ["ja", "oui", "はい", "是", "sí"])
def test_no_command_is_approved_by_any(said: str) -> None:
    assert not replies.approves(said)
