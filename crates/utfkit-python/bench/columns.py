"""The kernels over columns beside what arrow-rs, pyarrow, Polars, DuckDB and DataFusion have, each on one thread.

    pip install './crates/utfkit-python[arrow]' ./crates/utfkit-datafusion/python
    python bench/columns.py            # 10 million short rows and 1 GiB of long ones: some minutes, 12 GB of memory
    python bench/columns.py --quick    # a tenth of both
    python bench/columns.py polars     # only lines with that in them
    python bench/columns.py --memory   # only the memory
    python bench/columns.py --speed --run=NAME --csv=../../bench/results/columns.csv    # for the picture

Each line is one thing done by an engine itself, by our kernel over the same column, and by our kernel as a function
of that engine, in GB/s of processor time, so that what else runs on the machine counts little: round after round in
turn, the best of each counts. Then the memory that each takes at its
peak, beyond the column, in a process of its own that reads the column from a file; then, where there is cargo, arrow-rs. What is not installed is left
out, and said.
"""

from __future__ import annotations

import csv
import ctypes
import gc
import importlib
import importlib.util
import os
import random
import shutil
import subprocess
import sys
import tempfile
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import process_time

# Before the libraries are there.
os.environ["POLARS_MAX_THREADS"] = "1"
os.environ["TOKIO_WORKER_THREADS"] = "1"

import pyarrow as pa  # noqa: E402
import pyarrow.compute as pc  # noqa: E402
from bench import processor  # noqa: E402

import utfkit.arrow  # noqa: E402

ARGUMENTS = sys.argv[1:]
SHARE = 10 if "--quick" in ARGUMENTS else 1
ONLY = [argument for argument in ARGUMENTS if not argument.startswith("-")]
WORDS = [word.encode() for word in ("tea ", "naïve ", "größer ", "déjà ", "vu ", "日本語 ", "Съешь ", "and ", "biscuits ", "😀 ")]
ROUNDS = 7


@dataclass
class Column:
    name: str
    raw: pa.Array
    # So many rows go through an engine at once.
    batch: int

    @property
    def bytes(self) -> int:
        return self.raw.buffers()[2].size

    @property
    def is_clean(self) -> bool:
        return "clean" in self.name


def row(generator: random.Random, size: int, is_damaged: bool) -> bytes:
    words = b"".join(generator.choices(WORDS, k=size // 4 + 1))
    text = words[:size].decode(errors="ignore").encode().ljust(size, b".")
    return text[: size // 2] + b"\xff" + text[size // 2 + 1 :] if is_damaged else text


def column(name: str, total: int, least: int, most: int, batch: int, damaged: float) -> Column:
    """Rows drawn from some thousand, so that they are there in seconds; of bytes, nothing else is repeated."""
    generator = random.Random(1)
    count = 2 * total // (least + most)
    pool = [row(generator, generator.randint(least, most), False) for _ in range(max(8, min(4096, count // 16)))]
    pool += [row(generator, generator.randint(least, most), True) for _ in pool] if damaged else []
    clean = len(pool) // 2 if damaged else len(pool)
    drawn = array("i", (generator.randrange(clean) + (clean if generator.random() < damaged else 0) for _ in range(count)))
    raw = pa.array(pool, pa.binary()).take(pa.Array.from_buffers(pa.int32(), count, [None, pa.py_buffer(drawn)]))
    return Column(f"{name}, {'1 % damaged' if damaged else 'clean'}", raw, batch)


KINDS = {
    "short": ("short rows", 240_000_000 // SHARE, 8, 40, 8192),
    "long": ("long rows", (1 << 30) // SHARE, 65_000, 66_000, 128),
}
DAMAGED = (0, 0.01)


@dataclass
class Line:
    """One thing that an engine does, and what does the same here."""

    engine: str
    work: str
    theirs: Callable[[], object]
    kernel: Callable[[], object]
    inside: Callable[[], object] | None = None


STRICT, LENIENT = "an error for what is not UTF-8", "null for what is not UTF-8"
MADE, WHETHER = "made valid", "whether valid"


def lines(given: Column, engine: str = "") -> list[Line]:
    """What engines do with a column, or only what the one does of whose lines this is the name."""
    pa.set_cpu_count(1)
    found = [line for name, of_engine in ENGINES.items() if engine in ("", name) for line in of_engine(given)]
    return [line for line in found if not ONLY or any(part in f"{line.engine} {given.name} {line.work}".lower() for part in ONLY)]


def installed(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def pyarrow_lines(given: Column) -> list[Line]:
    raw = given.raw
    if not given.is_clean:
        return []
    return [Line("pyarrow", STRICT, lambda: pc.cast(raw, pa.string()), lambda: pa.array(utfkit.arrow.validate_utf8(raw)))]


def polars_lines(given: Column) -> list[Line]:
    if not installed("polars"):
        return []
    import polars as pl

    import utfkit.polars  # noqa: F401

    raw = given.raw
    series = pl.Series("raw", raw)
    frame = series.to_frame()
    own = pl.col("raw").utfkit
    lenient = Line(
        "Polars",
        LENIENT,
        lambda: series.cast(pl.String, strict=False),
        lambda: utfkit.arrow.try_validate_utf8(series),
        lambda: frame.select(own.try_validate()),
    )
    strict = Line(
        "Polars",
        STRICT,
        lambda: series.cast(pl.String),
        lambda: utfkit.arrow.validate_utf8(series),
        lambda: frame.select(own.validate()),
    )
    return [strict, lenient] if given.is_clean else [lenient]


def duckdb_lines(given: Column) -> list[Line]:
    if not installed("duckdb"):
        return []
    import duckdb

    import utfkit.duckdb

    connection = utfkit.duckdb.register(duckdb.connect())
    connection.execute("SET threads = 1")
    raw = given.raw
    connection.register("given", pa.table({"raw": raw}))
    connection.execute("CREATE TABLE t AS SELECT raw FROM given")

    def sql(expression: str) -> Callable[[], object]:
        return lambda: connection.execute(f"SELECT count({expression}) FROM t").fetchone()

    lenient = Line(
        "DuckDB",
        LENIENT,
        sql("TRY(decode(raw))"),
        lambda: utfkit.arrow.try_validate_utf8(raw),
        sql("try_validate_utf8(raw)"),
    )
    strict = Line("DuckDB", STRICT, sql("decode(raw)"), lambda: utfkit.arrow.validate_utf8(raw), sql("validate_utf8(raw)"))
    return [strict, lenient] if given.is_clean else [lenient]


def datafusion_lines(given: Column) -> list[Line]:
    if not installed("datafusion"):
        return []
    import datafusion

    def context() -> datafusion.SessionContext:
        context = datafusion.SessionContext(datafusion.SessionConfig().with_target_partitions(1))
        parts = range(0, len(given.raw), given.batch)
        # Copies, because DataFusion's own cast validates all bytes of which a batch is a part.
        arrays = [pa.concat_arrays([given.raw[at : at + given.batch], given.raw[:0]]) for at in parts]
        batches = [pa.record_batch({"raw": array}) for array in arrays]
        context.register_record_batches("t", [batches])
        return context

    def sql(context: datafusion.SessionContext, expression: str) -> Callable[[], object]:
        return lambda: context.sql(f"SELECT count({expression}) FROM t").collect()

    theirs, ours = context(), None
    if installed("utfkit_datafusion"):
        import utfkit_datafusion

        ours = utfkit_datafusion.register(context())
    raw = given.raw
    work: list[tuple[str, str, str, Callable[[], object]]] = [
        (LENIENT, "TRY_CAST(raw AS VARCHAR)", "try_validate_utf8(raw)", lambda: utfkit.arrow.try_validate_utf8(raw)),
    ]
    if given.is_clean:
        work.insert(0, (STRICT, "CAST(raw AS VARCHAR)", "validate_utf8(raw)", lambda: utfkit.arrow.validate_utf8(raw)))
    found = [("DataFusion", each) for each in work]
    # Spark's functions, as DataFusion has them.
    if hasattr(theirs, "enable_spark_functions"):
        theirs.enable_spark_functions()
        same = [
            (MADE, "make_valid_utf8(raw)", "make_valid_utf8(raw)", lambda: utfkit.arrow.make_valid_utf8(raw)),
            (WHETHER, "is_valid_utf8(raw)", "is_valid_utf8(raw)", lambda: utfkit.arrow.is_valid_utf8(raw)),
        ]
        found += [("datafusion-spark", each) for each in same]
    return [
        Line(engine, name, sql(theirs, expression), kernel, sql(ours, own) if ours else None)
        for engine, (name, expression, own, kernel) in found
    ]


ENGINES = {"pyarrow": pyarrow_lines, "Polars": polars_lines, "DuckDB": duckdb_lines, "DataFusion": datafusion_lines}


def best(calls: list[Callable[[], object]]) -> list[float]:
    """Seconds that each had a processor for, called in turn."""
    times = [float("inf")] * len(calls)
    begin = process_time()
    for done in range(ROUNDS):
        for at, call in enumerate(calls):
            start = process_time()
            result = call()
            times[at] = min(times[at], process_time() - start)
            del result
        if done >= 2 and process_time() - begin > 30:
            break
    return times


def refuses(call: Callable[[], object]) -> bool:
    """Whether an engine has an error instead of a result, where it was asked for none."""
    try:
        call()
    except Exception:  # noqa: BLE001
        return True
    return False


def records(given: Column, line: Line, theirs: float, ours: float, run: str) -> list[list[object]]:
    """Two lines for the pictures, as `bench/README.md` says what they hold."""
    with open("/proc/cpuinfo") as file:
        isa = "avx512" if "avx512_vbmi2" in file.read() else "avx2"
    front = [processor(), run, isa, line.work, line.engine, given.name]
    end = [[utfkit.__name__, "GB/s", f"{ours:.3g}", ""], ["its own", "GB/s", f"{theirs:.3g}", f"{ours / theirs:.3f}"]]
    return [[*front, *each] for each in end]


def speeds(options: dict[str, str]) -> None:
    print(f"{'':75} {'GB/s':>8} {'kernel':>8} {'times':>7} {'inside':>8} {'times':>7}")
    for kind in KINDS.values():
        for damaged in DAMAGED:
            given = column(*kind, damaged)
            for line in lines(given):
                calls = [line.theirs, line.kernel] + ([line.inside] if line.inside else [])
                is_refused = refuses(line.theirs)
                if is_refused:
                    calls[0] = line.kernel
                speed = [given.bytes / each / 1e9 for each in best(calls)]
                theirs = "refuses" if is_refused else f"{speed[0]:.2f}"

                def cells(ours: float) -> str:
                    return f" {ours:8.2f} {'' if is_refused else f'{ours / speed[0]:.2f}':>7}"

                text = f"{given.name}: {line.engine}, {line.work}"
                print(f"{text:75} {theirs:>8}{''.join(map(cells, speed[1:]))}", flush=True)
                if "csv" in options and not is_refused:
                    with open(options["csv"], "a", newline="") as file:
                        out = csv.writer(file, lineterminator="\n")
                        if file.tell() == 0:
                            out.writerow("processor run isa op text size library unit value ratio".split())
                        out.writerows(records(given, line, *speed[:2], options["run"]))


def peak(call: Callable[[], object]) -> float:
    """MB at the peak of a call, beyond what there is."""
    gc.collect()
    pa.default_memory_pool().release_unused()
    ctypes.CDLL(None).malloc_trim(0)
    with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")

    def status(name: str) -> int:
        with open("/proc/self/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith(name))

    before = status("VmRSS:")
    result = call()
    after = status("VmHWM:")
    del result
    return max(0, after - before) / 1024


def memory() -> None:
    if not os.path.exists("/proc/self/clear_refs"):
        print("left out: memory, which Linux tells")
        return
    print(f"\nMB at the peak beyond the column{'':43} {'theirs':>8} {'kernel':>8} {'inside':>8}")
    arguments = [argument for argument in ARGUMENTS if argument not in ("--speed", "--memory")]
    name, total, *rest = KINDS["long"]
    for damaged in DAMAGED:
        sample = column(name, total // 100, *rest, damaged)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "column")
            given = pa.record_batch({"raw": column(name, total, *rest, damaged).raw})
            with pa.ipc.new_file(path, given.schema) as file:
                file.write(given)
            del given
            for engine in ENGINES:
                for number, line in enumerate(lines(sample, engine)):
                    cells = []
                    for which, call in enumerate((line.theirs, line.kernel, line.inside)):
                        peak = [f"--peak={path}", f"--name={sample.name}", f"--engine={engine}", f"--line={number},{which}"]
                        command = [sys.executable, __file__, *arguments, *peak]
                        cells.append(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip() if call else "")
                    text = f"{sample.name}: {line.engine}, {line.work}"
                    print(f"{text:75} {' '.join(f'{cell:>8}' for cell in cells)}", flush=True)


def one_peak(options: dict[str, str]) -> None:
    with pa.OSFile(options["peak"]) as file:
        raw = pa.ipc.open_file(file).get_batch(0)["raw"]
    given = Column(options["name"], raw, KINDS["long"][-1])
    number, which = map(int, options["line"].split(","))
    line = lines(given, options["engine"])[number]
    call = [line.theirs, line.kernel, line.inside][which]
    try:
        print(f"{peak(call):.0f}")
    except Exception:  # noqa: BLE001
        print("refuses")


def main() -> None:
    options = dict(argument[2:].partition("=")[::2] for argument in ARGUMENTS if argument.startswith("--"))
    if "peak" in options:
        one_peak(options)
        return
    versions = [f"pyarrow {pa.__version__}"]
    for name in ("polars", "duckdb", "datafusion", "utfkit_datafusion"):
        if installed(name):
            module = importlib.import_module(name)
            versions.append(f"{name} {getattr(module, '__version__', '')}".strip())
        else:
            print(f"left out: {name} is not installed")
    print(f"{processor()}; {', '.join(versions)}; one thread")
    print(f"short rows: {10 / SHARE:g} million of 8 to 40 bytes; long rows: {1 / SHARE:g} GiB of 65 KB each")
    if "memory" not in options:
        speeds(options)
    if "speed" not in options:
        memory()
    manifest = Path(__file__).resolve().parents[2] / "utfkit-arrow" / "bench" / "Cargo.toml"
    if ONLY or "memory" in options:
        return
    if shutil.which("cargo") and manifest.exists():
        print("\narrow-rs", flush=True)
        quick = ["--", "--quick"] if SHARE == 10 else []
        subprocess.run(["cargo", "run", "--release", "--quiet", "--manifest-path", str(manifest), *quick], check=True)
    else:
        print("left out: arrow-rs, for which cargo is needed")


if __name__ == "__main__":
    main()
