"""The reader of the command as a loader of each framework: the same files, ids, texts and pages."""
