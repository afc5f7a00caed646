"""The hook for pre-commit and the action for GitHub call what is there."""

from __future__ import annotations

import re
import tomllib

import yaml

from tests.pages import page
from tests.thread_rag.test_cli import call

EXTRAS = set(tomllib.loads(page("pyproject.toml"))["project"]["optional-dependencies"])


def test_the_hook_calls_the_command_with_extras_that_are_there() -> None:
    (hook,) = yaml.safe_load(page(".pre-commit-hooks.yaml"))
    assert hook["entry"] == "thread-rag lint"
    assert not hook["pass_filenames"]
    assert extras(*hook["additional_dependencies"]) <= EXTRAS


def test_the_action_is_composite_and_its_scripts_hold_nothing_that_is_given() -> None:
    action = yaml.safe_load(page("action.yml"))
    assert action["runs"]["using"] == "composite"
    scripts = [step["run"] for step in action["runs"]["steps"] if "run" in step]
    assert not any("${{" in script for script in scripts)
    assert all(step["shell"] == "bash" for step in action["runs"]["steps"] if "run" in step)
    assert all(re.fullmatch(r"[\w/-]+@v\d+", step["uses"]) for step in action["runs"]["steps"] if "uses" in step)
    assert extras(*scripts) <= EXTRAS
    options = call("lint", "--help").stdout
    assert all(option in options for option in re.findall(r"--(?:format|baseline)\b", "".join(scripts)))


def extras(*texts: str) -> set[str]:
    return {name for text in texts for found in re.findall(r"\[([a-z,]+)\]", text) for name in found.split(",")}
