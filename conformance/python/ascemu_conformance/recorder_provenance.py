"""What a recording says of where it was made: device, platform, versions, date.

What it is: part of the recorder; it needs only Python 3.9. What it is not: what a launch was given.
Invariant: a fact that cannot be learnt is left out, never guessed; nothing is imported for it.
"""

from __future__ import annotations

import datetime
import functools
import importlib.metadata
import os
import platform as host_platform
import re
import sys
from pathlib import Path
from typing import Any

PACKAGES = "ascemu asc asc2 asctile pyasc torch torch-npu numpy ml_dtypes".split()
SELECTED = ("backend", "platform")
noted: dict[str, str] = {}  # what set_platform was last given
_DEVICE = (("torch_npu", "npu.get_device_name"), ("asc.lib.runtime", "get_soc_version"))


def note_selected(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Note what set_platform was given."""
    given = {**dict(zip(SELECTED, args)), **kwargs}  # noqa: B905 (Python 3.9)
    given.setdefault("platform", given.get("soc_version"))
    for name in SELECTED:
        if given.get(name) is not None:
            noted[name] = _word(given[name])


def provenance(kernel: Any) -> dict[str, Any]:
    """The table `provenance` of a case, and `platform`; source "ascemu" where `kernel` is ours."""
    facts: dict[str, Any] = dict(noted)
    for name in SELECTED:
        found = _asked("asc.runtime.config", f"get_{name}")
        facts.update({} if found is None else {name: _word(found)})
    simulated = type(kernel).__module__.split(".")[0] == "ascemu"
    backends = {"NPU": "npu", "Model": "simulator"}
    facts["source"] = "ascemu" if simulated else backends.get(facts.get("backend", ""), "unknown")
    if simulated:
        chosen = sys.modules["ascemu.settings"].current()
        facts.update(numerics=chosen.numerics, overflow=chosen.overflow)
        own = chosen.asc_platform if kernel.namespace == "asc" else chosen.platform
        facts["platform"] = own.value
    for module, path in () if simulated else _DEVICE:
        found = _asked(module, path)
        if found is not None:
            facts.setdefault("device", str(found))
    now = datetime.datetime.now(datetime.timezone.utc)
    facts["date"] = now.isoformat(timespec="seconds")
    facts["machine"] = f"{host_platform.platform()}, Python {host_platform.python_version()}"
    facts.update({} if simulated else _cann_version())
    facts["packages"] = _versions()
    return facts


def _asked(module: str, path: str) -> Any:
    """What a function of an imported module says; None where there is none or it fails."""
    try:
        return functools.reduce(getattr, path.split("."), sys.modules[module])()
    except Exception:
        return None


def _word(value: Any) -> str:
    return str(getattr(value, "value", value))


@functools.cache
def _versions() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except Exception:  # not installed, or without proper metadata
            continue
    return found


def _cann_version() -> dict[str, str]:
    homes = [os.environ.get(name) for name in ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME")]
    for home in [*filter(None, homes), "/usr/local/Ascend/ascend-toolkit/latest"]:
        for pattern in ("*/ascend_toolkit_install.info", "version.cfg", "*/version.info"):
            try:
                texts = [p.read_text("utf-8", "replace") for p in sorted(Path(home).glob(pattern))]
            except OSError:
                continue
            found = re.search(r"(?im)^\w*version\s*=\s*\W*([\w.]+)", "\n".join(texts))
            if found:
                return {"cann": found[1]}
    return {}
