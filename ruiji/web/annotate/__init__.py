"""The annotator: pages in a browser, and the regions that a person marks."""
