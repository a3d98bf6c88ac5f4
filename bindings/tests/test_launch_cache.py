"""Which launches share a program, and what happens when something outside changed (spec §1.8)."""

import dataclasses
import itertools
from concurrent.futures import ThreadPoolExecutor

import ascemu
import numpy as np
import pytest
from ascemu.dropin import asc, asc2
from ascemu.launch.cache import Uncacheable, key_of

SCALE = 2
TABLE = [1, 2, 3]


def run(kernel, *args, **kwargs):
    out = np.zeros(1, np.int32)
    kernel[1](out, *args, **kwargs)
    return out[0].item()


def traces(kernel):
    return len(kernel._programs)


def test_constants_and_dtypes_make_specialisations():
    @asc2.jit
    def kernel(out_ptr, n, k: asc.ConstExpr):
        asc2.copy_out(n + k, asc2.global_tensor(out_ptr, [1]), [0])

    assert [run(kernel, 1, 1), run(kernel, 2, 1), run(kernel, 2, 1)] == [2, 3, 3]
    assert traces(kernel) == 1
    assert [run(kernel, 1, 2), run(kernel, 1, True)] == [3, 2]
    assert traces(kernel) == 3
    run(kernel, np.int64(1), 1)
    assert traces(kernel) == 4
    run(kernel, 1, asc.ConstExpr(1))
    assert traces(kernel) == 4
    run(kernel, asc.ConstExpr(1), 1)
    assert traces(kernel) == 5


def test_platforms_and_options_make_specialisations():
    @asc2.jit
    def kernel(out_ptr, n):
        asc2.copy_out(n, asc2.global_tensor(out_ptr, [1]), [0])

    run(kernel, 1)
    run(kernel, 1, debug=True)
    with ascemu.options(platform="Ascend910B1"):
        run(kernel, 1)
    assert traces(kernel) == 3


def test_always_compile_caches_nothing():
    @asc2.jit(always_compile=True)
    def kernel(out_ptr, n):
        asc2.copy_out(n, asc2.global_tensor(out_ptr, [1]), [0])

    assert run(kernel, 1) == 1
    assert traces(kernel) == 0


def test_iterators_are_not_cached():
    @asc2.jit
    def kernel(out_ptr, values: asc.ConstExpr):
        asc2.copy_out(sum(list(values)), asc2.global_tensor(out_ptr, [1]), [0])

    assert run(kernel, itertools.chain([1], [2])) == 3
    assert run(kernel, itertools.chain([5], [6])) == 11
    assert traces(kernel) == 0


def test_a_changed_global_is_used_and_said(monkeypatch):
    @asc2.jit
    def kernel(out_ptr):
        asc2.copy_out(SCALE * 10, asc2.global_tensor(out_ptr, [1]), [0])

    with ascemu.collect() as found:
        assert run(kernel) == 20
        assert run(kernel) == 20
    assert found == []
    monkeypatch.setitem(globals(), "SCALE", 3)
    with ascemu.collect() as found:
        assert run(kernel) == 30
    assert [finding.code for finding in found] == ["portability"]
    assert "'SCALE', which this kernel reads, changed from 2 to 3" in found[0].message
    assert found[0].check == "portability"
    with ascemu.options(checks={"portability": "off"}), ascemu.collect() as found:
        monkeypatch.setitem(globals(), "SCALE", 4)
        assert run(kernel) == 40
    assert found == []


def test_a_global_list_that_was_changed_in_place():
    @asc2.jit
    def kernel(out_ptr):
        asc2.copy_out(sum(TABLE), asc2.global_tensor(out_ptr, [1]), [0])

    assert run(kernel) == 6
    TABLE.append(10)
    try:
        with ascemu.collect() as found:
            assert run(kernel) == 16
        assert "'TABLE', which this kernel reads, changed" in found[0].message
    finally:
        TABLE.pop()


def test_an_equal_global_is_no_change(monkeypatch):
    @asc2.jit
    def kernel(out_ptr):
        asc2.copy_out(SCALE, asc2.global_tensor(out_ptr, [1]), [0])

    monkeypatch.setitem(globals(), "SCALE", 10**6)
    assert run(kernel) == 10**6
    monkeypatch.setitem(globals(), "SCALE", int("1000000"))
    with ascemu.collect() as found:
        assert run(kernel) == 10**6
    assert found == []


def test_a_changed_closure_variable():
    scale = 2

    @asc2.jit
    def kernel(out_ptr):
        asc2.copy_out(scale, asc2.global_tensor(out_ptr, [1]), [0])

    assert run(kernel) == 2
    scale = 5
    with ascemu.collect() as found:
        assert run(kernel) == 5
    assert "'scale'" in found[0].message


class Config:
    tile = 4


CONFIG = Config()


def test_a_changed_attribute_of_a_global(monkeypatch):
    @asc2.jit
    def kernel(out_ptr):
        asc2.copy_out(CONFIG.tile, asc2.global_tensor(out_ptr, [1]), [0])

    assert run(kernel) == 4
    monkeypatch.setattr(CONFIG, "tile", 6, raising=False)
    with ascemu.collect() as found:
        assert run(kernel) == 6
    assert "'tile'" in found[0].message


def test_a_redefined_jit_function(monkeypatch):
    @asc2.jit
    def first(x):
        return x + 1

    @asc2.jit
    def second(x):
        return x + 2

    monkeypatch.setitem(globals(), "callee", first)

    @asc2.jit
    def kernel(out_ptr, n):
        asc2.copy_out(callee(n), asc2.global_tensor(out_ptr, [1]), [0])  # noqa: F821

    assert run(kernel, 1) == 2
    monkeypatch.setitem(globals(), "callee", second)
    assert run(kernel, 1) == 3


def test_warnings_of_a_cached_program_are_found_at_every_launch():
    @asc2.jit
    def kernel(out_ptr):
        (a,) = [4]
        asc2.copy_out(a, asc2.global_tensor(out_ptr, [1]), [0])

    for _ in range(2):
        with ascemu.collect() as found:
            assert run(kernel) == 4
        assert len(found) == 1


def test_portability_as_an_error():
    @asc2.jit
    def kernel(out_ptr):
        (a,) = [4]
        asc2.copy_out(a, asc2.global_tensor(out_ptr, [1]), [0])

    for _ in range(2):
        with ascemu.options(checks={"portability": "error"}), ascemu.collect() as found:
            with pytest.raises(ascemu.CodegenError, match="a tuple target of one name") as caught:
                run(kernel)
        assert caught.value.diagnostic.severity == "error"
        assert [finding.severity for finding in found] == ["error"]
    assert run(kernel) == 4


def test_a_changed_global_as_an_error(monkeypatch):
    @asc2.jit
    def kernel(out_ptr):
        asc2.copy_out(SCALE, asc2.global_tensor(out_ptr, [1]), [0])

    assert run(kernel) == 2
    monkeypatch.setitem(globals(), "SCALE", 7)
    for _ in range(2):
        with ascemu.options(checks={"portability": "error"}):
            with pytest.raises(ascemu.CodegenError, match="changed from 2 to 7"):
                run(kernel)
    assert run(kernel) == 7


@dataclasses.dataclass
class Shape:
    rows: int
    cols: list


DIFFERENT = [
    1,
    True,
    1.0,
    0.0,
    -0.0,
    float("nan"),
    "1",
    b"1",
    None,
    (1,),
    [1],
    {1},
    {1: 2},
    {2: 1},
    int,
    float,
    asc2.float16,
    asc2.float32,
    asc2.RoundMode.Rint,
    asc2.RoundMode.Floor,
    asc2.add,
    Shape(1, [2]),
    Shape(1, [3]),
]


def test_keys_are_equal_only_for_equal_constants():
    keys = [key_of(value) for value in DIFFERENT]
    for index, key in enumerate(keys):
        assert key == key_of(DIFFERENT[index])
        assert hash(key) == hash(key_of(DIFFERENT[index]))
        assert all(key != other for other in keys[index + 1 :])


def test_keys_of_iterators():
    with pytest.raises(Uncacheable):
        key_of((1, [iter([1])]))


def test_keys_of_what_contains_itself():
    endless = []
    endless.append(endless)
    with pytest.raises(Uncacheable):
        key_of(endless)


def test_keys_of_objects_follow_their_attributes():
    value = Config()
    before = key_of(value)
    assert before == key_of(value)
    assert before != key_of(Config())
    value.tile = 9
    assert before != key_of(value)


def test_equal_dtypes_have_equal_keys():
    assert key_of(asc2.DataType("float16")) == key_of(asc2.float16)


def test_threads_share_the_cache():
    @asc2.jit
    def kernel(out_ptr, n, k: asc.ConstExpr):
        asc2.copy_out(n * k, asc2.global_tensor(out_ptr, [1]), [0])

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda i: run(kernel, i, i % 3), range(60)))
    assert results == [i * (i % 3) for i in range(60)]
    assert traces(kernel) == 3
