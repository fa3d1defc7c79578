"""The functions of Spark in the JVM, row by row against this package, and what can go wrong with them.

`ci/jvm.sh` makes the jar that UTFKIT_SPARK_JAR names.
"""

from __future__ import annotations

import itertools
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
import zipfile

import pyarrow
import pytest
from clusters.corpus import ROWS, descendants

import utfkit
import utfkit.arrow

pyspark = pytest.importorskip("pyspark", reason="left out: pyspark is not installed")
if shutil.which("java") is None:
    pytest.skip("left out: there is no Java", allow_module_level=True)
JAR = os.environ.get("UTFKIT_SPARK_JAR")
if not JAR:
    pytest.skip("left out: UTFKIT_SPARK_JAR names no jar (bash ci/jvm.sh)", allow_module_level=True)

import utfkit.spark  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402
from pyspark.sql import functions as F  # noqa: E402

HOME = os.path.dirname(pyspark.__file__)
# Of Spark 4.0 and later.
HAS_ITS_OWN = hasattr(F, "is_valid_utf8")


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    os.environ.update(SPARK_HOME=HOME, PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
    session = utfkit.spark.session(
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .appName("utfkit-jvm")
        .config("spark.driver.memory", "3g")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def values() -> list[bytes | None]:
    """Damaged data of every kind, nulls, empty values."""
    ends = [0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE]
    ends += [0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF8, 0xFC, 0xFE, 0xFF]
    made: list[bytes | None] = [None, b"", b" ", b"\0"]
    made += [bytes(each) for length in (1, 2) for each in itertools.product(ends, repeat=length)]
    generator = random.Random(40)
    made += [bytes(each) for each in itertools.product(ends[9:], ends[3:9], ends[3:10])]
    made += [bytes(generator.choice(ends) for _ in range(4)) + b"z" for _ in range(1000)]
    texts = ["naïve café", "日本語テキスト", "Привет, мир", "😀 emoji", "plain ascii", "NicolÃ¡s, itâ€™s", "e\u0301\ufeff"]
    for length in (7, 8, 30, 33, 255, 256, 257, 700, 65_535, 65_537, 70_000):
        for text in texts[: 2 if length > 1000 else None]:
            clean = (text * (length // len(text) + 1)).encode()[:length]
            damaged = bytearray(clean)
            damaged[generator.randrange(length)] = generator.choice(ends[3:])
            made += [clean, bytes(damaged)]
    made += [text.encode(encoding) for text, encoding in [("Привет, мир! Как дела?", "koi8-r"), ("Grüße", "utf-16"), ("日本語のテキスト", "shift_jis")]]
    made += [None, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(40)]
    return made


@pytest.fixture(scope="module")
def table(spark, tmp_path_factory):
    path = str(tmp_path_factory.mktemp("values") / "values.parquet")
    column = values()
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.table({"id": range(len(column)), "raw": pyarrow.array(column, pyarrow.binary())}), path)
    spark.read.parquet(path).repartition(3).createOrReplaceTempView("raw_values")
    return column


def by_id(spark, expression, source="raw_values"):
    return {row[0]: row[1] for row in spark.sql(f"SELECT id, {expression} FROM {source}").collect()}


def in_library(function, column, *arguments, **options):
    array = pyarrow.array(column, pyarrow.binary())
    return pyarrow.array(function(array, *arguments, **options)).to_pylist()


def compared(found, expected, column):
    for number, each in enumerate(expected):
        made = found[number]
        if hasattr(made, "asDict"):
            made = made.asDict()
        elif isinstance(made, list):
            made = [one.asDict() for one in made]
        assert made == each, (number, column[number])


@pytest.mark.parametrize("given", ["raw", "cast(raw AS string)"])
def test_row_by_row(spark, table, given):
    arrow = utfkit.arrow
    for expression, expected in [
        ("is_valid({})", in_library(arrow.is_valid_utf8, table)),
        ("make_valid({})", in_library(arrow.make_valid_utf8, table)),
        ("try_validate({})", in_library(arrow.try_validate_utf8, table)),
        ("first_error({})", in_library(arrow.first_error, table)),
        ("check({})", in_library(arrow.findings, table)),
        ("detect({})", in_library(arrow.detect, table)),
        ("undouble({})", in_library(arrow.undouble, table)),
        ("repair({})", in_library(arrow.repair, table)),
        (
            "repair({}, map('fallback', 'cp1252', 'reinterpret', 'true', 'undouble', 'true'))",
            in_library(arrow.repair, table, fallback="cp1252", reinterpret=True, undouble=True),
        ),
        ("decode({}, 'auto')", in_library(arrow.decode, table, "auto")),
        ("decode({}, 'UTF-8')", in_library(arrow.decode, table, "utf-8")),
    ]:
        compared(by_id(spark, "utfkit_" + expression.format(given)), expected, table)


def test_every_encoding(spark, table):
    """All encodings in one job, each row in each."""
    some = [value for value in table if value is None or len(value) < 300][:600:3] + table[-60:]
    names = [name for name, _ in utfkit.encoding_names()]
    rows = pyarrow.table({"id": range(len(some)), "raw": pyarrow.array(some, pyarrow.binary())})
    frame = spark.createDataFrame(rows) if hasattr(spark.sparkContext, "_jsc") and spark.version >= "4" else None
    if frame is None:
        frame = spark.createDataFrame(list(enumerate(some)), "id bigint, raw binary")
    found = frame.select("id", *(F.expr(f"utfkit_decode(raw, '{name}')").alias(name) for name in names)).collect()
    rows_by_id = {row["id"]: row for row in found}
    for name in names:
        compared({number: row[name] for number, row in rows_by_id.items()}, in_library(utfkit.arrow.decode, some, name), some)
    # The name of an encoding in a column.
    each = frame.selectExpr("id", "utfkit_decode(raw, if(id % 2 = 0, 'gbk', if(id % 3 = 0, null, 'koi8-r'))) AS text").collect()
    both = [in_library(utfkit.arrow.decode, some, name) for name in ("gbk", "koi8-r")]
    for row in each:
        number = row["id"]
        assert row["text"] == (both[0][number] if number % 2 == 0 else None if number % 3 == 0 else both[1][number])


@pytest.mark.skipif(not HAS_ITS_OWN, reason="left out: this Spark has no functions of its own")
def test_as_spark_itself(spark, table):
    """Spark's functions of the same names."""
    text = "cast(raw AS string)"
    for ours, theirs in [("is_valid", "is_valid_utf8"), ("try_validate", "try_validate_utf8")]:
        assert by_id(spark, f"utfkit_{ours}({text})") == by_id(spark, f"{theirs}({text})")
    ours, theirs = by_id(spark, f"utfkit_make_valid({text})"), by_id(spark, f"make_valid_utf8({text})")
    assert [number for number in ours if ours[number] != theirs[number]] == []
    for good in ("utfkit_validate(raw)", f"validate_utf8({text})"):
        assert by_id(spark, good, "(SELECT * FROM raw_values WHERE utfkit_is_valid(raw))")
        with pytest.raises(Exception, match="offset|INVALID_UTF8"):
            by_id(spark, good)


LARGE = """
import sys
import pyarrow, pyarrow.parquet
import utfkit.spark
from pyspark.sql import SparkSession

folder = sys.argv[1]
for number, end in enumerate([b"\\xc3\\xa9", b"\\xe9"]):
    table = pyarrow.table({"id": [number], "raw": [b"a" * (100 << 20) + end]})
    pyarrow.parquet.write_table(table, f"{folder}/{number}.parquet")
builder = SparkSession.builder.master("local[1]").config("spark.driver.memory", "4g").config("spark.ui.enabled", "false")
spark = utfkit.spark.session(builder.config("spark.sql.parquet.columnarReaderBatchSize", "1"))
spark.read.parquet(folder).createOrReplaceTempView("large")
columns = "utfkit_is_valid(raw), utfkit_first_error(raw).offset, length(utfkit_make_valid(raw)), length(utfkit_decode(raw, 'gbk'))"
for row in spark.sql(f"SELECT {columns}, utfkit_detect(raw).encoding, size(utfkit_check(raw)) FROM large ORDER BY id").collect():
    print(list(row))
"""


def test_large_values(tmp_path):
    done = subprocess.run([sys.executable, "-c", LARGE, str(tmp_path)], capture_output=True, text=True)
    length = 100 << 20
    assert done.stdout.splitlines() == [
        str([True, None, length + 1, length + 1, "UTF-8", 0]),
        str([False, length, length + 1, length + 1, "windows-1252", 1]),
    ], done.stderr[-3000:]


CONNECT = """
import utfkit.spark
from pyspark.sql import SparkSession

spark = utfkit.spark.session(SparkSession.builder.remote("local[1]").config("spark.ui.enabled", "false"))
frame = spark.createDataFrame([(1, b"caf\\xe9"), (2, None)], "id int, raw binary")
print(type(spark).__module__, utfkit.spark.way(spark))
print([list(row) for row in frame.selectExpr("utfkit_decode(raw, 'cp1252')", "utfkit_is_valid(raw)").collect()])
print([row.raw for row in utfkit.spark.repair(frame, "raw", fallback="cp1252").collect()])
spark.stop()
"""


@pytest.mark.skipif(not HAS_ITS_OWN, reason="left out: Spark 3.5 has another server for Spark Connect")
def test_spark_connect():
    """The functions are the server's, and a client calls them."""
    pytest.importorskip("grpc", reason="left out: grpcio is not installed")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("SPARK_REMOTE", "PYSPARK_GATEWAY"))}
    done = subprocess.run([sys.executable, "-c", CONNECT], capture_output=True, text=True, env=environment)
    assert done.stdout.splitlines()[-3:] == [
        "pyspark.sql.connect.session jvm",
        "[['café', False], [None, None]]",
        "['café', None]",
    ], done.stderr[-3000:]


def test_both_ways_have_the_same_schema_and_rows(spark):
    frame = spark.createDataFrame(ROWS, "id bigint, raw binary").repartition(2)
    assert utfkit.spark.way(spark) == "jvm"

    def all_of():
        tables = [
            utfkit.spark.check(frame, "raw"),
            utfkit.spark.repair(frame, "raw", fallback="cp1252", undouble=True, reinterpret=True),
            utfkit.spark.repair(frame, "raw", into="text"),
            utfkit.spark.decode(frame, "raw", encoding="cp1252", into="id"),
            utfkit.spark.decode(frame, "raw", encoding="auto"),
        ]
        return [(table.schema.simpleString(), sorted(map(str, table.collect()))) for table in tables]

    in_jvm = all_of()
    spark.conf.set("spark.utfkit.jvm", "false")
    try:
        assert utfkit.spark.way(spark) == "python"
        assert all_of() == in_jvm
    finally:
        spark.conf.set("spark.utfkit.jvm", "true")


def test_in_any_place_of_a_query(spark, table):
    """The functions group, sort, join and filter, with and without generated code."""
    queries = [
        "SELECT utfkit_is_valid(raw), count(*) FROM raw_values GROUP BY utfkit_is_valid(raw)",
        "SELECT utfkit_detect(raw).encoding AS e, count(*) FROM raw_values GROUP BY e HAVING count(*) > 1",
        "SELECT count(DISTINCT utfkit_make_valid(raw)) FILTER (WHERE NOT utfkit_is_valid(raw)) FROM raw_values",
        "SELECT max(utfkit_make_valid(raw)), max(id) FROM raw_values GROUP BY length(raw) % 7",
        "SELECT count(*) FROM raw_values a JOIN raw_values b ON utfkit_make_valid(a.raw) = utfkit_make_valid(b.raw)",
        "SELECT id, utfkit_make_valid(raw) AS text, row_number() OVER (PARTITION BY utfkit_is_valid(raw) ORDER BY id) FROM raw_values ORDER BY text, id",
        "SELECT sum(size(transform(array(raw), x -> utfkit_make_valid(x)))) FROM raw_values",
        "SELECT kind, count(*) FROM (SELECT inline(utfkit_check(raw)) FROM raw_values) GROUP BY kind",
    ]


    def rows():
        return [sorted(str(tuple(row)) for row in spark.sql(query).collect()) for query in queries]

    compiled = rows()
    settings = {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}
    for key, value in settings.items():
        spark.conf.set(key, value)
    try:
        assert rows() == compiled
    finally:
        for key in settings:
            spark.conf.unset(key)
    assert "utfkit_is_valid(raw)" in spark.sql(queries[0]).columns
    simple = spark.sql("SELECT utfkit_is_valid(cast(id AS string)) FROM range(9)")
    assert "utfkit.spark.Functions.isValid" in simple._jdf.queryExecution().debug().codegenToSeq().toString()


def test_columns_have_the_names_of_the_calls(spark, table):
    made = spark.sql("SELECT utfkit_decode(raw, 'cp1252'), utfkit_version(), utfkit_undouble(raw), utfkit_repair(raw, map('undouble', 'true')) FROM raw_values")
    assert made.columns == [
        "utfkit_decode(raw, cp1252)",
        "utfkit_version()",
        "utfkit_undouble(raw)",
        "utfkit_repair(raw, map('undouble', 'true'))",
    ]
    # What listeners of queries ask for.
    made._jdf.queryExecution().analyzed().prettyJson()


def test_constants_are_folded(spark):
    made = spark.sql("SELECT utfkit_make_valid(X'63E9') AS a, utfkit_decode(X'E9', 'cp1252') AS b FROM range(2)")
    plan = made._jdf.queryExecution().optimizedPlan().toString()
    assert "c\ufffd AS a" in plan and "é AS b" in plan


@pytest.mark.parametrize(
    "setting", ["spark.sql.ansi.enabled", "spark.sql.adaptive.enabled", "spark.sql.columnVector.offheap.enabled", "spark.sql.parquet.enableVectorizedReader"]
)
def test_settings_of_spark_change_nothing(spark, table, setting):
    """Strings are in memory outside of the heap, too."""
    expected = in_library(utfkit.arrow.make_valid_utf8, table)
    for value in ("true", "false"):
        spark.conf.set(setting, value)
        try:
            compared(by_id(spark, "utfkit_make_valid(raw)"), expected, table)
            compared(by_id(spark, "utfkit_make_valid(cast(raw AS string))"), expected, table)
        finally:
            spark.conf.unset(setting)


def test_cached_and_broadcast(spark, table):
    there = sum(value is not None for value in table)
    made = spark.sql("SELECT id, utfkit_make_valid(raw) AS text FROM raw_values").cache()
    try:
        assert made.where("utfkit_is_valid(text)").count() == there
        assert spark.table("raw_values").join(F.broadcast(made), "id").where("text = utfkit_make_valid(raw)").count() == there
    finally:
        made.unpersist()


def test_streams(spark, tmp_path):
    spark.range(20).selectExpr("cast(concat('caf', id) AS binary) AS raw").write.parquet(str(tmp_path / "in"))
    made = spark.readStream.schema("raw binary").parquet(str(tmp_path / "in")).selectExpr("utfkit_make_valid(raw) AS text").groupBy("text").count()
    query = made.writeStream.format("memory").queryName("streamed").outputMode("complete").trigger(availableNow=True).start()
    query.awaitTermination(300)
    assert spark.table("streamed").count() == 20


@pytest.mark.skipif(not HAS_ITS_OWN, reason="left out: this Spark has no collations")
def test_collations_stay(spark):
    for call in ("make_valid({})", "try_validate({})", "validate({})", "repair({}, map('undouble', 'true'))", "undouble({})"):
        call = "utfkit_" + call.format("'A' COLLATE UTF8_LCASE")
        assert spark.sql(f"SELECT {call} = 'a'").collect()[0][0] is True, call
    [[valid, text]] = spark.sql("SELECT utfkit_is_valid('A' COLLATE UNICODE_CI), utfkit_decode('A', 'gbk' COLLATE UTF8_LCASE)").collect()
    assert (valid, text) == (True, "A")


def test_wrong_arguments(spark, table):
    for query, message in [
        ("utfkit_is_valid(id)", "takes a column of bytes or strings, not of bigint"),
        ("utfkit_is_valid()", "takes 1 argument, not 0"),
        ("utfkit_decode(raw, 'nonsense')", "unknown encoding: nonsense"),
        ("utfkit_decode(raw, if(id > 0, 'nonsense', 'gbk'))", "unknown encoding: nonsense"),
        ("utfkit_decode(raw, id)", "takes the name of an encoding, not bigint"),
        ("utfkit_repair(raw, map('fallback', 'utf-16'))", "utf-16 cannot be a fallback"),
        ("utfkit_repair(raw, map('other', 'true'))", "there is no option 'other'"),
        ("utfkit_repair(raw, map('undouble', cast(id AS string)))", "takes options as in map"),
        ("utfkit_repair(raw, 'undouble')", "takes options as in map"),
    ]:
        with pytest.raises(Exception, match=message.replace("(", r"\(")):
            by_id(spark, query)
    nulls = "utfkit_is_valid(null), utfkit_decode(null, 'auto'), utfkit_decode('a', null), utfkit_repair(null), utfkit_check(null)"
    assert list(spark.sql(f"SELECT {nulls}").collect()[0]) == [None] * 5


def test_two_sessions(spark, table):
    other = spark.newSession()
    assert utfkit.spark.way(other) == "jvm"
    found = []
    threads = [
        threading.Thread(target=lambda one=one: found.append(one.sql("SELECT sum(size(utfkit_check(raw))) FROM global_temp.raw_values").collect()))
        for one in (spark, other)
    ]
    spark.table("raw_values").createOrReplaceGlobalTempView("raw_values")
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 2 and found[0] == found[1]


def test_a_worker_that_is_killed(spark, tmp_path):
    """kill -9 of the process of a worker in the middle of a job changes nothing."""
    query = "SELECT sum(length(utfkit_make_valid(unhex(hex(id * 7919 % 65536))))), count(*) FROM range(0, 6000000, 1, 60)"
    expected = spark.sql(query).collect()
    tracker = spark.sparkContext.statusTracker()
    outcome = []
    thread = threading.Thread(target=lambda: outcome.append(spark.sql(query).collect()))
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
    assert outcome == [expected]


def version(jar, *options, **environment):
    """What a virtual machine says of a jar, in its output and its log."""
    classes = os.environ["UTFKIT_JVM_TESTS"]
    done = subprocess.run(
        ["java", "-Duser.home=/nowhere", *options, "-cp", f"{jar}{os.pathsep}{classes}", "utfkit.Tests", "version"],
        capture_output=True, text=True, check=True, env={**os.environ, **environment},
    )  # fmt: skip
    return done.stdout.strip(), done.stderr


@pytest.fixture
def in_an_empty_folder(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    (tmp_path / "temporary").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    return tmp_path


def test_a_damaged_library_is_refused(in_an_empty_folder):
    tmp_path = in_an_empty_folder
    for name, change in [("damaged", lambda old: old[:1000] + b"?" + old[1001:]), ("cut", lambda old: old[:5000])]:
        with zipfile.ZipFile(JAR) as old, zipfile.ZipFile(tmp_path / f"{name}.jar", "w") as new:
            for entry in old.namelist():
                made = old.read(entry)
                new.writestr(entry, change(made) if entry.endswith(("libutfkit_jvm.so", ".dll")) else made)
        said, log = version(tmp_path / f"{name}.jar", f"-Djava.io.tmpdir={tmp_path / 'temporary'}")
        assert "without its native library" in said and "is damaged" in said and "is damaged" in log
    assert list((tmp_path / "temporary").iterdir()) == list((tmp_path / "here").iterdir()) == []


def test_the_library_leaves_no_file(in_an_empty_folder):
    tmp_path = in_an_empty_folder
    said, log = version(JAR, f"-Djava.io.tmpdir={tmp_path / 'temporary'}")
    assert said.startswith(f"utfkit {utfkit.__version__}, ") and "without" not in said and log == ""
    assert list((tmp_path / "temporary").iterdir()) == list((tmp_path / "here").iterdir()) == []


def test_a_temporary_folder_that_cannot_be_written(in_an_empty_folder):
    """Not even by root: it is a file, or not there. Then the working folder serves, and without one Java does."""
    tmp_path = in_an_empty_folder
    (tmp_path / "file").write_bytes(b"")
    for folder in (tmp_path / "file", tmp_path / "none"):
        said, _ = version(JAR, f"-Djava.io.tmpdir={folder}")
        assert "without" not in said
        said, log = version(JAR, f"-Djava.io.tmpdir={folder}", f"-Duser.dir={folder}")
        assert "without its native library: it cannot be unpacked and loaded" in said and "cannot be unpacked" in log
    assert list((tmp_path / "here").iterdir()) == []


def test_another_platform(in_an_empty_folder):
    said, log = version(JAR, "-Dos.arch=riscv64")
    assert "there is none for linux-riscv64" in said and "more slowly" in log


def test_vectors_in_java(spark, tmp_path):
    """Java's own classes against this package: every encoding both ways, findings, detection, repair."""
    lines = []

    def line(operation, argument, source, expected):
        lines.append(f"{operation}\t{argument}\t{source.hex()}\t{expected.hex()}\n")

    short = [value for value in values() if value is not None and len(value) < 300]
    for value in short:
        text = utfkit.repair(value).bytes
        line("make-valid", "", value, text)
        [first] = in_library(utfkit.arrow.first_error, [value])
        line("first-error", "", value, b"" if first is None else f"{first['offset']} {first['length']} {first['kind']}".encode())
    for value in short[::7] + short[-60:]:
        found = utfkit.check(value)
        shown = [
            f"{each.offset} {each.line} {each.column} {each.bytes.hex()} {each.kind} "
            + ("null" if each.code_point is None else each.code_point if isinstance(each.code_point, str) else f"U+{each.code_point:04X}")
            + f" {each.message}"
            for each in found
        ]
        line("check", "utf-8", value, "\n".join(shown).encode())
        [detected] = in_library(utfkit.arrow.detect, [value])
        line("detect", "", value, f"{detected['encoding'] or 'null'} {detected['certainty']}".encode())
        line("repair", "undouble reinterpret cp1252", value, utfkit.repair(value, undouble=True, reinterpret=True, fallback="cp1252").bytes)
    text = "Tea é Ж 日本 ☃ 😀\r\n \u0081~\\"
    for name, _ in utfkit.encoding_names():
        encoded = utfkit.encode(text, name, "replace")
        for operation in ("encode", "charset-encode"):
            line(operation, name, text.encode(), encoded)
        for value in [encoded, *short[::40], *short[-40:]]:
            decoded = in_library(utfkit.arrow.decode, [value], name)[0].encode()
            line("to-utf8", name, value, decoded)
    file = tmp_path / "vectors"
    file.write_text("".join(lines))
    classes = os.environ["UTFKIT_JVM_TESTS"]
    done = subprocess.run(
        ["java", "-Xcheck:jni", "-cp", f"{JAR}{os.pathsep}{classes}", "utfkit.Tests", "vectors", str(file)], capture_output=True, text=True
    )
    assert done.stdout.splitlines()[-1] == f"{len(lines)} passed, 0 failed", done.stdout[-3000:]
    assert done.stderr == "" and len(lines) > 5000
