"""The names that a kernel finds in asc2, asctile and asc (spec asc2 §8, §11.1; real-code.md).

What it is: one dict per namespace, of the objects that both share and those that differ by
generation. What it is not: jit, platforms and the modules themselves (launch/, dropin/).
Invariant: every operation here is a row of refops/ops.def or unsupported.def under its own name, or
an alias listed in LEGACY_NAMES.
"""

from __future__ import annotations

from typing import Any

from ascemu.dsl import (
    control,
    creation,
    debug,
    dtypes,
    elementwise,
    legacy,
    matmul,
    memory,
    normalize,
    raw_code,
    reduce,
    scalar,
    shape,
)
from ascemu.dsl.constexpr import ConstExpr
from ascemu.dsl.global_tensor import GlobalTensor
from ascemu.dsl.local_tensor import LocalTensor
from ascemu.dsl.struct import Field, Struct
from ascemu.dsl.values import GlobalAddress


def _names(module: Any, names: str) -> dict[str, Any]:
    return {name: getattr(module, name) for name in names.split()}


_TYPES: dict[str, Any] = {
    "ConstExpr": ConstExpr,
    "GlobalAddress": GlobalAddress,
    "GlobalTensor": GlobalTensor,
    "LocalTensor": LocalTensor,
    **_names(
        dtypes,
        "DataType RoundMode TensorLocation bfloat16 bool_ float16 float32 float64 float_ int8 "
        "int16 int32 int64 int_",
    ),
}
ASCTILE: dict[str, Any] = {
    **_TYPES,
    **_names(
        elementwise,
        "add sub mul div maximum minimum pow bitwise_and bitwise_or bitwise_xor left_shift "
        "right_shift equal not_equal greater greater_equal less less_equal abs ceil floor "
        "negative relu bitwise_not sqrt rsqrt exp exp2 log log2 sin cos tan sinh cosh "
        "tanh erf cast where",
    ),
    **_names(reduce, "reduce_sum reduce_max reduce_min reduce_prod"),
    **_names(normalize, "softmax rms_norm layer_norm"),
    **_names(matmul, "matmul matmul_acc zeros_acc"),
    **_names(creation, "full full_like zeros zeros_like"),
    **_names(
        shape,
        "reshape ravel squeeze expand_dims transpose broadcast_to broadcast_shapes "
        "broadcast_tensors concat",
    ),
    **_names(
        memory,
        "global_tensor copy_in copy_out copy gather scatter atomic_add atomic_max atomic_min",
    ),
    **_names(
        control, "mask range static_range block_idx block_num sub_block_idx sub_block_num sync_all"
    ),
    **_names(scalar, "number ceildiv"),
    **_names(debug, "device_print device_assert static_print static_assert"),
    **_names(raw_code, "inline inline_vf"),
}
ASC2: dict[str, Any] = {
    **ASCTILE,
    "full": creation.full_at,
    "full_like": creation.full_like_at,
    "zeros": creation.zeros_at,
    "zeros_like": creation.zeros_like_at,
    "range": control.parallel_range,
    "num_tiles": scalar.num_tiles,
    **_names(legacy, "gather scatter matmul_acc copy copy_out load store"),
    "tensor": memory.global_tensor,
    "Tensor": GlobalTensor,
    "Tile": LocalTensor,
    "TileLocation": dtypes.TensorLocation,
}
ASC: dict[str, Any] = {
    "ConstExpr": ConstExpr,
    "GlobalAddress": GlobalAddress,
    "Struct": Struct,
    "Field": Field,
    **_names(
        dtypes,
        "DataType bfloat16 bool_ float16 float32 float64 float_ half double int1 int8 int16 int32 "
        "int64 int_ uint8 uint16 uint32 uint64 void",
    ),
    **_names(control, "range static_range sync_all"),
    **_names(scalar, "number ceildiv"),
    **_names(raw_code, "inline"),
}
# Older names of operations that the newest generation spells otherwise.
LEGACY_NAMES = {"tensor": "global_tensor", "load": "copy_in", "store": "copy_out"}
