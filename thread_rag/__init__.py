"""The command `thread-rag`: take documents in, walk through them, look at their units."""
