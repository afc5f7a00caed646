"""Options that several commands share, and how a command's help is laid out."""

from __future__ import annotations

import inspect
import math
import re
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

if TYPE_CHECKING:
    from thread_core.llm.costs import Price

MODEL = "Model"
SERVICE = "Unattended use"
PROCESSES = "Parallel work"
"""Subjects under which `--help` lists options; those without one are listed first, under "Options"."""

StoreOption = Annotated[Path, typer.Option("--store", metavar="DIR", help="The store's directory.")]
ServerOption = Annotated[
    str,
    typer.Option("--server", metavar="URL", help="Keep the units on this Chroma server; the rest stays in --store."),
]
WaitOption = Annotated[
    float,
    typer.Option(
        "--wait",
        metavar="SECONDS",
        min=0,
        help="How long to wait if another ingest is writing to the store.",
    ),
]
BaseUrlOption = Annotated[
    str,
    typer.Option("--base-url", metavar="URL", rich_help_panel=MODEL, help="Another service with OpenAI's API."),
]
ModelOption = Annotated[
    str,
    typer.Option(
        "--model",
        metavar="NAME",
        rich_help_panel=MODEL,
        help="Interpret reports with this model. Its key is read from OPENAI_API_KEY.",
    ),
]
JsonTurnsOption = Annotated[bool, typer.Option("--json", help="Print only the turns, one line of JSON each.")]
STORE = Path(".thread")


class PlainCommand(TyperCommand):
    """Writes help as other programs do: options by subject, and examples as lines to copy."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the usage piece by piece, without the braces that Typer puts around an argument."""
        return [piece.replace("{", "").replace("}", "") for piece in super().collect_usage_pieces(ctx)]

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """Write paragraphs and lists, the lines of an item below its first word."""
        for paragraph in inspect.cleandoc(self.help or "").split("\n\n"):
            formatter.write_paragraph()
            for item in re.split(r"\n(?=- )", paragraph):
                further = "    " if item.startswith("- ") else "  "
                filled = textwrap.fill(
                    " ".join(item.split()), formatter.width, initial_indent="  ", subsequent_indent=further
                )
                formatter.write(f"{filled}\n")

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, and the options under the subjects that their `rich_help_panel` names."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for parameter in self.get_params(ctx):
            if (record := parameter.get_help_record(ctx)) is None:
                continue
            if parameter.param_type_name == "argument":
                sections["Arguments"].append((record[0].partition(" ")[0], record[1]))  # without its Python type
            else:
                sections.setdefault(subject_of(parameter), []).append(record)
        for title, records in sections.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples, a line each; a narrow terminal wraps them."""
        with formatter.section("Examples"):
            for line in (self.epilog or "").splitlines():
                formatter.write_text(line)


def subject_of(option: Any) -> str:
    """Return the heading under which an option is listed."""
    return getattr(option, "rich_help_panel", None) or "Options"


def price_of(said: str) -> Price | None:
    """Return the price that `--price` states: of a million input tokens, and of a million output tokens."""
    from thread_core.llm.costs import Price

    try:
        prompt, completion = map(float, said.split(",")) if said else (0.0, 0.0)
    except ValueError:
        prompt = completion = -1.0
    if not (0 <= prompt < math.inf and 0 <= completion < math.inf):
        raise typer.BadParameter(
            f"found {said!r}, expected two prices with a comma between them: 0.40,1.60", param_hint="--price"
        )
    return Price(prompt, completion) if said else None
