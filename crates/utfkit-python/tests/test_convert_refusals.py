"""Files that are not text are never replaced: real files of many formats, and made ones."""

from __future__ import annotations

import array
import bz2
import functools
import gzip
import io
import lzma
import marshal
import os
import pickle
import random
import shutil
import sqlite3
import stat
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import wave
import zipfile
import zlib
from pathlib import Path

import pytest

import utfkit

TEXT = "Grüße aus Köln, für dich und mich.\n" * 300
RUSSIAN = "Съешь ещё этих мягких французских булок, да выпей же чаю.\n" * 20
JAPANESE = "色は匂へど散りぬるを我が世誰ぞ常ならむ\n" * 20


@functools.cache
def archives() -> dict[str, bytes]:
    raw = TEXT.encode()
    made = {
        "zlib": zlib.compress(raw),
        "bz2": bz2.compress(raw),
        "gzip": gzip.compress(raw),
        "xz": lzma.compress(raw),
        "lzma": lzma.compress(raw, format=lzma.FORMAT_ALONE),
        "pickle": pickle.dumps([TEXT, 1.5, {"é": 2}]),
        "marshal": marshal.dumps(compile("x = 'é'", "x", "exec")),
        "doubles": array.array("d", [n / 7 for n in range(200)]).tobytes(),
        "floats": array.array("f", [n / 7 for n in range(200)]).tobytes(),
        "mo": b"\xde\x12\x04\x95" + raw,
        "pbm": b"P4\n8 8\n" + bytes(range(0x80, 0xC0)),
        "ppm": b"P6\n4 4\n255\n" + bytes(random.Random(1).choices(range(1, 256), k=48)),
        "png": b"\x89PNG\r\n\x1a\n" + b"IHDR" + raw,
        "jpeg": b"\xff\xd8\xff\xe0\x00\x10JFIF" + zlib.compress(raw),
        "gpg": b"\x99\x01" + bytes(random.Random(2).choices(range(1, 256), k=200)),
    }
    for name, kind in (("zip", zipfile.ZIP_DEFLATED), ("stored", zipfile.ZIP_STORED)):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", kind) as archive:
            archive.writestr("a.txt", TEXT)
        made[name] = buffer.getvalue()
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        info = tarfile.TarInfo("ü")
        info.size = len(raw)
        archive.addfile(info, io.BytesIO(raw))
    made["tar"] = buffer.getvalue()
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as sound:
        sound.setparams((1, 1, 8000, 0, "NONE", ""))
        sound.writeframes(bytes(random.Random(3).choices(range(100, 156), k=4000)))
    made["wav"] = buffer.getvalue()
    for seed in range(40):
        # Without NUL, so that only the characters show it.
        made[f"random {seed}"] = bytes(random.Random(seed).choices(range(1, 256), k=64 + 50 * seed))
    for seed in range(20):
        # Text, then binary data.
        made[f"tail {seed}"] = raw + bytes(random.Random(seed).choices(range(0x80, 0x100), k=20_000))
    return made


@functools.cache
def real() -> list[Path]:
    """Binary files of this machine."""
    stdlib = Path(sysconfig.get_paths()["stdlib"])
    found = [Path(sys.executable).resolve(), Path(utfkit._utfkit.__file__)]
    found += sorted(stdlib.rglob("*.so"))[:5] + sorted(stdlib.rglob("*.pyc"))[:10]
    for kind in ("png", "gif", "ico", "whl", "zip", "gz", "jpg", "wav", "mo", "exe", "au"):
        found += sorted(stdlib.rglob(f"*.{kind}"))[:4]
    return [path for path in found if path.is_file() and path.stat().st_size]


WAYS: list[dict[str, object]] = [
    {"encoding": "latin-1"},
    {"encoding": "cp1252"},
    {},
    {"force": True},
    {"encoding": "utf-8", "errors": "replace"},
    {"encoding": "utf-16", "errors": "ignore"},
    {"encoding": "shift_jis", "errors": "replace"},
]


def refused(path: Path, **arguments) -> None:
    before = path.read_bytes()
    with pytest.raises(ValueError):
        utfkit.convert_file(path, **arguments)
    assert path.read_bytes() == before, path
    assert [other.name for other in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_made_files_that_are_not_text(tmp_path, way):
    for name, data in archives().items():
        folder = tmp_path / name
        folder.mkdir()
        (folder / "file").write_bytes(data)
        if name.startswith("tail") and way.get("force"):
            continue
        refused(folder / "file", **way)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_real_files_that_are_not_text(tmp_path, way):
    files = real()
    assert len(files) > 10
    for number, original in enumerate(files):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "file").write_bytes(original.read_bytes()[: 2 << 20])
        refused(folder / "file", **way)


def test_a_database(tmp_path):
    with sqlite3.connect(tmp_path / "file") as base:
        base.execute("CREATE TABLE t (a)")
        base.execute("INSERT INTO t VALUES (?)", (TEXT,))
    base.close()
    refused(tmp_path / "file", encoding="latin-1")


@pytest.mark.parametrize(
    ("text", "encoding"),
    [(TEXT, "latin-1"), (TEXT, "cp1252"), (RUSSIAN, "koi8-r"), (RUSSIAN, "cp1251"), (JAPANESE, "euc-jp"),
     (JAPANESE, "shift_jis"), (JAPANESE, "utf-16"), (TEXT, "utf-16-le"), (RUSSIAN, "cp866"), (TEXT, "utf-8")],
)  # fmt: skip
def test_text_is_not_refused(tmp_path, text, encoding):
    path = tmp_path / "file"
    path.write_bytes(text.encode(encoding))
    utfkit.convert_file(path, encoding)
    assert path.read_text("utf-8") == text


def test_another_encoding_is_not_made_replacement_characters(tmp_path):
    """A file in EUC-JP was once replaced by U+FFFD alone."""
    path = tmp_path / "file"
    path.write_bytes(JAPANESE.encode("euc-jp"))
    for errors in ("replace", "ignore", "backslashreplace"):
        with pytest.raises(ValueError, match="most of it"):
            utfkit.convert_file(path, "utf-8", errors=errors)
    assert path.read_bytes() == JAPANESE.encode("euc-jp")
    path.write_bytes(TEXT.encode() + b"\xff")
    utfkit.convert_file(path, "utf-8", errors="replace")
    assert path.read_text("utf-8") == TEXT + "\ufffd"


def test_what_is_partly_utf8_is_not_encoded_twice(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(TEXT.encode() + TEXT.encode("latin-1"))
    refused(path, encoding="latin-1")
    refused(path)


def test_us_ascii_is_not_utf16(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"plain text\n" * 10)
    refused(path, encoding="utf-16-le")


def test_controls(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"caf\xe9 " * 30 + b"\x01\x02")
    refused(path, encoding="latin-1")
    utfkit.convert_file(path, "latin-1", text=True)
    assert path.read_bytes() == "café ".encode() * 30 + b"\x01\x02"


def test_labels(tmp_path):
    path = tmp_path / "file"
    for label in ('<?xml version="1.0" encoding="x-nonsense"?>', '<meta charset="koi8-r">', "# -*- coding: latin-1 -*-"):
        path.write_bytes((label + "\n" + TEXT).encode("latin-1"))
        refused(path, encoding="latin-1")
        refused(path)


@pytest.mark.parametrize("name", [".git", ".hg", ".svn", ".jj", ".GIT"])
def test_version_control(tmp_path, name):
    folder = tmp_path / name / "below"
    folder.mkdir(parents=True)
    (folder / "file").write_bytes(TEXT.encode("latin-1"))
    for options in ({}, {"force": True}, {"force": True, "text": True}):
        refused(folder / "file", encoding="latin-1", **options)
    (tmp_path / "text").write_bytes(TEXT.encode("latin-1"))
    (tmp_path / "link").symlink_to(folder / "file")
    for way in ({"path": tmp_path / "link"}, {"path": tmp_path / "text", "destination": folder / "other"}):
        with pytest.raises(ValueError, match="version control"):
            utfkit.convert_file(encoding="latin-1", **way)


def test_a_bare_repository(tmp_path):
    subprocess.run(["git", "init", "-q", "--bare", tmp_path / "bare"], check=True)
    path = tmp_path / "bare" / "description"
    path.write_bytes(TEXT.encode("latin-1"))
    with pytest.raises(ValueError, match="version control"):
        utfkit.convert_file(path, "latin-1", force=True)
    assert path.read_bytes() == TEXT.encode("latin-1")


def test_attributes_stay(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(TEXT.encode("latin-1"))
    path.chmod(0o754)
    try:
        os.setxattr(path, "user.origin", b"here")
    except (OSError, AttributeError):
        pytest.skip("left out: this file system has no extended attributes")
    utfkit.convert_file(path, "latin-1")
    assert path.read_text("utf-8") == TEXT
    assert os.getxattr(path, "user.origin") == b"here"
    assert stat.S_IMODE(path.stat().st_mode) == 0o754


@pytest.mark.skipif(not hasattr(os, "fork") or os.getuid() != 0, reason="left out: only root can become somebody else")
def test_what_cannot_be_kept_or_is_protected_is_refused():
    """As the user nobody: a file of root in a folder that all may write to."""
    # Other users cannot enter the folder of pytest.
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    for name, mode in (("somebody's", 0o666), ("read-only", 0o444)):
        (folder / name).write_bytes(TEXT.encode("latin-1"))
        (folder / name).chmod(mode)
    seen, say = os.pipe()
    child = os.fork()
    if child == 0:
        os.setgid(65534)
        os.setuid(65534)
        said = []
        for name in ("somebody's", "read-only"):
            try:
                utfkit.convert_file(folder / name, "latin-1")
                said.append("converted")
            except Exception as error:  # noqa: BLE001
                said.append(type(error).__name__)
        os.write(say, " ".join(said).encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(seen, 1000) == b"ValueError PermissionError"
    assert all(path.read_bytes() == TEXT.encode("latin-1") for path in folder.iterdir())
    shutil.rmtree(folder)


def test_a_destination_that_is_not_a_file(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(TEXT.encode("latin-1"))
    (tmp_path / "folder").mkdir()
    with pytest.raises(ValueError, match="not a regular file"):
        utfkit.convert_file(path, "latin-1", destination=tmp_path / "folder")
