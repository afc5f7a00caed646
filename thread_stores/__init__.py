"""Stores that both frameworks reach: how rows are found, read and written there; a file for each."""
