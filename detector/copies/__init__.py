"""The partial-copy index: digests of documents, searched for copied passages."""
