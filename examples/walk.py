"""One guide, two outcomes, two ways on: the walk takes the branch that the outcome selects.

The same walk in LangChain and in LlamaIndex: same steps, word for word. It pauses as JSON and goes on from it.
"""

import chromadb
from _documents import read
from langchain_chroma import Chroma
from langchain_core.documents import Document as LangChainDocument
from llama_index.core import Document as LlamaIndexDocument
from llama_index.core import StorageContext, VectorStoreIndex
from llama_index.vector_stores.chroma import ChromaVectorStore

import langchain_thread
import llama_index_thread

QUESTION = "Service A cannot reach Service B, what do I do?"
COSINE = {"hnsw": {"space": "cosine"}}


def langchain_retriever() -> langchain_thread.ThreadRetriever:
    """Documents -> splitter -> Chroma -> retriever."""
    documents = [LangChainDocument(text, metadata={"source": path}) for path, text in read()]
    units = langchain_thread.LogicUnitTextSplitter().split_documents(documents)
    embeddings = langchain_thread.HeaderEmbeddings(langchain_thread.DefaultEmbeddings())
    store = Chroma.from_documents(units, embeddings, collection_name="walk-lc", collection_configuration=COSINE)
    return langchain_thread.ThreadRetriever(vectorstore=store)


def llama_index_retriever() -> llama_index_thread.ThreadRetriever:
    """Documents -> node parser -> Chroma -> retriever."""
    documents = [LlamaIndexDocument(id_=path, text=text) for path, text in read()]
    nodes = llama_index_thread.LogicUnitNodeParser().get_nodes_from_documents(documents)
    collection = chromadb.EphemeralClient().create_collection("walk-li", configuration=COSINE)
    context = StorageContext.from_defaults(vector_store=ChromaVectorStore(chroma_collection=collection))
    embedding = llama_index_thread.DefaultEmbedding()
    index = VectorStoreIndex(nodes, embed_model=embedding, storage_context=context)
    return llama_index_thread.ThreadRetriever(index=index, embed_model=embedding)


def walk(session, resume, *outcomes: str) -> list[str]:
    """Play a walk; between two turns the session is only its JSON. What it shows is printed and given back."""
    turn = session.start(QUESTION)
    shown = [turn.text]
    print(f"  {turn.text.splitlines()[0]}  [{turn.citations[0]}]")
    for outcome in outcomes:
        session = resume(session.state.model_dump_json())
        turn = session.respond(outcome)
        shown.append(turn.text)
        print(f"    you: {outcome}")
        print(f"  {turn.text.splitlines()[0]}  [{turn.citations[0]}] {turn.status}")
    return shown


def main() -> None:
    """Two branches, in both frameworks."""
    branches = (
        ("The health check answers 200", "There is no route to Service B"),
        ("I get a 503 from the health check", "One instance is Evicted"),
    )
    played = []
    for package, retriever in (
        (langchain_thread, langchain_retriever()),
        (llama_index_thread, llama_index_retriever()),
    ):
        texts = []
        for outcomes in branches:
            print(f"\n{package.__name__}: {QUESTION}")

            def resume(state: str, package=package, retriever=retriever):
                return package.HowToSession.resume(state, retriever)

            texts.append(walk(package.HowToSession(retriever), resume, *outcomes))
        played.append(texts)
    assert played[0] == played[1], "both frameworks walk alike"
    print("\nBoth frameworks showed the same steps, word for word.")


if __name__ == "__main__":
    main()
