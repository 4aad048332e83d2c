"""From scores of text nodes to what is kept: the likeliest labels, or the best expected F."""
