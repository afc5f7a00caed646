"""What `make demo` runs: ingest the example documents, ask, and walk two branches of one guide in both frameworks."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import walk

ROOT = Path(__file__).resolve().parent


def title(text: str) -> None:
    print(f"\n\033[1m== {text}\033[0m" if sys.stdout.isatty() else f"\n== {text}", flush=True)


def command(*arguments: str, said: str = "") -> None:
    print(f"$ thread-rag {' '.join(f'{a!r}' if ' ' in a else a for a in arguments)}", flush=True)
    subprocess.run([sys.executable, "-m", "thread_rag", *arguments], input=said, text=True, check=True, cwd=ROOT)


def main() -> None:
    store = Path(tempfile.mkdtemp(prefix="thread-demo-"))
    try:
        title("1. Documents become logic units in a Chroma collection")
        command("ingest", "documents", "--store", str(store))
        title("2. A question becomes a walk: report what you see, the branch follows")
        answers = ("", "", "/var/log/journal is 6 GB, larger than 2 GB", "")
        command(
            "ask",
            "How do I clear disk pressure on a node?",
            "--store",
            str(store),
            said="\n".join(answers) + "\nquit\n",
        )
        title("3. One guide, two outcomes, in LangChain and in LlamaIndex")
        walk.main()
    finally:
        shutil.rmtree(store, ignore_errors=True)
    title("What to look at next")
    print("README.md                         the ten-line swap for your pipeline")
    print("examples/langchain_quickstart.py  splitter, retriever, chain")
    print("examples/llama_index_quickstart.py node parser, retriever, query engine")
    print("examples/incident.py              an executor, a colleague in another process, an escalation")
    print("examples/langchain_with_a_model.py, examples/llama_index_with_a_model.py: with a key")
    print("thread-rag ingest YOUR-FOLDER && thread-rag ask 'YOUR QUESTION'   (in .venv/bin)")


if __name__ == "__main__":
    main()
