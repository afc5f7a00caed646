"""The package's prompts as LlamaIndex's templates, and a user's templates in their place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.prompts import BasePromptTemplate, ChatPromptTemplate

from llama_index_thread.convert import to_messages
from thread_core.llm import prompting
from thread_core.ports import Message

Templates = Mapping[str, BasePromptTemplate]
"""A user's own prompts by name; `default_prompts` has the names. Fields that one does not use are left out."""


def default_prompts(names: Iterable[str] = ()) -> dict[str, BasePromptTemplate]:
    """Return the package's prompts by name, all or some, to read and change."""
    return {name: _template(prompting.prompt(name)) for name in names or prompting.names()}


def to_prompts(templates: Templates | None) -> dict[str, prompting.Prompt]:
    """A user's templates as the core's prompts.

    Raises:
        ValueError: there is no prompt of such a name, or a template has a field that is not filled.
    """
    for name, template in (templates or {}).items():
        prompting.check(name, template.template_vars)
    return {name: TemplatePrompt(template) for name, template in (templates or {}).items()}


class TemplatePrompt:
    """A template as the core's `Prompt`."""

    def __init__(self, template: BasePromptTemplate) -> None:
        self._template = template

    def messages(self, fields: Mapping[str, str]) -> Sequence[Message]:
        """The conversation, with the fields that the template uses."""
        used: dict[str, Any] = {name: text for name, text in fields.items() if name in self._template.template_vars}
        return to_messages(self._template.format_messages(**used))


def _template(prompt: prompting.MarkdownPrompt) -> ChatPromptTemplate:
    """`{field}` for each field; other braces stand as they are, for LlamaIndex's templates know no doubled ones."""
    messages = prompt.messages({field: f"{{{field}}}" for field in prompt.fields})
    return ChatPromptTemplate([ChatMessage(text, role=MessageRole(role)) for role, text in messages])
