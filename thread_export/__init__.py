"""Guides in the forms of other programs: a file a form, each a pure function from a shelf's guide to text.

See `docs/exports.md`; `thread-rag export` writes what these return.
"""
