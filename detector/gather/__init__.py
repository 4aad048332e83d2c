"""What is kept of each page for the search for pairs: sentences, links, dates."""
