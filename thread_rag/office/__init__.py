"""Files of office programs -> Markdown for the same rules that read any other document, a file a kind."""
