#!/usr/bin/env python3
"""The command on input that was made to hurt, beside clean text, as CSV.

    cargo build --release -p utfkit-cli
    python3 bench/hostile.py >bench/results/hostile.csv    # everything: some minutes
    python3 bench/hostile.py repair utf-7                  # rows with one of these words

A row is an input and a subcommand: processor time (user and system, so that a
busy machine changes little) as MB/s of input, the part of that on clean text,
the most memory that was in use, and growth: the time of four times as much,
divided by four times the time. 1.0 is linear, 4.0 would be quadratic. The sizes
are chosen so that the smaller one takes a tenth of a second.

Exits with 1 where growth is above 1.6 or memory above 64 MiB.
UTFKIT names the binary.
"""

import csv
import os
import random
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGET = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
UTFKIT = os.environ.get("UTFKIT", os.path.join(TARGET, "release", "utfkit"))

# What is measured at least and at most, the smaller size of the two.
SMALLEST = 128 << 10
LARGEST = 128 << 20
# Growth that is no longer noise, and what the command may hold.
MOST_GROWTH = 1.6
MOST_MEMORY = 64 << 20

CLEAN = (
    "The quick brown fox jumps over the lazy dog. 0123456789\n"
    "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich.\n"
    "Съешь же ещё этих мягких французских булок, да выпей чаю.\n"
    "敏捷的棕色狐狸跳过了懒狗。いろはにほへと ちりぬるを 🎉\n"
)


def repeated(piece):
    """As many bytes as are asked for, of `piece` again and again."""
    return lambda size: (piece * (size // len(piece) + 1))[:size]


def noise(size):
    """The same random bytes each time."""
    source = random.Random(1)
    # It makes no more than 256 MiB at once.
    return b"".join(source.randbytes(min(SMALLEST, size - at)) for at in range(0, size, SMALLEST))


def layered(times):
    """Text that was read as windows-1252 and encoded again, `times` times."""
    data = "é – “x” ".encode()
    for _ in range(times):
        data = bytes(data).decode("latin-1").encode()
    return repeated(data)


def deep_markup(size):
    """Declarations of an encoding that never come to an end."""
    return repeated(b"<meta <!-- <?xml encoding='")(size)


CHECK, REPAIR = ["check"], ["repair", "-s"]
ALL = ["check", "--max-errors", "0"]
JSONL = ["check", "--max-errors", "0", "--format", "jsonl"]
SARIF = ["check", "--max-errors", "0", "--format", "sarif"]
CONTEXT = ["check", "--max-errors", "0", "--context"]
REPLACE = ["convert", "-s", "--errors", "replace", "-t", "UTF-16LE"]
ESCAPE = ["convert", "-s", "--errors", "escape", "-t", "US-ASCII"]
UNDOUBLE = ["repair", "-s", "--undouble", "--reinterpret", "--fallback", "windows-1252"]
DIFF = ["repair", "-s", "--diff"]
COMMON = [CHECK, ALL, JSONL, CONTEXT, REPLACE, ESCAPE, REPAIR, UNDOUBLE, DIFF, ["detect"], ["count"], ["report"]]


def via(name):
    return [["convert", "-s", "-c", "-f", name, "-t", "UTF-8"], ["check", "--encoding", name]]


# What it is, how it is made, and the subcommands that it is meant for.
INPUTS = [
    ("clean text", repeated(CLEAN.encode()), COMMON + [SARIF] + via("UTF-8")),
    ("every byte ill-formed (FF)", repeated(b"\xff"), COMMON + [SARIF]),
    ("only continuation bytes", repeated(b"\x80"), COMMON),
    ("an ill-formed byte after every character", repeated("é".encode() + b"\xe9"), COMMON),
    ("cut sequences of three bytes", repeated(b"\xe2\x82"), COMMON),
    ("surrogates (CESU-8)", repeated(b"\xed\xa0\xbd\xed\xb8\x80"), COMMON),
    ("six-byte forms", repeated(b"\xfc\x83\xbf\xbf\xbf\xbf"), COMMON),
    ("random bytes", noise, COMMON),
    ("one line without end, an ill-formed byte in 40", repeated(b"x" * 39 + b"\xe9"), COMMON),
    ("one line without end, well-formed", repeated(b"x"), COMMON),
    ("nothing but line feeds", repeated(b"\n"), COMMON),
    ("nothing but carriage returns", repeated(b"\r"), COMMON),
    ("an ill-formed byte in every line", repeated(b"\xe9\n"), COMMON),
    ("combining marks without end", repeated("\u0301".encode()), COMMON),
    ("zero-width joiners without end", repeated("👩\u200d".encode()), COMMON),
    ("control sequences of a terminal", repeated(b"\x1b]0;\x9b\x07\x1b[2J"), COMMON),
    ("two layers of mojibake", layered(2), [UNDOUBLE, CHECK, ["detect"]]),
    ("nine layers of mojibake", layered(9), [UNDOUBLE, CHECK, ["detect"]]),
    ("candidates of mojibake that are none", repeated("Ã€Ãâ€Ã".encode()), [UNDOUBLE, DIFF, ["detect"]]),
    ("markup that never closes", deep_markup, [["detect"], ["convert", "-s", "-c", "-f", "auto"]]),
    ("legacy text without pattern", repeated(bytes(range(0xA1, 0xFF))), [["detect"]]),
    ("a shift of UTF-7 never closed", repeated(b"+AGEAYgBj"), via("UTF-7") + via("UTF-7-IMAP")),
    ("one shift of UTF-7, no other", lambda size: b"+" + b"A" * (size - 1), via("UTF-7") + via("X-UTF-7-OPTIONAL")),
    ("shifts of UTF-7, each empty", repeated(b"+-+!"), via("UTF-7")),
    ("escapes of ISO-2022-JP", repeated(b"\x1b$B\x1b(B"), via("ISO-2022-JP")),
    ("escapes of ISO 2022 around UTF-8", repeated(b"\x1b%G\x1b%@"), via("ISO-2022-UTF-8")),
    ("lone surrogates of UTF-16", repeated(b"\x00\xd8"), via("UTF-16LE") + via("WTF-16LE")),
    ("values beyond UTF-32", repeated(b"\xff\xff\xff\xff"), via("UTF-32LE")),
    ("half characters of GB 18030", repeated(b"\x81\x30\x81"), via("gb18030")),
    ("half characters of UTF-1", repeated(b"\xfc\xfc"), via("ISO-10646-UTF-1")),
    ("overlong NUL of Modified UTF-8", repeated(b"\xc0\x80"), via("Modified-UTF-8")),
]


def high_water(pid):
    """The most memory that the process had so far, in bytes, or 0 if it is gone."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as status:
            for line in status:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def run(arguments):
    """Processor time in seconds and the most memory in bytes."""
    # The figure that the kernel keeps for a process that has ended counts this
    # one's memory, from which it was forked: so the process is asked while it runs.
    with open(os.devnull, "r+b") as null:
        child = subprocess.Popen([UTFKIT, *arguments], stdin=null, stdout=null, stderr=null)
        most = 0
        while os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            most = max(most, high_water(child.pid))
            time.sleep(0.005)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1, 2):
        sys.exit(f"{arguments}: ended with {child.returncode}")
    return usage.ru_utime + usage.ru_stime, most


def best(arguments, rounds):
    """The least time and the most memory of some rounds: a busy machine only adds time."""
    runs = [run(arguments) for _ in range(rounds)]
    return min(t for t, _ in runs), max(m for _, m in runs)


def made(file, make, size):
    """Writes `size` bytes of an input, once."""
    if not os.path.exists(file):
        with open(file, "wb") as f:
            f.write(make(size))
    return file


def measure(make, command):
    """Bytes a second, growth and memory, at a size at which there is something to see."""
    size = SMALLEST
    while True:
        less, _ = best([*command, made(f"{size}", make, size)], 1)
        if less >= 0.1 or size >= LARGEST:
            break
        size *= 4
    for attempt in range(3):
        less = min(less, best([*command, f"{size}"], 2)[0])
        more, memory = best([*command, made(f"{4 * size}", make, 4 * size)], 1 + attempt)
        growth = more / (4 * less)
        if growth <= MOST_GROWTH:
            break
    return 4 * size / more, growth, memory


def spelled(arguments):
    return " ".join(arguments)


def trees():
    """Folders that are deep, wide, or have names that are garbage."""
    def deep(levels):
        os.makedirs("t")
        here = os.open("t", os.O_RDONLY)
        for _ in range(levels):
            os.mkdir("folder", dir_fd=here)
            inner = os.open("folder", os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = inner
        with open(os.open("f", os.O_CREAT | os.O_WRONLY, dir_fd=here), "wb") as f:
            f.write(b"caf\xe9\n")
        os.close(here)

    def named(count):
        os.makedirs("t")
        for i in range(count):
            name = random.Random(i).randbytes(255).translate(bytes(b if b not in (0, 47) else 1 for b in range(256)))
            with open(b"t/" + name, "wb") as f:
                f.write(b"caf\xe9\n")

    def many(count):
        os.makedirs("t")
        for i in range(count):
            with open(f"t/{i}", "wb") as f:
                f.write(b"caf\xe9\n")

    # The deepest path that a system takes is 4096 bytes.
    return [("folders in folders", deep, [150, 580], "levels"),
            ("names of 255 bytes of garbage", named, [1000, 4000], "files"),
            ("many files, each with an ill-formed byte", many, [4000, 16000], "files")]


def main():
    words = sys.argv[1:]
    if any(w.startswith("-") for w in words):
        sys.exit(__doc__)
    if not os.access(UTFKIT, os.X_OK):
        sys.exit(f"hostile.py: there is no {UTFKIT}: cargo build --release -p utfkit-cli")

    def wanted(*texts):
        return not words or any(w.lower() in " ".join(texts).lower() for w in words)

    bad = rows = 0
    lines = csv.writer(sys.stdout, lineterminator="\n")
    clean = {}

    def row(name, key, speed, part, memory, growth):
        nonlocal bad, rows
        wrong = growth > MOST_GROWTH or memory > MOST_MEMORY
        bad += wrong
        rows += 1
        lines.writerow([name, key, *speed, part, memory >> 20, f"{growth:.2f}"])
        sys.stdout.flush()
        if wrong:
            print(f"{name}, {key}: growth {growth:.2f}, {memory >> 20} MiB", file=sys.stderr)

    needed = {spelled(c) for name, _, commands in INPUTS for c in commands if wanted(name, spelled(c))}
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as place:
        os.chdir(place)
        lines.writerow(["input", "command", "speed", "unit", "of_clean", "memory_mib", "growth"])
        for name, make, commands in INPUTS:
            for command in commands:
                key = spelled(command)
                is_clean = name == "clean text"
                if key not in needed or not (is_clean or wanted(name, key)):
                    continue
                speed, growth, memory = measure(make, command)
                if is_clean:
                    clean[key] = speed
                part = f"{speed / clean[key]:.3f}" if key in clean else ""
                row(name, key, (f"{speed / 1e6:.1f}", "MB/s"), part, memory, growth)
            for file in os.listdir("."):
                os.remove(file)
        for name, make, counts, unit in trees():
            if not wanted(name):
                continue
            times = []
            for count in counts:
                make(count)
                times.append(best(["check", "--hidden", "--no-ignore", "t"], 3))
                subprocess.run(["rm", "-rf", "t"], check=True)
            growth = times[1][0] * counts[0] / (times[0][0] * counts[1])
            row(name, "check", (f"{counts[1] / times[1][0]:.0f}", f"{unit}/s"), "", times[1][1], growth)
    print(f"{rows} rows, {bad} of them with growth above {MOST_GROWTH} or memory above {MOST_MEMORY >> 20} MiB",
          file=sys.stderr)
    sys.exit(1 if bad or not rows else 0)


if __name__ == "__main__":
    main()
