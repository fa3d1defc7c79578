"""Text and CSV in any encoding as tables of Spark."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from . import _lines
from ._files import files_of
from ._lines import Detect, Found, Lines, Part
from ._pyarrow import pyarrow

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

ROWS = 10_000
"""The rows of a batch."""

_PARTS = pyarrow.schema([("path", pyarrow.string()), ("start", pyarrow.int64()), ("end", pyarrow.int64()), ("encoding", pyarrow.string())])

_Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]


class Read:
    """Files in any encoding, listed and detected."""

    def __init__(
        self,
        spark: SparkSession,
        path: _Paths,
        encoding: str,
        errors: str,
        fallback: str | None,
        at_least: str,
        glob: str | None,
        range_size: int,
    ) -> None:
        if range_size < 4 or range_size % 4:
            raise ValueError(f"a range has a multiple of 4 bytes, not {range_size}")
        self.spark = spark
        self.options = _lines.checked_options(encoding, errors, fallback, at_least)
        self.range_size = range_size
        files, failed = files_of(path, glob)
        for one in failed:
            raise OSError(one.errno, one.error, one.path)
        if not files:
            raise FileNotFoundError(f"{path}: no file {'matches ' + glob if glob else 'is there'}")
        if encoding.lower() == "auto":
            self.found = _detected(spark, files, Detect(at_least, errors, fallback))
        else:
            self.found = [Found(path, size, encoding, "certain") for path, size in files]

    def rows(self, *, whole: bool = False, ends: Callable[[bytes], int] | None = None, drops: Drop | None = None) -> DataFrame:
        """A table of one column, `value`: the lines, or with `ends` the records of whole files. `drops` takes the
        first lines of each file away."""
        parts = _lines.parts_of(self.found, self.range_size, whole=whole)
        lines = Lines(**self.options, is_end=ends)

        def mapped(batches: Iterator[Any]) -> Iterator[Any]:
            for batch in batches:
                for row in batch.to_pylist():
                    part = Part(**row)
                    rows = _records(lines(part), ends)
                    if drops is not None and part.start == 0:
                        rows = drops(rows)
                    yield from _batches(rows)

        from .spark import _schema

        total = sum(max(size, 1) for _, size, _, _ in self.found)
        tasks = max(1, min(len(parts), max(-(-total // self.range_size), 2 * _parallel(self.spark))))
        table = self.spark.createDataFrame(parts, _schema(_PARTS)).repartition(tasks)
        return table.mapInArrow(mapped, "value string")

    def first_lines(self, count: int) -> list[str]:
        """The first lines of the first file that has any."""
        lines = Lines(**self.options)
        for path, _, encoding, _ in self.found:
            first: list[str] = []
            for line in _records(lines(Part(path, 0, -1, encoding)), None):
                first.append(line.decode())
                if len(first) == count:
                    break
            if any(line.strip() for line in first):
                return first
        return []


def _detected(spark: SparkSession, files: list[tuple[str, int]], detect: Detect) -> list[Found]:
    """The encoding of each file, which workers detect in parallel."""
    fields = "path string, size long, encoding string, certainty string"

    def mapped(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            found = [detect(row["path"], row["size"])._asdict() for row in batch.to_pylist()]
            schema = pyarrow.schema([("path", "string"), ("size", "int64"), ("encoding", "string"), ("certainty", "string")])
            yield from pyarrow.Table.from_pylist(found, schema).to_batches()

    if len(files) == 1:
        return [detect(*files[0])]
    tasks = min(len(files), 4 * _parallel(spark))
    table = spark.createDataFrame(files, "path string, size long").repartition(tasks)
    return sorted(Found(*row) for row in table.mapInArrow(mapped, fields).collect())


def _parallel(spark: SparkSession) -> int:
    from .spark import _cores

    return _cores(spark)


def _records(pieces: Iterable[bytes], ends: Callable[[bytes], int] | None) -> Iterator[bytes]:
    """The lines of pieces, as Spark ends them: with LF, CRLF or CR. With `ends` the records."""
    if ends is None:
        # A CRLF is not cut, since a piece ends after a LF or the text does.
        for piece in pieces:
            yield from piece.splitlines()
        return
    for piece in pieces:
        start = 0
        while start < len(piece):
            at = piece.find(b"\n", start)
            at = len(piece) if at < 0 else at + 1
            # `ends` says whether a record ends there.
            while at < len(piece) and ends(piece[start:at]) != at - start:
                after = piece.find(b"\n", at)
                at = len(piece) if after < 0 else after + 1
            yield piece[start:at].removesuffix(b"\n").removesuffix(b"\r")
            start = at


def _batches(rows: Iterator[bytes]) -> Iterator[Any]:
    batch: list[bytes] = []
    for row in rows:
        batch.append(row)
        if len(batch) == ROWS:
            yield _batch(batch)
            batch = []
    if batch:
        yield _batch(batch)


def _batch(rows: list[bytes]) -> Any:
    return pyarrow.RecordBatch.from_arrays([pyarrow.array(rows, pyarrow.binary()).view(pyarrow.string())], ["value"])


class Drop:
    """Takes away the header of a file: the first line that is neither empty nor a comment."""

    def __init__(self, comment: str | None) -> None:
        self.comment = comment.encode() if comment else None

    def is_header(self, line: bytes) -> bool:
        return bool(line.strip()) and not (self.comment and line.lstrip().startswith(self.comment))

    def __call__(self, rows: Iterator[bytes]) -> Iterator[bytes]:
        is_before = True
        for row in rows:
            if is_before and self.is_header(row):
                is_before = False
                continue
            yield row


_OTHERS = {"encoding", "charset", "lineSep", "path"}


def csv(read: Read, schema: Any, options: dict[str, Any]) -> DataFrame:
    """The table of CSV files, by Spark's own parser."""
    given = {name.lower(): value for name, value in options.items()}
    for name in _OTHERS:
        if name.lower() in given:
            raise TypeError(f"the option {name!r} is not for read_csv: 'encoding' is an argument, and lines end as they do")
    spark = read.spark
    if not hasattr(spark, "_jvm"):
        raise NotImplementedError("read_csv needs a session of Spark in this process: Spark Connect parses no table of lines")
    is_true = {name: str(given.get(name, "false")).lower() == "true" for name in ("header", "multiline", "inferschema")}
    ends = _lines.after_last_record(str(given.get("quote", '"')).encode()) if is_true["multiline"] else None
    drops = Drop(given.get("comment")) if is_true["header"] else None
    rows = read.rows(whole=ends is not None, ends=ends, drops=drops)
    # The lines of the header are taken away, also from later files.
    plain = {name: value for name, value in options.items() if name.lower() not in ("header", "multiline", "inferschema")}
    if schema is None and is_true["header"]:
        schema = _schema(read, rows, plain, is_true["inferschema"], drops)
    elif schema is None and is_true["inferschema"]:
        plain["inferSchema"] = True
    return _parsed(spark, rows, schema, plain)


def _schema(read: Read, rows: DataFrame, plain: dict[str, Any], infers: bool, drops: Drop | None) -> Any:
    """The schema that the header names, with the types that Spark infers or as strings."""
    from .spark import types

    assert drops is not None
    lines = [line for line in read.first_lines(1000) if drops.is_header(line.encode())][:1]
    if not lines:
        return types.StructType([])
    header = read.spark.createDataFrame([(lines[0],)], "value string")
    names = _parsed(read.spark, header, None, {**plain, "header": True}).columns
    kinds = []
    if infers:
        kinds = [field.dataType for field in _parsed(read.spark, rows, None, {**plain, "inferSchema": True}).schema]
    pairs = zip_longest(names, kinds[: len(names)])
    return types.StructType([types.StructField(name, kind or types.StringType()) for name, kind in pairs])


def _parsed(spark: Any, rows: DataFrame, schema: Any, options: dict[str, Any]) -> DataFrame:
    """Spark's table of a table of lines, which Python's interface has for an RDD alone."""
    from pyspark.sql import DataFrame

    reader = spark.read.options(**options)
    if schema is not None:
        reader = reader.schema(schema)
    jvm: Any = spark._jvm
    frame: Any = rows
    strings = getattr(frame._jdf, "as")(jvm.org.apache.spark.sql.Encoders.STRING())
    return DataFrame(reader._jreader.csv(strings), spark)
