"""The server, whatever it is reached by: it hands each request to a function, and says what comes of it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

from mcp.server import Server
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.shared.exceptions import McpError
from mcp.types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolResult,
    Completion,
    CompletionArgument,
    CompletionContext,
    ErrorData,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesRequest,
    ListResourcesResult,
    PromptReference,
    ResourceTemplate,
    ResourceTemplateReference,
    TextContent,
    Tool,
)
from pydantic import AnyUrl, BaseModel

from thread_core.errors import NothingFound, ThreadError
from thread_core.plan import in_a_thread
from thread_core.store.library import Library
from thread_core.text.safe import clean, one_line
from thread_mcp import tools
from thread_mcp.answers import cleaned
from thread_mcp.kept import LOCAL, SessionFolder
from thread_mcp.resources import MARKDOWN, TEMPLATES, Resources
from thread_mcp.walks import Walks

M = TypeVar("M", bound=BaseModel)
T = TypeVar("T")

NOT_FOUND = -32002
"""MCP's code for a resource that is not there."""
FAILED = "the server failed; try again, and if it fails again, tell the person"

_log = logging.getLogger(__name__)


def create_server(library: Library, sessions: str | Path) -> Server[Any, Any]:
    """A server over the guides of a library, for any transport of the SDK.

    Args:
        library: The guides, and the models if any. `Library.within` keeps it to some of them.
        sessions: The folder in which walks are kept; made where it is missing.

    Raises:
        BadSession: the folder cannot be made.

    Example:
        server = create_server(Library(open_store(".thread"), default_embedding()), "sessions")
        async with stdio_server() as streams:
            await server.run(*streams, server.create_initialization_options())
    """
    kept = SessionFolder(Path(sessions))
    kept.prune()
    server: Server[Any, Any] = Server("thread-rag", version("thread-rag"), tools.INSTRUCTIONS)
    _offer_tools(server, Walks(library, kept))
    _offer_guides(server, Resources(library))
    return server


def _offer_tools(server: Server[Any, Any], walks: Walks) -> None:
    listed = tools.listed()

    @server.list_tools()  # type: ignore[no-untyped-call,untyped-decorator]
    async def list_tools() -> list[Tool]:
        return listed

    @server.call_tool(validate_input=False)  # type: ignore[untyped-decorator]  # `called` does, and says what to do
    async def call_tool(
        name: str, arguments: dict[str, Any]
    ) -> tuple[list[TextContent], dict[str, Any]] | CallToolResult:
        try:
            given = await in_a_thread(tools.called, walks, _client(server), name, arguments)
        except ThreadError as error:
            return CallToolResult(content=[_text(one_line(str(error)))], isError=True)
        except Exception:
            _log.exception("the tool %s failed", one_line(name[:40]))
            return CallToolResult(content=[_text(FAILED)], isError=True)
        return [_text(str(given))], cleaned(given.model_dump(mode="json"))


def _offer_guides(server: Server[Any, Any], resources: Resources) -> None:
    @server.list_resources()  # type: ignore[no-untyped-call,untyped-decorator]
    async def list_resources(request: ListResourcesRequest) -> ListResourcesResult:
        after = (request.params.cursor if request.params else None) or ""
        page, cursor = await _asked(resources.resources, after)
        return ListResourcesResult(resources=[_clean(one) for one in page], nextCursor=cursor)

    @server.list_resource_templates()  # type: ignore[no-untyped-call,untyped-decorator]
    async def list_templates() -> list[ResourceTemplate]:
        return TEMPLATES

    @server.read_resource()  # type: ignore[no-untyped-call,untyped-decorator]
    async def read_resource(uri: AnyUrl) -> list[ReadResourceContents]:
        text = await _asked(resources.read, str(uri), code=NOT_FOUND)
        return [ReadResourceContents(clean(text), MARKDOWN)]

    @server.list_prompts()  # type: ignore[no-untyped-call,untyped-decorator]
    async def list_prompts() -> ListPromptsResult:
        return ListPromptsResult(prompts=[_clean(one) for one in await _asked(resources.prompts)])

    @server.get_prompt()  # type: ignore[no-untyped-call,untyped-decorator]
    async def get_prompt(name: str, arguments: dict[str, str] | None) -> GetPromptResult:
        return _clean(await _asked(resources.prompt, name, arguments or {}))

    @server.completion()  # type: ignore[no-untyped-call,untyped-decorator]
    async def complete(
        about: PromptReference | ResourceTemplateReference,
        argument: CompletionArgument,
        context: CompletionContext | None,
    ) -> Completion | None:
        return _clean(await _asked(resources.complete, argument.value)) if argument.name == "guide" else None


async def _asked(call: Callable[..., T], *given: Any, code: int = INVALID_PARAMS) -> T:
    """What a function gives; MCP's error where it cannot."""
    try:
        return await in_a_thread(call, *given)
    except NothingFound as error:
        raise McpError(ErrorData(code=code, message=one_line(str(error)))) from error
    except ThreadError as error:
        raise McpError(ErrorData(code=INTERNAL_ERROR, message=one_line(str(error)))) from error
    except Exception as error:
        _log.exception("%s failed", call.__name__)
        raise McpError(ErrorData(code=INTERNAL_ERROR, message=FAILED)) from error


def _client(server: Server[Any, Any]) -> str:
    """Who calls: by the token of the very request, where one came by HTTP and brought one."""
    request = server.request_context.request
    user = request.scope.get("user") if request is not None else None
    return user.username if isinstance(user, AuthenticatedUser) else LOCAL


def _text(text: str) -> TextContent:
    return TextContent(type="text", text=clean(text))


def _clean(model: M) -> M:
    return model.model_validate(cleaned(model.model_dump(mode="json")))
