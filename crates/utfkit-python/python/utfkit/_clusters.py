"""The part that Spark and Ray share: functions on a column, and files in ranges.

Files are checked in two passes. The first checks every range on some worker and returns a few numbers
for each (`Summary`). Their sums are the line and column at which each range begins (`joined`). The second
pass reads the ranges with findings again and makes a table of them. So no findings wait in memory for the
ranges before them, and text without an error is read once.
"""

from __future__ import annotations

import errno
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, get_type_hints

from . import arrow
from ._files import Failed, opened
from ._pyarrow import handed_over, pyarrow
from ._utfkit import RangeChecker, find_encoding

RANGE = 64 << 20
"""The bytes of a file that one worker checks at once."""

PIECE = 256 << 10
"""The bytes read at once, which fit into the L2 cache."""

ROWS = 50_000
"""The findings of a table before it is passed on."""

FINDING = pyarrow.struct(
    [
        pyarrow.field("offset", pyarrow.int64(), nullable=False),
        pyarrow.field("length", pyarrow.int64(), nullable=False),
        pyarrow.field("line", pyarrow.int64(), nullable=False),
        pyarrow.field("column", pyarrow.int64(), nullable=False),
        pyarrow.field("bytes", pyarrow.string(), nullable=False),
        pyarrow.field("kind", pyarrow.string(), nullable=False),
        pyarrow.field("code_point", pyarrow.string()),
        pyarrow.field("message", pyarrow.string(), nullable=False),
    ]
)
"""A finding, with the keys of `utfkit check --format jsonl`."""

NAMES = [field.name for field in FINDING]

# Columns


def bytes_of(column: Any) -> Any:
    """A column of bytes or strings as bytes, without a copy. Strings of another engine need not be UTF-8."""
    if isinstance(column, pyarrow.ChunkedArray):
        return pyarrow.chunked_array([bytes_of(chunk) for chunk in column.chunks], _bytes_type(column.type))
    made = _bytes_type(column.type)
    return column if column.type == made else column.view(made)


def _bytes_type(given: Any) -> Any:
    if pyarrow.types.is_string(given):
        return pyarrow.binary()
    if pyarrow.types.is_large_string(given):
        return pyarrow.large_binary()
    if pyarrow.types.is_string_view(given):
        return pyarrow.binary_view()
    return given


def holds_text(given: Any) -> bool:
    """True for the types of bytes and strings that the functions take."""
    return isinstance(given, pyarrow.DataType) and _bytes_type(given) in (
        pyarrow.binary(),
        pyarrow.large_binary(),
        pyarrow.binary_view(),
    )


class Find:
    """The findings of each row."""

    def __call__(self, column: Any) -> Any:
        return handed_over(arrow.findings(bytes_of(column)))


class Repair:
    """Each row repaired."""

    def __init__(self, fallback: str | None = None, reinterpret: bool = False, undouble: bool = False) -> None:
        self.options: dict[str, Any] = {"fallback": fallback, "reinterpret": reinterpret, "undouble": undouble}
        # So that a wrong name is an error here and not on a worker.
        arrow.repair(pyarrow.array([], pyarrow.binary()), **self.options)

    def __call__(self, column: Any) -> Any:
        return handed_over(arrow.repair(bytes_of(column), **self.options))


class Decode:
    """Each row decoded."""

    def __init__(self, encoding: str) -> None:
        arrow.decode(pyarrow.array([], pyarrow.binary()), encoding)
        self.encoding = encoding

    def __call__(self, column: Any) -> Any:
        return handed_over(arrow.decode(bytes_of(column), self.encoding))


CLEANED = pyarrow.struct(
    [
        ("text", pyarrow.string()),
        ("encoding", pyarrow.string()),
        ("certainty", pyarrow.string()),
        ("damage", pyarrow.int64()),
        ("in_fallback", pyarrow.int64()),
        ("undoubled", pyarrow.int64()),
        ("controls", pyarrow.int64()),
        ("reason", pyarrow.string()),
    ]
)
"""What `utfkit.arrow.clean` makes of a row."""


class Clean:
    """UTF-8 of each row, with what was done."""

    def __init__(self, encoding: str, errors: str, options: dict[str, Any]) -> None:
        arrow.clean(pyarrow.array([], pyarrow.binary()), encoding, errors, **options)
        self.encoding, self.errors, self.options = encoding, errors, options

    def __call__(self, column: Any) -> Any:
        return handed_over(arrow.clean(bytes_of(column), self.encoding, self.errors, **self.options)).cast(CLEANED)


def checked_column(columns: Mapping[str, bool], column: object, shown: Mapping[str, object]) -> str:
    """The name of an existing column of bytes or strings. `columns` says which columns hold these, and
    `shown` is the type of each."""
    if not isinstance(column, str):
        raise TypeError(f"'column' must be the name of a column, not {type(column).__name__}")
    if column not in columns:
        raise LookupError(f"there is no column {column!r}: there are {', '.join(map(repr, columns))}")
    if not columns[column]:
        raise TypeError(f"column {column!r} holds {shown[column]}: bytes or strings are needed")
    return column


def kept_columns(columns: Iterable[str], column: str, keep: Iterable[str] | None) -> list[str]:
    """The columns to keep next to the findings."""
    columns = list(columns)
    if isinstance(keep, str):
        raise TypeError("'keep' must be a list of names of columns, not str")
    kept = [name for name in columns if name != column] if keep is None else list(keep)
    for name in kept:
        if name not in columns:
            raise LookupError(f"there is no column {name!r} to keep: there are {', '.join(map(repr, columns))}")
    taken = [name for name in kept if name in NAMES]
    if taken:
        raise ValueError(f"findings have a column {taken[0]!r} too: rename that, or say with 'keep' what to keep")
    return kept


# Files


class Range(NamedTuple):
    """Bytes `start` to `end` of a file of `size` bytes. The line and column at which they begin and the
    number of findings are those of the first pass."""

    path: str
    start: int
    end: int
    size: int
    line: int = 1
    column: int = 1
    findings: int = 0


class Summary(NamedTuple):
    """The counts of a range, or the reason why it could not be read."""

    path: str
    start: int
    end: int
    size: int
    bytes: int
    code_points: int
    lines: int
    column: int
    kinds: dict[str, int]
    errno: int
    error: str


FOUND = pyarrow.schema([pyarrow.field("path", pyarrow.string(), nullable=False), *FINDING])
"""Findings in files."""


class File(NamedTuple):
    """A file, with the keys of the summary of `utfkit check --format jsonl`. A file that could not be read has
    no counts and an error."""

    path: str
    bytes: int | None
    code_points: int | None
    lines: int | None
    findings: int | None
    kinds: dict[str, int] | None
    error: str | None


def _fields(of: type[NamedTuple]) -> Any:
    """The schema of a table of such tuples."""
    counts = pyarrow.map_(pyarrow.string(), pyarrow.int64())
    columns: list[tuple[Any, Any]] = [(str, pyarrow.string()), (int, pyarrow.int64()), (dict[str, int], counts)]
    types = {form: made for given, made in columns for form in (given, given | None)}
    return pyarrow.schema([(name, types[given]) for name, given in get_type_hints(of).items()])


RANGES, SUMMARY, FILE = map(_fields, (Range, Summary, File))
"""Tables of ranges, of summaries, of files."""


def table_of(rows: Iterable[Any], schema: Any) -> Any:
    """Ranges, summaries or files as a table."""
    dicts = [row._asdict() for row in rows]
    for row in dicts:
        if row.get("kinds") is not None:
            row["kinds"] = list(row["kinds"].items())
    return pyarrow.Table.from_pylist(dicts, schema)


class Checked(NamedTuple):
    """The result of `check_files`: a table of the findings and one of the files, of the engine's own type
    and in no order."""

    findings: Any
    files: Any


def ranges_of(files: Iterable[tuple[str, int]], encoding: str, size: int) -> list[Range]:
    """The files in ranges of `size` bytes. A file whose encoding cannot be cut is one range."""
    if find_encoding(encoding) is None:
        raise LookupError(f"unknown encoding: {encoding}")
    if size < 4 or size % 4:
        raise ValueError(f"a range has a multiple of 4 bytes, not {size}")
    can_be_cut = RangeChecker.unit(encoding) is not None
    ranges = []
    for path, length in files:
        step = size if can_be_cut else max(length, 1)
        ranges += [Range(path, start, min(start + step, length), length) for start in range(0, max(length, 1), step)]
    return ranges


class Check:
    """The first pass: checks ranges."""

    def __init__(self, encoding: str) -> None:
        self.encoding = encoding

    def summary(self, part: Range) -> Summary:
        try:
            for checker, ends_file in _checkers(part, self.encoding, keeps=False):
                pass
        except OSError as error:
            return Summary(*part[:4], 0, 0, 0, 0, {}, error.errno or errno.EIO, error.strerror or str(error))
        bytes, code_points, lines, column, kinds = checker.finish(is_last=ends_file)
        return Summary(*part[:4], bytes, code_points, lines, column, kinds, 0, "")

    def __call__(self, table: Any) -> Any:
        """A table of ranges as a table of summaries."""
        return table_of([self.summary(Range(**row)) for row in table.to_pylist()], SUMMARY)


class FindAgain:
    """The second pass: makes tables of the findings in ranges."""

    def __init__(self, encoding: str) -> None:
        self.encoding = encoding

    def tables(self, part: Range) -> Iterator[Any]:
        count = 0
        for checker, ends_file in _checkers(part, self.encoding, keeps=True):
            if len(checker) >= ROWS:
                count += len(checker)
                yield _found(part.path, checker)
        checker.finish(is_last=ends_file)
        count += len(checker)
        if len(checker):
            yield _found(part.path, checker)
        if count != part.findings:
            raise _changed(part.path)

    def __call__(self, table: Any) -> Iterator[Any]:
        """A table of ranges as tables of findings."""
        for row in table.to_pylist():
            yield from self.tables(Range(**row))


def joined(summaries: Iterable[Summary], failed: Iterable[Failed] = ()) -> tuple[list[File], list[Range]]:
    """The files that the ranges are parts of, and the ranges with findings, with the places at which they
    begin. A file of which a range could not be read has an error, and none of its ranges is there."""
    files: list[File] = []
    again: list[Range] = []
    for path, of_file in itertools.groupby(sorted(summaries, key=lambda part: part[:2]), lambda part: part.path):
        parts = list(of_file)
        errors = [part.error for part in parts if part.errno]
        if errors:
            files.append(_unread(path, errors[0]))
            continue
        line = column = 1
        kinds: Counter[str] = Counter()
        for part in parts:
            found = dict(part.kinds)
            if found:
                again.append(Range(*part[:4], line, column, sum(found.values())))
            kinds.update(found)
            column = part.column + (column - 1 if part.lines == 0 else 0)
            line += part.lines
        size = sum(part.bytes for part in parts)
        code_points = sum(part.code_points for part in parts)
        lines = sum(part.lines for part in parts)
        files.append(File(path, size, code_points, lines, kinds.total(), dict(sorted(kinds.items())), None))
    files += (_unread(one.path, one.error) for one in failed)
    return files, again


def _unread(path: str, error: str) -> File:
    return File(path, None, None, None, None, None, error)


def _changed(path: str) -> OSError:
    return OSError(errno.EIO, "changed while it was read", path)


def _found(path: str, checker: RangeChecker) -> Any:
    table = pyarrow.array(checker.take_findings())
    paths = pyarrow.repeat(pyarrow.scalar(path), len(table))
    return pyarrow.Table.from_arrays([paths, *table.flatten()], schema=FOUND)


def _checkers(part: Range, encoding: str, *, keeps: bool) -> Iterator[tuple[RangeChecker, bool]]:
    """Yields the checker of a range after each piece and at the end, and True if the range goes to the end of
    the file, as a range before the last one can."""
    with opened(part.path) as file:
        at = _cut(file, part.start, part, encoding) if part.start else 0
        end = part.size if part.end == part.size else _cut(file, part.end, part, encoding)
        checker = RangeChecker(encoding, offset=at, line=part.line, column=part.column, keeps=keeps)
        file.seek(at)
        while at < end:
            piece = file.read(min(PIECE, end - at))
            if not piece:
                raise _changed(part.path)
            checker.feed(piece)
            at += len(piece)
            yield checker, end == part.size
        yield checker, end == part.size


def _cut(file: Any, at: int, part: Range, encoding: str) -> int:
    """The first place from `at` on where a range can begin, or the end."""
    file.seek(at)
    size = 64
    while at < part.size:
        piece = file.read(min(size, part.size - at))
        if not piece:
            raise _changed(part.path)
        found = RangeChecker.cut(encoding, piece)
        if found is not None:
            return at + found
        at += len(piece)
        size = PIECE
    return part.size
