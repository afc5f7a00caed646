"""Small guides, and a library over them whose model says what it is told to."""

from __future__ import annotations

from thread_core import Document, LogicUnit, RuleExtractor, default_embedding
from thread_core.llm.access import ModelAccess
from thread_core.llm.asking import Role
from thread_core.ports import LLM
from thread_core.store.library import Library
from thread_core.testing.store import MemoryStore

PUMP = """\
# Pump stands still

**Prerequisites**

- The tank is drained.

## Check

Read the display with `pumpctl status --all`. If it shows E17, go to [Rotor](#rotor).
If it stays dark, call the electrician.

## Rotor

Free the rotor with `pumpctl free 3`. If it turns again, the issue is resolved.
"""
FILTER = """\
# Filter is clogged

## Version 4 and later

Rinse it with `filterctl rinse --cycles 5`.

## Before version 4

Take the filter out and brush it.
"""
SERVICE = """\
# Service down

## Look

Ask the service with `service ask`.

- If the answer is 200, go to [Routes](#routes).
- If the answer is 503, go to [Instances](#instances).
- If there is no answer at all, open a ticket with the network team.
- If the certificate has expired, follow [Certificate](certificate.md).

## Routes

List the routes.

## Instances

List the instances.

## Meaning

What the alert means.
"""
DRYER = """\
# Dryer trouble

## {one}

It hums, and the drum stands still.

### Reason

The belt has come off.

### Solution

Put the belt back on its wheel.

## {other}

- The laundry is wet after an hour.
- The door is cold.

### Solution

Clean the filter.
"""
STANDS_STILL = "The pump stands still, what do I do?"


def units_of(text: str = PUMP, name: str = "pump.md") -> tuple[LogicUnit, ...]:
    return RuleExtractor().extract(Document(name, text)).units


def library_of(models: ModelAccess | LLM | None, **texts: str) -> Library:
    """A library over some documents, by default the pump's and the filter's."""
    store = MemoryStore()
    for name, text in (texts or {"pump": PUMP, "filter": FILTER}).items():
        units = units_of(text, f"{name}.md")
        store.write(units, default_embedding().embed([unit.header for unit in units]))
    access = models if isinstance(models, ModelAccess | None) else ModelAccess(models, attempts=1)
    return Library(store, default_embedding(), models=access)


def only(role: Role, llm: LLM) -> ModelAccess:
    """Access to a model for one role alone."""
    return ModelAccess({role: llm}, attempts=1)
