"""One step at a time, taking the branch that the outcome selects."""
