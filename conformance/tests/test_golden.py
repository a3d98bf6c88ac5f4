"""Golden cases: the matrix, the same bytes however they are made, what goes wrong."""

import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from ascemu import settings
from ascemu.cli.main import main
from ascemu_conformance import golden
from ascemu_conformance.case import load_case
from ascemu_conformance.case_files import CaseError
from ascemu_conformance.case_writing import write_folder
from ascemu_conformance.expressions import evaluate, filled
from ascemu_conformance.golden_matrix import read_matrix

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "golden.md").read_text(encoding="utf-8")
MATRIX = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)[1]
KERNEL = """
import asc
import asc2


@asc2.jit
def scale_kernel(x_ptr, out_ptr, factor, size: int, tile: asc.ConstExpr[int]):
    x_gm = asc2.global_tensor(x_ptr, [size])
    out_gm = asc2.global_tensor(out_ptr, [size])
    offset = asc2.block_idx() * tile
    x = asc2.copy_in(x_gm, [offset], [tile])
    asc2.copy_out(x * factor, out_gm, [offset])
"""


@pytest.fixture
def matrix(tmp_path):
    """The matrix of the page, beside its kernel."""
    (tmp_path / "scale.py").write_text(KERNEL, encoding="utf-8")
    path = tmp_path / "scale.toml"
    path.write_text(MATRIX, encoding="utf-8")
    return path


def tree(root):
    """Every file below a folder and its bytes."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def test_matrix_of_the_page(matrix, tmp_path):
    names = [recipe.name for recipe in read_matrix(matrix)]
    assert names == [
        *(f"scale-{dtype}-{size}" for dtype in ("float16", "bfloat16") for size in (1, 7, 1000)),
        "scale-int32-7",
        "scale-int32-1000",
    ]
    summary = golden.generate(matrix, tmp_path / "out")
    assert (summary.done, summary.skipped, summary.exit_code) == (8, 0, 0)
    case = load_case(tmp_path / "out" / "scale-bfloat16-7")
    assert case.launch["blocks"] == 1 and case.launch["numerics"] == "npu"
    assert case.arguments[2]["value"] == {"type": "number", "dtype": "bfloat16", "bits": "0x4040"}
    assert case.provenance["parameters"] == {"dtype": "bfloat16", "size": 7, "tile": 128}
    x = case.input_bits("x_ptr").astype(np.uint32) << 16
    product = x.view(np.float32) * np.float32(3)
    low = product.view(np.uint32)
    rounded = ((low + 0x7FFF + ((low >> 16) & 1)) >> 16).astype(np.uint16)
    assert case.output_bits("out_ptr").tolist() == rounded.tolist()
    assert case.input_bits("x_ptr").tolist() != case.input_bits("x_ptr")[::-1].tolist()


def test_settings_of_the_machine_have_no_say(matrix, tmp_path):
    golden.generate(matrix, tmp_path / "a")
    with settings.options(platform="Ascend910B1", numerics="fp64", threads=2):
        golden.generate(matrix, tmp_path / "b", workers=2)
    assert tree(tmp_path / "a") == tree(tmp_path / "b")
    assert len(tree(tmp_path / "a")) == 8 * 3


def test_interrupted_run_goes_on(matrix, tmp_path):
    out = tmp_path / "out"
    golden.generate(matrix, out)
    whole = tree(out)
    broken = out / "scale-float16-7"
    broken.rename(out / ".scale-float16-7.partial")
    (out / ".scale-float16-7.partial" / "case.toml").unlink()
    summary = golden.generate(matrix, out)
    assert (summary.done, summary.skipped) == (1, 7)
    assert tree(out) == whole
    matrix.write_text(MATRIX.replace("value = 3", "value = 5"), encoding="utf-8")
    assert golden.generate(matrix, out).done == 8
    assert tree(out).keys() == whole.keys() and tree(out) != whole
    text = (broken / "case.toml").read_text().replace('source = "golden"', 'source = "npu"')
    (broken / "case.toml").write_text(text)
    with pytest.raises(CaseError, match="scale-float16-7: not a golden case; choose another"):
        golden.generate(matrix, out)


def test_check_names_what_deviates_and_what_failed(matrix, tmp_path, capsys):
    out = tmp_path / "out"
    assert main(["golden", "generate", str(matrix), "--out", str(out), "--workers", "1"]) == 0
    assert capsys.readouterr().out == "8 made, 0 there already, 0 deviating, 0 failed\n"
    check = ["golden", "check", str(out), "--workers", "1"]
    assert main(check) == 0
    assert capsys.readouterr().out == "8 the same, 0 there already, 0 deviating, 0 failed\n"
    folder = out / "scale-float16-7"
    bits = np.load(folder / "outputs" / "1.npy").view(np.uint16)
    old = int(bits[3])
    bits[3] ^= 1
    np.save(folder / "outputs" / "1.npy", bits.view(np.float16))
    text = (folder / "case.toml").read_text()
    (folder / "case.toml").write_text(re.sub(r"(data = \"outputs.*\n)sha256.*\n", r"\1", text))
    assert main(check) == 1
    assert capsys.readouterr().out.splitlines()[0] == (
        f"deviating: {folder}: out_ptr: 1 of 7 elements differ, first at [3]: recorded "
        f"0x{old ^ 1:04x}, now 0x{old:04x}"
    )
    kernel = out / "scale-float16-1" / "kernel" / "scale.py"
    kernel.write_text(KERNEL.replace("x * factor", "x"))
    assert main(check) == 2
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith(f"failed: {kernel.parents[1]}: {kernel.parents[1]}: kernel/scale.py")
    assert lines[2] == "6 the same, 0 there already, 1 deviating, 1 failed"
    assert main([*check, "--trust"]) == 1
    line = capsys.readouterr().out.splitlines()[0]
    assert line.startswith(f"deviating: {kernel.parents[1]}: out_ptr: 1 of 1 elements differ, ")


def test_kernels_that_fail_are_named(matrix, tmp_path):
    (tmp_path / "scale.py").write_text(KERNEL.replace("copy_out(x", "copy_out(missing"))
    summary = golden.generate(matrix, tmp_path / "out")
    assert (summary.done, summary.exit_code, len(summary.failed)) == (0, 2, 8)
    assert summary.failed["scale-int32-7"] == (
        "CodegenError: unknown-name: NameError: name 'missing' is not defined"
    )
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("version = 1", "version = 2", "format 'ascemu-golden', version 2; a matrix has"),
        ("kernel =", "kernels =", "unknown key 'kernels'; known: format, version, kernel,"),
        ('"scale.py"', '"../scale.py"', "the file name '../scale.py' is not a plain relative"),
        ('"scale.py"', '"other.py"', "other.py cannot be read: No such file or directory"),
        ("[1, 7, 1000]", "[]", "parameters: size is a list of at least one value"),
        ("-{size}", "", "two cases are named 'scale-float16'; put every parameter that differs"),
        (
            "-{size}",
            "/{size}",
            "with dtype='float16', size=1, tile=128: the name 'scale-float16/1'",
        ),
        ("ceildiv(", "open(", "size=1, tile=128: the expression 'open(size, tile)': 'open(size,"),
        ("uniform", "random", "scale-float16-1: arguments[0]: unknown generator 'random'; known:"),
        (
            "dtype == ",
            "type == ",
            "exclude: the expression \"type == 'int32' and size == 1\": unknown",
        ),
    ],
)
def test_bad_matrices_are_refused(matrix, old, new, message):
    matrix.write_text(MATRIX.replace(old, new), encoding="utf-8")
    with pytest.raises(CaseError) as caught:
        read_matrix(matrix)
    assert str(caught.value).startswith(f"{matrix}: ") and message in str(caught.value)


def test_expressions():
    names = {"a": 7, "dtype": "float16"}
    assert evaluate("-(a + 1) // 3 * 2 ** 3 % 5", names) == -(7 + 1) // 3 * 2**3 % 5
    assert evaluate("a > 3 and not a == 8 or dtype == 'x'", names) is True
    assert filled({"x": ["{a}", "n{a}-{dtype}", 2.5]}, names) == {"x": [7, "n7-float16", 2.5]}
    for text in ("a.b", "a[0]", "[a]", "lambda: 1", "9**99", "'x' * 9", "a if a else a", "1 / 0"):
        with pytest.raises(ValueError, match="^the expression "):
            evaluate(text, names)


def started(*arguments):
    environment = {**os.environ, "DASK_DISTRIBUTED__DIAGNOSTICS__NVML": "False"}
    return subprocess.Popen(
        [sys.executable, "-m", *arguments],
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )


def wait_for(process, pattern):
    """What `pattern` finds in the lines that a process writes; the rest is read and dropped."""
    lines = []
    for line in process.stderr:
        lines.append(line)
        found = re.search(pattern, line)
        if found:
            threading.Thread(target=process.stderr.read, daemon=True).start()
            return found[1]
    raise AssertionError("".join(lines))


@pytest.mark.filterwarnings("default")
def test_scheduler_gives_the_same_cases_though_a_worker_dies(matrix, tmp_path, monkeypatch):
    pytest.importorskip("distributed")
    sizes = ", ".join(map(str, range(900, 916)))
    matrix.write_text(MATRIX.replace("1, 7, 1000", sizes), encoding="utf-8")
    golden.generate(matrix, tmp_path / "local")
    running = []
    try:
        scheduler = "distributed.cli.dask_scheduler"
        options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
        running.append(started(scheduler, *options))
        address = wait_for(running[0], r"Scheduler at:\s*(tcp://127\.0\.0\.1:\d+)")
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory"]
        for name in ("first", "second"):
            folder = str(tmp_path / name)
            running.append(started("distributed.cli.dask_worker", address, *options, folder))
        for worker in running[1:]:
            wait_for(worker, r"(Registered to)")

        def write_and_kill(folder, files):
            write_folder(folder, files)
            if len(list(folder.parent.iterdir())) == 16:
                running[1].kill()

        monkeypatch.setattr(golden, "write_folder", write_and_kill)
        summary = golden.generate(matrix, tmp_path / "far", scheduler=address)
        assert running[1].wait(10) == -9
        (tmp_path / "far" / "scale-int32-900" / "kernel" / "scale.py").unlink()
        again = golden.check(tmp_path / "far", scheduler=address)
    finally:
        for process in running:
            process.kill()
            process.wait()
            process.stderr.close()
    assert (summary.done, summary.failed) == (48, {})
    local, far = tree(tmp_path / "local"), tree(tmp_path / "far")
    assert local.pop("scale-int32-900/kernel/scale.py")
    assert far == local
    path = str(tmp_path / "far" / "scale-int32-900")
    assert again.failed == {path: f"{path}: kernel/scale.py is missing"}
    assert (again.done, again.deviating) == (47, {})
