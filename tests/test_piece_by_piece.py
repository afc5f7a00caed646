"""What docs/piece_by_piece.md shows runs, one block after the other."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.scripted import ScriptedServer
from thread_core.walk.rendering import ANSWER

TEXT = (Path(__file__).parents[1] / "docs" / "piece_by_piece.md").read_text(encoding="utf-8")
CODE = "\n".join(re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL))


def test_all_of_it_runs(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    server.reply(json.dumps({"prerequisites": [], "units": ["1"], "query": []}), to="You choose")
    server.reply("Look at the lamp [1].", to="You answer")
    server.reply('{"way": "1.0.1"}', to="[1.1] | Look at the lamp of the pump.")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    names: dict[str, Any] = {}

    exec(CODE, names)

    assert capsys.readouterr().out.splitlines() == [
        "Check the pump that stands still",
        "Look at the lamp of the pump.",
        "",
        ANSWER,
        "1. it is dark",
        "2. it is red",
        "3. None of these",
        "Replace the fuse",
        "Open the box, and change the wire.",
        "Replace the fuse",
        "Look at the lamp [1].",
        "it is dark",
        str(names["models"].usage),
    ]
    assert [unit.document_id for unit in names["found"]] == ["pump.md", "fuses.md"]
    assert len(server.requests) == names["models"].usage.calls == 3
