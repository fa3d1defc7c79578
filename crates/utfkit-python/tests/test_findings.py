"""Findings, detection, repair, inspection."""

from __future__ import annotations

import codecs
import collections
import copy
import errno
import gc
import json
import os
import pickle
import signal
import threading
import time

import pytest
from conftest import REPOSITORY
from hypothesis import given
from hypothesis import strategies as st

import utfkit


def test_a_finding():
    [finding] = utfkit.check(b"one\ncaf\xe9 au lait")
    assert (finding.offset, finding.length, finding.line, finding.column) == (7, 1, 2, 4)
    assert (finding.kind, finding.bytes, finding.code_point) == ("missing-continuation", b"\xe9", None)
    assert "3 bytes that E9 announces" in finding.message
    assert str(finding).startswith("2:4: byte 7: E9: missing-continuation: ")
    assert repr(finding) == f"<Finding {finding}>"
    assert json.loads(json.dumps(finding.to_dict()))["bytes"] == "e9"
    assert set(finding.to_dict()) == {"offset", "length", "line", "column", "kind", "bytes", "message", "code_point"}
    [other] = utfkit.check(b"one\ncaf\xe9 au lait")
    assert finding == other and hash(finding) == hash(other) and finding is not other
    assert finding != utfkit.check(b"\xff")[0]
    assert finding != 5
    assert pickle.loads(pickle.dumps(finding)) == finding
    assert copy.deepcopy(finding) == finding
    with pytest.raises(AttributeError):
        finding.offset = 5
    with pytest.raises(TypeError):
        finding < other  # noqa: B015


def test_what_a_sequence_spells():
    [finding] = utfkit.check(b"\xc0\xaf")
    assert (finding.kind, finding.bytes, finding.code_point) == ("overlong", b"\xc0\xaf", 0x2F)
    # The words of `utfkit check --format jsonl`.
    assert (finding.to_dict()["bytes"], finding.to_dict()["code_point"]) == ("c0af", "U+002F")
    [piece] = utfkit.inspect(b"\xc0\xaf")
    assert (piece.to_dict()["bytes"], piece.to_dict()["code_point"]) == ("c0af", "U+002F")
    [change] = utfkit.repair(b"\xc0\xaf", reinterpret=True).changes
    assert change.to_dict()["before"] == "c0af"


@pytest.mark.parametrize(("data", "value"), [(b"\xf4\xa0\x80\x81", 0x120001), (b"\xfa\x80\x80\x80\x80", 0x2000000), (b"\xfd\xbf\xbf\xbf\xbf\xbf", 0x7FFFFFFF)])
def test_what_a_sequence_above_unicode_spells(data, value):
    """As in columns and JSON."""
    [finding] = utfkit.check(b"a" + data)
    assert (finding.kind, finding.code_point, finding.to_dict()["code_point"]) == ("too-large", value, f"U+{value:X}")
    assert pickle.loads(pickle.dumps(finding)) == finding
    [_, piece] = utfkit.inspect(b"a" + data)
    assert (piece.code_point, piece.to_dict()["code_point"], piece.char, piece.name) == (value, f"U+{value:X}", None, None)


RESULTS = [
    *utfkit.check(b"a\xff\xc0\xaf\xed\xa0\x80\xe2\x82"),
    *utfkit.inspect("\ufeffé\U0001f600".encode() + b"\xc0\xaf"),
    *utfkit.inspect(b"\x1b$BF|\x1b(B", "iso-2022-jp"),
    utfkit.repair(b"caf\xe9 \xc0\xaf", fallback="cp1252", reinterpret=True),
    *utfkit.repair(b"caf\xe9 \xc0\xaf", fallback="cp1252", reinterpret=True).changes,
    utfkit.repair("café".encode()),
    *(utfkit.detect(data) for data in (b"", b"abc", b"caf\xe9", "\ufeffé".encode(), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")),
    utfkit.detect(b'<?xml version="1.0" encoding="koi8-r"?>\xc4\xe5', candidates=2),
    *utfkit.detect(b"\xc4\xe5").candidates,
]


@pytest.mark.parametrize("result", RESULTS, ids=repr)
def test_pickles_are_equal(result):
    """All attributes, by every protocol."""
    attributes = [name for name in dir(result) if not name.startswith("_")]

    def shown(thing):
        return {name: getattr(thing, name) for name in attributes if not callable(getattr(thing, name))}

    for copied in [copy.deepcopy(result), *(pickle.loads(pickle.dumps(result, protocol)) for protocol in range(6))]:
        assert (copied, hash(copied), shown(copied), str(copied)) == (result, hash(result), shown(result), str(result))
        assert not hasattr(result, "to_dict") or copied.to_dict() == result.to_dict()
        again = pickle.loads(pickle.dumps(copied))
        assert again == result and shown(again) == shown(result)
    assert result != "another thing"


@pytest.mark.parametrize("source", ["bytes", "path"])
def test_a_limit(source, tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"a\xff" * 100_000)
    given = path if source == "path" else path.read_bytes()
    every = list(utfkit.errors(given))
    assert len(every) == 100_000
    assert utfkit.check(given) == every
    for limit in (0, 1, 2, 77_777, 100_000, 200_000):
        assert utfkit.check(given, limit=limit) == every[:limit]
    assert utfkit.check(given, limit=None) == every
    # One that the end of the input completes.
    assert len(utfkit.check(b"\xff\xe2\x82", limit=2)) == 2
    with pytest.raises(ValueError, match="'limit' must not be negative"):
        utfkit.check(given, limit=-1)


DECODE = ["replace", "ignore", "backslashreplace", "surrogateescape"]


@pytest.mark.parametrize(
    "call",
    [
        lambda data: utfkit.check(data),
        lambda data: collections.deque(utfkit.errors(data), maxlen=0),
        lambda data: utfkit.repair(data),
        lambda data: utfkit.repair(data, undouble=True),
        lambda data: utfkit.detect(data),
        *(lambda data, errors=errors: utfkit.decode(data, "shift_jis", errors) for errors in DECODE),
    ],
    ids=["check", "errors", "repair", "undouble", "detect", *DECODE],
)
def test_ctrl_c_is_heard(call):
    """A signal ends a call long before its end."""
    data = b"\xff" * 100_000_000
    # A process that a shell began in the background ignores the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    # In a callback of the collector the exception is lost.
    gc.disable()
    try:
        is_heard(call, data)
    finally:
        gc.enable()
        signal.signal(signal.SIGINT, before)


def is_heard(call, data):
    timer = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        call(data)
        # Where the call was faster.
        time.sleep(10)
    timer.join()
    assert time.monotonic() - start < 8


@pytest.mark.parametrize("errors", DECODE)
@pytest.mark.parametrize("encoding", ["utf-8", "shift_jis", "euc-kr", "utf-7", "iso-2022-kr", "utf-16-be"])
def test_a_long_decode_looks_at_signals(encoding, errors):
    # Bytes of US-ASCII have no surrogate.
    ill_formed = {"utf-16-be": b"\xdc\xff"}.get(encoding, b"\xff")
    data = ill_formed * (17_000_000 // len(ill_formed))
    is_looked_at_in(lambda: utfkit.decode(data, encoding, errors))


@pytest.mark.parametrize("encoding", ["utf-7", "iso-2022-kr", "hz"])
def test_a_long_decode_without_errors_looks_at_signals(encoding):
    data = utfkit.encode({"hz": "中国", "iso-2022-kr": "한글", "utf-7": "中国 é"}[encoding], encoding) * 2_500_000
    is_looked_at_in(lambda: utfkit.decode(data, encoding))


@pytest.mark.parametrize("encoding", ["utf-8", "shift_jis", "utf-16", "hz"])
def test_a_long_encode_with_a_handler_looks_at_signals(encoding):
    """`namereplace` is a function of C, in which Python looks at none."""
    is_looked_at_in(lambda: utfkit.encode("a\ud800" * 300_000, encoding, "namereplace"))


@pytest.mark.parametrize("errors", [*DECODE, "strict"])
def test_long_text_is_what_python_reads(errors):
    """Pieces of it end anywhere, in characters and in errors."""
    some = "\ufeffé中😀x".encode() + (b"" if errors == "strict" else b"\xff\xe4\xb8\xf0\x9f\x98")
    for at in range(3):
        data = b"\xef\xbb\xbf" + b"x" * at + some * (9_000_000 // len(some))
        assert utfkit.decode(data, "utf-8", errors) == data.decode("utf-8", errors)
    utfkit.register()
    decoder = codecs.getincrementaldecoder("utfkit-utf-8")(errors)
    assert decoder.decode(data + b"\xf0\x9f") + decoder.decode(b"\x98\x80", True) == (data + "😀".encode()).decode("utf-8", errors)


def is_looked_at_in(call):
    """Many signals that arrive while no one looks are one. All but the last piece of the work are followed by a look."""
    seen = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: seen.append(number))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
        seen.clear()
        call()
        count = len(seen)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    # One before the call and one after it.
    assert count > 2


@pytest.fixture
def pipe(tmp_path):
    if not hasattr(os, "mkfifo"):
        pytest.skip("pipes with names are needed")
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


@pytest.mark.parametrize("of", [utfkit.check, lambda path: list(utfkit.errors(path))])
def test_a_pipe_whose_writer_comes_later(pipe, of):
    """Threads run while a call waits for it, and signals that raise nothing do not end the call."""
    old = signal.signal(signal.SIGALRM, lambda number, frame: None)

    def write():
        time.sleep(0.15)
        with open(pipe, "wb", buffering=0) as file:
            for part in (b"ab\xff\n", b"\xfe"):
                file.write(part)
                time.sleep(0.15)

    writer = threading.Thread(target=write)
    writer.start()
    signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
    try:
        assert [finding.offset for finding in of(pipe)] == [2, 4]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
        writer.join()


@pytest.mark.parametrize("of", [utfkit.check, utfkit.errors, utfkit.detect])
def test_a_pipe_without_a_writer_is_left_at_a_signal(pipe, of):
    class Left(Exception):
        pass

    def leave(number, frame):
        raise Left

    old = signal.signal(signal.SIGALRM, leave)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(Left):
            of(pipe)
    finally:
        signal.signal(signal.SIGALRM, old)


def test_a_pipe_is_not_converted(pipe):
    with pytest.raises(ValueError, match="it is not a regular file"):
        utfkit.convert_file(pipe, "latin-1")


def test_errors_of_a_file(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"a" * 200_000 + b"\xe2\x82")
    assert [error.offset for error in utfkit.errors(path)] == [200_000]
    assert list(utfkit.errors(str(path))) == utfkit.check(path)
    with pytest.raises(FileNotFoundError):
        utfkit.errors(tmp_path / "missing")


def test_files(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"a\n" * 1_000_000 + b"b\xff")
    [finding] = utfkit.check(path)
    assert (finding.offset, finding.line, finding.column) == (2_000_001, 1_000_001, 2)
    assert utfkit.check(str(path)) == [finding]
    assert utfkit.check(path.read_bytes()) == [finding]
    assert utfkit.check("/dev/null") == []
    with pytest.raises(IsADirectoryError):
        utfkit.check(tmp_path)
    with pytest.raises(FileNotFoundError) as raised:
        utfkit.check(tmp_path / "missing")
    assert raised.value.filename == str(tmp_path / "missing")


@pytest.mark.parametrize("read", [utfkit.check, utfkit.detect, lambda path: list(utfkit.errors(path))])
def test_an_error_of_the_system_names_the_file(read, tmp_path):
    """As the exceptions of `open` do, while it is opened and while it is read."""
    with pytest.raises(IsADirectoryError) as raised:
        read(tmp_path)
    assert (raised.value.errno, raised.value.filename) == (errno.EISDIR, str(tmp_path))


def test_the_examples_of_the_repository():
    path = REPOSITORY / "examples" / "damaged.txt"
    if not path.exists():
        pytest.skip("left out: examples/ is not beside this package")
    findings = utfkit.check(path)
    assert findings
    assert findings == list(utfkit.errors(path.read_bytes()))


def test_other_encodings():
    assert [finding.kind for finding in utfkit.check(b"\x00\xd8a\x00", "utf-16-le")] == ["unpaired-surrogate"]
    assert utfkit.check(b"\xff\xfea\x00", "utf-16") == []
    assert [finding.offset for finding in utfkit.errors(b"ab\xe9", "ascii")] == [2]
    with pytest.raises(LookupError):
        utfkit.check(b"", "no-such-encoding")


def test_errors_come_one_by_one():
    data = b"\xff" * 50_000_000
    errors = utfkit.errors(data)
    # At once. All findings would take seconds.
    assert [next(errors).offset for _ in range(3)] == [0, 1, 2]
    assert iter(errors) is errors
    assert list(utfkit.errors(b"")) == []
    done = utfkit.errors(b"\xe2\x82")
    assert next(done).kind == "truncated"
    for _ in range(3):
        with pytest.raises(StopIteration):
            next(done)


@given(st.binary(max_size=200))
def test_all_functions_agree(data):
    try:
        data.decode()
        well_formed = True
    except UnicodeDecodeError:
        well_formed = False
    assert utfkit.is_utf8(data) is well_formed
    findings = utfkit.check(data)
    assert (findings == []) is well_formed
    assert list(utfkit.errors(data)) == findings
    for finding in findings:
        assert data[finding.offset : finding.offset + finding.length] == finding.bytes
        assert finding.line == data[: finding.offset].count(b"\n") + 1
    pieces = list(utfkit.inspect(data))
    assert b"".join(piece.bytes for piece in pieces) == data
    assert [piece.offset for piece in pieces if piece.kind == "ill-formed"] == [finding.offset for finding in findings]
    repaired = utfkit.repair(data)
    assert repaired.text == data.decode("utf-8", "replace")
    assert repaired.bytes == repaired.text.encode()
    assert repaired.is_changed is not well_formed
    # The changes are enough to restore the source.
    before, at = b"", 0
    for change in repaired.changes:
        before += data[at : change.offset] + change.before
        at = change.offset + len(change.before)
    assert before + data[at:] == data


def test_inspect():
    pieces = list(utfkit.inspect(b"\xc3\xa9\xff"))
    assert [(piece.offset, piece.bytes, piece.kind, piece.char) for piece in pieces] == [
        (0, b"\xc3\xa9", "character", "é"),
        (2, b"\xff", "ill-formed", None),
    ]
    assert pieces[0].name == "LATIN SMALL LETTER E WITH ACUTE"
    assert repr(pieces[0]) == "<Piece byte 0: C3 A9: U+00E9 LATIN SMALL LETTER E WITH ACUTE>"
    assert "FF can stand nowhere" in pieces[1].message
    assert json.dumps(pieces[1].to_dict())
    assert [piece.kind for piece in utfkit.inspect(b"\xff\xfea\x00", "utf-16")] == ["bom", "character"]
    assert "state-change" in [piece.kind for piece in utfkit.inspect("日".encode("iso-2022-jp"), "iso-2022-jp")]
    assert next(utfkit.inspect(b"\n")).name is None


def test_detect():
    found = utfkit.detect("naïve café, naïve café".encode())
    assert (found.encoding, found.name, found.is_certain) == ("utf-8", "UTF-8", True)
    assert found.certainty in ("certain", "nearly certain")
    assert found.bom is None and found.declared is None and not found.is_mixed
    assert str(found).startswith(f"UTF-8 ({found.certainty}: ") and repr(found) == f"<Detection {found}>"
    assert json.dumps(found.to_dict())
    assert utfkit.detect(b"plain").encoding is not None
    assert utfkit.detect("\ufeffa".encode("utf-16")).bom
    for encoding in ("utf-8-sig", "utf-16", "utf-32"):
        data = "naïve café, naïve café".encode(encoding)
        assert utfkit.decode(data, utfkit.detect(data).encoding) == "naïve café, naïve café"
    assert utfkit.detect(b"abc\xe9").certainty in ("likely", "a guess")
    xml = utfkit.detect(b'<?xml version="1.0" encoding="ISO-8859-2"?><a>\xb1</a>')
    assert (xml.declared, xml.declared_by) == ("ISO-8859-2", "xml")
    binary = utfkit.detect(bytes(range(256)) * 8)
    assert binary.encoding is None
    russian = "Съешь ещё этих мягких французских булок, да выпей же чаю. " * 20
    for encoding in ("windows-1251", "koi8-r", "utf-16-le"):
        found = utfkit.detect(russian.encode(encoding))
        # Python knows the encoding too.
        assert utfkit.decode(russian.encode(encoding), found.encoding) == russian


def test_detect_files(tmp_path):
    path = tmp_path / "text"
    path.write_bytes("é".encode() * 1000)
    assert utfkit.detect(path).encoding == "utf-8"
    with pytest.raises(FileNotFoundError):
        utfkit.detect(tmp_path / "missing")


def test_repair():
    data = b"caf\xe9 \xc0\xae \xe2\x82\xac"
    plain = utfkit.repair(data)
    assert plain.text == str(plain) == "caf\ufffd \ufffd\ufffd €"
    assert [change.kind for change in plain.changes] == ["replaced"] * len(plain.changes)
    mended = utfkit.repair(data, fallback="windows-1252", reinterpret=True)
    assert mended.text == "café . €"
    change = mended.changes[0]
    assert (change.offset, change.kind, change.before, change.after, change.count) == (3, "fallback", b"\xe9", "é", 1)
    assert json.dumps(change.to_dict(), ensure_ascii=False)
    assert "E9" in repr(change)
    assert repr(mended) == "<Repair 2 changes, 11 bytes>"
    clean = utfkit.repair("clean é".encode())
    assert clean.changes == [] and not clean.is_changed
    data = b"clean"
    assert utfkit.repair(data).bytes is data


def test_undouble():
    twice = "Das CafÃ© â€žZur Postâ€œ hat wieder geÃ¶ffnet"
    once = "Das Café „Zur Post“ hat wieder geöffnet"
    assert utfkit.fix_encoding(twice) == once
    assert utfkit.repair(twice.encode(), undouble=True).text == once
    assert {change.kind for change in utfkit.repair(twice.encode(), undouble=True).changes} == {"undoubled"}
    assert utfkit.fix_encoding(once) == once
    assert utfkit.fix_encoding("") == ""
    plain = "plain text"
    assert utfkit.fix_encoding(plain) is plain
    # Surrogates stay.
    assert utfkit.fix_encoding("\ud800" + twice + "\udfff") == "\ud800" + once + "\udfff"


@given(st.text(st.characters(exclude_categories=()), max_size=60))
def test_fix_encoding_takes_any_string(text):
    fixed = utfkit.fix_encoding(text)
    assert isinstance(fixed, str)
    surrogates = [c for c in text if "\ud800" <= c <= "\udfff"]
    assert [c for c in fixed if "\ud800" <= c <= "\udfff"] == surrogates
