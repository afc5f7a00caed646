"""What plans the next action on a web page; docs/evaluation.md says which of its parts make which paper's system."""
