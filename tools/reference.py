"""Writes pages of the documentation that are lists: public names of packages, options of the command, rules of lint.

python tools/reference.py
"""

from __future__ import annotations

from importlib import import_module
from inspect import cleandoc
from pathlib import Path
from typing import Any

import rules_page
import typer

from thread_rag.cli import app

DOCS = Path(__file__).resolve().parents[1] / "docs"
PACKAGES = ("thread_core", "langchain_thread", "llama_index_thread")


def main() -> None:
    """Write them."""
    for name, text in pages().items():
        (DOCS / name).write_text(text, encoding="utf-8")


def pages() -> dict[str, str]:
    """The pages by their names."""
    return {f"reference_{name}.md": names_of(name) for name in PACKAGES} | {
        "help.md": the_help(),
        "lint.md": rules_page.page(),
    }


def names_of(package: str) -> str:
    """A page on which the site sets each public name's signature and docstring."""
    module = import_module(package)
    entries = (f"::: {package}.{name}" for name in module.__all__)
    return "\n\n".join([f"# `{package}`", cleandoc(module.__doc__ or ""), *entries]) + "\n"


def the_help() -> str:
    """The page of what `--help` says of each command."""
    group: Any = typer.main.get_command(app)
    parts = ["# The command's options", f"{group.help} [The command](command.md) shows its use."]
    parts.append(_block("text", group.epilog.replace("\b\n", "")))
    for name, command in sorted(group.commands.items()):
        arguments = [one for one in command.params if one.param_type_name == "argument"]
        options = [one for one in command.params if one.param_type_name == "option"]
        usage = " ".join(["thread-rag", name, "[OPTIONS]", *map(_named, arguments)])
        parts += [f"## `{name}`", _block("text", usage), cleandoc(command.help), _block("bash", command.epilog)]
        parts.append("\n".join(["| Argument | Meaning |", "|---|---|", *map(_row, arguments + options)]))
    return "\n\n".join(filter(None, parts)) + "\n"


def _block(language: str, text: str) -> str:
    return f"```{language}\n{text}\n```"


def _row(parameter: Any) -> str:
    default = parameter.default
    is_told = isinstance(default, str | int | float | Path) and not isinstance(default, bool) and str(default)
    told = f"{parameter.help} Default: `{default}`." if is_told else parameter.help
    return f"| `{_named(parameter)}` | {told} |"


def _named(parameter: Any) -> str:
    """Return how an argument or option is written."""
    if parameter.param_type_name == "argument":
        return f"{parameter.metavar}..." if parameter.nargs == -1 else parameter.metavar
    spelled = ", ".join([*parameter.opts, *parameter.secondary_opts])
    return spelled if parameter.is_flag else f"{spelled} {parameter.metavar or 'VALUE'}"


if __name__ == "__main__":
    main()
