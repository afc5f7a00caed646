"""Guides as resources, by lines and by pages, and as prompts."""

from __future__ import annotations

import pytest
from mcp.shared.exceptions import McpError
from mcp.types import PromptReference, TextContent, TextResourceContents
from pydantic import AnyUrl

from tests.thread_mcp.conftest import FUSES, PUMP, Connect
from thread_mcp import resources


async def read(connect: Connect, uri: str) -> str:
    async with connect() as client:
        (content,) = (await client.read_resource(AnyUrl(uri))).contents
    assert isinstance(content, TextResourceContents) and content.mimeType == "text/markdown"
    return content.text


async def test_a_guide_is_read_line_for_line(connect: Connect) -> None:
    assert await read(connect, "guide:///pump.md") == PUMP.rstrip("\n")
    assert await read(connect, "guide:///fuses.md/lines/3-4") == "\n".join(FUSES.split("\n")[2:4])
    assert await read(connect, "guide:///fuses.md/lines/3") == FUSES.split("\n")[2]
    assert "Paint it." in await read(connect, "guide:///garden%2Fpaint%20the%20fence.md")


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("guide:///no.md", "found no guide 'no.md'"),
        ("guide:///..%2F..%2Fetc%2Fpasswd", "found no guide"),
        ("guide:///%2Fetc%2Fpasswd", "found no guide '/etc/passwd'"),
        ("guide:///pump.md%00", "found no guide"),
        ("guide:///%ED%A0%80", "found no guide"),
        ("guide:///pump.md/lines/0-2", "expected lines between 1 and 20"),
        ("guide:///pump.md/lines/9-2", "expected lines between 1 and 20"),
        ("guide:///pump.md/lines/1-999999999", "expected lines between 1 and 20"),
        ("guide:///pump.md/lines/a-b", "expected guide:///ID"),
        ("guide:///", "expected guide:///ID"),
        ("guide://pump.md", "expected guide:///ID"),
        ("file:///etc/passwd", "expected guide:///ID"),
        ("https://example.org/pump.md", "expected guide:///ID"),
    ],
)
async def test_what_is_no_guide_is_refused(connect: Connect, uri: str, said: str) -> None:
    async with connect() as client:
        with pytest.raises(McpError) as error:
            await client.read_resource(AnyUrl(uri))
        assert said in error.value.error.message and error.value.error.code == -32002
        await client.send_ping()


async def test_guides_are_listed_by_pages(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "PAGE", 2)
    async with connect() as client:
        first = await client.list_resources()
        second = await client.list_resources(first.nextCursor)  # type: ignore[arg-type]
        assert [one.name for page in (first, second) for one in page.resources] == [
            "fuses.md",
            "garden/paint the fence.md",
            "pump.md",
        ]
        assert first.nextCursor and second.nextCursor is None
        assert [one.title for one in first.resources] == ["Change a fuse", "Paint the fence"]


async def test_a_guide_has_a_prompt_where_guides_are_few(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    async with connect() as client:
        assert [one.name for one in (await client.list_prompts()).prompts][0::3] == ["walk", "walk:pump.md"]
        for name, given in (("walk:pump.md", {}), ("walk", {"guide": "pump.md"})):
            (message,) = (await client.get_prompt(name, given)).messages
            assert isinstance(message.content, TextContent) and "“The pump stands still”" in message.content.text
        monkeypatch.setattr(resources, "PROMPTS", 2)
        assert [one.name for one in (await client.list_prompts()).prompts] == ["walk"]
        found = await client.complete(
            PromptReference(type="ref/prompt", name="walk"), {"name": "guide", "value": "fus"}
        )
        assert found.completion.values == ["fuses.md"]
        for name, given in (("walk", {}), ("walk:no.md", {}), ("other", {}), ("", {"guide": "pump.md"})):
            with pytest.raises(McpError):
                await client.get_prompt(name, given)
