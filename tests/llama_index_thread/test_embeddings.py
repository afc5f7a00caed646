import json
import pickle
import time

from llama_index.core.schema import TextNode

from llama_index_thread import DefaultEmbedding, embeddings
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
