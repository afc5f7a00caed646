"""Text -> blocks with their lines, whatever generator it was written for."""
