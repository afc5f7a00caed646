"""How each sort of data set is measured, a kind a file.

What a system gave is JSON, so that it can be kept and scored again; only a judge is asked then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from thread_eval.kinds.answers import Answers, how_to_cases, inscoqa_cases
from thread_eval.kinds.kind import Case, Kind, told_apart
from thread_eval.kinds.retrievals import Retrievals, two_wiki_cases
from thread_eval.kinds.walks import Walks, flow_cases
from thread_eval.kinds.web import WebConversations, WebTasks, web_cases

_FORMS: Mapping[str, tuple[Kind, Callable[[Any], Sequence[Case]]]] = {
    "how-to": (Answers(), how_to_cases),
    "inscoqa": (Answers(), inscoqa_cases),
    "2wiki": (Retrievals(), two_wiki_cases),
    "flows": (Walks(), flow_cases),
    "mind2web": (WebTasks(), web_cases),
    "mt-mind2web": (WebConversations(), web_cases),
}


def cases_of(dataset: str, records: Sequence[Any]) -> tuple[Kind, list[Case]]:
    """How a data set is measured, and its cases; gold has its documents elsewhere, see `walks.task_cases`.

    Raises:
        ValueError: it brings no documents.
    """
    if dataset not in _FORMS:
        raise ValueError(f"found {dataset!r}, expected one of {', '.join(_FORMS)}")
    kind, cases = _FORMS[dataset]
    return kind, told_apart(cases(records))
