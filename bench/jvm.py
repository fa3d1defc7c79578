"""Functions of Spark in the JVM, Spark's own, and the way through Python:

    python bench/jvm.py --jar target/utfkit-spark.jar --csv bench/results/jvm.csv    # about ten minutes of a quiet machine
    python bench/jvm.py --jar target/utfkit-spark.jar --rows 1000000 --mb 64 --rounds 1

Needs Java, pyspark 4.0 or later, and the Python package. Everything is end to end: Parquet without compression and
without dictionaries is read, and the result is thrown away (Spark's `noop`). `cpu` is
the processor time of Spark's tasks, which other work on the machine changes little; it has no part of the processes of
Python. `read` is the reading alone, and `above` the processor time above it. The ways of a table take turns, and the
best of several rounds counts; the ways through Python take part in the first alone. Each number of workers has a
virtual machine of its own. At the end the functions stand beside those of Spark, in a table of Markdown.
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WORDS = "tea naïve Łódź plain text café 日本語 biscuits Съешь and of the 5 €".split()
WESTERN = "tea naïve Münster plain text café crème biscuits señor and of the 5 €".split()
CHINESE = "茶 plain 文字 编码 text 数据 2026 工程师 and 表格".split()
PARTS = 8


def rows(words, encoding, count, length, damaged):
    """Rows of a pool of 5,000 values, or fewer long ones, of which one in a hundred is damaged."""
    generator = random.Random(7)
    pool = []
    for _ in range(5000 if length < 100 else 200):
        text = " ".join(generator.choices(words, k=2000 if length > 100 else 5))
        limit = length if length > 100 else generator.randrange(8, length)
        raw = text.encode(encoding)[:limit]
        pool.append(raw.decode(encoding, "ignore").encode(encoding))
    if damaged:
        for number in range(0, len(pool), 100):
            middle = len(pool[number]) // 2
            pool[number] = pool[number][:middle] + b"\xe9" + pool[number][middle:]
    return pool, count


def write(folder, pool, count):
    import pyarrow
    import pyarrow.parquet

    folder.mkdir()
    step = -(-count // PARTS)
    for part in range(PARTS):
        table = pyarrow.table({"raw": pyarrow.array([pool[number % len(pool)] for number in range(step)], pyarrow.binary())})
        pyarrow.parquet.write_table(table, folder / f"{part}.parquet", compression="none", use_dictionary=False)


def measure(arguments):
    """One number of workers: prints a line for each table and way."""
    os.environ.update(SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable, UTFKIT_SPARK_JAR=arguments.jar)
    import utfkit.spark
    from pyspark.sql import SparkSession

    spark = utfkit.spark.session(
        SparkSession.builder.master(f"local[{arguments.workers}]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.memory", "4g")
        .config("spark.sql.legacy.javaCharsets", "true")
        .config("spark.sql.parquet.columnarReaderBatchSize", "1024")
    )
    spark.sparkContext.setLogLevel("ERROR")
    context, tracker = spark.sparkContext, spark.sparkContext.statusTracker()
    store = context._jsc.sc().statusStore()
    text = "cast(raw AS string)"
    for name in sorted(path.name for path in Path(arguments.folder).iterdir()):
        frame = spark.read.parquet(f"{arguments.folder}/{name}")

        def expression(made, frame=frame):
            return lambda: frame.selectExpr(made)

        def in_python(made):
            def work():
                spark.conf.set("spark.utfkit.jvm", "false")
                try:
                    return made()
                finally:
                    spark.conf.set("spark.utfkit.jvm", "true")

            return work

        ways = {"read": expression("raw")}
        encoding = name.partition(" in ")[2]
        if encoding:
            ways["Spark decode"] = expression(f"decode(raw, '{encoding}')")
            ways["utfkit_decode"] = expression(f"utfkit_decode(raw, '{encoding}')")
            ways["utfkit_decode in Python"] = in_python(lambda frame=frame: utfkit.spark.decode(frame, "raw", encoding=encoding))
        else:
            for ours, theirs in [("is_valid", "is_valid_utf8"), ("make_valid", "make_valid_utf8"), ("try_validate", "try_validate_utf8")]:
                ways[f"Spark {theirs}"] = expression(f"{theirs}({text})")
                ways[f"utfkit_{ours}"] = expression(f"utfkit_{ours}(raw)")
            if "damaged" not in name:
                ways["Spark validate_utf8"] = expression(f"validate_utf8({text})")
                ways["utfkit_validate"] = expression("utfkit_validate(raw)")
            ways["utfkit_check"] = expression("utfkit_check(raw)")
            ways["utfkit_make_valid in Python"] = in_python(lambda frame=frame: utfkit.spark.repair(frame, "raw"))
        best = {way: (float("inf"), float("inf")) for way in ways}
        for number in range(arguments.rounds):
            for way, made in ways.items():
                if number and way.endswith("in Python"):
                    continue
                group = f"{name} {way} {number}"
                context.setJobGroup(group, group)
                start = time.perf_counter()
                made().write.format("noop").mode("overwrite").save()
                seconds = time.perf_counter() - start
                stages = [stage for job in tracker.getJobIdsForGroup(group) for stage in tracker.getJobInfo(job).stageIds]
                # The store hears of a task a little later.
                found = [store.lastStageAttempt(stage) for stage in stages]
                while any(one.numCompleteTasks() < one.numTasks() or not one.executorCpuTime() for one in found):
                    time.sleep(0.05)
                    found = [store.lastStageAttempt(stage) for stage in stages]
                cpu = sum(one.executorCpuTime() for one in found) / 1e9
                best[way] = min(best[way][0], seconds), min(best[way][1], cpu)
        for way, (seconds, cpu) in best.items():
            is_python = way.endswith("in Python")
            above = "" if is_python else f"{cpu - best['read'][1]:.2f}"
            print(f"{arguments.workers},{name},{way},{seconds:.2f},{'' if is_python else f'{cpu:.2f}'},{above}", flush=True)
    spark.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jar", required=True)
    parser.add_argument("--csv")
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--mb", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="tables with this in their name")
    parser.add_argument("--workers", type=int)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    arguments.jar = os.path.abspath(arguments.jar)
    if arguments.folder:
        measure(arguments)
        return
    tables = {
        "short, clean": rows(WORDS, "utf-8", arguments.rows, 40, False),
        "short, 1 % damaged": rows(WORDS, "utf-8", arguments.rows, 40, True),
        "long, clean": rows(WORDS, "utf-8", (arguments.mb << 20) // 14_000, 14_000, False),
        "long, 1 % damaged": rows(WORDS, "utf-8", (arguments.mb << 20) // 14_000, 14_000, True),
        "short in windows-1252": rows(WESTERN, "cp1252", arguments.rows, 40, False),
        "short in GBK": rows(CHINESE, "gbk", arguments.rows, 40, False),
    }
    model = next(line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name"))
    lines = [f"# {model}, {os.cpu_count()} cores; load {' '.join(f'{part:.1f}' for part in os.getloadavg())}; seconds, the best of {arguments.rounds}"]
    lines.append("workers,table,way,seconds,cpu,above")
    with tempfile.TemporaryDirectory() as folder:
        for name, (pool, count) in tables.items():
            if arguments.only in name:
                write(Path(folder) / name, pool, count)
        for workers in [arguments.workers] if arguments.workers else (1, 2):
            command = [sys.executable, __file__, "--folder", folder, "--workers", str(workers)]
            command += ["--jar", arguments.jar, "--rounds", str(arguments.rounds)]
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
                for line in running.stdout:
                    # Commas in the name of a table.
                    first, rest = line.rstrip("\n").split(",", 1)
                    table, way, seconds, cpu, above = rest.rsplit(",", 4)
                    lines.append(f'{first},"{table}",{way},{seconds},{cpu},{above}')
                    print(f"{first}  {table:22} {way:30} {seconds:>7} {cpu:>7} {above:>7}", flush=True)
                    if arguments.csv:
                        Path(arguments.csv).write_text("\n".join(lines) + "\n")
            if running.returncode:
                sys.exit(running.returncode)
    print(lines[0].removeprefix("# "))
    print(beside(lines[2:]))


def beside(lines):
    """The functions and Spark's own, in seconds of the processor above reading, and both ways end to end."""
    rows = list(csv.reader(lines))
    seconds = {(workers, table, way): float(each) for workers, table, way, each, _, _ in rows}
    above = {(workers, table, way): float(each) for workers, table, way, _, _, each in rows if each}
    made = ["| workers | rows | function | Spark | utfkit | Spark / utfkit | end to end | utfkit | in Python |", "|---|---|---|--:|--:|--:|--:|--:|--:|"]
    for (workers, table, way), ours in above.items():
        if not way.startswith("utfkit_"):
            continue
        name = way.removeprefix("utfkit_")
        theirs = next((each for each in ("Spark " + name, f"Spark {name}_utf8") if (workers, table, each) in above), None)
        if theirs is None:
            continue
        spark = above[workers, table, theirs]
        python = seconds.get((workers, table, way + " in Python"))
        cells = [workers, table, name, f"{spark:.2f}", f"{ours:.2f}", f"{spark / ours:.1f}" if ours >= 0.01 else f"> {spark / 0.01:.0f}"]
        cells += [f"{seconds[workers, table, theirs]:.2f}", f"{seconds[workers, table, way]:.2f}", f"{python:.2f}" if python else ""]
        made.append(f"| {' | '.join(cells)} |")
    return "\n".join(made)


if __name__ == "__main__":
    main()
