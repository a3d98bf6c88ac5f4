"""Records kernel launches as cases (docs/case-format.md) without altering the run.

What it is: while a recording is on, every `kernel[blocks, stream](...)` of `asc`, `asc2` or
`asctile` leaves a case folder: inputs before, outputs after, options, platform, versions, the
kernel's file. It works beside the real package, needs only Python 3.9 and numpy and never imports
ascemu; `ascemu record --export FILE` writes it as one file to copy onto an NPU host.

    python FILE --out DIR SCRIPT [args]                   a script as the main program
    with recording(DIR): ...                              a part of a program
    pytest -p recorder --ascemu-record DIR                a test suite

What it is not: a reader of cases.
Invariant: what goes wrong here becomes a warning and the launch goes on; what the kernel raises
passes through unchanged, and such a launch leaves no case.
"""

from __future__ import annotations

import argparse
import functools
import os
import runpy
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ascemu_conformance.recorder_provenance import note_selected
from ascemu_conformance.recorder_session import NAMES, Session

_sessions: list[Session] = []
_replaced: list[tuple[Any, str, Any]] = []


def _warn(kernel: Any, error: Exception) -> None:
    name = getattr(getattr(kernel, "fn", kernel), "__name__", kernel)
    text = f"recorder: a launch of {name} is not recorded: {type(error).__name__}: {error}"
    try:
        warnings.warn(text, RuntimeWarning, stacklevel=3)
    except RuntimeWarning:  # where warnings are errors, the run must not end for one of ours
        print(text, file=sys.stderr)


class _Launch:
    """What `kernel[...]` gives while recordings are on: the package's own, recorded when called."""

    def __init__(self, kernel: Any, launch: Any, bound: Any) -> None:
        self._kernel, self._launch, self._bound = kernel, launch, bound

    def __getattr__(self, name: str) -> Any:
        return getattr(self._bound, name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        session, captured = _sessions[-1] if _sessions else None, None
        try:
            if session is not None:
                captured = session.before(self._kernel, self._launch, args, kwargs)
        except Exception as error:
            _warn(self._kernel, error)
        result = self._bound(*args, **kwargs)
        try:
            if session is not None and captured is not None:
                session.after(captured, self._kernel)
        except Exception as error:
            _warn(self._kernel, error)
        return result


def _replace(owner: Any, name: str, wrapper: Callable[..., Any]) -> None:
    """Put `wrapper`, which is given the original first, in the place of an attribute, once."""
    original = vars(owner)[name]
    if getattr(original, "records_launches", False):
        return

    @functools.wraps(original)
    def replacement(*args: Any, **kwargs: Any) -> Any:
        return wrapper(original, *args, **kwargs)

    replacement.records_launches = True  # type: ignore[attr-defined]
    _replaced.append((owner, name, original))
    setattr(owner, name, replacement)


def _select_platform(original: Any, *args: Any, **kwargs: Any) -> Any:
    result = original(*args, **kwargs)
    note_selected(args, kwargs)
    return result


def _bind_launch(original: Any, kernel: Any, launch: Any) -> Any:
    bound = original(kernel, launch)
    return _Launch(kernel, launch, bound) if callable(bound) else bound


def _probe(x):  # what jit is asked to decorate, to learn the class of kernels
    pass


def _watch(module: Any) -> None:
    """Let launches through `module`, one of NAMES, be noticed."""
    try:
        if hasattr(module, "jit"):
            classes = type(module.jit(_probe)).__mro__
            owner = next(owner for owner in classes if "__getitem__" in vars(owner))
            _replace(owner, "__getitem__", _bind_launch)
        for owner in (module, sys.modules.get("asc.runtime.config")):
            if callable(getattr(owner, "__dict__", {}).get("set_platform")):
                _replace(owner, "set_platform", _select_platform)
    except Exception as error:
        _warn(module.__name__, error)


class _Hook:
    """A finder that lets modules of NAMES be watched as soon as they are imported."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name not in NAMES:
            return None
        others = (finder for finder in sys.meta_path if finder is not self)
        specs = (f.find_spec(name, path, target) for f in others if hasattr(f, "find_spec"))
        spec = next(filter(None, specs), None)
        loader = getattr(spec, "loader", None)
        if loader is not None and hasattr(loader, "exec_module"):
            spec.loader = _Loader(loader)
        return spec


class _Loader:
    def __init__(self, loader: Any) -> None:
        self._loader = loader

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: Any) -> Any:
        return self._loader.create_module(spec)

    def exec_module(self, module: Any) -> None:
        spec, module.__loader__ = module.__spec__, self._loader
        spec.loader = self._loader
        self._loader.exec_module(module)
        _watch(module)


_hook = _Hook()


def start(folder: Any, **limits: Any) -> Session:
    """Record launches into `folder` from now on, until `stop` is given what this returns."""
    session = Session(folder, **limits)
    if not _sessions:
        sys.meta_path.insert(0, _hook)
    for name in filter(sys.modules.get, NAMES):
        _watch(sys.modules[name])
    _sessions.append(session)
    return session


def stop(session: Session) -> None:
    """End a recording; with the last one everything is as it was before the first."""
    _sessions.remove(session)
    if not _sessions:
        sys.meta_path.remove(_hook)
        while _replaced:
            setattr(*_replaced.pop())


@contextmanager
def recording(folder: Any, **limits: Any) -> Iterator[Session]:
    """Record every launch of the block into `folder`, one case each.

    `max_bytes` (default 1 GiB) is the most that one launch's inputs and outputs may take, `limit`
    the number of launches of each kernel that are recorded (0: all).
    """
    session = start(folder, **limits)
    try:
        yield session
    finally:
        stop(session)


def pytest_addoption(parser: Any) -> None:
    """For `pytest -p recorder`; where ascemu is installed its own plugin has the option."""
    parser.addoption(
        "--ascemu-record", metavar="DIR", help="record kernel launches as cases in DIR"
    )


def pytest_configure(config: Any) -> None:
    folder = config.getoption("ascemu_record")
    if folder and not _sessions:
        config.add_cleanup(functools.partial(stop, start(folder)))


def main(argv: list[str] | None = None) -> None:
    """`python recorder.py --out DIR FILE [args]`."""
    parser = argparse.ArgumentParser(description="Record the kernel launches of a script.")
    parser.add_argument("--out", required=True, metavar="DIR", help="where the cases go")
    parser.add_argument("--limit", type=int, default=0, help="launches recorded of each kernel")
    parser.add_argument("file", metavar="FILE", help="the script; what follows is handed to it")
    parser.add_argument("args", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    given = parser.parse_args(argv)
    sys.argv = [given.file, *given.args]
    sys.path[0] = os.path.dirname(os.path.abspath(given.file))
    with recording(given.out, limit=given.limit):
        runpy.run_path(given.file, run_name="__main__")


if __name__ == "__main__":
    main()
