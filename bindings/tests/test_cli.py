"""The command line: what a script run by `ascemu run` sees, how it ends, the listings."""

import json
import os
import subprocess
import sys
from pathlib import Path

import ascemu
import pytest
from ascemu.cli.listing import format_table
from ascemu.cli.main import main

KERNEL = """\
import sys

import asc
import asc2
import numpy as np


@asc2.jit
def double(x_ptr: asc.GlobalAddress, y_ptr, size: asc.ConstExpr[int]):
    x_gm = asc2.global_tensor(x_ptr, [size])
    y_gm = asc2.global_tensor(y_ptr, [size])
    x = asc2.copy_in(x_gm, [asc2.block_idx() * 8], [8])
    asc2.copy_out(x + x, y_gm, [asc2.block_idx() * 8])


x = np.arange(32, dtype=np.float32)
y = np.zeros_like(x)
blocks = int(sys.argv[1]) if len(sys.argv) > 1 else 4
double[blocks or None](x, y, int(sys.argv[2]) if len(sys.argv) > 2 else 32)
print(blocks, "blocks:", np.array_equal(y, 2 * x))
"""


@pytest.fixture
def script(tmp_path):
    """Writes a script and returns its path."""

    def write(text, name="script.py"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def ascemu_command(*arguments, **env):
    """Run `python -m ascemu` in a process of its own."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("ASCEMU", "NO_COLOR"))}
    return subprocess.run(
        [sys.executable, "-m", "ascemu", *map(str, arguments)],
        capture_output=True,
        text=True,
        env=clean | env,
    )


def test_version():
    done = ascemu_command("--version")
    assert (done.returncode, done.stdout) == (0, f"ascemu {ascemu.__version__}\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["run"], "the following arguments are required: FILE"),
        (["run", "--platform", "Ascend310", os.devnull], "Unknown platform 'Ascend310'; use one"),
        (["run", "--check", "bounds", os.devnull], "'bounds' is not of the form name=level"),
        (["run", "--check", "bound=off", os.devnull], "(did you mean 'bounds'?)"),
        (["run", "--threads", "-1", os.devnull], "threads=-1: must be an integer of at least 0"),
        (["run", "--threads", "two", os.devnull], "argument --threads: invalid int value: 'two'"),
        (["run", "--numerics", "exact", os.devnull], "numerics='exact': must be one of npu"),
        (["run", "--overflow", "clamp", os.devnull], "overflow='clamp': must be one of inf"),
        (["run", "absent.py"], "cannot read absent.py: No such file or directory"),
    ],
)
def test_wrong_usage(arguments, message, capsys):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert message in capsys.readouterr().err


def test_bad_environment_is_wrong_usage(script):
    done = ascemu_command("run", script("print(1)\n"), ASCEMU_THREADS="many")
    assert done.returncode == 2
    assert "environment variable ASCEMU_THREADS='many': must be an integer" in done.stderr


def test_script_is_the_main_program(script, tmp_path):
    (tmp_path / "beside.py").write_text("VALUE = 7\n", encoding="utf-8")
    path = script(
        "import beside, sys\n"
        "print(__name__, __file__, sys.argv, beside.VALUE, sys.modules['__main__'].__file__)\n"
        "print(__builtins__.len('abc') if hasattr(__builtins__, 'len') else 'no')\n"
    )
    done = ascemu_command("run", "--threads", "1", path, "--threads", "x", "--", "-h")
    arguments = [str(path), "--threads", "x", "--", "-h"]
    assert done.stderr == ""
    assert done.stdout == f"__main__ {path} {arguments} 7 {path}\n3\n"
    assert done.returncode == 0


def test_script_may_change_its_folder(script, monkeypatch):
    path = script("import os\nos.chdir('/')\n" + KERNEL + "print(__file__, sys.argv)\n")
    monkeypatch.chdir(path.parent)
    done = ascemu_command("run", "script.py")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"4 blocks: True\n{path} ['script.py']\n"


def test_kernel_file_runs_unmodified(script):
    path = script(KERNEL)
    done = ascemu_command("run", path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "4 blocks: True\n", "")


def test_the_same_file_runs_after_activate_and_under_pytest(script):
    path = script(KERNEL, "kernel_file.py")
    code = "import ascemu; ascemu.activate(); import kernel_file"
    clean = {k: v for k, v in os.environ.items() if not k.startswith("ASCEMU")}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=path.parent, env=clean
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "4 blocks: True\n", "")
    script(
        "import sys\n\n\ndef test_it(capsys, monkeypatch):\n"
        "    monkeypatch.setattr(sys, 'argv', ['x'])\n"
        "    import kernel_file\n\n"
        "    assert capsys.readouterr().out == '4 blocks: True\\n'\n",
        "test_kernel_file.py",
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--ascemu", "-p", "no:cacheprovider"],
        capture_output=True,
        text=True,
        cwd=path.parent,
        env=clean,
    )
    assert "1 passed" in done.stdout
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("ending", "status", "stderr"),
    [
        ("raise SystemExit", 0, ""),
        ("import sys; sys.exit(3)", 3, ""),
        ("import sys; sys.exit('why')", 1, "why\n"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGINT)", 130, "ascemu: interrupted\n"),
    ],
)
def test_exit_status_is_the_scripts(script, ending, status, stderr):
    done = ascemu_command("run", script(ending + "\n"))
    assert (done.returncode, done.stderr) == (status, stderr)


def test_ordinary_exception_shows_the_scripts_traceback(script):
    path = script("def fail():\n    raise KeyError('x')\n\n\nfail()\n")
    done = ascemu_command("run", path)
    assert done.returncode == 1
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert lines[1] == f'  File "{path}", line 5, in <module>'
    assert lines[-1] == "KeyError: 'x'"


def test_syntax_error_of_the_script(script):
    path = script("x = = 1\n")
    done = ascemu_command("run", path)
    assert done.returncode == 1
    assert f'File "{path}", line 1' in done.stderr
    assert done.stderr.endswith("SyntaxError: invalid syntax\n")
    assert "Traceback" not in done.stderr


def test_finding_is_shown_without_a_traceback(script):
    path = script(KERNEL)
    done = ascemu_command("run", path, 5, 40)
    assert done.returncode == 1
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert "read-out-of-bounds" in done.stderr
    assert f"{path}:12" in done.stderr
    assert "x = asc2.copy_in(x_gm, [asc2.block_idx() * 8], [8])" in done.stderr
    assert "\x1b" not in done.stderr


def test_traceback_on_request(script):
    path = script(KERNEL)
    done = ascemu_command("run", "--traceback", path, 5, 40)
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert lines[1].startswith(f'  File "{path}", line 19, in <module>')
    assert done.stderr.count("error[read-out-of-bounds]:") == 1


def test_json_findings(script):
    path = script(KERNEL)
    done = ascemu_command("run", "--json", path, 6, 48)
    assert done.returncode == 1
    findings = [json.loads(line) for line in done.stderr.splitlines()]
    reads = [f for f in findings if f["code"] == "read-out-of-bounds"]
    assert [f["block"] for f in reads] == [4, 5]
    assert {(f["file"], f["line"], f["severity"]) for f in reads} == {(str(path), 12, "error")}
    assert {f["code"] for f in findings} == {"read-out-of-bounds", "write-out-of-bounds"}


def test_check_levels(script):
    path = script(KERNEL)
    done = ascemu_command("run", "--check", "bounds=warn", path, 5, 40)
    assert (done.returncode, done.stdout) == (0, "5 blocks: True\n")
    assert "read-out-of-bounds" in done.stderr
    assert "write-out-of-bounds" in done.stderr
    done = ascemu_command("run", "--check", "bounds=off", path, 5, 40)
    assert (done.returncode, done.stdout, done.stderr) == (0, "5 blocks: True\n", "")


def test_the_findings_of_a_run_are_summed_up(script):
    path = script(KERNEL)
    done = ascemu_command("run", path, 7, 56)
    assert done.stderr.splitlines()[-3:] == [
        "ascemu: 6 findings:",
        f"  error[read-out-of-bounds]   3 x  first at {path}:12",
        f"  error[write-out-of-bounds]  3 x  first at {path}:13",
    ]
    done = ascemu_command("run", "--no-summary", path, 7, 56)
    assert "ascemu: " not in done.stderr


def test_a_launch_may_stop_at_its_first_error(script):
    path = script(KERNEL)
    done = ascemu_command("run", "--stop-at-first", "--json", path, 7, 56)
    assert done.returncode == 1
    findings = [json.loads(line) for line in done.stderr.splitlines()]
    assert [(f["code"], f["block"]) for f in findings] == [("read-out-of-bounds", 4)]


def test_strict_makes_portability_findings_errors(script):
    path = script(KERNEL.replace("x + x", "x * -(1.0 * asc2.number(-2.0, asc2.float32))"))
    assert ascemu_command("run", path).returncode == 0
    done = ascemu_command("run", "--strict", path)
    assert done.returncode == 1
    assert "error[portability]" in done.stderr
    done = ascemu_command("run", "--strict", "--check", "portability=off", path)
    assert done.returncode == 2
    assert "give one of the two" in done.stderr


def test_blocks_of_a_launch_on_all_cores(script):
    path = script(KERNEL)
    done = ascemu_command("run", "--blocks", 4, path, 0)
    assert (done.returncode, done.stdout, done.stderr) == (0, "0 blocks: True\n", "")


def test_max_steps(script):
    path = script(KERNEL)
    done = ascemu_command("run", "--max-steps", 2, path)
    assert done.returncode == 1
    assert "step-limit" in done.stderr


def test_platform(script):
    path = script(
        "import asc2\nfrom asc.lib.runtime import get_soc_version\nprint(get_soc_version())\n"
    )
    done = ascemu_command("run", "--platform", "Ascend910B4-1", path)
    assert (done.returncode, done.stdout) == (0, "Ascend910B4-1\n")


def test_ops_list_the_op_table(capsys):
    from ascemu import _core

    assert main(["ops"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].split() == ["operation", "family", "dtypes", "spec"]
    names = [line.split()[0] for line in out[1 : out.index("")]]
    assert names == [row["name"] for row in _core.op_table()]
    assert "  inline_vf: it pastes raw C++" in "\n".join(out)
    assert main(["ops", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    by_name = {row["name"]: row for row in rows}
    assert by_name["erf"]["dtypes"] == ["float16", "float32"]
    assert "unsupported" in by_name["inline"]


def test_the_matrix_of_operations(capsys):
    assert main(["ops", "--matrix"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].split() == ["operation", "dtype", "ieee", "910B", "910_93", "950PR"]
    assert main(["ops", "--matrix", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert len(rows) == len(out) - 1
    cells = {(row["op"], row["dtype"]): row["targets"] for row in rows}
    assert cells["add", "float16"]["ieee"]["vectors"] >= 40_000
    assert cells["exp", "float32"]["910B"]["silicon"] == ["vexp-f32-910B3-bound"]
    assert cells["exp", "float32"]["950PR"]["silicon"] == []
    assert "N6.1" in cells["exp", "float32"]["950PR"]["unspecified"]


def test_codes_list_the_code_table(capsys):
    from ascemu import _core

    assert main(["codes"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in out[1:]] == [row["code"] for row in _core.code_table()]
    assert main(["codes", "--json"]) == 0
    rows = {row["code"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["read-out-of-bounds"]["check"] == "bounds"
    assert rows["step-limit"]["kind"] == "exhaustion"


def test_checks_list_the_check_table(capsys):
    from ascemu import _core

    assert main(["checks"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].split() == ["check", "kind", "level", "watches"]
    assert [line.split()[0] for line in out[1:]] == [row["check"] for row in _core.check_table()]
    assert main(["checks", "--json"]) == 0
    rows = {row["check"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["bounds"]["level"] == "error"
    assert rows["bounds"]["kinds"] == ["trap"]
    assert {"code": "read-out-of-bounds", "level": "error"} in rows["bounds"]["codes"]
    assert rows["numeric"]["level"] == "off"


def test_platforms(capsys):
    assert main(["platforms", "--json"]) == 0
    rows = {row["platform"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["Ascend950PR_9599"] == {
        "platform": "Ascend950PR_9599",
        "arch": "C310",
        "blocks_with_cube": 72,
        "blocks_vector": 72,
        "ub_size": 253952,
        "l1_size": 524288,
        "l0a_size": 65536,
        "l0b_size": 65536,
        "l0c_size": 262144,
        "bt_size": 4096,
    }
    assert main(["platforms"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(rows) + 1


def test_tables_are_aligned():
    assert format_table(["a", "long"], [["xyz", "1"], ["x", ""]]) == ["a    long", "xyz  1", "x"]


def test_console_script_is_installed():
    script = Path(sys.executable).with_name("ascemu")
    done = subprocess.run([script, "--version"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, f"ascemu {ascemu.__version__}\n")
