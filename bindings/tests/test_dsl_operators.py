"""Dispatch of a kernel's operators (spec asc2 §2.4, §11.2): who is asked, and the error classes."""

import ast

import pytest
from ascemu.dsl import operators
from ascemu.dsl.values import PlainValue
from dsl_trace import Trace


@pytest.fixture
def trace():
    with Trace() as trace:
        yield trace


def test_python_values_are_native():
    assert operators.binary("Div", 7, 2) == 3.5
    assert operators.binary("FloorDiv", -7, 2) == -4
    assert operators.binary("Pow", 2, 100) == 2**100
    assert operators.binary("Add", "a", "b") == "ab"
    assert operators.binary("Mult", [0], 3) == [0, 0, 0]
    assert operators.compare("Lt", (1, 2), (1, 3)) is True
    assert operators.unary("Not", []) is True
    assert operators.unary("Invert", 5) == -6
    with pytest.raises(ZeroDivisionError):
        operators.binary("Mod", 1, 0)


def test_operators_by_ast_class_instance_and_stem():
    for op in ("Add", ast.Add(), "add"):
        assert operators.binary(op, 1, 2) == 3
    with pytest.raises(ValueError, match="^unknown operator 'plus'$"):
        operators.binary("plus", 1, 2)


@pytest.mark.parametrize("op", "Add Sub Mult Div FloorDiv BitAnd BitOr BitXor Pow".split())
def test_tensor_with_number_on_either_side(trace, op):
    tile = trace.tile("int16", [8]) if op != "Pow" else trace.tile("int32", [8])
    for result in (operators.binary(op, tile, 2), operators.binary(op, 2, tile)):
        assert (result.dtype, result.shape) == (tile.dtype, (8,))
    assert operators.binary(op, tile, tile).shape == (8,)


def test_scalar_on_the_left_of_a_tensor(trace):
    with pytest.raises(ValueError, match="cannot be an operand of"):
        operators.binary("Mult", trace.scalar("float32"), trace.tile("float32", [8]))
    with pytest.raises(ValueError, match="cannot be an operand of"):
        operators.compare("Lt", trace.scalar("float32"), trace.tile("float32", [8]))


@pytest.mark.parametrize(
    ("op", "left", "right"),
    [
        ("LShift", 1, "tile"),
        ("RShift", 1, "tile"),
        ("Mod", "tile", 2),
        ("Mod", 2, "tile"),
        ("Add", "tile", None),
        ("Add", None, "tile"),
        ("Add", "tile", "text"),
        ("Add", 1, "pointer"),
        ("Sub", "pointer", 1),
        ("Add", "array", 1),
        ("MatMult", "scalar", 2),
    ],
)
def test_missing_binary_methods(trace, op, left, right):
    values = {
        "tile": trace.tile("int32", [8]),
        "pointer": trace.pointer("int32"),
        "array": trace.array("int32", [8]),
        "scalar": trace.scalar("int32"),
    }
    a, b = values.get(left, left), values.get(right, right)
    with pytest.raises(AttributeError, match="is not defined for") as caught:
        operators.binary(op, a, b)
    assert caught.value.ascemu_code == "bad-argument-type"


@pytest.mark.parametrize("op", "Lt LtE Gt GtE Eq NotEq".split())
def test_no_reflected_comparison_with_a_tensor(trace, op):
    tile = trace.tile("float32", [8])
    assert str(operators.compare(op, tile, 3).dtype) == "int1"
    with pytest.raises(AttributeError, match="^.+ is not defined for int 3 and LocalTensor"):
        operators.compare(op, 3, tile)


def test_tensor_compared_with_none(trace):
    with pytest.raises(AttributeError) as caught:
        operators.compare("Eq", trace.tile("float32", [8]), None)
    assert caught.value.ascemu_help == "Compare with None by 'is' or 'is not'."
    assert operators.compare("Is", trace.tile("float32", [8]), None) is False


def test_membership_is_not_implemented():
    for op in ("In", "NotIn", ast.In()):
        with pytest.raises(NotImplementedError):
            operators.compare(op, 1, [1])


def test_scalar_comparison_keeps_the_written_order(trace):
    result = operators.compare("Lt", 3, trace.scalar("float32"))
    assert type(result) is PlainValue and str(result.dtype) == "int1"


def test_unary_operators(trace):
    tile = trace.tile("int32", [8])
    assert operators.unary("UAdd", tile) is tile
    assert operators.unary("USub", tile).shape == (8,)
    assert operators.unary("Invert", tile).shape == (8,)
    assert str(operators.unary("Not", trace.scalar("float32")).dtype) == "int1"
    with pytest.raises(AttributeError, match=r"^not is not defined for LocalTensor int32\[8\]$"):
        operators.unary("Not", tile)
    with pytest.raises(NotImplementedError):
        operators.unary("Invert", trace.scalar("int32"))
    with pytest.raises(AttributeError):
        operators.unary("USub", trace.pointer("int32"))


def test_boolean_operators(trace):
    assert operators.boolean("And", 3, 0) is False
    assert operators.boolean("Or", [], "x") is True
    scalar = trace.scalar("int32")
    for a, b in ((scalar, 3), (2.5, scalar), (scalar, scalar)):
        assert str(operators.boolean("And", a, b).dtype) == "int1"
        assert str(operators.boolean("or", a, b).dtype) == "int1"
    with pytest.raises(NotImplementedError):
        operators.boolean("And", scalar, trace.scalar("float32"))
    with pytest.raises(AttributeError):
        operators.boolean("And", trace.tile("float32", [8]), scalar)
    with pytest.raises(TypeError, match="^None cannot be converted to int1$"):
        operators.boolean("And", scalar, None)


def test_pointer_arithmetic(trace):
    pointer = trace.pointer("float16")
    moved = operators.binary("Add", pointer, trace.scalar("int32"))
    assert type(moved) is type(pointer) and str(moved.dtype) == "float16"
    with pytest.raises(TypeError):
        operators.binary("Add", pointer, "x")


def test_truth_of_a_tensor(trace):
    with pytest.raises(TypeError, match=r"^LocalTensor float32\[8\] is known at run time only"):
        bool(trace.tile("float32", [8]))
    with pytest.raises(TypeError):
        hash(trace.tile("float32", [8]))
