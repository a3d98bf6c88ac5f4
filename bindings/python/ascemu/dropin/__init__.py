"""The modules that kernel files import: `asc`, `asc2`, `asctile`.

They live here and nowhere else; `activation.activate()` lets `import asc2` find them.
"""
