"""A user's own prompts, as LangChain's templates."""

from typing import Any

import pytest
from langchain_core.prompts import ChatPromptTemplate, PromptTemplate

from langchain_thread.prompts import default_prompts, to_prompts
from thread_core.ports import Message

FIELDS = {"facts": "", "history": "", "open": "", "question": "Disk full?", "units": "[1] Free {space}."}


@pytest.mark.parametrize(
    ("template", "messages"),
    [
        (PromptTemplate.from_template("{units} {question}"), [Message("user", "[1] Free {space}. Disk full?")]),
        (
            ChatPromptTemplate.from_messages([("system", "Be short."), ("human", "{question}")]),
            [Message("system", "Be short."), Message("user", "Disk full?")],
        ),
    ],
    ids=["plain", "chat"],
)
def test_a_template_of_either_kind_is_filled_in(template: Any, messages: list[Message]) -> None:
    assert list(to_prompts({"answer": template})["answer"].messages(FIELDS)) == messages


def test_the_packages_own_may_be_given_back() -> None:
    assert to_prompts(default_prompts()).keys() == default_prompts().keys()


@pytest.mark.parametrize("given", ["Be short.", [("system", "Be short.")], None])
def test_what_is_no_template_is_refused_with_what_to_do(given: Any) -> None:
    with pytest.raises(
        TypeError, match=rf"found a {type(given).__name__} as the prompt answer, expected a template; make one"
    ):
        to_prompts({"answer": given})
