"""Which names a piece of code re-binds, found before it is traced.

What it is: a walk over the statements of a runtime `if` or loop. A compile-time `if` counts with
the branch it will take, as far as its condition can be told without running anything.
What it is not: the truth, which only the trace itself finds; loops.py corrects a wrong guess.
Invariant: evaluating a condition here has no effect: no operation, no call but a few pure builtins.
"""

from __future__ import annotations

import ast
import functools
import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any

_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}
_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_PURE_CALLS = (isinstance, issubclass, len)
_PLAIN = (bool, int, float, str, type(None))
_READ_ONLY_ATTRIBUTES = ("dtype", "shape", "rank", "size")


class Unknown(Exception):
    """The value cannot be told before the code is traced."""


class Runtime:
    """The value of what is only known at run time."""


def names_bound(statements: Iterable[ast.AST]) -> frozenset[str]:
    """Every name that an assignment or loop in `statements` may bind, whatever is taken."""
    return _names_bound(tuple(statements))


def names_read(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """Every name that is read anywhere in `nodes`."""
    return _names_read(tuple(nodes))


@functools.lru_cache(maxsize=1024)
def _names_bound(statements: tuple[ast.AST, ...]) -> frozenset[str]:
    found: set[str] = set()
    for statement in statements:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
    return frozenset(found)


@functools.lru_cache(maxsize=1024)
def _names_read(nodes: tuple[ast.AST, ...]) -> frozenset[str]:
    found: set[str] = set()
    for root in nodes:
        for node in ast.walk(root):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                found.add(node.id)
            elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                found.add(node.target.id)
    return frozenset(found)


class RebindingWalk:
    """The names that survive a region and are re-bound in it: name -> whether that is certain."""

    def __init__(
        self,
        lookup: Callable[[str], Any],
        is_runtime: Callable[[Any], bool],
        unrolls: Callable[[Any], bool],
    ) -> None:
        """`lookup` gives a name's present value or raises Unknown, `is_runtime` tells IR values,
        `unrolls` tells static_range and its subclasses."""
        self._lookup = lookup
        self._is_runtime = is_runtime
        self._unrolls = unrolls
        self._changing: frozenset[str] = frozenset()
        self._runtime_names: set[str] = set()

    def walk(
        self, statements: list[ast.stmt], runtime_names: Iterable[str] = ()
    ) -> dict[str, bool]:
        """`runtime_names`: induction variables, which have no value before the trace."""
        self._runtime_names = set(runtime_names)
        self._changing = names_bound(statements)
        found: dict[str, bool] = {}
        for name, certain in self._statements(statements):
            found[name] = found.get(name, False) or certain
        return found

    def _statements(self, statements: Iterable[ast.stmt]) -> Iterator[tuple[str, bool]]:
        for statement in statements:
            if isinstance(statement, ast.Assign):
                for target in statement.targets:
                    yield from ((name, True) for name in _target_names(target))
            elif isinstance(statement, (ast.AugAssign, ast.AnnAssign)):
                yield from ((name, True) for name in _target_names(statement.target))
            elif isinstance(statement, ast.If):
                yield from self._if(statement)
            elif isinstance(statement, ast.For):
                yield from self._for(statement)
            elif isinstance(statement, ast.While):
                yield from self._statements(statement.body)
            elif isinstance(statement, ast.Return):
                return

    def _if(self, statement: ast.If) -> Iterator[tuple[str, bool]]:
        try:
            condition = self._value(statement.test)
        except Unknown:
            for name, _ in self._statements([*statement.body, *statement.orelse]):
                yield name, False
            return
        if condition is Runtime:
            yield from self._statements([*statement.body, *statement.orelse])
        elif isinstance(condition, (bool, int, float, type(None))):
            yield from self._statements(statement.body if condition else statement.orelse)

    def _for(self, statement: ast.For) -> Iterator[tuple[str, bool]]:
        unrolled = False
        if isinstance(statement.iter, ast.Call):
            try:
                unrolled = self._unrolls(self._value(statement.iter.func))
            except Unknown:
                unrolled = False
        own = set() if unrolled else set(_target_names(statement.target))
        if unrolled:
            yield from ((name, False) for name in _target_names(statement.target))
        for name, certain in self._statements(statement.body):
            if name not in own:
                yield name, certain and not unrolled

    def _value(self, node: ast.AST) -> Any:
        """The value of an expression, Runtime, or Unknown raised."""
        try:
            return self._evaluate(node)
        except Unknown:
            raise
        except Exception as error:
            raise Unknown from error

    def _evaluate(self, node: ast.AST) -> Any:
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            if node.id in self._changing:
                raise Unknown
            return Runtime if node.id in self._runtime_names else self._lookup(node.id)
        if isinstance(node, ast.Attribute):
            base = self._evaluate(node.value)
            if self._is_runtime(base) and node.attr not in _READ_ONLY_ATTRIBUTES:
                raise Unknown
            return getattr(base, node.attr) if base is not Runtime else Runtime
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
            value = self._evaluate(node.operand)
            if self._is_runtime(value):
                return Runtime
            return (not value) if isinstance(node.op, ast.Not) else -_plain(value)
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            return self._compare(node)
        if isinstance(node, ast.BoolOp) and len(node.values) == 2:
            left, right = (self._evaluate(value) for value in node.values)
            if self._is_runtime(left) or self._is_runtime(right):
                return Runtime
            either = isinstance(node.op, ast.Or)
            return bool(left) or bool(right) if either else bool(left) and bool(right)
        if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
            left, right = self._evaluate(node.left), self._evaluate(node.right)
            if self._is_runtime(left) or self._is_runtime(right):
                return Runtime
            return _ARITHMETIC[type(node.op)](_plain(left), _plain(right))
        if isinstance(node, ast.Call) and not node.keywords:
            function = self._evaluate(node.func)
            if any(function is pure for pure in _PURE_CALLS):
                return function(*(self._evaluate(argument) for argument in node.args))
        raise Unknown

    def _compare(self, node: ast.Compare) -> Any:
        left, right = self._evaluate(node.left), self._evaluate(node.comparators[0])
        compare = _COMPARISONS.get(type(node.ops[0]))
        if compare is None:
            raise Unknown
        if compare in (operator.is_, operator.is_not):
            return compare(left, right)
        if self._is_runtime(left) or self._is_runtime(right):
            return Runtime
        return compare(left, right)


def _plain(value: Any) -> Any:
    if not isinstance(value, _PLAIN):
        raise Unknown
    return value


def _target_names(target: ast.AST) -> list[str]:
    if isinstance(target, ast.Name):
        return [target.id]
    if isinstance(target, ast.Tuple):
        return [element.id for element in target.elts if isinstance(element, ast.Name)]
    return []
