"""Guides as pages: what was read of them, as a graph and line by line, with a walk; over the core alone.

`thread-rag view` serves them to the person at the machine, or writes them as files.
"""
