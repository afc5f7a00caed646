"""Every story in examples/ runs, and prints what its `# ->` comments say."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.programs import Programs
from tests.scripted import Request, ScriptedServer

EXAMPLES = Path(__file__).parents[1] / "examples"
STORIES = sorted(path.name for path in EXAMPLES.glob("*.py") if not path.name.startswith("_"))
WITH_A_MODEL = [name for name in STORIES if name.endswith("_with_a_model.py")]
DIVISION = Path(__file__).parent / "replies" / "grounded" / "queue-backlog.json"
SPOKEN = """\
Look at the number of consumers; when it is zero, start them with
`lumenctl instance start --service <consumer>` [1]."""


@pytest.fixture(scope="module")
def told(request: pytest.FixtureRequest, programs: Programs) -> Iterator[dict[str, Future[None]]]:
    """The stories without a model that are to be run, as many at once as there are processors."""
    asked = [item for item in request.session.items if "told" in getattr(item, "fixturenames", ())]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        stories = [item.callspec.params["story"] for item in asked if isinstance(item, pytest.Function)]
        yield {story: pool.submit(tells, programs, story, OPENAI_API_KEY="") for story in stories}


@pytest.mark.slow
@pytest.mark.parametrize("story", [name for name in STORIES if name not in WITH_A_MODEL])
def test_a_story_runs_and_prints_what_it_says(story: str, told: dict[str, Future[None]]) -> None:
    told[story].result()


@pytest.mark.slow
@pytest.mark.parametrize("story", WITH_A_MODEL)
def test_a_story_with_a_model_runs_and_prints_what_it_says(
    story: str, server: ScriptedServer, programs: Programs, tmp_path: Path
) -> None:
    server.reply(DIVISION.read_text(encoding="utf-8"), to="You divide")
    server.reply(lambda request: chosen(request, "If the queue keeps growing"), to="The queue keeps growing")
    server.reply(SPOKEN, to="You answer")
    server.reply(lambda request: chosen(request, "Getting an impression"), to="Messages pile up")
    server.reply(lambda request: along(request, "the queue is stable"), to="say where what they report leads")
    tells(programs, story, cwd=tmp_path, OPENAI_API_KEY="none", OPENAI_BASE_URL=server.url)


def tells(programs: Programs, story: str, **named: Any) -> None:
    path = EXAMPLES / story
    done = programs.run(str(path), **named)
    assert done.returncode == 0, done.stderr
    promised = [line[5:] for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("# -> ")]
    printed = done.stdout.splitlines()
    assert [line for line in promised if line not in printed] == []


def chosen(request: Request, heading: str) -> str:
    """The part of a guide with this heading, and every prerequisite met."""
    shown = re.findall(r"^\[([\d.]+)\] \| (.*)", request.text, re.MULTILINE)
    needs = re.findall(r"^Prerequisite (\d+)", request.text, re.MULTILINE)
    return json.dumps(
        {
            "prerequisites": [{"number": int(number), "verdict": "met", "question": ""} for number in needs],
            "units": [number for number, text in shown if text.endswith(heading)],
            "query": [],
        }
    )


def along(request: Request, condition: str) -> str:
    """To the outcome with this condition."""
    outcomes = re.findall(r"^\[([\d.]+)\] if \| (.*)", request.text, re.MULTILINE)
    return json.dumps({"way": next(number for number, text in outcomes if text.startswith(condition))})
