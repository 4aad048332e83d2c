"""The reviewer: results of a run in a browser, and what a person says of them."""
