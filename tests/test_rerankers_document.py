"""What docs/rerankers.md shows runs, the blocks of each framework one after the other."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

TEXT = (Path(__file__).parents[1] / "docs" / "rerankers.md").read_text(encoding="utf-8")
OF_LANGCHAIN, OF_LLAMA_INDEX = TEXT.split("\n## LlamaIndex\n")


def run(text: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec("\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL)), names)
    return names


def cited(answer: str) -> list[str]:
    return re.findall(r"\[(\w+\.md:\d+)\]", answer)


def test_langchain(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("langchain_classic")
    names = run(OF_LANGCHAIN)
    said = capsys.readouterr().out
    assert said.startswith("Logic unit: The pump is silent: Mend: Replace the fuse\nReplace the fuse.\n")
    in_order = [one.id for one in names["chosen"].base_retriever.invoke(names["question"])]
    kept = [one.id for one in names["chosen"].invoke(names["question"])]
    assert kept == [one for one in in_order if one in kept] and len(in_order) == 5 > len(kept)
    assert cited(said) == ["pump.md:13", "pump.md:5", "pump.md:9", "belt.md:5"]
    assert len(names["places"]) == len(set(names["places"])) == 5


def test_llama_index(capsys: pytest.CaptureFixture[str]) -> None:
    names = run(OF_LLAMA_INDEX)
    said = capsys.readouterr().out
    assert said.startswith("The pump is silent: Mend\nReplace the fuse.\n")
    assert cited(said) == ["pump.md:13", "pump.md:5", "pump.md:9"]
    both = [one.score > 1 / 60 for one in names["fused"]]  # ranked by two, and known as one
    assert (both, len({one.node.node_id for one in names["fused"]})) == ([True, True, True, True, False], 5)
