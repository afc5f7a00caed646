"""Chunks of propositions: a model says each paragraph in sentences that stand alone, and likely neighbours are merged.

No framework brings what makes them but as a pack that holds other packages at versions of long ago. So the splitter and
the merging are LlamaIndex's, and the prompt is ours.
"""

from __future__ import annotations

from itertools import groupby

from llama_index.core import Document
from llama_index.core.node_parser import SemanticSplitterNodeParser
from pydantic import Field

from thread_core.llm.asking import Ask, Role, ask_for
from thread_core.llm.prompting import prompt, quoted
from thread_core.plan import Plan
from thread_core.ports import Form
from thread_core.text.words import count_tokens
from thread_eval.systems import Setup
from thread_eval.systems.chunks import Chunks
from thread_eval.systems.chunks_llama_index import OnLlamaIndex, nodes_of, over, sentence_splitter


class _Propositions(Form):
    propositions: tuple[str, ...] = Field(min_length=1)


def propositions(setup: Setup) -> Chunks:
    """One call for each chunk of `sentence_splitter`; SemanticSplitterNodeParser merges what is said of one thing.

    Raises:
        BadReply, BudgetSpent, ModelError: the model did not say them.
        ValueError: the setup has no model.
    """
    if setup.models is None:
        raise ValueError("a model writes propositions; set `models` in the setup")
    nodes = nodes_of(setup, sentence_splitter())
    said = [(node.ref_doc_id or "", setup.models.run(stated(node.get_content()))) for node in nodes]
    documents = [
        Document(text="\n".join(line for _, lines in own for line in lines), id_=name)
        for name, own in groupby(said, key=lambda pair: pair[0])
    ]
    merging = SemanticSplitterNodeParser.from_defaults(
        embed_model=OnLlamaIndex(setup.embedder), sentence_splitter=lambda text: text.splitlines(keepends=True)
    )
    return over("propositions", setup, merging.get_nodes_from_documents(documents))


def stated(text: str) -> Plan[tuple[str, ...]]:
    """What a text says, in sentences that stand alone, each in one line.

    Raises:
        BadReply, BudgetSpent, ModelError: there is no usable reply.
    """
    messages = prompt("propositions", "thread_eval").messages({"text": quoted(text)})
    ask = Ask(Role.EXTRACTOR, messages, expected=2 * count_tokens(text))
    reply = yield from ask_for(ask, _Propositions, keep=True)
    return tuple(" ".join(one.split()) for one in reply.propositions)
