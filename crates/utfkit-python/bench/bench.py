"""utfkit compared with Python, chardet, charset-normalizer and ftfy.

    python bench/bench.py            # all of it, some minutes
    python bench/bench.py --quick    # fewer rounds
    python bench/bench.py decode     # only parts with that in their name

The calls take turns, and the best round of each counts, so that other work on the machine
matters little. Times are nanoseconds a call, the call itself included. The ratio is the time
of the other divided by that of utfkit.
"""

from __future__ import annotations

import importlib.util
import platform
import sys
from collections.abc import Callable
from time import perf_counter_ns

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
}
SHORT = [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64]
LONG = [256, 1024, 4096, 65536, 1 << 20]


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
            start = perf_counter_ns()
            for _ in repeat:
                call()
            best[at] = min(best[at], (perf_counter_ns() - start) / inner)
    return best


def cut(text: str, size: int) -> str:
    return (text * (size // len(text.encode()) + 1)).encode()[:size].decode("utf-8", "ignore")


def is_wanted(name: str) -> bool:
    return not ONLY or any(part in name for part in ONLY)


def decode_and_encode(sizes: list[int]) -> None:
    decode, encode = utfkit.decode, utfkit.encode
    print(f"{'text':16}{'bytes':>9}  {'decode':>10}{'Python':>11}{'ratio':>7}  {'encode':>10}{'Python':>11}{'ratio':>7}")
    worst = [0.0, 0.0]
    for name, sample in TEXTS.items():
        seen = set()
        for size in sizes:
            text = cut(sample, size)
            data = text.encode()
            if len(data) in seen:
                continue
            seen.add(len(data))
            times = interleaved(
                [lambda: decode(data), lambda: data.decode(), lambda: encode(text), lambda: text.encode()], len(data)
            )
            worst = [max(worst[0], times[0] - times[1]), max(worst[1], times[2] - times[3])]
            print(
                f"{name:16}{len(data):9}  {times[0]:10.0f}{times[1]:11.0f}{times[1] / times[0]:7.2f}"
                f"  {times[2]:10.0f}{times[3]:11.0f}{times[3] / times[2]:7.2f}"
            )
    if sizes is SHORT:
        print(f"at most {worst[0]:.0f} ns slower to decode and {worst[1]:.0f} ns to encode")


def others() -> None:
    decode, encode = utfkit.decode, utfkit.encode
    print(f"{'encoding':16}{'bytes':>9}  {'decode':>10}{'Python':>11}{'ratio':>7}  {'encode':>10}{'Python':>11}{'ratio':>7}")
    for encoding, sample in [("utf-16-le", "Chinese"), ("utf-16-be", "Russian"), ("utf-32-le", "Chinese"), ("utf-7", "German"),
                             ("utf-7", "Russian"), ("latin-1", "German"), ("cp1251", "Russian"), ("koi8-r", "Russian"), ("shift_jis", "Japanese"),
                             ("euc-jp", "Japanese"), ("gb18030", "Chinese"), ("gbk", "Chinese"), ("euc-kr", "Korean"), ("johab", "Korean")]:
        text = {"Japanese": "いろはにほへと ちりぬるを ", "Korean": "다람쥐 헌 쳇바퀴에 타고파 "}.get(sample) or TEXTS[sample]
        text = cut(text, 65536)
        data = text.encode(encoding)
        times = interleaved(
            [lambda: decode(data, encoding), lambda: data.decode(encoding),
             lambda: encode(text, encoding), lambda: text.encode(encoding)], len(data)
        )
        print(
            f"{encoding:16}{len(data):9}  {times[0]:10.0f}{times[1]:11.0f}{times[1] / times[0]:7.2f}"
            f"  {times[2]:10.0f}{times[3]:11.0f}{times[3] / times[2]:7.2f}"
        )


def damaged() -> None:
    print(f"{'errors':18}{'utfkit':>10}{'Python':>11}{'ratio':>7}   65536 bytes of Russian, an ill-formed byte in each 100")
    data = bytearray(cut(TEXTS["Russian"], 65536).encode())
    data[::100] = b"\xff" * len(data[::100])
    data = bytes(data)
    for errors in ("replace", "ignore", "surrogateescape", "backslashreplace"):
        times = interleaved([lambda: utfkit.decode(data, "utf-8", errors), lambda: data.decode("utf-8", errors)], len(data))
        print(f"{errors:18}{times[0]:10.0f}{times[1]:11.0f}{times[1] / times[0]:7.2f}")


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
                start = perf_counter_ns()
                for _ in range(inner):
                    function(data)
                times[at] = min(times[at], (perf_counter_ns() - start) / inner)
        print(f"{name:30}{size:8}  {times[0]:12.0f} {other:>20}{times[1]:14.0f}{times[1] / times[0]:9.0f}")


def processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            said = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in file)}
        return f"{said['model name']} (family {said['cpu family']}, model {said['model']})"
    except (OSError, KeyError):
        return platform.processor()


def main() -> None:
    print(f"{platform.python_implementation()} {platform.python_version()}, {processor()}, {platform.system()}")
    for name, work in [
        ("decode and encode, short", lambda: decode_and_encode(SHORT)),
        ("decode and encode, long", lambda: decode_and_encode(LONG)),
        ("other encodings", others),
        ("damaged", damaged),
        ("detect", detection),
        ("fix_encoding", repairs),
    ]:
        if is_wanted(name):
            print(f"\n{name}")
            work()


if __name__ == "__main__":
    main()
