"""Writes cases (docs/case-format.md): values and arrays as text and bytes, folders whole or not.

What it is: the only writer of the format, for the recorder and for everything else; it needs only
Python 3.9 and numpy and is part of the exported recorder. What it is not: the reader (case.py).
Invariant: no bit of an array or a number is lost, and no pickle is written.
"""

from __future__ import annotations

import enum
import hashlib
import io
import json
import os
import re
import shutil
import struct
import sys
from pathlib import Path
from typing import Any

import numpy as np

FORMAT, VERSION = "ascemu-case", 1
_TORCH_PLAIN = "bool uint8 int8 int16 int32 int64 float16 float32 float64".split()
_NUMPY_PLAIN = [*_TORCH_PLAIN, "uint16", "uint32", "uint64"]


def toml_text(document: dict[str, Any]) -> str:
    """A document as TOML: plain keys, then its tables and arrays of tables; deeper ones inline."""
    plain, tables = [], []
    for key, value in document.items():
        if isinstance(value, dict):
            tables.append(f"\n[{_key(key)}]\n{_lines(value)}")
        elif isinstance(value, list) and value and all(isinstance(v, dict) for v in value):
            tables += [f"\n[[{_key(key)}]]\n{_lines(item)}" for item in value]
        else:
            plain.append(f"{_key(key)} = {_value(value)}\n")
    return "".join(plain + tables)


def _lines(table: dict[str, Any]) -> str:
    return "".join(f"{_key(k)} = {_value(v)}\n" for k, v in table.items())


def _key(key: str) -> str:
    return key if re.fullmatch("[A-Za-z0-9_-]+", key) else _value(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        clean = value.encode("utf-8", "replace").decode("utf-8")
        return json.dumps(clean, ensure_ascii=False).replace("\x7f", "\\u007F")
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        return repr(float(value))
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, dict):
        inner = ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items())
        return "{" + inner + "}"
    raise TypeError(f"{value!r} has no place in a case")


def stored(value: Any) -> tuple[str, np.ndarray] | None:
    """The dtype's name and a copy of the bits of an array or tensor; None for anything else.

    Formats that plain numpy does not know become unsigned integers of their width.
    """
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        name = str(value.dtype).replace("torch.", "")
        tensor = value.detach().cpu().contiguous()
        if name in _TORCH_PLAIN:
            return name, np.array(tensor.numpy(), order="C")
        if tensor.element_size() > 2:
            raise TypeError(f"tensors of the dtype {name} cannot be recorded")
        bits = tensor.view(torch.uint8 if tensor.element_size() == 1 else torch.int16).numpy()
        return name, np.array(bits, order="C").view(f"u{tensor.element_size()}")
    if not isinstance(value, (np.ndarray, np.generic)):
        return None
    array = np.array(value, order="C")
    name = array.dtype.name
    if name in _NUMPY_PLAIN:
        return name, array.astype(array.dtype.newbyteorder("<"), copy=False)
    if array.dtype.names or array.dtype.hasobject or array.dtype.itemsize not in (1, 2, 4, 8):
        raise TypeError(f"arrays of the dtype {array.dtype} cannot be recorded")
    return name, array.view(f"u{array.dtype.itemsize}")


def constant(value: Any) -> dict[str, Any]:
    """A value that is no array as a table: `type` and what restores it; "opaque" where nothing."""
    if value is None:
        return {"type": "none"}
    if isinstance(value, enum.Enum):
        return {"type": "enum", "class": type(value).__name__, "name": value.name}
    number = stored(value)
    if number is not None and number[1].ndim == 0:
        return {"type": "number", "dtype": number[0], "bits": _bits(number[1].tobytes())}
    if type(value) in (bool, int, str):
        return {"type": type(value).__name__, "value": value}
    if type(value) is float:
        return {"type": "float", "bits": _bits(struct.pack("<d", value)), "value": value}
    kind = type(value).__name__
    if isinstance(value, (tuple, list)):
        word = "list" if isinstance(value, list) else "tuple"
        return {"type": word, "items": [constant(item) for item in value]}
    if kind == "DataType" or "dtype" in kind.lower():
        return {"type": "dtype", "name": str(getattr(value, "name", value)).replace("torch.", "")}
    if callable(value) and hasattr(value, "__name__"):
        return {"type": "function", "name": value.__name__}
    return {"type": "opaque", "text": repr(value)[:200]}


def _bits(data: bytes) -> str:
    return "0x" + data[::-1].hex()


def npy_bytes(array: np.ndarray) -> bytes:
    """The array as a .npy file of version 1.0."""
    file = io.BytesIO()
    np.lib.format.write_array(file, array, version=(1, 0), allow_pickle=False)
    return file.getvalue()


def digest(data: bytes | np.ndarray) -> str:
    """The sha256 of bytes or of an array's bytes."""
    return hashlib.sha256(data if isinstance(data, bytes) else data.tobytes()).hexdigest()


def partial_folder(folder: Path) -> Path:
    """Where the files of `folder` are gathered until they are complete."""
    return folder.with_name(f".{folder.name}.partial")


def write_folder(folder: Path, files: dict[str, bytes], is_claimed: bool = False) -> None:
    """Write a case's files so that `folder` is there whole or not at all; it must not exist yet.

    Its partial folder is what an interrupted run left and is removed, unless it `is_claimed`.
    """
    partial = partial_folder(folder)
    if not is_claimed:
        shutil.rmtree(partial, ignore_errors=True)
    for name, data in files.items():
        path = partial / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    os.replace(partial, folder)


def case_files(document: dict[str, Any], files: dict[str, bytes]) -> dict[str, bytes]:
    """All files of a case: `files` and the case.toml of `document`."""
    return {"case.toml": toml_text(document).encode("utf-8"), **files}
