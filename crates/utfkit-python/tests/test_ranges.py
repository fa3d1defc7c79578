"""Files checked in ranges have the findings of the whole, whatever the cuts."""

from __future__ import annotations

import errno
import os
import random

import pytest

import utfkit

pytest.importorskip("pyarrow", reason="left out: pyarrow is not installed")

from utfkit import _clusters  # noqa: E402
from utfkit._files import Failed, files_of  # noqa: E402

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
    ranges = _clusters.ranges_of(files_of(path, None).found, encoding, size)
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
        assert len(_clusters.ranges_of(files_of(path, None).found, encoding, 8)) == 1
        assert [row["offset"] for row in in_ranges(path, encoding, 8)[0]] == [
            one.offset for one in utfkit.check(path, encoding)
        ]


def test_an_empty_file_is_a_file(tmp_path):
    (tmp_path / "none").touch()
    assert in_ranges(tmp_path / "none", "utf-8", 64)[1] == (str(tmp_path / "none"), 0, 0, 0, 0, {}, None)


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
        return [name.rsplit("/", 1)[1] for name, _ in files_of(path, glob).found]

    assert names(tmp_path) == ["a.txt", "b.txt", "c.md", "d.txt"]
    assert names(tmp_path, "*.txt") == ["a.txt", "b.txt", "d.txt"]
    assert names([tmp_path / ".hidden", str(tmp_path / "sub")]) == [".hidden", "d.txt"]
    [(name, size), *_] = files_of(tmp_path.as_uri(), None).found
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
    assert files_of(tmp_path, None).found == [(str(tmp_path / "text"), 4)]
    assert files_of(tmp_path / "link", None).found == [(str(tmp_path / "link"), 4)]
    with pytest.raises(ValueError, match="pipe: neither a file nor a folder"):
        files_of(tmp_path / "pipe", None)


def test_a_name_that_is_not_utf8(tmp_path):
    with open(os.fsencode(tmp_path) + b"/caf\xe9", "wb") as file:
        file.write(b"a\xff")
    [(name, size)] = files_of(tmp_path, None).found
    assert name == f"file://{tmp_path}/caf%E9"
    found, file = in_ranges(name, "utf-8", 64)
    assert (file.path, file.findings, found[0]["offset"], size) == (name, 1, 1, 2)


@pytest.mark.parametrize("base", ["", "file://", "file:", "fsspec"])
def test_names_of_all_kinds_by_path_and_uri(tmp_path, base):
    names = ["plain", "a b", "100%", "50%25", "what?", "a#b", "größe", "[1]", "*", "{a,b}", "a+b&c=d", "~x"]
    if base == "fsspec":
        fsspec = pytest.importorskip("fsspec")
        folder = f"memory://{tmp_path}"
        for name in names:
            fsspec.filesystem("memory").pipe(f"{tmp_path}/sub/{name}", b"a\xff")
    else:
        folder = f"{base}{tmp_path}"
        (tmp_path / "sub").mkdir()
        for name in names:
            (tmp_path / "sub" / name).write_bytes(b"a\xff")
    found = files_of(folder, None)
    assert (len(found.found), found.failed) == (len(names), [])
    for name, _ in found.found:
        again, file = in_ranges(name, "utf-8", 64)
        assert (file.findings, file.error, len(again)) == (1, None, 1), name
    if base != "fsspec":
        with_blank = files_of(f"{folder}/sub/a b", None)
        assert with_blank.found == [(f"{folder}/sub/a b", 2)]


def test_patterns(tmp_path):
    for name in ("2024/a.csv", "2024/b.txt", "2025/a.csv", "2025/deep/er/c.csv", "2025/_x/d.csv", ".h/e.csv", "a[1].csv"):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text("text")

    def names(pattern, base=""):
        found = files_of(f"{base}{tmp_path}/{pattern}", None).found
        return [name.split(f"{tmp_path}/", 1)[1] for name, _ in found]

    for base in ("", "file://", "file:"):
        assert names("*/a.csv", base) == ["2024/a.csv", "2025/a.csv"]
        assert names("202[5-9]/*.csv", base) == ["2025/a.csv"]
        assert names("2024/{a,b}.*", base) == ["2024/a.csv", "2024/b.txt"]
        assert names("**/*.csv", base) == ["2024/a.csv", "2025/a.csv", "2025/deep/er/c.csv", "a[1].csv"]
        assert names("202*", base) == ["2024/a.csv", "2024/b.txt", "2025/a.csv", "2025/deep/er/c.csv"]
        assert names("2025/_*/*", base) == ["2025/_x/d.csv"]
        assert names("a[1].csv", base) == ["a[1].csv"], "a file of that very name"
        with pytest.raises(FileNotFoundError, match="no file has such a name"):
            names("*.nothing", base)
    assert names("202?/b.txt") == ["2024/b.txt"]


def test_schemes_of_others(monkeypatch):
    """Hadoop's names of schemes; no store is asked."""
    from utfkit import _files

    asked = []

    class System:
        @staticmethod
        def from_uri(uri):
            asked.append(uri)
            return "system", "bucket/key"

    monkeypatch.setattr(_files.fs, "FileSystem", System)
    for given, uri in [
        ("s3a://bucket/a b%.csv", "s3://bucket/a%20b%25.csv"),
        ("s3n://bucket/key", "s3://bucket/key"),
        ("abfss://box@account.dfs.core.windows.net/k", "abfss://box@account.dfs.core.windows.net/k"),
        ("gs://bucket/é", "gs://bucket/%C3%A9"),
    ]:
        place = _files.located(given)
        assert (place.name, asked.pop()) == (given, uri)
    assert _files.located("s3a://b/f?region=x").below("a?b").name == "s3a://b/f/a%3Fb?region=x"
    assert _files.located("dbfs:/mnt/a b").inner == "/dbfs/mnt/a b"
    assert _files.located("dbfs:/mnt").below("c").name == "dbfs:/mnt/c"


def test_a_scheme_that_nobody_opens():
    with pytest.raises(ValueError, match="nonsense://x/y: "):
        files_of("nonsense://x/y", None)


def test_what_cannot_be_read_is_a_row(tmp_path):
    (tmp_path / "good").write_bytes(b"a\xff\n")
    (tmp_path / "gone").write_bytes(b"a\xff" * 100)
    named = files_of(tmp_path, None)
    ranges = _clusters.ranges_of(named.found, "utf-8", 64)
    (tmp_path / "gone").unlink()
    failed = [Failed(str(tmp_path / "closed"), errno.EACCES, os.strerror(errno.EACCES))]
    files, again = _clusters.joined(map(_clusters.Check("utf-8").summary, ranges), failed)
    assert [(os.path.basename(file.path), file.findings, file.error) for file in files] == [
        ("gone", None, "No such file or directory"),
        ("good", 1, None),
        ("closed", None, "Permission denied"),
    ]
    assert [part.path for part in again] == [str(tmp_path / "good")]
    kinds = _clusters.table_of(files, _clusters.FILE)["kinds"].to_pylist()
    assert [kind and dict(kind) for kind in kinds] == [None, files[1].kinds, None]


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere") as caught:
        files_of(tmp_path / "nowhere", None)
    assert caught.value.filename == str(tmp_path / "nowhere")


def test_a_file_that_vanishes_or_changes(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"a\xff" * 100)
    ranges = _clusters.ranges_of(files_of(path, None).found, "utf-8", 64)
    check = _clusters.Check("utf-8")
    _, again = _clusters.joined(map(check.summary, ranges))
    path.write_bytes(b"a" * 200)
    with pytest.raises(OSError, match="changed while it was read"):
        list(_clusters.FindAgain("utf-8").tables(again[0]))
    path.write_bytes(b"a" * 10)
    [file], _ = _clusters.joined(map(check.summary, ranges))
    assert (file.findings, file.error) == (None, "changed while it was read")
    path.unlink()
    [file], _ = _clusters.joined(map(check.summary, ranges))
    assert (file.path, file.error) == (str(path), "No such file or directory")
    with pytest.raises(FileNotFoundError):
        list(_clusters.FindAgain("utf-8").tables(again[0]))


def test_wrong_arguments(tmp_path):
    with pytest.raises(LookupError, match="unknown encoding: nonsense"):
        _clusters.ranges_of([], "nonsense", 64)
    for size in (0, 3, 6, -4):
        with pytest.raises(ValueError, match="multiple of 4"):
            _clusters.ranges_of([], "utf-8", size)
    with pytest.raises(TypeError, match="not bytes"):
        files_of([b"text"], None)
