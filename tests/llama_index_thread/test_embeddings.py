import json
import pickle
import time

import pytest
from llama_index.core import MockEmbedding, Settings
from llama_index.core.schema import TextNode

from llama_index_thread import CachedEmbedding, DefaultEmbedding, ThreadIngest, ThreadRetriever, embeddings
from llama_index_thread.embeddings import CoreEmbedder
from thread_core import default_embedding

TEXTS = ["Disk full: free space", "Restart the agent", "Disk full: free space"]


async def test_all_ways_give_the_vectors_of_the_embedded_default():
    model = DefaultEmbedding()
    expected = default_embedding().embed(TEXTS)

    assert model.get_text_embedding_batch(TEXTS) == expected
    assert await model.aget_text_embedding_batch(TEXTS) == expected
    assert [model.get_text_embedding(text) for text in TEXTS] == expected
    assert [await model.aget_text_embedding(text) for text in TEXTS] == expected
    assert [model.get_query_embedding(text) for text in TEXTS] == expected
    assert [await model.aget_query_embedding(text) for text in TEXTS] == expected
    assert [node.embedding for node in model([TextNode(text=text) for text in TEXTS])] == expected


async def test_the_event_loop_goes_on_while_texts_are_embedded(monkeypatch, ticks_during):
    class Slow:
        def embed(self, texts):
            time.sleep(0.2)
            return [[1.0] for _ in texts]

        def embed_query(self, text):
            return self.embed([text])[0]

    monkeypatch.setattr(embeddings, "default_embedding", Slow)
    model = DefaultEmbedding()

    assert await ticks_during(model.aget_text_embedding_batch(TEXTS)) > 5
    assert await ticks_during(model.aget_text_embedding("a")) > 5
    assert await ticks_during(model.aget_query_embedding("a")) > 5


def test_it_is_dumped_and_loaded():
    model = DefaultEmbedding(embed_batch_size=7)

    dumped = json.loads(model.to_json())

    assert DefaultEmbedding.from_dict(dumped).to_dict() == model.to_dict()
    assert dumped["class_name"] == "DefaultEmbedding"
    assert dumped["model_name"] == default_embedding().name
    assert pickle.loads(pickle.dumps(model)).embed_batch_size == 7


def test_the_port_asks_for_texts_and_questions_apart(embedding):
    port = CoreEmbedder(embedding)

    assert port.embed(TEXTS) == default_embedding().embed(TEXTS)
    assert port.embed([]) == []
    assert port.embed_query("why") == default_embedding().embed_query("why")
    assert (embedding.texts, embedding.queries) == (TEXTS, ["why"])


class TestAnEmbeddingWithAMemory:
    async def test_gives_the_vectors_of_the_inner_one_and_asks_it_once(self, embedding, tmp_path):
        cached = CachedEmbedding(embedding, tmp_path / "vectors.sqlite3")
        expected = default_embedding().embed(TEXTS)

        for found in (
            cached.get_text_embedding_batch(TEXTS),
            await cached.aget_text_embedding_batch(TEXTS),
            [cached.get_text_embedding(text) for text in TEXTS],
            [await cached.aget_text_embedding(text) for text in TEXTS],
            CachedEmbedding(embedding, tmp_path / "vectors.sqlite3").get_text_embedding_batch(TEXTS),
        ):
            assert found == expected
        assert sorted(embedding.texts) == sorted(set(TEXTS))

    async def test_asks_questions_of_the_inner_one(self, embedding, tmp_path):
        cached = CachedEmbedding(embedding, tmp_path / "vectors.sqlite3")
        cached.get_text_embedding("why")

        assert cached.get_query_embedding("why") == default_embedding().embed_query("why")
        assert await cached.aget_query_embedding("why") == default_embedding().embed_query("why")
        assert embedding.queries == ["why", "why"]

    def test_tells_one_model_from_another(self, tmp_path):
        mine = CachedEmbedding(DefaultEmbedding(), tmp_path / "vectors.sqlite3")
        other = CachedEmbedding(MockEmbedding(3, model_name="half"), tmp_path / "vectors.sqlite3")

        assert mine.get_text_embedding("why") != other.get_text_embedding("why") == [0.5, 0.5, 0.5]

    def test_wants_to_know_which_model_it_is(self, tmp_path):
        with pytest.raises(ValueError, match="MockEmbedding has no model name; pass model_name="):
            CachedEmbedding(MockEmbedding(3), tmp_path / "vectors.sqlite3")
        assert CachedEmbedding(MockEmbedding(3), tmp_path / "vectors.sqlite3", model_name="half").model_name == "half"

    async def test_the_event_loop_goes_on_meanwhile(self, tmp_path, ticks_during):
        class Slow(DefaultEmbedding):
            def _get_text_embeddings(self, texts):
                time.sleep(0.2)
                return super()._get_text_embeddings(texts)

        cached = CachedEmbedding(Slow(), tmp_path / "vectors.sqlite3")

        assert await ticks_during(cached.aget_text_embedding_batch(TEXTS)) > 5

    def test_is_dumped_without_the_inner_one_and_pickled_with_it(self, tmp_path):
        cached = CachedEmbedding(DefaultEmbedding(embed_batch_size=7), tmp_path / "vectors.sqlite3")

        dumped = json.loads(cached.to_json())
        loaded = CachedEmbedding.from_dict(dumped, inner=DefaultEmbedding())
        pickled = pickle.loads(pickle.dumps(cached))

        assert dumped["class_name"] == "CachedEmbedding"
        assert (dumped["model_name"], dumped["embed_batch_size"]) == (default_embedding().name, 7)
        assert "inner" not in dumped
        assert loaded.to_dict() == pickled.to_dict() == cached.to_dict()
        assert pickled.get_text_embedding("why") == loaded.get_text_embedding("why") == cached.get_text_embedding("why")


def test_an_embedding_may_be_named_as_elsewhere_in_llama_index(monkeypatch, index, embedding):
    monkeypatch.setattr(embeddings, "resolve_embed_model", {"local:mine": embedding}.__getitem__)
    by_name, itself = (ThreadRetriever(index, embed_model=given) for given in ("local:mine", embedding))

    assert by_name.retrieve("The disk is full") == itself.retrieve("The disk is full") != []


class TestTheModelOfAnIndex:
    def test_is_taken_before_that_of_the_settings(self, simple, documents, embedding, monkeypatch):
        monkeypatch.setattr(Settings, "_embed_model", MockEmbedding(3))

        ThreadIngest(simple).run(documents)
        written = len(embedding.texts)

        assert ThreadRetriever(simple).retrieve("The disk is full")
        assert written and embedding.queries == ["The disk is full"]

    @pytest.mark.parametrize("made", [ThreadIngest, ThreadRetriever])
    def test_is_not_exchanged_for_another(self, made, simple):
        for other in (MockEmbedding(256), DefaultEmbedding(model_name="larger")):
            with pytest.raises(ValueError, match=r"the index embeds with RecordingEmbedding .* leave out embed_model="):
                made(simple, embed_model=other)

    def test_may_be_given_once_more_and_remembered_in_a_file(self, simple, documents, tmp_path):
        cached = CachedEmbedding(DefaultEmbedding(), tmp_path / "vectors.sqlite3", model_name="ours")

        assert ThreadIngest(simple, embed_model=cached).run(documents).added
        assert ThreadRetriever(simple, embed_model=DefaultEmbedding()).retrieve("The disk is full")
