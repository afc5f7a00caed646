"""The plain-Python front of a walk, over a LlamaIndex retriever."""

from __future__ import annotations

from typing import Self

from llama_index_thread.matching import Matcher, to_matcher
from llama_index_thread.models import Models
from llama_index_thread.prompts import Templates, to_prompts
from llama_index_thread.retriever import ThreadRetriever, library_of
from thread_core.retrieval.prerequisites import Policy
from thread_core.walk import session
from thread_core.walk.execution import Executor
from thread_core.walk.journal import Journal
from thread_core.walk.memory import StepMemory
from thread_core.walk.state import SessionState


class HowToSession(session.HowToSession):
    """Walks a person through a guide: `start(question)`, then `respond(what happened)`; each returns a `Turn`.

    Example:
        session = HowToSession(ThreadRetriever(index))
        print(session.start("The disk of a node is full, what do I do?"))
        print(session.respond("1"))
    """

    def __init__(
        self,
        retriever: ThreadRetriever,
        llm: Models | None = None,
        executor: Executor | None = None,
        *,
        journal: Journal | None = None,
        memory: StepMemory | None = None,
        matcher: Matcher | None = None,
        policy: Policy = Policy.ASK,
        prompts: Templates | None = None,
    ) -> None:
        """Walk over a retriever's store.

        Args:
            retriever: Its library is shared.
            llm: Chooses the first step and tells what an outcome means; one for all roles, or one for each. Without
                one, and wherever one fails, that is done without a model. Steps are shown as the documents have them.
            executor: Carries out steps where it may; without one, each is the person's.
            journal: Knows which turns were answered and what was run; in memory where it is not given. Hand the same
                file to every process that may go on with a session.
            memory: Tells the models the steps that matter instead of all that was said and done.
            matcher: Orders the passages of a menu: a reranker of yours, say. Else vectors, words and place do.
            policy: What becomes of a step whose prerequisites nothing said so far decides.
            prompts: Your own in the place of the package's: `select`, `next`, `rationale`.

        Raises:
            TypeError: the retriever is no `ThreadRetriever`, or the matcher none.
            ValueError: there is no prompt of such a name.
        """
        library = library_of(retriever, llm)
        super().__init__(
            library,
            executor=executor,
            journal=journal,
            memory=memory,
            matcher=to_matcher(matcher),
            policy=policy,
            prompts=to_prompts(prompts),
        )

    @classmethod
    def resume(
        cls,
        state: SessionState | str,
        retriever: ThreadRetriever,
        llm: Models | None = None,
        executor: Executor | None = None,
        *,
        journal: Journal | None = None,
        memory: StepMemory | None = None,
        matcher: Matcher | None = None,
        prompts: Templates | None = None,
    ) -> Self:
        """Go on where a session stood: `state` is its `state`, or that as JSON, from whichever process.

        Raises:
            BadSession: it is not the state of a session, or one of another version.
        """
        session = cls(retriever, llm, executor, journal=journal, memory=memory, matcher=matcher, prompts=prompts)
        return session.resumed(state)
