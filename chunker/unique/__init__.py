"""Block uniqueness across pages: what stands in one page only is content."""
