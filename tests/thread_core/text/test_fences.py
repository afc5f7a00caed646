"""Which lines stand in a code block."""

import pytest

from thread_core.text.fences import Fence

INSIDE = [
    ("```sh|ls|```|go on", "1110"),
    ("````md|```sh|ls|```|````|go on", "111110"),
    ("```|~~~|```|go on", "1110"),
    ("~~~~|~~~|~~~~~|go on", "1110"),
    ("```|``` sh|```|go on", "1110"),
    ("- ```|  ls|  ```|go on", "1110"),
    ("1. ~~~|   ls|   ~~~|go on", "1110"),
    ("> ```|> ls|> ```|go on", "1110"),
    ("> ```|> ls|go on", "110"),
    ("> - ```|>   ls|>   ```|go on", "1110"),
    ("```|- ```|ls|```|go on", "11110"),
    ("```|> ```|> ls|> ```|```|go on", "111110"),
    ("```|> ```|> ls|> ```|```|go on", "111110"),
    ("```ls``` is code|go on", "00"),
    ("```|never closed|", "111"),
    ("``|go on", "00"),
]


@pytest.mark.parametrize(("text", "inside"), INSIDE, ids=[text for text, _ in INSIDE])
def test_lines_from_a_fence_to_the_one_that_closes_it_are_code(text: str, inside: str) -> None:
    fence = Fence()
    assert "".join(str(int(fence.reads(line))) for line in text.split("|")) == inside
