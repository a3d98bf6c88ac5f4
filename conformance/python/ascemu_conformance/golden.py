"""Golden cases: what kernels give on ascemu, made from a parameter matrix, and checked again.

What it is: `ascemu golden generate` and `ascemu golden check`. What it is not: the judge of a
device's outputs.
Invariant: the bytes of a case depend on its recipe only. A case is there whole or not at all; one
that is there with the same recipe is not made again.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from ascemu import __version__, settings

from ascemu_conformance.case import Case, find_cases, load_case, open_case
from ascemu_conformance.case_files import DEFAULT_LIMITS, CaseError, CaseFiles
from ascemu_conformance.case_writing import case_files, digest, npy_bytes, write_folder
from ascemu_conformance.golden_matrix import Recipe, read_matrix
from ascemu_conformance.running import Kernels, run_case
from ascemu_conformance.spreading import spread

# Settings are those of the process, and a dask worker may run several tasks at a time.
_running = threading.Lock()


@dataclass
class Summary:
    """What a command did: cases by outcome, and why those failed or differ."""

    done: int = 0
    skipped: int = 0
    deviating: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    @property
    def exit_code(self) -> int:
        """0: everything as it should be, 1: something deviates, 2: something could not run."""
        return 2 if self.failed else int(bool(self.deviating))


@dataclass(frozen=True)
class Recheck:
    """A case to be run again: where it is and, for a worker elsewhere, its files."""

    path: Path
    trust: bool = False
    files: Mapping[str, bytes] | None = None

    def shipped(self) -> Recheck:
        """The same with its files; as it is where they cannot be read, which the worker says."""
        try:
            return Recheck(self.path, self.trust, load_case(self.path).all_files())
        except CaseError as error:
            return Recheck(self.path, self.trust, {"error": str(error).encode()})


class _Memory(CaseFiles):
    """The files of a case that is not on disk here."""

    def __init__(self, path: str | Path, files: Mapping[str, bytes]) -> None:
        self.path, self.limits, self._files = Path(path), DEFAULT_LIMITS, files

    def read(self, name: str, most: int | None = None) -> bytes:
        return self._files[name]


def produce(recipe: Recipe) -> tuple[str, dict[str, bytes] | str]:
    """The name and the files of a recipe's case; instead of the files, why there are none."""
    if recipe.document["provenance"]["packages"]["ascemu"] != __version__:
        return recipe.name, f"this worker has ascemu {__version__}; install the same version"
    arrays = [table for table in recipe.document["arguments"] if table["kind"] == "array"]
    given = [table for table in arrays if "same_as" not in table]
    described = [{key: table[key] for key in ("name", "dtype", "shape")} for table in given]
    document = {**recipe.document, "outputs": [{**table, "unchanged": True} for table in described]}
    case = Case(document, _Memory(recipe.name, recipe.files))
    try:
        with Kernels() as kernels:
            found = _run(case, kernels)
        outputs, files = [], dict(recipe.files)
        for index, table in enumerate(described):
            bits = found[table["name"]]
            if bits.tobytes() == case.input_bits(table["name"]).tobytes():
                outputs.append({**table, "unchanged": True})
                continue
            data = f"outputs/{index}.npy"
            outputs.append({**table, "data": data, "sha256": digest(bits)})
            files[data] = npy_bytes(bits)
    except Exception as error:
        return recipe.name, _said(error)
    return recipe.name, case_files({**document, "outputs": outputs}, files)


def recheck(task: Recheck) -> tuple[str, str, str]:
    """The path of a case, "same", "deviating" or "failed", and what differs or is wrong."""
    path = task.path
    try:
        if task.files is None:
            case = load_case(path)
        elif "error" in task.files:
            raise CaseError(task.files["error"].decode())
        else:
            case = open_case(_Memory(path, task.files))
        case.check_data(task.trust)
        with Kernels(task.trust) as kernels:
            found = _run(case, kernels)
        for output in case.outputs:
            name = output["name"]
            stored, new = case.output_bits(name), found[name]
            if stored.tobytes() != new.tobytes():
                return str(path), "deviating", f"{name}: {_first_difference(stored, new)}"
    except Exception as error:
        return str(path), "failed", _said(error)
    return str(path), "same", ""


def generate(
    matrix: str | Path, out: str | Path, *, workers: int = 1, scheduler: str | None = None
) -> Summary:
    """Make the cases of a matrix below `out`; CaseError for a matrix or a folder that cannot be.

    Local runs and runs on a scheduler leave the same bytes.
    """
    recipes, out, summary = read_matrix(matrix), Path(out), Summary()
    out.mkdir(parents=True, exist_ok=True)
    missing = [recipe for recipe in recipes if not _is_made(recipe, out / recipe.name)]
    summary.skipped = len(recipes) - len(missing)
    made = spread(produce, missing, len(missing), workers=workers, scheduler=scheduler)
    for name, files in made:
        if isinstance(files, str):
            summary.failed[name] = files
            continue
        shutil.rmtree(out / name, ignore_errors=True)
        write_folder(out / name, files)
        summary.done += 1
    return summary


def check(
    root: str | Path, *, workers: int = 1, scheduler: str | None = None, trust: bool = False
) -> Summary:
    """Verify every case at or below `root` and run it again.

    `trust`: run kernel files that are not the recorded ones, too.
    """
    paths, summary = list(find_cases(root)), Summary()
    if not paths:
        raise CaseError(f"{root}: there are no cases")
    tasks = (Recheck(path, trust) for path in paths)
    if scheduler:
        tasks = (task.shipped() for task in tasks)
    outcomes = spread(recheck, tasks, len(paths), workers=workers, scheduler=scheduler)
    for path, outcome, text in outcomes:
        if outcome == "same":
            summary.done += 1
        else:
            (summary.deviating if outcome == "deviating" else summary.failed)[path] = text
    return summary


def report_lines(summary: Summary, verb: str) -> Iterator[str]:
    """The summary in words, what is wrong in the order of names."""
    for word, found in (("deviating", summary.deviating), ("failed", summary.failed)):
        for name in sorted(found):
            yield f"{word}: {name}: {found[name]}"
    yield (
        f"{summary.done} {verb}, {summary.skipped} there already, {len(summary.deviating)} "
        f"deviating, {len(summary.failed)} failed"
    )


def _run(case: Case, kernels: Kernels) -> dict[str, np.ndarray]:
    quiet = {name: "off" for name in ("portability", "numeric")}
    with _running, settings.collect(), settings.options(threads=1, checks=quiet):
        return run_case(case, kernels)


def _is_made(recipe: Recipe, folder: Path) -> bool:
    """Whether the case is there; CaseError where something else is in its place."""
    if not folder.exists():
        return False
    case = load_case(folder)
    if case.provenance.get("source") != "golden":
        raise CaseError(f"{folder}: not a golden case; choose another folder or remove it")
    return case.provenance.get("recipe") == recipe.sha256


def _said(error: Exception) -> str:
    diagnostic: Any = getattr(error, "diagnostic", None)
    text = str(error) if diagnostic is None else f"{diagnostic.code}: {diagnostic.message}"
    return text if isinstance(error, CaseError) else f"{type(error).__name__}: {text}"


def _first_difference(stored: np.ndarray, new: np.ndarray) -> str:
    width = stored.dtype.itemsize
    old_bits, new_bits = (a.reshape(-1).view(f"u{width}") for a in (stored, new))
    different = np.flatnonzero(old_bits != new_bits)
    at = int(different[0])
    index = [int(i) for i in np.unravel_index(at, stored.shape)]
    digits = 2 * width
    return (
        f"{different.size} of {stored.size} elements differ, first at {index}: recorded "
        f"0x{int(old_bits[at]):0{digits}x}, now 0x{int(new_bits[at]):0{digits}x}"
    )
