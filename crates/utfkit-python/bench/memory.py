"""The memory of the process over many calls of every kind.

    python bench/memory.py               # 200,000 calls, some seconds
    python bench/memory.py 10000000

Prints the calls, and the process's memory in KB after a tenth of them, four times in between, and at the end. The
status is 1 if it has grown by more than 2 MB from the first to the last.
"""

from __future__ import annotations

import codecs
import io
import pickle
import sys
from collections.abc import Callable

import utfkit

MOST_GROWTH = 2048
HANDLERS = ("replace", "ignore", "backslashreplace", "surrogateescape", "xmlcharrefreplace", "utfkit.maximal_subpart")


def size() -> int:
    """The resident memory in KB."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4


def kinds() -> list[Callable[[int, str, str], object]]:
    """Each makes one call, or the few that belong together, with a number, an encoding and a handler."""
    damaged = b"a\xe9\xc4\xe5 \xff~{0!~} \x1b$B\xff"
    foreign = "a\u00e9\u65e5\ud800\U0001f600"

    def file(_: int, name: str, errors: str) -> None:
        memory = io.BytesIO()
        with io.TextIOWrapper(memory, "utfkit-" + name, errors) as text:
            text.write(foreign)
            text.seek(0)
            text.read()

    def decoder(_: int, name: str, errors: str) -> None:
        made = codecs.getincrementaldecoder("utfkit-" + name)(errors)
        made.decode(damaged[:5])
        made.setstate(made.getstate())
        made.decode(damaged[5:], True)

    def encoder(_: int, name: str, errors: str) -> None:
        made = codecs.getincrementalencoder("utfkit-" + name)(errors)
        made.encode(foreign[:2])
        made.setstate(made.getstate())
        made.encode(foreign[2:], True)

    def detect(number: int, _: str, __: str) -> None:
        # A thousand times as long as most others.
        if number % 50 == 0:
            pickle.loads(pickle.dumps(utfkit.detect(b"caf\xe9 ol\xe9")))

    return [
        lambda _, name, errors: utfkit.decode(damaged, name, errors),
        lambda _, name, errors: utfkit.encode(foreign, name, errors),
        lambda *_: utfkit.decode(b"caf\xc3\xa9"),
        lambda *_: utfkit.encode("caf\u00e9"),
        lambda *_: utfkit.decode(b"caf\xe9"),
        lambda _, name, __: utfkit.encode("\ud800", name),
        lambda number, *_: utfkit.decode(b"", f"no-such-{number}"),
        lambda number, *_: utfkit.decode(b"\xff", "utf-8", f"no-such-{number}"),
        lambda *_: utfkit.decode(3),  # type: ignore[arg-type]
        lambda *_: utfkit.decode(b"\xff" * 300, "utf-8", "utfkit.windows_1252"),
        lambda *_: pickle.loads(pickle.dumps(utfkit.check(b"a\xffb"))),
        lambda *_: next(utfkit.errors(b"a\xffb")),
        lambda *_: list(utfkit.inspect(b"a\xc3\xa9")),
        lambda *_: pickle.loads(pickle.dumps(utfkit.repair(b"caf\xe9", fallback="cp1252"))),
        lambda *_: utfkit.fix_encoding("\u00c3\u00a9"),
        detect,
        decoder,
        encoder,
        file,
    ]


def calls(first: int, count: int) -> None:
    """Makes `count` calls of the kinds in turn."""
    names = [name for name, _ in utfkit.encoding_names()]
    each = kinds()
    for number in range(first, first + count):
        turn, kind = divmod(number, len(each))
        try:
            each[kind](turn, names[turn % len(names)], HANDLERS[turn // len(names) % len(HANDLERS)])
        except (LookupError, TypeError, ValueError):
            # Among them the errors of the text that a handler does not take.
            pass


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    utfkit.register()
    # Every encoding with every handler, so that all tables are made.
    warm = max(count // 10, len(kinds()) * len(HANDLERS) * len(utfkit.encoding_names()))
    calls(0, warm)
    before = now = size()
    print(f"{warm:12} {before:8} KB", flush=True)
    for step in range(1, 6):
        calls(warm + count * (step - 1) // 5, count * step // 5 - count * (step - 1) // 5)
        now = size()
        print(f"{warm + count * step // 5:12} {now:8} KB", flush=True)
    return int(now - before > MOST_GROWTH)


if __name__ == "__main__":
    sys.exit(main())
