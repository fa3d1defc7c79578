"""The texts of parts.py through columns, beside one call for each row: Arrow in every layout, Polars, DuckDB,
DataFusion where utfkit_datafusion is installed, and Spark with UTFKIT_SPARK=1, because it takes a minute."""

from __future__ import annotations

import functools
import importlib
import os
import random
import re
import shutil
import sys
from collections.abc import Callable

import pytest
from parts import ENCODINGS, bytes_of
from test_parts import COUNT

import utfkit

pa = pytest.importorskip("pyarrow", reason="pip install './crates/utfkit-python[arrow]'")
compute = importlib.import_module("pyarrow.compute")

import utfkit.arrow  # noqa: E402

# A column has no name for UTF-8 without its BOM.
NAMES = [name for name in ENCODINGS if name != "utfkit-utf-8-sig"]


def rows_of(rng: random.Random, encoding: str, count: int = 8 * COUNT) -> list[bytes | None]:
    return [bytes_of(rng, encoding) if rng.randrange(8) else None for _ in range(count)]


def decoded(row: bytes | None, encoding: str) -> str | None:
    """As a column has it, which cannot hold surrogates."""
    if row is None:
        return None
    text = utfkit.decode(row, encoding, "replace")
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def listed(result) -> list:
    column = pa.chunked_array(result) if isinstance(result, utfkit.arrow.ChunkedColumn) else pa.array(result)
    column.validate(full=True)
    return column.to_pylist()


def arrow_has(encoding: str, rows: list[bytes | None]) -> None:
    expected = [decoded(row, encoding) for row in rows]
    for data_type in (pa.binary(), pa.large_binary(), pa.binary_view()):
        column = pa.array(rows, data_type)
        assert listed(utfkit.arrow.decode(column, encoding)) == expected
        assert listed(utfkit.arrow.decode(column[3:], encoding)) == expected[3:]
    column = pa.array(rows, pa.binary())
    assert listed(utfkit.arrow.decode(pa.chunked_array([column[:5], column[5:5], column[5:]]), encoding)) == expected
    assert listed(utfkit.arrow.decode(column.dictionary_encode(), encoding)) == expected
    assert listed(utfkit.arrow.decode(compute.run_end_encode(column), encoding)) == expected
    lists = pa.ListArray.from_arrays(pa.array([0, 2, 2, len(rows)]), column)
    assert listed(utfkit.arrow.decode(lists, encoding)) == [expected[:2], [], expected[2:]]


def polars_has(encoding: str, rows: list[bytes | None]) -> None:
    polars = pytest.importorskip("polars")
    import utfkit.polars  # noqa: F401

    frame = polars.DataFrame({"raw": polars.Series(rows, dtype=polars.Binary)})
    made = frame.lazy().select(polars.col("raw").utfkit.decode(encoding)).collect()["raw"]
    assert made.to_list() == [decoded(row, encoding) for row in rows]


@pytest.mark.parametrize("encoding", NAMES)
def test_arrow(encoding):
    arrow_has(encoding, rows_of(random.Random(f"columns {encoding}"), encoding))


@pytest.mark.parametrize("encoding", NAMES)
def test_polars(encoding):
    polars_has(encoding, rows_of(random.Random(f"columns {encoding}"), encoding))


# The doors whose function takes the encoding of each row from a column.


@functools.cache
def duckdb_decodes() -> Callable[[pa.Table], list[str | None]]:
    duckdb = pytest.importorskip("duckdb")
    import utfkit.duckdb

    connection = utfkit.duckdb.register(duckdb.connect())

    def decode(table: pa.Table) -> list[str | None]:
        connection.register("texts", table)
        return [text for (text,) in connection.execute("SELECT decode_text(raw, name) FROM texts ORDER BY number").fetchall()]

    return decode


@functools.cache
def datafusion_decodes() -> Callable[[pa.Table], list[str | None]]:
    datafusion = pytest.importorskip("datafusion")
    door = pytest.importorskip("utfkit_datafusion", reason="pip install ./crates/utfkit-datafusion/python")
    context = door.register(datafusion.SessionContext())

    def decode(table: pa.Table) -> list[str | None]:
        context.register_record_batches("texts", [table.to_batches(max_chunksize=100)])
        made = context.sql("SELECT decode_text(raw, name) AS text FROM texts ORDER BY number").to_pydict()["text"]
        context.deregister_table("texts")
        return made

    return decode


@functools.cache
def spark_decodes() -> Callable[[pa.Table], list[str | None]]:
    sql = pytest.importorskip("pyspark.sql", reason="pip install './crates/utfkit-python[spark]'")
    if not shutil.which("java") and "JAVA_HOME" not in os.environ:
        pytest.skip("there is no Java")
    import utfkit.spark

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    spark = utfkit.spark.register(builder.config("spark.log.level", "ERROR").getOrCreate())

    def decode(table: pa.Table) -> list[str | None]:
        spark.createDataFrame(table).createOrReplaceTempView("texts")
        made = spark.sql("SELECT utfkit_decode(raw, name) AS text FROM texts ORDER BY number")
        return [row.text for row in made.collect()]

    return decode


DOORS = {"duckdb": duckdb_decodes, "datafusion": datafusion_decodes, "spark": spark_decodes}


def door_has(door: str, rng: random.Random, count: int) -> None:
    """Rows of every encoding, `count` of each, in any order."""
    rows = [(row, name) for name in NAMES for row in rows_of(rng, name, count)]
    rng.shuffle(rows)
    # Only Python knows the names with a prefix.
    names = [name.removeprefix("utfkit-") for _, name in rows]
    table = pa.table({"number": range(len(rows)), "raw": pa.array([row for row, _ in rows], pa.binary()), "name": names})
    made = DOORS[door]()(table)
    for number, (text, (row, name)) in enumerate(zip(made, rows, strict=True)):
        assert text == decoded(row, name), (number, name, row, text)


@pytest.mark.parametrize("door", [name for name in DOORS if name != "spark" or os.environ.get("UTFKIT_SPARK")])
def test_encoding_by_row(door):
    door_has(door, random.Random(f"columns {door}"), 8 * COUNT)


# Every function, beside the one for bytes, in every shape of column.

FUNCTIONS = {
    "is_valid_utf8": lambda row: utfkit.is_utf8(row),
    "make_valid_utf8": lambda row: row.decode(errors="replace"),
    "try_validate_utf8": lambda row: row.decode() if utfkit.is_utf8(row) else None,
    "first_error": lambda row: next(iter(errors_of(row)), None),
    "errors": lambda row: errors_of(row),
    "findings": lambda row: [finding.to_dict() for finding in utfkit.check(row)],
    "repair": lambda row: utfkit.repair(row).text,
    "undouble": lambda row: utfkit.repair(row, undouble=True).text,
    "code_points": lambda row: len(row.decode(errors="replace")),
    "detect": lambda row: {"encoding": utfkit.detect(row).name, "certainty": utfkit.detect(row).certainty},
}


def errors_of(row: bytes) -> list[dict]:
    """An error for each U+FFFD, as Python counts them."""
    found, at = [], 0
    while True:
        try:
            utfkit.decode(row[at:])
            return found
        except UnicodeDecodeError as error:
            kind = utfkit.check(row[at:] if error.end < len(row) - at else row[at : at + error.end])[0].kind
            found.append({"offset": at + error.start, "length": error.end - error.start, "kind": kind})
            at += error.end


def shapes(rows: list[bytes | None]):
    """Columns with the rows in every shape, and how to make one of their results."""
    column = pa.array(rows, pa.binary())
    yield "dictionary", column.dictionary_encode(), list
    yield "slice of a dictionary", pa.concat_arrays([pa.array([b"\xff", None], pa.binary()), column]).dictionary_encode()[2:], list
    yield "runs", compute.run_end_encode(column), list
    yield "slice of runs", compute.run_end_encode(pa.concat_arrays([pa.array([b"\xff"] * 3, pa.binary()), column]))[3:], list
    yield "list", pa.ListArray.from_arrays(pa.array(range(len(rows) + 1)), column), lambda made: [[one] for one in made]
    yield "large list", pa.LargeListArray.from_arrays(pa.array(range(len(rows) + 1), pa.int64()), column), lambda made: [[one] for one in made]
    yield "fixed list", pa.FixedSizeListArray.from_arrays(column, 1), lambda made: [[one] for one in made]
    yield "struct", pa.StructArray.from_arrays([column, column], ["a", "b"]), lambda made: [{"a": one, "b": one} for one in made]
    nested = pa.ListArray.from_arrays(pa.array([0, len(rows)]), pa.StructArray.from_arrays([column.dictionary_encode()], ["a"]))
    yield "list of structs of dictionaries", nested, lambda made: [[{"a": one} for one in made]]


PLAIN = [b"tea", "é".encode(), b"", None, b"caf\xe9", b"\xc0\xaf", b"\xe2\x82", "Ã©tÃ©".encode(), b"caf\xe9", None, b"a" * 40 + b"\xff"]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_shape(name):
    for rows in (PLAIN, PLAIN[:1], [None, None], [], PLAIN * 30):
        expected = [None if row is None else FUNCTIONS[name](row) for row in rows]
        if name != "first_error" and name != "errors":
            assert listed(getattr(utfkit.arrow, name)(pa.array(rows, pa.binary()))) == expected
        else:
            expected = listed(getattr(utfkit.arrow, name)(pa.array(rows, pa.binary())))
        for shape, column, of in shapes(rows):
            assert listed(getattr(utfkit.arrow, name)(column)) == of(expected), shape
            chunked = pa.chunked_array([column[:0], column, column[:0]])
            assert listed(getattr(utfkit.arrow, name)(chunked)) == of(expected), shape


@pytest.mark.parametrize("name", FUNCTIONS)
def test_rows_of_one_size(name):
    column = pa.array([b"caf\xe9", None, b"teas", b"\xc0\xaf\xc0\xaf"], pa.binary(4))
    function = getattr(utfkit.arrow, name)
    assert listed(function(column)) == listed(function(column.cast(pa.binary())))
    assert listed(function(column[1:3])) == listed(function(column[1:3].cast(pa.binary())))
    assert listed(function(pa.array([b"", None], pa.binary(0)))) == listed(function(pa.array([b"", None], pa.binary())))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_nulls_of_every_kind(name):
    function = getattr(utfkit.arrow, name)
    for column in (pa.nulls(3), pa.chunked_array([pa.nulls(1), pa.nulls(2)]), pa.array([None] * 3, pa.dictionary(pa.int8(), pa.binary()))):
        assert listed(function(column)) == [None] * 3
    polars = pytest.importorskip("polars")
    assert listed(function(polars.Series([None, None]))) == [None, None]


def test_slices_of_nested_columns():
    """Structs and lists of a fixed size in one another, each with an offset of its own."""
    text = pa.array([b"tea", b"caf\xe9", None, b"\xff", "\u00e9".encode(), b"x"] * 4)
    struct = pa.StructArray.from_arrays([text[1:]], ["a"], mask=pa.array([False, True] * 11 + [False]))
    pairs = pa.FixedSizeListArray.from_arrays(struct[1:], 2)
    lists = pa.ListArray.from_arrays(pa.array([0, 2, 2, 5, 11]), pairs)
    for column in (
        pa.StructArray.from_arrays([struct, text[1:]], ["s", "t"]),
        pairs,
        pa.StructArray.from_arrays([pairs, pairs], ["p", "q"]),
        pa.FixedSizeListArray.from_arrays(pa.StructArray.from_arrays([pairs], ["p"])[1:], 2),
        lists,
        pa.StructArray.from_arrays([lists], ["l"]),
        pa.StructArray.from_arrays([pa.StructArray.from_arrays([text.dictionary_encode()], ["d"])], ["s"]),
    ):
        for part in (column, column[1:], column[1:3], column[2:][:1], column[1:1], column[1:][1:]):
            for shape in (part, pa.chunked_array([part, part[1:]])):
                assert listed(utfkit.arrow.decode(shape, "latin-1")) == decoded_by_python(shape.to_pylist())


def decoded_by_python(value):
    if isinstance(value, dict):
        return {name: decoded_by_python(one) for name, one in value.items()}
    return [decoded_by_python(one) for one in value] if isinstance(value, list) else value and value.decode("latin-1")


def test_no_rows_without_offsets():
    """The interface lets a buffer without bytes be missing."""
    for data_type in (pa.binary(), pa.large_string()):
        column = pa.Array.from_buffers(data_type, 0, [None, None, pa.py_buffer(b"")])
        assert listed(utfkit.arrow.make_valid_utf8(column)) == listed(utfkit.arrow.errors(pa.chunked_array([column]))) == []


def test_capsules_that_were_taken_before():
    """Their content is gone, which is not a column without rows."""
    column = pa.chunked_array([[b"tea"]])
    array, stream = column.chunk(0).__arrow_c_array__(), column.__arrow_c_stream__()

    class Array:
        def __arrow_c_array__(self, requested_schema=None):
            return array

    class Stream:
        def __arrow_c_stream__(self, requested_schema=None):
            return stream

    for given in (Array(), Stream()):
        assert listed(utfkit.arrow.decode(given, "utf-8")) == ["tea"]
        with pytest.raises(TypeError, match="before"):
            utfkit.arrow.decode(given, "utf-8")


def test_what_is_hidden_does_not_matter():
    """Bytes that belong to no row: of a null list, of a null struct, of a dictionary's unused value."""
    lists = pa.ListArray.from_arrays(pa.array([0, 1, 2]), pa.array([b"\xff", b"tea"]), mask=pa.array([True, False]))
    assert listed(utfkit.arrow.validate_utf8(lists)) == [None, ["tea"]]
    fixed = pa.FixedSizeListArray.from_arrays(pa.array([b"\xff", b"tea"]), 1, mask=pa.array([True, False]))
    assert listed(utfkit.arrow.validate_utf8(fixed)) == [None, ["tea"]]
    structs = pa.StructArray.from_arrays([pa.array([b"\xff", b"tea"])], ["a"], mask=pa.array([True, False]))
    assert listed(utfkit.arrow.validate_utf8(structs)) == [None, {"a": "tea"}]
    unused = pa.DictionaryArray.from_arrays(pa.array([1, 1]), pa.array([b"\xff", b"tea"]))
    assert listed(utfkit.arrow.validate_utf8(unused)) == ["tea", "tea"]
    used = pa.DictionaryArray.from_arrays(pa.array([1, 1, 0]), pa.array([b"\xff", b"tea"]))
    with pytest.raises(ValueError, match="row 2: invalid byte"):
        utfkit.arrow.validate_utf8(used)


@pytest.mark.parametrize(
    ("column", "named"),
    [
        (lambda: pa.array([1]), "not of Int64"),
        (lambda: pa.array([[1]]), "not of Int64"),
        (lambda: pa.array([{"a": b"a", "b": 1}]), 'field "b": .* not of Int64'),
        (lambda: pa.array([[("a", b"a")]], pa.map_(pa.string(), pa.binary())), "not of Map"),
        (lambda: pa.array([1.5]).dictionary_encode(), "not of Float64"),
        (lambda: pa.chunked_array([], pa.int8()), "not of Int8"),
    ],
)
def test_what_has_no_text_is_named(column, named):
    for name in FUNCTIONS:
        with pytest.raises(TypeError, match=named):
            getattr(utfkit.arrow, name)(column())


def opaque(storage: pa.DataType, kind: str) -> pa.DataType:
    return pa.opaque(storage, kind, "DuckDB")


def extended(data_type: pa.DataType, rows: list) -> pa.Array:
    return pa.ExtensionArray.from_storage(data_type, pa.array(rows, data_type.storage_type))


@pytest.mark.parametrize(
    ("column", "named"),
    [
        (lambda: extended(pa.uuid(), [b"0123456789abcdef", None]), "not of arrow.uuid$"),
        (lambda: extended(opaque(pa.binary(), "bit"), [b"\x01\xff"]), "not of arrow.opaque .*bit.*DuckDB"),
        (lambda: extended(opaque(pa.binary_view(), "bit"), [b"\x01\xff"]), "not of arrow.opaque .*bit.*DuckDB"),
        (lambda: pa.chunked_array([], opaque(pa.large_binary(), "bignum")), "not of arrow.opaque .*bignum"),
        (lambda: pa.ListArray.from_arrays([0, 1], extended(pa.uuid(), [b"0123456789abcdef"])), "not of arrow.uuid"),
        (lambda: pa.StructArray.from_arrays([pa.array([b"tea"]), extended(pa.uuid(), [None])], ["text", "id"]), "not of arrow.uuid"),
    ],
)
def test_extension_types_that_are_no_text_are_named(column, named):
    for name in FUNCTIONS:
        with pytest.raises(TypeError, match=named):
            getattr(utfkit.arrow, name)(column())


def test_extension_types_of_text_are_text():
    for column in (
        extended(pa.json_(), ['{"a": "\u00e9"}', None]),
        extended(opaque(pa.string(), "numeric"), ["12.5", None]),
        extended(opaque(pa.string_view(), "inet"), ["::1", None]),
    ):
        rows = column.storage.to_pylist()
        assert listed(utfkit.arrow.make_valid_utf8(column)) == rows
        assert listed(utfkit.arrow.is_valid_utf8(pa.chunked_array([column]))) == [True, None]


@pytest.mark.parametrize("magic", [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0", b"\x1f\x8b\x08\0\0\0\0\0\x02\xff", b"\x7fELF\x02\x01\x01\0\0\0\0\0\x80\xff"])
def test_what_is_not_text_is_null(magic):
    for data_type in (pa.binary(), pa.large_binary(), pa.binary_view()):
        column = pa.array([magic, b"caf\xe9", None, b"tea", magic + bytes(100)], data_type)
        assert listed(utfkit.arrow.decode(column, "auto")) == [None, "café", None, "tea", None]
        assert listed(utfkit.arrow.decode(column[3:], "auto")) == ["tea", None]


def test_polars_types():
    polars = pytest.importorskip("polars")
    import utfkit.polars  # noqa: F401

    raw = polars.col("raw").utfkit
    frame = polars.DataFrame({"raw": polars.Series(["Ã©tÃ©", None, "tea"], dtype=polars.Categorical)})
    assert frame.select(raw.fix_encoding())["raw"].to_list() == ["été", None, "tea"]
    assert polars.DataFrame({"raw": [None, None]}).select(raw.make_valid())["raw"].to_list() == [None, None]
    frame = polars.DataFrame({"raw": [b"caf\xe9", None, b"\xc0\xaf"]})
    assert frame.select(raw.repair(fallback="cp1252", reinterpret=True))["raw"].to_list() == ["café", None, "/"]
    [first, second, third] = frame.select(raw.findings())["raw"].to_list()
    assert (first[0]["kind"], second, third[0]["code_point"]) == ("truncated", None, "U+002F")
    assert polars.DataFrame({"raw": [b"tea"]}).lazy().select(raw.findings()).collect()["raw"].to_list() == [[]]
    frame = polars.DataFrame({"raw": [[b"caf\xe9"]]})
    with pytest.raises(Exception, match=r"polars.element\(\).utfkit"):
        frame.select(raw.make_valid())
    assert frame.select(polars.col("raw").list.eval(polars.element().utfkit.decode("cp1252")))["raw"].to_list() == [["café"]]


def test_polars_objects():
    """Polars exports them as their addresses, which are no text."""
    polars = pytest.importorskip("polars")
    import utfkit.polars  # noqa: F401

    series = polars.Series("raw", [object(), None], dtype=polars.Object)
    frame = polars.DataFrame({"text": ["tea", "é"], "raw": series})
    for refused in (
        lambda: series.utfkit.make_valid(),
        lambda: utfkit.arrow.decode(series, "latin-1"),
        lambda: utfkit.arrow.detect(frame),
        lambda: frame.select(polars.col("raw").utfkit.is_valid()),
    ):
        with pytest.raises(Exception, match="not of Object"):
            refused()
    assert listed(utfkit.arrow.make_valid_utf8(frame.drop("raw"))) == [{"text": "tea"}, {"text": "é"}]


def test_duckdb_types():
    duckdb = pytest.importorskip("duckdb")
    import utfkit.duckdb

    connection = duckdb.connect()
    for _ in range(2):
        assert utfkit.duckdb.register(connection) is connection
    utfkit.duckdb.register(connection.cursor())

    def row(expression, values):
        return connection.execute(f"SELECT {expression} FROM (VALUES {values}) AS t(raw, name)").fetchall()

    assert row("make_valid_utf8(raw)", "('é', 1), (NULL, 2)") == [("é",), (None,)]
    assert row("fix_encoding(raw), undouble(raw)", "('Ã©tÃ©', 1)") == [("été", "été")]
    assert row("repair_utf8(raw, name)", "('caf\\xE9'::BLOB, 'cp1252'), ('\\x82'::BLOB, 'cp437'), ('a'::BLOB, NULL)") == [("café",), ("é",), (None,)]
    assert row("decode_text(raw, name::ENUM('cp1252', 'cp437'))", "('caf\\xE9'::BLOB, 'cp1252'), ('\\x82'::BLOB, 'cp437')") == [("café",), ("é",)]
    [(found,)] = row("findings_utf8(raw)", "('one\\x0A\\xC0\\xAF'::BLOB, 1)")
    assert found == [utfkit.check(b"one\n\xc0\xaf")[0].to_dict() | {"length": 2}]
    assert row("is_valid_utf8(NULL), code_points(NULL)", "(1, 1)") == [(None, None)]
    for refused, named in (("is_valid_utf8(1)", "not of Int32"), ("make_valid_utf8(['a'])", "list_transform"), ("decode_text(raw, 'nonsense')", "nonsense")):
        with pytest.raises(duckdb.Error, match=named):
            row(refused, "('a', 1)")


def test_duckdb_types_that_are_no_text():
    duckdb = pytest.importorskip("duckdb")
    import utfkit.duckdb

    connection = utfkit.duckdb.register(duckdb.connect())
    connection.execute("SET arrow_lossless_conversion = true")
    for raw, named in (("'101'::BIT", "bit"), ("uuid()", "arrow.uuid"), ("123::HUGEINT", "hugeint")):
        for call in ("make_valid_utf8(raw)", "detect_encoding(raw)", "decode_text(raw, 'latin-1')", "repair_utf8(raw, 'cp437')"):
            with pytest.raises(duckdb.Error, match=f"not of .*{named}"):
                connection.execute(f"SELECT {call} FROM (SELECT {raw} AS raw)").fetchall()
