"""Options that several commands have, and how a command's usage names its arguments."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

if TYPE_CHECKING:
    from thread_core.llm.costs import Price

StoreOption = Annotated[Path, typer.Option("--store", metavar="DIR", help="Directory that keeps the units.")]
ServerOption = Annotated[
    str,
    typer.Option("--server", metavar="URL", help="A Chroma server that keeps the units; all else is in --store."),
]
WaitOption = Annotated[
    float,
    typer.Option("--wait", metavar="SECONDS", min=0, help="Wait so long while an ingest is writing the store."),
]
BaseUrlOption = Annotated[
    str, typer.Option("--base-url", metavar="URL", help="Another service that speaks OpenAI's protocol.")
]
ModelOption = Annotated[
    str, typer.Option("--model", metavar="NAME", help="Match outcomes with this model; its key is in OPENAI_API_KEY.")
]
JsonTurnsOption = Annotated[bool, typer.Option("--json", help="Print each turn as a line of JSON, and nothing else.")]
STORE = Path(".thread")


class PlainCommand(TyperCommand):
    """Names an argument in its usage as other programs do: without the braces that Typer puts around it."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The usage, piece by piece."""
        return [piece.replace("{", "").replace("}", "") for piece in super().collect_usage_pieces(ctx)]


def price_of(said: str) -> Price | None:
    """What a million tokens cost, in and out, as the option says it."""
    from thread_core.llm.costs import Price

    try:
        prompt, completion = map(float, said.split(",")) if said else (0.0, 0.0)
    except ValueError:
        prompt = completion = -1.0
    if not (0 <= prompt < math.inf and 0 <= completion < math.inf):
        raise typer.BadParameter("two numbers with a comma between them, as in 0.40,1.60", param_hint="--price")
    return Price(prompt, completion) if said else None
