"""The case format: docs/case-format.md is what the reader reads, and hostile files are refused."""

import io
import re
import stat
import struct
import zipfile
from pathlib import Path
from random import Random

import ml_dtypes
import numpy as np
import pytest
from ascemu_conformance import case_data, case_schema, case_values
from ascemu_conformance.case import find_cases, load_case, tomllib
from ascemu_conformance.case_files import CaseError, Limits
from ascemu_conformance.case_writing import (
    case_files,
    constant,
    digest,
    npy_bytes,
    stored,
    toml_text,
    write_folder,
)

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "case-format.md").read_text("utf-8")
EXAMPLE = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)[1]
X = np.arange(6, dtype=np.float32).reshape(2, 3)


def document(**changes):
    array = {"name": "x", "kind": "array", "dtype": "float32", "shape": [2, 3], "data": "x.npy"}
    output = {"name": "x", "dtype": "float32", "shape": [2, 3], "unchanged": True}
    return {
        "format": "ascemu-case",
        "version": 1,
        "name": "example",
        "arguments": [array],
        "outputs": [output],
        "comparison": {"rule": "bit-exact"},
        "provenance": {"source": "unknown"},
        **changes,
    }


def written(folder, files=None, **changes):
    files = {"x.npy": npy_bytes(X)} if files is None else files
    write_folder(folder / "case", case_files(document(**changes), files))
    return folder / "case"


def zipped(folder, files):
    path = folder / "case.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def refusal(path, **limits):
    with pytest.raises(CaseError) as caught:
        load_case(path, Limits(**limits)).check_data()
    return str(caught.value).replace(str(path), "CASE")


def test_page_shows_a_case_that_is_accepted():
    case_schema.check_document(tomllib.loads(EXAMPLE), "the page")


@pytest.mark.parametrize("fields", ["TOP", "KERNEL", "LAUNCH", "ARRAY", "VALUE", "OUTPUT"])
def test_page_names_every_key(fields):
    keys = getattr(case_schema, fields)
    assert [key for key in keys if f"`{key}`" not in PAGE] == []


def test_page_names_every_dtype_generator_and_type():
    parameters = {name for table in case_data.GENERATORS.values() for name in table}
    names = [*case_data.STORAGE, *case_data.GENERATORS, *parameters, *case_values._FIELDS]
    assert [name for name in names if f"`{name}`" not in PAGE] == []
    rows = dict(re.findall(r"^\| (`[^|]*) \| ([^|]*) \|$", PAGE, re.MULTILINE))
    for names, storage in rows.items():
        for name in re.findall("`(.*?)`", names):
            if storage.startswith("`uint") and name in case_data.STORAGE:
                assert case_data.STORAGE[name].name == re.match("`(.*?)`", storage)[1]


NAN_PATTERNS = {
    "float32": np.array([0x7F800001, 0xFFC12345, 0x7FFFFFFF, 0x80000000, 1], np.uint32),
    "float16": np.array([0x7C01, 0xFE55, 0x8000, 0x0001], np.uint16),
    "bfloat16": np.array([0x7F81, 0xFFC5, 0x8000, 0x0001], np.uint16),
    "float64": np.array([0x7FF0000000000001, 0xFFF8DEADBEEF0000], np.uint64),
    "float8_e4m3fn": np.arange(256, dtype=np.uint8),
    "float8_e5m2": np.arange(256, dtype=np.uint8),
}


@pytest.mark.parametrize("is_zip", [False, True], ids=["folder", "zip"])
@pytest.mark.parametrize("dtype", NAN_PATTERNS)
def test_every_bit_survives(tmp_path, dtype, is_zip):
    pattern = NAN_PATTERNS[dtype]
    values = pattern.view(getattr(ml_dtypes, dtype, None) or dtype)
    name, bits = stored(values)
    assert name == dtype
    table = {"name": "x", "kind": "array", "dtype": name, "shape": [bits.size], "data": "x.npy"}
    files = case_files(document(arguments=[table], outputs=[]), {"x.npy": npy_bytes(bits)})
    if is_zip:
        path = zipped(tmp_path, files)
    else:
        path = tmp_path / "case"
        write_folder(path, files)
        plain = np.load(path / "x.npy", allow_pickle=False)
        assert plain.tobytes() == pattern.tobytes()
    found = load_case(path).input_bits("x")
    assert found.tobytes() == pattern.tobytes()
    assert case_data.as_values(found, dtype).dtype == values.dtype


def test_scalar_of_any_dtype_survives():
    for dtype, pattern in NAN_PATTERNS.items():
        scalar = pattern.view(getattr(ml_dtypes, dtype, None) or dtype)[0]
        table = tomllib.loads(toml_text({"v": constant(scalar)}))["v"]
        case_values.check_value(table, "v")
        found = case_values.restored(table, None, "v")
        assert (found.dtype, found.tobytes()) == (scalar.dtype, scalar.tobytes())


def test_values_survive():
    payload = struct.unpack("<d", struct.pack("<Q", 0x7FF8000000000123))[0]
    text = 'a "b" \\ \n\t\x7f \x01 é 😀'
    values = [None, True, -3, 2**80, text, (1, [2.5, -0.0]), float("-inf"), 1e-320, payload]
    table = tomllib.loads(toml_text({"v": constant(values)}))["v"]
    case_values.check_value(table, "v")
    found = case_values.restored(table, None, "v")
    assert found[:-1] == values[:-1]
    assert type(found[5]) is tuple and str(found[5][1][1]) == "-0.0"
    assert struct.pack("<d", found[-1]) == struct.pack("<d", payload)


def test_what_cannot_be_described_says_so():
    table = constant(object)
    assert table == {"type": "function", "name": "object"}
    table = constant(iter([1]))
    with pytest.raises(CaseError, match="^v: the recorder could not describe <list_iterator"):
        case_values.restored(table, None, "v")


def test_generated_inputs_are_the_stated_arithmetic():
    words = np.random.PCG64(7).random_raw(5)
    units = [int(word) >> 11 for word in words]
    uniform = case_data.generate(
        {"kind": "uniform", "seed": 7, "low": -1.0, "high": 1.0}, "float64", [5]
    )
    assert uniform.tolist() == [-1.0 + 2.0 * (unit * 2.0**-53) for unit in units]
    bits = case_data.generate({"kind": "bits", "seed": 7}, "bfloat16", [5])
    assert bits.tolist() == [int(word) & 0xFFFF for word in words]
    integers = case_data.generate(
        {"kind": "integers", "seed": 7, "low": -4, "high": 3}, "int8", [5, 1]
    )
    assert integers.tolist() == [[-4 + (unit >> 50)] for unit in units]
    ramp = case_data.generate({"kind": "ramp", "first": 1.0, "step": 2.0**-8}, "bfloat16", [3])
    assert ramp.tolist() == [0x3F80, 0x3F80, 0x3F81]
    with pytest.raises(ValueError, match="^the generator's values do not fit into int8$"):
        case_data.generate({"kind": "constant", "value": 128}, "int8", [1])


def test_find_cases_leaves_links_out(tmp_path):
    first = written(tmp_path / "a")
    second = zipped(tmp_path, case_files(document(), {"x.npy": npy_bytes(X)}))
    (tmp_path / "b").symlink_to(first)
    assert list(find_cases(tmp_path)) == [first, second]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"version": 2},
            "CASE: case.toml: version 2; version 1 is read: install a newer ascemu",
        ),
        ({"format": "x"}, "CASE: case.toml: format is 'x', not 'ascemu-case'"),
        ({"shape": [1]}, "CASE: case.toml: unknown key 'shape'; known: format, version, name,"),
        ({"outputs": 3}, "CASE: case.toml: outputs is 3, not of the type list"),
        ({"launch": {"blocks": 0}}, "CASE: launch: blocks is 0; it is at least 1"),
        ({"launch": {"blocks": True}}, "CASE: launch: blocks is True, not of the type int"),
        ({"comparison": {}}, "CASE: comparison: rule is missing; it names a rule of comparison"),
    ],
)
def test_other_documents_are_refused(tmp_path, changes, message):
    assert refusal(written(tmp_path, **changes)).startswith(message)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dtype": "float128"}, "CASE: arguments[0]: unknown dtype 'float128'; known: bool,"),
        ({"shape": [-1]}, "CASE: arguments[0]: shape is [-1]; it is a list of sizes"),
        ({"data": "../x.npy"}, "CASE: arguments[0]: the file name '../x.npy' is not"),
        ({"data": "/x.npy"}, "CASE: arguments[0]: the file name '/x.npy' is not"),
        ({"data": "a/../x.npy"}, "CASE: arguments[0]: the file name 'a/../x.npy' is not"),
        ({"data": "a\\x.npy"}, "CASE: arguments[0]: the file name 'a\\\\x.npy' is not"),
        ({"data": "c:x.npy"}, "CASE: arguments[0]: the file name 'c:x.npy' is not"),
        ({"data": "y.npy"}, "CASE: y.npy is missing"),
        ({"same_as": "x"}, "CASE: arguments[0]: has ['data', 'same_as'] of data, generator"),
        ({"sha256": "0" * 64}, "CASE: argument x: damaged: its sha256 is not the recorded one"),
        (
            {"shape": [3, 2]},
            "CASE: argument x: x.npy: holds <f4 of shape [2, 3]; case.toml says float32, stored as "
            "<f4, of shape [3, 2] in C order",
        ),
        ({"shape": [1 << 40]}, "CASE: argument x: 4398046511104 bytes; at most 4294967296 are"),
    ],
)
def test_other_arguments_are_refused(tmp_path, changes, message):
    table = {**document()["arguments"][0], **changes}
    path = written(tmp_path, arguments=[table], outputs=[])
    assert refusal(path).startswith(message)


def test_truncated_and_foreign_data_are_refused(tmp_path):
    path = written(tmp_path)
    data = npy_bytes(X)
    (path / "x.npy").write_bytes(data[:-4])
    assert refusal(path) == (
        "CASE: argument x: x.npy: truncated: 20 bytes of data, the shape needs 24"
    )
    (path / "x.npy").write_bytes(data + b"1234")
    assert (
        refusal(path) == "CASE: argument x: x.npy: too long: 28 bytes of data, the shape needs 24"
    )
    (path / "x.npy").write_bytes(b"something else")
    assert refusal(path).startswith("CASE: argument x: x.npy: not a .npy file: ")
    pickled = io.BytesIO()
    np.save(pickled, np.array([[print] * 3] * 2, object), allow_pickle=True)
    (path / "x.npy").write_bytes(pickled.getvalue())
    assert refusal(path).startswith("CASE: argument x: x.npy: holds |O of shape [2, 3]; case.toml")
    (path / "case.toml").write_bytes(b"\xff")
    assert refusal(path).startswith("CASE: case.toml: 'utf-8' codec can't decode")
    (path / "case.toml").write_bytes(b"version = ")
    assert refusal(path).startswith("CASE: case.toml: Invalid value")


def test_links_are_refused(tmp_path):
    path = written(tmp_path)
    (path / "x.npy").rename(tmp_path / "x.npy")
    (path / "x.npy").symlink_to(tmp_path / "x.npy")
    assert refusal(path) == (
        "CASE: x.npy is a symbolic link or lies behind one; a case holds its files itself"
    )


@pytest.mark.parametrize("name", ["../evil.npy", "/evil.npy", "a/./b", ".hidden", "a//b"])
def test_archives_that_reach_out_are_refused(tmp_path, name):
    path = zipped(tmp_path, case_files(document(), {"x.npy": npy_bytes(X), name: b"1"}))
    assert refusal(path).startswith(f"CASE: the file name {name!r} is not a plain relative path")
    assert sorted(tmp_path.iterdir()) == [path]


def test_other_archives_are_refused(tmp_path):
    path = tmp_path / "case.zip"
    entry = zipfile.ZipInfo("x.npy")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(entry, "elsewhere")
    assert refusal(path) == "CASE: x.npy is a link or encrypted"
    path.write_bytes(b"no zip")
    assert refusal(path).startswith("CASE: not a readable zip: ")
    files = case_files(document(), {"x.npy": npy_bytes(X)})
    whole = zipped(tmp_path, files).read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert refusal(path).startswith("CASE: not a readable zip: ")
    assert refusal(tmp_path / "nowhere") == (
        "CASE: there is no such case; give a case's folder or its zip"
    )


def test_damaged_archive_is_refused(tmp_path):
    path = tmp_path / "case.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name, data in case_files(document(), {"x.npy": npy_bytes(X)}).items():
            archive.writestr(name, data)
    data = path.read_bytes()
    path.write_bytes(data.replace(X.tobytes(), X[::-1].tobytes()))
    assert refusal(path).startswith("CASE: x.npy is damaged: Bad CRC-32 for file 'x.npy'")


def test_sizes_are_limited(tmp_path):
    bomb = case_files(document(), {"x.npy": bytes(1 << 22)})
    path = zipped(tmp_path, bomb)
    assert path.stat().st_size < 10_000
    assert refusal(path) == "CASE: x.npy has 4194304 bytes; at most 65560 are allowed"
    path = written(tmp_path)
    size = (path / "x.npy").stat().st_size
    assert refusal(path, file_bytes=23).startswith("CASE: case.toml has ")
    assert refusal(path, toml_bytes=10).endswith("bytes; at most 10 are allowed")
    assert "exceed 200 bytes altogether" in refusal(path, total_bytes=200)
    total = size + (path / "case.toml").stat().st_size
    case = load_case(path, Limits(total_bytes=total))
    case.check_data()
    case.check_data()  # what was read before is not counted again


def test_archive_that_understates_its_sizes_is_refused(tmp_path):
    path = zipped(tmp_path, case_files(document(), {"x.npy": bytes(1 << 22)}))
    data = path.read_bytes()
    path.write_bytes(data.replace(struct.pack("<I", 1 << 22), struct.pack("<I", 152)))
    assert "x.npy" in refusal(path)


def test_nothing_is_left_of_an_interrupted_write(tmp_path):
    (tmp_path / ".case.partial" / "old").mkdir(parents=True)
    assert load_case(written(tmp_path)).input_bits("x").tobytes() == X.tobytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["case"]


def test_kernel_runs_only_as_recorded(tmp_path):
    source = b"kernel = 1\n"
    kernel = {"file": "kernel/k.py", "function": "kernel", "sha256": digest(source)}
    files = {"x.npy": npy_bytes(X), "kernel/k.py": source}
    path = written(tmp_path, files, kernel=kernel)
    assert load_case(path).kernel_files() == {"k.py": source}
    (path / "kernel" / "k.py").write_bytes(b"kernel = 2\n")
    assert refusal(path).startswith("CASE: kernel/k.py is not the file that was recorded: sha256 ")
    assert refusal(path).endswith("it is not run without --trust")
    assert load_case(path).kernel_files(trust=True) == {"k.py": b"kernel = 2\n"}


def damaged(data, random):
    """`data` with a byte changed, a part left out or a value replaced."""
    at, kind = random.randrange(len(data)), random.randrange(3)
    if kind == 0:
        return data[:at] + bytes([random.randrange(256)]) + data[at + 1 :]
    if kind == 1:
        return data[:at] + data[at + random.randint(1, 20) :]
    token = random.choice(
        [b"-1", b"nan", b"9" * 5000, b"1979-05-27", b"[" * 3000, b'"../x"', b"{}"]
    )
    start = data.rfind(b" = ", 0, at)
    return data[:start] + b" = " + token + data[data.find(b"\n", start) :] if start > 0 else data


def test_damaged_files_are_only_ever_refused(tmp_path):
    random = Random(5)
    generated = {"kind": "uniform", "seed": 3, "low": -1.0}
    second = {"name": "y", "kind": "array", "dtype": "int8", "shape": [2], "generator": generated}
    value = {"name": "s", "kind": "scalar", "value": constant((1, 2.5, np.float16(3)))}
    arguments = [*document()["arguments"], second, value]
    files = case_files(document(arguments=arguments), {"x.npy": npy_bytes(X)})
    outcomes = {True: 0, False: 0}
    for number in range(200):
        name = random.choice(["case.toml", "case.toml", "x.npy", "archive"])
        changed = {n: damaged(d, random) if n == name else d for n, d in files.items()}
        path = zipped(tmp_path, changed)
        if name == "archive":
            path.write_bytes(damaged(path.read_bytes(), random))
        elif number % 2:
            path = tmp_path / str(number)
            write_folder(path, changed)
        try:
            load_case(path).check_data()
            outcomes[True] += 1
        except CaseError as error:
            assert str(error).startswith(str(path))
            outcomes[False] += 1
    assert min(outcomes.values()) > 10
