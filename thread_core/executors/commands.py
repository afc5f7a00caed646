"""Runs the commands of a step that are allowed, without a shell; asks for the rest, or hands it to the person.

Documents, answers and outputs are data: nothing in them decides what is run. A rule has to name it, and where the
rule says so a person has to approve it, to the letter.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, NamedTuple

from thread_core.executors.allowing import Allow
from thread_core.executors.redacting import without_secrets
from thread_core.executors.words import Refused, words_of
from thread_core.walk.execution import Action, Outcome, OutcomeKind, unordered
from thread_core.walk.journal import Journal

TIMEOUT = 60.0
"""Seconds that a command may take."""
OUTPUT = 20_000
"""Bytes of a command's output that are kept, the last ones, in which the result stands."""

BEFORE = 1000
"""Bytes before them that are read for what their beginning is: the name of a secret may stand there."""

_GRACE = 1.0
"""Seconds that output is awaited after a program has ended; what it left running may hold the pipe."""
_CONTROL = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""What a terminal would act upon."""
_NEEDED = ("SYSTEMROOT",) if sys.platform == "win32" else ()


class _Command(NamedTuple):
    """A command that a rule allows."""

    text: str
    """As it is shown to a person: the words, quoted where they have to be."""
    words: tuple[str, ...]
    program: str
    """The absolute path of the program."""
    ask: bool


class _Ended(NamedTuple):
    """How a command ended."""

    kind: OutcomeKind
    how: str
    """What is said of it: "ended with exit code 1"."""
    output: str = ""


class CommandExecutor:
    """Runs what its rules allow, one command after another, and stops at the first that fails.

    A command is refused where no rule allows it, where it holds anything that a shell would act upon, or where a
    parameter has no value; of a step with one refused command none is run. A step whose rules say so is run once the
    person approved exactly these commands.

    Example:
        >>> executor = CommandExecutor([Allow("uname", options={"-s": None}, ask=False)])
        >>> executor.run(action).text  # of a step with `uname -s` in a fenced block of a shell
        'Linux'
    """

    def __init__(
        self,
        allow: Sequence[Allow],
        *,
        folder: str | Path = ".",
        environment: Collection[str] = (),
        timeout: float = TIMEOUT,
        output: int = OUTPUT,
        redact: Callable[[str], str] = without_secrets,
        dry_run: bool = False,
        journal: Journal | None = None,
    ) -> None:
        """Look up the programs of the rules.

        Args:
            allow: What may be run.
            folder: Where it is run.
            environment: Names of variables of this process that programs get too. They get `PATH` and `LC_ALL` of
                their own, and nothing else.
            timeout: Seconds for each command; then it is killed with all it has started.
            output: Bytes of each command's output that are kept, the last ones.
            redact: What an output goes through before anybody sees or keeps it. `str` leaves it as it is.
            dry_run: Whether to say what would be run and hand it to the person.
            journal: Where each attempt is recorded, refused or run; the session's own, so that all is in one file.

        Raises:
            ValueError: the folder is none, there is no time or output, or a program is not found or is run by a shell.
        """
        self._allow = tuple(allow)
        self._folder = Path(folder).resolve()
        if not self._folder.is_dir():
            raise ValueError(f"found {self._folder}, expected a folder to run commands in")
        if timeout <= 0 or output < 1:
            raise ValueError(f"found {timeout} seconds and {output} bytes, expected more than 0 of each")
        self._environment = {
            "PATH": os.defpath,
            "LC_ALL": "C.UTF-8",
            **{name: os.environ[name] for name in (*_NEEDED, *environment) if name in os.environ},
        }
        self._timeout = timeout
        self._output = output
        self._redact = redact
        self._dry_run = dry_run
        self._journal = journal
        self._programs = {rule.program: _program(rule.program) for rule in self._allow}

    def run(self, action: Action) -> Outcome:
        """Run the commands of an action, ask for them, or hand them over."""
        if not action.commands:
            return unordered(action)
        try:
            commands = [self._allowed(text, action) for text in action.commands]
        except Refused as refused:
            return Outcome(kind=OutcomeKind.HANDED, text=f"Not run: {refused}.")
        listed = "\n".join(f"    {command.text}" for command in commands)
        if self._dry_run:
            self._note("not run", action, commands=[command.words for command in commands])
            return Outcome(kind=OutcomeKind.HANDED, text=f"Not run: this is a dry run:\n\n{listed}")
        if (action.needs or any(command.ask for command in commands)) and not action.is_approved:
            self._note("asked", action, commands=[command.words for command in commands], digest=action.digest)
            return Outcome(kind=OutcomeKind.APPROVAL, text=f"Run this in {self._folder}?\n\n{listed}")
        return self._run_all(commands, action)

    def _allowed(self, text: str, action: Action) -> _Command:
        """The command that a text is, where a rule allows it."""
        try:
            if missing := next((name for name in action.missing if name in text), None):
                raise Refused(f"the value of {missing} is not known")
            words = words_of(text)
            rule = self._rule(words)
        except Refused as refused:
            self._note("refused", action, command=text, reason=str(refused))
            raise Refused(f"`{_shown(text)}`: {refused}") from None
        return _Command(shlex.join(words), words, self._programs[rule.program], rule.ask)

    def _rule(self, words: Sequence[str]) -> Allow:
        """The first rule that allows some words."""
        reasons = []
        for rule in self._allow:
            if rule.program == words[0]:
                try:
                    rule.check(words, self._folder)
                except Refused as refused:
                    reasons.append(str(refused))
                else:
                    return rule
        raise Refused("; or ".join(dict.fromkeys(reasons)) or f"no rule allows the program {words[0]!r}")

    def _run_all(self, commands: Sequence[_Command], action: Action) -> Outcome:
        """Run commands up to the first that fails."""
        seen: list[str] = []
        for number, command in enumerate(commands, start=1):
            ended = self._run_one(command, action)
            if ended.kind is OutcomeKind.OBSERVED and len(commands) == 1:
                return Outcome(kind=ended.kind, text=ended.output or f"`{command.text}` {ended.how}.")
            seen.append(f"`{command.text}` {ended.how}.\n{ended.output}".strip())
            if ended.kind is not OutcomeKind.OBSERVED:
                seen += [f"`{left.text}` was not started." for left in commands[number:]]
                return Outcome(kind=ended.kind, text="\n\n".join(seen))
        return Outcome(kind=OutcomeKind.OBSERVED, text="\n\n".join(seen))

    def _run_one(self, command: _Command, action: Action) -> _Ended:
        """Run one command to its end; with what it was run and how it ended is recorded."""
        self._note("started", action, words=command.words, program=command.program, folder=str(self._folder))
        begun = time.monotonic()
        try:
            ended = self._ended(command)
        except OSError as error:
            ended = _Ended(OutcomeKind.FAILED, f"could not be started ({error})")
        seconds = round(time.monotonic() - begun, 3)
        self._note("ended", action, words=command.words, how=ended.how, seconds=seconds)
        return ended

    def _ended(self, command: _Command) -> _Ended:
        process = subprocess.Popen(
            command.words,
            executable=command.program,
            cwd=self._folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            assert process.stdout is not None
            output = _Output(process.stdout, self._output, self._redact)
            code = process.wait(self._timeout)
        except subprocess.TimeoutExpired:
            _kill(process)
            how = f"was stopped after {self._timeout:g} s before it ended; it may have done a part"
            return _Ended(OutcomeKind.UNCERTAIN, how, output.text())
        except BaseException:  # somebody interrupts: nothing is left running
            _kill(process)
            raise
        kind = OutcomeKind.FAILED if code else OutcomeKind.OBSERVED
        return _Ended(kind, f"ended with exit code {code}", output.text())

    def _note(self, event: str, action: Action, **facts: Any) -> None:
        if self._journal is not None:
            self._journal.note(event, key=action.key, **facts)


class _Output:
    """A program's output, read while it runs, of which no more than its last bytes are kept."""

    def __init__(self, pipe: IO[bytes], limit: int, redact: Callable[[str], str]) -> None:
        self._pipe = pipe
        self._limit = limit
        self._redact = redact
        self._kept = b""
        self._size = 0
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with self._pipe:
            while piece := os.read(self._pipe.fileno(), 65536):
                self._size += len(piece)
                self._kept = (self._kept + piece)[-self._limit - BEFORE :]

    def text(self) -> str:
        """What was read, once the program has ended, without what a terminal would act upon."""
        self._thread.join(_GRACE)
        text = _CONTROL.sub("", self._kept.decode("utf-8", "replace").replace("\r\n", "\n")).strip()
        text = self._redact(text)
        more = self._size - self._limit
        if more > 0:
            text = text.encode()[-self._limit :].decode("utf-8", "replace")
        return f"({more:,} bytes before this are omitted)\n...{text}" if more > 0 else text


def _program(name: str) -> str:
    """The absolute path of a program; never one in the folder in which it happens to be run."""
    path = os.pathsep.join(filter(os.path.isabs, os.environ.get("PATH", os.defpath).split(os.pathsep)))
    found = shutil.which(name, path=path) if os.path.isabs(name) or name == Path(name).name else None
    if found is None or not os.path.isabs(found):
        raise ValueError(f"found no program {name!r} in {path}; install it, or give its absolute path")
    if Path(found).suffix.lower() in (".bat", ".cmd"):
        raise ValueError(f"{found} is run by a shell, which would interpret its arguments; name a program")
    return found


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all that it has started in its group."""
    if sys.platform == "win32":
        process.kill()
    else:
        with suppress(ProcessLookupError, PermissionError):  # all of the group has ended
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _shown(text: str) -> str:
    """A text from a document in one line of printable ASCII, so that nothing in it looks like something else."""
    return text.encode("unicode_escape").decode("ascii")[:200]
