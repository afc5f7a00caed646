"""For the site: what stands below "Example:" in a docstring becomes a block of code. An extension of griffe."""

from __future__ import annotations

import re
import textwrap
from typing import Any

import griffe

EXAMPLE = re.compile(r"^Example:\n((?:[ \t]+\S.*\n?|\n)+)", re.MULTILINE)


class ExamplesAsCode(griffe.Extension):
    """Fences them."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Fence those of a module, class, function or attribute."""
        if obj.docstring:
            obj.docstring.value = EXAMPLE.sub(_fenced, obj.docstring.value)


def _fenced(found: re.Match[str]) -> str:
    code = textwrap.dedent(found[1]).strip()
    return f"Example:\n\n```{'pycon' if code.startswith('>>>') else 'python'}\n{code}\n```\n"
