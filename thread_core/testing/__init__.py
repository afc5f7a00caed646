"""What a new store or adapter needs for its tests: a store in memory and the suites that it must pass."""
