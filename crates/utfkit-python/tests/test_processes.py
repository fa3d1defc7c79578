"""Threads, interpreters, memory.

UTFKIT_CALLS is the number of calls whose memory is watched (default 100,000).
"""

from __future__ import annotations

import codecs
import os
import pickle
import random
import subprocess
import sys
import sysconfig
import threading
from pathlib import Path

import parts
import pytest

import utfkit

CALLS = int(os.environ.get("UTFKIT_CALLS", "100000"))


@pytest.mark.parametrize("order", ["main other other", "other main other"])
def test_one_interpreter_of_a_process(order):
    """The first that can import the package has it, and the others get an ImportError."""
    program = f"""
import sys
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
code = "import sys; sys.path[:0] = " + repr(sys.path) + '''
try:
    import utfkit
    print("taken", utfkit.decode(b"a"))
except ImportError as error:
    print("refused", error)
sys.stdout.flush()
'''
run = getattr(interpreters, "run_string", None) or interpreters.exec
for who in {order.split()}:
    if who == "main":
        exec(code)
    else:
        run(interpreters.create(), code)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    if "No module named" in done.stderr:
        pytest.skip("left out: this Python has no other interpreters")
    said = [line.split()[0] for line in done.stdout.splitlines()]
    # From Python 3.12 on those others have a lock of their own, and no module without support for that.
    first = said[:1] == ["taken"] or sys.version_info >= (3, 12) and order.startswith("other")
    assert first and len(said) == 3 and said.count("taken") == 1, done.stdout + done.stderr
    assert done.returncode == 0


def at_once(work, count: int = 8) -> None:
    """Calls `work` with each number below `count`, in as many threads."""
    errors: list[BaseException] = []
    barrier = threading.Barrier(count)

    def run(number: int) -> None:
        barrier.wait()
        try:
            work(number)
        except BaseException as error:  # noqa: BLE001
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors, errors[0]


def test_register_in_threads():
    names = [name for name, _ in utfkit.encoding_names()]

    def work(number: int) -> None:
        for _ in range(50):
            utfkit.register()
            name = names[number::8]
            for each in name:
                codecs.lookup("utfkit-" + each)

    at_once(work)
    before = len([1 for name in names if codecs.lookup("utfkit-" + name)])
    assert before == len(names)
    at_once(lambda number: [(utfkit.unregister(), utfkit.register()) for _ in range(100)])
    utfkit.unregister()
    # Python forgets no codec that it has found; a new name is not found.
    with pytest.raises(LookupError):
        codecs.lookup("utfkit-iso-8859-1-once-more")
    utfkit.register()
    assert "é".encode("utfkit-cp850") == b"\x82"


def test_first_uses_in_threads():
    """Tables are made once, whoever asks first."""
    program = """
import threading, utfkit
names = [name for name, _ in utfkit.encoding_names()]
barrier, results = threading.Barrier(8), []
def work():
    barrier.wait()
    results.append([utfkit.encode("a\\u00e9\\u65e5", name, "ignore") + utfkit.decode(b"a\\xe9\\xc4\\xe5 ", name, "replace").encode("utf-16le", "surrogatepass") for name in names])
threads = [threading.Thread(target=work) for _ in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
assert len(results) == 8 and all(result == results[0] for result in results)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_one_detection_in_threads():
    for text in ("Съешь ещё этих мягких французских булок".encode("koi8-r"), b"caf\xe9 ol\xe9"):
        expected = pickle.dumps(utfkit.detect(text).to_dict())
        for _ in range(20):
            found = utfkit.detect(text)
            at_once(lambda _, found=found: pickle.dumps(found.to_dict()) == expected and found.candidates or 1 / 0)


def test_all_encodings_in_threads():
    """Each thread has the results that one alone has, and a shared codec stays whole."""

    def work(number: int) -> None:
        rng = random.Random(f"threads {number}")
        for _ in range(40):
            encoding = rng.choice(parts.ENCODINGS)
            parts.decode_in_parts(rng, encoding, rng.choice(parts.DECODE))
            parts.encode_in_parts(rng, encoding, rng.choice(parts.ENCODE))
            parts.as_copied(rng, encoding, rng.choice(parts.COPIED))

    at_once(work)
    decoder = codecs.getincrementaldecoder("utfkit-hz")("replace")
    encoder = codecs.getincrementalencoder("utfkit-hz")("replace")

    def share(number: int) -> None:
        for _ in range(500):
            decoder.decode(b"~{VP\xff"), decoder.getstate()
            decoder.errors = "ignore" if number % 2 else "replace"
            encoder.encode("\u4e2d\U0001f600a"), encoder.getstate()
            decoder.setstate((b"", 0)), encoder.setstate(0)

    at_once(share)
    decoder.reset(), encoder.reset()
    assert decoder.decode(b"~{VP~}a", True) == "\u4e2da" and encoder.encode("\u4e2da", True) == b"~{VP~}a"


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="left out: this Python has a GIL")
def test_no_gil_is_needed():
    program = "import sys, utfkit, utfkit.arrow; utfkit.register(); print(sys._is_gil_enabled())"
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n", done.stdout


def test_an_iterator_of_two_threads():
    """Errors are neither lost nor doubled; Python may refuse one of two calls at the same time."""
    errors = utfkit.errors(b"\xff" * 300_000)
    found: list[list[int]] = [[], []]

    def work(number: int) -> None:
        while True:
            try:
                found[number].append(next(errors).offset)
            except StopIteration:
                return
            except RuntimeError:
                continue

    at_once(work, 2)
    assert sorted(found[0] + found[1]) == list(range(300_000))


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="left out: memory is measured on Linux")
def test_memory_is_flat():
    """Calls of every kind, after which the process is as large as after a tenth of them."""
    program = Path(__file__).parents[1] / "bench" / "memory.py"
    done = subprocess.run([sys.executable, program, str(CALLS)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="left out: memory is measured on Linux")
def test_memory_is_flat_by_decode_and_encode_alone():
    """No other call gives back what these hold: exceptions and handlers above all."""
    program = r"""
import utfkit
def size():
    return int(open("/proc/self/statm").read().split()[1]) * 4
def calls(count):
    for _ in range(count):
        for call, *arguments in work:
            try: call(*arguments)
            except UnicodeError: pass
work = [(utfkit.encode, "a\u20ac", "ascii"), (utfkit.encode, "\ud800"), (utfkit.encode, "a\u20ac", "hz", "replace"),
        (utfkit.encode, "a\u20ac", "latin-1", "namereplace"), (utfkit.decode, b"a\xff"), (utfkit.decode, b"a\xff", "utf-8"),
        (utfkit.decode, b"a\xff", "shift_jis"), (utfkit.decode, b"a\xff" * 400, "utf-8", "ignore")]
calls(2000)
before = size()
calls(20000)
print(before, size())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    before, after = map(int, done.stdout.split())
    assert after - before < 2048, f"{before} KB, then {after} KB"
