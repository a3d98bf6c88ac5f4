"""Show that the tests of the numeric contract notice a wrong order, group, flush or rounding.

Usage: .venv/bin/python scripts/mutate_numerics.py [NAME...]   (default: every mutation)

Each mutation changes one line of a copy of the sources, rebuilds refops_tests there and runs the
tests that are to fail, which pass before. A mutation is killed when every one of them fails. The
closing line counts; the status is 0 only when all were killed. The working tree is never touched.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COPY = ROOT / "build-mutation" / "source"
BUILD = COPY / "build"
COPIED = ("CMakeLists.txt", "bindings/python/ascemu/_version.py", "cmake", "conformance", "interp")
COPIED += ("refops",)
# The test files of refops that the mutations are for.
TEST_FILES = ("axis_order", "axis_reduce", "cube", "cube_order", "matmul", "normalize_chip")
TEST_FILES += ("reduce", "row_order", "sum_order")


@dataclass(frozen=True)
class Mutation:
    """`old`, which stands once in the file `path`, becomes `new`; then `tests` fail."""

    name: str
    clause: str
    path: str
    old: str
    new: str
    tests: tuple[str, ...]


MUTATIONS = (
    Mutation(
        "pairs-become-halves",
        "N12.1",
        "refops/sums/nodes.h",
        "spare[i] = meaning(lanes[2 * i], lanes[2 * i + 1]);",
        "spare[i] = meaning(lanes[i], lanes[i + count / 2]);",
        (
            "SumOrder.WholeSumsOfFloat32GoByRepeats",
            "SumOrder.WholeSumsOfFloat16GoByRepeatsInFloat16",
            "SumOrder.LastAxisFoldsItsTailOnItsHead",
            "RowOrder.LongRowsOfA2GoByBlocksOf512",
            "RowOrder.RowsBelow512OfA2AndAllOfA5GoByBlocksOf64",
        ),
    ),
    Mutation(
        "repeats-from-the-last",
        "N12.1",
        "refops/sums/whole_sum.h",
        "total = node_(total, tree(load(elements_, i)));",
        "total = node_(total, tree(load(elements_, repeats(elements_) - i)));",
        ("SumOrder.WholeSumsOfFloat32GoByRepeats", "SumOrder.WholeSumsOfEveryLength"),
    ),
    Mutation(
        "four-repeats-folded-in-order",
        "N12.1",
        "refops/sums/whole_sum.h",
        "return tree(joined(first, count == 3 ? at(2) : joined(at(2), at(3))));",
        "return tree(count == 3 ? joined(first, at(2)) : joined(joined(first, at(2)), at(3)));",
        ("SumOrder.WholeSumsOfFloat32GoByRepeats", "SumOrder.WholeSumsOfEveryLength"),
    ),
    Mutation(
        "nodes-do-not-saturate",
        "N4",
        "refops/sums/nodes.h",
        "return settled(behaviour, Op{}(a, b));",
        "return Op{}(a, b);",
        ("SumOrder.SaturationActsAtEveryNode", "ReduceSum.NanTakesTheTargetsPatternInEveryOrder"),
    ),
    Mutation(
        "float32-accumulator",
        "N12.1",
        "refops/reduce.cpp",
        "return widen(narrow<T>(total + value));",
        "return total + value;",
        ("SumOrder.WholeSumsInIeeeAscend", "ReduceSum.Float16RoundsAtEveryAddition"),
    ),
    Mutation(
        "tail-on-the-wrong-head",
        "N12.2",
        "refops/sums/axis_sum.h",
        "join_rows(node_, row_.data(), row_.data() + head, count - head);",
        "join_rows(node_, row_.data() + 2 * head - count, row_.data() + head, count - head);",
        ("SumOrder.LastAxisFoldsItsTailOnItsHead", "SumOrder.LastAxisOfEveryLength"),
    ),
    Mutation(
        "short-blocks-as-a-tree",
        "N12.2",
        "refops/sums/axis_sum.h",
        "if (blocks * kBlock >= kLanes / 2) return pairs(kLanes);",
        "if (blocks * kBlock >= kLanes / 4) return pairs(kLanes);",
        ("SumOrder.LastAxisFoldsItsTailOnItsHead", "SumOrder.LastAxisOfEveryLength"),
    ),
    Mutation(
        "rows-joined-as-neighbours",
        "N12.3",
        "refops/sums/axis_sum.h",
        "join_rows(node_, rows, rows + head * width, (count - head) * width);",
        "join_rows(node_, rows + (2 * head - count) * width, rows + head * width,"
        " (count - head) * width);",
        ("SumOrder.EarlierAxisFoldsSurplusRowsAndHalves",),
    ),
    Mutation(
        "earlier-axis-as-last",
        "N12.4",
        "refops/sums/axis_sum.h",
        "if (axis == shape.rank() - 1) {",
        "if (inner == 1) {",
        ("SumOrder.SeveralAxesInnermostFirst",),
    ),
    Mutation(
        "ones-become-zeros",
        "N12.6",
        "refops/sums/nodes.h",
        "using ProductNode = Node<Mul, 1>;",
        "using ProductNode = Node<Mul, 0>;",
        ("ProductOrder.TreesOfTheAxes",),
    ),
    Mutation(
        "no-blocks-of-512",
        "N13",
        "refops/sums/row_sum.cpp",
        "if (count < kWide) {",
        "if (count < 4 * kWide) {",
        ("RowOrder.LongRowsOfA2GoByBlocksOf512", "NormalizeOnChips.Softmax"),
    ),
    Mutation(
        "scaled-after-the-sum",
        "N13.3",
        "refops/normalize.cpp",
        "if (!behaviour_.composes_norms) return mean(values);",
        "if (values.size() > 1) return mean(values);",
        ("NormalizeOnChips.LayerNorm",),
    ),
    Mutation(
        "quotients-not-flushed",
        "N5",
        "refops/composed/steps.h",
        "if (target.flushes_div) {",
        "if (target.flushes_functions) {",
        ("NormalizeOnChips.SubnormalSoftmaxResultsAreFlushedAsTheChipDoes",),
    ),
    Mutation(
        "groups-of-eight",
        "N14.1",
        "refops/target/ascend950pr.cpp",
        "behaviour.cube_group_halves = 16;",
        "behaviour.cube_group_halves = 8;",
        ("Cube.GroupsOfBfloat16AreExactSumsRoundedOnce", "CubeOrder.GroupsOfSixteenHalves"),
    ),
    Mutation(
        "accumulator-last",
        "N14.1",
        "refops/cube/groups.cpp",
        "const float after = rounded_once(two_sum(sums.high[i], static_cast<double>(before)));",
        "const float after = static_cast<float>(sums.high[i]) + before;",
        ("Cube.GroupsOfFloat16AreExactSumsRoundedOnce", "CubeOrder.GroupsOfSixteenHalves"),
    ),
    Mutation(
        "double-rounding",
        "N14.1",
        "refops/cube/groups.cpp",
        "const std::uint64_t moved = sum.low != 0 && (pattern & 1U) == 0 ? away : 0;",
        "const std::uint64_t moved = pattern == 0 ? away : 0;",
        ("Cube.GroupsOfFloat32AreExactSumsRoundedOnce", "CubeOrder.ADoubleSumRoundsTwice"),
    ),
    Mutation(
        "wide-groups-taken-for-close",
        "N14.1",
        "refops/cube/groups.cpp",
        "const int plain_limit = 53 - 2 - doublings;",
        "const int plain_limit = 53 + 8 - doublings;",
        ("Cube.GroupsOfFloat32AreExactSumsRoundedOnce",),
    ),
    Mutation(
        "error-bound-too-small",
        "N14.1",
        "refops/cube/groups.cpp",
        "* 0x1p-48;",
        "* 0x1p-60;",
        ("Cube.GroupsOfFloat32AreExactSumsRoundedOnce",),
    ),
    Mutation(
        "rounding-errors-dropped",
        "N14.1",
        "refops/cube/groups.cpp",
        "low += sum.low;",
        "low = sum.low;",
        (
            "Cube.GroupsOfBfloat16AreExactSumsRoundedOnce",
            "Cube.GroupsOfFloat32AreExactSumsRoundedOnce",
        ),
    ),
    Mutation(
        "ties-away-in-wide-sums",
        "N14.1",
        "refops/cube/exact_group.cpp",
        "kept += half && (beyond || (kept & 1U) != 0) ? 1 : 0;",
        "kept += half && (beyond || half) ? 1 : 0;",
        ("Cube.ExactSumsAnswerEveryGroup",),
    ),
    Mutation(
        "hf32-truncates",
        "N14.2",
        "refops/hf32.h",
        "(magnitude + 0x7FFU + ((magnitude >> 12) & 1U)) & 0xFFFFF000U",
        "magnitude & 0xFFFFF000U",
        ("Hf32.KeepsElevenStoredBitsToNearestEven",),
    ),
)


def run(command: list[str | Path], log: Path) -> int:
    """Run `command` with the environment's tools first on PATH, its output appended to `log`."""
    env = os.environ | {
        "PATH": f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "CCACHE_DIR": str(ROOT / ".cache" / "ccache"),
        "CCACHE_BASEDIR": os.environ.get("CCACHE_BASEDIR", str(COPY)),
        "CCACHE_NOHASHDIR": "1",
        "CCACHE_SLOPPINESS": "pch_defines,time_macros",
    }
    with log.open("a", encoding="utf-8") as sink:
        return subprocess.run(
            [str(part) for part in command], env=env, stdout=sink, stderr=subprocess.STDOUT
        ).returncode


def other_tests(folder: str, names: list[str]) -> set[str]:
    """What a copy of `folder` leaves out: tests that no mutation is for."""
    kept = {f"{name}_test.cpp" for name in TEST_FILES}
    return {name for name in names if name.endswith("_test.cpp") and name not in kept}


def make_copy(log: Path) -> bool:
    """Copy the sources and build refops_tests of the copy, unchanged."""
    shutil.rmtree(COPY, ignore_errors=True)
    for name in COPIED:
        source, target = ROOT / name, COPY / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=other_tests)
        else:
            shutil.copy2(source, target)
    configure: list[str | Path] = ["cmake", "-S", COPY, "-B", BUILD, "-G", "Ninja"]
    configure += ["-DCMAKE_BUILD_TYPE=Release", "-DASCEMU_PYTHON=OFF"]
    if shutil.which("ccache"):
        configure.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
    return run(configure, log) == 0 and build(log)


def build(log: Path) -> bool:
    return run(["cmake", "--build", BUILD, "--target", "refops_tests"], log) == 0


def fails(test: str, log: Path) -> bool:
    """Whether the one test of that name exists and fails."""
    program = BUILD / "refops" / "refops_tests"
    listing = subprocess.run(
        [str(program), "--gtest_list_tests", f"--gtest_filter={test}"],
        capture_output=True,
        text=True,
    )
    if test.partition(".")[2] not in listing.stdout.split():
        raise SystemExit(f"{test} is no test of refops_tests")
    return run([program, f"--gtest_filter={test}", "--gtest_brief=1"], log) != 0


def survivors(mutation: Mutation, log: Path) -> list[str]:
    """The tests that pass in spite of the mutation."""
    path = COPY / mutation.path
    text = path.read_text(encoding="utf-8")
    if text.count(mutation.old) != 1:
        raise SystemExit(f"{mutation.name}: {mutation.path} does not hold the line exactly once")
    path.write_text(text.replace(mutation.old, mutation.new), encoding="utf-8")
    try:
        if not build(log):
            raise SystemExit(f"{mutation.name} does not compile; see {log}")
        return [test for test in mutation.tests if not fails(test, log)]
    finally:
        path.write_text(text, encoding="utf-8")


def main(names: list[str]) -> int:
    """Apply the named mutations, or all, one at a time."""
    unknown = set(names) - {mutation.name for mutation in MUTATIONS}
    if unknown:
        print(f"unknown mutations: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    log = COPY.parent / "build.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    log.unlink(missing_ok=True)
    if not make_copy(log):
        print(log.read_text(encoding="utf-8")[-4000:])
        return 1
    chosen = [mutation for mutation in MUTATIONS if not names or mutation.name in names]
    wrong = sorted({test for one in chosen for test in one.tests if fails(test, log)})
    if wrong:
        print(f"these fail without a mutation: {', '.join(wrong)}")
        return 1
    killed = 0
    for mutation in chosen:
        passing = survivors(mutation, log)
        killed += not passing
        verdict = f"survived {', '.join(passing)}" if passing else "killed"
        print(f"{mutation.clause} {mutation.name}: {verdict}", flush=True)
    print(f"{killed} of {len(chosen)} mutations killed")
    return 0 if killed == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
