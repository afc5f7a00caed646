"""`python -m thread_rag` is the command `thread-rag`."""

from thread_rag.cli import main

main()
