"""Guides for agents that speak the Model Context Protocol (MCP): searched, read, and walked one step a call."""

from thread_core.errors import missing

try:
    from thread_mcp.server import create_server
    from thread_mcp.tokens import Clients
    from thread_mcp.web import create_app
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] not in ("limits", "mcp", "starlette"):
        raise
    raise missing(error, "mcp") from error

__all__ = ["Clients", "create_app", "create_server"]
