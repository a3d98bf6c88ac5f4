"""The wheel: what it states, what it carries, and that it runs where none of our libraries are.

The wheel is built out of build/, so only linking and packing take time. It then runs a kernel in a
root that holds nothing but Python, NumPy, ml_dtypes and the system libraries these need themselves.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from email.parser import Parser
from importlib import metadata
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = [
    pytest.mark.skipif(
        "libasan" in os.environ.get("LD_PRELOAD", ""),
        reason="the wheel is built from the build without sanitizers",
    ),
    pytest.mark.skipif(
        not (ROOT / "build" / "CMakeCache.txt").exists() or not (ROOT / ".venv").exists(),
        reason="needs the build of scripts/setup.sh",
    ),
    pytest.mark.xdist_group("packaging"),
]

KERNEL = """
import ascemu

ascemu.activate()

import asc
import asc2
import numpy as np


@asc2.jit
def vadd(x_ptr: asc.GlobalAddress, y_ptr: asc.GlobalAddress, z_ptr: asc.GlobalAddress, size: int):
    x_gm = asc2.global_tensor(x_ptr, [size])
    y_gm = asc2.global_tensor(y_ptr, [size])
    z_gm = asc2.global_tensor(z_ptr, [size])
    offset = asc2.block_idx() * 64
    x = asc2.copy_in(x_gm, [offset], [64])
    asc2.copy_out(x + asc2.copy_in(y_gm, [offset], [64]), z_gm, [offset])


x = np.arange(100, dtype=np.float32)
z = np.zeros_like(x)
vadd[2](x, x, z, x.size)
assert np.array_equal(z, 2 * x), z
print(ascemu.__version__, ascemu.__file__)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The repaired wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [ROOT / "scripts" / "build_wheel.sh", folder]
    built = subprocess.run(command, capture_output=True, text=True)
    assert built.returncode == 0, built.stdout + built.stderr
    (path,) = folder.glob("ascemu-*.whl")
    return path


@pytest.fixture(scope="module")
def content(wheel, tmp_path_factory):
    """The folder into which the wheel is unpacked as an installer would."""
    folder = tmp_path_factory.mktemp("content")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def stated_version() -> str:
    text = (ROOT / "bindings" / "python" / "ascemu" / "_version.py").read_text(encoding="utf-8")
    return re.search(r'__version__ = "(.*)"', text)[1]


def test_metadata(content):
    (folder,) = content.glob("ascemu-*.dist-info")
    fields = Parser().parsestr((folder / "METADATA").read_text(encoding="utf-8"))
    assert fields["Name"] == "ascemu"
    assert fields["Version"] == stated_version()
    assert fields["Requires-Python"] == ">=3.10"
    assert fields["License-Expression"] == "Apache-2.0"
    assert fields.get_all("Provides-Extra") == ["test", "torch", "distributed"]
    entry_points = (folder / "entry_points.txt").read_text(encoding="utf-8")
    assert "ascemu = ascemu.cli.main:main" in entry_points
    assert "ascemu = ascemu.pytest_plugin" in entry_points
    assert "record = ascemu_conformance.commands:add_record" in entry_points
    assert (folder / "licenses" / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_editable_install_states_the_same_version():
    assert metadata.version("ascemu") == stated_version()


def test_wheel_holds_the_package(content):
    source = ROOT / "bindings" / "python" / "ascemu"
    expected = {
        path.relative_to(source)
        for path in source.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    package = content / "ascemu"
    found = {path.relative_to(package) for path in package.rglob("*") if path.is_file()}
    core = f"_core{sysconfig.get_config_var('EXT_SUFFIX')}"
    contract = ROOT / "docs" / "numerics.md"
    page = Path("data/numerics.md")
    assert found == expected | {Path(core), page}
    assert (package / page).read_bytes() == contract.read_bytes()
    assert {Path("py.typed"), Path("_core.pyi")} <= found


def test_wheel_holds_the_conformance_package(content):
    source = ROOT / "conformance" / "python" / "ascemu_conformance"
    package = content / "ascemu_conformance"
    expected = {path.relative_to(source) for path in source.rglob("*.py")}
    assert {path.relative_to(package) for path in package.rglob("*.py")} == expected


def needed_libraries(library: Path) -> dict[str, str]:
    """The libraries `library` needs, by name, and the files the dynamic loader takes for them."""
    environment = {k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"}
    listed = subprocess.run(["ldd", library], capture_output=True, text=True, env=environment)
    found = re.findall(r"^\s*(\S+) => (/\S+)", listed.stdout, re.MULTILINE)
    loader = re.findall(r"^\s*(/\S+) \(", listed.stdout, re.MULTILINE)
    return dict(found) | {Path(path).name: path for path in loader}


def test_wheel_carries_its_libraries(content):
    (core,) = (content / "ascemu").glob("_core*.so")
    needed = needed_libraries(core)
    (openmp,) = (path for name, path in needed.items() if name.startswith("libgomp"))
    assert Path(openmp).resolve().parent == (content / "ascemu.libs").resolve()
    others = {name.partition(".so")[0] for name in needed} - {"libgomp"}
    others = {name for name in others if not name.startswith("libgomp-")}
    assert others <= {"libc", "libm", "libpthread", "libdl", "librt", "ld-linux-x86-64"} | {
        "ld-linux-aarch64"
    }


def link_or_copy(source: str, target: str) -> None:
    try:
        os.link(os.path.realpath(source), target)
    except OSError:
        shutil.copy2(source, target)


def place(root: Path, source: Path, *ignored: str) -> None:
    """Put the file or folder `source` at the same absolute path under `root`."""
    target = root / source.relative_to("/")
    if target.exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(
            source, target, copy_function=link_or_copy, ignore=shutil.ignore_patterns(*ignored)
        )
    else:
        link_or_copy(str(source), str(target))


def make_bare_root(root: Path) -> Path:
    """Fill `root` with Python, NumPy and ml_dtypes and what they load; return the interpreter."""
    python = Path(sys._base_executable).resolve()
    stdlib = Path(sysconfig.get_path("stdlib"))
    unused = ("site-packages", "dist-packages", "test", "tests", "idlelib", "tkinter", "lib2to3")
    place(root, stdlib, *unused, "ensurepip", "turtledemo", "config-*", "__pycache__", "_tkinter*")
    place(root, python)
    for package in (np, ml_dtypes):
        folder = Path(package.__file__).parent
        place(root, folder, "tests", "__pycache__")
        libraries = folder.with_name(f"{folder.name}.libs")
        if libraries.exists():
            place(root, libraries)
    objects = [python, *(root / stdlib.relative_to("/")).rglob("*.so"), *numeric_objects()]
    for needed in {path for item in objects for path in needed_libraries(item).values()}:
        if "site-packages" not in needed:
            place(root, Path(needed))
    return python


def numeric_objects() -> list[Path]:
    folders = [Path(package.__file__).parent for package in (np, ml_dtypes)]
    return [path for folder in folders for path in folder.rglob("*.so")]


def chroot_command() -> list[str]:
    """How to enter another root here; skips the test where that is not allowed."""
    chroot = shutil.which("chroot", path=os.environ["PATH"] + ":/usr/sbin:/sbin")
    for prefix in ([], ["unshare", "--user", "--map-root-user"]):
        if chroot and shutil.which((prefix or [chroot])[0]):
            command = [*prefix, chroot]
            if subprocess.run([*command, "/", "/bin/true"], capture_output=True).returncode == 0:
                return command
    pytest.skip("entering another root needs root or user namespaces")


def test_kernel_runs_in_a_bare_root(wheel, tmp_path):
    enter = chroot_command()
    python = make_bare_root(tmp_path)
    site = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index"]
    subprocess.run([*install, "--no-compile", "--target", site, wheel], check=True)
    foreign = [path for path in tmp_path.rglob("lib*") if re.match(r"lib(gomp|gtest)", path.name)]
    assert [path.parent.name for path in foreign] == ["ascemu.libs"]
    (tmp_path / "kernel.py").write_text(KERNEL, encoding="utf-8")
    packages = f"/site:{Path(np.__file__).parents[1]}"
    ran = subprocess.run(
        [*enter, tmp_path, python, "/kernel.py"],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": packages, "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "2"},
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == f"{stated_version()} /site/ascemu/__init__.py\n"
