"""The metrics as the frameworks' evaluators: `llama_index` and `langsmith`. Each imports its framework's adapter."""
