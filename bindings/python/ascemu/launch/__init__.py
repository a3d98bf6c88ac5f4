"""Launching kernels: the decorator `jit`, argument classification, the cache and the runner.

What it is: everything between `kernel[n](...)` and the compiled core.
What it is not: lowering (ascemu.frontend) or the settings (ascemu.settings).
"""
