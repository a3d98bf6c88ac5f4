"""`jit`: turns a Python function into a kernel that `kernel[n](...)` launches (spec asc2 §1).

What it is: the decorator, the JITFunction it makes and the short way of a launch that finds its
program in the cache. What it is not: classification (arguments.py) or execution (runner.py).
Invariant: a launch returns None; `kernel[n]` has no state but the kernel and n.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ascemu._core import Program
from ascemu.dsl.constexpr import ConstExpr
from ascemu.frontend.function import TraceableFunction
from ascemu.frontend.tracer import (
    RuntimeParameter,
    TracedKernel,
    inline_in_active_trace,
    is_tracing,
    trace,
)
from ascemu.launch import memory, runner
from ascemu.launch import options as jit_options
from ascemu.launch.arguments import Marshalled, describe, kind_of, unsupported
from ascemu.launch.cache import Uncacheable, Watch, key_of
from ascemu.launch.mock import MockTensor, MockValue
from ascemu.launch.refusal import refused
from ascemu.policy import Policy

_LAUNCH_FORM = "Parse user launch options failed"
_CACHED_PROGRAMS = 512


class Specialisation:
    """A finished program, what its trace read outside the kernel, and what it warned of."""

    __slots__ = ("program", "watch", "findings")

    def __init__(self, program: Program, watch: Watch) -> None:
        self.program = program
        self.watch = watch
        self.findings = list(program.findings)


class JITFunction(TraceableFunction):
    """A kernel: launched with `kernel[n](...)`, inlined when a kernel calls it.

    Called without `[...]` on the host it runs the plain Python body, whose first operation raises
    RuntimeError.
    """

    def __init__(self, fn: Any, options: Mapping[str, Any], namespace: str = "asctile") -> None:
        super().__init__(fn)
        self.options = jit_options.merged(options)
        self.namespace = namespace
        jit_options.check_parameters(fn.__name__, self.signature.parameters)
        self._call_options = jit_options.ALL_OPTIONS.keys() - self.signature.parameters.keys()
        functools.update_wrapper(self, fn)
        self.__signature__ = self.signature
        self.launch_options: tuple[Any, Any] = (self.options["core_num"], self.options["stream"])
        self.launches = 0  # begun, whatever became of them
        self._programs: dict[Any, Specialisation] = {}
        self._last_read: dict[tuple[int, str], Watch] = {}

    def __getitem__(self, launch: Any) -> BoundKernel:
        """`kernel[core_num]` or `kernel[core_num, stream]`; TypeError for longer tuples."""
        if not isinstance(launch, tuple):
            launch = (launch,)
        if not 1 <= len(launch) <= 2:
            raise TypeError(
                f"{_LAUNCH_FORM}: kernel[core_num] or kernel[core_num, stream] is expected, "
                f"got {len(launch)} values"
            )
        core_num = launch[0]
        stream = launch[1] if len(launch) == 2 else self.options["stream"]
        self.launch_options = (core_num, stream)
        return BoundKernel(self, core_num)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if is_tracing():
            return inline_in_active_trace(self, args, kwargs)
        return self.fn(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<kernel {self.fn.__qualname__}>"

    def launch(self, core_num: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        """One launch; what it raises has a `.diagnostic` and is delivered to collectors."""
        self.launches += 1
        try:
            self._launch(core_num, args, kwargs)
        except Exception as error:
            failure = refused(error, self.__name__)
            if not hasattr(failure, "diagnostics"):
                runner.deliver_refusal(failure)
            if failure is error:
                raise
            raise failure from error

    def _launch(self, core_num: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        """Bind, classify, find or make the program, run it."""
        overrides: dict[str, Any] = {}
        if kwargs:
            overrides = {k: v for k, v in kwargs.items() if k in self._call_options}
            kwargs = {k: v for k, v in kwargs.items() if k not in overrides}
            core_num = overrides.pop("core_num", core_num)
            overrides.pop("stream", None)
        target = runner.present_target(self.namespace)
        policy = target.policy(
            overrides.pop("numerics", self.options["numerics"]),
            overrides.pop("overflow", self.options["overflow"]),
        )
        constants, values, key = self._classify(args, kwargs, policy)
        if overrides and key is not None:
            try:
                key += tuple([(name, key_of(value)) for name, value in overrides.items()])
            except Uncacheable:
                key = None
        found = self._programs.get(key) if key is not None else None
        changed = None if found is None else found.watch.check()
        if found is None or changed is not None:
            found = self._specialise(constants, values, overrides, policy, key)
        self._run_launcher(found, core_num, values, target)

    def _bind(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[tuple[Any, Any]]:
        """The given parameters and values, in order; defaults are not applied (spec §1.3)."""
        parameters = self.parameters
        if not kwargs and len(args) == len(parameters) and self._is_plain_signature:
            return list(zip(parameters, args, strict=True))
        arguments = self.signature.bind(*args, **kwargs).arguments
        by_name = {parameter.name: parameter for parameter in parameters}
        return [(by_name[name], value) for name, value in arguments.items()]

    @functools.cached_property
    def _is_plain_signature(self) -> bool:
        return all(
            parameter.kind is parameter.POSITIONAL_OR_KEYWORD
            for parameter in self.signature.parameters.values()
        )

    def _classify(
        self, args: Sequence[Any], kwargs: Mapping[str, Any], key: tuple[Any, ...]
    ) -> tuple[dict[str, Any], dict[str, Any], tuple[Any, ...] | None]:
        """Constants, runtime values and the cache key (None: not to be cached)."""
        constants: dict[str, Any] = {}
        values: dict[str, Any] = {}
        parts: list[Any] = list(key)
        cacheable = True
        for parameter, value in self._bind(args, kwargs):
            if isinstance(value, ConstExpr):
                value = value.value
            elif parameter.is_constant:
                parameter.check_constant(value)
            else:
                kind = kind_of(value)
                if kind is None:
                    raise unsupported(parameter.name, value)
                values[parameter.name] = value
                parts.append(kind)
                continue
            constants[parameter.name] = value
            try:
                parts.append((parameter.name, key_of(value)))
            except Uncacheable:
                cacheable = False
        if len(constants) + len(values) != len(self.parameters):
            parts.append(tuple(constants.keys() | values.keys()))
        return constants, values, tuple(parts) if cacheable else None

    def _specialise(
        self,
        constants: Mapping[str, Any],
        values: Mapping[str, Any],
        overrides: Mapping[str, Any],
        policy: Policy,
        key: Any,
    ) -> Any:
        """Trace and finish the program for these constants, dtypes and options."""
        options = {**self.options, **overrides}
        parameters = [describe(name, value) for name, value in values.items()]
        traced = self._trace(constants, parameters, options, policy)
        compiled = self._run_compiler(traced, options, policy)
        if not isinstance(compiled, Program):
            return compiled
        memory.note(compiled)
        self._tell_changes(traced)
        watch = Watch(traced.dependencies)
        specialisation = Specialisation(compiled, watch)
        caching = not options["always_compile"] and watch.cacheable
        if key is not None and caching:
            if len(self._programs) >= _CACHED_PROGRAMS:
                self._programs.pop(next(iter(self._programs)))
            self._programs[key] = specialisation
        return specialisation

    def _trace(
        self,
        constants: Mapping[str, Any],
        parameters: Sequence[RuntimeParameter],
        options: Mapping[str, Any],
        policy: Policy,
    ) -> TracedKernel:
        return trace(self, constants, parameters, options, policy, self.namespace)

    def _run_compiler(
        self, traced: TracedKernel, options: Mapping[str, Any], policy: Policy
    ) -> Program:
        """What a device compiler would do: check the options, finish the program."""
        jit_options.check_compile_options(options, policy.chip)
        traced.builder.set_allocation(*jit_options.allocation_of(options))
        return traced.finish()

    def _run_launcher(
        self,
        compiled: Specialisation,
        core_num: Any,
        values: Mapping[str, Any],
        target: runner.Target,
    ) -> None:
        """Run a specialisation; `core_num` is only judged here, after compilation (spec §1.2)."""
        marshalled = Marshalled()
        for name, value in values.items():
            marshalled.add(name, value)
        marshalled.check_overlaps()
        blocks = runner.block_count(core_num, compiled.program, target)
        runner.deliver_static(compiled.findings)
        if marshalled.is_mock or runner.is_dry_run():
            return
        runner.execute(compiled.program, marshalled, blocks, target)

    def _tell_changes(self, traced: TracedKernel) -> None:
        """Tell of what earlier traces of this kernel read with another value (spec §12.8)."""
        watches = {
            (id(dependency.holder), dependency.name): Watch([dependency])
            for dependency in traced.dependencies
        }
        changes = [
            change
            for place, before in self._last_read.items()
            if place in watches and (change := before.check()) is not None
        ]
        runner.deliver_static([runner.changed_global(self.source, change) for change in changes])
        self._last_read.update(watches)


class BoundKernel:
    """A kernel with the number of its blocks, ready to be called."""

    __slots__ = ("kernel", "core_num")

    def __init__(self, kernel: JITFunction, core_num: Any) -> None:
        self.kernel = kernel
        self.core_num = core_num

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        self.kernel.launch(self.core_num, args, kwargs)


def make_jit(namespace: str) -> Callable[..., Any]:
    """The decorator `jit` of one namespace ("asc2", "asctile", "asc")."""

    def jit(fn: Any = None, **options: Any) -> Any:
        """Make a kernel of a function; bare, or with options (spec asc2 §1.7).

        TypeError for what is no plain function, RuntimeError for an unknown option or a parameter
        named like one, ValueError for an unknown numeric mode, OSError where the source cannot be
        found.
        """
        jit_options.merged(options)
        if fn is None:
            return lambda function: JITFunction(function, options, namespace)
        return JITFunction(fn, options, namespace)

    return jit


jit = make_jit("asctile")

__all__ = ["BoundKernel", "JITFunction", "MockTensor", "MockValue", "jit", "make_jit"]
