"""The classes of the incremental codecs: what a program can do with them beside encoding and decoding."""

from __future__ import annotations

import codecs
import copy
import gc
import io
import pickle
import random
import sys
import threading

import pytest
from parts import ENCODINGS

import utfkit

utfkit.register()

TEXT = "a \u00e9 \u0416 \u65e5\u672c \ud55c 😀\ufeff~+&\n"


def encoder(name: str, errors: str = "strict"):
    return codecs.getincrementalencoder("utfkit-" + name)(errors)


class Loud(codecs.lookup("utfkit-utf-16").incrementalencoder):
    """With arguments, attributes and a method of its own."""

    def __init__(self, times: int, errors: str = "strict") -> None:
        super().__init__(errors)
        self.times = times

    def encode(self, input: str, final: bool = False) -> bytes:
        return super().encode(input.upper() * self.times, final)


class Quiet(codecs.lookup("utfkit-shift_jis").incrementaldecoder):
    def decode(self, input, final: bool = False) -> str:
        return super().decode(input, final).lower()


@pytest.mark.parametrize("name", ENCODINGS)
def test_the_classes(name):
    info = codecs.lookup(name)
    for made, base in ((info.incrementalencoder, codecs.IncrementalEncoder), (info.incrementaldecoder, codecs.IncrementalDecoder)):
        assert issubclass(made, base) and made.__name__ == base.__name__
        assert "utfkit-" + made.encoding == info.name or made.encoding == info.name
        assert made().errors == made(errors="strict").errors == "strict"
        assert made(None).errors == "strict" and made("replace").errors == "replace"
        for wrong in (5, b"strict"):
            with pytest.raises(TypeError):
                made(wrong)
        thing = made()
        for wrong in (None, 5, b"strict"):
            with pytest.raises(TypeError):
                thing.errors = wrong
            assert thing.errors == "strict"
        with pytest.raises(AttributeError):
            del thing.errors
        with pytest.raises(TypeError):
            made("strict", "replace")
        thing.mark = 5
        assert thing.mark == 5


@pytest.mark.parametrize("name", ENCODINGS)
def test_arguments(name):
    text = utfkit.decode(utfkit.encode(TEXT, name, "ignore"), name)
    whole = utfkit.encode(text, name)
    make = codecs.getincrementalencoder(name)
    assert make().encode(text, True) == make().encode(text, final=True) == make().encode(input=text, final=1) == whole
    assert make().encode(final=True, input=text) == whole
    for arguments, names in [((), {}), ((text, True, 1), {}), ((text,), {"input": text}), ((text,), {"last": True}), ((b"a",), {}), ((None, True), {}), ((5,), {})]:
        with pytest.raises(TypeError):
            make().encode(*arguments, **names)
    with pytest.raises(TypeError, match="'input' must be str, not bytes"):
        make().encode(b"a")
    make = codecs.getincrementaldecoder(name)
    start = 3 if name == "utfkit-utf-8-sig" else 0
    assert make().decode(whole, True) == make().decode(final=[1], input=bytearray(whole)) == utfkit.decode(whole, name), start
    for wrong in (text, None, 5):
        with pytest.raises(TypeError):
            make().decode(wrong)


def test_a_class_of_the_program():
    loud = Loud(2, errors="replace")
    file = io.TextIOWrapper(io.BytesIO(), "utfkit-utf-16")
    assert isinstance(loud, codecs.IncrementalEncoder) and loud.errors == "replace"
    assert loud.encode("ab") + loud.encode("c") == "ABABCC".encode("utf-16")
    assert Quiet().decode("ABC日".encode("shift_jis")) == "abc日"
    del file
    # In a codec of the program, with a file that calls what the class has in place of ours.
    info = codecs.lookup("utfkit-utf-16")
    twice = type("Twice", (Loud,), {"__init__": lambda self, errors="strict": Loud.__init__(self, 2, errors)})
    found = codecs.CodecInfo(info.encode, info.decode, info.streamreader, info.streamwriter, twice, info.incrementaldecoder, "test-loud")
    search = {"test_loud": found}.get
    codecs.register(search)
    try:
        raw = io.BytesIO()
        file = io.TextIOWrapper(raw, "test-loud", write_through=True)
        file.write("ab")
        file.write("c")
        assert raw.getvalue() == "ABABCC".encode("utf-16")
    finally:
        codecs.unregister(search)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickled(protocol):
    loud = Loud(3, "replace")
    loud.encode("a")
    loud.mark = [1]
    other = pickle.loads(pickle.dumps(loud, protocol))
    assert type(other) is Loud and other.__dict__ == {"times": 3, "mark": [1]} and other.errors == "replace"
    assert other.encode("b") == "BBB".encode("utf-16-le")
    quiet = Quiet("ignore")
    quiet.decode("日".encode("shift_jis")[:1])
    other = pickle.loads(pickle.dumps(quiet, protocol))
    assert (type(other), other.errors, other.getstate()) == (Quiet, "ignore", quiet.getstate())
    assert other.decode("日".encode("shift_jis")[1:]) == "日"


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("name", ["hz", "utf-16", "shift_jis", "cesu-8"])
def test_codecs_are_pickled_by_name(name, protocol):
    info = codecs.lookup("utfkit-" + name)
    other = pickle.loads(pickle.dumps(info, protocol))
    assert other == info and other.name == info.name and other.encode("é日", "ignore") == info.encode("é日", "ignore")
    first = encoder(name, "ignore")
    first.encode("x日")
    second = pickle.loads(pickle.dumps(first, protocol))
    assert (type(second), second.errors, second.getstate()) == (type(first), "ignore", first.getstate())
    assert second.encode("国y", True) == first.encode("国y", True)
    data = utfkit.encode("x日国y", name, "ignore")
    first = codecs.getincrementaldecoder("utfkit-" + name)("ignore")
    front = first.decode(data[: len(data) // 2])
    second = pickle.loads(pickle.dumps(first, protocol))
    assert second.getstate() == first.getstate()
    rest = second.decode(data[len(data) // 2 :], True)
    assert front + rest == utfkit.decode(data, name, "ignore") and rest == first.decode(data[len(data) // 2 :], True)
    # A class that is derived from one of these is pickled as any class of the program.
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(type("Nameless", (type(first),), {})(), protocol)


@pytest.mark.parametrize("name", ENCODINGS)
def test_copied(name):
    text = utfkit.decode(utfkit.encode(TEXT, name, "ignore"), name)
    first = codecs.getincrementalencoder(name)("ignore")
    first.encode(text)
    for how in (copy.copy, copy.deepcopy):
        other = how(first)
        assert (type(other), other.errors, other.getstate()) == (type(first), "ignore", first.getstate())
        again = codecs.getincrementalencoder(name)("ignore")
        again.setstate(first.getstate())
        assert other.encode(text, True) == again.encode(text, True)
    first = codecs.getincrementaldecoder(name)("ignore")
    first.decode(utfkit.encode(text, name)[:-1])
    for how in (copy.copy, copy.deepcopy):
        other = how(first)
        assert (type(other), other.errors, other.getstate()) == (type(first), "ignore", first.getstate())


@pytest.mark.parametrize("name", ENCODINGS)
def test_any_state(name):
    """A number that no encoder has returned is refused, or a state like others: never an end of the process."""
    rng = random.Random(name)
    first, reader = codecs.getincrementalencoder(name)("backslashreplace"), codecs.getincrementaldecoder(name)("replace")
    for wrong in (-1, 1 << 31, 1 << 64, -(1 << 80), "x"):
        with pytest.raises(ValueError):
            first.setstate(wrong)
    for wrong in (None, [], b"", {}):
        with pytest.raises((TypeError, ValueError)):
            first.setstate(wrong)
        with pytest.raises(TypeError):
            reader.setstate(wrong)
    for wrong in ((b"", -1), (b"", 1 << 31), (b"",), (), (b"", 0, 0)):
        with pytest.raises(ValueError):
            reader.setstate(wrong)
    for wrong in (("", 0), (b"", "0"), (None, 0), (bytearray(), 0), (b"", 1.0)):
        with pytest.raises(TypeError):
            reader.setstate(wrong)
    assert first.getstate() == type(first)().getstate() and reader.getstate() == type(reader)().getstate()
    for _ in range(300):
        state = rng.choice([rng.randrange(64), rng.randrange(1 << 31), 1 << rng.randrange(31)])
        first.setstate(state)
        for text in ("", "a", TEXT, "\ud800"):
            assert isinstance(first.encode(text, rng.random() < 0.5), bytes)
            first.setstate(first.getstate())
        reader.setstate((bytes(rng.randrange(256) for _ in range(rng.randrange(9))), state))
        for _ in range(3):
            assert isinstance(reader.decode(bytes(rng.randrange(256) for _ in range(rng.randrange(9))), rng.random() < 0.5), str)
            reader.setstate(reader.getstate())


@pytest.mark.parametrize("name", ENCODINGS)
def test_a_handler_that_calls_its_object(name):
    """Whatever a handler does to the object that it is called for, the part is encoded by what was said before it."""
    rest = []

    def busy(error):
        for thing in rest:
            thing.errors = "ignore"
            if isinstance(error, UnicodeEncodeError):
                thing.encode("b\ud800c")
            else:
                thing.decode(b"b\xff\xff\xff\xff")
            thing.reset()
            thing.setstate(thing.getstate())
            thing.errors = "test.busy"
            gc.collect()
        return "?", error.end

    codecs.register_error("test.busy", busy)
    text = "a\ud800b"
    plain = codecs.getincrementalencoder(name)("test.busy")
    expected = [plain.encode(text), plain.encode(text, True)]
    first = codecs.getincrementalencoder(name)("test.busy")
    rest.append(first)
    assert [first.encode(text), first.encode(text, True)] == expected
    assert first.errors == "test.busy"
    rest.clear()
    data = utfkit.encode("ab", name) + b"\xff\xff\xff\xff" + utfkit.encode("ab", name)
    expected = codecs.getincrementaldecoder(name)("test.busy").decode(data, True)
    reader = codecs.getincrementaldecoder(name)("test.busy")
    rest.append(reader)
    assert reader.decode(data, True) == expected
    rest.clear()


@pytest.mark.parametrize(("name", "ill_formed"), [("ascii", b"\xff"), ("windows-1253", b"\xff"), ("ibm864", b"\xff"), ("utf-8", b"\xff"), ("shift_jis", b"\xff"), ("hz", b"\xff"), ("utf-16-be", b"\xdc\x00")])
def test_a_handler_that_changes_the_bytes(name, ill_formed):
    """Bytes that it cuts off a last part, or one in an encoding of single bytes, are not read again."""
    a, b = "a".encode(name), "b".encode(name)

    def cut(error):
        error.object = error.object[: error.end]
        return "?", error.end

    def grow(error):
        error.object = error.object[: error.end] + a + error.object[error.end :]
        return "?", error.end

    for handler, text in ((cut, "a?"), (grow, "a?ab")):
        codecs.register_error("test.changes", handler)
        for last in (True, False) if name in ("ascii", "windows-1253", "ibm864") else (True,):
            reader = codecs.getincrementaldecoder("utfkit-" + name)("test.changes")
            assert (reader.decode(a + ill_formed + b, last), reader.getstate()[0]) == (text, b"")
            assert reader.decode(b, True) == "b"


def test_an_exception_of_a_handler_leaves_the_state():
    def raising(error):
        raise KeyError("mine")

    codecs.register_error("test.mine", raising)
    for name in ("iso-2022-jp", "utf-16", "utf-7", "hz"):
        first = encoder(name, "test.mine")
        first.encode("日")
        before = first.getstate()
        for errors, error in (("test.mine", KeyError), ("strict", UnicodeEncodeError), ("test.unknown", LookupError), ("\ud800", UnicodeEncodeError)):
            first.errors = errors
            assert first.errors == errors
            with pytest.raises(error):
                first.encode("本\ud800")
            assert first.getstate() == before
        first.errors = "strict"
        other = encoder(name)
        other.setstate(before)
        assert first.encode("本", True) == other.encode("本", True)


def test_a_last_part_is_remembered():
    """Base64 cannot follow base64 in the name of a mailbox, whatever was said to be the last part."""
    for final in (False, True):
        first = encoder("utf-7-imap")
        assert first.encode("é", final) == b"&AOk-"
        with pytest.raises(UnicodeEncodeError):
            first.encode("é")
        assert first.encode("a") + first.encode("é", True) == b"a&AOk-"


def test_a_name_of_a_class_of_its_own():
    class Name(str):
        def __eq__(self, other):
            raise AssertionError("compared")

        def __str__(self):
            raise AssertionError("shown")

        __hash__ = str.__hash__

    for made in (codecs.getincrementalencoder("utfkit-utf-8"), codecs.getincrementaldecoder("utfkit-utf-8")):
        thing = made(Name("replace"))
        assert type(thing.errors) is str and thing.errors == "replace"


def test_methods_refuse_other_objects():
    base = codecs.getincrementalencoder("utfkit-utf-8").__mro__[1]
    for wrong in (None, "", base, codecs.IncrementalEncoder()):
        with pytest.raises(TypeError):
            base.encode(wrong, "a")
    with pytest.raises(TypeError):
        base.encode()
    # No encoding, or none that there is.
    with pytest.raises(AttributeError):
        base()
    with pytest.raises(LookupError):
        type("Wrong", (base,), {"encoding": "nonsense"})()
    with pytest.raises(TypeError):
        type("Wrong", (base,), {"encoding": 5})()
    with pytest.raises(TypeError):
        type("Both", (base, codecs.getincrementaldecoder("utfkit-utf-8")), {})


@pytest.mark.parametrize("name", ["utf-8", "utf-16", "hz", "latin-1", "utf-7", "cp1252"])
def test_threads_share_an_object(name):
    text = utfkit.decode(utfkit.encode(TEXT, name, "ignore"), name)
    shared, reader = encoder(name, "replace"), codecs.getincrementaldecoder("utfkit-" + name)("replace")
    valid = [encoder(name).encode(text)]
    other = encoder(name)
    other.encode(text)
    valid.append(other.encode(text))
    failures = []

    def work(seed: int) -> None:
        rng = random.Random(seed)
        try:
            for _ in range(2000):
                data = shared.encode(text)
                assert data in valid or name in ("hz", "utf-7")
                shared.errors = rng.choice(["replace", "ignore", "backslashreplace"])
                shared.encode("\ud800")
                if rng.random() < 0.1:
                    shared.reset()
                assert isinstance(reader.decode(data[: rng.randrange(len(data))]), str)
                if rng.random() < 0.1:
                    reader.setstate(reader.getstate())
                    reader.errors = "ignore"
        except Exception as error:  # noqa: BLE001
            failures.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert not failures, failures


@pytest.mark.parametrize("name", ENCODINGS)
def test_no_memory_is_lost(name):
    text = utfkit.decode(utfkit.encode(TEXT, name, "ignore"), name)
    first, reader = codecs.getincrementalencoder(name)("test." + "name"), codecs.getincrementaldecoder(name)()
    codecs.register_error("test.name", lambda error: ("?", error.end))

    def work(count: int) -> None:
        for number in range(count):
            first.errors = "replace" if number % 2 else "test.name"
            data = first.encode(text) + first.encode("\ud800")
            reader.errors = "replace" if number % 2 else "test.name"
            reader.decode(data[:-1])
            reader.setstate(reader.getstate())
            copy.copy(first)
            try:
                first.encode(b"", final=number)
            except TypeError:
                pass
        reader.reset()
        first.reset()

    work(50)
    gc.collect()
    before = sys.getallocatedblocks()
    work(400)
    gc.collect()
    assert sys.getallocatedblocks() - before < 100
