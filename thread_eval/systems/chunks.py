"""Chunks over a framework's retriever: what one would pick today; and a floor, which reads on whatever is said."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple, Self

from thread_core.llm.access import ModelAccess
from thread_core.llm.asking import Ask, Role, ask_until
from thread_core.llm.prompting import prompt, quoted
from thread_core.plan import Plan
from thread_eval.metrics.retrieval import BUDGETS
from thread_eval.shown import clip
from thread_eval.system import Answer, History, Reply
from thread_eval.walking import DONE

ENTRIES = 5
"""Chunks that a retriever gives for one question."""
TAIL = 300
"""Characters of the last chunk that a "done" is asked about."""

_MARK = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+")


class Passage(NamedTuple):
    """One chunk."""

    id: str
    text: str
    document: str


Search = Callable[[str, int], list[Passage]]
"""Words and a number -> so many chunks, the best first: a framework's retriever."""


class Chunks:
    """The best chunks of a question; "done" and outcomes go into the next query, and no chunk is shown twice."""

    def __init__(self, name: str, search: Search, models: ModelAccess | None = None, entries: int = ENTRIES) -> None:
        self.name = name
        self.search = search
        self._models = models
        self._entries = entries

    def retrieve(self, question: str) -> list[str]:
        """Everything that a question gives at once."""
        return [passage.text for passage in self.search(question, self._entries)]

    def start(self, question: str) -> Reply:
        """The first turn of a new walk."""
        self._question = question
        self._shown: tuple[Passage, ...] = ()
        return self._next(question)

    def respond(self, said: str) -> Reply:
        """The next turn."""
        about = self._shown[-1].text[-TAIL:] if said == DONE and self._shown else said
        return self._next(f"{self._question} {about}")

    def fork(self) -> Self:
        """Another walk that stands where this one does."""
        return copy.copy(self)

    def answer(self, question: str, history: History = ()) -> Answer:
        """What a model makes of the chunks; without one, the chunks."""
        asked = " ".join([*(before for before, _ in history), question])
        contexts = tuple(self.retrieve(asked))
        if self._models is None:
            text = "\n\n".join(contexts)
        else:
            text = self._models.run(generate(question, contexts, history))
        return Answer(text, contexts, tuple(_MARK.sub("", line) for line in text.splitlines() if _MARK.match(line)))

    def _next(self, query: str) -> Reply:
        found = self.search(query, len(self._shown) + 1)
        best = next((passage for passage in found if passage not in self._shown), None)
        if best is None:
            return Reply("", "unknown")
        self._shown = (*self._shown, best)
        return Reply(best.text, place=f"{best.document}:")


class ReadsOn(Chunks):
    """The floor of a walk: finds the document of the best chunk and reads it on in order, whatever is said."""

    def __init__(self, name: str, search: Search, in_order: list[Passage], models: ModelAccess | None = None) -> None:
        super().__init__(name, search, models)
        self._in_order = in_order

    def retrieve(self, question: str) -> list[str]:
        """The chunks of the best document, then those of the next one, as far as scores look."""
        return clip([passage.text for passage in self._read(question)], BUDGETS[-1])

    def start(self, question: str) -> Reply:
        """The first turn of a new walk."""
        self._rest = tuple(self._read(question))
        return self.respond("")

    def respond(self, said: str) -> Reply:
        """The next chunk."""
        if not self._rest:
            return Reply("", "unknown")
        passage, *rest = self._rest
        self._rest = tuple(rest)
        return Reply(passage.text, place=f"{passage.document}:")

    def _read(self, question: str) -> Iterator[Passage]:
        found = self.search(question, len(self._in_order))
        for document in dict.fromkeys(passage.document for passage in found):
            yield from (passage for passage in self._in_order if passage.document == document)


def generate(question: str, contexts: tuple[str, ...], history: History) -> Plan[str]:
    """An answer in a model's words, from what was found; the same question is answered once.

    Raises:
        BadReply, BudgetSpent, ModelError: there is none.
    """
    fields = {
        "history": "\n".join(f"Asked:\n{quoted(asked)}\nAnswered:\n{quoted(said)}" for asked, said in history)
        or "(nothing)",
        "question": quoted(question),
        "passages": "\n\n".join(f"Passage {number}:\n{quoted(text)}" for number, text in enumerate(contexts, 1)),
    }
    ask = Ask(Role.GENERATOR, prompt("generate", "thread_eval").messages(fields))
    answer: str = yield from ask_until(ask, _said, "the answer", keep=lambda _: True)
    return answer


def _said(text: str) -> tuple[str | None, list[str]]:
    return (text.strip(), []) if text.strip() else (None, ["the reply is empty"])
