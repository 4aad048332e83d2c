"""Foreign pages as harmless copies: nothing in them runs, nothing is fetched."""
