"""The files that paths, patterns and URIs name, here or in a store that pyarrow or fsspec opens."""

from __future__ import annotations

import errno
import fnmatch
import importlib
import os
import re
import stat
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple
from urllib.parse import quote, unquote_to_bytes

from ._pyarrow import pyarrow

# pyarrow has no type stubs.
fs: Any = importlib.import_module("pyarrow.fs")

SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/")
"""The scheme of a URI has two letters or more: a drive of Windows has one."""

OF_PYARROW = {"s3a": "s3", "s3n": "s3"}
"""Hadoop's names of schemes that pyarrow calls otherwise."""

MOUNTED = {"dbfs": "/dbfs"}
"""Schemes of stores that are folders of each worker."""

MAGIC = re.compile(r"[*?\[{]")


class Failed(NamedTuple):
    """A file or folder that could not be read, and why."""

    path: str
    errno: int
    error: str


class Files(NamedTuple):
    """Files with their sizes, and the folders that could not be listed."""

    found: list[tuple[str, int]]
    failed: list[Failed]


class Place(NamedTuple):
    """A file or folder: what the user calls it, the file system (None for this machine's), and its path there."""

    name: str
    system: Any
    inner: str
    has_escapes: bool
    """True if `name` is a URI in which `%41` is an `A`."""

    def below(self, relative: str) -> Place:
        """A file or folder in this one."""
        inner = f"{self.inner.rstrip('/')}/{relative}"
        base, mark, query = self.name.partition("?") if self.has_escapes else (self.name, "", "")
        shown = _escaped(relative) if self.has_escapes else relative
        return Place(f"{base.rstrip('/')}/{shown}{mark}{query}", self.system, inner, self.has_escapes)


def located(name: str) -> Place:
    """What a path or URI names. No file is opened.

    Raises ValueError for a URI that neither pyarrow nor fsspec opens.
    """
    scheme = SCHEME.match(name)
    if scheme is None:
        # Workers may have another current folder.
        path = os.path.abspath(name)
        return Place(path, None, path, False)
    kind = scheme[1].lower()
    if kind == "file":
        path = re.sub(r"^//(localhost)?(?=/)", "", name[5:])
        return Place(name, None, os.fsdecode(unquote_to_bytes(path)), True)
    if kind in MOUNTED:
        return Place(name, None, MOUNTED[kind] + "/" + name[len(kind) + 1 :].lstrip("/"), False)
    uri = OF_PYARROW.get(kind, kind) + name[len(kind) :]
    try:
        system, inner = fs.FileSystem.from_uri(_parsable(uri))
    except pyarrow.ArrowInvalid as error:
        try:
            fsspec = importlib.import_module("fsspec")
            system, inner = fsspec.core.url_to_fs(name)
        except (ImportError, ValueError) as of_fsspec:
            raise ValueError(f"{name}: {error} (and fsspec: {of_fsspec})") from None
        return Place(name, fs.PyFileSystem(fs.FSSpecHandler(system)), inner, False)
    return Place(name, system, inner, True)


def stored(name: str) -> tuple[Any, str]:
    """The file system of pyarrow and the path there."""
    place = located(name)
    return place.system or fs.LocalFileSystem(), place.inner


def opened(name: str) -> Any:
    """A binary file with `read` and `seek`.

    Raises OSError with a number and the name.
    """
    place = located(name)
    if place.system is None:
        return open(place.inner, "rb", buffering=0)
    try:
        return place.system.open_input_file(place.inner)
    except OSError as error:
        raise OSError(error.errno or errno.EIO, os.strerror(error.errno) if error.errno else str(error), name) from error


def files_of(path: str | os.PathLike[str] | Iterable[str | os.PathLike[str]], glob: str | None) -> Files:
    """The named files, and in named folders all files at any depth whose names begin with neither a dot nor an
    underscore and match `glob`. Links in folders are not followed. `*`, `?`, `[a-z]`, `{a,b}` and `**` make a
    pattern, unless there is a file of that name."""
    paths = [path] if isinstance(path, (str, os.PathLike)) else list(path)
    found: dict[str, int] = {}
    failed: list[Failed] = []
    for given in paths:
        named = os.fspath(given)
        if not isinstance(named, str):
            raise TypeError(f"a path must be str or os.PathLike of str, not {type(named).__name__}")
        for place in _named(named, failed):
            kind, size = _about(place)
            if kind == "folder":
                found.update((_in_a_table(file), size) for file, size in _below(place, glob, failed))
            elif kind == "file":
                found[_in_a_table(place)] = size
            elif kind == "nothing":
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), named)
            else:
                raise ValueError(f"{named}: neither a file nor a folder")
    return Files(sorted(found.items()), failed)


def _named(name: str, failed: list[Failed]) -> Iterator[Place]:
    """The place of that name, or those that match it as a pattern."""
    is_uri = SCHEME.match(name) is not None
    # In a URI a question mark begins the options of the store.
    path, mark, query = name.partition("?") if is_uri else (name, "", "")
    if not MAGIC.search(path) or _about(located(name))[0] != "nothing":
        yield located(name)
        return
    some = False
    for pattern in _alternatives(path):
        start = MAGIC.search(pattern)
        cut = pattern.rfind("/", 0, start.start() if start else None) + 1
        for place in _matching(located((pattern[:cut] or ".") + mark + query), pattern[cut:].split("/"), failed):
            some = True
            yield place
    if not some:
        raise FileNotFoundError(errno.ENOENT, "no file has such a name", name)


def _alternatives(pattern: str) -> Iterator[str]:
    """The pattern without braces: `a{b,c}` is `ab` and `ac`."""
    braces = re.search(r"\{([^{}]*)\}", pattern)
    if braces is None:
        yield pattern
        return
    for part in braces[1].split(","):
        yield from _alternatives(pattern[: braces.start()] + part + pattern[braces.end() :])


def _matching(folder: Place, parts: list[str], failed: list[Failed]) -> Iterator[Place]:
    """What matches a pattern, a part of the path at a time."""
    head, *rest = parts
    if not MAGIC.search(head):
        place = folder.below(head) if head else folder
        if rest:
            yield from _matching(place, rest, failed)
        elif _about(place)[0] in ("file", "folder"):
            yield place
        return
    if head == "**":
        yield from _matching(folder, rest or ["*"], failed)
    for name, is_folder in _listed(folder, failed):
        place = folder.below(name)
        if head == "**":
            if is_folder and _is_wanted(name):
                yield from _matching(place, parts, failed)
        elif fnmatch.fnmatchcase(name, head) and (_is_wanted(name) or not _is_wanted(head)):
            if not rest:
                yield place
            elif is_folder:
                yield from _matching(place, rest, failed)


def _is_wanted(name: str) -> bool:
    return not name.startswith((".", "_"))


def _about(place: Place) -> tuple[str, int]:
    """`file`, `folder`, `nothing` or `other`, and the size of a file."""
    if place.system is None:
        try:
            about = os.stat(place.inner)
        except (FileNotFoundError, NotADirectoryError):
            return "nothing", 0
        kind = {stat.S_IFREG: "file", stat.S_IFDIR: "folder"}.get(stat.S_IFMT(about.st_mode), "other")
        return kind, about.st_size
    info = place.system.get_file_info(place.inner)
    kinds = {fs.FileType.File: "file", fs.FileType.Directory: "folder", fs.FileType.NotFound: "nothing"}
    return kinds.get(info.type, "other"), info.size or 0


def _listed(folder: Place, failed: list[Failed]) -> list[tuple[str, bool]]:
    """The names in a folder, and whether each is a folder that is no link."""
    try:
        if folder.system is None:
            with os.scandir(folder.inner) as entries:
                return sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries)
        infos = folder.system.get_file_info(fs.FileSelector(folder.inner))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        failed.append(_failure(folder, error))
        return []
    return sorted((info.base_name, info.type == fs.FileType.Directory) for info in infos)


def _below(folder: Place, glob: str | None, failed: list[Failed]) -> Iterator[tuple[Place, int]]:
    """The files in a folder, with their sizes."""

    def is_taken(name: str) -> bool:
        return glob is None or fnmatch.fnmatchcase(name, glob)

    if folder.system is not None:
        # One request lists all that is in there.
        for info in folder.system.get_file_info(fs.FileSelector(folder.inner, recursive=True)):
            relative = info.path[len(folder.inner) :].strip("/")
            parts = relative.split("/")
            if info.type == fs.FileType.File and all(map(_is_wanted, parts)) and is_taken(parts[-1]):
                yield folder.below(relative), info.size
        return

    def fail(error: OSError) -> None:
        failed.append(_failure(folder.below(os.path.relpath(error.filename, folder.inner)), error))

    for inner, folders, names in os.walk(folder.inner, onerror=fail):
        folders[:] = filter(_is_wanted, folders)
        for name in filter(_is_wanted, names):
            path = os.path.join(inner, name)
            try:
                about = os.lstat(path)
            except OSError as error:
                fail(error)
                continue
            if stat.S_ISREG(about.st_mode) and is_taken(name):
                yield folder.below(os.path.relpath(path, folder.inner)), about.st_size


def _failure(place: Place, error: OSError) -> Failed:
    return Failed(_in_a_table(place), error.errno or errno.EIO, error.strerror or str(error))


def _in_a_table(place: Place) -> str:
    """The name, as a URI if the path is not UTF-8, which a column of strings could not hold."""
    is_text = not any("\ud800" <= char <= "\udfff" for char in place.name)
    return place.name if is_text else "file://" + _escaped(place.inner)


def _escaped(path: str) -> str:
    """A path as a part of a URI: what would end it, escapes and bytes that are not UTF-8 are escaped."""
    return "".join(
        quote(os.fsencode(char)) if char in "%?#" or "\ud800" <= char <= "\udfff" else char for char in path
    )


def _parsable(uri: str) -> str:
    """The URI with what the standard leaves out escaped, such as blanks."""
    return re.sub(r"%(?![0-9A-Fa-f]{2})|[^!#$%&'()*+,/:;=?@\[\]~\w.-]|[^\x00-\x7F]", lambda one: quote(one[0], safe=""), uri)
