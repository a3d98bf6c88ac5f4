"""Capture of a kernel's source: the text, its place in the file and the tree of its one `def`.

What it is: `inspect` and `ast`, arranged so that every node keeps the line and column it has in the
real file. What it is not: lowering.
Invariant: `Source.node` is exactly one plain `def`; its decorators are never looked at.
"""

from __future__ import annotations

import ast
import inspect
import types
from dataclasses import dataclass

from ascemu.dsl.faults import wrong_type


@dataclass(frozen=True)
class Source:
    """A function that kernels are made from, with positions of the file it stands in."""

    function: types.FunctionType
    path: str
    text: str
    first_line: int
    node: ast.FunctionDef

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def header(self) -> ast.AST:
        """A node that stands where `def name` stands."""
        node = self.node
        end = node.col_offset + len(f"def {node.name}".encode())
        return ast.Pass(
            lineno=node.lineno,
            col_offset=node.col_offset,
            end_lineno=node.lineno,
            end_col_offset=end,
        )


def capture(function: object) -> Source:
    """The source of `function` (spec asc2 §1.1).

    TypeError for what is no plain function (lambdas, methods, classes, builtins), OSError where the
    source text cannot be found, RuntimeError where the text does not hold one plain `def`.
    """
    _require_plain_function(function)
    assert isinstance(function, types.FunctionType)
    try:
        lines, first_line = inspect.getsourcelines(function.__code__)
    except OSError as error:
        raise OSError(
            f"the source of '{function.__name__}' cannot be found; define kernels in a file, "
            "not in exec() or an interactive session"
        ) from error
    text = "".join(lines)
    return Source(
        function=function,
        path=inspect.getsourcefile(function.__code__) or function.__code__.co_filename,
        text=text,
        first_line=max(first_line, 1),
        node=_parse(function.__code__.co_name, text, max(first_line, 1)),
    )


def _require_plain_function(function: object) -> None:
    if not isinstance(function, types.FunctionType):
        kind = "a method" if isinstance(function, types.MethodType) else repr(type(function))
        raise wrong_type(f"@jit is applicable to functions only, got {kind}")
    if function.__name__ == "<lambda>":
        raise wrong_type("@jit is applicable to functions only, got a lambda; write a def")
    owner = function.__qualname__.rpartition(".")[0]
    parameters = function.__code__.co_varnames[: function.__code__.co_argcount]
    if owner and not owner.endswith("<locals>") and parameters[:1] in (("self",), ("cls",)):
        raise wrong_type(
            f"@jit is applicable to functions only; '{function.__qualname__}' is a method"
        )


def _parse(name: str, text: str, first_line: int) -> ast.FunctionDef:
    """The `def` in `text`, its positions those of the file.

    An indented function is parsed under a made-up `if`, so that its columns need no correction.
    """
    indented = text[:1] in (" ", "\t")
    try:
        module = ast.parse("if 1:\n" + text if indented else text)
    except SyntaxError as error:
        raise RuntimeError(f"Unexpected function definition of '{name}': {error.msg}") from error
    body = module.body
    if indented and isinstance(body[0], ast.If):
        body = body[0].body
    if len(body) != 1 or not isinstance(body[0], ast.FunctionDef) or body[0].name != name:
        raise RuntimeError(
            f"Unexpected function definition: the source of '{name}' must be exactly one plain def"
        )
    ast.increment_lineno(body[0], first_line - (2 if indented else 1))
    return body[0]
