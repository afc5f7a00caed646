"""deploy/: the file is one of Compose's, keeps to what is promised of it, and its services work together."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from tests.deploy.composed import FILE, ROOT, a_team, composed, until
from tests.thread_mcp.conftest import FUSES, PUMP, QUESTION
from thread_rag.cli import app

SERVICES = composed()["services"]


def test_it_is_what_compose_reads() -> None:
    check = Path(sys.executable).with_name("check-jsonschema")
    done = subprocess.run(
        [check, "--builtin-schema", "vendor.compose-spec", FILE], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_may_do_no_more_than_it_needs(name: str) -> None:
    service: dict[str, Any] = SERVICES[name]
    assert service["user"].partition(":")[0] not in ("", "0", "root")
    assert service["read_only"] and service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["restart"] == "unless-stopped" and service["healthcheck"]["test"][0] == "CMD"
    assert all(port.startswith("127.0.0.1:") for port in service.get("ports", []))
    assert not service.get("environment")


def test_only_the_mcp_server_is_reached_from_elsewhere_and_by_token() -> None:
    assert [name for name, service in SERVICES.items() if service.get("ports")] == ["mcp"]
    assert composed()["networks"]["store"]["internal"]
    assert [name for name, service in SERVICES.items() if service["networks"] != ["store"]] == ["mcp"]
    assert "--token-file" in SERVICES["mcp"]["command"] and SERVICES["mcp"]["secrets"] == ["tokens"]


def test_images_are_pinned() -> None:
    version = re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert version and {service["image"] for service in SERVICES.values()} == {f"thread-rag:{version[1]}"}
    bases = re.findall(r"^FROM (\S+)", (FILE.parent / "Dockerfile").read_text(), re.MULTILINE)
    assert bases and all(re.fullmatch(r"python:3\.\d+\.\d+-slim-\w+", base) for base in bases)


@pytest.mark.parametrize("name", SERVICES)
def test_its_commands_are_the_commands(name: str) -> None:
    group: Any = typer.main.get_command(app)
    for words in (SERVICES[name]["command"], SERVICES[name]["healthcheck"]["test"]):
        if "thread-rag" in words:
            _, command, *arguments = words[words.index("thread-rag") :]
            group.commands[command].make_context(command, arguments)


@pytest.mark.slow
def test_the_services_work_together_and_each_is_killed(tmp_path: Path, socket_enabled: None) -> None:
    """Their commands and health checks are the file's; a walk goes on through all of it."""
    with a_team(tmp_path) as team:
        (tmp_path / "guides" / "pump.md").write_text(PUMP)
        chroma = team.start("chroma")
        chroma.wait()
        mcp = team.start("mcp")  # ends, and again, until there is something to offer
        assert not mcp.is_healthy()
        worker = team.start("worker")
        worker.wait()
        mcp.wait()
        step = team.call("start", question=QUESTION)
        assert "keep your hands out of the housing" in step["text"] or step["warnings"]

        mcp.kill()
        mcp.wait()
        step = team.call("respond", session=step["session"], turn=step["turn"], answer="2")
        assert "fuse --read pump" in step["text"]

        worker.kill()
        (tmp_path / "guides" / "fuses.md").write_text(FUSES)
        worker.start()
        until(lambda: "fuses.md" in str(team.call("search", question="Change a fuse")))
        worker.wait()

        chroma.kill()
        assert not mcp.is_healthy() and not worker.is_healthy()
        chroma.start()
        chroma.wait()
        mcp.wait()
        worker.wait()
        step = team.call("respond", session=step["session"], turn=step["turn"], answer=1)
        assert "Take the blown fuse out" in step["text"]

        (tmp_path / "guides" / "broken.md").write_bytes(b"\xff\xfe\x00")
        until(lambda: not worker.is_healthy())
        assert mcp.is_healthy()
