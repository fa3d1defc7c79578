"""The functions on columns, compared with the ones on bytes, in every library that is installed."""

import doctest
import importlib
import random
import re
import threading
from pathlib import Path

import pytest

pa = pytest.importorskip("pyarrow", reason="pip install './crates/utfkit-python[arrow]'")

import utfkit.arrow  # noqa: E402

PIECES = [b"a", b"tea and biscuits", "é".encode(), "日本語".encode(), "😀".encode(), b"\xc3", b"\xff", b"\xe2\x82", b""]
TYPES = [pa.binary(), pa.large_binary(), pa.binary_view()]


def columns(seed: int) -> list[bytes | None]:
    generator = random.Random(seed)
    rows = [b"".join(generator.choices(PIECES, k=generator.randrange(5))) for _ in range(generator.randrange(40))]
    return [row if generator.randrange(6) else None for row in rows]


def is_utf8(row: bytes) -> bool:
    try:
        row.decode()
    except UnicodeDecodeError:
        return False
    return True


@pytest.mark.parametrize("data_type", TYPES, ids=str)
@pytest.mark.parametrize("seed", range(20))
def test_every_kernel_gives_what_python_gives_row_by_row(data_type, seed):
    rows = columns(seed)
    column = pa.array(rows, data_type)
    for start in (0, len(rows) // 3):
        part, given = column[start:], rows[start:]
        valid = pa.array(utfkit.arrow.is_valid_utf8(part)).to_pylist()
        assert valid == [None if row is None else is_utf8(row) for row in given]
        made = pa.array(utfkit.arrow.make_valid_utf8(part))
        made.validate(full=True)
        assert made.to_pylist() == [None if row is None else row.decode(errors="replace") for row in given]
        tried = pa.array(utfkit.arrow.try_validate_utf8(part))
        tried.validate(full=True)
        assert tried.to_pylist() == [row.decode() if row is not None and is_utf8(row) else None for row in given]
        latin1 = pa.array(utfkit.arrow.decode(part, "latin-1")).to_pylist()
        assert latin1 == [None if row is None else row.decode("latin-1") for row in given]
        counts = pa.array(utfkit.arrow.code_points(part)).to_pylist()
        assert counts == [None if row is None else len(row.decode(errors="replace")) for row in given]


@pytest.mark.parametrize("data_type", [*TYPES, pa.string(), pa.large_string(), pa.string_view()], ids=str)
def test_a_name_that_includes_a_bom(data_type):
    rows = ["\ufefftea", "\u00e9\ufeff", "", "\ufeff", "\ufeff\ufeffx", None]
    column = pa.array([row and row.encode() for row in rows], pa.binary()).cast(data_type)
    for name in ("utf-8-sig", "UTF_8_SIG"):
        made = pa.array(utfkit.arrow.decode(column, name))
        made.validate(full=True)
        assert made.to_pylist() == [row if row is None else utfkit.decode(row.encode(), name) for row in rows]
        assert pa.array(utfkit.arrow.decode(column[1:2], name)).to_pylist() == rows[1:2]
    assert pa.array(utfkit.arrow.decode(column, "utf-8")).to_pylist() == rows


def test_a_chunked_array_comes_back_in_its_pieces():
    column = pa.chunked_array([[b"tea"], [b"caf\xe9", None], []], pa.binary())
    made = pa.chunked_array(utfkit.arrow.make_valid_utf8(column))
    assert [chunk.to_pylist() for chunk in made.chunks] == [["tea"], ["caf\ufffd", None], []]
    empty = pa.chunked_array([], pa.binary())
    assert pa.chunked_array(utfkit.arrow.make_valid_utf8(empty)).type == pa.string()


@pytest.mark.parametrize("data_type", TYPES, ids=str)
def test_an_empty_slice_in_the_middle_of_a_column(data_type):
    part = pa.array([b"tea", b"a row of more than twelve bytes", b"caf\xe9"], data_type)[2:2]
    for kernel in (utfkit.arrow.make_valid_utf8, utfkit.arrow.try_validate_utf8, utfkit.arrow.validate_utf8, utfkit.arrow.undouble):
        assert pa.array(kernel(part)).to_pylist() == []


def test_a_clean_column_keeps_its_memory():
    column = pa.array([b"tea", "é".encode()])
    made = pa.array(utfkit.arrow.make_valid_utf8(column))
    assert made.buffers()[2].address == column.buffers()[2].address


def test_the_first_error_of_a_row():
    found = pa.array(utfkit.arrow.first_error(pa.array([b"tea", b"caf\xe9!"]))).to_pylist()
    assert found == [None, {"offset": 3, "length": 1, "kind": "missing-continuation"}]


def test_validate_names_the_row():
    with pytest.raises(ValueError, match="row 1: truncated sequence at offset 3"):
        utfkit.arrow.validate_utf8(pa.array([b"tea", b"caf\xe9"]))


@pytest.mark.parametrize("wrong", [b"bytes", "text", [b"a"], None, 7])
def test_what_is_not_a_column_is_a_type_error(wrong):
    with pytest.raises(TypeError, match="a column of Arrow is needed"):
        utfkit.arrow.is_valid_utf8(wrong)


def test_a_column_of_numbers_is_a_type_error():
    with pytest.raises(TypeError, match="not of Int64"):
        utfkit.arrow.is_valid_utf8(pa.array([1]))


def test_unknown_names_are_errors():
    with pytest.raises(LookupError, match="unknown encoding: nonsense"):
        utfkit.arrow.decode(pa.array([b"a"]), "nonsense")
    with pytest.raises(ValueError, match="practice"):
        utfkit.arrow.make_valid_utf8(pa.array([b"a"]), "nonsense")


def test_several_threads_read_one_column():
    column = pa.array([b"caf\xe9", "é".encode()] * 10_000)
    results = []

    def work():
        results.append(pa.array(utfkit.arrow.make_valid_utf8(column)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    assert all(result.equals(results[0]) for result in results)


def test_nulls_without_a_type():
    for column in (pa.nulls(3), pa.chunked_array([pa.nulls(1), pa.nulls(2)])):
        for function in (utfkit.arrow.is_valid_utf8, utfkit.arrow.make_valid_utf8, utfkit.arrow.findings, utfkit.arrow.repair):
            result = function(column)
            made = pa.chunked_array(result) if isinstance(result, utfkit.arrow.ChunkedColumn) else pa.array(result)
            assert made.to_pylist() == [None, None, None]


def test_a_series_of_polars_has_the_methods_of_an_expression():
    pl = pytest.importorskip("polars")
    import utfkit.polars

    for name in ("raw", "^a.*$", ""):
        series = pl.Series(name, [b"x\xe9", None, b"tea"])
        frame = pl.DataFrame({"raw": series})
        for method in dir(series.utfkit):
            options = {"decode": {"encoding": "cp1252"}, "repair": {"fallback": "cp1252"}}.get(method, {})
            if method == "validate":
                with pytest.raises(Exception, match="row 0: truncated sequence at offset 1"):
                    series.utfkit.validate()
                continue
            made = getattr(series.utfkit, method)(**options)
            expected = frame.select(getattr(pl.col("raw").utfkit, method)(**options))
            assert made.name == name and made.alias("raw").to_frame().equals(expected), method
    with pytest.raises(AttributeError):
        series.utfkit.nix  # noqa: B018
    assert "make_valid" in dir(series.utfkit) and utfkit.polars.Values.__doc__


def test_polars():
    pl = pytest.importorskip("polars")
    import utfkit.polars  # noqa: F401

    frame = pl.DataFrame({"raw": [b"tea", b"caf\xe9", None, "é".encode() * 20]})
    raw = pl.col("raw").utfkit
    table = frame.select(
        raw.make_valid().alias("text"),
        raw.is_valid().alias("valid"),
        raw.try_validate().alias("tried"),
        raw.decode("latin-1").alias("latin1"),
        raw.first_error().alias("error"),
        raw.code_points().alias("count"),
    )
    assert table["text"].to_list() == ["tea", "caf\ufffd", None, "é" * 20]
    assert table["valid"].to_list() == [True, False, None, True]
    assert table["tried"].to_list() == ["tea", None, None, "é" * 20]
    assert table["latin1"].to_list()[1] == "café"
    assert table["error"].to_list()[1] == {"offset": 3, "length": 1, "kind": "truncated"}
    assert table["count"].to_list() == [3, 4, None, 20]
    lazy = frame.lazy().filter(raw.is_valid()).select(raw.make_valid()).collect()
    assert lazy["raw"].to_list() == ["tea", "é" * 20]


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    import utfkit.duckdb

    connection = utfkit.duckdb.register(duckdb.connect())
    connection.execute("CREATE TABLE t AS SELECT * FROM (VALUES ('tea'::BLOB), ('caf\\xE9'::BLOB), (NULL)) AS v(raw)")
    rows = connection.execute(
        "SELECT make_valid_utf8(raw), is_valid_utf8(raw), try_validate_utf8(raw), decode_text(raw, 'latin1') FROM t"
    ).fetchall()
    assert rows == [("tea", True, "tea", "tea"), ("caf\ufffd", False, None, "café"), (None, None, None, None)]
    found = connection.execute("SELECT errors_utf8(raw), detect_encoding(raw).encoding, code_points(raw) FROM t").fetchall()
    assert found == [
        ([], "US-ASCII", 3),
        ([{"offset": 3, "length": 1, "kind": "truncated"}], utfkit.detect(b"caf\xe9").encoding, 4),
        (None, None, None),
    ]
    assert connection.execute("SELECT undouble('Ã©tÃ© Ã\u00a0 la plage')").fetchone() == ("été à la plage",)
    each = connection.execute(
        "SELECT decode_text(raw, encoding) FROM (VALUES ('caf\\xE9'::BLOB, 'latin-1'), ('caf\\x82'::BLOB, 'cp437'),"
        " ('tea'::BLOB, NULL), (NULL, 'latin-1')) AS v(raw, encoding)"
    ).fetchall()
    assert each == [("café",), ("café",), (None,), (None,)]


def test_another_type_than_the_column_has():
    """pyarrow asks for it; a column that cannot be cast keeps its type, and pyarrow says so."""
    whole = pa.array([b"tea", b"caf\xe9", None])
    for raw, make in ((whole, pa.array), (pa.chunked_array([whole, whole[1:]]), pa.chunked_array)):
        text = utfkit.arrow.make_valid_utf8(raw)
        plain = make(text)
        for asked in (pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.dictionary(pa.int32(), pa.string())):
            cast = make(text, type=asked)
            assert cast.type == asked
            assert cast.to_pylist() == plain.cast(asked).to_pylist()
        assert make(utfkit.arrow.is_valid_utf8(raw), type=pa.int8()).to_pylist()[:3] == [1, 0, None]
        assert make(utfkit.arrow.code_points(raw), type=pa.int64()).type == pa.int64()
        with pytest.raises((pa.ArrowException, AttributeError, TypeError)):
            make(text, type=pa.list_(pa.int8()))


def test_a_stream_gives_its_chunks_once():
    chunks = pa.chunked_array([[b"tea"], [], [b"caf\xe9", None]])
    for _ in range(3):
        made = pa.chunked_array(utfkit.arrow.make_valid_utf8(chunks))
        assert made.to_pylist() == ["tea", "caf\ufffd", None]
        assert made.num_chunks == 3
    column = utfkit.arrow.make_valid_utf8(chunks)
    assert pa.chunked_array(column).to_pylist() == pa.chunked_array(column).to_pylist()
    # One that nobody reads, or only the type of.
    column.__arrow_c_stream__()
    assert pa.field(column).type == made.type
    empty = utfkit.arrow.make_valid_utf8(pa.chunked_array([], type=pa.binary()))
    assert pa.chunked_array(empty).to_pylist() == []


def test_pandas():
    pd = pytest.importorskip("pandas")
    series = pd.Series([b"tea", b"caf\xe9"], dtype=pd.ArrowDtype(pa.binary()))
    made = pa.chunked_array(utfkit.arrow.make_valid_utf8(pa.chunked_array(series.array.__arrow_array__())))
    again = pd.Series(made.combine_chunks(), dtype=pd.ArrowDtype(pa.string()))
    assert again.to_list() == ["tea", "caf\ufffd"]


@pytest.mark.parametrize("name", ["arrow", "polars", "duckdb"])
def test_the_examples_in_the_documentation(name):
    pytest.importorskip("pyarrow" if name == "arrow" else name)
    module = importlib.import_module(f"utfkit.{name}")
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner()
    objects = [module, *(getattr(module, each) for each in module.__all__)]
    for each in objects:
        for example in finder.find(each, module=False, globs={"utfkit": utfkit}):
            runner.run(example)
    assert (runner.failures, runner.tries > 2) == (0, True)


def test_the_page():
    for module in ("polars", "duckdb", "pandas"):
        pytest.importorskip(module)
    text = (Path(__file__).resolve().parents[1] / "docs" / "columns.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    # ci/datafusion.sh tests the examples of that package.
    blocks = [block for block in blocks if "utfkit_datafusion" not in block]
    runner = doctest.DocTestRunner()
    globs = {}
    for number, block in enumerate(blocks):
        test = doctest.DocTestParser().get_doctest(block, globs, f"block {number}", "columns.md", 0)
        runner.run(test, clear_globs=False)
        globs.update(test.globs)
    assert (runner.failures, runner.tries > 12) == (0, True)
