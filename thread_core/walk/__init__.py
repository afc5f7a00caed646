"""A guide walked step by step: one screen, one reply, one decision."""
