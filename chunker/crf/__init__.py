"""The estimators that label text nodes, and the folder that keeps one."""
