"""The repository keeps its layout rules, and each rule catches a tree that breaks it."""

from pathlib import Path

import check_layout
import pytest
from check_layout import Tree

ROOT = Path(__file__).resolve().parents[2]
HEADER = "// What this is.\n"


@pytest.mark.parametrize("rule", check_layout.RULES, ids=lambda rule: rule.__name__)
def test_repository_keeps_the_rule(rule):
    assert list(rule(Tree.of_repository(ROOT))) == []


def test_repository_is_seen():
    paths = Tree.of_repository(ROOT).paths
    assert Path("CMakeLists.txt") in paths
    assert Path("refops/dtype.h") in paths
    assert not [path for path in paths if path.parts[0].startswith((".venv", "build"))]


def make_tree(root: Path, **files: str) -> Tree:
    """A tree of `files`; in a name `__` stands for a slash and a last `_` for the dot."""
    for name, text in files.items():
        folder, _, suffix = name.rpartition("_")
        path = root / f"{folder.replace('__', '/')}.{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Tree.of_repository(root)


OPEN_MARK = "TO" + "DO"
MACHINE_PATH = "/" + "work/main"

BROKEN = {
    "refops includes interp": (
        check_layout.check_includes,
        {"refops__cast_cpp": '#include "interp/ast/tree.h"\n'},
        ["refops/cast.cpp:1: refops must not include interp/ast/tree.h"],
    ),
    "refops includes bindings": (
        check_layout.check_includes,
        {"refops__cast_cpp": '\n#  include "bindings/module.h"\n'},
        ["refops/cast.cpp:2: refops must not include bindings/module.h"],
    ),
    "refops includes pybind11": (
        check_layout.check_includes,
        {"refops__cast_h": "#include <pybind11/numpy.h>\n"},
        ["refops/cast.h:1: refops must not include pybind11/numpy.h"],
    ),
    "interp includes Python": (
        check_layout.check_includes,
        {"interp__eval__walker_cpp": "#include <Python.h>\n"},
        ["interp/eval/walker.cpp:1: interp must not include Python.h"],
    ),
    "interp includes bindings": (
        check_layout.check_includes,
        {"interp__eval__walker_cpp": '#include "bindings/register.h"\n'},
        ["interp/eval/walker.cpp:1: interp must not include bindings/register.h"],
    ),
    "bindings include conformance": (
        check_layout.check_includes,
        {"bindings__module_cpp": '#include "conformance/case.h"\n'},
        ["bindings/module.cpp:1: bindings must not include conformance/case.h"],
    ),
    "include is relative": (
        check_layout.check_includes,
        {"interp__eval__walker_cpp": '#include "../ast/tree.h"\n'},
        [
            "interp/eval/walker.cpp:1: include ../ast/tree.h by its path from the repository root",
        ],
    ),
    "ascemu imports conformance": (
        check_layout.check_imports,
        {"bindings__python__ascemu__cli_py": "from ascemu_conformance.case import Case\n"},
        ["bindings/python/ascemu/cli.py:1: ascemu must not import ascemu_conformance"],
    ),
    "file is long": (
        check_layout.check_length,
        {"refops__cast_cpp": "int x;\n" * 401},
        ["refops/cast.cpp:401: longer than 400 lines; split it by concept"],
    ),
    "file name is vague": (
        check_layout.check_names,
        {"interp__eval__walk_helpers_cpp": "", "bindings__utils__cast_py": ""},
        [
            "bindings/utils/cast.py:1: 'utils' says nothing; name the concept",
            "interp/eval/walk_helpers.cpp:1: 'walk_helpers' says nothing; name the concept",
        ],
    ),
    "file name is not snake_case": (
        check_layout.check_names,
        {"refops__castOp_cpp": ""},
        ["refops/castOp.cpp:1: 'castOp' is not snake_case"],
    ),
    "definition is vague": (
        check_layout.check_definitions,
        {"bindings__cast_py": "def handle_cast():\n    pass\n\n\nclass CastManager:\n    pass\n"},
        [
            "bindings/cast.py:1: 'handle_cast' says nothing; name the concept",
            "bindings/cast.py:5: 'CastManager' says nothing; name the concept",
        ],
    ),
    "path of one machine": (
        check_layout.check_machine_paths,
        {"scripts__go_sh": f"cd {MACHINE_PATH}\n"},
        ["scripts/go.sh:1: a path of one machine"],
    ),
    "work left open": (
        check_layout.check_left_open,
        {"refops__cast_cpp": f"\n// {OPEN_MARK}: round\n"},
        [f"refops/cast.cpp:2: {OPEN_MARK} left open"],
    ),
    "section banner": (
        check_layout.check_banners,
        {"refops__cast_cpp": "// " + "-" * 40 + "\n"},
        ["refops/cast.cpp:1: a section banner; split the file by concept instead"],
    ),
    "header without a comment": (
        check_layout.check_headers,
        {"refops__cast_h": "#pragma once\n", "refops__round_h": ""},
        [
            "refops/cast.h:1: a header opens with a comment: what it is, what not, its invariant",
            "refops/round.h:1: a header opens with a comment: what it is, what not, its invariant",
        ],
    ),
}


@pytest.mark.parametrize(("rule", "files", "expected"), BROKEN.values(), ids=BROKEN.keys())
def test_rule_catches(tmp_path, rule, files, expected):
    assert list(rule(make_tree(tmp_path, **files))) == expected


def test_every_rule_is_proven():
    assert {rule for rule, _, _ in BROKEN.values()} == set(check_layout.RULES)


def test_near_misses_pass(tmp_path):
    tree = make_tree(
        tmp_path,
        refops__cast_h=HEADER + '#include "refops/dtype.h"\n#include <vector>\n',
        refops__ops_def="ROW\n" * 500,
        refops__table_cpp="// Generated by scripts/table.py\n" + "int x;\n" * 500,
        refops__limit_cpp="int x;\n" * 400,
        interp__eval__walker_cpp='#include "refops/cast.h"\n// work/main is no machine path\n',
        bindings__module_cpp='#include <pybind11/pybind11.h>\n#include "interp/ast/tree.h"\n',
        bindings__unhandled_py="def handled(): ...\n\n\ndef test_calls_handler(): ...\n",
        bindings__README_md="A [link](https://example.org/work/x).\n",
    )
    assert [line for rule in check_layout.RULES for line in rule(tree)] == []
