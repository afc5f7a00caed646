"""Numbers and texts of a model's reply, however it writes them: 3, "3.2", "[3.2]", one where a list is wanted."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator


def _as_number(value: Any) -> Any:
    """A number as text; nothing for 0 and null."""
    if isinstance(value, bool) or not isinstance(value, int | float | str | None):
        return value
    text = "" if value is None else str(value).strip(" []|")
    return "" if text == "0" else text


def _as_list(value: Any) -> Any:
    given = value if isinstance(value, list | tuple) else [value]
    return [one for one in given if one not in (None, "", 0)]


Number = Annotated[str, BeforeValidator(_as_number)]
"""A number as a prompt has it in brackets; empty for none."""
Numbers = Annotated[tuple[Number, ...], BeforeValidator(_as_list)]
Texts = Annotated[tuple[str, ...], BeforeValidator(_as_list)]
