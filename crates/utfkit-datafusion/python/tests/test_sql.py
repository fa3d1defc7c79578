"""Compares the functions, called through DataFusion's Python package, with Python's own codecs."""

import doctest
import json
import os
import re
from pathlib import Path

import pyarrow as pa
import pytest
from datafusion import SessionContext, col, udf

import utfkit_datafusion

REPOSITORY = Path(__file__).resolve().parents[4]
PIECES = [b"", b"tea", "é日本語😀".encode(), b"caf\xe9", b"\xed\xa0\x80", b"\xe2\x82", b"\xac", b"\xff" * 20, None]


@pytest.fixture
def context() -> SessionContext:
    return utfkit_datafusion.register(SessionContext())


def cases() -> list[bytes | None]:
    """Test vectors of other projects, where they are installed, and some of our own."""
    folder = Path(os.environ.get("UTFKIT_SHARED", REPOSITORY.parent / "shared")) / "vectors"
    rows = list(PIECES)
    for name in ("bstr_utf8", "jsontestsuite", "kuhn_utf8_test", "perl_utf8decode", "unicode_core_spec_fffd", "utf8tests_flenniken"):
        if (folder / f"{name}.json").exists():
            rows += [bytes.fromhex(row["hex"]) for row in json.loads((folder / f"{name}.json").read_text("utf-8"))]
        else:
            print(f"left out: {name}.json is not there (UTFKIT_SHARED says where)")
    return rows


def valid(row: bytes | None) -> bool | None:
    if row is None:
        return None
    try:
        row.decode()
    except UnicodeDecodeError:
        return False
    return True


@pytest.mark.parametrize("data_type", [pa.binary(), pa.large_binary(), pa.binary_view()], ids=str)
def test_every_row_gives_what_python_gives(context, data_type):
    rows = cases()
    # Several batches: one is empty, and one begins in the middle of its buffers.
    column = pa.array(rows, data_type)
    batches = [pa.record_batch({"raw": part}) for part in (column[:3], column[3:3], column[3:])]
    context.register_record_batches("t", [batches])
    table = context.sql(
        "SELECT is_valid_utf8(raw) AS valid, make_valid_utf8(raw) AS made, try_validate_utf8(raw) AS tried, "
        "decode_text(raw, 'latin-1') AS latin1, code_points(raw) AS count, first_error_utf8(raw) AS error FROM t"
    ).to_pydict()
    assert table["valid"] == [valid(row) for row in rows]
    assert table["made"] == [None if row is None else row.decode(errors="replace") for row in rows]
    assert table["tried"] == [row.decode() if valid(row) else None for row in rows]
    assert table["latin1"] == [None if row is None else row.decode("latin-1") for row in rows]
    assert table["count"] == [None if row is None else len(row.decode(errors="replace")) for row in rows]
    for row, error in zip(rows, table["error"]):
        if row is None or valid(row):
            assert error is None
        else:
            with pytest.raises(UnicodeDecodeError) as raised:
                row.decode()
            assert (error["offset"], error["length"]) == (raised.value.start, raised.value.end - raised.value.start)


def test_the_type_of_strings_is_that_of_the_bytes(context):
    for given, returned in [(pa.binary(), pa.string()), (pa.large_binary(), pa.large_string()), (pa.binary_view(), pa.string_view())]:
        batch = pa.record_batch({"raw": pa.array([b"tea", b"\xff" * 20], given)})
        context.register_record_batches(str(given), [[batch]])
        made = context.sql(f'SELECT make_valid_utf8(raw) AS made FROM "{given}"').collect()
        assert [part.schema.field("made").type for part in made] == [returned]


def test_errors_and_encodings(context):
    found = context.sql("SELECT errors_utf8(x'E92EFF') AS errors, detect_encoding('Grüße, Съешь') AS found").to_pydict()
    assert found["errors"] == [
        [{"offset": 0, "length": 1, "kind": "missing-continuation"}, {"offset": 2, "length": 1, "kind": "invalid-byte"}]
    ]
    assert found["found"][0]["encoding"] == "UTF-8"
    batch = pa.record_batch({"raw": [b"\xe9", b"\xe9", b"\xc3\xa9"], "name": ["latin-1", "cp1251", None]})
    context.register_record_batches("t", [[batch]])
    assert context.sql("SELECT decode_text(raw, name) AS text FROM t").to_pydict() == {"text": ["é", "й", None]}


def test_a_function_in_an_expression(context):
    make_valid = udf(next(each for each in utfkit_datafusion.functions() if each.name == "make_valid_utf8"))
    frame = context.from_pydict({"raw": [b"tea", b"caf\xe9"]})
    assert frame.select(make_valid(col("raw")).alias("text")).to_pydict() == {"text": ["tea", "caf\ufffd"]}


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("validate_utf8(x'74E9')", "row 0: truncated sequence at offset 1"),
        ("decode_text(x'E9', 'nonsense')", "decode_text: unknown encoding: nonsense"),
        ("is_valid_utf8(1)", "is_valid_utf8 takes bytes or strings, not Int64"),
        ("is_valid_utf8()", "is_valid_utf8"),
        ("undouble('a', 'b')", "undouble takes 1 arguments, not 2"),
    ],
)
def test_errors_are_exceptions(context, expression, said):
    with pytest.raises(Exception, match=re.escape(said)):
        context.sql(f"SELECT {expression}").collect()


def test_the_examples_in_the_documentation():
    result = doctest.testmod(utfkit_datafusion)
    assert (result.failed, result.attempted) == (0, 11)


@pytest.mark.parametrize("page", ["utfkit-python/docs/columns.md", "utfkit-datafusion/python/README.md"])
def test_the_pages(page):
    text = (REPOSITORY / "crates" / page).read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    runner, names = doctest.DocTestRunner(), {}
    for block in blocks:
        if "utfkit_datafusion" in block:
            test = doctest.DocTestParser().get_doctest(block, names, "DataFusion", page, 0)
            runner.run(test, clear_globs=False)
            names = test.globs
    assert (runner.failures, runner.tries > 4) == (0, True)


def test_the_version():
    manifest = (REPOSITORY / "Cargo.toml").read_text("utf-8")
    assert f'version = "{utfkit_datafusion.__version__}"' in manifest


def test_names_and_repr():
    names = [function.name for function in utfkit_datafusion.functions()]
    assert len(names) == len(set(names)) == 12
    for name in names:
        assert name in (utfkit_datafusion.register.__doc__ or "")
    assert repr(utfkit_datafusion.functions()[0]) == "<utfkit_datafusion.Function: is_valid_utf8>"


# Of the encodings that can be told apart, words.
WORDS = {
    "utf-8": ["Zürich", "東京", "Łódź"],
    "utf-16": ["Zürich", "東京", "Łódź"],
    "cp1252": ["Málaga año señor", "Genève où déjà", "Köln über schön"],
    "cp1251": ["Москва столица", "Санкт-Петербург", "Нижний Новгород"],
    "shift_jis": ["東京の天気", "大阪のたこ焼き", "名古屋の人たち"],
    "gb18030": ["北京的天气很好", "上海的人们", "我们在广州"],
}


@pytest.mark.parametrize("name", WORDS)
def test_files_of_six_encodings_are_tables(context, name, tmp_path):
    words = WORDS[name] * 20
    rows = "".join(f"{number},{word}\n" for number, word in enumerate(words))
    path = tmp_path / "cities.csv"
    path.write_bytes(("id,city\n" + rows).encode(name))
    table = utfkit_datafusion.register_csv_in(context, "t", path)
    assert context.sql("SELECT city FROM t ORDER BY id").to_pydict() == {"city": words}
    assert context.sql("SELECT city FROM t WHERE id = 5").to_pydict() == {"city": [words[5]]}
    assert len(context.sql("SELECT id FROM t LIMIT 3").to_pydict()["id"]) == 3
    [report] = table.reports().values()
    assert report["errors"] == 0 and report["bytes"] == path.stat().st_size
    utfkit_datafusion.register_csv_in(context, "folder", f"{tmp_path}/", name)
    assert context.sql("SELECT count(*) AS n FROM folder").to_pydict() == {"n": [60]}


def test_options_and_errors_of_tables(context, tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b"1;Z\xc3\xbcrich\n2;K\xf6ln\n")
    options = {"has_header": False, "delimiter": ";"}
    utfkit_datafusion.register_csv_in(context, "lossy", path, "utf-8", "replace", **options)
    assert context.sql("SELECT column_2 FROM lossy").to_pydict() == {"column_2": ["Zürich", "K\ufffdln"]}
    utfkit_datafusion.register_csv_in(context, "mended", path, "utf-8", fallback="windows-1252", **options)
    assert context.sql("SELECT column_2 FROM mended").to_pydict() == {"column_2": ["Zürich", "Köln"]}
    # A limit reads no more than it needs.
    (tmp_path / "limit.csv").write_bytes(b"id,city\n" + b"1,K\xf6ln\n" * 3_000_000)
    table = utfkit_datafusion.register_csv_in(context, "limited", tmp_path / "limit.csv", "latin-1")
    assert context.sql("SELECT city FROM limited LIMIT 2").to_pydict() == {"city": ["Köln"] * 2}
    [report] = table.reports().values()
    assert report["bytes"] < 6_000_000
    (tmp_path / "long.csv").write_bytes(b"id,city\n" + b"1,x\n" * 100_000 + b"2,K\xf6ln\n")
    utfkit_datafusion.register_csv_in(context, "strict", tmp_path / "long.csv", "utf-8")
    with pytest.raises(Exception, match="long.csv.*400011"):
        context.sql("SELECT count(city) FROM strict").collect()
    for arguments, error in [
        ([path, "nix"], LookupError),
        ([path, "utf-8", "surrogateescape"], LookupError),
        ([tmp_path / "missing.csv"], OSError),
        (["s3://bucket/a.csv"], Exception),
    ]:
        with pytest.raises(error):
            utfkit_datafusion.register_csv_in(context, "t", *arguments)
    for wrong in ({"delimiter": ";;"}, {"compression": "rar"}, {"fallback": "utf-16"}):
        with pytest.raises(ValueError):
            utfkit_datafusion.register_csv_in(context, "t", path, **wrong)
