"""The conformance ring of ascemu: cases, recordings, comparison, golden outputs.

What it is: a package beside `ascemu`, which finds its commands and `ascemu.recording` through entry
points. What it is not: imported by `ascemu`.
"""
