"""A document as it is written -> what its structure says."""
