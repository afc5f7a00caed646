"""Commands that cannot be typed as they stand, and those that destroy without a word of warning."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from thread_core.documents import shells
from thread_core.documents.boxes import HINTS
from thread_core.models import LogicUnit
from thread_core.text import sentences
from thread_lint.findings import Severity
from thread_lint.rules import shell
from thread_lint.rules.rule import Found, Guide, Rule


def _broken(guide: Guide) -> Iterator[Found]:
    for code in guide.code:
        if shells.language(code.language) not in shells.POSIX or len(code.text) > shell.LONGEST:
            continue
        if any(map(shells.PROMPT.match, code.text.split("\n"))):
            continue  # a session: what stands between its commands is output
        if (row := shell.fault(code.text)) is not None:
            line = code.line + row
            yield Found(
                line, line, f"this is not valid {code.language}; correct it, or label the block with its language"
            )


def _unwarned(guide: Guide) -> Iterator[Found]:
    for code in guide.code:
        kind = shells.language(code.language)
        if kind not in shells.POSIX | shells.SESSIONS or len(code.text) > shell.LONGEST:
            continue
        for row, words in shell.commands(shell.typed(code.text)):
            if destroyed := _destroys(_without_prefix(words)):
                line = code.line + row
                unit = guide.holding(line)
                if unit is None or not _is_warned(unit):
                    yield Found(
                        line, line, f"this destroys {destroyed}; add a warning above it, and say what to check first"
                    )


_DATA = frozenset(
    "ns namespace namespaces project projects pv persistentvolume persistentvolumes pvc persistentvolumeclaim"
    " persistentvolumeclaims crd crds customresourcedefinition customresourcedefinitions".split()
)
"""Kinds of a cluster with which the data in them goes."""
_PLACES = re.compile(r"[\"']?(?:/(?!tmp(?:/|$))|~|\$|/?\*)")
"""What is outside the folder in which somebody works."""
_WARNED = (*HINTS, "irreversibl", "undone", "back up", "backup", "permanent", "careful", "data loss", "lose", "lost")
"""Of these a text in lower case has one where it tells what a command costs."""
_ALWAYS = {
    **dict.fromkeys(("mkfs", "wipefs", "shred", "blkdiscard"), "everything on the device"),
    **dict.fromkeys(("dropdb",), "a database"),
    **dict.fromkeys(("lvremove", "vgremove", "pvremove"), "a volume"),
}
"""Programs that do nothing else."""
_BY_WORDS = (
    ({"terraform", "tofu", "terragrunt"}, {"destroy", "-auto-approve"}, "everything that it manages"),
    ({"aws"}, {"s3", "rm", "--recursive"}, "all objects below that address"),
    ({"aws"}, {"s3", "rb", "--force"}, "a bucket with its objects"),
    ({"zfs", "zpool"}, {"destroy"}, "a file system"),
    ({"docker", "podman"}, {"volume", "prune", "-f"}, "volumes"),
    ({"find"}, {"-delete"}, "all files that it finds"),
)
"""Programs, the words with which they destroy without asking, and what."""


def _destroys(words: Sequence[str]) -> str:
    """What a command destroys that cannot be had again; empty where it does not."""
    program, rest = words[0].rpartition("/")[2] if words else "", words[1:]
    if program.partition(".")[0] in _ALWAYS:
        return _ALWAYS[program.partition(".")[0]]
    if program == "rm":
        options = [word for word in rest if word.startswith("-")]
        is_deep = any(word == "--recursive" or (word[1:2] != "-" and re.search("[rR]", word)) for word in options)
        places = [word for word in rest if not word.startswith("-") and _PLACES.match(word)]
        return f"all below {places[0]}" if is_deep and places else ""
    if program == "dd":
        return next((f"everything on {word[3:]}" for word in rest if word.startswith("of=/dev/")), "")
    if program in ("kubectl", "oc") and "delete" in rest:
        return next((f"a {word.partition('/')[0]}, with the data in it" for word in rest if _is_data(word)), "")
    said = set(rest)
    return next((what for names, needed, what in _BY_WORDS if program in names and needed <= said), "")


def _is_data(word: str) -> bool:
    return bool(_DATA.intersection(word.partition("/")[0].lower().split(",")))


def _without_prefix(words: Sequence[str]) -> Sequence[str]:
    """A command without what only says as whom it is run."""
    at = 0
    while at < len(words) and (words[at] == "sudo" or (at and words[at].startswith("-"))):
        at += 1
    return words[at:]


def _is_warned(unit: LogicUnit) -> bool:
    return bool(unit.warnings) or sentences.mentions(sentences.lowered(unit.body), _WARNED)


BROKEN_COMMAND = Rule(
    code="TR401",
    name="broken-command",
    severity=Severity.WARNING,
    summary="A shell code block is not valid shell",
    why="""\
Readers paste what is in a block. Either the command is broken (an unclosed quote or bracket), or the block is not shell
but a query, a configuration or output, and should be labelled so.

The rule checks blocks that are fenced as `sh`, `bash`, `zsh`, `ksh` or `shell`, without a prompt. They are parsed and
never run. Placeholders such as `<node>`, `...` and `{{ name }}` count as words. In other people's guides a quarter of
the findings were prompts, parts of a command, and syntax that the grammar does not know, so it runs only if you select
it.
""",
    bad="""\
# Queue is full

1. Count the messages.

   ```sh
   queuectl count --name "orders
   ```
""",
    good="""\
# Queue is full

1. Count the messages.

   ```sh
   queuectl count --name "orders"
   ```
""",
    check=_broken,
    is_usual=False,
)
UNWARNED_DELETION = Rule(
    code="TR402",
    name="unwarned-deletion",
    severity=Severity.WARNING,
    summary="A command destroys something that cannot be recovered, without a warning",
    why="""\
A walk asks a person before it runs a step with a warning; a step without one may be run. The rule reports commands such
as `rm -r` outside the current folder, `mkfs`, `dd of=/dev/…`, `kubectl delete namespace` or `pvc`, and `aws s3 rm
--recursive`. It does not report what comes back by itself, such as a pod, or commands that ask first. A warning is a
box or a labelled paragraph about the step, or words about a backup or about what is lost.

Whether a warning is missing depends on what the reader knows: in the guides on which the rules were judged, most
findings were intended and obvious, so it runs only if you select it.
""",
    bad="""\
# Node is full

1. Remove the data.

   ```sh
   sudo rm -rf /var/lib/queue/*
   ```
""",
    good="""\
# Node is full

1. Remove the data.

   > [!CAUTION]
   > All messages that were not delivered are lost.

   ```sh
   sudo rm -rf /var/lib/queue/*
   ```
""",
    check=_unwarned,
    is_usual=False,
)
