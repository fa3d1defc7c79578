"""The job `python -m utfkit.spark`."""

from __future__ import annotations

import argparse
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import utfkit

from . import spark as columns

DESCRIPTION = """\
Checks, repairs or decodes a column of a table, on the cluster that Spark is configured for. INPUT and OUTPUT
are paths of Spark.

In Parquet the column holds bytes or strings. In text (--format text) it is 'value', and each line is a row.
`check` without a column checks whole text files, as `utfkit check` does.

`clean` takes files of doubtful origin: Parquet (a column), JSON lines, CSV and WARC, also .gz, .bz2, .zst and .lz4. Each
row becomes UTF-8, with what was done and how sure that is. OUTPUT/kept has the rows that meet the bounds,
OUTPUT/aside the others with the reason, OUTPUT/counts.json the counts. A run that was interrupted goes on."""

UNREAD = 10
"""The number of unreadable files that are named."""

EXIT = """\
Status 0: no findings, or the output is written; 1: findings; 2: an error."""


def _parser() -> argparse.ArgumentParser:
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("python -m utfkit.spark", description=DESCRIPTION, epilog=EXIT, formatter_class=plain)
    commands = parser.add_subparsers(dest="command", required=True, metavar="check|repair|decode|clean")
    check = commands.add_parser("check", help="write a table of the findings")
    repair = commands.add_parser("repair", help="write the table with well-formed text")
    decode = commands.add_parser("decode", help="write the table with text of another encoding as UTF-8")
    clean = commands.add_parser("clean", help="make UTF-8 of files of doubtful origin, and set rows aside")
    for command in (check, repair, decode, clean):
        command.add_argument("input", metavar="INPUT", help="the file or folder to read")
        command.add_argument("output", metavar="OUTPUT", help="the folder to write")
        if command is clean:
            formats: tuple[str, ...] = ("parquet", "jsonl", "csv", "warc")
            command.add_argument("--format", choices=formats, help="the format of INPUT (default: by the names of the files)")
        else:
            command.add_argument("--format", choices=("parquet", "text"), help="the format of INPUT (default: parquet)")
        command.add_argument("--overwrite", action="store_true", help="replace OUTPUT if it is there")
        command.add_argument("--master", help="the cluster, if it is not configured: local[4], spark://HOST:7077 ...")
    check.add_argument("--column", help="the column to check (default: whole text files)")
    for command in (repair, decode):
        command.add_argument("--column", help="the column (of text: its lines)")
    check.add_argument("--keep", action="append", metavar="COLUMN", help="a column to write with each finding (default: all)")
    check.add_argument("--json", action="store_true", help="write JSON lines, not Parquet")
    check.add_argument("--encoding", default="utf-8", help="the encoding of whole text files")
    repair.add_argument("--fallback", metavar="ENCODING", help="read ill-formed bytes in this encoding")
    repair.add_argument("--reinterpret", action="store_true", help="read overlong forms and surrogate pairs as the characters that they spell")
    repair.add_argument("--undouble", action="store_true", help="undo UTF-8 that was encoded twice")
    decode.add_argument("--encoding", default="auto", help="the encoding to read (default: auto, detected for each value)")
    clean.add_argument("--column", help="the column of Parquet, or the member of JSON lines whose escapes are looked into")
    clean.add_argument("--encoding", default="auto", help="the encoding of all rows (default: auto, detected for each row)")
    clean.add_argument("--encoding-column", metavar="COLUMN", help="a column of Parquet with the encoding of each row; of WARC 'charset', that of its HTTP header")
    clean.add_argument("--errors", default="replace", choices=("strict", "replace", "ignore"), help="ill-formed sequences set a row aside, become U+FFFD, or are left out (default: replace)")
    clean.add_argument("--at-least", default="a guess", metavar="HOW", help="set rows aside whose encoding is less sure: 'a guess' (default), 'likely', 'nearly certain', 'certain'")
    clean.add_argument("--most-damage", type=float, metavar="SHARE", help="set rows aside with more ill-formed sequences than this share of their characters")
    clean.add_argument("--fallback", metavar="ENCODING", help="read ill-formed bytes of UTF-8 in this encoding, or in that which is detected for them (auto)")
    clean.add_argument("--undouble", action="store_true", help="undo UTF-8 that was encoded twice")
    clean.add_argument("--controls", default="keep", choices=("keep", "remove"), help="remove controls that text does not contain")
    clean.add_argument("--language", action="append", metavar="CODE", help="a language that the text is probably in")
    clean.add_argument("--only", action="append", metavar="ENCODING", help="an encoding that comes into question")
    clean.add_argument("--not", action="append", dest="not_", metavar="ENCODING", help="an encoding that does not")
    clean.add_argument("--delimiter", default=",", metavar="C", help="between the fields of CSV")
    clean.add_argument("--glob", metavar="GLOB", help="the files of a folder to take")
    return parser


def run(arguments: list[str] | None) -> int:
    """Runs the job and returns the exit status."""
    parser = _parser()
    args = parser.parse_args(arguments)
    if args.command != "repair" and args.encoding.lower() != "auto" and utfkit.find_encoding(args.encoding) is None:
        # Before Spark starts, which takes seconds.
        return _failed(LookupError(f"unknown encoding: {args.encoding}"))
    if args.command == "clean":
        return _clean(args)
    whole = args.command == "check" and args.column is None
    if whole:
        args.format = args.format or "text"
        if args.format != "text":
            parser.error("check of Parquet needs --column")
        if args.keep:
            parser.error("--keep needs --column: findings in files have their path alone")
    elif args.command == "check" and args.encoding != "utf-8":
        parser.error("--encoding is for whole text files: a column is checked as UTF-8")
    args.format = args.format or "parquet"
    if args.column is None and not whole:
        if args.format == "parquet":
            parser.error(f"{args.command} of Parquet needs --column")
        args.column = "value"
    if args.command == "decode" and args.format == "text" and not _has_lines(args.encoding):
        parser.error(
            f"lines of {args.encoding} cannot be read one by one: `utfkit convert` converts whole files, "
            "and of Parquet a column may hold such text"
        )
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    session = _session(args)
    try:
        with _progress(session):
            found = _whole(session, args) if whole else _column(session, args)
    except (OSError, LookupError, TypeError, ValueError, PySparkException, Py4JError) as error:
        return _failed(error)
    print(f"utfkit: {found} in {args.input}" if found is not None else f"utfkit: {args.output} is written", file=sys.stderr)
    return 1 if found is not None and not found.startswith("0 ") else 0


def _clean(args: argparse.Namespace) -> int:
    from . import _clean_files

    try:
        counts, failed = _clean_files.run(_session(args), args)
    except (OSError, LookupError, TypeError, ValueError) as error:
        return _failed(error)
    except Exception as error:
        # Of Spark and its JVM, whose classes are there when it is installed.
        if type(error).__module__.partition(".")[0] not in ("pyspark", "py4j"):
            raise
        return _failed(error)
    for path, reason in failed:
        print(f"utfkit: {reason if path in reason else f'{path}: {reason}'}", file=sys.stderr)
    said = [f"{_count(counts['rows'], 'row')} of {_count(counts['files'], 'file')}: {counts['kept']:,} kept, {counts['aside']:,} set aside"]
    done = {"damaged": "damaged", "read_in_fallback": "read in a fallback", "undoubled": "undoubled", "without_controls": "freed of controls"}
    said += [f"{counts[name]:,} {what}" for name, what in done.items() if counts[name]]
    print(f"utfkit: {args.output}: {', '.join(said)}", file=sys.stderr)
    for encoding, rows in counts["encodings"].items():
        print(f"utfkit: {rows:10,} {encoding}", file=sys.stderr)
    return 2 if failed else 0


def _session(args: argparse.Namespace) -> Any:
    from pyspark.sql import SparkSession

    if (args.master or "").startswith("local"):
        # The tasks run on this machine, in this environment.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder: Any = SparkSession.builder
    builder = builder.appName(f"utfkit {args.command}")
    if args.master:
        builder = builder.master(args.master)
    # The job has a line of progress of its own, and one line for an error.
    session = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    if session.sparkContext.getConf().get("spark.log.level") is None:
        session.sparkContext.setLogLevel("FATAL")
    return session


def _has_lines(encoding: str) -> bool:
    """True if a line feed ends a line in the encoding, and no state outlives it."""
    if encoding.lower() == "auto":
        return True
    name = utfkit.find_encoding(encoding)
    assert name is not None
    has_state = name.startswith(("iso-2022", "hz", "utf-7", "x-utf-7", "imap"))
    return not has_state and utfkit.encode("\n", name) == b"\n" and utfkit.encode("a", name) == b"a"


def _failed(error: Exception) -> int:
    print(f"utfkit: {_reason(str(error)) or type(error).__name__}", file=sys.stderr)
    return 2


def _reason(text: str) -> str:
    """The line of an error that says what happened. Spark shows the trace of a worker, with Python's exception on
    its last line, or that of the JVM, whose first cause comes last."""
    lines = [line for line in text.splitlines() if line.strip()]
    named = [line for line in lines if line.split(":")[0].endswith("Error") and not line.startswith((" ", "\t"))]
    if named:
        return named[-1]
    of_java = [line.removeprefix("Caused by").removeprefix(": ") for line in lines if line.startswith(("Caused by: ", ": "))]
    # Without the class of the exception.
    said = [line.partition(": ")[2] for line in of_java if " " not in line.partition(": ")[0]]
    return next((line for line in reversed(said) if line), lines[0] if lines else "")


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _whole(session: Any, args: argparse.Namespace) -> str:
    checked = columns.check_files(session, args.input, encoding=args.encoding)
    _write(checked.findings, args)
    unread = checked.files.where("error is not null").select("path", "error").sort("path").take(UNREAD + 1)
    for row in unread[:UNREAD]:
        print(f"utfkit: {row[0]}: {row[1]}", file=sys.stderr)
    sums = "count(error)", "count(*) - count(error)", "coalesce(sum(findings), 0)"
    failed, files, findings = checked.files.selectExpr(*sums).collect()[0]
    found = f"{_count(findings, 'finding')} in {_count(files, 'file')}"
    if failed:
        raise OSError(f"{_count(failed, 'file')} could not be read; {found} in {args.input}")
    return found


def _column(session: Any, args: argparse.Namespace) -> str | None:
    from pyspark.sql import Observation, functions

    reader = session.read
    # Only a line feed ends a line.
    table = reader.parquet(args.input) if args.format == "parquet" else reader.option("lineSep", "\n").text(args.input)
    if args.command == "check":
        seen: Any = Observation("utfkit")
        found = columns.check(table, args.column, keep=args.keep)
        _write(found.observe(seen, functions.count(functions.lit(1)).alias("count")), args)
        return _count(seen.get["count"], "finding")
    if args.command == "repair":
        options = {"fallback": args.fallback, "reinterpret": args.reinterpret, "undouble": args.undouble}
        made = columns.repair(table, args.column, **options)
    else:
        made = columns.decode(table, args.column, encoding=args.encoding)
    _write(made, args)
    return None


def _write(table: Any, args: argparse.Namespace) -> None:
    writer = table.write.mode("overwrite" if args.overwrite else "errorifexists")
    if args.command == "check":
        writer.json(args.output, ignoreNullFields=False) if args.json else writer.parquet(args.output)
    elif args.format == "text":
        writer.option("lineSep", "\n").text(args.output)
    else:
        writer.parquet(args.output)


@contextmanager
def _progress(session: Any) -> Iterator[None]:
    """Shows the number of finished tasks on a terminal while the job runs."""
    if not sys.stderr.isatty():
        yield
        return
    ended = threading.Event()
    tracker = session.sparkContext.statusTracker()

    def show() -> None:
        while not ended.wait(0.5):
            stages = filter(None, map(tracker.getStageInfo, tracker.getActiveStageIds()))
            for stage in list(stages)[:1]:
                done, running = stage.numCompletedTasks, stage.numActiveTasks
                line = f"utfkit: {done:,} of {_count(stage.numTasks, 'task')}, {running:,} running"
                print(f"\r{line}\x1b[K", end="", file=sys.stderr, flush=True)
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    thread = threading.Thread(target=show, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
