"""Models: what is asked of them, by which prompt, what it may cost, and what becomes of their errors."""
