"""The local web application, on the loopback interface only.

A request passes ``safety`` (who may ask, what an answer may do in a browser, which paths stay inside), then
``server`` (routes, templates and words), then the views of ``annotate`` or ``review``. Whatever of a foreign
page is shown to a browser as markup was made harmless in ``foreign``; everything else of it is text.
"""
