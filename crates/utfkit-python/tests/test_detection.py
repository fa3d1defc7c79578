"""Detection with what the caller knows, and the modules in the place of others."""

from __future__ import annotations

import io
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

import utfkit
from utfkit.compat import charset_normalizer, chardet

TEXTS = [
    ("windows-1252", "fr", "Le boulanger préféra fermer tôt, à cause de la fête près de l'église."),
    ("windows-1250", "cs", "Večer jsme seděli u řeky a dívali se, jak přívozník převáží poslední děti."),
    ("windows-1251", "ru", "Вечером мы сидели у реки и смотрели, как паромщик перевозит детей."),
    ("koi8-r", "ru", "Вечером мы сидели у реки и смотрели, как паромщик перевозит детей."),
    ("windows-1253", "el", "Το βράδυ καθίσαμε στο ποτάμι και κοιτούσαμε τα παιδιά που περνούσαν."),
    ("shift_jis", "ja", "夕方、私たちは川辺に座って、渡し船が子供たちを運ぶのを眺めていた。"),
    ("utf-8", "tr", "Akşam nehrin kıyısında oturduk ve sandalcının çocukları taşımasını izledik."),
]
MS = {"shift_jis": "cp932"}


def encoded(text: str, encoding: str) -> bytes:
    return text.encode(MS.get(encoding, encoding))


@pytest.mark.parametrize(("encoding", "language", "text"), TEXTS)
def test_language_and_confidence(encoding, language, text):
    found = utfkit.detect(encoded(text, encoding))
    assert (found.encoding, found.language) == (encoding, language)
    assert found.confidence > 0.9
    assert found.language_name == dict(utfkit.language_names())[language]
    best = found.candidates[0]
    assert (best.encoding, best.probability, best.language) == (encoding, found.confidence, language)
    assert best.to_dict()["alike"] == best.alike
    assert found.to_dict()["language"] == language


def test_what_is_asked_for():
    data = encoded(TEXTS[0][2], "windows-1252")
    for only in ("latin-1", ["utf-8", "latin-1"], ("latin-1",), iter(["latin-1"])):
        found = utfkit.detect(data, only=only)
        assert (found.encoding, found.alike) == ("iso-8859-1", None)
    assert utfkit.detect(data, only="utf-8").encoding is None
    assert not utfkit.detect(data, only="utf-8").is_binary
    assert utfkit.detect(data, not_=["cp1252", "latin-1"]).encoding not in ("windows-1252", "iso-8859-1")
    assert utfkit.detect(b"\xd3\xc5\xcc\xc1", language=["be", "ru"]).encoding == "koi8-r"
    assert utfkit.detect(data, language="ru").encoding == "windows-1252"
    assert len(utfkit.detect(b"a\xe9\xe8 b\xc4", candidates=3).candidates) == 3
    assert utfkit.detect(data, candidates=0).candidates == []


def test_a_file(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(encoded(TEXTS[2][2], "koi8-r"))
    assert utfkit.detect(path, only=["koi8-r", "cp1251"]).encoding == "koi8-r"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"only": "klingon"}, LookupError),
        ({"not_": ["utf-8", "klingon"]}, LookupError),
        ({"language": "klingon"}, LookupError),
        ({"only": 5}, TypeError),
        ({"only": [5]}, TypeError),
        ({"language": [b"fr"]}, TypeError),
        ({"candidates": -1}, ValueError),
        ({"candidates": "2"}, TypeError),
    ],
)
def test_wrong_arguments(arguments, error):
    with pytest.raises(error):
        utfkit.detect(b"a", **arguments)


@given(st.binary(max_size=200))
def test_any_bytes(data):
    found = utfkit.detect(data)
    assert 0 <= found.confidence <= 1
    probabilities = [candidate.probability for candidate in found.candidates]
    assert probabilities == sorted(probabilities, reverse=True)
    assert sum(probabilities) <= 1 + 1e-9
    result = chardet.detect(data)
    if result["encoding"] is not None and data:
        data.decode(result["encoding"], "replace")
    for match in charset_normalizer.from_bytes(data):
        assert isinstance(str(match), str)


JOINED = {
    "UTF-16 after US-ASCII": b"target/\r\n*.log\r\n" * 5 + "dépôt/\r\n".encode("utf-16-le") * 3,
    "US-ASCII after UTF-16": ("\ufeff" + "Die Größe der Straße\r\n" * 30).encode("utf-16-le") + b"one more line\r\n" * 3,
    "UTF-8 after ISO-2022-JP": "日本語のテキスト\n".encode("iso2022_jp") * 20 + "Größe\n".encode() * 3,
    "mails": b"".join(
        f"From a@b.c Mon Jan 1\nContent-Type: text/plain; charset={charset}\n\n{text}\n\n".encode(charset)
        for charset, text in (("koi8-r", TEXTS[3][2] * 3), ("iso-8859-1", "Grüße aus Köln an die Straße " * 4))
    ),
}


@pytest.mark.parametrize("name", JOINED)
def test_joined_texts_are_mixed_through_every_door(name, tmp_path):
    data = JOINED[name]
    found = utfkit.detect(data)
    assert found.is_mixed and found.encoding is None and not found.is_binary and found.certainty == "nearly certain", found
    (tmp_path / "text").write_bytes(data)
    assert utfkit.detect(tmp_path / "text") == found and utfkit.detect(bytearray(data)) == found
    with pytest.raises(ValueError, match="which encoding it is in is not certain"):
        utfkit.convert_file(tmp_path / "text")
    pa = pytest.importorskip("pyarrow")
    from utfkit import arrow

    [row] = pa.array(arrow.detect(pa.array([data]))).to_pylist()
    assert row == {"encoding": found.name, "certainty": found.certainty}


def test_other_modules_name_one_encoding_for_joined_texts():
    """As the packages whose place they take, which know no others."""
    data = JOINED["UTF-8 after ISO-2022-JP"]
    assert chardet.detect(data)["encoding"] == "utf-8" and charset_normalizer.from_bytes(data).best().encoding == "utf_8"
    assert chardet.detect(JOINED["mails"])["encoding"] == "KOI8-R"


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        ("cp1251", "Windows-1251"),
        ("koi8-r", "KOI8-R"),
        ("mac-cyrillic", "MacCyrillic"),
        ("cp866", "IBM866"),
        ("utf-8", "utf-8"),
        ("utf-8-sig", "UTF-8-SIG"),
        ("utf-16", "UTF-16"),
        ("utf-16-le", "utf-16-le"),
    ],
)
def test_chardet_names(encoding, name):
    text = TEXTS[2][2]
    data = text.encode(encoding)
    result = chardet.detect(data)
    assert result == chardet.detect_all(data)[0]
    assert (result["encoding"], result["language"], result["mime_type"]) == (name, "ru", "text/plain")
    # Two answers are guesses: in MacCyrillic one letter of this text differs from windows-1251, and in IBM866 a word of
    # it is UTF-8 by chance.
    assert result["confidence"] > {"mac-cyrillic": 0.5, "cp866": 0.8}.get(encoding, 0.9)
    assert data.decode(name) == text
    raw = chardet.detect(data, compat_names=False)["encoding"]
    assert data.decode(raw) == text and raw == raw.lower()


def test_chardet_arguments():
    data = encoded(TEXTS[0][2], "windows-1252")
    assert chardet.detect(data, include_encodings=["latin-1", "utf-8"])["encoding"] == "ISO-8859-1"
    assert chardet.detect(data, include_encodings=["latin-1", "cp1252"], prefer_superset=True)["encoding"] == "Windows-1252"
    assert chardet.detect(data, exclude_encodings=["cp1252"])["encoding"] != "Windows-1252"
    assert chardet.detect(data, encoding_era=chardet.EncodingEra.LEGACY_ISO)["encoding"].upper().startswith("ISO")
    assert chardet.detect(b"plain") == {"encoding": "ascii", "confidence": 1.0, "language": None, "mime_type": "text/plain"}
    assert chardet.detect(b"plain", prefer_superset=True)["encoding"] == "Windows-1252"
    with pytest.warns(DeprecationWarning, match="should_rename_legacy"):
        assert chardet.detect(b"plain", should_rename_legacy=True)["encoding"] == "Windows-1252"
    assert chardet.detect(b"")["encoding"] == "utf-8"
    assert chardet.detect(b"", empty_input_encoding="ascii")["encoding"] == "ascii"
    assert chardet.detect(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")["mime_type"] == "image/png"
    assert chardet.detect(b"a" * 50 + b"\xff" * 50, max_bytes=50)["encoding"] == "ascii"
    assert len(chardet.detect_all(b"a\xe9\xe8 b\xc4", ignore_threshold=True)) > 3
    with pytest.warns(UserWarning):
        assert chardet.detect(data, include_encodings=["utf-8"])["encoding"] is None
    for arguments in ({"max_bytes": 0}, {"include_encodings": ["klingon"]}, {"include_encodings": []}):
        with pytest.raises(ValueError):
            chardet.detect(data, **arguments)


def test_chardet_streams():
    data = encoded(TEXTS[2][2], "koi8-r")
    detector = chardet.UniversalDetector()
    assert detector.result["encoding"] is None and not detector.done
    for at in range(0, len(data), 7):
        detector.feed(data[at : at + 7])
    assert detector.close() == detector.result == chardet.detect(data)
    assert detector.done
    with pytest.raises(ValueError):
        detector.feed(b"a")
    detector.reset()
    detector.feed(b"plain")
    assert detector.close()["encoding"] == "ascii"


@pytest.mark.parametrize(("encoding", "language", "text"), TEXTS)
def test_charset_normalizer(encoding, language, text, tmp_path):
    data = encoded(text, encoding)
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    for matches in (
        charset_normalizer.from_bytes(data),
        charset_normalizer.from_bytes(bytearray(data)),
        charset_normalizer.from_path(path),
        charset_normalizer.from_fp(io.BytesIO(data)),
    ):
        best = matches.best()
        assert best is not None and best is matches[0] is matches.first()
        assert str(best) == text and best.raw == data and best.output() == text.encode()
        assert best == encoding.replace("shift_jis", "cp932") and best.encoding in best.could_be_from_charset
        assert best.language == dict(utfkit.language_names())[language] and best.languages == [best.language]
        assert best.chaos < 0.1 and best.percent_chaos < 10 and best.coherence > 0.9
        assert not best.bom and best.alphabets
        assert matches[best.encoding] is best
    assert not charset_normalizer.is_binary(data) and not charset_normalizer.is_binary(str(path))
    with pytest.raises(KeyError):
        charset_normalizer.from_bytes(data)["utf-7"]


def test_charset_normalizer_forms():
    assert charset_normalizer.from_bytes(b"").best().encoding == "utf_8"
    assert not charset_normalizer.from_bytes(b"\x7fELF\x02\x01\x01" + bytes(20))
    assert charset_normalizer.is_binary(io.BytesIO(b"\x7fELF\x02\x01\x01" + bytes(20)))
    best = charset_normalizer.from_bytes("\ufeffnaïve".encode()).best()
    assert (best.encoding, best.bom, str(best)) == ("utf_8", True, "naïve")
    page = "<html><head><meta charset='windows-1251'></head><p>Вечером мы сидели у реки</p></html>"
    best = charset_normalizer.from_bytes(page.encode("cp1251")).best()
    assert best.output() == page.replace("windows-1251", "utf-8").encode()
    data = encoded(TEXTS[0][2], "windows-1252")
    assert charset_normalizer.from_bytes(data, cp_isolation=["latin_1"]).best().encoding == "latin_1"
    assert "cp1252" not in [m.encoding for m in charset_normalizer.from_bytes(data, cp_exclusion=["cp1252"])]
    # Names that it does not know are passed over.
    assert charset_normalizer.from_bytes(data, cp_isolation=["nix", "latin_1"]).best().encoding == "latin_1"
    assert charset_normalizer.from_bytes(data, cp_isolation=["nix"]).best() is None
    assert charset_normalizer.from_bytes(data, cp_exclusion=["nix"]).best().encoding == "cp1252"
    result = charset_normalizer.detect(data)
    assert (result["encoding"], result["language"]) == ("Windows-1252", "French") and result["confidence"] > 0.9
    assert charset_normalizer.detect(data, should_rename_legacy=True)["encoding"] == "cp1252"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        charset_normalizer.detect(data, chunk_size=5)
    assert len(caught) == 1
    with pytest.raises(TypeError):
        charset_normalizer.from_bytes("text")


@pytest.mark.parametrize("codec", ["utf_8", "utf_16_le", "utf_16_be", "utf_32_le", "utf_32_be"])
@pytest.mark.parametrize("text", ["tea and cake\n" * 4, "\ufefftea and cake\n" * 4])
def test_charset_normalizer_takes_one_bom_off(codec, text):
    best = charset_normalizer.from_bytes(("\ufeff" + text).encode(codec)).best()
    assert best.bom and str(best) == text


def test_charset_normalizer_output_declares_the_encoding_it_is_in():
    page = "<?xml version='1.0' encoding='UTF-8'?><tea>crème</tea>"
    best = charset_normalizer.from_bytes(page.encode()).best()
    assert best.output() == best.output("u8") == page.encode()
    assert best.output("cp1252").decode("cp1252") == page.replace("UTF-8", "cp1252")
    assert best.output("latin-1").decode("latin-1") == page.replace("UTF-8", "latin-1")
    with pytest.raises(ValueError, match="unknown encoding: nix"):
        best.output("nix")
    with pytest.raises(LookupError):
        charset_normalizer.from_bytes("crème".encode()).best().output("nix")


def test_charset_normalizer_shapes(tmp_path):
    best = charset_normalizer.from_bytes("crème".encode()).best()
    assert repr(best) == f"<CharsetMatch 'utf_8' fp({hash('crème')})>"
    assert "u8" in best.encoding_aliases and "utf_8" in charset_normalizer.from_bytes(b"a", cp_isolation=["utf-8"]).best().could_be_from_charset
    path = tmp_path / "a"
    path.write_bytes(b"\x7fELF\x02\x01\x01" + bytes(20))
    for value in (path, str(path), path.read_bytes(), bytearray(path.read_bytes())):
        assert charset_normalizer.is_binary(value, 5, 256, 0.1)
    path.write_bytes("crème brûlée".encode("cp1252"))
    assert not charset_normalizer.is_binary(path, steps=1, enable_fallback=False)
    found = charset_normalizer.from_path(path, 5, 512, 0.2, ["cp1252"])
    assert [match.encoding for match in found] == ["cp1252"]
    with path.open("rb") as file:
        assert charset_normalizer.from_fp(file, 5, 512, 0.2, ["latin_1"]).best().encoding == "latin_1"


def test_chardet_result_as_an_object():
    result = chardet.detect("Сколько воды утекло".encode("koi8-r"))
    held = chardet.DetectionResult(**result)
    assert held.encoding == "KOI8-R" and held.to_dict() == result
    with pytest.raises(AttributeError):
        held.encoding = "utf-8"


def test_chardet_refuses_what_is_not_bytes():
    for wrong in ("text", None, 5):
        for call in (chardet.detect, chardet.detect_all, chardet.UniversalDetector().feed):
            with pytest.raises(TypeError, match=f"bytes-like object is required, not '{type(wrong).__name__}'"):
                call(wrong)
