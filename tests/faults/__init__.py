"""Faults from outside: each ends in the bytes of an undisturbed run, or in one sentence."""
