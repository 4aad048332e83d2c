"""A second set of transplanted pages, of the form of ``$DATA/pairs-web``, from pages that are not in it.

    python -m benchmarks.transplant --data $DATA -o set --seed 1
    ruiji detect set/pages.jsonl.gz -o out && python $DATA/pairs-web/score.py set out

The content of one real page, whole or in part, stands in the place of the content of another real page; what
is shared is known exactly. Rules were not chosen on these pages, unless the evaluation says so. Nothing that
is made may be put into the repository: the pages are other people's.
"""
