"""What a person says to walk, in the languages that are often met: whole answers, and nothing within a sentence.

English has patterns of its own (`replies`). No command is approved by any of these.
"""

from __future__ import annotations

import unicodedata
from enum import Enum, auto


class Phrase(Enum):
    """What a whole answer means."""

    YES = auto()
    NO = auto()
    NEXT = auto()
    BACK = auto()
    SKIP = auto()
    SOLVED = auto()
    UNSOLVED = auto()
    GIVE_UP = auto()
    STOP = auto()
    """To leave, without an end of the walk."""


_SAID = {
    Phrase.YES: "ja, oui, sí, sì, si, sim, tak, はい, 是, 是的, 对, نعم",
    Phrase.NO: "nein, non, não, nao, nie, いいえ, 否, 不是, 没有, لا",
    Phrase.NEXT: """
        fertig, erledigt, gemacht, weiter, fait, c'est fait, terminé, suivant, hecho, listo, siguiente, feito, pronto,
        próximo, gotowe, zrobione, dalej, 完了, 完了しました, できました, 次へ, 完成, 好了, 下一步, 继续, تم, التالي
        """,
    Phrase.BACK: "zurück, zurueck, retour, atrás, atras, voltar, wstecz, 戻る, 返回, 上一步, رجوع",
    Phrase.SKIP: "überspringen, passer, omitir, saltar, pular, pomiń, スキップ, 跳过, تخطي",
    Phrase.SOLVED: """
        gelöst, problem gelöst, behoben, geht wieder, es geht wieder, résolu, problème résolu, c'est résolu, resuelto,
        problema resuelto, resolvido, problema resolvido, rozwiązane, problem rozwiązany, 解決しました, 解决了, 已解决
        """,
    Phrase.UNSOLVED: """
        nicht gelöst, hat nicht geholfen, geht nicht, geht immer noch nicht, toujours pas, ça ne marche pas,
        sigue igual, no funciona, não ajudou, não funciona, nie pomogło, nie działa, 解決しません, 还是不行, 没有解决
        """,
    Phrase.GIVE_UP: "ich gebe auf, j'abandonne, me rindo, desisto, poddaję się, 諦めます, 放弃",
    Phrase.STOP: "abbrechen, beenden, ende, quitter, salir, sair, koniec, 終了, 退出",
}


def meant(text: str) -> Phrase | None:
    """What a line means as a whole; None where it is anything else.

    Example:
        >>> meant("Zurück!"), meant("zurück zum Anfang")
        (<Phrase.BACK: 4>, None)
    """
    return _MEANT.get(_plain(text))


def _plain(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).casefold().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return " ".join(plain.split()).strip(" .!,。、")


_MEANT = {_plain(said): phrase for phrase, several in _SAID.items() for said in several.split(",")}
