"""Spark and Ray on this machine: columns beside Spark's own functions, files with one worker and two.

    python crates/utfkit-python/bench/clusters.py                  # all of it, half an hour and 5 GB of disk
    python crates/utfkit-python/bench/clusters.py --only columns   # or long, or files
    python crates/utfkit-python/bench/clusters.py --rows 1000000 --mb 64 --file-mb 256

Everything is end to end: Parquet is read, the values go to Python and back, and what is made is thrown away
(Spark's `noop`); of that, `read` is the reading alone. The ways of one table take turns, and the best
of several rounds counts. Needs Java, pyspark, ray, and UTFKIT_COMMAND for the command's own time.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet

WORDS = "tea naïve Łódź plain text café 日本語 biscuits Съешь and of the 5 €".split()


def say(line: str = "") -> None:
    print(line, flush=True)


def machine() -> None:
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "")
    say(f"{model or platform.processor()}, {os.cpu_count()} cores; load {' '.join(f'{part:.1f}' for part in os.getloadavg())}")


def short_rows(count: int, damaged: bool) -> Any:
    generator = random.Random(7)
    pool = [" ".join(generator.choices(WORDS, k=5)).encode()[: generator.randrange(8, 40)] for _ in range(5000)]
    pool = [row.decode(errors="ignore").encode() for row in pool]
    if damaged:
        for number in range(0, len(pool), 100):
            pool[number] = pool[number][:5] + b"\xe9" + pool[number][5:]
    return pyarrow.array([pool[number % len(pool)] for number in range(count)], pyarrow.binary())


def long_rows(bytes: int, damaged: bool) -> Any:
    generator = random.Random(8)
    pool = [" ".join(generator.choices(WORDS, k=2000)).encode() for _ in range(200)]
    if damaged:
        pool[0] = pool[0][:5000] + b"\xe9" + pool[0][5000:]
        pool[100] = b"\xc0\xaf" + pool[100]
    size = sum(map(len, pool)) // len(pool)
    return pyarrow.array([pool[number % len(pool)] for number in range(bytes // size)], pyarrow.binary())


@contextmanager
def spark_of(workers: int, long: bool = False) -> Iterator[Any]:
    import pyspark
    from pyspark.sql import SparkSession

    os.environ.update(SPARK_HOME=os.path.dirname(pyspark.__file__), PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
    session = (
        SparkSession.builder.master(f"local-cluster[{workers},1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        # Long rows fit into the memory of a worker in batches of this size.
        .config("spark.sql.parquet.columnarReaderBatchSize", "512" if long else "4096")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "512" if long else "10000")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    try:
        # So that Python runs on every worker before anything is timed.
        session.range(1000).repartition(4 * workers).mapInArrow(lambda batches: batches, "id long").count()
        yield session
    finally:
        session.stop()


@contextmanager
def ray_of(workers: int) -> Iterator[None]:
    import ray

    import logging

    logging.getLogger("ray.data").setLevel(logging.ERROR)
    ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False, object_store_memory=1 << 30)
    ray.data.DataContext.get_current().enable_progress_bars = False
    try:
        yield
    finally:
        ray.shutdown()


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def best(ways: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    found = {name: float("inf") for name in ways}
    for _ in range(rounds):
        for name, work in ways.items():
            found[name] = min(found[name], timed(work))
    return found


def columns(folder: Path, rows: int, mb: int, rounds: int, only_long: bool) -> None:
    import utfkit.spark
    from pyspark.sql import functions as F

    say(f"\nColumns in Spark, two workers: {rows:,} rows of up to 40 bytes, {mb} MiB in rows of some 14 KB; seconds")
    tables = {}
    for name, made in (
        ("short, clean", lambda: short_rows(rows, False)),
        ("short, 1 % of rows damaged", lambda: short_rows(rows, True)),
        ("long, clean", lambda: long_rows(mb << 20, False)),
        ("long, 1 % of rows damaged", lambda: long_rows(mb << 20, True)),
    ):
        if only_long and not name.startswith("long"):
            continue
        path = folder / name.replace(" ", "-")
        path.mkdir()
        table = pyarrow.table({"raw": made()})
        for part in range(8):
            step = -(-len(table) // 8)
            # Without compression: what is measured is not that.
            pyarrow.parquet.write_table(
                table.slice(part * step, step), path / f"{part}.parquet", compression="none", use_dictionary=False
            )
        tables[name] = path
    for name, path in tables.items():
        with spark_of(2, name.startswith("long")) as spark:
            text = F.col("raw").cast("string")
            frame = spark.read.parquet(str(path))

            def done(made: Any) -> Callable[[], object]:
                return lambda: made.write.format("noop").mode("overwrite").save()

            ways = {
                "read": done(frame),
                "Spark is_valid_utf8": done(frame.select(F.is_valid_utf8(text))),
                "utfkit check": done(utfkit.spark.check(frame, "raw")),
                "Spark make_valid_utf8": done(frame.select(F.make_valid_utf8(text))),
                "Spark try_validate_utf8": done(frame.select(F.try_validate_utf8(text))),
                "utfkit repair": done(utfkit.spark.repair(frame, "raw")),
                "Spark decode ISO-8859-1": done(frame.select(F.decode("raw", "ISO-8859-1"))),
                "utfkit decode ISO-8859-1": done(utfkit.spark.decode(frame, "raw", encoding="iso-8859-1")),
            }
            say(f"\n{name}")
            for way, seconds in best(ways, rounds).items():
                say(f"  {way:26} {seconds:7.2f}")


def files(folder: Path, count: int, mb: int, rounds: int) -> None:
    import utfkit.ray
    import utfkit.spark

    generator = random.Random(9)
    piece = ("\n".join(" ".join(generator.choices(WORDS, k=12)) for _ in range(12_000)) + "\n").encode()
    (folder / "many").mkdir()
    for number in range(count):
        at = generator.randrange(len(piece) - 20_000)
        (folder / "many" / f"{number}.txt").write_bytes(piece[at : at + generator.randrange(1000, 20_000)])
    large = folder / "large.txt"
    with open(large, "wb") as file:
        while file.tell() < mb << 20:
            file.write(piece + b"caf\xe9 \xc0\xaf\n")
    say(f"\nFiles: {count:,} of 1 to 20 KB, with characters that are cut; one of {mb} MiB, damaged once in each MB; seconds")
    named: list[tuple[str, Path]] = [(f"{count:,} files", folder / "many"), (f"{mb} MiB", large)]
    command = os.environ.get("UTFKIT_COMMAND")
    expected = {}
    if command:
        for what, path in named:
            for threads in (1, 2):
                args = [command, "check", "-uuu", "-j", str(threads), "--format", "jsonl", "--max-errors", "0", str(path)]
                run = lambda args=args: subprocess.run(args, stdout=subprocess.DEVNULL, check=False)  # noqa: E731
                say(f"  {what:12} the command, -j {threads}    {min(timed(run) for _ in range(rounds)):7.2f}")
            out = subprocess.run(args, stdout=subprocess.PIPE, check=False).stdout
            expected[what] = out.count(b'"offset"')

    def finds(check: Callable[[Path], Any], number: Callable[[Any], int]) -> None:
        for what, path in named:
            seconds, found = float("inf"), 0
            for _ in range(rounds):
                start = time.perf_counter()
                found = number(check(path).findings)
                seconds = min(seconds, time.perf_counter() - start)
            assert found == expected.get(what, found), (what, found, expected)
            say(f"  {what:12} {label:22} {seconds:7.2f}   {found:,} findings")

    for workers in (1, 2):
        label = f"Spark, {workers} worker{'s' * (workers > 1)}"
        with spark_of(workers) as spark:
            finds(lambda path: utfkit.spark.check_files(spark, path), lambda found: found.count())
    for workers in (1, 2):
        label = f"Ray, {workers} worker{'s' * (workers > 1)}"
        with ray_of(workers):
            finds(lambda path: utfkit.ray.check_files(path), lambda found: found.count())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=("columns", "long", "files"))
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--mb", type=int, default=1024)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--file-mb", type=int, default=2048)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    machine()
    folder = Path(tempfile.mkdtemp(prefix="utfkit-clusters-"))
    try:
        if args.only != "files":
            columns(folder, args.rows, args.mb, args.rounds, args.only == "long")
        if args.only in (None, "files"):
            files(folder, args.files, args.file_mb, args.rounds)
        machine()
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
