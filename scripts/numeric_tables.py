"""The tables that the numeric contract refers to: legal casts and the devices' error bands.

What it is: pure functions from tables of the compiled core to docs/numerics-tables.md.
What it is not: a source of facts. Invariant: every row is a row of the core's tables.
"""

from __future__ import annotations

from typing import Any

ROUND_MODES = ("NoRound", "Rint", "Floor", "Ceil", "Round", "Trunc", "Odd")


def render_tables(mark: str, core: Any) -> str:
    """docs/numerics-tables.md."""
    lines = [
        mark,
        "",
        "# Tables of the numeric contract",
        "",
        "## Casts",
        "",
        "Clause [N9](numerics.md#n9-casts). An x is a legal round mode. The last columns are what "
        "a cast without a mode does; NoRound: the conversion needs no rounding, a narrower integer "
        "clamps. The three chips agree in every pair (N9.5 names those that only A5 has as an "
        "instruction).",
        "",
        "| from | to | " + " | ".join(ROUND_MODES) + " | default in npu | default in ieee |",
        "|---|---|" + ":-:|" * len(ROUND_MODES) + "---|---|",
        *cast_lines(core),
        "",
        "## Error bands",
        "",
        "Clause [N6.2](numerics.md#n62-error-bands). `relative`: the exact value times (1 + d), "
        "rounded to nearest, low <= d <= high; `ulps`: numbers of the dtype from the correctly "
        "rounded value; `unknown`: nothing is published. `vrsqrt` and `vrec` are raw instructions "
        "that no operation of the language is.",
        "",
        "| chip | instruction | dtype | model | low | high | ulp | certainty | source |",
        "|---|---|---|---|--:|--:|--:|---|---|",
    ]
    for row in core.band_table():
        is_relative = row["model"] == "relative"
        bounds = [f"{row[end]:.6g}" if is_relative else "" for end in ("low", "high")]
        ulps = str(row["max_ulps"]) if row["max_ulps"] else ""
        lines.append(
            f"| {row['chip']} | `{row['instruction']}` | {row['dtype']} | {row['model']} | "
            f"{bounds[0]} | {bounds[1]} | {ulps} | {row['certainty']} | {row['source']} |"
        )
    return "\n".join(lines) + "\n"


def cast_lines(core: Any) -> list[str]:
    """One row a legal pair of different dtypes."""
    names = [row["name"] for row in core.dtype_table()]
    lines = []
    for source in names:
        for target in names:
            if source == target or not core.cast_is_supported(source, target):
                continue
            legal = [
                "x" if core.round_mode_is_legal(source, target, mode) else ""
                for mode in range(len(ROUND_MODES))
            ]
            defaults = []
            for numerics in ("npu", "ieee"):
                chosen = {
                    core.cast_default_mode(numerics, chip, source, target)
                    for chip in ("910B", "910_93", "950PR")
                }
                defaults.append(", ".join(ROUND_MODES[mode] for mode in sorted(chosen)))
            lines.append(f"| {source} | {target} | " + " | ".join(legal + defaults) + " |")
    return lines
