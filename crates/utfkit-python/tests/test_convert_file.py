"""A file is replaced whole, or not at all."""

from __future__ import annotations

import os
import stat
import sys

import pytest

import utfkit

TEXT = "Grüße aus Köln, für dich und mich.\n" * 300


def left(folder):
    return sorted(path.name for path in folder.iterdir())


def test_in_place(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(TEXT.encode("latin-1"))
    path.chmod(0o640)
    assert utfkit.convert_file(path, "latin-1") == len(TEXT.encode())
    assert path.read_text("utf-8") == TEXT
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert left(tmp_path) == ["text"]
    # And back, in place.
    utfkit.convert_file(str(path), "utf-8", to="utf-16")
    assert path.read_text("utf-16") == TEXT
    utfkit.convert_file(path)
    assert path.read_text("utf-8").removeprefix("\ufeff") == TEXT


def test_to_another_file(tmp_path):
    path, other = tmp_path / "text", tmp_path / "other"
    path.write_bytes(TEXT.encode("cp1252"))
    mask = os.umask(0o027)
    try:
        utfkit.convert_file(path, "cp1252", to="utf-8-sig", destination=other)
    finally:
        os.umask(mask)
    assert other.read_text("utf-8-sig") == TEXT
    assert path.read_bytes() == TEXT.encode("cp1252")
    assert stat.S_IMODE(other.stat().st_mode) == 0o640
    with pytest.raises(FileNotFoundError):
        utfkit.convert_file(path, "cp1252", destination=tmp_path / "no" / "such")
    # Another name of the file.
    utfkit.convert_file(path, "cp1252", destination=tmp_path / "." / "text")
    assert path.read_text("utf-8") == TEXT


def test_a_link_stays_one(tmp_path):
    path, link = tmp_path / "text", tmp_path / "link"
    path.write_bytes(TEXT.encode("latin-1"))
    link.symlink_to("text")
    utfkit.convert_file(link, "latin-1")
    assert link.is_symlink()
    assert path.read_text("utf-8") == TEXT


@pytest.mark.parametrize(
    ("data", "arguments", "error", "words"),
    [
        (bytes(range(256)) * 40, {"encoding": "latin-1"}, ValueError, "not text"),
        (TEXT.encode(), {"encoding": "latin-1"}, ValueError, "UTF-8 already"),
        (b"caf\xe9", {}, ValueError, "not certain"),
        (b"abc \xff\xff", {"encoding": "utf-8"}, UnicodeError, "at offset 4"),
        ("5 €\n".encode(), {"encoding": "utf-8", "to": "latin-1"}, UnicodeError, "lacks"),
        (b'<?xml version="1.0" encoding="ISO-8859-1"?><a>\xe9</a>', {"encoding": "latin-1"}, ValueError, "label"),
        (b"abc", {"errors": "no-such"}, LookupError, "errors"),
    ],
)
def test_refusals(tmp_path, data, arguments, error, words):
    path = tmp_path / "text"
    path.write_bytes(data)
    with pytest.raises(error, match=words):
        utfkit.convert_file(path, **arguments)
    assert path.read_bytes() == data
    assert left(tmp_path) == ["text"]


def test_force_and_policies(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(TEXT.encode())
    utfkit.convert_file(path, "latin-1", force=True)
    assert path.read_text("utf-8") == TEXT.encode().decode("latin-1")
    path.write_bytes("é".encode() + b"b\xff c")
    utfkit.convert_file(path, "utf-8", errors="replace")
    assert path.read_text("utf-8") == "éb\ufffd c"


def test_version_control_is_left_alone(tmp_path):
    folder = tmp_path / ".git"
    folder.mkdir()
    path = folder / "config"
    path.write_bytes(TEXT.encode("latin-1"))
    for force in (False, True):
        with pytest.raises(ValueError, match="version control"):
            utfkit.convert_file(path, "latin-1", force=force)
    assert path.read_bytes() == TEXT.encode("latin-1")


def test_what_is_not_a_file(tmp_path):
    with pytest.raises((IsADirectoryError, ValueError)):
        utfkit.convert_file(tmp_path, "latin-1")
    if sys.platform.startswith("linux"):
        with pytest.raises(ValueError, match="regular"):
            utfkit.convert_file("/dev/null", "latin-1")
