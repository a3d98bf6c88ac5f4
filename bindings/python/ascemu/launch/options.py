"""The options of `jit` and of a launch (spec asc2 §1.7): names, defaults and legal values.

What it is: a table and its checks. Most options steer a device compiler and change nothing here;
those of `allocation_of` steer the check `capacity`.
What it is not: ascemu's own settings (ascemu.settings).
Invariant: `merged` knows only names of the table; none of the options alters numeric results but
those of POLICY_OPTIONS, which are ascemu's own and which the language does not have.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from ascemu import settings
from ascemu.platforms import KernelType

COMPILE_OPTIONS: Mapping[str, Any] = {
    "capture_exceptions": True,
    "ir_multithreading": True,
    "custom_builtins": None,
    "always_compile": False,
    "run_passes": True,
    "debug": False,
    "strip_loc": False,
    "print_ir_before_all": False,
    "verify_sync": False,
    "kernel_type": None,
    "auto_sync": True,
    "auto_sync_log": "",
    "insert_sync": True,
    "matmul_cube_only": False,
    "bisheng_options": None,
    "opt_level": 3,
    "static_alloc": None,
    "reuse_alloc": 0,
    "reuse_ub": False,
    "reuse_ub_in_out": False,
    "vf_fusion": False,
    "densify_load_store": False,
    "run_asc2_passes": True,
}
# None: as the settings say. A kernel may have a parameter of such a name; at a call it is meant.
POLICY_OPTIONS: Mapping[str, Any] = {"numerics": None, "overflow": None}
LAUNCH_OPTIONS: Mapping[str, Any] = {"core_num": None, "stream": None}
ALL_OPTIONS: Mapping[str, Any] = {**COMPILE_OPTIONS, **POLICY_OPTIONS, **LAUNCH_OPTIONS}


def merged(overrides: Mapping[str, Any]) -> dict[str, Any]:
    """The table's defaults under `overrides`.

    RuntimeError for a name that is no option, ValueError for numerics that are no mode.
    """
    for name in overrides:
        if name not in ALL_OPTIONS:
            close = difflib.get_close_matches(name, ALL_OPTIONS, n=1)
            hint = f"; did you mean '{close[0]}'?" if close else ""
            raise RuntimeError(f"'{name}' is not an option of jit{hint}")
    check_policy(overrides.get("numerics"), overrides.get("overflow"))
    return {**ALL_OPTIONS, **overrides}


def check_policy(numerics: Any, overflow: Any) -> None:
    """ValueError for what is neither None nor the name of a mode."""
    if numerics is not None:
        settings.checked_numerics(numerics)
    if overflow is not None:
        settings.checked_overflow(overflow)


def check_parameters(kernel: str, parameters: Mapping[str, Any]) -> None:
    """RuntimeError where a parameter has the name of an option (spec §1.1)."""
    clashing = [name for name in parameters if name in ALL_OPTIONS and name not in POLICY_OPTIONS]
    if clashing:
        raise RuntimeError(
            f"argument names of '{kernel}' conflict with JIT configuration options: "
            f"{', '.join(clashing)}; rename them"
        )


def check_compile_options(options: Mapping[str, Any], chip: str) -> None:
    """RuntimeError for values that the device compiler refuses (spec §1.7)."""
    level = options["opt_level"]
    if isinstance(level, bool) or level not in (1, 2, 3):
        raise _bad_option("opt_level", level, "1, 2 or 3")
    if isinstance(options["reuse_alloc"], float) or options["reuse_alloc"] not in (0, 1, 2):
        raise _bad_option("reuse_alloc", options["reuse_alloc"], "0, 1 or 2")
    kernel_type = options["kernel_type"]
    if kernel_type is not None:
        try:
            KernelType(getattr(kernel_type, "value", kernel_type))
        except ValueError:
            legal = "None or a member of KernelType"
            raise _bad_option("kernel_type", kernel_type, legal) from None
    if options["vf_fusion"] and chip != "950PR":
        raise RuntimeError(
            f"vf_fusion=True is only available on 950PR, the selected platform is {chip}; "
            "leave the option out or select an Ascend950PR platform"
        )


def allocation_of(options: Mapping[str, Any]) -> tuple[bool | None, int, bool]:
    """static_alloc, reuse_alloc and vf_fusion; `reuse_ub` is the first generation's spelling."""
    static_alloc = options["static_alloc"]
    reuses = options["reuse_ub"] or options["reuse_ub_in_out"]
    return (
        None if static_alloc is None else bool(static_alloc),
        max(int(options["reuse_alloc"]), int(bool(reuses))),
        bool(options["vf_fusion"]),
    )


def _bad_option(name: str, value: Any, legal: str) -> RuntimeError:
    return RuntimeError(f"Please check input compile option {name}={value!r}: it must be {legal}")
