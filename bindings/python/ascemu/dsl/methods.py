"""Attaches operations to LocalTensor as methods: the same function objects (spec asc2 §8)."""

from __future__ import annotations

from ascemu.dsl import elementwise, normalize, reduce, shape
from ascemu.dsl.local_tensor import LocalTensor

_ELEMENTWISE = "sin cos tan sinh cosh tanh exp exp2 log log2 sqrt rsqrt floor ceil abs erf relu"
_SHAPE = "broadcast_to reshape ravel expand_dims squeeze transpose"

METHODS = {
    **{name: getattr(elementwise, name) for name in _ELEMENTWISE.split()},
    **{name: getattr(shape, name) for name in _SHAPE.split()},
    "softmax": normalize.softmax,
    "sum": reduce.reduce_sum,
    "max": reduce.reduce_max,
    "min": reduce.reduce_min,
    "prod": reduce.reduce_prod,
}


def attach_methods() -> None:
    """Make `tensor.exp()` the operation `exp(tensor)`, and so for every row of METHODS."""
    for name, function in METHODS.items():
        setattr(LocalTensor, name, function)
