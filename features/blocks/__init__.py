"""Numbers of a block of text nodes, for the models under the CRF."""
