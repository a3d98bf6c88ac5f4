"""The commands that list what there is: operations, diagnostic codes, checks, platforms.

Everything printed comes from the tables of the compiled core, from ascemu.platforms or from the
generated table ascemu/data/operation_matrix.json.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from ascemu.platforms import Platform, capacities, default_blocks, platform_to_arch


def list_ops(arguments: argparse.Namespace) -> int:
    """Every operation with its family, operands, dtypes and section of the language description."""
    from ascemu import _core

    if arguments.matrix:
        return _list_matrix(arguments.json)
    ops = [*_core.op_table()]
    unsupported = _core.unsupported_table()
    if arguments.json:
        refused = [{"name": name, "unsupported": why} for name, why in unsupported.items()]
        return print_lines([json.dumps(ops + refused, indent=1)])
    rows = [[op["name"], op["family"], " ".join(op["dtypes"]) or "-", op["clause"]] for op in ops]
    lines = format_table(["operation", "family", "dtypes", "spec"], rows)
    lines += ["", "not supported:"]
    lines += [f"  {name}: {why}" for name, why in unsupported.items()]
    return print_lines(lines)


def _list_matrix(as_json: bool) -> int:
    """Operation by dtype and target: what is proven, measured on silicon, left open by hardware."""
    path = Path(__file__).resolve().parents[1] / "data" / "operation_matrix.json"
    rows = json.loads(path.read_text(encoding="utf-8"))
    if as_json:
        return print_lines([json.dumps(rows, indent=1)])
    targets = list(rows[0]["targets"])
    table = [
        [row["op"], row["dtype"], *(_cell_text(row["targets"][target]) for target in targets)]
        for row in rows
    ]
    return print_lines(format_table(["operation", "dtype", *targets], table))


def _cell_text(cell: dict) -> str:
    """Whether the bits are proven, where silicon was asked, and which clauses stay open."""
    words = ["proven" if cell["vectors"] else "implemented"]
    words += ["silicon"] if cell["silicon"] else []
    words += ["open " + " ".join(cell["unspecified"])] if cell["unspecified"] else []
    return ", ".join(words)


def list_codes(arguments: argparse.Namespace) -> int:
    """Every diagnostic code with its kind, check and exception."""
    from ascemu import _core

    codes = _core.code_table()
    if arguments.json:
        return print_lines([json.dumps(codes, indent=1)])
    rows = [[row["code"], row["kind"], row["check"] or "-", row["exception"]] for row in codes]
    return print_lines(format_table(["code", "kind", "check", "exception"], rows))


def list_checks(arguments: argparse.Namespace) -> int:
    """Every check with the kinds of its codes, its default level and what it watches."""
    from ascemu import _core

    codes = _core.code_table()
    checks = []
    for row in _core.check_table():
        own = [code for code in codes if code["check"] == row["check"]]
        checks.append(
            {
                "check": row["check"],
                "kinds": sorted({code["kind"] for code in own}),
                "level": row["level"],
                "summary": row["summary"],
                "codes": [{"code": code["code"], "level": code["level"]} for code in own],
            }
        )
    if arguments.json:
        return print_lines([json.dumps(checks, indent=1)])
    rows = [
        [row["check"], " ".join(row["kinds"]) or "-", row["level"], row["summary"]]
        for row in checks
    ]
    return print_lines(format_table(["check", "kind", "level", "watches"], rows))


def list_platforms(arguments: argparse.Namespace) -> int:
    """Every platform with its architecture, default blocks and memories in bytes."""
    facts = [
        {
            "platform": platform.value,
            "arch": platform_to_arch(platform).value,
            "blocks_with_cube": default_blocks(platform, has_cube=True),
            "blocks_vector": default_blocks(platform, has_cube=False),
            **dataclasses.asdict(capacities(platform)),
        }
        for platform in Platform
    ]
    if arguments.json:
        return print_lines([json.dumps(facts, indent=1)])
    rows = [[str(value) for value in fact.values()] for fact in facts]
    return print_lines(format_table(list(facts[0]), rows))


def format_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Left-aligned columns, two spaces apart, under a line of headings."""
    table = [head, *rows]
    widths = [max(len(row[column]) for row in table) for column in range(len(head))]
    return [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in table
    ]


def print_lines(lines: Iterable[str]) -> int:
    """Print lines; a reader that stops early is no error."""
    try:
        print("\n".join(lines), flush=True)
    except BrokenPipeError:
        # The reader (head, less) has seen enough; keep the interpreter from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 0
