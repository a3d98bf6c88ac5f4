"""The exception classes: what they are caught as, their text, their way to another process."""

import pickle

import ascemu
import pytest
from ascemu import _core, errors


def diagnostic():
    return _core.make_diagnostic("read-out-of-bounds", "x_gm is read past its end")


@pytest.mark.parametrize(
    ("kind", "bases"),
    [
        (errors.CodegenError, ()),
        (errors.UnsupportedSyntaxError, (errors.CodegenError,)),
        (errors.KernelError, (RuntimeError,)),
        (errors.BinaryOperandTypeError, (TypeError,)),
        (errors.OffsetsError, (ValueError, RuntimeError)),
    ],
)
def test_classes(kind, bases):
    assert all(issubclass(kind, base) for base in (*bases, Exception))
    error = kind("words")
    assert str(error) == "words"
    assert error.diagnostic is None
    assert error.args == ("words",)


def test_text_is_the_diagnostics():
    finding = diagnostic()
    error = errors.KernelError("words", diagnostic=finding)
    assert error.diagnostic is finding
    assert str(error) == str(finding)
    error = errors.KernelError("words")
    error.diagnostic = finding
    assert str(error) == str(finding)


def test_a_pickled_copy_has_the_text():
    error = errors.CodegenError("words", diagnostic=diagnostic())
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is errors.CodegenError
    assert str(copy) == str(error)
    assert copy.diagnostic is None


def test_limits_of_ascemu():
    error = errors.not_supported_here("x is not available.", "Leave x out.")
    assert type(error) is NotImplementedError
    assert isinstance(error.diagnostic, ascemu.Diagnostic)
    assert (error.diagnostic.code, error.diagnostic.help) == ("not-supported-here", "Leave x out.")
