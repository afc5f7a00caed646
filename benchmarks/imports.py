"""What does `import langchain_thread` or `import llama_index_thread` add to the import of the framework itself?

Of the framework are the modules that the adapter needs of it, imported first; all else that the adapter loads it adds.
Seconds of CPU, the least of several processes. The target is 0.3 s added.

    python benchmarks/imports.py
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from _table import show

ROOT = Path(__file__).resolve().parents[1]
FRAMEWORKS = {
    "langchain_thread": ("chromadb", "langchain_chroma", "langchain_core", "langchain_text_splitters", "langgraph"),
    "llama_index_thread": ("chromadb", "llama_index", "workflows"),
}
PROCESSES = 5
NAMES = "import json, sys, {0}; print(json.dumps(list(sys.modules)))"
TAKES = """
import json, sys, time
from importlib import import_module
before, adapter = json.loads(sys.argv[1]), sys.argv[2]
began = time.process_time()
for name in before:
    import_module(name)
framework = time.process_time()
import_module(adapter)
print(json.dumps([framework - began, time.process_time() - framework]))
"""


def measure(adapter: str, packages: Sequence[str]) -> tuple[float, float]:
    """Seconds of CPU that the framework's modules take, and that the adapter adds."""
    loaded = _printed("-c", NAMES.format(adapter))  # which also compiles what is not compiled yet
    framework = json.dumps([name for name in loaded if name.partition(".")[0] in packages])
    taken = [_printed("-c", TAKES, framework, adapter) for _ in range(PROCESSES)]
    return min(one[0] for one in taken), min(one[1] for one in taken)


def main() -> None:
    rows = []
    for adapter, packages in FRAMEWORKS.items():
        framework, added = measure(adapter, packages)
        rows.append({"import": adapter, "the framework, s": f"{framework:.2f}", "added, s": f"{added:.2f}"})
    show(rows)


def _printed(*arguments: str) -> list:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPATH"] = str(ROOT)
    done = subprocess.run([sys.executable, *arguments], stdout=subprocess.PIPE, text=True, check=True, env=environment)
    return json.loads(done.stdout)


if __name__ == "__main__":
    main()
