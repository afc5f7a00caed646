"""A whole plan in one answer."""
