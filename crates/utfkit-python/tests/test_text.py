"""`decode` and `encode` compared with CPython's."""

from __future__ import annotations

import codecs
import ctypes
import gc
import random
import sys
from itertools import product

import pytest
from conftest import outcome
from hypothesis import given
from hypothesis import strategies as st

import utfkit

HANDLERS = ["strict", "replace", "ignore", "backslashreplace", "surrogateescape", "surrogatepass"]
ENCODE_HANDLERS = [*HANDLERS, "xmlcharrefreplace", "namereplace"]

# Bytes around every boundary of UTF-8.
EDGES = [0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xDF, 0xE0, 0xE1, 0xEC,
         0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xF8, 0xFE, 0xFF]

damaged = st.one_of(
    st.binary(max_size=300),
    st.lists(st.sampled_from(EDGES), max_size=200).map(bytes),
    st.builds(
        lambda text, at, byte: bytes([*text[: at % (len(text) + 1)], byte, *text[at % (len(text) + 1) :]]),
        st.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass")),
        st.integers(0, 1000),
        st.integers(0, 255),
    ),
)
any_text = st.one_of(
    st.text(max_size=300),
    st.text(st.characters(max_codepoint=0xFF), max_size=300),
    st.text(st.characters(max_codepoint=0xFFFF), max_size=300),
    st.text(st.characters(min_codepoint=0xD000, max_codepoint=0xE000, exclude_categories=()), max_size=100),
)


def same_string(ours: str, theirs: str) -> None:
    """Equal strings, in units of the same width, on which CPython's comparison relies."""
    assert ours == theirs
    assert hash(ours) == hash(theirs)
    assert sys.getsizeof(ours[:0] + ours) == sys.getsizeof(theirs[:0] + theirs)
    assert ours.isascii() == theirs.isascii()


def same_decoding(data: bytes, errors: str = "strict", encoding: str = "utf-8", theirs: str | None = None) -> None:
    ours = outcome(utfkit.decode, data, encoding, errors)
    expected = outcome(data.decode, theirs or encoding, errors)
    if isinstance(expected, str) and isinstance(ours, str):
        same_string(ours, expected)
    else:
        assert ours == expected, (data, errors)


def test_every_string_of_two_bytes_and_of_edges():
    for first, second in product(range(256), repeat=2):
        same_decoding(bytes([first, second]))
    for data in product(EDGES, repeat=3):
        same_decoding(bytes(data), "replace")
        same_decoding(bytes(data))


@pytest.mark.parametrize("errors", HANDLERS)
def test_ill_formed_text_at_every_length(errors):
    random.seed(1)
    for length in range(140):
        for piece in (b"\xff", b"\xe2\x82", b"\xf0\x9f\x98", b"\xed\xa0\x80", b"\xc0\xaf", b"\xf4\x90\x80\x80"):
            at = random.randrange(length + 1)
            for text in ("a" * length, "é" * length, "日" * length, "😀" * length):
                data = text.encode()
                same_decoding(data[:at] + piece + data[at:], errors)


@pytest.mark.parametrize("errors", HANDLERS)
def test_errors_between_runs_of_every_length(errors):
    """Runs for which kernels are called and others, up to more bytes than short text has."""
    random.seed(2)
    pieces = ["a", "é", "я", "日", "😀"]
    for _ in range(4000):
        data = b""
        while len(data) < random.choice((20, 70, 255, 256, 257, 400)):
            data += (random.choice(pieces[: random.randrange(1, 6)]) * random.choice((1, 3, 8, 17, 33, 60))).encode()
            data += random.choice((b"\xff", b"\xe9", b"\xd0", b"\xe2\x82", b"\x80\x80", b"\xed\xa0\x80", b""))
        same_decoding(data, errors)
        same_decoding(data[:256], errors)


@given(damaged, st.sampled_from(HANDLERS))
def test_decode_as_python(data, errors):
    same_decoding(data, errors)


@given(any_text, st.sampled_from(ENCODE_HANDLERS))
def test_encode_as_python(text, errors):
    assert outcome(utfkit.encode, text, "utf-8", errors) == outcome(text.encode, "utf-8", errors)


@pytest.mark.parametrize("widest", ["a", "\xff", "\u0100", "\uffff", "\U00010000", "\U0010ffff"])
def test_every_length_and_width(widest):
    for length in [*range(300), 1023, 1024, 4095, 4096, 4097, 16383, 16384, 16385, 70000, 300000]:
        for text in ("a" * length + widest, widest + "b" * length, widest * length):
            data = text.encode()
            same_string(utfkit.decode(data), text)
            assert utfkit.encode(text) == data


@pytest.mark.parametrize("other", ["é", "я", "語", "😀", b"\xff", b"\xc3"])
def test_long_ascii_with_one_other_sequence(other):
    sequence = other.encode() if isinstance(other, str) else other
    for length in (16 << 10, 40_000):
        ascii = b"plain text " * (length // 11) + b"." * (length % 11)
        for at in (0, 63, 64, length // 8, length // 8 + 63, length // 8 + 64, length // 2 + 100, length - 1, length):
            same_decoding(ascii[:at] + sequence + ascii[at:])


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("widest", ["a", "\x7f", "\x80", "\xff", "\u0100", "\ud7ff", "\ue000", "\uffff", "\U00010000", "\U0010ffff"])
def test_every_length_and_width_of_units(encoding, widest):
    for length in [*range(70), 4095, 4096, 8191, 8192, 70000]:
        for text in ("a" * length + widest, widest + "b" * length):
            with_bom = encoding[:-3]
            assert utfkit.encode(text, with_bom) == text.encode(with_bom)
            data = text.encode(encoding)
            same_string(utfkit.decode(data, encoding), text)
            assert utfkit.encode(text, encoding) == data


@pytest.mark.parametrize("sample", ["é", "я", "語", "😀", "tea é", "tea я", "nice weather and tea 😀"])
def test_text_about_every_length_from_which_memory_is_had_another_way(sample):
    for most in (64, 256, 384, 512, 1024, 2048, 120 << 10):
        for width in (1, 2, 3, 4):
            for length in range(most // width - 1, most // width + 2):
                text = (sample * (length // len(sample) + 1))[:length]
                assert utfkit.encode(text) == text.encode()
                assert utfkit.decode(text.encode()) == text


@pytest.mark.parametrize("often", ["a", "é", "я", "語", "😀"])
@pytest.mark.parametrize("seldom", ["a", "é", "я", "語", "😀"])
def test_long_text_whose_length_is_guessed(often, seldom):
    """The guess looks at the front of each of 32 parts of a text, and may be too low or too high."""
    for length in (43_690, 62_000, 131_072, 300_001):
        part = length // 32
        for front in (part // 16, part // 20, part // 10, 1):
            text = (seldom * front + often * (part - front)) * 32 + often * (length % 32)
            made, expected = utfkit.encode(text), text.encode()
            assert made == expected and len(made) == len(expected) and hash(made) == hash(expected)
            assert sys.getsizeof(made) == sys.getsizeof(expected)
            # C finds the null byte at its end.
            assert ctypes.c_char_p(made).value == expected
            assert made + b"!" == expected + b"!" and utfkit.decode(made) == text
        with pytest.raises(UnicodeEncodeError) as raised:
            utfkit.encode(text + "\ud800")
        assert raised.value.start == length


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "koi8-r", "cp037", "shift_jis"])
@pytest.mark.parametrize("errors", ["ignore", "replace", "xmlcharrefreplace", "backslashreplace", "surrogateescape"])
def test_runs_of_every_length_between_characters_that_lack_a_form(encoding, errors):
    for lacking in ("\u0b85", "\u0b85\U0001f600\u0b85", "\udcff", "\U0001f600"):
        for length in range(40):
            run = "a" * length
            for text in (run + lacking + run, lacking + run + lacking + run + "b", run + "é" + lacking + run):
                assert outcome(utfkit.encode, text, encoding, errors) == outcome(text.encode, encoding, errors)


def test_text_between_surrogates_of_every_length():
    for sample in ("a", "я", "😀"):
        for length in range(40):
            for errors, surrogate in (("surrogateescape", "\udcff"), ("surrogatepass", "\ud83d\ude00"), ("replace", "\ud800")):
                text = f"{surrogate}{sample * length}я".join(sample * 3)
                assert utfkit.encode(text, "utf-8", errors) == text.encode("utf-8", errors)


@pytest.mark.parametrize("surrogate", ["\ud800", "\udfff", "\ud83d\ude00"])
def test_a_surrogate_anywhere_in_text_of_any_length(surrogate):
    for length in [*range(100), 341, 342, 4095, 4096, 4097, 20000]:
        for at in {0, length // 2, length}:
            text = "я" * at + surrogate + "я" * (length - at)
            with pytest.raises(UnicodeEncodeError) as error:
                utfkit.encode(text)
            assert error.value.start == at
            assert utfkit.encode(text, "utf-8", "surrogatepass") == text.encode("utf-8", "surrogatepass")
    for unit in (0xD800, 0xDFFF, 0x110000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF):
        for order in ("little", "big"):
            encoding = f"utf-32-{order[0]}e"
            for length in (0, 1, 5, 8191):
                data = ("я" * length).encode(encoding) + unit.to_bytes(4, order)
                with pytest.raises(UnicodeDecodeError) as error:
                    utfkit.decode(data, encoding)
                assert error.value.start == 4 * length


@pytest.mark.parametrize("errors", ["replace", "ignore", "surrogateescape", "backslashreplace", "utfkit.maximal_subpart"])
def test_other_bytes_in_us_ascii(errors):
    """Alone, in runs, at the ends, and in parts."""
    utfkit.register()
    for length in [*range(1, 40), 300, 5000]:
        for data in (b"\xe9" * length, b"tea" * length + b"\x80", b"\xff" + b"tea" * length, b"t\xe9a\x80\xff " * length):
            same_string(utfkit.decode(data, "ascii", errors), data.decode("ascii", errors))
            decoder = codecs.getincrementaldecoder("utfkit-ascii")(errors)
            parts = [decoder.decode(data[at : at + 7]) for at in range(0, len(data), 7)]
            assert "".join(parts) + decoder.decode(b"", True) == data.decode("ascii", errors)


def test_a_handler_is_given_one_exception_with_each_place_and_reason():
    seen = []

    def handler(error):
        seen.append((id(error), error.start, error.end, error.reason, error.encoding, error.object))
        return "", error.end

    codecs.register_error("test.seen", handler)
    data = b"a\xffb\xc0\xafc\xe2\x82"
    assert utfkit.decode(data, "utf-8", "test.seen") == "abc"
    places = [(1, 2), (3, 4), (4, 5), (6, 8)]
    assert [entry[1:3] for entry in seen] == places
    for (start, end), (_, *_, reason, encoding, object) in zip(places, seen):
        with pytest.raises(UnicodeDecodeError) as alone:
            utfkit.decode(data[start : end + 1] if end < len(data) else data[start:], "utf-8")
        assert (reason, encoding, object) == (alone.value.reason, "utf-8", data)
    assert len({entry[0] for entry in seen}) == 1
    seen.clear()
    text = "a€b\ud800c"
    assert utfkit.encode(text, "koi8-r", "test.seen") == b"abc"
    assert [entry[1:4] for entry in seen] == [(1, 2, "U+20AC has no form in KOI8-R"), (3, 4, "surrogate U+D800 has no form in KOI8-R")]


LENGTHS = [*range(140), *range(250, 262), 511, 512, 1023, 1024, 1025, 4097, 70001]


@pytest.mark.parametrize("encoding", ["cp1251", "cp1252", "cp437", "koi8-r", "iso8859-2", "iso8859-15", "mac-roman", "cp037", "cp500", "cp855"])
def test_bytes_of_a_page_at_every_length(encoding):
    """Each byte alone has its character, in short and long text with few or many others than US-ASCII."""
    every = [utfkit.decode(bytes([byte]), encoding) for byte in range(256)]
    latin = [byte for byte in range(256) if every[byte] <= "\xff"]
    ascii = [byte for byte in range(256) if every[byte] <= "\x7f"]
    for length in LENGTHS:
        for pool in (range(256), latin, ascii, range(0x80, 0x100)):
            data = bytes(pool[(at * 7 + length) % len(pool)] for at in range(length))
            text = "".join(every[byte] for byte in data)
            same_string(utfkit.decode(data, encoding), text)
            same_string(utfkit.decode(b"a" * 40 + data, encoding), every[97] * 40 + text)


@pytest.mark.parametrize("encoding", ["gb18030", "gbk", "big5", "shift_jis", "euc-jp", "euc-kr", "johab"])
def test_pairs_at_every_length(encoding):
    known = [char for char in "tea \0\r\n~日本語 中文字 한글말 いろはアイウ ｱｲｳ é я €" if utfkit.encode(char, encoding, "ignore")]
    read = [utfkit.encode(char, encoding) for char in known]
    for length in LENGTHS:
        at = [(place * place + length) % len(known) for place in range(length)]
        data, text = b"".join(read[place] for place in at), "".join(known[place] for place in at)
        same_string(utfkit.decode(data, encoding), text)
        same_string(utfkit.decode(b"x" * 17 + data, encoding), "x" * 17 + text)
        two = next(form for form in read if len(form) == 2)
        with pytest.raises(UnicodeDecodeError) as error:
            utfkit.decode(data + two[:1], encoding)
        assert error.value.start == len(data)
        assert utfkit.decode(data + two[:1] + b"\n", encoding, "replace") == text + "\ufffd\n"


def test_a_null_before_a_byte_that_is_a_character():
    for first in "\0\x01\x7f ":
        for char in map(chr, range(0xFF61, 0xFFA0)):
            for text in (first + char, first * 9 + char * 3, char + first + char):
                assert utfkit.decode(utfkit.encode(text, "shift_jis"), "shift_jis") == text


@pytest.mark.parametrize("errors", ["replace", "ignore", "backslashreplace", "surrogateescape"])
def test_long_text_with_errors_is_as_its_parts(errors):
    """Beyond 32 MiB `replace` and `ignore` take another way."""
    lines = b"\x82\xa0\x88\x9f\xb1 and\n" * 1000
    part = lines + b"\x82\x0a\x80\xfd" + lines
    times = (33 << 20) // len(part) + 1
    assert utfkit.decode(part * times, "shift_jis", errors) == utfkit.decode(part, "shift_jis", errors) * times


def test_pairs_of_a_text_that_is_too_long_to_hold_twice():
    for text in ("日本 tea ｱ\n" * 500_000, "tea" * 1_500_000):
        data = utfkit.encode(text, "shift_jis")
        assert len(data) > 4 << 20
        same_string(utfkit.decode(data, "shift_jis"), text)


# A character above U+FFFF rules the tables out.
NO_TABLE = "\U0001d11e"


@pytest.mark.parametrize("encoding", ["gb18030", "gbk", "big5", "shift_jis", "euc-jp", "euc-kr", "johab"])
def test_a_table_writes_what_the_library_writes(encoding):
    every = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x10000)]))
    known = utfkit.decode(utfkit.encode(every + NO_TABLE, encoding, "ignore"), encoding).rstrip(NO_TABLE)
    by_table = [char for char in known if len(utfkit.encode(char, encoding)) <= 2]
    assert len(by_table) > 6000
    text = "".join(by_table)
    written = utfkit.encode(text, encoding)
    assert written == utfkit.encode(text + NO_TABLE, encoding, "ignore")[: len(written)]
    assert utfkit.decode(written, encoding) == text
    for char in set(every[::37]) - set(known):
        with pytest.raises(UnicodeEncodeError):
            utfkit.encode("a" + char, encoding)
        assert utfkit.encode("a" + char, encoding, "replace") == b"a?"


def test_one_string_for_each_short_one():
    assert utfkit.decode(b"") is b"".decode()
    for value in range(256):
        data = chr(value).encode()
        assert utfkit.decode(data) is data.decode()
    assert utfkit.encode("") is "".encode()
    assert utfkit.encode("a") is "a".encode()


# differences.txt has the differences of UTF-7, and of UTF-16 and UTF-32 without a BOM.
AS_PYTHON = ["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "latin-1", "ascii", "cp437",
             "iso8859-2", "iso8859-5", "iso8859-15", "koi8-r", "cp866", "cp850", "cp852"]


@pytest.mark.parametrize("encoding", AS_PYTHON)
def test_other_encodings_as_python(encoding):
    @given(st.binary(max_size=80), st.sampled_from(HANDLERS))
    def decode(data, errors):
        assert outcome(utfkit.decode, data, encoding, errors) == outcome(data.decode, encoding, errors)

    @given(any_text, st.sampled_from(ENCODE_HANDLERS))
    def encode(text, errors):
        assert outcome(utfkit.encode, text, encoding, errors) == outcome(text.encode, encoding, errors)

    decode()
    encode()


@pytest.mark.parametrize("number", [1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258, 874])
def test_code_pages_of_windows(number):
    """A byte without a character in Python is a control, or an error, in the Encoding Standard."""
    for byte in range(256):
        theirs = outcome(bytes([byte]).decode, f"cp{number}")
        ours = outcome(utfkit.decode, bytes([byte]), f"cp{number}")
        if isinstance(theirs, str):
            assert ours == theirs
            assert utfkit.encode(ours, f"cp{number}") == bytes([byte])
        else:
            assert isinstance(ours, str) or ours == theirs


@given(st.text(max_size=100), st.sampled_from(ENCODE_HANDLERS))
def test_encodings_with_a_bom(text, errors):
    for encoding in ("utf-16", "utf-32", "utf-8-sig"):
        data = utfkit.encode(text, encoding, errors)
        assert data == text.encode(encoding, errors)
        assert utfkit.decode(data, encoding) == text


def test_arguments():
    assert utfkit.decode(data=b"caf\xe9", encoding="latin-1") == "café"
    assert utfkit.decode(b"\xff", errors="replace") == "\ufffd"
    assert utfkit.encode(text="é", encoding="latin-1", errors="strict") == b"\xe9"
    assert utfkit.encode("é", errors="ignore") == "é".encode()

    class Bytes(bytes):
        pass

    class Str(str):
        pass

    assert utfkit.decode(Bytes(b"caf\xc3\xa9")) == "café"
    assert utfkit.encode(Str("café")) == b"caf\xc3\xa9"
    assert type(utfkit.decode(Bytes(b"a"))) is str


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: utfkit.decode(), TypeError),
        (lambda: utfkit.decode("text"), TypeError),
        (lambda: utfkit.decode(5), TypeError),
        (lambda: utfkit.decode(None), TypeError),
        (lambda: utfkit.decode([1, 2]), TypeError),
        (lambda: utfkit.decode(b"", 5), TypeError),
        (lambda: utfkit.decode(b"", "utf-8", 5), TypeError),
        (lambda: utfkit.decode(b"", "utf-8", "strict", 5), TypeError),
        (lambda: utfkit.decode(b"", nothing=1), TypeError),
        (lambda: utfkit.decode(b"", "no-such-encoding"), LookupError),
        (lambda: utfkit.decode(b"", "a\ud800"), LookupError),
        (lambda: utfkit.decode(b"\xff", "utf-8", "no-such-handler"), LookupError),
        (lambda: utfkit.decode(b"\xff", "utf-8", "a\ud800"), UnicodeEncodeError),
        (lambda: utfkit.encode(b"bytes"), TypeError),
        (lambda: utfkit.encode(None), TypeError),
        (lambda: utfkit.encode("", 5), TypeError),
        (lambda: utfkit.encode("", "no-such-encoding"), LookupError),
        (lambda: utfkit.encode("\ud800"), UnicodeEncodeError),
        (lambda: utfkit.encode("\ud800", "utf-8", "no-such-handler"), LookupError),
        (lambda: utfkit.encode("€", "latin-1"), UnicodeEncodeError),
        (lambda: utfkit.check(5), TypeError),
        (lambda: utfkit.check(None), TypeError),
        (lambda: utfkit.is_utf8("text"), TypeError),
        (lambda: utfkit.errors(5), TypeError),
        (lambda: utfkit.errors("no-such-file"), FileNotFoundError),
            (lambda: utfkit.errors(5), TypeError),
        (lambda: utfkit.detect(5), TypeError),
        (lambda: utfkit.repair("text"), TypeError),
        (lambda: utfkit.repair(b"", fallback="utf-8"), ValueError),
        (lambda: utfkit.repair(b"", fallback="no-such-encoding"), LookupError),
        (lambda: utfkit.fix_encoding(b"bytes"), TypeError),
        (lambda: utfkit.inspect("text"), TypeError),
        (lambda: utfkit.check("no-such-file"), FileNotFoundError),
        (lambda: utfkit.check("a\0b"), ValueError),
        (lambda: utfkit.detect("no-such-file"), FileNotFoundError),
        (lambda: utfkit.convert_file("no-such-file"), FileNotFoundError),
        (lambda: utfkit.convert_file("", "utf-8", to="no-such-encoding"), LookupError),
    ],
)
def test_bad_arguments(call, error):
    with pytest.raises(error) as raised:
        call()
    assert "panic" not in str(raised.value).lower()
    assert str(raised.value)


def test_a_type_error_names_the_argument(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"caf\xe9")
    for value, found in ((5, "int"), (b"cp1252", "bytes"), (["cp1252"], "list")):
        for call, name in (
            (lambda: utfkit.decode(b"a", value), "encoding"),
            (lambda: utfkit.encode("a", "utf-8", value), "errors"),
            (lambda: utfkit.check(b"a", value), "encoding"),
            (lambda: utfkit.repair(b"a", fallback=value), "fallback"),
            (lambda: utfkit.reader(path, fallback=value), "fallback"),
            (lambda: utfkit.convert_file(path, "cp1252", to=value), "to"),
        ):
            with pytest.raises(TypeError, match=f"'{name}' must be str, not {found}"):
                call()


def test_exceptions_say_where_and_why():
    with pytest.raises(UnicodeDecodeError) as raised:
        utfkit.decode(b"ab\xc0\xaf")
    error = raised.value
    assert (error.encoding, error.object, error.start, error.end) == ("utf-8", b"ab\xc0\xaf", 2, 3)
    assert "overlong" in error.reason or "two-byte form" in error.reason
    with pytest.raises(UnicodeEncodeError) as raised:
        utfkit.encode("ab\ud800\udc00c")
    error = raised.value
    assert (error.encoding, error.object, error.start, error.end) == ("utf-8", "ab\ud800\udc00c", 2, 4)


@pytest.mark.parametrize("arguments", [(), ("utf-8",), ("utf-8", "strict")])
def test_an_exception_has_the_one_that_is_handled(arguments):
    for data in (b"\xff", b"a" * 300 + b"\xe9 ", "я".encode() * 9000 + b"\xd0"):
        try:
            raise KeyError("handled")
        except KeyError as handled:
            with pytest.raises(UnicodeDecodeError) as raised:
                utfkit.decode(data, *arguments)
            assert raised.value.__context__ is handled
        assert raised.value.object is data


def test_two_surrogates_are_not_a_character():
    assert outcome(utfkit.encode, "\ud83d\ude00") == outcome("\ud83d\ude00".encode)
    # A pair of surrogates becomes a character in WTF-8 and WTF-16.
    assert utfkit.encode("\ud83d\ude00", "wtf-8") == "😀".encode()
    assert utfkit.decode(b"\xed\xa0\xbd!", "wtf-8") == "\ud83d!"
    assert utfkit.encode("a\ud83d!", "wtf-8") == b"a\xed\xa0\xbd!"
    assert utfkit.decode(b"\x3d\xd8", "wtf-16le") == "\ud83d"


def test_names():
    assert utfkit.find_encoding("UTF8") == "utf-8"
    assert utfkit.find_encoding("utfkit-latin-1") == "iso-8859-1"
    assert utfkit.find_encoding("utf_8_sig") == "utf-8-sig"
    assert utfkit.find_encoding("no such") is None
    assert utfkit.find_encoding("\udcff latin-1") is None
    for name, labels in utfkit.encoding_names():
        for label in (name, *labels, name.lower()):
            assert utfkit.find_encoding(label) is not None
        assert utfkit.decode(b"", name) == ""


def test_no_leaks():
    """No leak of objects or memory, with errors and handlers too."""
    data, ill, text = "aé日😀".encode() * 9, b"ab\xff" * 9, "a\ud800" * 9

    def work():
        for _ in range(200):
            utfkit.decode(data)
            utfkit.encode("aé日😀" * 9)
            outcome(utfkit.decode, ill)
            outcome(utfkit.encode, text)
            utfkit.decode(ill, "utf-8", "surrogateescape")
            utfkit.decode(ill, "utf-8", "utfkit.windows_1252")
            utfkit.encode(text, "utf-8", "backslashreplace")
            utfkit.decode(bytearray(data))
            utfkit.check(ill)
            utfkit.repair(ill)

    work()
    gc.collect()
    before = sys.getrefcount(data), sys.getrefcount(ill), sys.getrefcount(text), sys.getrefcount(UnicodeDecodeError)
    blocks = sys.getallocatedblocks()
    work()
    gc.collect()
    after = sys.getrefcount(data), sys.getrefcount(ill), sys.getrefcount(text), sys.getrefcount(UnicodeDecodeError)
    assert after == before
    assert sys.getallocatedblocks() - blocks < 300


def test_a_name_that_is_not_ours_is_left_to_python():
    with pytest.raises(LookupError):
        codecs.lookup("utfkit-nothing")
    assert codecs.lookup("rot13").name == "rot-13"
    assert codecs.lookup("utf-8").name == "utf-8"
    assert codecs.lookup("utfkit-utf-8").name == "utfkit-utf-8"
