"""The embedded default: static word-piece vectors that ship with the package. No download, no torch, no key."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from importlib.resources import as_file, files
from typing import Any

import numpy as np

from thread_core.models import encodable
from thread_core.ports import SHORTEST

MODEL = "static-minilm-256-int8"
SHORT = SHORTEST / 10


class StaticEmbedding:
    """Mean of token vectors, normalised to length 1; tens of thousands of short headers a second on one core."""

    def __init__(self, model: Any) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """Which weights these are."""
        return MODEL

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector of 256 floats for each text; of a text without any known word, zeros."""
        if not texts:
            return []
        vectors = np.asarray(self._model.encode([encodable(text) for text in texts]), dtype=np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return (vectors / np.where(lengths > 0, lengths, 1)).tolist()  # type: ignore[no-any-return]

    def has_word(self, word: str) -> bool:
        """Tell whether a word in lower case is one of its vocabulary, whole: "note", not "nxet"."""
        return self._model.tokenizer.token_to_id(word) is not None

    def embed_query(self, text: str) -> list[float]:
        """The same space for questions and headers.

        That of a question without any known word is too short to count here (`SHORTEST`), and points somewhere:
        frameworks divide by its length, and find little instead of NaN.
        """
        vector = self.embed([text])[0]
        return vector if any(vector) else [SHORT / math.sqrt(len(vector))] * len(vector)


@cache
def default_embedding() -> StaticEmbedding:
    """The embedding that is used when you give none. Loaded once a process, in some 0.2 seconds.

    Example:
        >>> len(default_embedding().embed(["Disk full: free space"])[0])
        256
    """
    from model2vec import StaticModel
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    # `StaticModel.from_pretrained` reads the same files with the same packages, and imports for half a second what
    # downloads others.
    with as_file(files("thread_core") / "data" / MODEL) as folder:
        vectors = load_file(folder / "model.safetensors")["embeddings"]
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        return StaticEmbedding(StaticModel(vectors, tokenizer, normalize=True))
