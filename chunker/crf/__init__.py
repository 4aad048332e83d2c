"""The estimators: annotated text nodes in, IOB2 labels out (Nakamura 2007).

Pages to learn from are chosen (sampling), nodes become attributes (weights), CRFsuite learns (training), its
model file is read as arrays (model_file), and pages are labelled (estimator; svm to compare with). A label
can be explained (explanation), and a model is a folder of plain files with a card (folder).
"""
