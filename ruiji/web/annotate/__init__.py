"""``ruiji annotate``: the pages of a folder in a browser, where a person marks what is not content.

``page_files`` lists the files; ``page_desk`` parses a page, labels it and makes what is shown of it
(``blocks``, and the harmless copy with the style sheets that ``stylesheets`` finds), in the process of a
``worker`` with a time limit; ``workbook`` holds the labels as they are now and saves annotated files with
``notes`` beside them; ``copies`` keeps what was made of the last pages; ``views`` answers the browser.
"""
