"""A finished run as one self-contained HTML file.

``pairs`` (of ``detect``) and ``records`` gather what is shown from the tables of a run; ``drawings`` says
where the shapes of the drawings lie; ``rendering`` fills the templates, which escape everything, with the
words of ``ruiji.words``, and writes the file. Nothing in a report runs and nothing is loaded.
"""
