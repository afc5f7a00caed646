"""The commands of `thread-rag`, a file each: what is typed, and what is done then."""
