"""Programs, each in a process of its own that need not import what others wrote; what is ours it imports itself."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

from tests.forked import ROOT, Forks

OTHERS = (
    "chromadb.api.fastapi",
    "chromadb.api.rust",
    "chromadb.telemetry.product.posthog",
    "langchain_chroma",
    "langchain_core.prompts",
    "langchain_openai",
    "langchain_text_splitters",
    "langgraph.checkpoint.sqlite",
    "langgraph.prebuilt",
    "llama_index.core.workflow",
    "llama_index.vector_stores.chroma",
    "model2vec",
    "pyromark",
    "rich.console",
    "safetensors.numpy",
    "typer",
)
"""What the programs import, though not each of them all."""


class Programs:
    """Runs them as `python` does.

    Example:
        with Programs() as programs:
            ended = programs.run("-m", "thread_rag", "--help")
    """

    def __init__(self) -> None:
        self._forks = Forks(__name__)

    def run(
        self, *arguments: str, said: str = "", cwd: Path = ROOT, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """What became of `python` with some arguments, in this environment, when it was told something and no more."""
        return self._forks.start(str(cwd), json.dumps(os.environ | environment), *arguments).ended(said)

    def __enter__(self) -> Programs:
        return self

    def __exit__(self, *error: object) -> None:
        self._forks.__exit__(*error)


def prepare() -> None:
    """Import, and load what LlamaIndex counts tokens with."""
    for name in OTHERS:
        import_module(name)
    import_module("llama_index.core.utils").get_tokenizer()


def main(cwd: str, environment: str, what: str, *words: str) -> None:
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(json.loads(environment))
    sys.argv = [what, *words]
    match what:
        case "-c":
            code, *sys.argv[1:] = words
            sys.modules["__main__"] = ModuleType("__main__")
            exec(compile(code, "<string>", "exec"), vars(sys.modules["__main__"]))
        case "-m":
            module, *sys.argv[1:] = words
            runpy.run_module(module, run_name="__main__", alter_sys=True)
        case _:
            sys.path.insert(0, str(Path(what).parent))
            runpy.run_path(what, run_name="__main__")
