"""What a page says of itself: title, author, dates, site, language, address, image, licence, and where it
says so.

sources (JSON-LD, meta elements, microdata and names of elements) → names, titles, times, language (what of it
to believe, and how it is written) → metadata_of (the whole).
"""

from ruiji.chunker.document.metadata.reading import Metadata, headline_of, metadata_of

__all__ = ["Metadata", "headline_of", "metadata_of"]
