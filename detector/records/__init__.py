"""Records of pages, which of them correspond, and where those contradict each other."""
