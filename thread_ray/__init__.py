"""Ingest on Ray: several writers on one machine or on many, over one store; see `runner` and `reading`."""
