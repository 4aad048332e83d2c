"""Block uniqueness: what other pages of the site do not have is content (Yoshida and Yamamoto 2009).

Nodes become blocks with vectors and places (page_blocks, bylines). A collection of pages says which of them
repeat (near_index), which pages are the same article (twins) and which places belong to the template
(template). A page is seen against that (view, context), masked (estimator) and explained (explanation);
folder keeps what was learned.
"""
