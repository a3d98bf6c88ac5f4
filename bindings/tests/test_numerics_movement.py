"""What moves bits keeps them, signalling NaNs included; atomics are operations (N2.3, N16)."""

import numpy as np
import pytest
from ascemu.dropin import asctile
from numerics import vectors
from numerics.formats import FORMATS, doubles_of, patterns_of_doubles
from numerics.ledger import prove
from numerics.streams import TILE, streamed, under
from numerics.sums import Element
from numerics.targets import TARGETS, Target
from op_launch import LEGAL, NUMPY
from test_numerics_vectors import ordering

SIDE = 64
CHIPS = [target for target in TARGETS if not target.saturates]
MOVES = {
    "copy_in": lambda t: t,
    "copy_out": lambda t: t,
    "reshape": lambda t: asctile.ravel(asctile.reshape(t, SIDE, SIDE)),
    "ravel": lambda t: asctile.ravel(asctile.reshape(t, SIDE, SIDE)),
    "squeeze": lambda t: asctile.squeeze(asctile.reshape(t, 1, TILE), 0),
    "expand_dims": lambda t: asctile.ravel(asctile.expand_dims(t, 0)),
    "transpose": lambda t: asctile.ravel(asctile.transpose(asctile.reshape(t, SIDE, SIDE))),
    "broadcast_to": lambda t: asctile.ravel(asctile.broadcast_to(t, 1, TILE)),
    "broadcast_tensors": lambda t: asctile.broadcast_tensors(t, t)[1],
    "where": lambda t, m: asctile.where(m > 0, t, asctile.zeros_like(t)),
}
TRANSPOSED = np.arange(TILE).reshape(SIDE, SIDE).T.ravel()
CASES = [
    pytest.param(op, name, marks=pytest.mark.xdist_group(op))
    for op in MOVES
    for name in LEGAL[op]
    if name in NUMPY and name != "float64"
]


def patterns(name):
    """All patterns of the formats of 16 bits, vectors of the others; whole tiles."""
    if name in ("float16", "bfloat16"):
        return FORMATS[name].all_patterns()
    if name == "float32":
        x = vectors.singles(FORMATS[name], "moves")
    else:
        x = vectors.integers(NUMPY[name], "moves")
    return np.resize(x, -(-len(x) // TILE) * TILE)


@pytest.mark.parametrize(("op", "name"), CASES)
@pytest.mark.parametrize("target", CHIPS, ids=lambda target: target.name)
def test_moves(target: Target, op, name):
    x = patterns(name)
    inputs = [x.view(NUMPY[name])]
    if op == "where":
        inputs.append(np.ones(len(x), np.int32))
    got = streamed(target, MOVES[op], NUMPY[name], *inputs).view(x.dtype)
    expected = x.reshape(-1, TILE)[:, TRANSPOSED].ravel() if op == "transpose" else x
    halves = name in ("float16", "bfloat16")
    prove(
        got,
        expected,
        (x,),
        set="exhaustive" if halves else "vectors",
        op=op,
        dtype=name,
        target=target.name,
        clause="N2.3",
        oracle="the operand's patterns",
    )


@asctile.jit(always_compile=True)
def _contributions(function, size: asctile.ConstExpr, x_ptr, out_ptr):
    x = asctile.global_tensor(x_ptr, [asctile.block_num(), size])
    part = asctile.copy_in(x, [asctile.block_idx(), 0], [size])
    function(part, asctile.global_tensor(out_ptr, [size]), [0])


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
@pytest.mark.parametrize("name", ["atomic_add", "atomic_max", "atomic_min"])
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_atomics(target: Target, name, dtype):
    """Ten blocks in their order onto what is there, each contribution one operation."""
    form, blocks, size = FORMATS[dtype], 11, TILE
    x = vectors.generator(name, dtype).permutation(vectors.pairs(form, name)[0])
    x = x[: blocks * size].reshape(blocks, size)
    out = x[0].copy().view(form.dtype)
    with under(target):
        _contributions[blocks - 1](
            asctile.ConstExpr(getattr(asctile, name)), size, x[1:].view(form.dtype), out
        )
    total = x[0]
    element = Element(target, form)
    for part in x[1:]:
        if name == "atomic_add":
            with np.errstate(all="ignore"):
                value = element.add(doubles_of(form, total), doubles_of(form, part))
            total = target.settled(form, patterns_of_doubles(form, value, form.infinity + 1))
            continue
        first = (ordering(form, total) > ordering(form, part)) == (name == "atomic_max")
        best = np.where(first, total, part)
        best = np.where(form.is_nan(part), part, np.where(form.is_nan(total), total, best))
        total = target.settled(form, best)
    prove(
        out.view(form.pattern),
        total,
        (x[0],),
        set="vectors",
        op=name,
        dtype=dtype,
        target=target.name,
        clause="N16.1",
        oracle="block order, one rounding an addition",
    )
