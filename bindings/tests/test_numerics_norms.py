"""softmax, rms_norm and layer_norm through the language, bit by bit (contract N13)."""

import numpy as np
import pytest
from ascemu.dropin import asctile
from numerics.formats import FORMATS
from numerics.ledger import prove
from numerics.norms import layer_norm, rms_norm, softmax
from numerics.streams import under
from numerics.targets import A2, A5, IEEE, TARGETS, Target
from numerics.vectors import generator
from op_launch import LEGAL, apply

SIZES = [1, 7, 8, 63, 64, 65, 100, 127, 128, 129, 200, 320, 511, 512, 513, 600, 1024, 1100]
ROWS = 8
ORACLE = "the clause's steps in float32, exp and log by MPFR"


def rows_of(form, count, key):
    """ROWS rows: mixed sizes, one of equal numbers, one of tiny, one of large, one with a NaN."""
    rng = generator(form.name, count, key)
    numbers = rng.standard_normal((ROWS, count)) * np.exp2(rng.integers(-4, 4, (ROWS, count)))
    numbers[1] = 1.5
    numbers[2] *= 2.0**-20 if form.name == "float16" else 2.0**-70
    numbers[3] *= 2.0**8 if form.name == "float16" else 2.0**60
    numbers[4, count // 2] = np.nan
    numbers[5, 0] = np.inf
    return numbers.astype(form.dtype).view(form.pattern)


def by_target(function):
    return pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)(function)


def compare(target, form, op, launch, reference, clause):
    """All sizes as one proof; `launch` and `reference` return lists of arrays of patterns."""
    got, expected = [], []
    for count in SIZES:
        x = rows_of(form, count, op)
        with under(target):
            got += [part.ravel() for part in launch(x)]
        expected += [part.ravel() for part in reference(x)]
    got, expected = (
        np.concatenate([p.astype(np.uint32) for p in parts]) for parts in (got, expected)
    )
    prove(
        got,
        expected,
        (np.arange(len(got)),),
        set="vectors",
        op=op,
        dtype=form.name,
        target=target.name,
        clause=clause,
        oracle=ORACLE,
    )


@pytest.mark.parametrize("dtype", LEGAL["softmax"])
@by_target
def test_softmax(target: Target, dtype):
    form = FORMATS[dtype]

    def launch(x):
        out = np.zeros(x.shape, form.dtype)
        apply(lambda tile: [asctile.softmax(tile)], [x.view(form.dtype)], [out])
        return [out.view(form.pattern)]

    compare(target, form, "softmax", launch, lambda x: [softmax(target, form, x)], "N13.1")


def weights(form, count):
    rng = generator(form.name, count, "weights")
    pair = rng.uniform(0.5, 1.5, (2, count)).astype(form.dtype)
    return pair[0], pair[1]


@pytest.mark.parametrize("dtype", LEGAL["rms_norm"])
@by_target
def test_rms_norm(target: Target, dtype):
    form = FORMATS[dtype]
    epsilon = float(np.array(1e-5).astype(form.dtype))

    def launch(x):
        out = np.zeros(x.shape, form.dtype)
        gamma, _ = weights(form, x.shape[-1])
        apply(lambda tile, g: [asctile.rms_norm(tile, g, 1e-5)], [x.view(form.dtype), gamma], [out])
        return [out.view(form.pattern)]

    def reference(x):
        gamma, _ = weights(form, x.shape[-1])
        return [rms_norm(target, form, x, gamma.view(form.pattern), epsilon)]

    compare(target, form, "rms_norm", launch, reference, "N13.2")


@pytest.mark.parametrize("dtype", LEGAL["layer_norm"])
@by_target
def test_layer_norm(target: Target, dtype):
    form = FORMATS[dtype]

    def launch(x):
        out, mean, rstd = np.zeros(x.shape, form.dtype), *np.zeros((2, len(x)), np.float32)
        gamma, beta = weights(form, x.shape[-1])
        apply(
            lambda tile, g, b: list(asctile.layer_norm(tile, g, b, 1e-5)),
            [x.view(form.dtype), gamma, beta],
            [out, mean, rstd],
        )
        return [out.view(form.pattern), mean.view(np.uint32), rstd.view(np.uint32)]

    def reference(x):
        pair = [part.view(form.pattern) for part in weights(form, x.shape[-1])]
        return layer_norm(target, form, x, *pair, 1e-5)

    compare(target, form, "layer_norm", launch, reference, "N13.3")


def test_the_orders_are_told_apart():
    form = FORMATS["float32"]
    for count in (65, 200, 600):
        x = rows_of(form, count, "softmax")
        ieee, a2, a5 = (softmax(target, form, x) for target in (IEEE, A2, A5))
        assert (ieee != a2).sum() > 5 and (ieee != a5).sum() > 5
        # Below 512 elements the two chips add the same numbers in the same order.
        assert (a2 != a5).any() == (count >= 512)
