"""What the other pages of a site say of a page: text that most of them have at the same place is none of its
content, however much it reads like it.

``gathering`` reads some pages of each site → ``copies`` count once → ``evidence`` has what the others
share → ``repeated`` lowers the odds of it in a page. The loops in C do the same for a batch (``compiled``).
"""
