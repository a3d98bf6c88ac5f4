"""Dumps of msprobe and described .bin files become cases, bit for bit; damaged ones are refused."""

import io
import json
import re
import zipfile
from pathlib import Path

import numpy as np
import pytest
from ascemu.cli.main import main
from ascemu_conformance.case import find_cases, load_case
from ascemu_conformance.running import Kernels, run_case

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "import.md").read_text(encoding="utf-8")
X = np.array([0x7C01, 0xFE55, 0x8000, 0x0001, 0x3C00, 0x4000, 0xC200], np.uint16)
KERNEL = """
import asc
import asc2


@asc2.jit
def double(x_ptr, out_ptr, size: int, tile: asc.ConstExpr[int]):
    x_gm = asc2.global_tensor(x_ptr, [size])
    x = asc2.copy_in(x_gm, [0], [tile])
    asc2.copy_out(x + x, asc2.global_tensor(out_ptr, [size]), [0])
"""


def pt_bytes(data, **entries):
    """What torch.save writes, but for the pickle, which must not be read."""
    file = io.BytesIO()
    content = {"x/data.pkl": b"no pickle", "x/byteorder": b"little", "x/data/0": data, **entries}
    with zipfile.ZipFile(file, "w") as archive:
        for name, value in content.items():
            archive.writestr(name, value)
    return file.getvalue()


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def tensor(name, dtype, shape, kind="torch.Tensor"):
    return {"type": kind, "dtype": dtype, "shape": shape, "Max": 2.0, "data_name": name}


@pytest.fixture
def dump(tmp_path):
    """A folder as msprobe leaves it, with a call of each form."""
    folder = tmp_path / "dump" / "step0" / "rank0"
    (folder / "dump_tensor_data").mkdir(parents=True)
    calls = {
        "Functional.relu.0.forward": {
            "input_args": [
                tensor("relu.input.0.pt", "torch.float16", [7]),
                [tensor("relu.input.1.0.pt", "torch.bfloat16", [2, 2])],
                None,
            ],
            "input_kwargs": {
                "dim": {"type": "int", "value": -1},
                "device": {"type": "torch.device", "value": ["cpu"]},
            },
            "output": [tensor("relu.output.0.pt", "torch.float16", [7])],
        },
        "Mint.add.0.forward": {
            "input_args": [tensor("add.input.0.npy", "BFloat16", [3], "mindspore.Tensor")],
            "output": [tensor("add.output.0.npy", "Float32", [2], "mindspore.Tensor")],
        },
        "Tensor.item.0.forward": {"input_args": [], "output": [{"type": "int", "value": 3}]},
    }
    table = {"task": "tensor", "level": "L1", "framework": "pytorch", "data": calls}
    (folder / "dump.json").write_text(json.dumps(table))
    saved = {
        "relu.input.0.pt": pt_bytes(X.tobytes()),
        "relu.input.1.0.pt": pt_bytes(X[:4].tobytes()),
        "relu.output.0.pt": pt_bytes(X[::-1].tobytes()),
        "add.input.0.npy": npy((X[:3].astype(np.uint32) << 16).view(np.float32)),
        "add.output.0.npy": npy(np.array([0x7F800001, 5], np.uint32).view(np.float32)),
    }
    for name, data in saved.items():
        (folder / "dump_tensor_data" / name).write_bytes(data)
    return folder


def run(*arguments):
    return main(["import", *map(str, arguments)])


def refusal(capsys, *arguments):
    with pytest.raises(SystemExit) as caught:
        run(*arguments)
    assert caught.value.code == 2
    return capsys.readouterr().err.partition("error: ")[2].rstrip()


def test_dump_of_msprobe(dump, tmp_path, capsys):
    out = tmp_path / "cases"
    assert run(tmp_path / "dump", "--out", out) == 0
    assert capsys.readouterr().out == f"2 cases in {out}\n"
    relu, add = map(load_case, find_cases(out))
    assert relu.path == out / "step0" / "rank0" / "Functional.relu.0.forward"
    relu.check_data()
    add.check_data()
    assert [argument["name"] for argument in relu.arguments] == [
        "input.0",
        "input.1.0",
        "input.2",
        "input.dim",
        "input.device",
    ]
    assert relu.input_bits("input.0").view(np.uint16).tolist() == X.tolist()
    assert relu.input_bits("input.1.0").tolist() == X[:4].reshape(2, 2).tolist()
    assert relu.arguments[2]["value"] == {"type": "none"}
    assert relu.arguments[3]["value"] == {"type": "int", "value": -1}
    assert relu.arguments[4]["value"] == {"type": "opaque", "text": "torch.device ['cpu']"}
    assert relu.output_bits("output.0").view(np.uint16).tolist() == X[::-1].tolist()
    assert relu.document["operation"] == {
        "name": "Functional.relu.0.forward",
        "framework": "pytorch",
    }
    assert relu.provenance == {
        "source": "import",
        "imported": "msprobe",
        "task": "tensor",
        "level": "L1",
    }
    assert add.input_bits("input.0").tolist() == X[:3].tolist()
    assert add.output_bits("output.0").view(np.uint32).tolist() == [0x7F800001, 5]


def test_dump_with_a_kernel_runs(dump, tmp_path):
    (tmp_path / "double.py").write_text(KERNEL)
    (dump / "dump_tensor_data" / "relu.output.0.pt").write_bytes(pt_bytes(X.tobytes()))
    kernel = ["--kernel", tmp_path / "double.py", "--function", "double"]
    named = ["x_ptr=input.0", "out_ptr=output.0", "size=7", "tile=const:16"]
    arguments = [word for text in named for word in ("--argument", text)]
    out = tmp_path / "cases"
    assert (
        run(
            dump / "dump.json", "--out", out, "--only", "*relu*", *kernel, *arguments, "--blocks", 1
        )
        == 0
    )
    case = load_case(out / "Functional.relu.0.forward")
    with Kernels() as kernels:
        found = run_case(case, kernels)
    assert found["out_ptr"][3:].tolist() == (2 * X.view(np.float16)[3:]).tolist()
    assert case.output_bits("out_ptr").tobytes() == X.tobytes()


def test_description_of_the_page(tmp_path, capsys):
    text = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)[1]
    (tmp_path / "scale.json").write_text(text)
    (tmp_path / "x.bin").write_bytes(X.tobytes())
    (tmp_path / "out.bin").write_bytes(X[::-1].tobytes())
    assert run(tmp_path / "scale.json", "--out", tmp_path / "out") == 0
    case = load_case(tmp_path / "out" / "scale-7")
    assert case.input_bits("x_ptr").tobytes() == X.tobytes()
    assert case.output_bits("out_ptr").tobytes() == X[::-1].tobytes()
    assert case.arguments[1]["value"] == {"type": "int", "value": 3}
    assert case.arguments[2]["kind"] == "constant"
    assert case.launch == {"blocks": 1, "platform": "Ascend910B3"}
    assert case.provenance == {"source": "import", "imported": "bin", "device": "Ascend910B3"}
    message = refusal(capsys, tmp_path / "scale.json", "--out", tmp_path / "out")
    assert message == (
        f"{tmp_path / 'out' / 'scale-7'}: is there already; remove it or choose another folder"
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[7]", "[8]", "input.0: x.bin has 14 bytes; float16 of shape [8] needs 16"),
        ('"float16"', '"half8"', "input.0: unknown dtype 'half8'; known: bool,"),
        ("x.bin", "../x.bin", "the file name '../x.bin' is not a plain relative path"),
        ("x.bin", "y.bin", "y.bin is missing"),
        ('"op"', '"operator"', "unknown key 'operator'; known: blocks, device, inputs,"),
        ('"constant"', '"fixed"', "input.2: kind is 'fixed'; it is 'scalar' or 'constant'"),
        ('"inputs": [', '"inputs": [3,', "input.0: 3 is no table"),
        ('"name": "scale-7",', "", "not JSON"),
    ],
)
def test_other_descriptions_are_refused(tmp_path, capsys, old, new, message):
    text = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)[1].replace(old, new)
    text = text[:-3] if message == "not JSON" else text
    (tmp_path / "scale.json").write_text(text)
    for name in ("x.bin", "out.bin"):
        (tmp_path / name).write_bytes(X.tobytes())
    assert message in refusal(capsys, tmp_path / "scale.json", "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("relu.input.0.pt", b"PK", "relu.input.0.pt: not a file of torch.save: File is not a zip"),
        ("relu.input.0.pt", pt_bytes(b"1234"), "storages of [4] bytes; float16 of shape [7] needs"),
        (
            "relu.input.0.pt",
            pt_bytes(X.tobytes(), **{"x/data/1": b"1"}),
            "storages of [14, 1] bytes; float16 of shape [7] needs one of 14; save it with",
        ),
        (
            "relu.input.0.pt",
            pt_bytes(X.tobytes(), **{"x/byteorder": b"big"}),
            "saved on a big-endian machine, which is not read",
        ),
        ("add.input.0.npy", npy(X[:3].view(np.float16)), "holds <f2 of shape [3]; case.toml says"),
        (
            "add.input.0.npy",
            npy(np.array([1, 2, 0.1], np.float32)),
            "input.0: add.input.0.npy: holds values that are no bfloat16",
        ),
        (
            "dump.json",
            json.dumps({"task": "statistics", "data": {}}).encode(),
            "holds statistics only; dump again with the task 'tensor'",
        ),
        ("dump.json", b"[]", "holds list, not an object"),
    ],
)
def test_damaged_dumps_are_refused(dump, tmp_path, capsys, name, data, message):
    folder = dump if name == "dump.json" else dump / "dump_tensor_data"
    (folder / name).write_bytes(data)
    assert message in refusal(capsys, tmp_path / "dump", "--out", tmp_path / "cases")


def test_dump_does_not_reach_out(dump, tmp_path, capsys):
    text = (dump / "dump.json").read_text()
    (tmp_path / "secret.pt").write_bytes(pt_bytes(X.tobytes()))
    (dump / "dump.json").write_text(text.replace("relu.input.0.pt", "../../../../secret.pt"))
    arguments = [tmp_path / "dump", "--out", tmp_path / "cases"]
    assert "the file name 'dump_tensor_data/../../../../secret.pt'" in refusal(capsys, *arguments)
    (dump / "dump.json").write_text(text)
    (dump / "dump_tensor_data" / "relu.input.0.pt").unlink()
    (dump / "dump_tensor_data" / "relu.input.0.pt").symlink_to(tmp_path / "secret.pt")
    assert "is a symbolic link or lies behind one" in refusal(capsys, *arguments)


def test_usage(tmp_path, capsys):
    arguments = [tmp_path, "--out", tmp_path / "out"]
    assert refusal(capsys, *arguments) == f"{tmp_path}: there is no dump.json in or below it"
    assert refusal(capsys, *arguments, "--kernel", "x.py") == "--kernel and --function go together"
    message = refusal(capsys, *arguments, "--argument", "x=1")
    assert message == "--argument, --blocks and --platform say how --kernel was launched"


@pytest.mark.torch
@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "bool", "int64"])
def test_files_of_torch_itself(dump, tmp_path, name):
    torch = pytest.importorskip("torch")
    values = torch.arange(6).reshape(2, 3).to(getattr(torch, name))
    torch.save(values, dump / "dump_tensor_data" / "relu.output.0.pt")
    table = json.loads((dump / "dump.json").read_text())
    output = table["data"]["Functional.relu.0.forward"]["output"][0]
    output |= {"dtype": f"torch.{name}", "shape": [2, 3]}
    (dump / "dump.json").write_text(json.dumps(table))
    assert run(dump / "dump.json", "--out", tmp_path / "cases") == 0
    case = load_case(tmp_path / "cases" / "Functional.relu.0.forward")
    bits = case.output_bits("output.0")
    assert bits.tobytes() == values.view(torch.uint8).numpy().tobytes()
