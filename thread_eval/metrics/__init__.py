"""Metrics, a family a file: pure functions of what a system gave and what is right. docs/evaluation.md defines them."""
