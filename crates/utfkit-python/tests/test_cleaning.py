"""Rows of doubtful origin, cleaned: what is done, how sure, what is set aside."""

import base64
import csv
import gzip
import io
import json

import pytest

import utfkit

pyarrow = pytest.importorskip("pyarrow")

import utfkit.arrow  # noqa: E402
from utfkit import _clean, _warc  # noqa: E402
from utfkit._clean import Cleaner, Rules  # noqa: E402

GERMAN = "Grüße aus Köln, schöne Straßen und größere Häuser"
RUSSIAN = "Привет, мир! Это строка текста, и ещё одна."
WORDS = {"windows-1252": GERMAN, "windows-1251": RUSSIAN, "shift_jis": "東京の天気は晴れです。", "utf-16le": RUSSIAN, "gb18030": "北京的天气很好，我们去公园吧。", "utf-8": GERMAN}


def cleaned(rows, *arguments, **options):
    return pyarrow.array(utfkit.arrow.clean(pyarrow.array(rows, pyarrow.binary()), *arguments, **options)).to_pylist()


@pytest.mark.parametrize("name", [name for name, _ in utfkit.encoding_names()])
def test_every_encoding_gives_what_decode_gives(name):
    text = "id,ñame Грüße 日本語 ﾊﾝｶｸ 한국어 中文 ελ עב عر ไทย a~{b ¥ +AOk-"
    data = utfkit.encode(text, name, "ignore")
    cut = data[: len(data) // 2] + b"\xff\x81" + data[len(data) // 2 :]
    for raw in (data, cut, b"", data[:-1]):
        for errors in ("replace", "ignore"):
            [row] = cleaned([raw], name, errors)
            assert row["text"] == utfkit.decode(raw, name, errors).removeprefix("\ufeff"), (name, raw, errors)
            assert (row["encoding"].lower(), row["certainty"]) == (name.lower(), "certain")
        try:
            utfkit.decode(raw, name)
            assert row["damage"] == 0
        except UnicodeDecodeError:
            assert row["damage"] > 0
        [strict] = cleaned([raw], name, "strict")
        assert (strict["reason"] is None) == (strict["damage"] == 0)


def test_rows_are_detected_one_by_one():
    rows = [word.encode(name) for name, word in WORDS.items()]
    found = cleaned([*rows, b"plain", None, b""])
    assert [row and row["text"] for row in found] == [*WORDS.values(), "plain", None, ""]
    names = [row["encoding"].lower().replace("gbk", "gb18030") for row in found[: len(rows)]]
    assert names == list(WORDS)
    assert found[len(rows)]["encoding"] == "US-ASCII"


def test_damage_doubles_and_controls():
    mixed = "\n".join([GERMAN] * 5).encode() + b"\nK\xf6ln, sch\xf6n"
    [row] = cleaned([mixed])
    assert (row["damage"], row["encoding"], row["text"].count("\ufffd")) == (2, "UTF-8", 2)
    for fallback in ("windows-1252", "auto"):
        [row] = cleaned([mixed], fallback=fallback)
        assert (row["damage"], row["in_fallback"]) == (0, 2), fallback
        assert row["text"].endswith("Köln, schön")
    [row] = cleaned([mixed], errors="ignore")
    assert (row["damage"], row["text"].endswith("Kln, schn")) == (2, True)
    twice = GERMAN.encode().decode("cp1252").encode()
    [row] = cleaned([twice], undouble=True)
    assert row["text"] == GERMAN and row["undoubled"] > 0
    [row] = cleaned([twice])
    assert (row["text"], row["undoubled"]) == (twice.decode(), 0)
    [row] = cleaned([b"a\0b\x1bc\td\r\n\x7f" + "\x85\x0c".encode()], "utf-8", controls="remove")
    assert (row["text"], row["controls"]) == ("abc\td\r\n\x0c", 4)


def test_bounds_give_reasons():
    noise = bytes(range(128, 256)) * 3 + b"\0\1\2\3" * 40
    [unsure, sure, none] = cleaned([b"x \xff", GERMAN.encode(), noise], at_least="likely")
    assert unsure["reason"].startswith("less sure than likely: ")
    assert sure["reason"] is None
    assert none["text"] is None and none["encoding"] is None and none["reason"].startswith("no encoding was found: ")
    [kept, aside] = cleaned([b"tea \xff" + b"x" * 95, b"\xff\xff tea"], "utf-8", most_damage=0.02)
    assert kept["reason"] is None
    assert aside["reason"] == "2 ill-formed sequences in 6 characters of UTF-8"
    [row] = cleaned([b"\xfftea"], "utf-8", "strict")
    assert row["reason"] == "1 ill-formed sequence in 4 characters of UTF-8"


@pytest.mark.parametrize(
    ("arguments", "options", "error"),
    [
        (["nix"], {}, LookupError),
        (["auto", "surrogateescape"], {}, LookupError),
        (["auto"], {"at_least": "maybe"}, ValueError),
        (["auto"], {"most_damage": 2.0}, ValueError),
        (["auto"], {"fallback": "utf-16"}, ValueError),
        (["auto"], {"controls": "escape"}, ValueError),
        (["utf-8"], {"language": "de"}, ValueError),
    ],
)
def test_wrong_options(arguments, options, error):
    with pytest.raises(error):
        cleaned([b"a"], *arguments, **options)
    with pytest.raises(error):
        Rules(None, None, arguments[0], None, ",", {**({"errors": arguments[1]} if len(arguments) > 1 else {}), **options}).check()


def test_polars():
    polars = pytest.importorskip("polars")
    import utfkit.polars

    rows = [word.encode(name) for name, word in WORDS.items()]
    names = list(WORDS)
    frame = polars.DataFrame({"id": range(9), "raw": [*rows, b"x \xff", b"\xff", None], "name": [*names, None, "nix", "utf-8"]})
    for given in (frame, frame.lazy()):
        kept, aside, counts = (part.lazy().collect() for part in utfkit.polars.clean(given, "raw", polars.col("name"), "strict"))
        assert kept["raw"].to_list()[: len(rows)] == list(WORDS.values())
        assert dict(zip(aside["id"], aside["raw_reason"])) == {7: "unknown encoding: nix"}
        assert aside["raw"].to_list() == [b"\xff"]
        assert counts.row(0, named=True)["rows"] == 9
    kept, aside, _ = utfkit.polars.clean(frame, "raw", into="text", prefix="t.", at_least="likely")
    assert kept["text"].to_list()[0] == GERMAN and kept["raw"].to_list() == [*rows, None]
    assert set(aside["id"]) == {6, 7} and "t.reason" in aside.columns and "t.reason" not in kept.columns
    # In a lazy query, and in the order of the rows.
    query = frame.lazy().select(polars.col("raw").utfkit.clean(polars.col("name")).struct.field("text"))
    assert query.collect()["text"].to_list()[:6] == list(WORDS.values())
    with pytest.raises(LookupError, match="there is no column 'x'"):
        utfkit.polars.clean(frame, "x")
    with pytest.raises(LookupError):
        utfkit.polars.clean(frame, "raw", "nix")
    with pytest.raises(ValueError, match="already"):
        utfkit.polars.clean(frame.with_columns(raw_damage=1), "raw")


def rules(**options):
    given = {"format": None, "column": None, "encoding": "auto", "encoding_column": None, "delimiter": ","}
    return Rules(**{**given, **{k: options.pop(k) for k in list(options) if k in given}}, options=options)


def clean_file(tmp_path, name, data, **options):
    source = tmp_path / "in" / name
    source.parent.mkdir(exist_ok=True)
    source.write_bytes(data)
    out = tmp_path / "out"
    done = Cleaner(str(out), rules(**options))(str(source), name)
    return done, out


def packed(name, data):
    if name.endswith(".gz"):
        return gzip.compress(data)
    for ending, codec in {".zst": "zstd", ".bz2": "bz2", ".lz4": "lz4"}.items():
        if name.endswith(ending):
            sink = pyarrow.BufferOutputStream()
            with pyarrow.CompressedOutputStream(sink, codec) as file:
                file.write(data)
            return sink.getvalue().to_pybytes()
    return data


def read(path):
    with pyarrow.input_stream(str(path), compression="detect") as file:
        return file.read()


@pytest.fixture(params=["", ".gz", ".zst"])
def ending(request):
    return request.param


def test_json_lines(tmp_path, ending):
    twice = GERMAN.encode().decode("cp1252")
    lines = [
        json.dumps({"n": 1.50, "text": GERMAN}, ensure_ascii=False).encode("cp1252"),
        json.dumps({"text": RUSSIAN}, ensure_ascii=False).encode(),
        b'{"big": 12345678901234567890.10, "text": "a\\u0000b"}',
        json.dumps({"text": twice}).encode(),
        b"",
        b'{"text": "cut',
        b"[1]",
        b'{"text": "tea \xff"}',
    ]
    name = f"a.jsonl{ending}"
    done, out = clean_file(tmp_path, name, packed(name, b"\n".join(lines) + b"\n"), column="text", at_least="likely", undouble=True, controls="remove")
    assert done.error == ""
    kept = [json.loads(line) for line in read(out / "kept" / name).splitlines()]
    assert [row["text"] for row in kept] == [GERMAN, RUSSIAN, "ab", GERMAN]
    assert kept[0]["text_encoding"] == "windows-1252" and kept[2]["text_controls"] == 1 and kept[3]["text_undoubled"] > 0
    assert b'"n": 1.5' in read(out / "kept" / name)
    aside = [json.loads(line) for line in read(out / "aside" / f"{name}.jsonl{ending}").splitlines()]
    assert [row["record"] for row in aside] == [6, 7, 8]
    assert [base64.b64decode(row["bytes_base64"]) for row in aside] == lines[5:]
    assert "no line of JSON" in aside[0]["reason"] and "less sure" in aside[2]["reason"]
    counts = json.loads((out / "done" / f"{name}.json").read_text())["counts"]
    assert (counts["rows"], counts["kept"], counts["aside"]) == (7, 4, 3)


def test_csv(tmp_path, ending):
    rows = [["id", "größe"], ["1", f"{GERMAN}\nzwei \"Zeilen\""], ["2", "a,b"]]
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    lines = text.getvalue()
    name = f"a.csv{ending}"
    for number, encoding in enumerate(["cp1252", "utf-16", "utf-8"]):
        (tmp_path / str(number)).mkdir()
        data = lines.encode(encoding) + ("3,".encode(encoding) + b"\xff\r\n" if encoding == "utf-8" else b"")
        done, out = clean_file(tmp_path / str(number), name, packed(name, data), at_least="likely")
        assert done.error == "", done
        kept = list(csv.reader(io.StringIO(read(out / "kept" / name).decode(), newline="")))
        assert [row[:2] for row in kept] == [[cell.replace("\r\n", "\n") for cell in row] for row in rows], encoding
        assert kept[0][2:] == [f"utfkit_{said}" for said in _clean.SAID]
        if encoding == "utf-8":
            [aside] = [json.loads(line) for line in read(out / "aside" / f"{name}.jsonl{ending}").splitlines()]
            assert base64.b64decode(aside["bytes_base64"]) == b"3,\xff"


def test_parquet(tmp_path):
    import pyarrow.parquet as parquet

    rows = [word.encode(name) for name, word in WORDS.items()]
    table = pyarrow.table({"id": range(8), "raw": pyarrow.array([*rows, b"\xff\xfe\xff", None]), "name": [*WORDS, "utf-8", "nix"]})
    sink = io.BytesIO()
    parquet.write_table(table, sink, row_group_size=3)
    done, out = clean_file(tmp_path, "a.parquet", sink.getvalue(), column="raw", encoding_column="name", most_damage=0.1)
    assert done.error == ""
    kept, aside = (parquet.read_table(out / kind / "a.parquet") for kind in ("kept", "aside"))
    assert kept["raw"].to_pylist() == [*WORDS.values(), None]
    assert aside["raw"].to_pylist() == [b"\xff\xfe\xff"] and aside["id"].to_pylist() == [6]
    assert "ill-formed" in aside["raw_reason"][0].as_py()
    for options, said in [({}, "--column"), ({"column": "x"}, "no column 'x'"), ({"column": "id"}, "bytes or strings")]:
        assert said in clean_file(tmp_path, "a.parquet", sink.getvalue(), **options)[0].error


def warc(*records):
    parts = []
    for kind, content_type, block in records:
        head = f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Block-Digest: sha1:OLD\r\nContent-Type: {content_type}\r\nContent-Length: {len(block)}\r\n\r\n"
        parts.append(head.encode() + block + b"\r\n\r\n")
    return parts


def response(body, kind="text/html; charset=iso-8859-1", more=""):
    return f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n{more}Content-Length: {len(body)}\r\n\r\n".encode() + body


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_warc(tmp_path, ending):
    http = "application/http; msgtype=response"
    html = f"<p>{GERMAN}</p>".encode("cp1252")
    parts = warc(
        ("warcinfo", "application/warc-fields", b"software: x\r\n"),
        ("response", http, response(html)),
        ("response", http, response(gzip.compress(html), more="Content-Encoding: gzip\r\n")),
        ("response", http, response(b"5\r\n" + html[:5] + b"\r\n%x\r\n" % len(html[5:]) + html[5:] + b"\r\n0\r\n\r\n", more="Transfer-Encoding: chunked\r\n")),
        ("response", http, response(b"\x89PNG\r\n\x1a\n\xff", "image/png")),
        ("response", http, response(html, more="Content-Encoding: br\r\n")),
        ("conversion", "text/plain", RUSSIAN.encode("cp1251")),
    )
    name = f"a.warc{ending}"
    data = b"".join(map(_warc.member, parts)) if ending else b"".join(parts)
    done, out = clean_file(tmp_path, name, data, language="de,ru".split(","))
    assert done.error == "", done
    kept = list(_warc.records(io.BytesIO(read(out / "kept" / name)), "kept"))
    assert [record.header("warc-type") for record in kept] == ["warcinfo", "response", "response", "response", "response", "conversion"]
    for record in kept[1:4]:
        assert record.body.decode() == f"<p>{GERMAN}</p>"
        assert b"charset=utf-8" in record.http and b"Encoding" not in record.http
        assert record.header("utfkit-encoding") == "windows-1252" and not record.header("warc-block-digest")
        assert int(record.header("content-length")) == len(record.http + record.body)
    assert kept[0].raw() == parts[0] and kept[4].raw() == parts[4]
    assert kept[5].body.decode() == RUSSIAN
    [aside] = _warc.records(io.BytesIO(read(out / "aside" / name)), "aside")
    assert aside.body == html and "br" in aside.header("utfkit-reason")
    assert done.counts["rows"] == 5 and done.counts["kept"] == 4
    charset = clean_file(tmp_path, name, data, encoding_column="charset")[0]
    assert charset.encodings == {"ISO-8859-1": 3, "windows-1251": 1}
    for bad, said in [(data[:-200] if not ending else b"".join(parts)[:-200], "the file ends in"), (b"junk\r\n\r\n", "no record of WARC begins at byte 0")]:
        done, _ = clean_file(tmp_path, "bad.warc", bad)
        assert said in done.error and "bad.warc" in done.error, done


def test_what_is_done_is_not_done_again(tmp_path):
    data = b'{"text": "tea"}\n'
    done, out = clean_file(tmp_path, "a.jsonl", data, column="text")
    kept = out / "kept" / "a.jsonl"
    kept.write_text("as it was")
    again, _ = clean_file(tmp_path, "a.jsonl", data, column="text")
    # The file is newer.
    assert kept.read_text() != "as it was" or (tmp_path / "in" / "a.jsonl").stat().st_mtime_ns
    kept.write_text("as it was")
    third = Cleaner(str(out), rules(column="text"))(str(tmp_path / "in" / "a.jsonl"), "a.jsonl")
    assert kept.read_text() == "as it was"
    assert done.counts == again.counts == third.counts
    # Other rules, and an interrupted run, whose outputs have other names.
    Cleaner(str(out), rules(column="text", controls="remove"))(str(tmp_path / "in" / "a.jsonl"), "a.jsonl")
    assert kept.read_text() != "as it was"
    assert not list(out.rglob("*.tmp"))


def test_a_compressed_file_that_is_cut_is_an_error_and_leaves_nothing(tmp_path):
    lines = b"".join(b'{"text": "%d %s"}\n' % (n, bytes(str(n * n * n), "ascii")) for n in range(20000))
    for name in ("a.jsonl.gz", "a.jsonl.zst", "a.jsonl.bz2", "a.jsonl.lz4"):
        data = packed(name, lines)
        done, out = clean_file(tmp_path, name, data[: len(data) * 2 // 3])
        assert done.error, name
        assert not (out / "kept" / name).exists() and not (out / "done" / f"{name}.json").exists(), name
    done, _ = clean_file(tmp_path, "a.jsonl.gz", b'{"text": "plain"}\n')
    assert done.error
    done, _ = clean_file(tmp_path, "a.jsonl.xz", b"")
    assert ".xz" in done.error or "a.jsonl.xz" in done.error
