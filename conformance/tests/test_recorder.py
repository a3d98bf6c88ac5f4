"""The recorder: exported as one file beside a stub of the real package, and over our modules."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import asc  # noqa: I001
import asc2
import ascemu
import ml_dtypes
import numpy as np
import pytest
from ascemu.cli.main import main
from ascemu_conformance import recorder
from ascemu_conformance.case import find_cases, load_case
from ascemu_conformance.recorder_export import recorder_text
from ascemu_conformance.running import Kernels, run_case

# What the tests take for the real package: it launches nothing of ours.
STUB = {
    "asc/__init__.py": """
        from asc.runtime import config

        class ConstExpr:
            def __init__(self, value):
                self.value = value
        """,
    "asc/runtime/__init__.py": "",
    "asc/runtime/config.py": """
        import enum

        class Backend(enum.Enum):
            NPU = "NPU"

        def get_platform(device):
            raise AssertionError("there is no such device")

        def set_platform(backend, soc_version=None, device_id=None, check=True):
            return backend
        """,
    "asc/lib/__init__.py": "",
    "asc/lib/runtime.py": "def get_soc_version():\n    return 'Ascend910B3'\n",
    "asc2.py": """
        import functools
        import numpy as np
        from asc import ConstExpr
        from asc.runtime.config import Backend, set_platform

        class Options:
            def __init__(self, **given):
                self.opt_level = given.get("opt_level", 3)

        class JITFunction:
            def __init__(self, fn, **options):
                functools.update_wrapper(self, fn)
                self.fn, self.options = fn, Options(**options)

            def __getitem__(self, launch):
                self.launch_options = launch
                return functools.partial(self.run, launch)

            def run(self, launch, *args, **kwargs):
                if self.fn.__name__ == "failing":
                    raise KeyError("the kernel's own")
                with np.errstate(invalid="ignore"):
                    args[1][...] = args[0] * 2

        def jit(fn=None, **options):
            return JITFunction(fn, **options) if fn else lambda fn: JITFunction(fn, **options)
        """,
    "beside.py": "FACTOR = 2\n",
    "lazy.py": "print('loaded')\n",
    "script.py": """
        import sys
        import numpy as np
        import asc2
        import asc.lib.runtime
        import beside
        import importlib.util

        spec = importlib.util.find_spec("lazy")
        spec.loader = importlib.util.LazyLoader(spec.loader)
        lazy = sys.modules["lazy"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(lazy)

        class Proxy:
            def __getattr__(self, name):
                print("asked for", name)

        proxy = Proxy()

        @asc2.jit(opt_level=2)
        def double(x, out, size, tile: "asc2.ConstExpr[int]"):
            pass

        @asc2.jit
        def failing(x):
            pass

        if __name__ == "__main__":
            assert type(double).__getitem__.__name__ == "__getitem__"
            asc2.set_platform(asc2.Backend.NPU, "Ascend910B3")
            x = np.arange(4, dtype=np.float32)
            x.view(np.uint32)[0] = 0x7F800123
            out = np.zeros_like(x)
            double[8, None](x, out, np.float16(1.5), tile=32, always_compile=True)
            print(double.launch_options, out.view(np.uint32)[0] == x.view(np.uint32)[0] | 1 << 22)
            try:
                failing[1](x)
            except KeyError as error:
                print("passed through", error)
            double[1](x, out, object(), 1)
            double[1](x, out, iter([]), [asc2.jit, (None, 2.0)])
            print(sys.argv[1:], "ascemu" in sys.modules)
        """,
}


@pytest.fixture
def host(tmp_path):
    """A folder as on a machine with an NPU: the stub, a script, the exported recorder."""
    for name, text in STUB.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).lstrip(), encoding="utf-8")
    (tmp_path / "recorder.py").write_text(recorder_text(), encoding="utf-8")
    return tmp_path


def run_on(host, *arguments, **environment):
    environment = {"PATH": os.environ["PATH"], "PYTHONWARNINGS": "default", **environment}
    return subprocess.run(
        [sys.executable, "-B", *arguments],
        cwd=host,
        capture_output=True,
        text=True,
        env=environment,
    )


def test_recorder_beside_another_package(host):
    plain = run_on(host, "script.py", "a", "--b")
    found = run_on(host, "recorder.py", "--out", "cases", "script.py", "a", "--b")
    assert (found.returncode, found.stdout) == (0, plain.stdout), found.stderr
    assert found.stdout == (
        "(8, None) True\npassed through \"the kernel's own\"\n['a', '--b'] False\n"
    )
    names = [path.name for path in find_cases(host / "cases")]
    assert names == ["double-0001", "double-0002", "double-0003"]
    case = load_case(host / "cases" / "double-0001")
    case.check_data()
    document = case.document
    assert document["kernel"]["function"] == "double"
    assert list(case.kernel_files()) == ["script.py", "beside.py", "lazy.py"]
    assert document["options"] == {"opt_level": 2}
    assert document["launch"] == {
        "blocks": 8,
        "options": {"always_compile": {"type": "bool", "value": True}},
        "platform": "Ascend910B3",
    }
    assert [(a["name"], a["kind"]) for a in case.arguments] == [
        ("x", "array"),
        ("out", "array"),
        ("size", "scalar"),
        ("tile", "constant"),
    ]
    assert case.arguments[2]["value"] == {"type": "number", "dtype": "float16", "bits": "0x3e00"}
    assert case.arguments[3]["value"] == {"type": "int", "value": 32}
    assert case.input_bits("x").view(np.uint32)[0] == 0x7F800123
    assert case.input_bits("out").tolist() == [0, 0, 0, 0]
    assert case.output_bits("out").view(np.uint32)[0] == 0x7FC00123
    assert case.output_bits("out")[1:].tolist() == [2, 4, 6]
    assert [("unchanged" in output) for output in case.outputs] == [True, False]
    provenance = document["provenance"]
    assert (provenance["source"], provenance["backend"]) == ("npu", "NPU")
    assert provenance["device"] == "Ascend910B3"
    assert provenance["packages"]["numpy"] == np.__version__
    assert load_case(host / "cases" / "double-0002").arguments[2]["value"]["type"] == "opaque"


def test_commands_of_the_page(host, monkeypatch, capsys):
    page = Path(__file__).resolve().parents[2] / "docs" / "recording.md"
    block = page.read_text(encoding="utf-8").partition("```sh\n")[2].partition("```")[0]
    export, run = [line.split() for line in block.splitlines()]
    assert (export[0], run[0]) == ("ascemu", "python")
    monkeypatch.chdir(host)
    (host / "recorder.py").unlink()
    with pytest.raises(SystemExit):
        main(export[1:])
    assert (host / "recorder.py").read_text(encoding="utf-8") == recorder_text()
    found = run_on(host, *run[1:])
    assert found.returncode == 0, found.stderr
    assert len(list(find_cases(host / "cases"))) == 3


def test_recorder_as_a_plugin_of_pytest(host):
    (host / "test_double.py").write_text(
        "import numpy as np\nfrom script import double\n\n"
        "def test_double():\n"
        "    x = np.ones(3, np.float16)\n"
        "    double[1](x, x, 3, 1)\n"
        "    assert x.tolist() == [2, 2, 2]\n",
        encoding="utf-8",
    )
    left_out = ["ascemu", "ascemu_conformance", "cacheprovider"]
    plugins = [word for name in left_out for word in ("-p", f"no:{name}")]
    arguments = ["-m", "pytest", "-q", "-p", "recorder", *plugins]
    found = run_on(host, *arguments, "--ascemu-record", "cases", PYTHONPATH=str(host))
    assert found.returncode == 0, found.stdout + found.stderr
    (path,) = find_cases(host / "cases")
    case = load_case(path)
    assert case.arguments[1]["same_as"] == "x"
    assert case.input_bits("out").tolist() == [1, 1, 1]
    assert case.output_bits("x").tolist() == [2, 2, 2]


def test_recorder_does_not_alter_the_run_where_it_fails(host):
    (host / "cases").mkdir()
    text = recorder_text().replace("def source_files(function: Any)", "def _unused(function: Any)")
    (host / "recorder.py").write_text(text, encoding="utf-8")
    found = run_on(host, "-W", "error", "recorder.py", "--out", "cases", "script.py")
    assert found.returncode == 0, found.stderr
    assert found.stdout.startswith("(8, None) True\npassed through")
    assert (
        "recorder: a launch of double is not recorded: "
        "NameError: name 'source_files' is not defined"
    ) in found.stderr
    assert list((host / "cases").iterdir()) == []


@asc2.jit
def scale(
    x_ptr: asc.GlobalAddress, out_ptr: asc.GlobalAddress, size: int, tile: asc.ConstExpr[int]
):
    x_gm = asc2.global_tensor(x_ptr, [size])
    out_gm = asc2.global_tensor(out_ptr, [size])
    offset = asc2.block_idx() * tile
    x = asc2.copy_in(x_gm, [offset], [tile])
    asc2.copy_out(x + x, out_gm, [offset])


def test_recording_of_ours_runs_again_with_the_same_bits(tmp_path):
    x = np.array([0x7FA5, 0xFF81, 0x0001, 0x3F80], np.uint16).view(ml_dtypes.bfloat16)
    y = x.copy()
    with ascemu.recording(tmp_path) as session, ascemu.options(platform="Ascend950PR_957b"):
        scale[2](x, y, 4, 2)
        scale[2](x, x, 4, asc2.ConstExpr(2))
    scale[2](x, y, 4, 2)
    assert session.recorded == {"scale": 2}
    first, second = map(load_case, find_cases(tmp_path))
    assert first.launch == {
        "blocks": 2,
        "platform": "Ascend950PR_957b",
        "numerics": "npu",
        "overflow": "inf",
    }
    assert first.provenance["source"] == "ascemu"
    assert first.input_bits("x_ptr").tolist() == [0x7FA5, 0xFF81, 0x0001, 0x3F80]
    assert first.outputs[0]["unchanged"] and second.arguments[1]["same_as"] == "x_ptr"
    with Kernels() as kernels:
        for case in (first, second):
            for name, bits in run_case(case, kernels).items():
                assert bits.tobytes() == case.output_bits(name).tobytes()


def test_kernel_inside_a_function_runs_again(tmp_path):
    factor = 3.0

    @asc2.jit
    def inner(x_ptr: asc.GlobalAddress, op: asc.ConstExpr):
        x_gm = asc2.global_tensor(x_ptr, [8])
        asc2.copy_out(op(asc2.copy_in(x_gm, [0], [8]), factor), x_gm, [0])

    x = np.arange(8, dtype=np.float32)
    with recorder.recording(tmp_path):
        inner[1](x, asc2.mul)
    (path,) = find_cases(tmp_path)
    case = load_case(path)
    assert case.kernel["closure"]["factor"]["value"] == 3.0
    with Kernels() as kernels:
        assert run_case(case, kernels)["x_ptr"].tolist() == [3.0 * i for i in range(8)]


def test_kernel_inside_a_package_runs_again(tmp_path, monkeypatch):
    package = tmp_path / "made_package" / "ops"
    package.mkdir(parents=True)
    (package.parent / "__init__.py").write_text("")
    (package / "__init__.py").write_text("from .amounts import AMOUNT\n")
    (package / "amounts.py").write_text("AMOUNT = 5\n")
    (package / "shift.py").write_text(
        "import asc2\nfrom . import AMOUNT\n\n\n@asc2.jit\ndef shift(x_ptr):\n"
        "    x_gm = asc2.global_tensor(x_ptr, [8])\n"
        "    asc2.copy_out(asc2.copy_in(x_gm, [0], [8]) + AMOUNT, x_gm, [0])\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    from made_package.ops.shift import shift

    with recorder.recording(tmp_path / "cases"):
        shift[1](np.arange(8, dtype=np.int32))
    (path,) = find_cases(tmp_path / "cases")
    case = load_case(path)
    assert list(case.kernel_files()) == [
        "made_package/ops/shift.py",
        "made_package/__init__.py",
        "made_package/ops/__init__.py",
        "made_package/ops/amounts.py",
    ]
    (package / "amounts.py").write_text("AMOUNT = 6\n")
    with Kernels() as kernels:
        assert run_case(case, kernels)["x_ptr"].tolist() == list(range(5, 13))
    assert Path(sys.modules["made_package"].__file__).parent == package.parent


def test_limits_of_a_recording(tmp_path):
    x = np.ones(4, np.float32)
    with recorder.recording(tmp_path, limit=1), recorder.recording(tmp_path, max_bytes=63) as small:
        with pytest.warns(RuntimeWarning) as caught:
            scale[1](x, x.copy(), 4, 4)
    assert str(caught[0].message) == (
        "recorder: a launch of scale is not recorded: ValueError: its arrays take more than "
        "max_bytes=63"
    )
    assert small.recorded == {} and list(tmp_path.iterdir()) == []
    with recorder.recording(tmp_path, limit=1):
        scale[1](x, x, 4, 4)
        scale[1](x, x, 4, 4)
    with recorder.recording(tmp_path):
        scale[1](x, x, 4, 4)
    assert [path.name for path in find_cases(tmp_path)] == ["scale-0001", "scale-0002"]


def test_nothing_is_left_in_place(tmp_path):
    owner = type(scale)
    before = owner.__getitem__, asc2.set_platform, list(sys.meta_path)
    with recorder.recording(tmp_path):
        assert owner.__getitem__ is not before[0]
    assert (owner.__getitem__, asc2.set_platform, list(sys.meta_path)) == before


def test_a_failing_launch_leaves_no_case(tmp_path):
    with (
        recorder.recording(tmp_path),
        pytest.raises(ValueError, match="'core_num' must be positive"),
    ):
        scale[0](np.ones(4, np.float32), np.ones(4, np.float32), 4, 4)
    assert list(tmp_path.iterdir()) == []


def test_command_record(tmp_path, capsys):
    script = tmp_path / "script.py"
    lines = Path(__file__).read_text(encoding="utf-8").split("@asc2.jit\ndef scale")[1]
    kernel = "@asc2.jit\ndef scale" + lines.split("\n\n\n")[0]
    script.write_text(
        f"import asc, asc2, sys\nimport numpy as np\n\n{kernel}\n\n"
        "x = np.ones(4, np.int32)\nscale[1](x, x, 4, 4)\nprint(x, sys.argv[1:])\n",
        encoding="utf-8",
    )
    before = sys.argv[:], sys.path[:], sys.modules["__main__"]
    try:
        assert main(["record", "--out", str(tmp_path / "cases"), str(script), "--x"]) == 0
    finally:
        sys.argv[:], sys.path[:] = before[:2]
        sys.modules["__main__"] = before[2]
    assert capsys.readouterr().out == "[2 2 2 2] ['--x']\n"
    (path,) = find_cases(tmp_path / "cases")
    assert load_case(path).output_bits("x_ptr").tolist() == [2, 2, 2, 2]
