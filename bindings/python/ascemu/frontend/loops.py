"""Lowering of `for` and `while` (spec asc2 §2.6, 2.7).

What it is: unrolling of static_range, runtime loops and the names they carry. A name is carried
when the body re-binds it; that is guessed before the body is traced (rebinding.py), verified after,
and a wrong guess starts the trace again with the right one.
What it is not: what a device compiler makes of it: hazards get Python's meaning and a warning.
Invariant: inside the body a carried name is read through its variable, which is assigned only at
the end of the body, all names in parallel.
"""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass
from typing import Any

from ascemu.frontend import language
from ascemu.frontend.branches import assign_variables
from ascemu.frontend.calls import call_arguments
from ascemu.frontend.faults import Respecialise, annotated, refuse
from ascemu.frontend.lowering import STATEMENTS, Lowering, lowers
from ascemu.frontend.names import Missing
from ascemu.frontend.rebinding import RebindingWalk, Runtime, Unknown, names_read
from ascemu.frontend.scope import Scope
from ascemu.frontend.statements import bind

_ONLY_RANGES = (
    "Only for-loops with range or asc.language.range or asc.language.static_range are supported"
)


@dataclass
class Carried:
    """A name that a runtime loop carries from one iteration to the next."""

    name: str
    initial: Any
    variable: Any  # the builder's
    entry: Any  # what the body reads before it re-binds the name
    certain: bool


@lowers(STATEMENTS, ast.For)
def lower_for(lowering: Lowering, node: ast.For) -> None:
    if node.orelse:
        lowering.at(node.orelse[0])
        raise refuse("'else' of a for-loop is not supported in JIT function")
    if not isinstance(node.target, ast.Name):
        lowering.at(node.target)
        raise refuse("the target of a for-loop must be a name")
    if not isinstance(node.iter, ast.Call):
        lowering.at(node.iter)
        error = AttributeError(f"{_ONLY_RANGES}, got {type(node.iter).__name__}")
        raise annotated(error, "unsupported-syntax")
    callee = lowering.expression(node.iter.func)
    lowering.at(node.iter.func)
    static = isinstance(callee, type) and issubclass(callee, language.static_range)
    if not static and not (
        isinstance(callee, type) and issubclass(callee, (language.range, builtins.range))
    ):
        raise refuse(_ONLY_RANGES)
    for argument in node.iter.args:
        if isinstance(argument, ast.Starred):
            lowering.at(argument)
            raise refuse("star arguments are not supported in the range of a for-loop")
    args, kwargs = call_arguments(lowering, node.iter)
    lowering.at(node.iter)
    if static:
        _unroll(lowering, node, callee(*args, **kwargs))
    else:
        kind = language.range if issubclass(callee, builtins.range) else callee
        _runtime_for(lowering, node, kind(*args, **kwargs))


def _unroll(lowering: Lowering, node: ast.For, values: Any) -> None:
    assert isinstance(node.target, ast.Name)
    for value in values:
        bind(lowering, node.target.id, value, node.target)
        lowering.statements(node.body)
        if lowering.frame.returned:
            return


def _runtime_for(lowering: Lowering, node: ast.For, bounds: Any) -> None:
    assert isinstance(node.target, ast.Name)
    builder = lowering.builder
    limits = [language.loop_bound(value) for value in (bounds.start, bounds.stop, bounds.step)]
    target = node.target.id
    loop = RuntimeLoop(lowering, node, induction=target)
    lowering.at(node, node.iter)
    induction = builder.begin_for(*limits, bounds.unroll_factor, bounds.gm_barrier)
    unrolls = bounds.unroll_factor > 1
    if unrolls and lowering.unrolled_loops:
        lowering.warn(
            node,
            f"this loop and the one at line {lowering.unrolled_loops[-1]} around it both have an "
            "unroll_factor; a device compiler does not unroll nested loops",
            help="Unroll the inner loop only.",
            end=node.iter,
        )
    lowering.unrolled_loops += [node.lineno] if unrolls else []
    older = language.first_generation_accesses()
    with loop:
        bind(lowering, target, language.wrap(induction), node.target)
        lowering.statements(node.body)
        loop.close_body()
    if unrolls:
        lowering.unrolled_loops.pop()
    lowering.at(node, node.iter)
    is_older = language.first_generation_accesses() > older
    builder.end_for(is_older and not bounds.is_parallel)
    loop.leave()


@lowers(STATEMENTS, ast.While)
def lower_while(lowering: Lowering, node: ast.While) -> None:
    if node.orelse:
        lowering.at(node.orelse[0])
        raise refuse("'else' of a while-loop is not supported in JIT function")
    builder = lowering.builder
    lowering.at(node, node.test)
    loop = RuntimeLoop(lowering, node)
    frozen = sorted(names_read([node.test]) & loop.carried.keys())
    if frozen:
        lowering.warn(
            node.test,
            "the condition of this while-loop reads "
            + ", ".join(f"'{name}'" for name in frozen)
            + ", which the body re-binds; a device compiler evaluates it with the values from "
            "before the loop",
            help="Use a for-loop over range.",
        )
    lowering.at(node, node.test)
    builder.begin_while()
    with loop:
        test = lowering.expression(node.test)
        lowering.at(node.test)
        condition = language.condition(builder, test)
        builder.while_condition(
            builder.to_condition(condition) if isinstance(condition, bool) else condition
        )
        lowering.statements(node.body)
        loop.close_body()
    lowering.at(node, node.test)
    builder.end_while()
    loop.leave()


class RuntimeLoop:
    """The scope and the carried names of one runtime loop while it is traced."""

    def __init__(self, lowering: Lowering, node: ast.For | ast.While, induction: str = "") -> None:
        """Makes the variables, at the present position, before the loop is opened."""
        self._lowering = lowering
        self._node = node
        self._induction = induction
        self._here = lowering.occurrence(node)
        self._outer: Scope = lowering.frame.scope
        self._inner: Scope = self._outer
        self._rebound: list[str] = []
        self.carried = self._guess()
        self._tell_shared_values()

    def __enter__(self) -> None:
        frame = self._lowering.frame
        self._inner = frame.scope = self._outer.child()
        for name, carried in self.carried.items():
            self._inner.names[name] = carried.entry
        frame.region_depth += 1

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if error is None:
            frame = self._lowering.frame
            frame.region_depth -= 1
            frame.scope = self._outer
        elif isinstance(error, Exception):
            self._doubt(error)

    def close_body(self) -> None:
        """Verify the guess and assign the new values; called at the end of the body."""
        inner, outer = self._inner, self._outer
        self._rebound = [
            name for name in inner.bound if name in outer.names and name != self._induction
        ]
        for name in self._rebound:
            if name not in self.carried and language.can_vary(self._value(outer.names[name])):
                self._learn({name: True})
        wrong = {name: False for name in self.carried if name not in self._rebound}
        if wrong:
            self._learn(wrong)
        self._tell_rotations()
        variables = {name: carried.variable for name, carried in self.carried.items()}
        assign_variables(self._lowering, outer, inner, self._rebound, variables)
        self._tell_folded_numbers()

    def leave(self) -> None:
        """After the loop: carried names are IR values, names first bound in the body are gone."""
        self._outer.lose(self._inner, "runtime loop", self._node.lineno, self._rebound)
        for name in self._rebound:
            value = language.wrap(self.carried[name].variable)
            self._outer.bind(name, value, self._inner.bound[name])

    def _guess(self) -> dict[str, Carried]:
        lowering = self._lowering
        walk = RebindingWalk(
            self._lookup,
            lambda value: value is Runtime or language.is_ir(value),
            lambda value: isinstance(value, type) and issubclass(value, language.static_range),
        )
        runtime_names = [self._induction] if self._induction else []
        candidates = walk.walk(self._node.body, runtime_names)
        for name in lowering.guesses.names(self._here, True):
            candidates.setdefault(name, False)
        carried = {}
        for name, certain in candidates.items():
            if lowering.guesses.about(self._here, name) is False:
                continue
            if name == self._induction or name not in self._outer.names:
                continue
            initial = self._value(self._outer.names[name])
            if not language.can_vary(initial):
                continue
            variable = language.variable(lowering.builder, initial, name)
            entry = language.entry_value(variable, initial)
            carried[name] = Carried(name, initial, variable, entry, certain)
        return carried

    def _lookup(self, name: str) -> Any:
        value = self._lowering.names.peek(self._lowering.frame, name)
        if value is Missing:
            raise Unknown
        return value

    @staticmethod
    def _value(value: Any) -> Any:
        return language.unwrap_constexpr(value)

    def _learn(self, guesses: dict[str, bool]) -> None:
        """Remember what is carried and start again, unless that was tried before."""
        known = self._lowering.guesses
        news = [
            name
            for name, guess in guesses.items()
            if known.exact(self._here, name) not in (guess, True)
        ]
        for name in news:
            known.learn(self._here, name, guesses[name])
        if news:
            raise Respecialise

    def _doubt(self, error: Exception) -> None:
        """An error in a body with uncertain names may come from a wrong guess: try without them."""
        doubtful = {
            name: False
            for name, carried in self.carried.items()
            if not carried.certain and name not in self._inner.bound
        }
        self._learn(doubtful)

    def _tell_shared_values(self) -> None:
        """Hazard 2: a device compiler redirects reads of another name for a carried value."""
        read = names_read(self._node.body)
        for name, carried in self.carried.items():
            if not language.is_ir(carried.initial):
                continue
            for other, value in self._outer.names.items():
                shared = other != name and value is carried.initial
                if shared and (other in self.carried or other in read):
                    self._lowering.warn(
                        self._node,
                        f"'{name}' and '{other}' hold the same value when this loop begins, and "
                        f"'{name}' is re-bound in it; a device compiler mixes them up",
                        help="Give each name a value of its own before the loop.",
                        end=self._header_end(),
                    )
                    break

    def _tell_folded_numbers(self) -> None:
        """Hazard 1: a device compiler folds a Python number that the loop is meant to change."""
        for name, carried in self.carried.items():
            read = self._lowering.carried_reads.get(id(carried.entry))
            if read is not None:
                self._lowering.warn(
                    read[1],
                    f"'{name}' is a Python number that the loop re-binds; a device compiler reads "
                    "its initial value in every iteration",
                    help=f"Start from an IR value, as in {name} = asc2.number(..., asc2.int32).",
                )

    def _tell_rotations(self) -> None:
        """Hazard 3: a device compiler hands on the initial value of the name on the right."""
        entries = {id(carried.entry): name for name, carried in self.carried.items()}
        for name in self._rebound:
            origin = entries.get(id(self._inner.names[name]))
            if origin is not None and origin != name:
                self._lowering.warn(
                    self._inner.bound[name],
                    f"'{name}' takes the value that '{origin}' had when the iteration began; a "
                    "device compiler hands on the value from before the loop instead",
                    help="Make a new value, for example by adding zero.",
                )

    def _header_end(self) -> ast.AST:
        return self._node.iter if isinstance(self._node, ast.For) else self._node.test
