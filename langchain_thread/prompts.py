"""The package's prompts as LangChain's templates, and a user's templates in their place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.prompts import BasePromptTemplate, ChatPromptTemplate

from langchain_thread.convert import to_messages
from thread_core.llm import prompting
from thread_core.ports import Message

Templates = Mapping[str, BasePromptTemplate[Any]]
"""A user's own prompts by name; `default_prompts` has the names. Fields that one does not use are left out."""


def default_prompts() -> dict[str, ChatPromptTemplate]:
    """Return the package's prompts by name, to read and change.

    Example:
        mine = default_prompts()["answer"] + [("system", "Answer in Dutch.")]
        create_howto_chain(retriever, llm, prompts={"answer": mine})
    """
    return {name: _template(prompting.prompt(name)) for name in prompting.names()}


def to_prompts(templates: Templates | None) -> dict[str, prompting.Prompt]:
    """A user's templates as the core's prompts.

    Raises:
        TypeError: one of them is no template.
        ValueError: there is no prompt of such a name, or a template has a field that is not filled.
    """
    for name, template in (templates or {}).items():
        if not isinstance(template, BasePromptTemplate):
            raise TypeError(
                f"found a {type(template).__name__} as the prompt {name}, expected a template; make one with"
                " ChatPromptTemplate.from_messages([...])"
            )
        prompting.check(name, template.input_variables)
    return {name: TemplatePrompt(template) for name, template in (templates or {}).items()}


class TemplatePrompt:
    """A template as the core's `Prompt`."""

    def __init__(self, template: BasePromptTemplate[Any]) -> None:
        self._template = template

    def messages(self, fields: Mapping[str, str]) -> Sequence[Message]:
        """The conversation, with the fields that the template uses."""
        return to_messages(self._template.format_prompt(**fields).to_messages())


def _template(prompt: prompting.MarkdownPrompt) -> ChatPromptTemplate:
    system, user = prompt.braced
    return ChatPromptTemplate.from_messages([("system", system), ("human", user)])
