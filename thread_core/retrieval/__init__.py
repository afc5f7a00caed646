"""A question -> the units that answer it, and what must hold for them."""
