"""utfkit compared with Python, chardet, charset-normalizer, ftfy and Polars.

    python bench/bench.py            # all of it, some minutes
    python bench/bench.py --quick    # fewer rounds
    python bench/bench.py decode     # only parts with that in their name

The calls take turns, and the best round of each counts, in time of the processor, so that other work on the
machine matters little. Times are nanoseconds a call, the call itself included. The ratio is the time
of the other divided by that of utfkit. The last part has the means of the ratios and each one below 0.95.
"""

from __future__ import annotations

import codecs
import importlib.util
import io
import math
import os
import platform
import random
import sys
import tempfile
from collections.abc import Callable, Sequence
from time import process_time_ns, thread_time_ns

import utfkit

QUICK = "--quick" in sys.argv
ONLY = [argument for argument in sys.argv[1:] if not argument.startswith("-")]

TEXTS = {
    "US-ASCII": "The quick brown fox jumps over the lazy dog. ",
    "German": "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. ",
    "Latin-1 only": "éàüöñçßæøåÉÀÜÖ",
    "Russian": "Съешь ещё этих мягких французских булок, да выпей же чаю. ",
    "Hindi": "यूनिकोड क्या है? यूनिकोड प्रत्येक अक्षर के लिए एक विशेष नम्बर प्रदान करता है। ",
    "Chinese": "我能吞下玻璃而不伤身体。統一碼給每個字元提供了一個唯一的編碼，",
    "emoji only": "😀😃😄😁🎉🚀",
    "Chinese, emoji": "我能吞下玻璃而不伤身体。統一碼給每個字元提供了一個唯一的編碼，😀",
    "English, emoji": "Good morning to all of you, my dear friends, and have a nice day! 😀 ",
    "chat, emoji": "see you at 8 👍 can’t wait 😀🎉 ",
}
OTHER_TEXTS = {
    "Big5": "我能吞下玻璃而不傷身體。統一碼給每個字元提供了一個唯一的編碼，",
    "Simplified": "我能吞下玻璃而不伤身体。统一码给每个字符提供了一个唯一的编码，",
    "German, euro": "Zwölf Boxkämpfer jagen Viktor für 5 € quer über den großen Deich. ",
    "Japanese, euro": "いろはにほへと 5 € ちりぬるを ",
    "Japanese": "いろはにほへと ちりぬるを ", "Korean": "다람쥐 헌 쳇바퀴에 타고파 ",
}
SHORT = [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64]
LONG = [256, 1024, 4096, 65536, 1 << 20]
# With those of the two above, each power of two from 8 bytes to 1 MiB.
BETWEEN = [128, 512, 2048, 8192, 16384, 32768, 1 << 17, 1 << 18, 1 << 19]


def interleaved(calls: list[Callable[[], object]], size: int) -> list[float]:
    """Nanoseconds a call."""
    inner = max(1, min(4000, 400_000 // (size + 100)))
    rounds = 15 if QUICK else 60
    best = [float("inf")] * len(calls)
    for number in range(rounds):
        # In both orders, and once untimed, so that all find the same caches.
        for at, call in list(enumerate(calls))[:: -1 if number % 2 else 1]:
            call()
            repeat = range(inner)
            start = thread_time_ns()
            for _ in repeat:
                call()
            best[at] = min(best[at], (thread_time_ns() - start) / inner)
    return best


def cut(text: str, size: int) -> str:
    return (text * (size // len(text.encode()) + 1)).encode()[:size].decode("utf-8", "ignore")


def is_wanted(name: str) -> bool:
    return not ONLY or any(part in name for part in ONLY)


# The time of an empty call in the loop, which all times have in them.
LOOP = 0.0
# The ratios of UTF-8, by what was done and the size that a text was cut to, in whole characters.
BY_SIZE: dict[tuple[str, int], list[float]] = {}
# The same without the time of an empty call.
BY_SIZE_ALONE: dict[tuple[str, int], list[float]] = {}
# What was measured: the part, the row, what was done, the bytes, and the ratio to Python.
CELLS: list[tuple[str, str, str, int, float]] = []
PART = ""


def row(name: str, size: int, works: dict[str, tuple[Callable[[], object], Callable[[], object]]]) -> list[float]:
    """Measures and prints what is done here and by Python. Returns the nanoseconds of all calls."""
    times = interleaved([call for pair in works.values() for call in pair], size)
    text = f"{name:30}{size:9}"
    for at, work in enumerate(works):
        ours, theirs = times[2 * at : 2 * at + 2]
        CELLS.append((PART, name, work, size, theirs / ours))
        text += f"  {ours:10.0f}{theirs:11.0f}{theirs / ours:7.2f}"
    print(text, flush=True)
    return times


def head(first: str, *works: str) -> None:
    print(f"{first:30}{'bytes':>9}" + "".join(f"  {work:>10}{'Python':>11}{'ratio':>7}" for work in works))


def decode_and_encode(sizes: list[int]) -> None:
    decode, encode = utfkit.decode, utfkit.encode
    head("text", "decode", "encode")
    worst = [0.0, 0.0]
    for name, sample in TEXTS.items():
        seen: dict[int, list[float]] = {}
        for size in sizes:
            text = cut(sample, size)
            data = text.encode()
            if len(data) not in seen:
                times = row(name, len(data), {"decode": (lambda: decode(data), lambda: data.decode()), "encode": (lambda: encode(text), lambda: text.encode())})
                worst = [max(worst[0], times[0] - times[1]), max(worst[1], times[2] - times[3])]
                seen[len(data)] = times
            for at, work in enumerate(("decode", "encode")):
                ours, theirs = seen[len(data)][2 * at : 2 * at + 2]
                BY_SIZE.setdefault((work, size), []).append(theirs / ours)
                BY_SIZE_ALONE.setdefault((work, size), []).append((theirs - LOOP) / (ours - LOOP))
    if sizes is SHORT:
        print(f"at most {worst[0]:.0f} ns slower to decode and {worst[1]:.0f} ns to encode")


def named(encodings: Sequence[tuple[str, str]], sizes: Sequence[int]) -> None:
    """Encodings by name, each with a text that it has."""
    decode, encode = utfkit.decode, utfkit.encode
    head("encoding", "decode", "encode")
    for encoding, sample in encodings:
        for size in sizes:
            text = cut(OTHER_TEXTS.get(sample) or TEXTS[sample], size)
            data = text.encode(encoding)
            row(
                f"{encoding}, {sample}",
                len(data),
                {
                    "decode": (lambda: decode(data, encoding), lambda: data.decode(encoding)),
                    "encode": (lambda: encode(text, encoding), lambda: text.encode(encoding)),
                },
            )


def others() -> None:
    named([("utf-16-le", "Chinese"), ("utf-16-be", "Russian"), ("utf-32-le", "Chinese"), ("latin-1", "German"), ("cp1251", "Russian"),
           ("koi8-r", "Russian"), ("shift_jis", "Japanese"), ("euc-jp", "Japanese"), ("gb18030", "Chinese"), ("gbk", "Chinese"),
           ("big5", "Big5"), ("euc-kr", "Korean"), ("johab", "Korean")], [64, 1024, 65536])


def short_named() -> None:
    named([("ascii", "US-ASCII"), ("utf-8", "US-ASCII"), ("latin-1", "US-ASCII"), ("cp1252", "US-ASCII")], [8, 32, 64, 128, 256])
    named([("latin-1", "German"), ("cp1252", "German"), ("utf-8", "German")], [8, 64, 256, 1024, 4096])


def with_bom() -> None:
    named([("utf-16", "German"), ("utf-16", "Chinese"), ("utf-32", "German"), ("utf-32", "Chinese"), ("utf-8-sig", "German")], [64, 1024, 65536])


def code_pages() -> None:
    named([("cp1251", "Russian"), ("koi8-r", "Russian"), ("cp866", "Russian"), ("cp437", "German"), ("iso8859-2", "German"),
           ("cp1252", "German"), ("mac-roman", "German"), ("cp037", "German")], [65536 * 2, 262144 * 2])


def with_states() -> None:
    named([("hz", "Simplified"), ("iso2022_kr", "Korean"), ("iso2022_jp", "Japanese"), ("utf-7", "US-ASCII"), ("utf-7", "German"),
           ("utf-7", "Russian"), ("utf-7", "Chinese")], [64, 1024, 65536])


def encode_with_handlers() -> None:
    """Text of which the encoding lacks some characters, and text with bytes that were not text."""
    encode = utfkit.encode
    head("encoding, handler", "encode")
    for encoding, sample in [("ascii", "German"), ("latin-1", "German, euro"), ("cp1252", "English, emoji"), ("ascii", "Russian"), ("shift_jis", "Japanese, euro")]:
        for errors in ("ignore", "replace", "xmlcharrefreplace", "backslashreplace"):
            for size in (64, 1024, 65536):
                text = cut(OTHER_TEXTS.get(sample) or TEXTS[sample], size)
                row(f"{encoding}, {errors}, {sample}", len(text.encode()),
                    {"encode": (lambda: encode(text, encoding, errors), lambda: text.encode(encoding, errors))})
    for errors, foreign in (("surrogateescape", b"\xff"), ("surrogatepass", b"\xed\xa0\x80")):
        for sample in ("US-ASCII", "Russian"):
            for size in (64, 1024, 65536):
                data = foreign.join(cut(TEXTS[sample], 50).encode() for _ in range(-(-size // 50)))
                text = data.decode("utf-8", errors)
                row(f"utf-8, {errors}, {sample}", len(data),
                    {"encode": (lambda: encode(text, "utf-8", errors), lambda: text.encode("utf-8", errors))})


def decode_one_error() -> None:
    """Short text in UTF-8 with one ill-formed byte in the middle."""
    decode = utfkit.decode
    head("handler", "decode")

    def refused(call: Callable[[], object]) -> Callable[[], object]:
        def work() -> None:
            try:
                call()
            except UnicodeDecodeError:
                return

        return work

    for sample in ("US-ASCII", "Russian"):
        for errors in ("strict", "replace", "ignore", "surrogateescape", "backslashreplace"):
            for size in (16, 32, 64, 128, 256):
                half = cut(TEXTS[sample], size // 2).encode()
                data = half + b"\xff" + half[: size // 2 - 1 - (size // 2 - 1) % 2]
                calls = (lambda: decode(data, "utf-8", errors)), (lambda: data.decode("utf-8", errors))
                row(f"{errors}, {sample}", len(data), {"decode": tuple(map(refused, calls)) if errors == "strict" else calls})


def files() -> None:
    """The builtin `open` with codecs of here and of Python, for 1 MB of text in lines."""
    utfkit.register()
    head("file", "read", "lines", "write", "by line")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "text")
        for encoding, sample in [("utf-8", "German"), ("utf-8", "Russian"), ("latin-1", "German"), ("cp1252", "German"),
                                 ("shift_jis", "Japanese"), ("gb18030", "Chinese"), ("utf-16", "German"), ("utf-16", "chat, emoji"),
                                 ("hz", "Simplified"), ("iso2022_jp", "Japanese"), ("iso2022_kr", "Korean"), ("utf-7", "German"),
                                 ("utf-8", "US-ASCII"), ("latin-1", "US-ASCII")]:
            line = cut(OTHER_TEXTS.get(sample) or TEXTS[sample], 60).rstrip() + "\n"
            text = line * ((1 << 20) // len(line.encode()))
            with open(path, "w", encoding=encoding) as file:
                file.write(text)
            size = os.path.getsize(path)
            data = open(path, "rb").read()

            def read(name: str) -> object:
                with io.TextIOWrapper(io.BytesIO(data), name) as file:
                    return file.read()

            def lines(name: str) -> None:
                with io.TextIOWrapper(io.BytesIO(data), name) as file:
                    for _ in file:
                        pass

            def write(name: str) -> None:
                with io.TextIOWrapper(io.BytesIO(), name) as file:
                    file.write(text)

            def by_line(name: str) -> None:
                with io.TextIOWrapper(io.BytesIO(), name) as file:
                    for _ in range(len(text) // len(line)):
                        file.write(line)

            works = {"read": read, "lines": lines, "write": write, "by line": by_line}
            ours = "utfkit-" + encoding
            row(f"{encoding}, {sample}", size, {
                name: ((lambda work=work: work(ours)), (lambda work=work: work(encoding))) for name, work in works.items()
            })


def damaged() -> None:
    """Russian in UTF-8, an ill-formed byte in each 100."""
    head("handler", "decode")
    decode = utfkit.decode
    for size in (1024, 65536):
        data = bytearray(cut(TEXTS["Russian"], size).encode())
        data[::100] = b"\xff" * len(data[::100])
        text = bytes(data)
        for errors in ("replace", "ignore", "surrogateescape", "backslashreplace"):
            row(errors, len(text), {"decode": (lambda: decode(text, "utf-8", errors), lambda: text.decode("utf-8", errors))})


def many_errors() -> None:
    """Text that is damaged in each third byte or character, as where it is read or written in a wrong encoding."""
    decode, encode = utfkit.decode, utfkit.encode
    codecs.register_error("bench.question", lambda error: ("?", error.end))
    head("encoding, handler", "decode")
    data = b"ab\xff" * 5000
    for encoding in ("utf-8", "ascii", "shift_jis", "gb18030", "euc-kr", "hz"):
        for errors in ("replace", "ignore", "bench.question"):
            row(f"{encoding}, {errors}", len(data), {"decode": (lambda: decode(data, encoding, errors), lambda: data.decode(encoding, errors))})
    head("encoding, handler", "encode")
    text = "\u3042b\U0001f600" * 2000
    for encoding in ("ascii", "latin-1", "cp1252", "shift_jis", "gbk", "hz"):
        for errors in ("replace", "ignore", "namereplace", "bench.question"):
            row(f"{encoding}, {errors}", len(text.encode()), {"encode": (lambda: encode(text, encoding, errors), lambda: text.encode(encoding, errors))})


def installed(name: str) -> bool:
    if importlib.util.find_spec(name):
        return True
    print(f"left out: {name} is not installed")
    return False


def detection() -> None:
    calls: dict[str, Callable[[bytes], object]] = {}
    if installed("chardet"):
        import chardet

        calls["chardet"] = chardet.detect
    if installed("charset_normalizer"):
        import charset_normalizer

        calls["charset-normalizer"] = lambda data: charset_normalizer.from_bytes(data).best()
    for name, encoding in [("German", "utf-8"), ("Russian", "utf-8"), ("Russian", "koi8-r"), ("German", "cp1252"), ("Chinese", "gb18030")]:
        for size in (1000, 20000):
            data = cut(TEXTS[name], size).encode(encoding)
            beside(f"detect {name}, {encoding}", data, lambda data: utfkit.detect(data).encoding, calls)


def repairs() -> None:
    calls: dict[str, Callable[[str], object]] = {}
    if installed("ftfy"):
        import ftfy

        calls["ftfy"] = ftfy.fix_encoding
    for name in ("US-ASCII", "German", "Russian", "Chinese"):
        text = cut(TEXTS[name], 20000)
        beside(f"fix_encoding {name}", text, utfkit.fix_encoding, calls)
    twice = "".join(chr(b) for b in cut(TEXTS["German"], 10000).encode())
    beside("fix_encoding German, twice", twice, utfkit.fix_encoding, calls)


def beside(name: str, data, ours: Callable, calls: dict[str, Callable]) -> None:
    size = len(data)
    for other, call in calls.items():
        times = [float("inf"), float("inf")]
        for _ in range(3 if QUICK else 7):
            for at, function in enumerate((ours, call)):
                inner = 20 if at == 0 else 1
                start = thread_time_ns()
                for _ in range(inner):
                    function(data)
                times[at] = min(times[at], (thread_time_ns() - start) / inner)
        print(f"{name:30}{size:8}  {times[0]:12.0f} {other:>20}{times[1]:14.0f}{times[1] / times[0]:9.0f}")


def processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            said = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in file)}
        widest = next((name for name in ("avx512_vbmi2", "avx2") if name in said["flags"].split()), "no AVX2")
        return f"{said['model name']} (family {said['cpu family']}, model {said['model']}, {widest})"
    except (OSError, KeyError):
        return platform.processor()


def columns() -> None:
    """A million rows of 8 to 40 bytes through the kernels, beside what does the same for each row, or Polars."""
    if not installed("pyarrow"):
        return
    import pyarrow as pa

    import utfkit.arrow

    generator = random.Random(1)
    words = TEXTS["German"].split()
    count = 100_000 if QUICK else 1_000_000
    pool = [" ".join(generator.choices(words, k=4))[: generator.randrange(8, 34)] for _ in range(1000)]
    rows = [generator.choice(pool) for _ in range(count)]
    latin = pa.array([text.encode("latin-1") for text in rows], pa.binary())
    listed = latin.to_pylist()
    column = pa.array(rows, pa.string())
    calls: dict[str, tuple[Callable[[], object], Callable[[], object], str]] = {
        "decode, latin-1": (
            lambda: pa.array(utfkit.arrow.decode(latin, "latin-1")),
            lambda: pa.array([one.decode("latin-1") for one in listed]),
            "bytes.decode in a list",
        ),
    }
    if installed("ftfy"):
        import ftfy

        calls["undouble"] = (
            lambda: pa.array(utfkit.arrow.undouble(column)),
            lambda: pa.array([ftfy.fix_encoding(text) for text in rows]),
            "ftfy in a list",
        )
    if installed("polars"):
        import polars

        series = polars.Series(column)
        calls["code_points"] = (lambda: pa.array(utfkit.arrow.code_points(column)), lambda: series.str.len_chars(), "Polars, len_chars")
    for name, (ours, theirs, other) in calls.items():
        times = [float("inf"), float("inf")]
        for _ in range(2 if other.startswith("ftfy") else 7):
            for at, call in enumerate((ours, theirs)):
                start = process_time_ns()
                call()
                times[at] = min(times[at], process_time_ns() - start)
        print(f"{name:30}{count:9}  {times[0] / count:10.1f}{times[1] / count:11.1f}{times[1] / times[0]:9.1f}  ns a row, {other}", flush=True)


def mean(ratios: list[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def short(size: int) -> str:
    return f"{size >> 10}K" if 1024 <= size < 1 << 20 else f"{size >> 20}M" if size >> 20 else str(size)


def means() -> None:
    """Geometric means of the ratios to Python, and the ratios below 0.95."""
    print("\ngeometric means of the ratios to Python")
    of_parts = {part: [cell[-1] for cell in CELLS if cell[0] == part and cell[3]] for part in dict.fromkeys(cell[0] for cell in CELLS)}
    for part, ratios in of_parts.items():
        print(f"{part:50}{len(ratios):6} cells {mean(ratios):7.2f}")
    print(f"{'all of it':50}{sum(map(len, of_parts.values())):6} cells {mean([cell[-1] for cell in CELLS if cell[3]]):7.2f}")
    # 78 of these 117 cells have at most 64 bytes.
    of_old = {"decode and encode, short", "decode and encode, long"}
    for work in ("decode", "encode"):
        ratios = [cell[-1] for cell in CELLS if cell[0] in of_old and cell[2] == work and 8 <= cell[3] <= 1 << 20]
        if ratios:
            print(f"{work + ', UTF-8, 8 bytes to 1 MiB, mostly short':50}{len(ratios):6} cells {mean(ratios):7.2f}")
    powers = [1 << power for power in range(3, 21)]
    for work in ("decode", "encode"):
        if all((work, size) in BY_SIZE for size in powers):
            ratios = [ratio for size in powers for ratio in BY_SIZE[work, size]]
            alone = [ratio for size in powers for ratio in BY_SIZE_ALONE[work, size]]
            print(
                f"{work + ', UTF-8, each power of two, 8 bytes to 1 MiB':50}{len(ratios):6} cells {mean(ratios):7.2f}"
                f"; {mean(alone):.2f} without the {LOOP:.0f} ns of an empty call"
            )
            print(f"  {'by size':12}" + "".join(f"{short(size):>6}" for size in powers))
            print(f"  {'':12}" + "".join(f"{mean(BY_SIZE[work, size]):6.2f}" for size in powers))
    print("\nbelow 0.95")
    for part, name, work, size, ratio in sorted(CELLS, key=lambda cell: cell[-1]):
        if ratio < 0.95:
            print(f"{ratio:6.2f}  {work:8} {name:34}{size:9}  {part}")


def main() -> None:
    global LOOP, PART
    print(f"{platform.python_implementation()} {platform.python_version()}, {processor()}, {platform.system()}")
    LOOP = interleaved([lambda: None], 0)[0]
    for name, work in [
        ("decode and encode, short", lambda: decode_and_encode(SHORT)),
        ("decode and encode, long", lambda: decode_and_encode(LONG)),
        ("decode and encode, the other powers of two", lambda: decode_and_encode(BETWEEN)),
        ("other encodings", others),
        ("encodings by name, short", short_named),
        ("encodings with a BOM", with_bom),
        ("code pages, long", code_pages),
        ("encodings with states", with_states),
        ("encode with handlers", encode_with_handlers),
        ("decode with one error, short", decode_one_error),
        ("damaged: an error in each 100 bytes", damaged),
        ("many errors", many_errors),
        ("files of 1 MB", files),
        ("detect", detection),
        ("fix_encoding", repairs),
        ("columns", columns),
    ]:
        if is_wanted(name):
            print(f"\n{name}")
            PART = name
            work()
    if CELLS:
        means()


if __name__ == "__main__":
    main()
