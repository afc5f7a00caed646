"""A person's line as the lists of words read it."""

from __future__ import annotations

import pytest

from thread_core.walking.spelling import plain, spelled


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("it doesnt start", "it doesn't start"),
        ("the seller hasnt replied", "the seller hasn't replied"),
        ("it does\N{ACUTE ACCENT}nt, it didn\N{ACUTE ACCENT}t", "it does\N{ACUTE ACCENT}nt, it didn't"),
        ("Dont, cant, WONT", "Don't, can't, WON'T".replace("WON'T", "Won't")),
        ("im in, thats it, whats next", "i'm in, that's it, what's next"),
        ("its not on, its blinking, its gone", "it's not on, it's blinking, it's gone"),
        ("idk tbh, pls help, ofc u rly can", "i don't know tbh, please help, of course you really can"),
        ("thank you so much", "thanks"),
        ("win 11, win11, win-10", "Windows 11, Windows 11, Windows 10"),
        ("lets start over", "let's start over"),
        ("k", "ok"),
        ("yea it is", "yes it is"),
        ("👍", "yes"),
        ("👍🏽", "yes"),
        ("👎", "no"),
        ("✅", "done"),
    ],
)
def test_what_chats_leave_out_is_written_out(line: str, read: str) -> None:
    assert spelled(line) == read


@pytest.mark.parametrize(
    "line",
    [
        "its lamp is red, we were well, ill and id",
        "we shed a wed hell of want",
        "the firewall lets it through",
        "it says 'cant start', \"dont\" and `wont`",
        "cant.conf, /etc/thx, pls-1, ur_id and dont=1",
        "IM and TY are down",
        "k is 5, K8s",
        "ye olde pump",
        "😡",
        "",
    ],
)
def test_names_code_and_other_words_stay(line: str) -> None:
    assert spelled(line) == line


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("lol it doesnt work tho 😂", "it doesn't work"),
        ("ugh, still declined :(", "still declined"),
        ("thanks, the lamp is red!", "the lamp is red!"),
        ("hahaha ok thx 👍", "ok"),
        ("thx!!", "thanks!!"),
        ("lol", "lol"),
        ("hmm", "hmm"),
        ("login ❌", "login ❌"),
        ("2 😂", "2"),
        ("HA is on, 5 ah", "HA is on, 5 ah"),
    ],
)
def test_what_says_nothing_around_is_left_out(line: str, read: str) -> None:
    assert plain(line) == read
