"""What a person says of the end: the problem is gone, or only the step at hand has worked."""

from __future__ import annotations

import pytest

from tests.thread_core.walking.test_moving import walk
from thread_core.walking.states import Status

KETTLE = """\
# The kettle does not heat

## The kettle does not heat

Press Reset. If it still stays cold afterwards, the element is dead: replace it.

Look at the plug:

| Plug | What to do |
|---|---|
| brown | Press it in until the lid starts to click, [works with old sockets](#sockets). |
| white | [Check the socket](#sockets). |

## Sockets

It works when the lamp of the tester is on.
"""
COLD = "the kettle does not heat"


@pytest.mark.parametrize("said", ["it heats!", "that worked", "heats fine again", "it heats now"])
def test_an_end_is_not_taken_for_a_case_that_it_does_not_name(said: str) -> None:
    assert walk(KETTLE, COLD, said).status is Status.RESOLVED
