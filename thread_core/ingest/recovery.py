"""What a run that was cut short had begun is finished, or undone where a document's units are there in part.

A write is one stroke for readers and may be several for the store, where a document is larger than one of its calls:
the units that come are written before those that go are touched. So where all of the new ones are there, the write
has happened but for what should have gone; where some are, they are taken back, and the document is as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from thread_core.ingest.ledger import Intent
from thread_core.ingest.report import Tally
from thread_core.ingest.writing import DOCUMENTS, Holdings
from thread_core.ports import LexicalIndex, UnitStore
from thread_core.store.batches import batches
from thread_core.store.lexical import bring_into_step
from thread_core.store.versioning import version_of


def recover(holdings: Holdings, tally: Tally) -> list[tuple[str, str, int]]:
    """Bring the store, the words and the ledger into a state to begin from.

    Returns:
        Links of other documents whose places went with what was finished.
    """
    store, _, words, _ = holdings
    swept = store.sweep()
    if swept:
        tally.recovered.append(f"{swept} outdated units of an interrupted run were removed")
    lost = recover_some(holdings, tally, lambda _: True)
    words.update(())  # where they cannot be written, nothing is
    if not words.version():
        bring_into_step(words, store, version_of(store.ids()))  # `version` would refuse units of other layouts alone
    return lost


def recover_some(holdings: Holdings, tally: Tally, mine: Callable[[str], bool]) -> list[tuple[str, str, int]]:
    """Finish or undo what was begun with some documents, while others may be written; see `recover`."""
    store, _, words, ledger = holdings
    intents = [intent for intent in ledger.intents() if mine(intent.document_id)]
    settled = [(intent, *_settle(intent, store, tally)) for intent in intents]
    if words.version():
        _follow(words, store, intents)
    # Last: the intents say that the words may be out of step.
    for intent, held, _ in settled:
        ledger.recover(intent, held=held)
    return [name for intent, _, finished in settled if finished for name in intent.lost]


def _follow(words: LexicalIndex, store: UnitStore, intents: Sequence[Intent]) -> None:
    """Have the words hold of some documents what the store does."""
    for some in batches(intents, DOCUMENTS):
        units = store.get(store.ids([intent.document_id for intent in some]))
        named = {unit_id for intent in some for unit_id in (*intent.new, *intent.gone)}
        words.update([units], named.difference(unit.id for unit in units))


def _settle(intent: Intent, store: UnitStore, tally: Tally) -> tuple[bool, bool]:
    """Finish or undo one document's write; whether the store holds units of it then, and whether it was finished."""
    held = set(store.ids([intent.document_id]))
    come = held.intersection(intent.new)
    finished = len(come) == len(intent.new) and (bool(come) or not held.issuperset(intent.gone))
    outdated = held.intersection(intent.gone) if finished else come
    if outdated:
        store.write(gone=sorted(outdated))
    what = "finished" if finished else "undone" if come else "begun again"
    tally.recovered.append(f"{intent.document_id}: what an interrupted run had started was {what}")
    return bool(held - outdated), finished
