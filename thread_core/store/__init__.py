"""Where units lie and are looked up: the library over a store, the words, the files that are ours."""
