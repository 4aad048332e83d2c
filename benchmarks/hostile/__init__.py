"""What a stranger could send, made by seed and size: the pages, and the runs that put the program to them."""
