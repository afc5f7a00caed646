"""Answers that are several facts apart: units whose links are relations, and what follows the relation asked for."""
