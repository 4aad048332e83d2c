"""Foreign pages made harmless, to be looked at.

``copy`` writes a page anew from the parser's tree, taking over only what is known to be harmless, with every
text node under its number; the style sheets and style attributes on the way pass through ``css``, which
takes out all that a browser would fetch.
"""
