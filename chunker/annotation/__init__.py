"""Annotation comments and texts of annotators as labels of text nodes, and labels as comments."""
