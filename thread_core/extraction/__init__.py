"""A document -> its logic units: by rules, by a model, or from the paper's form."""
