"""Objects with the buffer protocol, and memory that changes during a call."""

from __future__ import annotations

import array
import codecs
import mmap
import sys
import threading
import time

import pytest

import utfkit

utfkit.register()


def test_every_kind_of_buffer(tmp_path):
    data = "één €".encode()
    path = tmp_path / "file"
    path.write_bytes(data)
    with open(path, "r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
        buffers = [bytearray(data), memoryview(data), memoryview(bytearray(data)), mapped, array.array("B", data),
                   memoryview(data)[:], memoryview(data).cast("b"), memoryview(b"".join(bytes([b, 0]) for b in data))[::2]]
        for buffer in buffers:
            assert utfkit.decode(buffer) == "één €"
            assert utfkit.is_utf8(buffer)
            assert utfkit.check(buffer) == []
            assert utfkit.detect(buffer).encoding == "utf-8"
            assert utfkit.repair(buffer).text == "één €"
            assert [piece.char for piece in utfkit.inspect(buffer)] == list("één €")
            assert list(utfkit.errors(buffer)) == []
        del buffers, buffer
    assert utfkit.decode(array.array("H", [0x20AC, 0x61]), "utf-16-le" if sys.byteorder == "little" else "utf-16-be") == "€a"


class Numbered(bytearray):
    """Its buffer is not what the type `bytes` makes of it."""

    def __index__(self):
        return 3

    def __bytes__(self):
        return b"other"


def test_a_buffer_before_what_bytes_would_make():
    data = Numbered("één".encode())
    assert utfkit.decode(data) == "één"
    assert utfkit.repair(data).text == "één"
    assert [piece.char for piece in utfkit.inspect(data)] == list("één")
    assert codecs.lookup("utfkit-utf-8").incrementaldecoder().decode(data) == "één"
    # Numbers of NumPy have both: this one is eight bytes, and not ten million.
    numpy = pytest.importorskip("numpy")
    for number in (numpy.int64(10_000_000), numpy.array(10_000_000)):
        assert utfkit.decode(number, "latin-1") == number.tobytes().decode("latin-1")


def test_a_buffer_is_released():
    data = bytearray(b"abc")
    utfkit.decode(data)
    errors = utfkit.errors(data)
    data.extend(b"\xff")
    # The bytes at the time of the call.
    assert list(errors) == []


@pytest.mark.parametrize("size", [40, 5000, 300_000])
def test_a_thread_writes(size):
    """The result is one of the texts, or an error, but never a string of bytes that were not checked."""
    ways = ["é".encode(), b"\xe2\x82", b"ab", b"\xff\xff"]
    data = bytearray("é".encode() * size)
    stop = threading.Event()

    def write():
        step = 0
        while not stop.is_set():
            piece = ways[step % len(ways)]
            at = (step * 64) % (len(data) - 2)
            data[at : at + 2] = piece
            step += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        end = time.monotonic() + 1
        while time.monotonic() < end:
            try:
                text = utfkit.decode(data)
            except UnicodeDecodeError as error:
                # The exception has the bytes that were checked.
                assert isinstance(error.object, bytes)
                with pytest.raises(UnicodeDecodeError) as again:
                    error.object.decode()
                assert (again.value.start, again.value.end) == (error.start, error.end)
                continue
            # A malformed string would show here.
            assert text.encode().decode() == text
            assert max(text) <= "\uffff"
            lossy = utfkit.decode(data, "utf-8", "replace")
            assert utfkit.is_utf8(utfkit.encode(lossy))
            repaired = utfkit.repair(data)
            assert utfkit.is_utf8(repaired.bytes)
            utfkit.check(data)
            utfkit.detect(data)
    finally:
        stop.set()
        writer.join()


def test_other_threads_run_meanwhile():
    """Long work releases the interpreter."""
    data = "één €".encode() * 8_000_000
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.0005)

    ticker = threading.Thread(target=tick)
    interval = sys.getswitchinterval()
    ticker.start()
    try:
        # No other thread runs before the switch interval ends.
        sys.setswitchinterval(100)
        for work in (utfkit.decode, utfkit.is_utf8, utfkit.check, utfkit.detect):
            # On a busy machine the other thread may wait for a processor.
            for _ in range(100):
                start = time.perf_counter()
                work(data)
                end = time.perf_counter()
                if any(start < at < end for at in ticks):
                    break
                time.sleep(0.001)
            else:
                pytest.fail(f"{work.__name__}: nobody else ran in {end - start:.3f} s")
    finally:
        sys.setswitchinterval(interval)
        done.set()
        ticker.join()


def test_many_threads_at_once():
    texts = ["aé日😀" * n for n in (1, 40, 4000)]
    problems = []

    def work():
        try:
            for _ in range(200):
                for text in texts:
                    assert utfkit.decode(utfkit.encode(text)) == text
                    assert utfkit.decode(utfkit.encode(text, "utf-16"), "utf-16") == text
        except BaseException as error:  # noqa: BLE001
            problems.append(error)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
