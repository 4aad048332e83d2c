"""Documents as text: Markdown and TEI."""
