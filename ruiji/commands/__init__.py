"""One module for each command: its options beside what it does."""
