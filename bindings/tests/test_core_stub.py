"""The stub of the compiled module names exactly what the module has, with the same parameters."""

import ast
import re
from pathlib import Path

import ascemu
import pytest
from ascemu import _core

STUB = ast.parse((Path(ascemu.__file__).parent / "_core.pyi").read_text(encoding="utf-8"))
ALIASES = {"Number", "Arg"}
CLASSES = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}
FUNCTIONS = {node.name: node for node in STUB.body if isinstance(node, ast.FunctionDef)}
METHODS = [
    (name, item)
    for name, node in CLASSES.items()
    for item in node.body
    if isinstance(item, ast.FunctionDef) and not item.decorator_list
]


def public(names):
    return {name for name in names if not name.startswith("_")}


def parameters(node):
    """(name, has default) of every parameter but self."""
    names = [argument.arg for argument in node.args.args]
    optional = len(node.args.defaults)
    pairs = [(name, index >= len(names) - optional) for index, name in enumerate(names)]
    return [pair for pair in pairs if pair[0] != "self"]


def compiled_parameters(function):
    """The same from the signature line that pybind11 writes; unnamed ones are (arg0, False)."""
    line = function.__doc__.splitlines()[0]
    inside = line[line.index("(") + 1 : line.rindex(") ->")]
    depth, parts, part = 0, [], ""
    for character in inside:
        depth += {"[": 1, "(": 1, "]": -1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += character
    pairs = []
    for item in [*parts, part]:
        match = re.match(r"\s*(\w+)\s*(?::[^=]*)?(=.*)?$", item, re.DOTALL)
        if match and match.group(1) != "self":
            pairs.append((match.group(1), match.group(2) is not None))
    return pairs


def test_module_names():
    assert public(vars(_core)) == CLASSES.keys() | FUNCTIONS.keys()


@pytest.mark.parametrize("name", CLASSES)
def test_class_members(name):
    in_stub = {
        item.target.id if isinstance(item, ast.AnnAssign) else item.name
        for item in CLASSES[name].body
        if isinstance(item, (ast.AnnAssign, ast.FunctionDef))
    }
    assert public(vars(getattr(_core, name))) == public(in_stub)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_function_parameters(name):
    assert compiled_parameters(getattr(_core, name)) == parameters(FUNCTIONS[name])


@pytest.mark.parametrize(("owner", "node"), METHODS, ids=lambda x: getattr(x, "name", x))
def test_method_parameters(owner, node):
    method = getattr(getattr(_core, owner), node.name)
    assert compiled_parameters(method) == parameters(node)
