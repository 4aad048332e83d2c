"""Settings of all tests."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("quick", max_examples=40, deadline=None)
settings.load_profile("quick")
