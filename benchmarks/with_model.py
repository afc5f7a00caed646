"""What a model buys in a walk, and what a team of agents: replayed from kept replies, or asked of a model of yours.

python benchmarks/with_model.py                                    the replies in tests/replies
python benchmarks/with_model.py --unanswered FOLDER                and write the prompts that have none
python benchmarks/with_model.py --model langchain_openai:ChatOpenAI --replies FOLDER

A prompt that has no reply is answered with nothing, so that the walk asks the person, and is counted.
"""

from __future__ import annotations

import hashlib
import importlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from _gold import arguments_for, embedding, load, units_for
from _table import show
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolCall
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import PrivateAttr
from quality import retrievals, row, walks

from langchain_thread.models import to_access
from thread_eval.systems import Setup
from thread_eval.systems.team_langchain import TeamOnLangChain
from thread_eval.systems.thread_langchain import ThreadOnLangChain

KEPT = Path(__file__).parents[1] / "tests" / "replies"
ROLES = ("selector", "query_generator")
NOTHING = {
    "selector": '{"units": ["1"], "prerequisites": []}',
    "query_generator": '{"way": ""}',
    "team": '{"calls": [], "text": ""}',
}
"""What is said where no reply is kept: the first guide, nothing of a report, no tool."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a row without a model, one with it and one with a team of agents, and what they were asked."""
    parser = arguments_for(__doc__ or "")
    parser.add_argument("--replies", type=Path, default=KEPT, help="a folder of kept replies; --model's are added")
    parser.add_argument("--unanswered", type=Path, help="a folder for the prompts that have no reply")
    parser.add_argument("--model", help="`module:name` of a LangChain chat model that is made without arguments")
    given = parser.parse_args(arguments)
    tasks, documents = load(given.gold, given.documents)
    units = units_for(documents, given.units)
    model = _made(given.model) if given.model else None
    alone, teams = (Kept(given.replies / f"{name}.jsonl", given.unanswered, model) for name in ("walks", "teams"))
    setup = Setup(documents, units, embedding(given.embedding))
    system = ThreadOnLangChain(setup)
    found = retrievals(system, tasks)
    rows = [row("without a model", found, walks(system, tasks))]
    models = to_access({role: Replaying(role=role).over(alone) for role in ROLES})
    rows.append(row("with one", found, walks(ThreadOnLangChain(replace(setup, models=models)), tasks)))
    team = TeamOnLangChain(replace(setup, chat=Replaying(role="team").over(teams)))
    rows.append(row("a team of agents", found, walks(team, tasks)))
    shown = ("", "walk recall", "walk tokens", "branch", "first", "endings", "right", "menu", "stuck", "wrong")
    show([{name: one[name] for name in shown} for one in rows])
    for name, kept in (("with one", alone), ("a team of agents", teams)):
        mean = kept.tokens / max(1, kept.asked)
        print(f"\n{name}: {kept.asked} calls, {kept.missing} without a reply, {mean:.0f} tokens a prompt")


class Kept:
    """Replies by what was asked."""

    def __init__(self, file: Path, unanswered: Path | None, model: BaseChatModel | None) -> None:
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        self._replies: dict[str, str] = {one["key"]: one["reply"] for one in map(json.loads, lines)}
        self._file, self._unanswered, self._model = file, unanswered, model
        self.asked = self.missing = self.tokens = 0

    def reply(self, role: str, messages: list[BaseMessage], tools: Sequence[Mapping[str, Any]]) -> str:
        """The reply that is kept, or that the model gives; nothing where there is neither."""
        asked: Any = [[message.type, message.text] for message in messages]
        if tools:
            asked = {"tools": [tool["function"] for tool in tools], "messages": list(map(_said, messages))}
        key = hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:16]
        self.asked += 1
        self.tokens += len(json.dumps(asked, ensure_ascii=False)) // 4
        if key not in self._replies and self._model is not None:
            self._replies[key] = _asked(self._model, messages, tools)
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
    """A chat model that gives kept replies, or calls tools as they say."""

    role: str
    tools: Sequence[Mapping[str, Any]] = ()
    _kept: Kept = PrivateAttr()

    def over(self, kept: Kept) -> Replaying:
        """Give the replies of `kept`."""
        self._kept = kept
        return self

    def bind_tools(self, tools: Sequence[Any], **options: Any) -> Replaying:
        """One that may call tools."""
        return Replaying(role=self.role, tools=tools).over(self._kept)

    @property
    def _llm_type(self) -> str:
        return "kept replies"

    def _generate(
        self, messages: list[BaseMessage], stop: list[str] | None = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        said = self._kept.reply(self.role, messages, self.tools)
        message = AIMessage(said)
        if self.tools:
            reply = json.loads(said)
            calls = [ToolCall(**call, id=f"{len(messages)}-{at}") for at, call in enumerate(reply["calls"])]
            message = AIMessage(reply["text"], tool_calls=calls)
        return ChatResult(generations=[ChatGeneration(message=message)])


def _said(message: BaseMessage) -> dict[str, Any]:
    """A message of an agent's conversation, without what differs from run to run."""
    calls = [{"name": call["name"], "args": call["args"]} for call in getattr(message, "tool_calls", ())]
    return {"type": message.type, "text": message.text} | ({"calls": calls} if calls else {})


def _asked(model: BaseChatModel, messages: list[BaseMessage], tools: Sequence[Mapping[str, Any]]) -> str:
    if not tools:
        return model.invoke(messages).text
    reply = model.bind_tools(tools).invoke(messages)
    return json.dumps({"calls": _said(reply).get("calls", []), "text": reply.text})


def _made(name: str) -> BaseChatModel:
    module, _, factory = name.partition(":")
    return getattr(importlib.import_module(module), factory)()


if __name__ == "__main__":
    main()
