"""The compiled builder from Python: conversions, exceptions, values, findings."""

import math

import pytest
from ascemu import _core, errors


@pytest.fixture
def builder():
    return _core.Builder("kernel", "950PR")


def tile(builder, dtype="float32", shape=(4, 8)):
    return builder.full(list(shape), 0, dtype)


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 10**30])
def test_integers_beyond_64_bits(builder, number):
    with pytest.raises(OverflowError, match=f"^the integer {number} does not fit in 64 bits; "):
        builder.constant(number, "int64")


@pytest.mark.parametrize("number", [2**63 - 1, -(2**63), 0])
def test_integers_of_64_bits(builder, number):
    assert builder.constant(number, "int64").constant == number


@pytest.mark.parametrize(
    ("literal", "dtype", "value"),
    [(True, "int1", True), (7, "int32", 7), (0.5, "float32", 0.5)],
)
def test_materialised_literals(builder, literal, dtype, value):
    result = builder.materialise(literal)
    assert (result.kind, result.dtype, result.constant) == ("scalar", dtype, value)
    assert type(result.constant) is type(value)


@pytest.mark.parametrize("other", ["1", None, 1j, [1]])
def test_what_is_no_number(builder, other):
    with pytest.raises(TypeError, match="^a kernel value or a Python number is needed, got "):
        builder.materialise(other)


def test_unsigned_constant_is_positive(builder):
    assert builder.constant(-1, "uint64").constant == 2**64 - 1


def test_nan_constant(builder):
    assert math.isnan(builder.constant(math.nan, "float32").constant)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda b: b.constant(1, "complex64"), "unknown dtype 'complex64'"),
        (lambda b: b.unary("cbrt", tile(b)), "unknown operation 'cbrt'"),
        (lambda b: b.scalar_binary("pow", 1, 2), "unknown scalar operation 'pow'"),
        (lambda b: b.cast(tile(b), "int32", 7), "unknown round mode '7'"),
        (lambda b: b.copy(tile(b), None, None, "UB2"), "unknown tensor location 'UB2'"),
        (lambda b: _core.Builder("k", "310P"), "unknown chip '310P'"),
        (lambda b: _core.Builder("k", "910B", "f32"), "unknown numerics 'f32'"),
        (lambda b: b.diagnostic("no-such", "x"), "unknown diagnostic code 'no-such'"),
        (
            lambda b: b.diagnostic("bad-shape", "x", exception="Oops"),
            "unknown exception class 'Oops'",
        ),
        (
            lambda b: b.diagnostic("bad-shape", "x", severity="note"),
            "severity must be 'error' or 'warning', got 'note'",
        ),
    ],
)
def test_unknown_words(builder, call, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        call(builder)


@pytest.mark.parametrize(
    ("call", "exception", "code"),
    [
        (lambda b: b.unary("exp", tile(b, "int32")), RuntimeError, "bad-dtype"),
        (
            lambda b: b.binary("add", tile(b), tile(b, "int16")),
            RuntimeError,
            "no-common-dtype",
        ),
        (lambda b: b.binary("add", tile(b), tile(b, shape=(3, 8))), RuntimeError, "bad-shape"),
        (lambda b: b.binary("add", 1, 2), errors.BinaryOperandTypeError, "bad-argument-type"),
        (
            lambda b: b.scalar_cast(b.constant(1, "int64"), "float32"),
            NotImplementedError,
            "scalar-cast-missing",
        ),
        (
            lambda b: b.scalar_binary("rem", b.constant(1.0, "float32"), 2),
            ValueError,
            "bad-scalar-operation",
        ),
    ],
)
def test_faults_raise_the_class_of_the_language(builder, call, exception, code):
    with pytest.raises(exception) as caught:
        call(builder)
    assert type(caught.value) is exception
    assert caught.value.ascemu_code == code
    assert isinstance(caught.value.ascemu_notes, list)
    assert isinstance(caught.value.ascemu_help, str)


def test_offsets_fault_is_both_value_and_runtime_error():
    builder = _core.Builder("kernel")
    base = builder.array_param("x", "float32")
    tensor = builder.global_tensor(base, [4, 4])
    with pytest.raises(errors.OffsetsError) as caught:
        builder.copy_in(tensor, [0], [4, 4])
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, RuntimeError)
    assert caught.value.ascemu_code == "bad-offsets"


def test_too_many_dimensions(builder):
    with pytest.raises(RuntimeError, match="^a tensor has at most 8 dimensions, got 9$"):
        builder.full([1] * 9, 0, "float32")


def test_value_of_a_tensor(builder):
    value = tile(builder, "float16")
    assert (value.kind, value.dtype, value.shape, value.location) == (
        "tensor",
        "float16",
        (4, 8),
        "Auto",
    )
    assert not value.is_constant
    with pytest.raises(AttributeError, match="^a tensor value has no dims$"):
        value.dims  # noqa: B018
    with pytest.raises(ValueError, match="^the value is known at run time only$"):
        value.constant  # noqa: B018


def test_dims_of_a_global_tensor():
    builder = _core.Builder("kernel")
    base = builder.array_param("x", "int8")
    size = builder.scalar_param("n", "int32")
    static, dynamic = builder.global_tensor(base, [size, 5]).dims[::-1]
    assert static == 5
    assert (dynamic.kind, dynamic.dtype) == ("scalar", "int32")
    assert str(dynamic) == str(size)


def test_dims_of_a_rebound_global_tensor():
    builder = _core.Builder("kernel")
    size = builder.scalar_param("n", "int32")
    tensor = builder.global_tensor(builder.array_param("x", "int8"), [size, 5])
    assert builder.variable(tensor).dims == (None, 5)


def test_the_builders_own_warnings_are_findings(builder):
    value = builder.full([1, 8], 0, "float32")
    builder.reduce("reduce_sum", value, [1])
    (finding,) = builder.findings()
    assert (finding.severity, finding.code) == ("warning", "portability")


def test_warnings_are_findings(builder):
    builder.add_source("k.py", "a = 1\nbé = x", 10)
    builder.set_position(0, 11, 6, 11, 7)
    builder.warn("portability", "it differs", ["note: n"], "do it")
    (finding,) = builder.findings()
    assert (finding.severity, finding.check, finding.message) == (
        "warning",
        "portability",
        "it differs",
    )
    assert (finding.file, finding.line, finding.column) == ("k.py", 11, 6)
    assert finding.notes == ["note: n"]
    assert [f.message for f in builder.finish().findings] == ["it differs"]


def test_diagnostic_at_the_position(builder):
    builder.add_source("k.py", "x = y\n", 3)
    builder.set_position(0, 3, 4, 3, 5)
    diagnostic = builder.diagnostic("unknown-name", "y is not defined", exception="NameError")
    assert (diagnostic.kind, diagnostic.code, diagnostic.check) == ("invalid", "unknown-name", None)
    assert (diagnostic.exception, diagnostic.block) == ("NameError", None)
    assert (diagnostic.line, diagnostic.column) == (3, 5)
    assert str(diagnostic) == diagnostic.render()
    assert diagnostic.to_json().startswith("{") and "\n" not in diagnostic.to_json()


def test_diagnostic_without_a_builder():
    diagnostic = _core.make_diagnostic(
        "bad-launch", "blocks must be positive", "k.py", "k[0]()", 7, 7, 2, 7, 3
    )
    assert (diagnostic.file, diagnostic.line, diagnostic.column) == ("k.py", 7, 3)
    bare = _core.make_diagnostic("bad-launch", "blocks must be positive")
    assert (bare.file, bare.line, bare.column) == (None, None, None)
    assert "blocks must be positive" in str(bare)


def test_finish_raises_the_first_error(builder):
    builder.add_source("k.py", "t = full()\n", 1)
    builder.set_position(0, 1, 4, 1, 10)
    builder.copy(tile(builder), None, None, "L0C")
    with pytest.raises(RuntimeError) as caught:
        builder.finish()
    assert caught.value.ascemu_code == "bad-location"
    diagnostic = caught.value.ascemu_diagnostic
    assert (diagnostic.code, diagnostic.line, diagnostic.column) == ("bad-location", 1, 5)


def test_tables():
    assert {row["code"] for row in _core.code_table()} >= {"bad-shape", "read-out-of-bounds"}
    rows = {row["name"]: row for row in _core.dtype_table()}
    assert rows["bfloat16"] == {
        "name": "bfloat16",
        "size_bytes": 2,
        "width_bits": 16,
        "is_float": True,
        "is_integer": False,
        "is_signed": True,
    }
    assert rows["uint8"]["is_signed"] is False
    ops = {row["name"]: row for row in _core.op_table()}
    assert ops["add"] == {
        "name": "add",
        "family": "binary",
        "arity": 2,
        "dtypes": ["int16", "int32", "int64", "float16", "bfloat16", "float32"],
        "clause": "6.1",
    }
    assert _core.unsupported_table().keys() == {"inline", "inline_vf"}
    assert _core.cast_is_supported("float32", "int16")
    assert not _core.cast_is_supported("float32", "int8")
    assert _core.round_mode_is_legal("float32", "float16", 6)
    assert not _core.round_mode_is_legal("float32", "int32", 6)
