"""Readers and text files: what they give is what `decode` gives of the whole, in every encoding and however it is cut."""

import csv
import io
import json
import os
import pickle
import random
import subprocess
import sys

import pytest

import utfkit

TEXT = "id,ñame\nГрüße, 日本語テスト ﾊﾝｶｸ 한국어 中文 ελ עב عر ไทย 😀 a~{b ¥ +AOk- &amp;\r\n"
HANDLERS = ["strict", "replace", "ignore"]
# Of the encodings that can be told apart, words.
WORDS = {
    "utf-8": ["Zürich", "東京", "Łódź"],
    "utf-16": ["Zürich", "東京", "Łódź"],
    "windows-1252": ["Málaga año señor", "Genève où déjà", "Köln über schön"],
    "windows-1251": ["Москва столица", "Санкт-Петербург", "Нижний Новгород"],
    "shift_jis": ["東京の天気", "大阪のたこ焼き", "名古屋の人たち"],
    "gb18030": ["北京的天气很好", "上海的人们", "我们在广州"],
}


class Cut(io.RawIOBase):
    """A pipe that gives a few bytes at a time."""

    def __init__(self, data, seed):
        self.data, self.random = data, random.Random(seed)

    def readable(self):
        return True

    def read(self, size=-1):
        length = self.random.randint(1, 9)
        part, self.data = self.data[:length], self.data[length:]
        return part


def encoded(name, seed):
    """Text that `name` can write, with a damaged byte or two."""
    data = bytearray(utfkit.encode(TEXT, name, "ignore"))
    chance = random.Random(seed)
    for _ in range(chance.randint(0, 2)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(data)


@pytest.mark.parametrize("name", [name for name, _ in utfkit.encoding_names()])
def test_every_encoding_reads_as_it_is_decoded(name):
    for seed in range(4):
        data = encoded(name, seed)
        for errors in HANDLERS:
            try:
                expected = utfkit.decode(data, name, errors)
            except UnicodeDecodeError as error:
                with pytest.raises(UnicodeDecodeError) as raised:
                    utfkit.reader(Cut(data, seed), name).read()
                assert raised.value.object == data[error.start : error.end]
                assert f"at byte {error.start}" in raised.value.reason
                continue
            with utfkit.reader(Cut(data, seed), name, errors) as file:
                assert file.read().decode() == expected.removeprefix("\ufeff"), (data, errors)
            with utfkit.open(Cut(data, seed), name, errors, newline="") as file:
                assert file.read() == expected.removeprefix("\ufeff")


def table(name):
    rows = "".join(f"{number},{word}\n" for number, word in enumerate(WORDS[name] * 20))
    return ("id,city\n" + rows).encode(name), WORDS[name] * 20


@pytest.fixture(params=WORDS)
def name(request):
    return request.param


@pytest.fixture(params=["path", "url"])
def place(request, name, tmp_path):
    data, words = table(name)
    if request.param == "path":
        path = tmp_path / "cities.csv"
        path.write_bytes(data)
        return str(path), words
    fsspec = pytest.importorskip("fsspec")
    url = f"memory://cities-{name}.csv"
    with fsspec.open(url, "wb") as file:
        file.write(data)
    return url, words


def test_lines_and_parsers_of_the_standard_library(place):
    path, words = place
    with utfkit.open(path, newline="") as file:
        assert [row["city"] for row in csv.DictReader(file)] == words
    with utfkit.reader(path) as file:
        assert file.readline() == b"id,city\n"
        assert file.readline().decode() == f"0,{words[0]}\n"


def test_seeking_starts_anew(place):
    path, _ = place
    with utfkit.reader(path) as file:
        whole = file.read()
        for at in [len(whole), 3, 0, 40, 20]:
            assert file.seek(at) == at
            assert file.read(10) == whole[at : at + 10]
        assert file.seek(0, os.SEEK_END) == len(whole)
    with utfkit.open(path) as file:
        file.readline()
        cookie = file.tell()
        line = file.readline()
        file.read()
        file.seek(cookie)
        assert file.readline() == line


def test_pandas(place):
    pandas = pytest.importorskip("pandas")
    path, words = place
    assert list(pandas.read_csv(utfkit.reader(path))["city"]) == words
    chained = f"utfkit::{path}" if "://" in path else f"utfkit::file://{path}"
    assert list(pandas.read_csv(chained)["city"]) == words


def test_polars(place):
    polars = pytest.importorskip("polars")
    import utfkit.polars

    path, words = place
    assert polars.read_csv(utfkit.reader(path))["city"].to_list() == words
    frame = utfkit.polars.scan_csv(path)
    assert frame.collect()["city"].to_list() == words
    assert frame.select("city").head(2).collect()["city"].to_list() == words[:2]
    assert frame.filter(polars.col("id") == 5).select("city").collect()["city"].to_list() == [words[5]]


def test_pyarrow(place):
    pyarrow_csv = pytest.importorskip("pyarrow.csv")
    path, words = place
    assert pyarrow_csv.open_csv(utfkit.reader(path)).read_all()["city"].to_pylist() == words


def test_pyarrow_dataset(place):
    dataset = pytest.importorskip("pyarrow.dataset")
    fsspec = pytest.importorskip("fsspec")
    from pyarrow.fs import FSSpecHandler, PyFileSystem

    path, words = place
    target, _, rest = path.rpartition("://")
    system = fsspec.filesystem("utfkit", target_protocol=target or "file")
    found = dataset.dataset(rest, format="csv", filesystem=PyFileSystem(FSSpecHandler(system)))
    assert found.to_table()["city"].to_pylist() == words


def test_duckdb(place):
    duckdb = pytest.importorskip("duckdb")
    import utfkit.duckdb

    path, words = place
    rows = utfkit.duckdb.read_csv(path, connection=duckdb.connect()).order("id").fetchall()
    assert [city for _, city in rows] == words


def test_json_lines(name, tmp_path):
    polars = pytest.importorskip("polars")
    import utfkit.polars

    path = tmp_path / "cities.jsonl"
    lines = "".join(json.dumps({"id": n, "city": word}, ensure_ascii=False) + "\n" for n, word in enumerate(WORDS[name]))
    path.write_bytes(lines.encode(name))
    found = utfkit.polars.scan_ndjson(path).filter(polars.col("id") > 0).collect()
    assert found["city"].to_list() == WORDS[name][1:]


def test_blocks_end_between_records(tmp_path, monkeypatch):
    polars = pytest.importorskip("polars")
    import utfkit.polars

    path = tmp_path / "quoted.csv"
    text = "id,text\n" + "".join(f'{n},"Zeile ""{n}""\nschön, {n}"\n' for n in range(500))
    path.write_bytes(text.encode("cp1252"))
    for size in [64, 100, 1000, 8 << 20]:
        monkeypatch.setattr(utfkit.polars, "_BLOCK", size)
        found = utfkit.polars.scan_csv(path, "windows-1252").collect()
        whole = polars.read_csv(text.encode())
        assert found.equals(whole), size
        # Columns of later blocks, which have no header.
        scanned = utfkit.polars.scan_csv(path, "windows-1252")
        for columns in (["text"], ["id"], ["text", "id"]):
            assert scanned.select(columns).collect().equals(whole.select(columns)), (size, columns)
        chosen = scanned.filter(polars.col("id") > 400).select("text").collect()
        assert chosen.equals(whole.filter(polars.col("id") > 400).select("text")), size


def test_what_was_found_is_said(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("Größe\n".encode() * 20 + b"caf\xe9\n")
    with utfkit.open(path, errors="replace") as file:
        assert file.encoding == "us-ascii"
        assert file.read().endswith("caf\ufffd\n")
        assert file.encoding == "utf-8"
        report = file.report
    assert (report.encoding, report.errors, report.first_error) == ("utf-8", 1, 163)
    assert pickle.loads(pickle.dumps(report)) == report
    with utfkit.open(path, fallback="windows-1252") as file:
        assert file.read().endswith("café\n")
        assert (file.report.in_fallback, file.report.errors) == (1, 0)
    with utfkit.reader(path) as file:
        with pytest.raises(UnicodeDecodeError, match="at byte 163 of .*a.txt"):
            file.read()
        with pytest.raises(UnicodeDecodeError):
            file.read()


def test_wrong_arguments(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"caf\xe9")
    with pytest.raises(LookupError, match="unknown encoding: nix"):
        utfkit.open(path, "nix")
    with pytest.raises(LookupError, match="unknown error handler"):
        utfkit.open(path, errors="surrogateescape")
    with pytest.raises(ValueError, match="cannot be a fallback"):
        utfkit.open(path, fallback="utf-16")
    with pytest.raises(ValueError, match="for encoding='auto'"):
        utfkit.reader(path, "utf-8", at_least="likely")
    with pytest.raises(FileNotFoundError):
        utfkit.open(tmp_path / "nowhere")
    with pytest.raises(TypeError, match="not int"):
        utfkit.reader(5)
    with pytest.raises(TypeError, match=r"open\(\) got an unexpected keyword argument 'mode'"):
        utfkit.open(path, mode="r")
    with pytest.raises(TypeError, match="open it with 'rb'"):
        utfkit.open(io.StringIO("text")).read()
    with pytest.raises(UnicodeError, match="less sure than certain"):
        utfkit.reader(path, at_least="certain").read()
    (tmp_path / "b").write_bytes(random.Random(1).randbytes(5000))
    with pytest.raises(UnicodeError, match="no encoding was found"):
        utfkit.open(tmp_path / "b").read()


def test_a_file_says_its_mode(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"tea")
    with utfkit.reader(path) as binary, utfkit.open(path) as text:
        assert (binary.mode, text.mode) == ("rb", "r")


def test_a_pipe_is_read_once():
    code = "import sys, utfkit; f = utfkit.open(sys.stdin.buffer); sys.stdout.buffer.write(f.read().encode()); print(f.encoding)"
    data, words = table("windows-1251")
    done = subprocess.run([sys.executable, "-c", code], input=data, capture_output=True, check=True)
    assert done.stdout.decode().endswith(f"{words[-1]}\nwindows-1251\n")


def test_ftfy():
    from utfkit.compat.ftfy import fix_text

    assert fix_text("NicolÃ¡s\r\nitâ€™s\x00 fine") == "Nicolás\nit\u2019s fine"
    assert fix_text("NicolÃ¡s\r\n", fix_encoding=False, fix_line_breaks=False) == "NicolÃ¡s\r\n"
    assert fix_text("e\u0301", normalization=None) == "e\u0301"
    assert fix_text("e\u0301") == "\u00e9"
    assert fix_text("&amp;", unescape_html=False) == "&amp;"
    with pytest.raises(ValueError, match="html.unescape does it"):
        fix_text("&amp;", unescape_html="auto")
    with pytest.raises(ValueError, match="part of undoing"):
        fix_text("a", restore_byte_a0=False)
    with pytest.raises(TypeError, match="unknown option"):
        fix_text("a", fix_everything=True)


@pytest.mark.parametrize("module", ["polars", "duckdb", "fsspec", "spark", "ray"])
def test_an_engine_that_is_missing_is_named_with_the_command(module):
    engine = {"spark": "pyspark", "ray": "ray"}.get(module, module)
    code = f"""
import sys
for name in ("{engine}", "{engine}.data"):
    sys.modules.pop(name, None)
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name == "{engine}" or name.startswith("{engine}."):
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Missing())
try:
    import utfkit.{module}
except ImportError as error:
    print(error)
"""
    if module in ("spark", "ray"):
        pytest.importorskip("pyarrow")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"utfkit.{module} needs {engine}") and "pip install" in done.stdout, done


def test_what_is_not_there_or_cut_is_said(tmp_path):
    import gzip

    fsspec = pytest.importorskip("fsspec")
    with pytest.raises(FileNotFoundError):
        utfkit.reader("memory://nowhere.csv")
    with pytest.raises(FileNotFoundError):
        fsspec.open("utfkit::memory://nowhere.csv").open().read()
    with pytest.raises(ValueError, match="[Pp]rotocol"):
        utfkit.open("nix://a.csv")
    # A file that ends inside a character.
    (tmp_path / "a.csv").write_bytes("id,Stadt\n1,Zürich, K".encode() + b"\xc3")
    with pytest.raises(UnicodeDecodeError, match="at byte 21 of .*a.csv"):
        utfkit.reader(tmp_path / "a.csv", "utf-8").read()
    # A compressed stream that is cut.
    whole = gzip.compress("".join(f"{n},größer {n * n}\n" for n in range(20000)).encode("cp1252"))
    (tmp_path / "a.csv.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(EOFError):
        utfkit.reader(gzip.open(tmp_path / "a.csv.gz"), "windows-1252").read()


def test_names_with_what_makes_a_pattern(tmp_path):
    """A file of that name is meant, if there is one."""
    duckdb, polars = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    pytest.importorskip("fsspec")
    import utfkit.duckdb
    import utfkit.polars

    folder = tmp_path / "a b%20[x]"
    folder.mkdir()
    for name in ("c d[1]*.csv", "e?.csv", "{f,g}.csv", "h#i.csv", "schön.csv"):
        path = folder / name
        path.write_bytes("id,Stadt\n1,Köln\n".encode("cp1252"))
        connection = duckdb.connect()
        assert utfkit.duckdb.read_csv(path, connection=connection).fetchall() == [(1, "Köln")], name
        assert utfkit.polars.scan_csv(path).collect().rows() == [(1, "Köln")], name
        assert utfkit.open(path).read() == "id,Stadt\n1,Köln\n"
    pattern = tmp_path / "a b%20*" / "*.csv"
    assert len(utfkit.duckdb.read_csv(pattern, connection=duckdb.connect()).fetchall()) == 5
    for missing in (folder / "nix.csv", folder / "nix*.csv", "memory://nix[1].csv"):
        with pytest.raises(FileNotFoundError, match="nix"):
            utfkit.duckdb.read_csv(missing, connection=duckdb.connect())


def test_arguments_of_a_newcomer(tmp_path):
    import bz2
    import gzip
    import lzma

    path = tmp_path / "a.txt"
    path.write_bytes("schön".encode("utf-16"))
    assert utfkit.open(path, None, None).read() == "schön"
    for mode in ("r", "rb", "w", "rt", "a+"):
        with pytest.raises(ValueError, match="takes no mode"):
            utfkit.open(path, mode)
    for module in (gzip, bz2, lzma):
        path.write_bytes(module.compress("größer als gestern\n".encode("cp1252") * 50))
        with pytest.raises(UnicodeError, match=rf"utfkit.reader\({module.__name__}.open\(path\)\)"):
            utfkit.open(path).read()
        assert utfkit.open(module.open(path)).readline() == "größer als gestern\n"


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are any bytes on Linux alone")
def test_a_file_whose_name_is_not_utf_8(tmp_path):
    path = os.fsencode(tmp_path) + b"/caf\xe9.txt"
    try:
        with open(path, "wb") as file:
            file.write("schön\n".encode("cp1252"))
    except OSError:
        pytest.skip("left out: this file system takes no such name")
    for name in (path, os.fsdecode(path)):
        assert utfkit.open(name).read() == "schön\n"
        assert utfkit.reader(name).read() == "schön\n".encode()
        with open(name, "rb") as file:
            assert utfkit.open(file).read() == "schön\n"
        with pytest.raises(UnicodeDecodeError, match="of .*caf.*txt"):
            utfkit.open(name, "utf-8").read()
