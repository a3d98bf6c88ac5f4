"""activate(): which module an import finds, and that an installed asc is never taken over."""

import os
import subprocess
import sys

import pytest


@pytest.fixture
def python(tmp_path):
    """Runs code in a fresh interpreter whose path may hold other packages named asc."""

    def run(code, *, path=None, **env):
        clean = {k: v for k, v in os.environ.items() if not k.startswith("ASCEMU")}
        path = os.pathsep.join(filter(None, [path and str(path), clean.get("PYTHONPATH")]))
        return subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=clean | env | ({"PYTHONPATH": path} if path else {}),
        )

    return run


@pytest.fixture
def real(tmp_path):
    """A folder with another package named asc."""
    package = tmp_path / "real" / "asc"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("REAL = True\n", encoding="utf-8")
    (package / "only_real.py").write_text("", encoding="utf-8")
    return package.parent


def check(done):
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


PATHS = """
asc asc.codegen asc.codegen.errors asc.lib asc.lib.profiling asc.lib.runtime asc.runtime
asc.runtime.config asc.runtime.jit asc.runtime.launcher asc2 asctile
"""
SYNONYMS = {
    "asc2.runtime": "asc.runtime",
    "asc2.runtime.config": "asc.runtime.config",
    "asc2.runtime.jit": "asc.runtime.jit",
    "asc2.runtime.launcher": "asc.runtime.launcher",
    "asc2.profiling": "asc.lib.profiling",
    "asc2.language": "asc2",
    "asc2.codegen.errors": "asc.codegen.errors",
    "asc2.lib.runtime": "asc.lib.runtime",
    "asctile.runtime.config": "asc.runtime.config",
    "asctile.profiling": "asc.lib.profiling",
    "asctile.language": "asctile",
    "asc.language": "asc",
    "asc.language.tile": "asc2",
}


def test_every_path_is_the_module_of_ascemu(python):
    code = f"""
import importlib, ascemu
ascemu.activate()
for name in {PATHS.split()!r}:
    assert importlib.import_module(name) is importlib.import_module("ascemu.dropin." + name), name
for name, goal in {SYNONYMS!r}.items():
    assert importlib.import_module(name) is importlib.import_module("ascemu.dropin." + goal), name
"""
    check(python(code))


@pytest.mark.parametrize("order", ["public first", "own first"])
def test_one_module_object(python, order):
    first, second = "import asc2", "import ascemu.dropin.asc2"
    if order == "own first":
        first, second = second, first
    code = f"""
import ascemu
ascemu.activate()
{first}
{second}
assert asc2 is ascemu.dropin.asc2
assert asc2.__spec__.name == asc2.__name__ == "ascemu.dropin.asc2"
import asc.runtime.config
from asc.runtime import config
from asc2 import runtime
assert asc.runtime.config is config is runtime.config
import asctile
assert asctile.div is asc2.div
"""
    check(python(code))


def test_forms_of_import(python):
    code = """
import ascemu
ascemu.activate()
from asc2 import *
assert runtime.config.Backend is Backend
import asc.lib.profiling as profiling
from asc.lib import runtime
from asc.runtime.launcher import get_platform_info
import asc2.language as language
assert get_platform_info(runtime.get_soc_version()).ub_size == 253952
assert copy_in is language.copy_in
assert profiling.Profiler
"""
    check(python(code))


def test_nothing_is_found_without_activation(python):
    done = python("import ascemu\nassert not ascemu.is_active()\nimport asc2")
    assert done.stderr.endswith("ModuleNotFoundError: No module named 'asc2'\n")


@pytest.mark.parametrize("name", ["asc2.absent", "asc.runtime.absent", "asc2.language.absent"])
def test_absent_modules(python, name):
    done = python(f"import ascemu; ascemu.activate(); import {name}")
    assert done.stderr.endswith(f"ModuleNotFoundError: No module named '{name}'\n")


def test_environment_activates_on_import(python):
    check(python("import ascemu, asc2; assert ascemu.is_active()", ASCEMU="1"))
    check(python("import ascemu; assert not ascemu.is_active()", ASCEMU="0"))


def test_installed_asc_is_found_without_activation(python, real):
    check(python("import ascemu, asc; assert asc.REAL", path=real))


def test_activation_goes_before_an_installed_asc(python, real):
    code = """
import ascemu
ascemu.activate()
import asc
assert asc.__name__ == "ascemu.dropin.asc"
ascemu.deactivate()
import asc as again
assert again.REAL and again is not asc
import asc.only_real
"""
    check(python(code, path=real))


def test_an_imported_asc_is_not_replaced(python, real):
    code = """
import asc, ascemu
try:
    ascemu.activate()
except RuntimeError as error:
    print(error)
assert asc.REAL and not ascemu.is_active()
"""
    assert check(python(code, path=real)) == (
        f"ascemu.activate() came too late: 'asc' is already imported from "
        f"{real / 'asc' / '__init__.py'}. Call it before the first import of asc, or start with "
        "'ascemu run'.\n"
    )


def test_activation_twice_and_back(python):
    code = """
import sys, ascemu
before = list(sys.meta_path)
ascemu.activate()
ascemu.activate()
assert len(sys.meta_path) == len(before) + 1
import asc2, asc.runtime.config
ascemu.deactivate()
ascemu.deactivate()
assert sys.meta_path == before
assert not [name for name in sys.modules if name.partition(".")[0] in ("asc", "asc2", "asctile")]
assert asc2.ceildiv(5, 2) == 3
ascemu.activate()
import asc2 as again
assert again is asc2
"""
    check(python(code))


def test_reload_and_inspection(python):
    code = """
import importlib, inspect, ascemu
ascemu.activate()
import asc2
assert inspect.getsourcefile(asc2).endswith("__init__.py")
assert importlib.util.find_spec("asc2").origin == asc2.__file__
import pickle
assert pickle.loads(pickle.dumps(asc2.Platform.Ascend910B1)) is asc2.Platform.Ascend910B1
assert pickle.loads(pickle.dumps(asc2.float16)) == asc2.float16
"""
    check(python(code))
