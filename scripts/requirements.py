"""Print the Python requirements of the project's own commands, one a line.

pyproject.toml is the only place that states them: the build requirements, the run-time
dependencies, the extra `test` and the dependency group `dev`.
"""

import sys
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    from pip._vendor import tomli as tomllib


def read_requirements(pyproject: Path) -> list[str]:
    """Return the requirements stated in `pyproject`, in a fixed order, each once."""
    table = tomllib.loads(pyproject.read_text(encoding="utf-8"))
    project = table["project"]
    found = [
        *table["build-system"]["requires"],
        *project["dependencies"],
        *project["optional-dependencies"]["test"],
        *table["dependency-groups"]["dev"],
    ]
    return list(dict.fromkeys(found))


if __name__ == "__main__":
    print("\n".join(read_requirements(Path(__file__).parent.parent / "pyproject.toml")))
