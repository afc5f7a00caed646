"""One reader a form in which documents state what to do in which case."""
