"""Whether words say that the problem is gone or remains."""

from __future__ import annotations

import pytest

from thread_core.walking import endings

ABOUT = "the internet light is red, no wifi"


@pytest.mark.parametrize(
    "text",
    [
        "solved",
        "Solved, thanks",
        "problem solved",
        "all solved, no errors any more",
        "the issue is fixed now",
        "it's gone",
        "it\N{RIGHT SINGLE QUOTATION MARK}s gone",
        "that fixed it",
        "It works again",
        "solved after a restart",
        "It works now, thanks! What was it?",
    ],
)
def test_the_problem_is_gone(text: str) -> None:
    assert endings.came_of(text) == 1


@pytest.mark.parametrize(
    "text",
    [
        "it doesn\N{RIGHT SINGLE QUOTATION MARK}t work now",
        "I want this solved today",
        "Nothing is solved",
        "nobody has solved it",
        "is it solved?",
        "resolved to the wrong address",
        "it resolved to 10.0.0.1",
        "The fixed IP is wrong",
        "It works now, doesn't it?",
        "The alert was cleared by somebody and fired again",
        "it is fixed but crashes again",
        "all fine again apart from one printer",
        "it works now, other than the sound",
        "it is fixed. Now another one says that it is lost",
        "it's gone for an hour or so",
        "it\N{RIGHT SINGLE QUOTATION MARK}s gone for an hour or so",
    ],
)
def test_the_problem_is_not_said_to_be_gone(text: str) -> None:
    assert endings.came_of(text) < 1


@pytest.mark.parametrize(
    "text",
    [
        *("works", "it works", "its working", "works great now", "yep works now thx!!", "rebooted and works now"),
        *("sorted", "thats fixed", "did the trick", "worked like a charm", "nvm it works", "all good now, thank you!"),
        *("internet is back", "the wifi works again", "back online", "up and running", "ok im in, thanks!!", "got in"),
        *("the red light is gone", "no more errors", "the blinking stopped", "its gone now"),
    ],
)
def test_what_is_wanted_works_or_what_is_bad_is_gone(text: str) -> None:
    assert endings.came_of(text, ABOUT) == 1


@pytest.mark.parametrize(
    "text",
    [
        *(
            "my internet is gone so i cant open that page",
            "the wifi has disappeared",
            "all my files are gone",
            "i lost it",
        ),
        *("its gone now, the icon i mean", "everything is gone now", "it's gone blue", "it's gone from the list"),
        *("the other router works fine", "my phone works fine", "power cable works fine", "the update is working"),
        *("the unit is listed as active and running", "it is running", "i'm in the menu", "works on my phone"),
        *("hope it works", "it would be great if it worked", "used to work", "is it fixed", "when it works i stop"),
        *("it almost worked", "that fixed nothing", "i cleared the cookies", "all good except the tv", "perfect storm"),
        *("good", "all good", "its back"),
    ],
)
def test_what_is_wanted_is_gone_or_something_else_works(text: str) -> None:
    assert endings.came_of(text, ABOUT) == 0


def test_who_misses_something_is_not_told_that_it_is_gone() -> None:
    assert endings.came_of("its gone", "my network has disappeared") == 0


def test_of_a_condition_whatever_works_is_meant() -> None:
    assert [endings.came_of("the pump works", about) for about in (None, ABOUT, "the pump hums")] == [1, 0, 1]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "nothing happened",
            "did nothing",
            "start over did nothing",
            "flight mode did nothing",
            "no diff",
            "no dice",
            "no joy",
            "not rly",
            "worse",
        ),
        *("failed again", "it broke again", "its back again", "the error is back", "doesnt work", "didnt help"),
        *("tried that already", "already tried that twice", "it worked yesterday", "it worked before", "same thing"),
        *("it worked and then stopped", "it's gone for an hour"),
    ],
)
def test_what_was_tried_has_not_helped(text: str) -> None:
    assert endings.came_of(text, ABOUT) == -1


@pytest.mark.parametrize(
    "text", ["failed attempt counter is 0", "i did nothing", "we did nothing", "the screen says failed"]
)
def test_it_is_not_said_whether_it_has_helped(text: str) -> None:
    assert endings.came_of(text, ABOUT) == 0


@pytest.mark.parametrize(
    ("text", "nothing"), [("same", True), ("no luck", True), ("still slow", False), ("red", False)]
)
def test_a_verdict_alone_names_nothing(text: str, nothing: bool) -> None:
    assert endings.is_nothing_new(text) is nothing


@pytest.mark.parametrize(
    ("text", "all_of_it"),
    [
        ("I'm out of ideas", True),
        ("nothing left to try", True),
        ("ive tried everything", True),
        ("I have done everything here and it is still dead", True),
        ("done all the steps and no change", True),
        ("We tuned all of that and the gap just keeps getting bigger.", True),
        ("I restarted everything several times by now and it still sits there", True),
        ("I went through every single thing there, the fuse included, and it is still dark", True),
        ("I unplugged all of them and the lamp is red", False),
        ("I turned all of them off and it still blinks", False),
        ("I have done everything", False),
        ("I tried everything and now it works", False),
        ("I tried everything in section 2 and the lamp is red", False),
        ("nothing left in the tray", False),
    ],
)
def test_nothing_is_left_to_try(text: str, all_of_it: bool) -> None:
    assert endings.has_tried_all(text) is all_of_it


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("it turns on now", "my tablet wont turn on"),
        ("tablet turned on", "my tablet wont turn on"),
        ("charging now, ty", "earbuds dont charge"),
        ("sent!", "an invoice could not be sent"),
        ("it opens", "the lock does not open the door"),
        ("went through :)", "payment declined"),
        ("it runs!", "backup hangs"),
        ("ok did it, backup runs now", "backup fails"),
    ],
)
def test_what_was_missed_is_there(text: str, about: str) -> None:
    assert endings.came_of(text, about) == 1


@pytest.mark.parametrize(
    ("text", "about"),
    [
        *((text, "my tablet wont turn on") for text in ("i turned it on", "turned on", "it turns on the light")),
        *((text, "my tablet wont turn on") for text in ("it turned on and off again", "when it turns on i look")),
        *((text, "earbuds dont charge") for text in ("the case charges", "charging now?", "only the left one charges")),
        *(
            (text, "earbuds dont charge, red light")
            for text in ("it charges but slowly", "light!", "charged for an hour")
        ),
        *(
            (text, "an invoice could not be sent")
            for text in ("sent again", "i sent it again now", "it was never sent")
        ),
        *((text, "backup hangs") for text in ("it runs", "the test runs now", "i went through the steps")),
    ],
)
def test_what_was_missed_is_not_said_to_be_there(text: str, about: str) -> None:
    assert endings.came_of(text, about) < 1


@pytest.mark.parametrize(
    ("text", "about"),
    [
        *((text, "coffee tastes sour") for text in ("no longer sour", "not sour any more, thanks")),
        *((text, "the tap drips") for text in ("it doesn't drip any more", "isn't dripping any longer")),
        *((text, "what does E11 mean. Error codes") for text in ("the code is gone", "E11 disappeared")),
        *((text, "I forgot the passcode") for text in ("i'm back in", "got in")),
        ("started on the first pull", "mower doesnt start"),
    ],
)
def test_what_is_complained_of_is_so_no_more(text: str, about: str) -> None:
    assert endings.came_of(text, about) == 1


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("it no longer starts", "the mower starts and dies"),
        ("not working any more", "the lamp is not working"),
        ("it is not sour any more but still bitter", "coffee tastes sour"),
        ("why is it no longer red?", "red light"),
        ("the light is gone", "the power light is missing"),
        ("the connection is gone", "the vpn connection"),
        ("the battery is back in", "I forgot the passcode"),
    ],
)
def test_what_is_so_no_more_was_no_trouble(text: str, about: str) -> None:
    assert endings.came_of(text, about) < 1


@pytest.mark.parametrize(
    ("text", "about", "end"),
    [
        ("no more squealing", "my brake is squealing", 1),
        ("no more squealing after that", "my brake is squealing", 1),
        ("it runs without any more squealing", "my brake is squealing", 1),
        ("i want no more squealing", "my brake is squealing", 0),
        ("no more heat", "it gives no heat", 0),
        ("no more ideas", "my brake is squealing", 0),
        ("i can print now", "i cannot print", 1),
        ("i can print again", "i cannot print", 1),
        ("can i print now?", "i cannot print", 0),
        ("i can scan now", "i cannot print", 0),
    ],
)
def test_what_is_no_more_or_can_be_done_now_ends_it_where_the_walk_is_about_that(
    text: str, about: str, end: int
) -> None:
    assert endings.came_of(text, about) == end
