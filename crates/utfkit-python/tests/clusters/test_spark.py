"""Spark with two worker processes, compared with the command."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

import pyarrow
import pytest
from clusters.corpus import RANGE, ROWS, descendants, in_here, same

import utfkit

pyspark = pytest.importorskip("pyspark", reason="left out: pyspark is not installed")
if shutil.which("java") is None:
    pytest.skip("left out: there is no Java", allow_module_level=True)

import utfkit.spark  # noqa: E402
from pyspark.sql import functions as F  # noqa: E402

HOME = os.path.dirname(pyspark.__file__)


@pytest.fixture(scope="module")
def frame(spark):
    return spark.createDataFrame(ROWS, "id bigint, raw binary").repartition(3)


@pytest.fixture(params=["arrow_udf", "mapInArrow", "jvm"])
def way(request, monkeypatch, spark):
    """The way of Spark 4.1 to the functions, the one of earlier versions, and the one through the JVM."""
    spark.conf.set("spark.utfkit.jvm", str(request.param == "jvm").lower())
    has = utfkit.spark._has_arrow_udf()
    if request.param == "jvm" and utfkit.spark.way(spark) != "jvm":
        pytest.skip("left out: the session has no utfkit-spark.jar")
    if request.param == "mapInArrow":
        monkeypatch.setattr(utfkit.spark, "_has_arrow_udf", lambda: False)
    elif request.param == "arrow_udf" and not has:
        pytest.skip("left out: this Spark has no arrow_udf")
    yield request.param
    spark.conf.unset("spark.utfkit.jvm")


def by_id(frame, column):
    return {row["id"]: row[column] for row in frame.collect()}


def test_check(frame, way):
    found = utfkit.spark.check(frame, "raw")
    assert found.columns == ["id", "offset", "length", "line", "column", "bytes", "kind", "code_point", "message"]
    rows = sorted(found.collect(), key=lambda row: (row["id"], row["offset"]))
    expected = [(number, one) for number, raw in ROWS for one in utfkit.check(raw or b"")]
    assert len(rows) == len(expected) == 5
    for row, (number, one) in zip(rows, expected):
        assert (row["id"], row["offset"], row["length"], row["line"], row["column"]) == (
            number, one.offset, one.length, one.line, one.column,
        )  # fmt: skip
        assert (row["bytes"], row["kind"], row["message"]) == (one.bytes.hex(), one.kind, one.message)
    assert utfkit.spark.check(frame, "raw", keep=[]).columns[0] == "offset"


def test_check_sees_all_that_spark_could_take_for_utf8(spark):
    """Spark validates short values itself."""
    ends = [0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE]
    ends += [0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF8, 0xFF]
    values = [bytes(each) for length in range(4) for each in itertools.product(ends, repeat=length)]
    values += [bytes(each) for each in itertools.product(ends[9:], ends[2:11], ends[2:11], ends[1:12])]
    values += [b"." * before + each for before in (1, 7, 255, 256, 257) for each in values[:700]]
    ill_formed = [value for value in values if not utfkit.is_utf8(value)]
    table = spark.createDataFrame(pyarrow.table({"raw": values}))
    found = utfkit.spark.check(table.withColumn("value", F.col("raw")), "raw").select("value").distinct().collect()
    assert {bytes(row["value"]) for row in found} == set(ill_formed)


def test_repair(frame, way):
    made = utfkit.spark.repair(frame, "raw")
    assert made.columns == ["id", "raw"] and made.schema["raw"].dataType.simpleString() == "string"
    assert by_id(made, "raw") == {
        number: None if raw is None else utfkit.repair(raw).text for number, raw in ROWS
    }
    options = {"fallback": "windows-1252", "reinterpret": True}
    made = utfkit.spark.repair(frame, "raw", into="text", **options)
    assert made.columns == ["id", "raw", "text"]
    assert by_id(made, "text") == {
        number: None if raw is None else utfkit.repair(raw, **options).text for number, raw in ROWS
    }
    twice = frame.select("id", F.lit("NicolÃ¡s, itâ€™s").alias("text"))
    assert set(by_id(utfkit.spark.repair(twice, "text", undouble=True), "text").values()) == {"Nicolás, it’s"}


def test_decode(frame, way):
    made = utfkit.spark.decode(frame, "raw", encoding="cp1252")
    assert by_id(made, "raw") == {
        number: None if raw is None else utfkit.decode(raw, "cp1252", "replace") for number, raw in ROWS
    }
    assert by_id(utfkit.spark.decode(frame, "raw"), "raw")[2] == "naïve"


def test_strings_that_are_not_utf8(spark, way):
    """A string of Spark may hold any bytes."""
    frame = spark.sql("SELECT 1 AS id, cast(X'636166E9' AS string) AS `a ``column.b`")
    [row] = utfkit.spark.check(frame, "a `column.b").collect()
    assert (row["offset"], row["kind"]) == (3, "truncated")
    assert by_id(utfkit.spark.repair(frame, "a `column.b"), "a `column.b") == {1: "caf\ufffd"}


def test_sql(spark, frame):
    if not utfkit.spark._has_arrow_udf() and utfkit.spark.way(spark) != "jvm":
        with pytest.raises(RuntimeError, match="4.1"):
            utfkit.spark.register(spark)
        return
    assert utfkit.spark.register(spark) is spark
    frame.createOrReplaceTempView("texts")
    rows = spark.sql("SELECT id, inline(utfkit_check(raw)) FROM texts").collect()
    assert sorted((row["id"], row["offset"]) for row in rows) == [(3, 3), (5, 8), (5, 10), (7, 0), (7, 3)]
    assert by_id(spark.sql("SELECT id, utfkit_repair(raw) AS text FROM texts"), "text")[3] == "caf\ufffd au lait"
    assert by_id(spark.sql("SELECT id, utfkit_decode(raw, 'cp1252') AS text FROM texts"), "text")[3] == "café au lait"
    each = "SELECT id, utfkit_decode(raw, if(id = 3, 'cp1252', 'utf-8')) AS text FROM texts"
    assert {number: text for number, text in by_id(spark.sql(each), "text").items() if number < 4} == {
        1: "tea", 2: "naïve", 3: "café au lait",
    }  # fmt: skip


def test_wrong_arguments(spark, frame, tmp_path):
    with pytest.raises(LookupError, match="no column 'text': there are 'id', 'raw'"):
        utfkit.spark.check(frame, "text")
    with pytest.raises(TypeError, match="column 'id' holds bigint"):
        utfkit.spark.repair(frame, "id")
    with pytest.raises(TypeError, match="name of a column, not int"):
        utfkit.spark.decode(frame, 7)  # type: ignore[arg-type]
    with pytest.raises(LookupError, match="unknown encoding: nonsense"):
        utfkit.spark.decode(frame, "raw", encoding="nonsense")
    with pytest.raises(LookupError, match="unknown encoding: nonsense"):
        utfkit.spark.repair(frame, "raw", fallback="nonsense")
    with pytest.raises(LookupError, match="'other' to keep"):
        utfkit.spark.check(frame, "raw", keep=["other"])
    with pytest.raises(TypeError, match="list of names"):
        utfkit.spark.check(frame, "raw", keep="id")
    with pytest.raises(ValueError, match="column 'line' too"):
        utfkit.spark.check(frame.withColumnRenamed("id", "line"), "raw")
    with pytest.raises(FileNotFoundError, match="nowhere"):
        utfkit.spark.check_files(spark, tmp_path / "nowhere")


def test_check_files(spark, corpus):
    checked = utfkit.spark.check_files(spark, corpus.folder, range_size=RANGE)
    same(
        [row.asDict() for row in checked.findings.collect()],
        [row.asDict() for row in checked.files.collect()],
        corpus,
    )
    with pytest.raises(LookupError, match="unknown encoding"):
        utfkit.spark.check_files(spark, corpus.folder, encoding="nonsense")


def test_files_without_findings(spark, tmp_path):
    (tmp_path / "text").write_text("tea\n")
    checked = utfkit.spark.check_files(spark, tmp_path)
    assert checked.findings.count() == 0
    assert [row["lines"] for row in checked.files.collect()] == [1]


def test_a_file_that_vanishes(spark, tmp_path):
    (tmp_path / "text").write_bytes(b"caf\xe9 ")
    checked = utfkit.spark.check_files(spark, tmp_path)
    (tmp_path / "text").unlink()
    with pytest.raises(Exception, match=r"(?s)No such file or directory.*text"):
        checked.findings.collect()


def test_a_worker_that_is_killed(spark, corpus):
    """kill -9 of the process of a worker in the middle of a job changes nothing."""
    tracker = spark.sparkContext.statusTracker()
    outcome = []
    thread = threading.Thread(
        target=lambda: outcome.append(utfkit.spark.check_files(spark, corpus.folder, range_size=RANGE))
    )
    thread.start()
    killed = None
    while thread.is_alive() and killed is None:
        stages = [stage for stage in map(tracker.getStageInfo, tracker.getActiveStageIds()) if stage]
        if any(0 < stage.numCompletedTasks < stage.numTasks - 2 and stage.numTasks > 10 for stage in stages):
            executors = [
                process for process, line in descendants(os.getpid()).items() if "CoarseGrainedExecutorBackend" in line
            ]
            killed = min(executors)
            os.kill(killed, signal.SIGKILL)
        time.sleep(0.01)
    thread.join()
    assert killed is not None, "the job was over before a worker could be killed"
    [checked] = outcome
    same(
        [row.asDict() for row in checked.findings.collect()],
        [row.asDict() for row in checked.files.collect()],
        corpus,
    )


def job(*arguments):
    """The job on a terminal: its status and its output."""
    ours, theirs = os.openpty()
    running = subprocess.Popen(
        [sys.executable, "-m", "utfkit.spark", *map(str, arguments), "--master", "local[2]"],
        stderr=theirs,
        env={**os.environ, "SPARK_HOME": HOME, "PYSPARK_PYTHON": sys.executable},
    )
    os.close(theirs)
    said = b""
    # The end of the terminal.
    with contextlib.suppress(OSError):
        while piece := os.read(ours, 4096):
            said += piece
    os.close(ours)
    return running.wait(), said.decode()


def last_of(capsys, *arguments):
    """The job in this session: its status and its last line."""
    status, lines = in_here(capsys, *arguments)
    return status, lines[-1]


def test_the_job(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_bytes(b"tea\ncaf\xe9\r\n")
    (tmp_path / "in" / "b.txt").write_bytes(b"tea\n")
    status, said = job("check", tmp_path / "in", tmp_path / "found", "--json")
    last = f"utfkit: 1 finding in 2 files in {tmp_path / 'in'}"
    assert status == 1 and said.rstrip().endswith(last), said
    assert re.search(r"utfkit: \d+ of \d+ tasks?, \d+ running", said), said
    [line] = [line for path in (tmp_path / "found").glob("*.json") for line in path.read_text().splitlines()]
    found = json.loads(line)
    assert (found["path"], found["line"], found["column"]) == (str(tmp_path / "in" / "a.txt"), 2, 4)


def test_the_job_on_text(spark, tmp_path, capsys):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_bytes(b"tea\ncaf\xe9\r\n")
    (tmp_path / "in" / "b.txt").write_bytes(b"tea\n")
    text = ("--format", "text")
    done = last_of(capsys, "repair", tmp_path / "in", tmp_path / "out", *text, "--fallback", "latin-1")
    assert done == (0, f"utfkit: {tmp_path / 'out'} is written")
    written = b"".join(path.read_bytes() for path in sorted((tmp_path / "out").glob("*.txt")))
    assert sorted(written.split(b"\n")) == [b"", "café\r".encode(), b"tea", b"tea"]
    for encoding in ("utf-16", "utf-32-le", "iso-2022-jp", "cp037", "utf-7"):
        status, said = last_of(capsys, "decode", tmp_path / "in", tmp_path / "no", *text, "--encoding", encoding)
        assert status == 2 and f"lines of {encoding} cannot be read one by one" in said
    assert last_of(capsys, "check", tmp_path / "nowhere", tmp_path / "no") == (
        2,
        f"utfkit: [Errno 2] No such file or directory: '{tmp_path / 'nowhere'}'",
    )


def test_the_job_on_parquet(spark, frame, tmp_path, capsys):
    table = tmp_path / "in"
    frame.write.parquet(str(table))
    done = last_of(capsys, "check", "--column", "raw", "--keep", "id", table, tmp_path / "found")
    assert done == (1, f"utfkit: 5 findings in {table}")
    assert sorted(row["id"] for row in spark.read.parquet(str(tmp_path / "found")).collect()) == [3, 5, 5, 7, 7]
    assert last_of(capsys, "decode", "--column", "raw", "--encoding", "cp1252", table, tmp_path / "text")[0] == 0
    assert by_id(spark.read.parquet(str(tmp_path / "text")), "raw")[3] == "café au lait"
    done = last_of(capsys, "check", "--column", "raw", tmp_path / "text", tmp_path / "found2")
    assert done == (0, f"utfkit: 0 findings in {tmp_path / 'text'}")
    status, said = last_of(capsys, "check", "--column", "no", table, tmp_path / "found3")
    assert status == 2 and said == "utfkit: there is no column 'no': there are 'id', 'raw'"
    status, said = last_of(capsys, "decode", "--column", "raw", "--encoding", "no", table, tmp_path / "no")
    assert (status, said) == (2, "utfkit: unknown encoding: no")
    status, said = last_of(capsys, "repair", "--column", "raw", table, tmp_path / "text")
    assert status == 2 and "PATH_ALREADY_EXISTS" in said
    status, said = last_of(capsys, "repair", table, tmp_path / "no")
    assert status == 2 and said.endswith("repair of Parquet needs --column")
