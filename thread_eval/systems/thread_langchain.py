"""Thread over LangChain and Chroma."""

from __future__ import annotations

import uuid

from langchain_chroma import Chroma

import langchain_thread
from thread_core.walk.session import HowToSession
from thread_core.walk.state import SessionState
from thread_eval.system import Answer, History
from thread_eval.systems import Setup
from thread_eval.systems.chunks_langchain import OnLangChain
from thread_eval.systems.walking import COSINE, Walking, answer_of

PAGE = 5000
"""Units that Chroma takes at once."""


class ThreadOnLangChain(Walking):
    """Its retriever, its session and its chain."""

    name = "Thread, LangChain"

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup.documents)
        self.store = Chroma(
            collection_name=f"eval-{uuid.uuid4().hex}",
            embedding_function=langchain_thread.HeaderEmbeddings(OnLangChain(setup.embedder)),
            collection_configuration=COSINE,
        )
        units = [langchain_thread.unit_to_document(unit) for unit in setup.units]
        for start in range(0, len(units), PAGE):
            self.store.add_documents(units[start : start + PAGE])
        self._models = setup.models
        self._retriever = langchain_thread.ThreadRetriever(vectorstore=self.store)
        self._chain = langchain_thread.create_howto_chain(self._retriever, setup.models)

    def retrieve(self, question: str) -> list[str]:
        """The units of a question, as its generator is shown them."""
        return [document.page_content for document in self._retriever.invoke(question)]

    def session(self, state: SessionState) -> HowToSession:
        """One that stands where `state` says."""
        return langchain_thread.HowToSession.resume(state, self._retriever, self._models)

    def answer(self, question: str, history: History = ()) -> Answer:
        """The whole plan."""
        said = [(role, text) for pair in history for role, text in zip(("human", "ai"), pair, strict=True)]
        given = self._chain.invoke({"question": question, "chat_history": said})
        return answer_of(given["answer"], [document.page_content for document in given["context"]], given)
