"""What a model buys in a walk: replayed from kept replies, or asked of a model of yours.

python benchmarks/with_model.py                                    the replies in tests/replies/walks.jsonl
python benchmarks/with_model.py --unanswered FOLDER                and write the prompts that have none
python benchmarks/with_model.py --model langchain_openai:ChatOpenAI --replies mine.jsonl

A prompt that has no reply is answered with nothing, so that the walk asks the person, and is counted.
"""

from __future__ import annotations

import hashlib
import importlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from _gold import arguments_for, load, units_for
from _metrics import score_retrieval, score_walks
from _systems import ThreadOnLangChain, embedding
from _table import show
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import PrivateAttr
from quality import row

KEPT = Path(__file__).parents[1] / "tests" / "replies" / "walks.jsonl"
ROLES = ("selector", "query_generator")
NOTHING = {"selector": '{"units": ["1"], "prerequisites": []}', "query_generator": '{"way": ""}'}
"""What is said where no reply is kept: the first guide, and nothing of a report."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Print one row without a model and one with it, and what it was asked."""
    parser = arguments_for(__doc__ or "")
    parser.add_argument("--replies", type=Path, default=KEPT, help="kept replies; those of --model are added to them")
    parser.add_argument("--unanswered", type=Path, help="a folder for the prompts that have no reply")
    parser.add_argument("--model", help="`module:name` of a LangChain chat model that is made without arguments")
    given = parser.parse_args(arguments)
    tasks, documents = load(given.gold, given.documents)
    units = units_for(documents, given.units)
    kept = Kept(given.replies, given.unanswered, _made(given.model) if given.model else None)
    system = ThreadOnLangChain(documents, units, embedding(given.embedding))
    found = score_retrieval(system, tasks)
    without = row("without a model", found, score_walks(system, tasks))
    system.models = {role: Replaying(role=role).over(kept) for role in ROLES}
    told = row("with one", found, score_walks(system, tasks))
    shown = ("", "walk recall", "walk tokens", "branch", "first", "endings", "right", "menu", "stuck", "wrong")
    show([{name: one[name] for name in shown} for one in (without, told)])
    print(
        f"\n{kept.asked} calls, {kept.missing} without a reply, {kept.tokens / max(1, kept.asked):.0f} tokens a prompt"
    )


class Kept:
    """Replies by what was asked."""

    def __init__(self, file: Path, unanswered: Path | None, model: BaseChatModel | None) -> None:
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        self._replies: dict[str, str] = {one["key"]: one["reply"] for one in map(json.loads, lines)}
        self._file, self._unanswered, self._model = file, unanswered, model
        self.asked = self.missing = self.tokens = 0

    def reply(self, role: str, messages: list[BaseMessage]) -> str:
        """The reply that is kept, or that the model gives; nothing where there is neither."""
        asked = [[message.type, message.text] for message in messages]
        key = hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:16]
        self.asked += 1
        self.tokens += sum(len(text) // 4 for _, text in asked)
        if key not in self._replies and self._model is not None:
            self._replies[key] = self._model.invoke(messages).text
            with self._file.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"key": key, "role": role, "reply": self._replies[key]}) + "\n")
        if key not in self._replies:
            self.missing += 1
            if self._unanswered is not None:
                self._unanswered.mkdir(parents=True, exist_ok=True)
                prompt = {"key": key, "role": role, "messages": asked}
                (self._unanswered / f"{key}.json").write_text(json.dumps(prompt, indent=1), encoding="utf-8")
        return self._replies.get(key, NOTHING[role])


class Replaying(BaseChatModel):
    """A chat model that gives kept replies."""

    role: str
    _kept: Kept = PrivateAttr()

    def over(self, kept: Kept) -> Replaying:
        """Give the replies of `kept`."""
        self._kept = kept
        return self

    @property
    def _llm_type(self) -> str:
        return "kept replies"

    def _generate(
        self, messages: list[BaseMessage], stop: list[str] | None = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=AIMessage(self._kept.reply(self.role, messages)))])


def _made(name: str) -> BaseChatModel:
    module, _, factory = name.partition(":")
    return getattr(importlib.import_module(module), factory)()


if __name__ == "__main__":
    main()
