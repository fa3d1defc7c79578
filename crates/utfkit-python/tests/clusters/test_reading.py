"""Files in any encoding, read and cleaned on Spark with two workers, beside Spark's own readers of clean UTF-8."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys

import pytest
from clusters.corpus import in_here

import utfkit

pyspark = pytest.importorskip("pyspark", reason="left out: pyspark is not installed")
if shutil.which("java") is None:
    pytest.skip("left out: there is no Java", allow_module_level=True)

import utfkit.spark  # noqa: E402
from utfkit import _lines  # noqa: E402
from utfkit._spark_read import _records  # noqa: E402

HOME = os.path.dirname(pyspark.__file__)
WORDS = {
    "windows-1252": "Köln, schön und größer",
    "windows-1251": "Москва и Нижний Новгород",
    "shift_jis": "東京の天気は晴れです",
    "gb18030": "北京的天气很好",
    "utf-16": "Łódź, 東京, Москва",
    "utf-8": "Zürich, 서울",
}


def lines_of(path, size, encoding, options=("strict", None)):
    found = _lines.Found(str(path), path.stat().st_size, encoding, "certain")
    lines = _lines.Lines(*options)
    return [line.decode() for part in _lines.parts_of([found], size) for line in _records(lines(part), None)]


@pytest.mark.parametrize("name", [name for name, _ in utfkit.encoding_names()])
def test_ranges_of_every_encoding_have_the_lines_of_the_whole(name, tmp_path):
    text = "".join(f"{n},Grüße {n} ñ 日本語 ﾊﾝｶｸ 한국어 中文 ελ עב ไทย a~b +AOk- \ufeff\n" for n in range(60))
    path = tmp_path / "a"
    path.write_bytes(utfkit.encode(text, name, "ignore"))
    whole = utfkit.decode(path.read_bytes(), name, "replace").removeprefix("\ufeff").encode().splitlines()
    for size in (4, 20, 64, 1 << 10, 1 << 20):
        assert lines_of(path, size, name, ("replace", None)) == [line.decode() for line in whole], size


def test_damage_names_the_place_in_the_file(tmp_path):
    path = tmp_path / "a.txt"
    front = "Zürich\n".encode() * 100
    path.write_bytes(front + b"caf\xe9\n" + front)
    for size in (4, 32, 100, 1 << 20):
        with pytest.raises(UnicodeDecodeError, match=f"at byte {len(front) + 3} of .*a.txt"):
            lines_of(path, size, "utf-8")
        assert lines_of(path, size, "utf-8", ("strict", "windows-1252"))[100] == "café"


def test_text_and_csv_are_as_spark_reads_them(spark, tmp_path):
    for number, (name, word) in enumerate(WORDS.items()):
        text = "id,city,price\n" + "".join(f'{n},"{word} ""{n}""",{n}.5\n' for n in range(800))
        (tmp_path / f"{number}.csv").write_bytes(text.encode(name))
        (tmp_path / f"{number}.plain").write_text(text, "utf-8", newline="")
    options = {"header": True, "inferSchema": True, "escape": '"'}
    ours = utfkit.spark.read_csv(spark, tmp_path, glob="*.csv", range_size=8 << 10, **options)
    plain = spark.read.option("pathGlobFilter", "*.plain").csv(str(tmp_path), **options)
    assert ours.schema == plain.schema
    assert sorted(ours.collect()) == sorted(plain.collect())
    rows = utfkit.spark.read_text(spark, tmp_path, glob="*.csv", range_size=8 << 10)
    texts = spark.read.option("pathGlobFilter", "*.plain").text(str(tmp_path))
    assert sorted(rows.collect()) == sorted(texts.collect())
    # With a schema, without a header, and rows that are equal to the header.
    schema = "a string, b string, c string"
    given = utfkit.spark.read_csv(spark, tmp_path / "0.csv", schema=schema, escape='"')
    assert given.count() == 801 and given.columns == ["a", "b", "c"]
    (tmp_path / "twice.csv").write_text("a,b\n1,2\na,b\n")
    assert utfkit.spark.read_csv(spark, tmp_path / "twice.csv", header=True).count() == 2


def test_records_over_lines_and_compressed_files(spark, tmp_path):
    text = "id,note\n" + "".join(f'{n},"Zeile {n}\nschön, ""{n}"""\n' for n in range(300))
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(text.encode("cp1252")))
    (tmp_path / "plain.csv").write_text(text, "utf-8", newline="")
    options = {"header": True, "multiLine": True, "escape": '"'}
    ours = utfkit.spark.read_csv(spark, tmp_path / "a.csv.gz", "windows-1252", **options)
    plain = spark.read.csv(str(tmp_path / "plain.csv"), **options)
    assert sorted(ours.collect()) == sorted(plain.collect())
    data = (tmp_path / "a.csv.gz").read_bytes()
    (tmp_path / "cut.csv.gz").write_bytes(data[: len(data) // 2])
    with pytest.raises(Exception, match="cut.csv.gz"):
        utfkit.spark.read_text(spark, tmp_path / "cut.csv.gz", "windows-1252").collect()


def test_what_cannot_be_read_is_said(spark, tmp_path):
    (tmp_path / "a.txt").write_bytes(b"tea\ncaf\xe9\n")
    (tmp_path / "noise").write_bytes(bytes(range(256)) * 40)
    with pytest.raises(FileNotFoundError):
        utfkit.spark.read_text(spark, tmp_path / "nowhere")
    with pytest.raises(FileNotFoundError, match=r"\*\.nix"):
        utfkit.spark.read_text(spark, tmp_path, glob="*.nix")
    with pytest.raises(LookupError, match="nix"):
        utfkit.spark.read_text(spark, tmp_path / "a.txt", "nix")
    with pytest.raises(UnicodeError, match="noise"):
        utfkit.spark.read_text(spark, tmp_path / "noise").collect()
    with pytest.raises(UnicodeError, match="less sure than certain"):
        utfkit.spark.read_text(spark, tmp_path / "a.txt", at_least="certain")
    with pytest.raises(Exception, match="at byte 7 of .*a.txt"):
        utfkit.spark.read_text(spark, tmp_path / "a.txt", "utf-8").collect()
    with pytest.raises(TypeError, match="encoding"):
        utfkit.spark.read_csv(spark, tmp_path / "a.txt", charset="latin1")


def test_columns_are_cleaned(spark):
    rows = [(1, b"tea"), (2, "Grüße aus Köln und Straßen".encode("cp1252")), (3, b"\xff\xfe\xff"), (4, None), (5, "Straße".encode().decode("latin-1").encode())]
    frame = spark.createDataFrame(rows, "id int, raw binary").repartition(2)
    kept, aside, counts = utfkit.spark.clean(frame, "raw", errors="strict", at_least="likely", undouble=True, language="de")
    assert {row["id"]: row["raw"] for row in kept.collect()} == {1: "tea", 2: "Grüße aus Köln und Straßen", 4: None, 5: "Straße"}
    assert [(row["id"], bytes(row["raw"])) for row in aside.collect()] == [(3, b"\xff\xfe\xff")]
    assert counts.first().asDict()["undoubled"] == 1
    with pytest.raises(LookupError):
        utfkit.spark.clean(frame, "nix")


def job(*arguments):
    command = [sys.executable, "-m", "utfkit.spark", "clean", "--master", "local[2]", *map(str, arguments)]
    environment = {**os.environ, "SPARK_HOME": HOME, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    return done.returncode, "\n".join(line for line in done.stderr.splitlines() if line.startswith("utfkit: "))


def test_the_job_cleans_a_folder_and_goes_on(spark, tmp_path, capsys):
    folder, out = tmp_path / "in", tmp_path / "out"
    (folder / "b").mkdir(parents=True)
    (folder / "a.jsonl").write_bytes(json.dumps({"text": WORDS["windows-1252"]}, ensure_ascii=False).encode("cp1252") + b"\n")
    (folder / "b" / "a.jsonl.gz").write_bytes(gzip.compress(b'{"text": "tea"}\n{"text": "\xff"}\n'))
    whole = gzip.compress(b'{"text": "tea"}\n' * 5000)
    (folder / "cut.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    options = ["--column", "text", "--at-least", "likely", folder, out]
    status, said = job(*options)
    assert status == 2 and "cut.jsonl.gz" in said, said
    counts = json.loads((out / "counts.json").read_text())
    assert (counts["files"], counts["rows"], counts["kept"], counts["aside"]) == (2, 3, 2, 1)
    assert not (out / "kept" / "cut.jsonl.gz").exists()

    def again(*arguments):
        status, lines = in_here(capsys, "clean", *arguments)
        return status, "\n".join(line for line in lines if line.startswith("utfkit: "))

    # What is done stays, and the rest is done.
    first = (out / "kept" / "a.jsonl").stat().st_mtime_ns
    (folder / "cut.jsonl.gz").write_bytes(whole)
    status, said = again(*options)
    assert status == 0 and "5,003 rows of 3 files: 5,002 kept, 1 set aside" in said, said
    assert (out / "kept" / "a.jsonl").stat().st_mtime_ns == first
    status, said = again("--controls", "remove", *options)
    assert status == 2 and "made with other options; --overwrite replaces it" in said, said
    status, said = again("--controls", "remove", "--overwrite", *options)
    assert status == 0 and (out / "kept" / "a.jsonl").stat().st_mtime_ns != first, said
    status, said = again(folder, folder)
    assert status == 2 and "is a folder of something else" in said, said
    status, said = again("--encoding", "nix", folder, tmp_path / "new")
    assert status == 2 and "unknown encoding: nix" in said and not (tmp_path / "new").exists(), said
