"""The workflows run what is there."""

from __future__ import annotations

import re

import pytest
import yaml

from tests.pages import ROOT, page

WORKFLOWS = sorted(path.name for path in (ROOT / ".github" / "workflows").iterdir())


@pytest.mark.parametrize("name", WORKFLOWS)
def test_each_step_names_a_target_or_an_environment(name: str) -> None:
    workflow = yaml.safe_load(page(f".github/workflows/{name}"))
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    ran = [word for step in steps for word in re.findall(r"make (\S+)", step.get("run", ""))]
    assert set(ran) <= set(re.findall(r"^([\w-]+):", page("Makefile"), re.MULTILINE))
    for job in workflow["jobs"].values():
        for entry in job.get("strategy", {}).get("matrix", {}).get("include", ()):
            assert f'"{entry["environment"]}"' in page("pyproject.toml")
    assert workflow["permissions"] == {"contents": "read"}
