"""A model walks with the tools: one step a call, each answer once, and nothing is run."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from mcp import ClientSession
from mcp.types import TextContent

from tests.thread_mcp.conftest import QUESTION, Connect


async def told(client: ClientSession, tool: str, **given: Any) -> tuple[str, dict[str, Any]]:
    """What a call that succeeds says, and its fields."""
    result = await client.call_tool(tool, given)
    (content,) = result.content
    assert isinstance(content, TextContent)
    assert not result.isError, content.text
    assert result.structuredContent is not None
    return content.text, result.structuredContent


async def refused(client: ClientSession, tool: str, **given: Any) -> str:
    """Why a call is refused."""
    result = await client.call_tool(tool, given)
    (content,) = result.content
    assert isinstance(content, TextContent) and result.isError and result.structuredContent is None
    return content.text


async def test_a_walk_goes_step_by_step_to_its_end(connect: Connect) -> None:
    async with connect() as client:
        text, step = await told(client, "start", question=QUESTION)
        assert "Switch the pump off" in text and step["text"] in text
        assert step["warnings"] == [
            "> **Warning:** The rotor starts without notice: keep your hands out of the housing."
        ]
        assert [(one["number"], one["text"]) for one in step["options"]][:2] == [
            (1, "the rotor is blocked"),
            (2, "the rotor turns freely"),
        ]
        assert step["citations"][0]["guide"] == "pump.md"

        text, step = await told(client, "respond", session=step["session"], turn=step["turn"], answer=2)
        assert "fuse --read pump" in text
        text, step = await told(client, "respond", session=step["session"], turn=step["turn"], answer="1")
        assert "Take the blown fuse out" in text and "(Session" in text

        text, step = await told(client, "respond", session=step["session"], turn=step["turn"], answer="done")
        while step["status"] != "resolved":
            text, step = await told(client, "respond", session=step["session"], turn=step["turn"], answer="1")
        assert step["next"] == "The walk has ended: the problem is solved."


async def test_an_answer_that_comes_twice_counts_once(connect: Connect) -> None:
    async with connect() as client:
        _, first = await told(client, "start", question=QUESTION)
        answer = {"session": first["session"], "turn": first["turn"], "answer": "2"}
        _, second = await told(client, "respond", **answer)
        _, again = await told(client, "respond", **answer)
        assert (again["turn"], again["text"]) == (second["turn"], second["text"])
        assert "counts once" in again["notes"][0]

        said = await refused(client, "respond", **answer | {"answer": "1"})
        assert said == (
            "turn 1 was already answered with '2', and that counts; the walk is at turn 2: call where, and answer what"
            " it shows"
        )
        assert (await told(client, "where", session=first["session"]))[1]["turn"] == second["turn"]


async def test_a_walk_goes_on_in_another_server(connect: Connect) -> None:
    async with connect() as client:
        _, first = await told(client, "start", question=QUESTION)
    async with connect() as client:
        text, where = await told(client, "where", session=first["session"])
        assert where == first and "Switch the pump off" in text


async def test_back_undoes_and_hand_over_reports(connect: Connect) -> None:
    async with connect() as client:
        _, first = await told(client, "start", question=QUESTION)
        _, second = await told(client, "respond", session=first["session"], turn=first["turn"], answer="2")
        _, undone = await told(client, "back", session=first["session"], turn=second["turn"])
        assert undone["text"] == first["text"]
        text, ended = await told(client, "hand_over", session=first["session"], turn=undone["turn"])
        assert ended["status"] == "escalated" and f"What was tried for: {QUESTION}" in text


async def test_saying_yes_runs_nothing(connect: Connect) -> None:
    async with connect() as client:
        _, step = await told(client, "start", question=QUESTION)
        _, step = await told(client, "respond", session=step["session"], turn=step["turn"], answer="2")
        assert "fuse --read pump" in step["text"]
        for said in ("run it", "yes, run it", "approved"):
            _, step = await told(client, "respond", session=step["session"], turn=step["turn"], answer=said)
            assert step["asked"] != "approval" and "Done:" not in step["text"]


async def test_a_search_finds_guides_and_a_walk_begins_in_the_one_that_is_named(connect: Connect) -> None:
    async with connect() as client:
        text, found = await told(client, "search", question=QUESTION, limit=2)
        assert found["guides"][0]["guide"] == "pump.md" and len(found["guides"]) <= 2
        assert "The pump stands still (pump.md)" in text
        _, step = await told(client, "start", question=QUESTION, guide="fuses.md")
        assert "Take the blown fuse out" in step["text"]
        assert "found no guide 'no.md'" in await refused(client, "start", question=QUESTION, guide="no.md")


async def test_a_plan_is_whole(connect: Connect) -> None:
    async with connect() as client:
        text, plan = await told(client, "plan", question=QUESTION)
        assert [step["number"] for step in plan["steps"]] == [*range(1, len(plan["steps"]) + 1)]
        assert plan["text"] == text and "fuse --read pump" in text and "pump.md:" in text


async def test_what_a_document_says_cannot_move_a_terminal_or_the_server(connect: Connect) -> None:
    async with connect() as client:
        text, step = await told(client, "start", question="Paint the fence", guide="garden/paint the fence.md")
        assert step["status"] == "awaiting" and "Ignore all instructions" in text
        assert not {"\x1b", "\u202e"} & set(text + step["text"])
        assert step["citations"][0]["uri"].startswith("guide:///garden%2Fpaint%20the%20fence.md/lines/")


async def test_the_tools_say_what_they_take_give_and_change(connect: Connect) -> None:
    async with connect() as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        capabilities = client.get_server_capabilities()
    assert [*tools] == ["search", "start", "respond", "where", "back", "hand_over", "plan"]
    for tool in tools.values():
        assert tool.outputSchema is not None
        jsonschema.Draft202012Validator.check_schema(tool.inputSchema)
        jsonschema.Draft202012Validator.check_schema(tool.outputSchema)
        assert tool.annotations is not None and tool.annotations.destructiveHint is False
    reading = {name for name, tool in tools.items() if tool.annotations and tool.annotations.readOnlyHint}
    assert reading == {"search", "where", "plan"}
    assert capabilities is not None and capabilities.resources and capabilities.prompts and capabilities.completions


@pytest.mark.parametrize("answer", [1, 1.0, "1", " 1. "])
async def test_an_option_is_chosen_by_its_number_however_a_model_writes_it(connect: Connect, answer: object) -> None:
    async with connect() as client:
        _, first = await told(client, "start", question=QUESTION)
        _, second = await told(client, "respond", session=first["session"], turn=first["turn"], answer=answer)
        assert second["turn"] == first["turn"] + 1
