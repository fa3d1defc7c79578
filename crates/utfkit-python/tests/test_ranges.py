"""Files checked in ranges have the findings of the whole, whatever the cuts."""

from __future__ import annotations

import os
import random

import pytest

import utfkit

pytest.importorskip("pyarrow", reason="left out: pyarrow is not installed")

from utfkit import _clusters  # noqa: E402

PIECES = {
    "utf-8": [
        b"\n", b"text", "aß€🎉\n".encode(), "한국어".encode(), b"\x80\x80\x80", b"\xc0\xaf", b"\xed\xa0\xbd\xed\xb8\x80",
        b"\xed\xa0\xbd", b"\xed\xb8\x80", b"\xfd\xbf\xbf\xbf\xbf\xbf", b"\xfc\x80", b"\xf0\x9f\x8e", b"\xe2", b"\xff",
    ],
    "us-ascii": [b"\n", b"text", b"\xe9", b"\x80"],
    "utf-16-le": [b"\n\0", b"a\0", b"\xdf\0", b"\x3d\xd8\x00\xde", b"\x3d\xd8", b"\x00\xde", b"\x3d\xd8\x3d\xd8"],
    "utf-16-be": [b"\0\n", b"\0a", b"\0\xdf", b"\xd8\x3d\xde\x00", b"\xd8\x3d", b"\xde\x00", b"\xd8\x3d\xd8\x3d"],
    "utf-32-le": [b"\n\0\0\0", b"a\0\0\0", b"\0\xd8\0\0", b"\0\0\x11\0"],
    "utf-32-be": [b"\0\0\0\n", b"\0\0\0a", b"\0\0\xd8\0", b"\0\x11\0\0"],
    "utf-8-rfc2279": [b"\n", b"text", b"\xfd\xbf\xbf\xbf\xbf\xbf", b"\xfc\x80", b"\xff", b"\xed\xa0\x80"],
}  # fmt: skip


def in_ranges(path, encoding, size):
    """The findings and the counts, from ranges."""
    ranges = _clusters.ranges_of(_clusters.files_of(path, None), encoding, size)
    summaries = map(_clusters.Check(encoding).summary, reversed(ranges))
    [file], again = _clusters.joined(summaries)
    find = _clusters.FindAgain(encoding)
    found = [row for part in again for table in find.tables(part) for row in table.to_pylist()]
    return found, file


def whole(path, encoding):
    """The findings and the counts, from one check."""
    return [
        {
            "path": str(path),
            "offset": one.offset,
            "length": one.length,
            "line": one.line,
            "column": one.column,
            "bytes": one.bytes.hex(),
            "kind": one.kind,
            "message": one.message,
        }
        for one in utfkit.check(path, encoding)
    ]


@pytest.mark.parametrize("encoding", PIECES)
@pytest.mark.parametrize("seed", range(12))
def test_ranges_joined_are_the_file(tmp_path, encoding, seed):
    generator = random.Random(seed)
    pieces = PIECES[encoding][: [2, 4, 99][seed % 3]]
    data = b"".join(generator.choices(pieces, k=60)) + b"\xe2"[: seed % 2]
    path = tmp_path / "text"
    path.write_bytes(data)
    expected = whole(path, encoding)
    one_range = in_ranges(path, encoding, 1 << 20)
    for size in (4, 8, 12, 52):
        found, file = in_ranges(path, encoding, size)
        assert (found, file) == one_range, size
        for row in found:
            del row["code_point"]
        assert found == expected, size
    assert (file.bytes, file.findings) == (len(data), len(expected))
    assert file.lines == data.decode(encoding, "replace").count("\n") if encoding in ("utf-8", "us-ascii") else True


def test_a_file_without_a_place_to_cut_is_one_range(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"\x80" * 1000)
    found, file = in_ranges(path, "utf-8", 64)
    assert ([row["offset"] for row in found], [row["column"] for row in found]) == (
        [one.offset for one in utfkit.check(path)],
        [one.column for one in utfkit.check(path)],
    )
    assert file.bytes == 1000


def test_what_cannot_be_cut_is_one_range(tmp_path):
    path = tmp_path / "text"
    for encoding in ("utf-16", "utf-7", "shift_jis", "iso-2022-jp"):
        path.write_bytes("ä\nö".encode(encoding, "replace") * 20)
        assert len(_clusters.ranges_of(_clusters.files_of(path, None), encoding, 8)) == 1
        assert [row["offset"] for row in in_ranges(path, encoding, 8)[0]] == [
            one.offset for one in utfkit.check(path, encoding)
        ]


def test_an_empty_file_is_a_file(tmp_path):
    (tmp_path / "none").touch()
    assert in_ranges(tmp_path / "none", "utf-8", 64)[1] == (str(tmp_path / "none"), 0, 0, 0, 0, {})


def test_more_findings_than_a_table_has(tmp_path, monkeypatch):
    monkeypatch.setattr(_clusters, "ROWS", 10)
    monkeypatch.setattr(_clusters, "PIECE", 16)
    (tmp_path / "text").write_bytes(b"a\xff\n" * 300)
    found, file = in_ranges(tmp_path / "text", "utf-8", 64)
    assert [(row["line"], row["column"]) for row in found] == [(line, 2) for line in range(1, 301)]
    assert file.findings == 300


def test_folders(tmp_path):
    for name in ("b.txt", "a.txt", "c.md", "sub/d.txt", ".hidden", "_SUCCESS", ".git/e.txt", "sub/_f.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("text")

    def names(path, glob=None):
        return [name.rsplit("/", 1)[1] for name, _ in _clusters.files_of(path, glob)]

    assert names(tmp_path) == ["a.txt", "b.txt", "c.md", "d.txt"]
    assert names(tmp_path, "*.txt") == ["a.txt", "b.txt", "d.txt"]
    assert names([tmp_path / ".hidden", str(tmp_path / "sub")]) == [".hidden", "d.txt"]
    [(name, size), *_] = _clusters.files_of(tmp_path.as_uri(), None)
    assert (name, size) == ((tmp_path / "a.txt").as_uri(), 4)
    [part] = _clusters.ranges_of([(name, size)], "utf-8", 64)
    assert _clusters.Check("utf-8").summary(part).bytes == 4


def test_links_and_devices(tmp_path):
    """A link to a parent folder once led to endless recursion."""
    (tmp_path / "text").write_text("text")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "broken").symlink_to("nowhere")
    (tmp_path / "link").symlink_to("text")
    os.mkfifo(tmp_path / "pipe")
    assert _clusters.files_of(tmp_path, None) == [(str(tmp_path / "text"), 4)]
    assert _clusters.files_of(tmp_path / "link", None) == [(str(tmp_path / "link"), 4)]
    with pytest.raises(ValueError, match="pipe: neither a file nor a folder"):
        _clusters.files_of(tmp_path / "pipe", None)


def test_a_name_that_is_not_utf8(tmp_path):
    with open(os.fsencode(tmp_path) + b"/caf\xe9", "wb"):
        pass
    with pytest.raises(ValueError, match="name that is not UTF-8"):
        _clusters.files_of(tmp_path, None)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere") as caught:
        _clusters.files_of(tmp_path / "nowhere", None)
    assert caught.value.filename == str(tmp_path / "nowhere")


def test_a_file_that_vanishes_or_changes(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"a\xff" * 100)
    ranges = _clusters.ranges_of(_clusters.files_of(path, None), "utf-8", 64)
    check = _clusters.Check("utf-8")
    _, again = _clusters.joined(map(check.summary, ranges))
    path.write_bytes(b"a" * 200)
    with pytest.raises(OSError, match="changed while it was read"):
        list(_clusters.FindAgain("utf-8").tables(again[0]))
    path.write_bytes(b"a" * 10)
    with pytest.raises(OSError, match="changed while it was read"):
        _clusters.joined(map(check.summary, ranges))
    path.unlink()
    with pytest.raises(FileNotFoundError) as caught:
        _clusters.joined(map(check.summary, ranges))
    assert caught.value.filename == str(path)
    with pytest.raises(FileNotFoundError):
        list(_clusters.FindAgain("utf-8").tables(again[0]))


def test_wrong_arguments(tmp_path):
    with pytest.raises(LookupError, match="unknown encoding: nonsense"):
        _clusters.ranges_of([], "nonsense", 64)
    for size in (0, 3, 6, -4):
        with pytest.raises(ValueError, match="multiple of 4"):
            _clusters.ranges_of([], "utf-8", size)
    with pytest.raises(TypeError, match="not bytes"):
        _clusters.files_of([b"text"], None)
