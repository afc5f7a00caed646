"""LangChain: swap the splitter, keep the pipeline; then let the retriever follow the links.

No key, no model, no download. Lines that begin with `# ->` are what the line above prints; the tests compare them.
"""

from _documents import read
from langchain_chroma import Chroma
from langchain_core.documents import Document

from langchain_thread import (
    DefaultEmbeddings,
    HeaderEmbeddings,
    LogicUnitTextSplitter,
    ThreadRetriever,
    create_howto_chain,
)

documents = [Document(text, metadata={"source": path}) for path, text in read()]

# Before: RecursiveCharacterTextSplitter(chunk_size=1000).split_documents(documents)
units = LogicUnitTextSplitter().split_documents(documents)

store = Chroma.from_documents(
    units,
    HeaderEmbeddings(DefaultEmbeddings()),  # yours goes in the place of DefaultEmbeddings()
    collection_name="langchain-quickstart",
    collection_configuration={"hnsw": {"space": "cosine"}},
)

# An existing chain sees whole logic units without another change.
found = store.as_retriever(search_kwargs={"k": 1}).invoke("remove the images that no instance uses")
print(found[0].page_content.splitlines()[0])
# -> Logic unit: Node disk pressure: Mitigation: Unused images: Remove the images that no instance uses, then go to 3

# Our retriever enters the right guide at its first step and follows its links in reading order.
retriever = ThreadRetriever(vectorstore=store)
for unit in retriever.invoke("Service A cannot reach Service B")[:3]:
    print(unit.metadata["lu_header"])
# -> Service A cannot connect to Service B: Write the route again: Write the route from Service A to Service B again

# A whole plan, each step with its citation, streamed.
chain = create_howto_chain(retriever)
for piece in chain.stream({"question": "How do I collect diagnostics for a service?", "chat_history": []}):
    for step in piece.get("steps", [])[:1]:
        print(f"{step['header']} (from line {step['citation']['start']})")
# -> Collect diagnostics: Steps: Log in to the jump host (from line 13)
