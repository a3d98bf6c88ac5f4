"""The drop-in modules export what kernel files use, under every path they use."""

import importlib
import inspect
import itertools

import pytest
from ascemu import _core
from ascemu.dropin import asc, asc2, asctile

GENERATIONS = {"asc2": asc2, "asctile": asctile}

# The names that surveyed public kernels take from asc2, then what newer tests add.
SURVEYED = """
Backend ConstExpr DataType GlobalAddress KernelType Platform bfloat16 bool_ ceildiv float16 float32
float64 float_ int8 int16 int32 int64 int_ inline number profiling runtime set_platform static_range
GlobalTensor global_tensor LocalTensor RoundMode TensorLocation range
atomic_add atomic_max atomic_min
add div equal greater greater_equal left_shift less less_equal matmul matmul_acc maximum minimum mul
not_equal right_shift sub
cast concat full full_like zeros zeros_acc zeros_like
inline_vf
copy copy_in copy_out
block_idx block_num
broadcast_shapes broadcast_tensors broadcast_to expand_dims ravel reshape squeeze transpose
abs ceil cos cosh erf exp exp2 floor layer_norm log log2 negative relu rms_norm rsqrt sin sinh
softmax sqrt tan tanh
mask where
reduce_max reduce_min reduce_sum reduce_prod
jit
""".split()
NEWER = """
bitwise_and bitwise_or bitwise_xor bitwise_not pow gather scatter sub_block_idx sub_block_num
device_print device_assert static_print static_assert
""".split()
OLDER = ["tensor", "load", "store", "Tensor", "Tile", "TileLocation", "num_tiles"]
BASE = """
GlobalAddress ConstExpr ceildiv sync_all number runtime jit Struct Field DataType
int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64
half float_ int_ double
""".split()


@pytest.mark.parametrize("module", GENERATIONS.values(), ids=GENERATIONS)
@pytest.mark.parametrize("name", SURVEYED + NEWER)
def test_generation_exports(module, name):
    assert getattr(module, name) is not None
    assert name in module.__all__


@pytest.mark.parametrize("name", OLDER)
def test_older_names(name):
    assert getattr(asc2, name) is not None


@pytest.mark.parametrize("name", BASE)
def test_base_exports(name):
    assert getattr(asc, name) is not None
    assert name in asc.__all__


@pytest.mark.parametrize("module", [asc, *GENERATIONS.values()], ids=["asc", *GENERATIONS])
def test_all_is_complete(module):
    assert len(module.__all__) == len(set(module.__all__))
    for name in module.__all__:
        getattr(module, name)
    public = {
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and not inspect.ismodule(value)
    }
    assert public <= set(module.__all__)


@pytest.mark.parametrize("module", GENERATIONS.values(), ids=GENERATIONS)
def test_every_row_of_the_op_table_is_exported(module):
    rows = [row["name"] for row in _core.op_table()] + list(_core.unsupported_table())
    dropped = ["num_tiles"] if module is asctile else []
    assert [name for name in rows if name not in module.__all__] == dropped
    assert asc.sync_all is module.sync_all


def operations(module):
    names = [row["name"] for row in _core.op_table()] + list(_core.unsupported_table())
    return [(name, getattr(module, name)) for name in names if hasattr(module, name)]


@pytest.mark.parametrize("module", GENERATIONS.values(), ids=GENERATIONS)
def test_operations_are_first_class(module):
    for name, op in operations(module):
        assert callable(op), name
        assert op.__name__ == name
        assert op.__doc__, name
        assert inspect.signature(op) is not None


@pytest.mark.parametrize("module", GENERATIONS.values(), ids=GENERATIONS)
def test_operations_outside_a_kernel(module):
    for name in ("add", "copy_in", "reduce_sum", "softmax", "block_idx", "matmul", "full"):
        op = getattr(module, name)
        arguments = [
            parameter
            for parameter in inspect.signature(op).parameters.values()
            if parameter.default is parameter.empty and parameter.kind != parameter.VAR_POSITIONAL
        ]
        with pytest.raises(RuntimeError) as caught:
            op(*range(1, len(arguments) + 1))
        assert str(caught.value) == (
            f"'{name}' cannot be called without initialization of global builder"
        )


# What the generations spell differently; everything else is one object.
DIFFERENT = {
    "copy",
    "copy_out",
    "full",
    "full_like",
    "gather",
    "jit",
    "matmul_acc",
    "range",
    "scatter",
    "zeros",
    "zeros_like",
}


def test_generations_share_their_objects():
    shared = set(asc2.__all__) & set(asctile.__all__)
    differing = {name for name in shared if getattr(asc2, name) is not getattr(asctile, name)}
    assert differing == DIFFERENT
    assert asc2.div is asctile.div
    assert asc2.div.__name__ == "div"


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("full", ["shape", "value", "dtype"]),
        ("full_like", ["input", "value"]),
        ("zeros", ["shape", "dtype"]),
        ("zeros_like", ["input"]),
        ("zeros_acc", ["shape", "dtype", "bias"]),
        ("copy_in", ["src", "offsets", "shape", "location", "real_shape", "pad_value"]),
        ("copy_out", ["src", "dst", "offsets", "real_shape"]),
        ("copy", ["src", "offsets", "shape", "location"]),
        (
            "gather",
            ["src", "offsets", "dim", "index", "check_bounds", "num_indices", "pad_value"],
        ),
        (
            "scatter",
            ["src", "dim", "index", "dst", "offsets", "check_bounds", "num_indices"],
        ),
        ("matmul", ["input", "other", "bias", "hf32"]),
        ("matmul_acc", ["acc", "input", "other", "hf32"]),
        ("cast", ["input", "dtype", "round_mode"]),
        ("layer_norm", ["input", "gamma", "beta", "epsilon", "output_rstd"]),
        ("rms_norm", ["input", "gamma", "epsilon"]),
        ("where", ["mask", "src0", "src1"]),
        ("device_print", ["values", "sep", "end"]),
        ("static_assert", ["test", "message"]),
    ],
)
def test_signatures_of_the_newest_generation(name, parameters):
    assert list(inspect.signature(getattr(asctile, name)).parameters) == parameters


def test_dtypes():
    for name in ("int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64"):
        dtype = getattr(asc2, name)
        assert isinstance(dtype, asc2.DataType)
        assert getattr(asc, name) is getattr(asctile, name) is dtype
        assert dtype == asc2.DataType(name)
        assert hash(dtype) == hash(asc2.DataType(name))
    assert asc.float32.sizeof() == 4
    assert asc.bfloat16.sizeof() == 2
    assert asc.half == asc.float16
    assert asc2.float_ == asc2.float32
    assert asc2.int_ == asc2.int32


def test_constexpr():
    assert asc.ConstExpr is asc2.ConstExpr is asctile.ConstExpr
    assert asc.ConstExpr[int] is not None
    assert [c.value for c in map(asc2.ConstExpr, (1, 2.5, None))] == [1, 2.5, None]
    assert asc2.ConstExpr(asc2.ConstExpr(3)).value == 3
    assert list(asc2.ConstExpr(itertools.chain([1], [2])).value) == [1, 2]


def test_host_functions():
    assert asc.ceildiv is asc2.ceildiv
    assert asc2.ceildiv(7, 2) == 4
    assert asc2.broadcast_shapes([3, 1], [4]) == (3, 4)


def test_enums():
    locations = ["UB", "L1", "L0A", "L0B", "L0C", "BT", "FIX"]
    assert [asc2.TensorLocation[name].value for name in locations] == [26, 27, 23, 24, 25, 29, 28]
    modes = ["Rint", "Floor", "Ceil", "Round", "Trunc", "Odd", "NoRound"]
    assert all(hasattr(asc2.RoundMode, mode) for mode in modes)
    assert asc2.TileLocation is asc2.TensorLocation
    assert asc2.Platform is asctile.Platform is asc.runtime.config.Platform
    assert asc2.Backend is asc.runtime.config.Backend
    assert asc2.KernelType is asc.runtime.config.KernelType
    assert asc2.set_platform is asctile.set_platform is asc.runtime.config.set_platform


def test_jit_module():
    from ascemu.dropin.asc.runtime import jit

    @asc2.jit
    def kernel(x_ptr):
        pass

    assert isinstance(kernel, jit.JITFunction)
    assert kernel.__name__ == "kernel"
    assert callable(jit.JITFunction._run_compiler)
    assert callable(jit.JITFunction._run_launcher)
    assert jit.MockTensor(asc.float32).dtype == "float32"
    assert jit.MockValue(asc.int32).dtype == "int32"


def test_errors_module():
    import ascemu
    from ascemu.dropin.asc.codegen import errors

    assert errors.CodegenError is ascemu.CodegenError
    assert errors.UnsupportedSyntaxError is ascemu.UnsupportedSyntaxError
    assert issubclass(errors.UnsupportedSyntaxError, errors.CodegenError)


def test_profiler():
    profiling = importlib.import_module("ascemu.dropin.asc.lib.profiling")
    assert asc2.profiling is profiling
    profiler = profiling.Profiler("name", repeat=3)
    with pytest.raises(ValueError, match="nothing was profiled"):
        profiling.task_time_median(profiler)
    with profiler.profile(warmup=1) as inside:
        assert inside is profiler
    with profiler:
        pass
    assert len(profiler.task_times) == 2
    assert min(profiler.task_times) > 0
    assert profiling.task_time_median([3.0, 1.0, 2.0]) == 2.0


def test_names_of_the_base_language_that_are_not_there_yet():
    with pytest.raises(AttributeError) as caught:
        _ = asc.data_copy
    assert str(caught.value) == (
        "module 'asc' has no attribute 'data_copy' in ascemu: of the first-generation language asc "
        "only what asc2 kernels use is there"
    )
    assert not hasattr(asc, "__wrapped__")
    for module in (asc, asc2, asctile):
        assert module.language is module
        assert module.lib is asc.lib
        assert module.codegen is asc.codegen
