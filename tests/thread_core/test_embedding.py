import math

import pytest

from thread_core import default_embedding
from thread_core.ports import SHORTEST
from thread_core.store.scanning import cosines


def near(one: str, other: str) -> float:
    first, second = default_embedding().embed([one, other])
    return sum(a * b for a, b in zip(first, second, strict=True))


def test_a_text_is_256_floats_of_length_1() -> None:
    (vector,) = default_embedding().embed(["Disk full: free space"])
    assert (len(vector), {type(value) for value in vector}) == (256, {float})
    assert math.isclose(math.sqrt(sum(value * value for value in vector)), 1, rel_tol=1e-5)


def test_no_texts_have_no_vectors() -> None:
    assert default_embedding().embed([]) == []


@pytest.mark.parametrize("text", ["", " ", "\n"])
def test_a_text_without_words_is_all_zeros(text: str) -> None:
    assert set(default_embedding().embed([text])[0]) == {0.0}


@pytest.mark.parametrize("question", ["", " ", "更换灯泡"])
def test_a_question_without_words_has_a_direction_and_hardly_a_length(question: str) -> None:
    vector = default_embedding().embed_query(question)
    assert 0 < math.hypot(*vector) < SHORTEST
    assert set(cosines(vector, [vector, default_embedding().embed_query("disk full")])) == {0.0}


def test_texts_keep_their_order_whatever_stands_beside_them() -> None:
    together = default_embedding().embed(["disk full", "", "certificate expired", "disk full"])
    alone = [default_embedding().embed([text])[0] for text in ("disk full", "", "certificate expired", "disk full")]
    assert together == [pytest.approx(vector, abs=1e-6) for vector in alone]


def test_a_question_lies_in_the_space_of_the_headers() -> None:
    embedding = default_embedding()
    assert embedding.embed_query("disk full") == embedding.embed(["disk full"])[0]


def test_what_means_the_same_is_near() -> None:
    assert near("the disk is full", "no space left on the device") > near("the disk is full", "rotate a certificate")


@pytest.mark.parametrize("text", ["é 😀 中文", "x" * 100_000, "word " * 10_000, "\u2028\x00\x1f", "lone \ud800"])
def test_any_text_has_a_vector(text: str) -> None:
    (vector,) = default_embedding().embed([text])
    assert len(vector) == 256
    assert all(math.isfinite(value) for value in vector)


def test_it_is_loaded_once() -> None:
    assert default_embedding() is default_embedding()
    assert default_embedding().name == "static-minilm-256-int8"
