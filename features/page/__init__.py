"""The one parse of a page and the one walk over its tree: text nodes, elements, links."""
