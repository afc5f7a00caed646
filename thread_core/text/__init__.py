"""What lines and words say: Markdown, sentences, conditions, names of versions and platforms. Knows no store."""
