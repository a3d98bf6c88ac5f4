"""The files of a case: a folder or one zip, read within limits and without leaving it.

What it is: names to bytes, for data that may be hostile. What it is not: their meaning (case.py).
Invariant: nothing is written and nothing outside the folder or the zip is read; no more bytes are
read than the limits allow, whatever an archive says of itself.
"""

from __future__ import annotations

import os
import re
import stat
import zipfile
from dataclasses import dataclass
from pathlib import Path

_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")


class CaseError(ValueError):
    """A case cannot be used; the text names the case, the place, what is wrong and what to do."""


@dataclass(frozen=True)
class Limits:
    """The most that a case may take: bytes of one file, of all, of case.toml; number of files."""

    file_bytes: int = 1 << 32
    total_bytes: int = 1 << 34
    toml_bytes: int = 1 << 20
    files: int = 4096


DEFAULT_LIMITS = Limits()


def checked_name(name: str, case: str) -> str:
    """A relative path of plain parts separated by "/"; CaseError for anything else."""
    if not all(_PART.fullmatch(part) for part in name.split("/")) or len(name) > 400:
        raise CaseError(
            f"{case}: the file name {name!r} is not a plain relative path; names are letters, "
            "digits and _ . + - in parts separated by '/', none of which begins with a dot"
        )
    return name


class CaseFiles:
    """The files of the case at `path`; CaseError where that is neither a folder nor a zip."""

    def __init__(self, path: str | Path, limits: Limits = DEFAULT_LIMITS) -> None:
        self.path, self.limits = Path(path), limits
        self._sizes: dict[str, int] = {}
        self._archive: zipfile.ZipFile | None = None
        if self.path.is_file():
            self._open_archive()
        elif not self.path.is_dir():
            raise CaseError(f"{self.path}: there is no such case; give a case's folder or its zip")

    def size(self, name: str) -> int:
        """The bytes that a file says it has; CaseError where it is missing or no regular file."""
        checked_name(name, str(self.path))
        if self._archive is not None:
            try:
                return self._archive.getinfo(name).file_size
            except KeyError:
                raise CaseError(f"{self.path}: {name} is missing from the archive") from None
        place = self.path
        for part in name.split("/"):
            place = place / part
            if place.is_symlink():
                raise CaseError(
                    f"{self.path}: {name} is a symbolic link or lies behind one; a case holds its "
                    "files itself"
                )
        if not place.is_file():
            raise CaseError(f"{self.path}: {name} is missing")
        return place.stat().st_size

    def read(self, name: str, most: int | None = None) -> bytes:
        """A file's bytes; CaseError where they are more than `most` or than the limits allow."""
        size = self.size(name)
        most = self.limits.file_bytes if most is None else min(most, self.limits.file_bytes)
        if size > most:
            raise CaseError(f"{self.path}: {name} has {size} bytes; at most {most} are allowed")
        if sum({**self._sizes, name: size}.values()) > self.limits.total_bytes:
            raise CaseError(
                f"{self.path}: its files exceed {self.limits.total_bytes} bytes altogether; raise "
                "the limit if you trust the case"
            )
        data = self._read(name, size)
        if len(data) != size:
            raise CaseError(f"{self.path}: {name} does not have the {size} bytes it says it has")
        self._sizes[name] = size
        return data

    def _read(self, name: str, size: int) -> bytes:
        if self._archive is None:
            flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)
            try:
                with open(os.open(self.path / name, flags), "rb") as file:
                    return file.read(size + 1)
            except OSError as error:
                raise CaseError(f"{self.path}: {name} cannot be read: {error.strerror}") from None
        try:
            with self._archive.open(name) as entry:
                return entry.read(size + 1)
        except (zipfile.BadZipFile, EOFError, OSError, ValueError, _zlib_error()) as error:
            raise CaseError(f"{self.path}: {name} is damaged: {error}; copy it anew") from None

    def _open_archive(self) -> None:
        try:
            self._archive = zipfile.ZipFile(self.path)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise CaseError(
                f"{self.path}: not a readable zip: {error}; a case is a folder or one zip"
            ) from None
        entries = [entry for entry in self._archive.infolist() if not entry.is_dir()]
        names = [checked_name(entry.filename, str(self.path)) for entry in entries]
        if len(entries) > self.limits.files or len(set(names)) != len(names):
            raise CaseError(
                f"{self.path}: {len(entries)} entries; at most {self.limits.files} are allowed, "
                "each name once"
            )
        for entry in entries:
            if stat.S_ISLNK(entry.external_attr >> 16) or entry.flag_bits & 1:
                raise CaseError(f"{self.path}: {entry.filename} is a link or encrypted")
            if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise CaseError(f"{self.path}: {entry.filename} is neither stored nor deflated")


def _zlib_error() -> type[Exception]:
    import zlib

    return zlib.error
