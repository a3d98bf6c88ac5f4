"""Capture of kernel sources: what is refused, and positions in the real file (spec asc2 §1.1)."""

import functools
from pathlib import Path

import pytest
from ascemu.dropin import asc2
from ascemu.frontend.capture import capture


def plain(a, b):
    """A kernel."""
    return a + b


async def coroutine(a):
    pass


class Owner:
    def method(self, a):
        pass

    @staticmethod
    def free(a):
        return a


def decorated_by(function):
    @functools.wraps(function)
    def replaced(*args):
        return function(*args)

    return replaced


@decorated_by
def wrapped(a):
    return a


def position(source, text):
    """Line and column of the first occurrence of `text` in this file."""
    for number, line in enumerate(Path(__file__).read_text(encoding="utf-8").splitlines(), 1):
        if text in line:
            return number, line.index(text)
    raise AssertionError(text)


def test_positions_are_those_of_the_file():
    source = capture(plain)
    assert source.name == "plain"
    assert source.path == __file__
    result = source.node.body[-1].value
    assert (result.lineno, result.col_offset) == position(source, "a + b")


def test_positions_of_an_indented_function():
    def inner(a):
        return a * 7

    source = capture(inner)
    result = source.node.body[0].value
    assert (result.lineno, result.col_offset) == position(source, "a * 7")


def test_decorators_are_dropped():
    @asc2.jit(
        always_compile=True,
    )
    def kernel(a):
        return a * 9

    result = kernel.source.node.body[0].value
    assert (result.lineno, result.col_offset) == position(kernel.source, "a * 9")


@pytest.mark.parametrize(
    "value",
    [lambda a: a, Owner.method, Owner().method, Owner, len, 3, functools.partial(plain, 1)],
)
def test_what_is_no_plain_function(value):
    with pytest.raises(TypeError, match="applicable to functions only"):
        asc2.jit(value)


def test_static_methods_are_plain_functions():
    assert capture(Owner.free).name == "free"


def test_coroutines_are_refused():
    with pytest.raises(RuntimeError, match="Unexpected function definition"):
        asc2.jit(coroutine)


def test_a_function_without_source():
    scope = {}
    exec("def kernel(a):\n    pass\n", scope)
    with pytest.raises(OSError, match="the source of 'kernel' cannot be found"):
        asc2.jit(scope["kernel"])


def test_functools_wraps_does_not_mislead():
    assert capture(wrapped).node.name == "replaced"
