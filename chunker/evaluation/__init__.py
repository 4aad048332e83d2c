"""Cross-validation by site, with the published figures beside ours."""
