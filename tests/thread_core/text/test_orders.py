"""Which code of a step is to be run, and which is left to the person."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from thread_core.text.code import codes
from thread_core.text.orders import orders
from thread_core.text.source import Source

RUN = [
    ("Run `a`.", ["a"]),
    ("Ping the primary with `db ping`.", ["db ping"]),
    ("Free the rotor with `pumpctl free 3`.", ["pumpctl free 3"]),
    ("Check the lag using the command `db lag --all`.", ["db lag --all"]),
    ("Run `a` and `b`.", ["a", "b"]),
    ("Run `a`, `b`, and then run `c`.", ["a", "b", "c"]),
    ("1. Run `a`.\n2. Then execute `b`.", ["a", "b"]),
    ("To see the lag, run `db lag`. Check the lag.", ["db lag"]),
    ("**Run** `echo a. B, c; d`\nand look at the *lamp*.", ["echo a. B, c; d"]),
    ("Run `a`. If it is red, run `b`.", ["a"]),
    ("Run `a`; if it fails, run `b`.", ["a"]),
    ("Run `a`.\n\n- If it is red, run `b`.\n- Otherwise, run `c`.", ["a"]),
    ("Run `a`. Is the lamp green?\n\n- Yes: run `b`.", ["a"]),
    ("Run `a`. A red lamp means that you must run `b`.", ["a"]),
    ("Run `a`.\n\n**If the lamp is red:**\n\nRun `b`.", ["a"]),
    ("Restarting the pump takes a minute. Run `a`.", ["a"]),
    ("Check the lag with: `db lag`", ["db lag"]),
    ("Look at the lag, then run:\n`db lag`", ["db lag"]),
    ("Run `df -h` and look at `/var`.", ["df -h"]),
    ("Run the following command:\n\n```\ndf -h\n```", ["df -h"]),
    ("Find it by using this command:\n\n    df -h\n", ["df -h"]),
    ("Check the disk:\n\n```sh\n# how full\ndf \\\n-h\n\nls /var\n```", ["df -h", "ls /var"]),
    ("Restart it:\n\n```sh\n# Stop the pump\na\n# 2. Start it again\nb\n```", ["a", "b"]),
    ("Run **`a`**, `b`.", ["a", "b"]),
    ("✅ Run `a`.", ["a"]),
    ("Check the lamp first. Run `a`.", ["a"]),
    ("<!-- no warning -->\n\n<br>\n\nRun `a`.", ["a"]),
    ("## Restart it\n\n**The pump**\n\nRun `a`.", ["a"]),
    ("Run `a`.\n\n**Optional:**\n\nRun `b`.", ["a"]),
    ("Run `a`.\n\n<details>\n<summary>What it prints</summary>\n\nRun `b`.\n\n</details>", ["a"]),
    ("Run `a`.\n\n~~Run `b`.~~", ["a"]),
    ("Check the disk:\n\n   ```console\n   $ df -h\n   /var 90%\n   $ # list all\n   $ ls\n   ```", ["df -h", "ls"]),
    ("Run `a`:\n\n```\n90%\n```", ["a"]),
    ("```bash\na\n```\n\n```\noutput\n```", ["a"]),
    ("Restart it:\n\n```bash\na\n```", ["a"]),
    ("Note: it is loud. Run `a`.", ["a"]),
    ("Step 1: Run `a`.\n\nStep 2: Run `b`.", ["a", "b"]),
    ("Never run `b` here. Run `a`.", ["a"]),
    ("First, run `a`. After that, run `b`.", ["a", "b"]),
    ("Run `db restart` to restart the database.", ["db restart"]),
    ("Run the `df -h` command to see how full `/var` is.", ["df -h"]),
    ("Run `a` again.", ["a"]),
    ("Turn on the pump with `pumpctl on`.", ["pumpctl on"]),
    ("Run the following command to see the pods:\n\n```sh\na\n```", ["a"]),
    ("Run these PowerShell scripts:\n\n```powershell\na\n```", ["a"]),
    ("Run `a` to validate the disk.", ["a"]),
    ("Run `a` to build the project.", ["a"]),
    ("Run `a` to check for full disks.", ["a"]),
    ("To stop the service, run `a`.", ["a"]),
    ("To delete the cache, run `a`.", ["a"]),
    ("Check the disk. To do this, run `a`.", ["a"]),
    ("For an overview, run `a`.", ["a"]),
    ("Run `a` for a short overview of the disks.", ["a"]),
    ("Run `a` in a terminal to see the disks.", ["a"]),
    ("Run the following commands in order:\n\n```sh\na\nb\n```", ["a", "b"]),
    ("To do this, run:\n\n```sh\na\n```", ["a"]),
    ("Run this command in the shell:\n\n```sh\na\n```", ["a"]),
    ("Run `a` to check that all is up-to-date.", ["a"]),
    ("Run `a`. You should see three pods.", ["a"]),
    ("Run `a`. Finally press Reset.", ["a"]),
    ("Run `a`. You need no role for this. It requires no login. No restart is required.", ["a"]),
    ("Run `a`. If a restart is required, run `b`.", ["a"]),
    ("Run `a`. As expected, the lamp is red.", ["a"]),
    ("Run `a`.\n\n```sh\nb\n```\n\nRun this command:\n\n```sh\nc\n```", ["a", "b", "c"]),
]


@pytest.mark.parametrize(("text", "commands"), RUN, ids=[text for text, _ in RUN])
def test_what_is_said_to_be_run_is_taken(text: str, commands: list[str]) -> None:
    assert list(orders(text).commands) == commands


@pytest.mark.parametrize(
    "text",
    [
        "Run `a` or `b`.",
        "Run either `a` or `b`.",
        "Run `a`. Alternatively, run `b`.",
        "Run `a`. On Windows, run `b` instead.",
        "Run `a`. If you use Windows, run `b` instead.",
        "Run `a`.\n\nOr run `b`.",
        "There are two ways.\n\n- Run `a`.\n- Run `b`.",
        "**Option A**\n\nRun `a`.\n\n**Option B**\n\nRun `b`.",
        "Try any of these methods. Run `a`.",
        "Run one of the following commands:\n\n```sh\na\nb\n```",
        "If it is red, run `a`.",
        "Run `a` if it is red.",
        "Run `a` when the lamp is red.",
        "Run `a` unless it is red.",
        "Once it has stopped, run `a`.",
        "On Windows, run `a`.",
        "Do not run `a`.",
        "Never execute `a`.",
        "You can run `a`.",
        "You may also check it with `a`.",
        "Optionally, run `a`.",
        "Consider running `a`.",
        "Run `a` until the lamp is green.",
        "Run `a` on each node.",
        "Run `a` as `root`.",
        "Run `a` with `--force`.",
        "Close the valve. Run `a`.",
        "Drain the node. Run `a`.",
        "Run `a` (only if it is red).",
        "Run `a` and check that `/var` is not full.",
        "Close the valve and run `a`.",
        "Wait 5 minutes, then run `a`.",
        "Warning: only on the standby! Run `a`.",
        "> **Caution**\n> Only on the standby.\n\nRun `a`.",
        "The pod fails with `CrashLoopBackOff`.",
        "Most of the time the pods restart with `E17`.",
        "We use `a` for that. The tool `b` is old. You ran `c`.",
        "`a` shows the state.",
        "For example, run `a`.",
        "The output is:\n\n```console\n$ a\n```",
        "Restart it:\n\n```sh\n# If the disk is full:\na\n```",
        "Restart it:\n\n```sh\na\n# or\nb\n```",
        "Example output:\n\n```sh\na\n```",
        "Use this:\n\n```\nkey = 3\n```",
        "Run the following query:\n\n```\nsum(rate(x))\n```",
        "Add these lines to `a.sh`:\n\n```sh\nb\n```",
        "Edit the file:\n\n```yaml\na: b\n```",
        "Edit the file:\n\n    a\n",
        "Method 2: run `a`.",
        "E17: run `a`.",
        "- E17: run `a`.\n- E18: run `b`.",
        "### If the lamp is red\n\nRun `a`.",
        "| Run | `a` |\n|---|---|\n| Run | `b` |",
        f"{'Very ' * 150}often, run `a`.",
        "Run `a` only after you took a backup.",
        "Run `a` on the database server.",
        "Run `a`, except on production.",
        "Run `a` (except on production).",
        "Run `a` - on Debian.",
        "Run `a`: it is dangerous on Mondays.",
        "Run `a` for replicas only.",
        "Run `a` as root.",
        "Run `a` with root privileges.",
        "Run `a` in an elevated prompt.",
        "Run `a` from the bastion host.",
        "Run `a` during the maintenance window.",
        "Run `a` over the weekend.",
        "Run `a` tomorrow.",
        "Run `a` provided that it is safe.",
        "Run `a` so long as the lamp is red.",
        "Run `a` should the lamp be red.",
        "Run `a`, with `--force`.",
        "Run `a` to free space on the standby.",
        "To see the lag on the standby, run `a`.",
        "To abort, run `a`.",
        "Before that, run `a`.",
        "Tonight, run `a`.",
        "As root, run `a`.",
        "Call support and run `a`.",
        "Use `a` at your own risk.",
        "Type `a` to abort.",
        "Call `112` for help.",
        "Enter `3`.",
        "Run `a`. Do this only if the lamp is red.",
        "Run `a`. It takes a minute. Run it on each node.",
        "Run `a`. Don\u2019t do this on production.",
        "Run `a`. Skip this on production.",
        "Run `a`.\n\n> **Caution**\n> It deletes all.",
        "Run `a`.\n\n> **Note**\n> This applies only to replicas.",
        "Note: only on the standby. Run `a`.",
        "Run `a`. It takes a minute. Alternatively, run `b`.",
        "Restart it on the standby:\n\n```sh\na\n```",
        "As root, run:\n\n```sh\na\n```",
        "Run the following command in the namespace `db`:\n\n```sh\na\n```",
        "Ask the owner to run the following command:\n\n```sh\na\n```",
        "(64-bit Windows):\n\n```sh\na\n```",
        "Agent 4.17 and above\n\n```sh\na\n```",
        "To disable it:\n\n```sh\na\n```",
        "The alert reads:\n\n```console\na\n```",
        "Restart it:\n\n```sh\n# on the standby\na\n```",
        "Run `a` to check the disk whenever it hangs.",
        "Run `a`, whenever it hangs.",
        "Run `a`, if needed, and look at the lamp.",
        "Run `a` to check the disk outside office hours.",
        "Run `a` to check the disk (outside office hours).",
        "Run `a` to check the disk\u2014outside office hours.",
        "Run `a` to check the disk overnight.",
        "Run `a` to check the disk next week.",
        "Run `a` to check the disk upon request.",
        "Run `a` to check the disk manually.",
        "Run `a` to check it yourself.",
        "Run `a` to check the disk across all hosts.",
        "Run `a` to clear the cache, assuming nobody is logged in.",
        "Run the following commands overnight:\n\n```sh\na\n```",
        "Restart it:\n\n```sh\n# whenever it hangs\na\n```",
        "Run `a`. You must be root.",
        "You must be root. Run `a`.",
        "Run `a`. Then run `b`. You must be root.",
        "Run `a`. Note: you must be root.",
        "Run `a`.\n\n> **Note**\n> It takes a minute. This requires root.",
        "Run `a`. You need root.",
        "Run `a`. Ensure that nobody is logged in.",
        "Run `a`. This must be done at night.",
        "Run `a`. It works on Linux only.",
        "Run `a`. The command is meant for replicas.",
        "Run `a`. It can only be run as root.",
        "Run `a`. Root is required.",
        "Run `a`. Outside office hours.",
        "Run `a`. Preferably at night.",
        "Run this command:\n\n```sh\na\n```\n\nYou must be root.",
        "To cancel the order, run `a`.",
        "To disable the alert, run `a`.",
        "To stop, run `a`.",
        "To delete it, run `a`.",
        "You can cancel the order. To do this, run `a`.",
        "You can cancel the order. For that, run `a`.",
        "You can cancel the order. To do this, run:\n\n```sh\na\n```",
        "For an overview of the standby only, run `a`.",
        "Run `a` in a terminal of the bastion host.",
        "Run `a` in order to abort.",
        "Run the following commands in any order:\n\n```sh\na\n```",
        "Run `a`.\n\n**Danger:** it deletes all.",
        "Run `a`.\n\nDanger! It deletes all.",
        "Run `a`.\n\n⚠️ **Warning:** it is loud.",
        "Run `a`.\n\n## Warning\n\nIt is loud.",
        "Run `a`.\n\n**Only on the standby**",
        'Run `a`.\n\n<div class="warning">It is loud.</div>',
        "Run `a`.\n\n<p>Only on the standby.</p>",
        "Run `a`. You will lose all data.",
        "Run `a`. This cannot be undone.",
        "Run `a`. Not on production.",
        "Run `a`. The owner has to approve this.",
        "Run `a`. (Take a backup first.)",
        "Run `a`. Tell the team beforehand.",
        "~~Run `a`.~~",
        "~Run `a`.~",
        "<del>Run `a`.</del>",
        "\u274c Run `a`.",
        "Run `a`. \u274c",
        "\U0001f6ab Run `a`.",
        ":no_entry: Run `a`.",
        "Never ever do the following. Run `a`.",
        "Do not do the following. Run `a`.",
        "Anti-pattern. Run `a`.",
        "## Do not do this\n\nRun `a`.",
        "## Restart it (optional)\n\nRun `a`.",
        "<details>\n<summary>Only on the standby</summary>\n\nRun `a`.\n\n</details>",
        "**Windows**\n\nRun `a`.",
        "## Windows\n\nRun `a`.",
        "Run `a` / `b`.",
        "Run `a` | `b`.",
        "Run `a` (`b`).",
        "Run:\n\n```sh\n# standby\na\n# primary\nb\n```",
        "Run:\n\n```sh\n# List all. This cannot be undone.\na\n```",
        "Press Reset.",
        "",
        "Run X\ue0000\ue000 now.",
        "!!! tip\n        Example:\n        ```\n        A=1 a\n        ```\n\nRun `b`.",
    ],
)
def test_what_depends_on_something_is_left_to_the_person(text: str) -> None:
    assert orders(text)[:2] == ((), False)


HARMS = [
    *(f"It {how} be undone." for how in ("cannot", "can not", "can't")),
    *(f"It cannot be {done}." for done in ("reverted", "reversed", "restored", "recovered", "rolled back")),
    *(f"It is {what}." for what in ("irreversible", "destructive", "dangerous", "an anti-pattern")),
    *(f"It {does} the rows." for does in ("deletes", "erases", "wipes", "destroys", "overwrites", "loses")),
    *(f"It {may} delete the rows." for may in ("will", "would", "may", "might", "could")),
    *(f"It will {do} the rows." for do in ("erase", "wipe", "destroy", "overwrite", "lose", "break")),
    *("It means data loss.", "We lose data.", "It loses all data.", "The risk is losing data."),
    *(f"The data {goes} lost." for goes in ("is", "will be", "gets")),
    *(f"The team {does} a full backup." for does in ("can take", "can make", "can create", "can have")),
    *("They take a snapshot.", "It is done after approval."),
    *(f"The team {must} agree." for must in ("has to", "needs to", "must", "should")),
    *(f"Both teams {must} first agree." for must in ("have to", "need to")),
    *(f"The team must {do} it." for do in ("approve", "authorize", "sign off")),
    *(f"It must be {done}." for done in ("approved", "authorised", "signed off")),
]


@pytest.mark.parametrize("said", HARMS)
def test_what_does_harm_is_left_to_the_person(said: str) -> None:
    assert orders(f"Run `a`. {said}").commands == ()
    assert orders("Run `a`. It lists the rows. The team is told of it. The data is kept.").commands == ("a",)


LIMITS = [
    *("not now", "never", "no more", "rather than that", "instead of that", "optionally", "or wait"),
    *("whichever you like", "depending on the lamp", "until it is green", "while it is red", "each day", "every day"),
    *("repeatedly", "twice", "three times", "only there", "except there", "excluding that", "provided it is red"),
    *("assuming it is red", "whenever it is red", "during the night", "before that", "after a restart"),
    *("where it is red", "on the standby", "later", "elevated", "as long as it is red", "so long as it is red"),
    *("as root", "as administrator", "as an administrator", "sparingly", "at your risk", "with care", "with caution"),
    *("today", "tonight", "tomorrow", "at night", "daily", "weekly", "Mondays", "tuesday", "Wednesdays", "Thursdays"),
    *("Fridays", "saturday", "Sundays", "for example", "as a sample", "and see similar lines"),
]


@pytest.mark.parametrize("limit", LIMITS)
def test_what_says_when_or_where_leaves_it_to_the_person(limit: str) -> None:
    assert orders(f"Run `a` {limit}.").commands == ()
    assert orders(f"Run `a` to see the disks {limit}.").commands == ()
    assert orders("Run `a` to see the disks.").commands == ("a",)


SPOKEN_AGAINST = [
    *("Warnings", "Caution!", "Danger", "Important: the disk", "Attention"),
    *("Do not do this", "Don't do this", "Never do this", "Avoid this", "Optional steps"),
    *("What not to do", "How not to do it", "When not to do it", "Examples", "Samples", "Example: the disk"),
    *("Example of the disk", "Sample for the disk", "Example output", "Sample usage", "Example use"),
    *(f"Only {where} the standby" for where in ("on", "for", "in", "if", "when", "after", "as", "at", "to", "during")),
    *("Only with care", "Only from there"),
    *("Anti-patterns", "The disk (deprecated)", "The disk: obsolete", "The disk - outdated", "The disk [optional]"),
]


@pytest.mark.parametrize("heading", SPOKEN_AGAINST)
def test_a_heading_may_speak_against_all_below_it(heading: str) -> None:
    assert orders("Run `a` and look at it.", headings=[heading]).commands == ()
    assert orders("Run `a` and look at it.", headings=["The disk"]).commands == ("a",)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Run `a` (read-only).", "Run `a` (read-only)."),
        ("Get the logs of the pump: `a`", "Get the logs of the pump: `a`"),
        ("See which pumps run with `a`.", "See which pumps run with `a`."),
        ("Close the valve. Run `a`.", "Close the valve."),
        ("Run `a`.\n\nDo this only\nif the lamp is red.", "Do this only if the lamp is red."),
        ("Run `a`.\n\n<p>Only on the standby.</p>", "Only on the standby."),
        ("Restart it on the standby:\n\n```sh\na\n```", "Restart it on the standby:"),
        ("Run `a`. Then close the valve.", "Then close the valve."),
        (f"Run `a` on {'the pump, and on ' * 14}it.", f"Run `a` on {'the pump, and on ' * 11}th ..."),
        ("Run `a`.", ""),
        ("If it is red, run `a`.", ""),
        ("The pod fails with `CrashLoopBackOff`.", ""),
        ("Look at `/var` and close the valve.", ""),
    ],
)
def test_the_words_are_told_because_of_which_code_is_left(text: str, reason: str) -> None:
    assert orders(text).reason == (reason and f'it says "{reason}"')


def test_a_heading_is_told_because_of_which_code_is_left() -> None:
    assert orders("Run `a` and look at it.", headings=["Pump", "Example"]).reason == 'it says "Example"'
    assert orders("Look at the lamp.", headings=["Pump", "Example"]).reason == ""
    assert (
        orders("Run `a`.", headings=["Die Pumpe im Keller neu starten"]).reason == "its words are not English for sure"
    )


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("Run `a`.", True),
        ("Run `a`. If it is red, close the valve.", True),
        ("Run `a`. Check the lamp.", True),
        ("Run `a`. Then close the valve.", False),
        ("Run `a` and press Reset.", False),
        ("Run `a`. Then edit the file:\n\n```yaml\nb\n```", False),
        ("Run `a`. Alternatively, run `b`.", False),
        ("Run `a`. Then do this:", False),
    ],
)
def test_whether_something_is_left_for_a_person_is_told(text: str, complete: bool) -> None:
    assert orders(text).complete is complete


def test_a_line_of_a_block_is_one_command_whatever_stands_in_it() -> None:
    for inner in ("\u2028", "\x0c", "\x1c", "\x85", "\u00a0"):
        assert orders(f"```sh\na{inner}b\n```\n").commands == (f"a{inner}b",)


@pytest.mark.parametrize(
    ("code", "commands"),
    [
        ("a\\\n  b", ["a  b"]),
        ("a \\\n--b", ["a --b"]),
        ('a "b \\\nc"', ['a "b c"']),
        ("a 'b\\\nc'", ["a 'b\\", "c'"]),
        ("a \\\\\nb", ["a \\\\", "b"]),
        ("# list \\\nb", ["b"]),
        ("a \\\n> b", ["a > b"]),
        ("$ a \\\n> b\n$ c", ["a b", "c"]),
    ],
)
def test_lines_are_joined_as_a_shell_joins_them(code: str, commands: list[str]) -> None:
    assert list(orders(f"Run:\n\n```sh\n{code}\n```").commands) == commands


def test_a_backslash_joins_nothing_where_it_only_parts_folders() -> None:
    assert orders("Run:\n\n```bat\ncd C:\\\ndir\n```").commands == ("cd C:\\", "dir")


@pytest.mark.parametrize(
    ("heading", "is_run"),
    [
        ("Restart the pump", True),
        ("The pump does not start", True),
        ("Only one lamp is on", True),
        ("Remove outdated images", True),
        ("Warning lamps", True),
        ("Do not do this", False),
        ("Warning", False),
        ("3. Caution: hot", False),
        ("Example output", False),
        ("The old way (deprecated)", False),
        ("Only on the standby", False),
        ("\U0001f6ab Restart the pump", False),
    ],
)
def test_headings_above_may_speak_against_it(heading: str, is_run: bool) -> None:
    assert bool(orders("Run `a`.", headings=["Pump", heading]).commands) is is_run


@pytest.mark.parametrize(
    ("headings", "text"),
    [
        (("Pumpe", "Niemals im Betrieb ausführen"), "```bash\npump reset\n```"),
        (("Pump", "Niemals im laufenden Betrieb ausführen"), "Run this:\n\n```bash\npump reset\n```"),
        (("Pumpe",), "```bash\npump reset\n```\n\n**Warnung:** Löscht alle Werte. Nur mit Freigabe!"),
        (("水泵",), "```bash\npump reset\n```\n\n警告\uff1a此命令会删除所有数据。"),
        (("Pumpe",), "```bash\npump reset\n```\n\n> Nie ohne Freigabe."),
        (("Pumpe",), "```bash\npump reset\n```\n\n<div>Nie ohne Freigabe.</div>"),
        (("Pumpe",), "Reset niemals ohne Freigabe:\n\n```bash\npump reset\n```"),
        (("Bomba",), "Use `pump reset`. Solo con aprobación."),
        (("Pump",), "Run `pump reset`. Nur mit Freigabe."),
        (("Pump",), "Run this:\n\n```bash\n# Reset nur nachts\npump reset\n```"),
        (("Pump",), "Run this:\n\n```bash\npump reset\n```\n\nSeulement avec un accord."),
    ],
)
def test_what_stands_beside_words_that_are_not_english_is_left_to_the_person(
    headings: tuple[str, ...], text: str
) -> None:
    assert orders(text, headings=headings)[:2] == ((), False)


@pytest.mark.parametrize(
    ("headings", "text"),
    [
        (("Pump", "Reset the pump"), "```bash\npump reset\n```"),
        (("Pump", "Water level alert"), "Run `pump reset`."),
        (("Pump stands still after a power cut",), "1. Check pump status:\n\n   ```bash\n   pump reset\n   ```"),
    ],
)
def test_headings_may_be_short_where_the_rest_is_english(headings: tuple[str, ...], text: str) -> None:
    assert orders(text, headings=headings).commands == ("pump reset",)


def test_nothing_after_a_line_that_says_where_an_outcome_leads() -> None:
    text = "Run `a`.\n\nThe lamp is red.\nRun `b`.\n\nRun `c`."
    assert orders(text).commands == ("a", "b", "c")
    assert orders(text, branches=[3]).commands == ("a",)
    assert orders("Run `a`.\nIf it is red, run `b`.", branches=[1, 2]).commands == ("a",)


@pytest.mark.parametrize(
    ("text", "branches"),
    [
        ("Run `a`. If it is red, call.", True),
        ("Run `a`.\n\n- p99 > 2 s: close the alert.", True),
        ("Run `a`. Is it red?", True),
        ("Run `a`.", False),
        ("Run `a`. Press Reset.", False),
        ("Run `a`.\n\n## If it is red\n\nCall.", False),
    ],
)
def test_words_on_what_follows_are_told_from_what_is_to_be_done(text: str, branches: bool) -> None:
    assert orders(text).branches is branches


def test_a_condition_that_led_here_is_none_any_more() -> None:
    text = "If `lamp` shows E17, run `a`. If it is dark, run `b`."
    assert orders(text, condition="`lamp` shows E17").commands == ()
    assert orders(text, condition="lamp shows E17").commands == ("a",)
    assert orders(text, condition="it is dark").commands == ()


TOLD = st.sampled_from(
    [
        *("Run `a b`. ", "Run `a b` and ``c`d``.\n", "Run `x`, ", "- Run `k`.\n", "1. Run `e\nf`.\n\n"),
        *("Run this:\n\n```sh\ni j\n```\n\n", "Run:\n\n    g h\n\n"),
    ]
)
PIECES = st.sampled_from(
    [
        *("Run ", "with ", "Check it ", "if ", "or ", "not ", " and ", ", ", ". ", ": ", "> ", "- ", "1. ", "|", "# "),
        *("`a b`", "``c`d``", "`e\nf`", "    g h\n", "```sh\ni j\n```\n", "~~~\n$ k\n", "X\ue0001\ue000"),
        *("\n", "\n\n", "\r", "\t"),
    ]
)


@given(st.lists(TOLD, max_size=3).map("".join), st.lists(TOLD | PIECES, max_size=6).map("".join) | st.text(max_size=60))
def test_whatever_a_step_says_only_code_of_it_is_run(told: str, more: str) -> None:
    text = told + more
    commands = orders(text).commands
    assume(commands)
    written = " ".join(code.text for code in codes(Source(text.replace("\ue000", "\ufffd"))))
    assert all(command in written for command in commands)
