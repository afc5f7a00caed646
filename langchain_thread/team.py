"""A walk that several agents lead as a LangGraph graph: each is a node with a model of its own.

    turn ──> selector, planner or query_generator ──> tools ──> the agent who goes on
    turn, tools, agents ──> close ──> ask ──> turn    the person is asked; the only pause
    close ──> END                                     resolved or escalated

The walk takes what it can read for sure; agents are at work where it would ask a model. The state is plain data besides
the messages of the turn that is under way.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.language_models import BaseChatModel
from langgraph.graph import END, START, StateGraph
from pydantic import BaseModel

from langchain_thread.graph import HowToOutput
from langchain_thread.retriever import ThreadRetriever, library_of
from langchain_thread.team_nodes import Nodes, TeamInput, TeamState
from thread_core.retrieval.prerequisites import Policy
from thread_core.walk.desk import TOKENS, TURNS, Agent, each
from thread_core.walk.execution import Executor
from thread_core.walk.journal import Journal
from thread_core.walk.session import hands
from thread_core.walk.team_tools import HANDOFF, Handover, tools

HowToTeam = StateGraph[TeamState, None, TeamInput, HowToOutput]


def create_howto_team(
    retriever: ThreadRetriever,
    llm: BaseChatModel,
    *,
    models: Mapping[str, BaseChatModel] | None = None,
    executor: Executor | None = None,
    journal: Journal | None = None,
    policy: Policy = Policy.ASK,
    turns: int = TURNS,
    tokens: int = TOKENS,
) -> HowToTeam:
    """Build a graph in which a selector, a planner and a query generator lead a walk. Compile it with a checkpointer.

    Invoke, answer (`answering`) and resume it like the graph of `create_howto_graph`; it returns the same. A session of
    one can be continued by the other: `{"session": ..., "answer": ...}`. The models choose guides and places by number:
    the person reads the documents' own text, except for an agent's question, which is marked as one.

    Args:
        retriever: Its library is shared.
        llm: A chat model that calls tools.
        models: Other models per agent: "selector", "planner", "query_generator".
        executor: Carries out a step if the planner asks for it. The person is asked for what needs approval.
        journal: As in `create_howto_graph`.
        policy: What to do with a step whose prerequisites are undecided.
        turns: Model replies per turn of the person, at most. After that, the step stays, and the person is told.
        tokens: Tokens of prompts and replies per turn, at most; the reply that exceeds them is the last.

    Raises:
        TypeError: the retriever is no `ThreadRetriever`.
        ValueError: there is no agent of such a name, or a bound is below 1.

    Example:
        app = create_howto_team(retriever, ChatOpenAI(model="gpt-4.1-mini")).compile(checkpointer=InMemorySaver())
        config = {"configurable": {"thread_id": "incident-17"}}
        print(app.invoke({"question": "The disk of a node is full, what do I do?"}, config)["turn"]["text"])
    """
    given = each(llm, models, turns, tokens)
    bound = {agent: model.bind_tools(_specs(agent, executor is not None)) for agent, model in given.items()}
    team = Nodes(library_of(retriever), *hands(executor, journal), bound, (turns, tokens), policy)
    builder = HowToTeam(TeamState, input_schema=TeamInput, output_schema=HowToOutput)
    ways = {"turn": [*Agent, "close"], "tools": [*Agent, "close"], "close": ["ask", END], "ask": ["turn"]}
    for name, goals in (ways | {agent: ["tools", "close"] for agent in Agent}).items():
        builder.add_node(name, team.node(team.plans[name]))
        builder.add_conditional_edges(name, lambda state: state["way"], [str(goal) for goal in goals])
    builder.add_edge(START, "turn")
    return builder


def _specs(agent: Agent, executes: bool) -> list[dict[str, Any]]:
    """An agent's tools as models are told of them."""
    own = [(name, tool.description, tool.arguments) for name, tool in tools(executes, agent).items()]
    listed: list[tuple[str, str, type[BaseModel]]] = [*own, (HANDOFF, "Hands over to another agent.", Handover)]
    functions = (
        {"name": name, "description": said, "parameters": form.model_json_schema()} for name, said, form in listed
    )
    return [{"type": "function", "function": function} for function in functions]
