"""Work on pages in processes of their own: what they are handed, how long and how much they may take."""
