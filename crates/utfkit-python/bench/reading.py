"""Files in other encodings before parsers: time and memory, for the table "Held to" and for every engine.

    python crates/utfkit-python/bench/reading.py                      # 64 MiB
    python crates/utfkit-python/bench/reading.py --mb 1024 --csv bench/results/reading.csv
    python crates/utfkit-python/bench/reading.py --only polars        # some rows

It makes a CSV in UTF-8 and the same in windows-1252, Shift_JIS, GB 18030 and UTF-16LE, and one in UTF-8 with ten cut
characters. The rows of the first table are `Utf8Reader` beside `read` and encoding_rs_io (`bench/reader`, for which it
needs cargo). The others each run in a process of their own, one after the other: the time, the memory at the peak
above that of the same parser with clean UTF-8 (for `polars.read_csv` and DuckDB, from a stream of it), and whether
the table is that of the clean data: its number of rows, its sums, the lengths of its texts, and the least and the
greatest text.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]

WORDS = {
    "windows-1252": ["Köln", "Zürich", "Málaga", "Genève", "Straße", "plain", "naïve café", "Århus"],
    "shift_jis": ["東京", "大阪のたこ焼き", "名古屋", "plain", "天気は晴れ", "横浜市", "京都", "日本語"],
    "gb18030": ["北京", "上海的人们", "广州", "plain", "天气很好", "深圳市", "公园", "中文"],
    "utf-16le": ["Łódź", "Москва", "Αθήνα", "plain", "東京", "Zürich", "서울", "Ελλάδα"],
    "utf-8 cut": ["Köln", "Zürich", "東京", "plain", "Straße", "Łódź", "Москва", "naïve café"],
}
ENCODINGS = {name: "utf-8" if name == "utf-8 cut" else name for name in WORDS}
CUTS = 10


def made(folder: Path, name: str, size: int) -> tuple[Path, Path]:
    """A CSV of about `size` bytes in an encoding, and the clean one."""
    path, clean = folder / f"{name.replace(' ', '-')}.csv", folder / f"{name.replace(' ', '-')}.clean.csv"
    if path.exists() and clean.exists():
        return path, clean
    words, encoding = WORDS[name], ENCODINGS[name]
    with open(path, "wb") as out, open(clean, "wb") as plain:
        head = "id,city,note,price\n"
        out.write((b"\xff\xfe" if encoding == "utf-16le" else b"") + head.encode(encoding))
        plain.write(head.encode())
        row = 0
        while out.tell() < size:
            lines = []
            for _ in range(20_000):
                word = words[row % len(words)]
                lines.append(f"{row},{word} {row % 97},some text about {words[row * 7 % len(words)]},{row % 1000}.25\n")
                row += 1
            text = "".join(lines)
            out.write(text.encode(encoding))
            plain.write(text.encode())
    if name == "utf-8 cut":
        cut(path, clean)
    return path, clean


def cut(path: Path, clean: Path) -> None:
    """Takes the last byte of ten characters away, in lines of the same length."""
    with open(path, "r+b") as file, open(clean, "r+b") as plain:
        length = path.stat().st_size
        for number in range(CUTS):
            at = length * (number + 1) // (CUTS + 2)
            file.seek(at)
            block = file.read(4000)
            found = block.find("ü".encode())
            file.seek(at + found + 1)
            # A byte that ends no character, so that the length stays: U+FFFD, and the byte.
            file.write(b"-")
            file.flush()
            plain.seek(at + found)
            plain.write(b"??")


JOBS: dict[str, str] = {
    "polars.read_csv": "import polars as pl; frame = pl.read_csv(SOURCE); rows = frame.select(pl.len(), pl.col('id').sum(), pl.col('city').str.len_chars().sum(), pl.col('price').sum(), pl.col('city').min().alias('least'), pl.col('city').max().alias('most')).row(0)",
    "polars scan_csv": "import polars as pl, utfkit.polars; frame = SCAN; rows = frame.select(pl.len(), pl.col('id').sum(), pl.col('city').str.len_chars().sum(), pl.col('price').sum(), pl.col('city').min().alias('least'), pl.col('city').max().alias('most')).collect(engine='streaming').row(0)",
    "pandas.read_csv": "import pandas; frame = pandas.read_csv(SOURCE, dtype_backend='pyarrow', engine='c'); rows = (len(frame), frame['id'].sum(), frame['city'].str.len().sum(), frame['price'].sum(), frame['city'].min(), frame['city'].max())",
    "pyarrow.csv": "import pyarrow.csv, pyarrow.compute as pc\nn = i = c = p = 0\nends = []\nfor batch in pyarrow.csv.open_csv(SOURCE):\n    n += batch.num_rows; i += pc.sum(batch['id']).as_py(); c += pc.sum(pc.utf8_length(batch['city'])).as_py(); p += pc.sum(batch['price']).as_py(); ends.append(pc.min_max(batch['city']).as_py())\nrows = (n, i, c, p, min(e['min'] for e in ends), max(e['max'] for e in ends))",
    "duckdb": "import duckdb, utfkit.duckdb; con = duckdb.connect(config={'threads': 1}); table = DUCK; rows = table.aggregate('count(*), sum(id), sum(length(city)), sum(price), min(city), max(city)').fetchall()[0]",
    "datafusion": "import datafusion, utfkit_datafusion; ctx = datafusion.SessionContext(datafusion.SessionConfig().with_target_partitions(1)); FUSION; b = ctx.sql('SELECT count(*) a, sum(id) b, sum(length(city)) c, sum(price) d, min(city) e, max(city) f FROM t').to_pydict(); rows = tuple(v[0] for v in b.values())",
    "spark": "import os; os.environ.setdefault('PYSPARK_PYTHON', __import__('sys').executable)\nfrom pyspark.sql import SparkSession, functions as F\nimport utfkit.spark\nspark = SparkSession.builder.master('local[2]').config('spark.ui.enabled', 'false').config('spark.ui.showConsoleProgress', 'false').config('spark.driver.memory', '3g').getOrCreate(); spark.sparkContext.setLogLevel('ERROR')\nframe = TABLE\nrows = tuple(frame.agg(F.count('*'), F.sum('id'), F.sum(F.length('city')), F.sum('price'), F.min('city'), F.max('city')).first())",
}


def job(engine: str, path: Path | None, clean: Path, how: dict[str, Any]) -> str:
    """The program: one line that opens the file, and one that reads all of it."""
    code = JOBS[engine]
    arguments = ", ".join(f"{key}={value!r}" for key, value in how.items())
    if path is None:
        plain = {
            "SOURCE": repr(str(clean)),
            "SCAN": f"pl.scan_csv({str(clean)!r})",
            "DUCK": f"con.read_csv({str(clean)!r})",
            "FUSION": f"ctx.register_csv('t', {str(clean)!r})",
            "TABLE": f"spark.read.csv({str(clean)!r}, header=True, schema='id long, city string, note string, price double')",
        }
    else:
        import_line = "import utfkit; "
        code = import_line + code
        plain = {
            "SOURCE": f"utfkit.reader({str(path)!r}, {arguments})",
            "SCAN": f"utfkit.polars.scan_csv({str(path)!r}, {arguments})",
            "DUCK": f"utfkit.duckdb.read_csv({str(path)!r}, connection=con, {arguments})",
            "FUSION": f"utfkit_datafusion.register_csv_in(ctx, 't', {str(path)!r}, {arguments})",
            "TABLE": f"utfkit.spark.read_csv(spark, {str(path)!r}, header=True, schema='id long, city string, note string, price double', {arguments})",
        }
    for name, value in plain.items():
        code = code.replace(name, value)
    return code


# The same engines with a stream of clean UTF-8 in Python. They keep more of a stream than of a file, so their memory is
# compared with this.
STREAM = "__import__('io').BufferedReader(type('Stream', (__import__('io').RawIOBase,), dict(readable=lambda self: True, readinto=lambda self, to, file=open({clean!r}, 'rb'): file.readinto(to)))())"
BY_FILE: dict[str, dict[str, str]] = {
    "polars.read_csv": {"SOURCE": STREAM},
    "duckdb": {"DUCK": "(con.register_filesystem(__import__('fsspec').filesystem('file')), con.read_csv('file://' + {clean!r}))[1]"},
}


def by_file(engine: str, clean: Path) -> str:
    code = JOBS[engine]
    for name, value in BY_FILE[engine].items():
        code = code.replace(name, value.format(clean=str(clean)))
    return code


def run(code: str) -> dict[str, Any]:
    """Runs a program in a process of its own. Returns the rows, the seconds, and the MiB at the peak. The seconds are
    those of the processor, so that other work on the machine counts little; of Spark, those of the clock."""
    clock = "perf_counter" if "pyspark" in code else "process_time"
    program = (
        f"import json, resource, time\nclock = time.{clock}\nstart = clock()\n"
        + code
        + "\nseconds = clock() - start\n"
        + "print(json.dumps({'rows': [v if isinstance(v, str) else round(float(v), 2) for v in rows], 'seconds': seconds, 'mib': resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))"
    )
    environment = {**os.environ, "POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        lines = [line for line in done.stderr.strip().splitlines() if line.strip()]
        return {"error": lines[-1][:200] if lines else f"status {done.returncode}"}
    return json.loads(done.stdout.strip().splitlines()[-1])  # type: ignore[no-any-return]


# What people write without a reader: all text is decoded and encoded again in memory.
ROUND_TRIP = "import io, polars as pl; frame = pl.read_csv(io.StringIO(open({path!r}, encoding={encoding!r}, newline='').read())); rows = (frame.height,)"
OURS = "import polars as pl, utfkit; frame = pl.read_csv(utfkit.reader({path!r}, {encoding!r})); rows = (frame.height,)"
PANDAS = "import pandas; frame = pandas.read_csv({path!r}, encoding={encoding!r}); rows = (len(frame),)"
PANDAS_OURS = "import pandas, utfkit; frame = pandas.read_csv(utfkit.reader({path!r}, {encoding!r})); rows = (len(frame),)"


def best(code: str, times: int) -> dict[str, Any]:
    found = [run(code) for _ in range(times)]
    errors = [one for one in found if "error" in one]
    return errors[0] if errors else min(found, key=lambda one: one["seconds"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mb", type=int, default=64, help="the size of each file in MiB")
    parser.add_argument("--csv", type=Path, help="also write the rows to this file")
    parser.add_argument("--only", help="rows with this word")
    parser.add_argument("--times", type=int, default=2, help="take the best of so many runs")
    parser.add_argument("--folder", type=Path, help="where the files are made, and kept")
    args = parser.parse_args()
    rows: list[list[Any]] = []

    def say(*row: Any) -> None:
        rows.append(list(row))
        print(",".join(map(str, row)), flush=True)

    def wanted(*words: str) -> bool:
        return args.only is None or any(args.only in word for word in words)

    with tempfile.TemporaryDirectory() as temporary:
        folder = args.folder or Path(temporary)
        folder.mkdir(exist_ok=True, parents=True)
        say("# ", platform.processor() or platform.machine(), f"{args.mb} MiB", f"Python {platform.python_version()}")
        say("what", "encoding", "seconds", "beside", "ratio", "mib_above", "equal")
        files = {name: made(folder, name, args.mb << 20) for name in WORDS}
        if wanted("Utf8Reader"):
            given = [f"{encoding}={files[name][0]}" for name, encoding in ENCODINGS.items() if name != "utf-8 cut"]
            given.append(f"UTF-8={files['windows-1252'][1]}")
            target = ROOT / "bench"
            command = ["cargo", "run", "--release", "--quiet", "-p", "utfkit-bench-reader", "--", *given]
            done = subprocess.run(command, cwd=target, capture_output=True, text=True, check=True)
            times: dict[tuple[str, str], float] = {}
            for encoding, reader, seconds, _ in csv.reader(done.stdout.splitlines()):
                times[encoding, reader] = float(seconds)
            for (encoding, reader), seconds in times.items():
                if reader.startswith("Utf8Reader"):
                    for peer in ("read", "encoding_rs_io"):
                        other = times[encoding, peer]
                        say(reader, encoding, seconds, peer, round(other / seconds, 2), "", "")
        for name in ("windows-1252", "shift_jis", "utf-16le"):
            given = {"path": str(files[name][0]), "encoding": "utf-16" if name == "utf-16le" else name}
            for what, ours, theirs in (("polars.read_csv", OURS, ROUND_TRIP), ("pandas.read_csv", PANDAS_OURS, PANDAS)):
                if wanted(what, "held to"):
                    mine, other = (best(code.format(**given), args.times) for code in (ours, theirs))
                    if "error" in mine or "error" in other:
                        say(what, name, "", "", "", "", mine.get("error", "") or other.get("error", ""))
                        continue
                    beside = "io.StringIO" if what.startswith("polars") else "encoding="
                    ratio = round(other["seconds"] / mine["seconds"], 2)
                    say(f"{what}(utfkit.reader)", name, round(mine["seconds"], 2), beside, ratio, round(mine["mib"] - other["mib"]), mine["rows"] == other["rows"])
        for engine in JOBS:
            if not wanted(engine):
                continue
            for name in WORDS:
                path, clean = files[name]
                how = {"encoding": "auto", "errors": "replace"} if name == "utf-8 cut" else {"encoding": "auto"}
                mine, plain = best(job(engine, path, clean, how), args.times), best(job(engine, None, clean, {}), args.times)
                beside = run(by_file(engine, clean)) if engine in BY_FILE else plain
                errors = [one["error"] for one in (mine, plain, beside) if "error" in one]
                if errors:
                    say(engine, name, "", "clean UTF-8", "", "", errors[0])
                    continue
                ratio = round(plain["seconds"] / mine["seconds"], 2)
                say(engine, name, round(mine["seconds"], 2), "clean UTF-8", ratio, round(mine["mib"] - beside["mib"]), mine["rows"] == plain["rows"])
    if args.csv:
        with open(args.csv, "w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    main()
