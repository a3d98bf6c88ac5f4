"""The classic mistakes of kernel authors, made mechanically in the kernels of a source text.

What it is: `mutants_of(source)`, every place of every jit function where one of OPERATORS applies,
each as the whole changed text. What it is not: the judge of a mutant (mutate_examples.py).
Invariant: a mutant differs from its source in one expression, keyword or statement and keeps the
number of lines, so that places in messages are those of the source.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

LOADS = ("copy_in", "load")
STORES = ("copy_out", "store", "atomic_add", "atomic_max", "atomic_min", "scatter")
ANY_LOCATION = ("L0A", "L0B", "L0C", "L1", "UB", "BT", "FIX")
OTHER_LOCATION = {"L0A": "L0B", "L0B": "L0A", "L1": "UB", "UB": "L1", "BT": "L1"}
LARGER = 4096


@dataclass(frozen=True)
class Mutant:
    """One mistake: what stood at `line`, what stands there now, and the whole text."""

    operator: str
    line: int
    before: str
    after: str
    text: str


@dataclass(frozen=True)
class Edit:
    """`node` of the source is to be replaced by `text`."""

    node: ast.AST
    text: str


Operator = Callable[[ast.FunctionDef], Iterator[Edit]]


def called(node: ast.AST) -> str:
    """The last name of what a call calls; "" for anything else."""
    if not isinstance(node, ast.Call):
        return ""
    function = node.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def calls(kernel: ast.FunctionDef, *names: str) -> Iterator[ast.Call]:
    for node in ast.walk(kernel):
        if called(node) in names:
            yield node


def module_of(call: ast.Call) -> str:
    """`asc2` of `asc2.copy_in(...)`."""
    return ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else "asc2"


def argument(call: ast.Call, name: str, position: int) -> ast.expr | None:
    """The argument given by keyword or at a position."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    given = call.args[position] if len(call.args) > position else None
    return None if isinstance(given, ast.Starred) else given


def elements(node: ast.expr | None) -> list[ast.expr]:
    return list(node.elts) if isinstance(node, ast.List | ast.Tuple) else []


def without_keyword(call: ast.Call, name: str) -> Iterator[Edit]:
    """The call without one of its keywords, where it has it."""
    kept = [keyword for keyword in call.keywords if keyword.arg != name]
    if len(kept) != len(call.keywords):
        yield Edit(call, ast.unparse(ast.Call(call.func, call.args, kept)))


def offset_by_one_tile(kernel: ast.FunctionDef) -> Iterator[Edit]:
    """Each offset that is no constant, moved by the tile's extent in that dimension."""
    for call in calls(kernel, *LOADS):
        shape = elements(argument(call, "shape", 2 if called(call) == "copy_in" else 1))
        offsets = elements(argument(call, "offsets", 1 if called(call) == "copy_in" else 2))
        for offset, extent in zip(offsets, shape, strict=False):
            if not isinstance(offset, ast.Constant):
                yield Edit(offset, f"{ast.unparse(offset)} + {ast.unparse(extent)}")
    for call in calls(kernel, *STORES):
        offsets = elements(argument(call, "offsets", 2))
        tile = argument(call, "src", 0)
        for index, offset in enumerate(offsets):
            if isinstance(offset, ast.Constant) or tile is None:
                continue
            is_last = index == len(offsets) - 1
            extent = f"({ast.unparse(tile)}).shape[-1]" if is_last else "1"
            yield Edit(offset, f"{ast.unparse(offset)} + {extent}")
    for call in calls(kernel, *LOADS, *STORES):
        for number in elements(argument(call, "tile_id", 99)):
            yield Edit(number, f"{ast.unparse(number)} + 1")


def forgotten_real_shape(kernel: ast.FunctionDef) -> Iterator[Edit]:
    """A copy or a gather without the real extent of its tail."""
    for call in calls(kernel, *LOADS, *STORES, "gather"):
        yield from without_keyword(call, "real_shape")
        yield from without_keyword(call, "num_indices")


def wrong_location(kernel: ast.FunctionDef) -> Iterator[Edit]:
    """A tile in the memory that its users cannot read."""
    for call in calls(kernel, *LOADS):
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        named = {node: name for node in given if (name := location_named(node))}
        for node, name in named.items():
            if name in OTHER_LOCATION:
                other = OTHER_LOCATION[name]
                yield Edit(node, f"{module_of(call)}.TensorLocation.{other}")
        if not named and elements(argument(call, "shape", 2)):
            place = ast.parse(f"{module_of(call)}.TensorLocation.L1", mode="eval").body
            keywords = [*call.keywords, ast.keyword("location", place)]
            yield Edit(call, ast.unparse(ast.Call(call.func, call.args, keywords)))


def location_named(node: ast.AST) -> str | None:
    """The location that an expression names: `TensorLocation.L1`, "L1", or a global L1."""
    name = None
    if isinstance(node, ast.Attribute):
        name = node.attr
    elif isinstance(node, ast.Name):
        name = node.id
    elif isinstance(node, ast.Constant):
        name = node.value
    return name if isinstance(name, str) and name in ANY_LOCATION else None


def missing_pad(kernel: ast.FunctionDef) -> Iterator[Edit]:
    """A load that leaves its tail undefined."""
    for call in calls(kernel, *LOADS, "gather"):
        yield from without_keyword(call, "pad_value")


def missing_barrier(kernel: ast.FunctionDef) -> Iterator[Edit]:
    """A loop without its gm_barrier, phases without their sync_all."""
    for call in calls(kernel, "range"):
        yield from without_keyword(call, "gm_barrier")
    for statement in ast.walk(kernel):
        if isinstance(statement, ast.Expr) and called(statement.value) == "sync_all":
            yield Edit(statement, "pass")


def tile_too_large(kernel: ast.FunctionDef) -> Iterator[Edit]:
    """A compile-time tile extent that no memory holds."""
    first = first_statement(kernel)
    parameters = [*kernel.args.args, *kernel.args.kwonlyargs]
    for parameter in parameters:
        is_constant = parameter.annotation and "ConstExpr" in ast.unparse(parameter.annotation)
        if is_constant and parameter.arg.startswith("tile") and isinstance(first, ast.Assign):
            enlarged = f"{parameter.arg} = {parameter.arg} * {LARGER}"
            yield Edit(first, f"{enlarged}; {ast.unparse(first)}")
    for call in calls(kernel, "copy_in", "full", "zeros", "zeros_acc"):
        shape = elements(argument(call, "shape", 2 if called(call) == "copy_in" else 0))
        if shape:
            yield Edit(shape[-1], f"{ast.unparse(shape[-1])} * {LARGER}")


def first_statement(kernel: ast.FunctionDef) -> ast.stmt:
    body = kernel.body
    return body[1] if ast.get_docstring(kernel) and len(body) > 1 else body[0]


def overlapping_blocks(kernel: ast.FunctionDef) -> Iterator[Edit]:
    """Two blocks on one share; every block on all shares from its own on."""
    for call in calls(kernel, "block_idx"):
        yield Edit(call, f"({ast.unparse(call)} // 2)")
    for call in calls(kernel, "block_num"):
        yield Edit(call, "1")


def wrong_stride(kernel: ast.FunctionDef) -> Iterator[Edit]:
    """A row length that is not the array's; rows and columns exchanged; a wrong loop step."""
    for call in calls(kernel, "global_tensor", "tensor"):
        shape = elements(argument(call, "shape", 1))
        if len(shape) < 2:
            continue
        yield Edit(shape[-1], f"{ast.unparse(shape[-1])} + 1")
        exchanged = [*shape[:-2], shape[-1], shape[-2]]
        node = argument(call, "shape", 1)
        yield Edit(node, f"[{', '.join(ast.unparse(extent) for extent in exchanged)}]")
    for call in calls(kernel, "range"):
        if len(call.args) == 3:
            yield Edit(call.args[2], f"{ast.unparse(call.args[2])} * 2")


def never_stored(kernel: ast.FunctionDef) -> Iterator[Edit]:
    """A store that is not there."""
    for statement in ast.walk(kernel):
        if isinstance(statement, ast.Expr) and called(statement.value) in STORES:
            yield Edit(statement, "pass")


OPERATORS: dict[str, Operator] = {
    "offset off by one tile": offset_by_one_tile,
    "forgotten real_shape": forgotten_real_shape,
    "wrong location": wrong_location,
    "missing pad": missing_pad,
    "missing barrier": missing_barrier,
    "tile too large": tile_too_large,
    "blocks overlap": overlapping_blocks,
    "wrong stride": wrong_stride,
    "output never stored": never_stored,
}


def kernels_of(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """The functions with a decorator `jit` or `jit(...)`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            decorators = (d.func if isinstance(d, ast.Call) else d for d in node.decorator_list)
            if any(ast.unparse(d).rpartition(".")[2] == "jit" for d in decorators):
                yield node


def apply(source: str, edit: Edit) -> str:
    """The source with one node replaced; the lines that the node had stay."""
    lines = source.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode()))
    raw = source.encode()
    node = edit.node
    begin = starts[node.lineno - 1] + node.col_offset
    end = starts[node.end_lineno - 1] + node.end_col_offset
    spare = "\n" * (raw[begin:end].count(b"\n") - edit.text.count("\n"))
    inside = isinstance(node, ast.expr) and spare
    text = f"({edit.text}{spare})" if inside else edit.text + spare
    return (raw[:begin] + text.encode() + raw[end:]).decode()


def mutants_of(source: str) -> Iterator[Mutant]:
    """Every mutant of a source text, by operator and place."""
    tree = ast.parse(source)
    for name, operator in OPERATORS.items():
        for kernel in kernels_of(tree):
            for edit in operator(kernel):
                before = ast.unparse(edit.node)
                yield Mutant(name, edit.node.lineno, before, edit.text, apply(source, edit))
