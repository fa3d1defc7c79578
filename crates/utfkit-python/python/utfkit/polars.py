"""The functions of `utfkit.arrow` as expressions of Polars, under the name `utfkit`.

>>> import polars
>>> import utfkit.polars
>>> frame = polars.DataFrame({"raw": [b"tea", b"caf\\xe9"]})
>>> frame.select(polars.col("raw").utfkit.make_valid())["raw"].to_list()
['tea', 'caf\ufffd']
"""

import functools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ._needs import needed

needed("polars", "utfkit.polars")

import polars as pl  # noqa: E402
from polars.io.plugins import register_io_source  # noqa: E402

from . import arrow  # noqa: E402
from ._reading import Reader, reader  # noqa: E402
from ._utfkit import find_encoding  # noqa: E402

__all__ = ["Cleaned", "Expressions", "Values", "clean", "scan_csv", "scan_ndjson"]

_ERROR = pl.Struct({"offset": pl.Int64, "length": pl.Int64, "kind": pl.String})
_FINDING = pl.Struct(
    {
        "offset": pl.Int64,
        "length": pl.Int64,
        "line": pl.Int64,
        "column": pl.Int64,
        "bytes": pl.String,
        "kind": pl.String,
        "code_point": pl.String,
        "message": pl.String,
    }
)
_CLEANED = pl.Struct(
    {
        "text": pl.String,
        "encoding": pl.String,
        "certainty": pl.String,
        "damage": pl.Int64,
        "in_fallback": pl.Int64,
        "undoubled": pl.Int64,
        "controls": pl.Int64,
        "reason": pl.String,
    }
)
_DETECTION = pl.Struct({"encoding": pl.String, "certainty": pl.String})


@pl.api.register_expr_namespace("utfkit")
class Expressions:
    """The methods of `polars.col("raw").utfkit`, for columns of Binary, String, Categorical, Enum and Null."""

    def __init__(self, expression: pl.Expr) -> None:
        self._expression = expression

    def _mapped(self, kernel: Callable[[Any], Any], data_type: Any) -> pl.Expr:
        def kernel_of(series: pl.Series) -> pl.Series:
            if series.dtype.is_nested():
                inside = "polars.element().utfkit" if isinstance(series.dtype, (pl.List, pl.Array)) else "struct.field"
                raise TypeError(f"a column of Binary or String is needed, not of {series.dtype}: take its values, by {inside}")
            return pl.Series(series.name, kernel(series), dtype=data_type)

        return self._expression.map_batches(kernel_of, return_dtype=data_type, is_elementwise=True)

    def is_valid(self) -> pl.Expr:
        """True for each row that is UTF-8."""
        return self._mapped(arrow.is_valid_utf8, pl.Boolean)

    def make_valid(self, practice: str = "maximal-subpart") -> pl.Expr:
        """Each row as text, with U+FFFD for ill-formed sequences."""
        return self._mapped(lambda series: arrow.make_valid_utf8(series, practice), pl.String)

    def try_validate(self) -> pl.Expr:
        """Each row that is UTF-8 as text, and null for the others."""
        return self._mapped(arrow.try_validate_utf8, pl.String)

    def validate(self) -> pl.Expr:
        """The rows as text. An error if one is not UTF-8."""
        return self._mapped(arrow.validate_utf8, pl.String)

    def first_error(self) -> pl.Expr:
        """Offset, length and kind of the first error of each row, or null."""
        return self._mapped(arrow.first_error, _ERROR)

    def errors(self) -> pl.Expr:
        """All errors of each row, in a list."""
        return self._mapped(arrow.errors, pl.List(_ERROR))

    def findings(self) -> pl.Expr:
        """The findings of `utfkit check` in each row, in a list."""
        return self._mapped(arrow.findings, pl.List(_FINDING))

    def repair(self, *, fallback: str | None = None, reinterpret: bool = False, undouble: bool = False) -> pl.Expr:
        """Each row repaired as by `utfkit.repair`."""
        options: dict[str, Any] = {"fallback": fallback, "reinterpret": reinterpret, "undouble": undouble}
        return self._mapped(lambda series: arrow.repair(series, **options), pl.String)

    def decode(self, encoding: str) -> pl.Expr:
        """Each row decoded, with 'auto' in the encoding that is detected for that row."""
        return self._mapped(lambda series: arrow.decode(series, encoding), pl.String)

    def detect(self) -> pl.Expr:
        """The encoding detected for each row, with a certainty."""
        return self._mapped(arrow.detect, _DETECTION)

    def clean(self, encoding: str | pl.Expr = "auto", errors: str = "replace", **options: Any) -> pl.Expr:
        """UTF-8 of each row in one pass, with what was done, as by `utfkit.arrow.clean`: a struct of text, encoding,
        certainty, damage, in_fallback, undoubled, controls, reason. `encoding` may be a column of names: a row
        without a name is detected, and one with an unknown name gets a reason.
        """
        # Wrong options are an error here.
        arrow.clean(pl.Series([], dtype=pl.Binary), encoding if isinstance(encoding, str) else "auto", errors, **options)
        if isinstance(encoding, str):
            return self._mapped(lambda series: arrow.clean(series, encoding, errors, **options), _CLEANED)

        def both(series: Any) -> pl.Series:
            raw, names = series
            return _clean_each(raw, names, errors, options)

        return pl.map_batches([self._expression, encoding], both, return_dtype=_CLEANED, is_elementwise=True)

    def undouble(self) -> pl.Expr:
        """Each row with double encoding undone."""
        return self._mapped(arrow.undouble, pl.String)

    fix_encoding = undouble

    def code_points(self) -> pl.Expr:
        """The number of code points of each row."""
        return self._mapped(arrow.code_points, pl.Int64)


@pl.api.register_series_namespace("utfkit")
class Values:
    """The methods of `series.utfkit`: those of `Expressions`, which return a series.

    >>> import polars
    >>> polars.Series([b"tea", b"caf\\xe9"]).utfkit.is_valid().to_list()
    [True, False]
    """

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def __getattr__(self, name: str) -> Callable[..., pl.Series]:
        if name.startswith("_"):
            raise AttributeError(name)
        method = getattr(Expressions(pl.first()), name)

        @functools.wraps(method)
        def call(*arguments: Any, **options: Any) -> pl.Series:
            return self._series.to_frame().select(method(*arguments, **options)).to_series()

        return call

    def __dir__(self) -> list[str]:
        return [name for name in dir(Expressions) if not name.startswith("_")]


def _clean_each(raw: pl.Series, names: pl.Series, errors: str, options: dict[str, Any]) -> pl.Series:
    """Each row in the encoding of the same row of `names`."""
    frame = pl.DataFrame({"row": pl.int_range(len(raw), eager=True), "raw": raw, "name": names.cast(pl.String)})
    parts = [pl.DataFrame(schema={"row": pl.Int64, "made": _CLEANED})]
    for part in frame.partition_by("name"):
        name = part["name"][0]
        is_known = name is not None and find_encoding(name) is not None
        rules = options if name is None else {key: options[key] for key in options if key not in _OF_DETECTION}
        made = pl.Series("made", arrow.clean(part["raw"], name if is_known else "auto", errors, **rules), dtype=_CLEANED).alias("made")
        if name is not None and not is_known:
            # A row that is null stays so.
            reason = pl.when(pl.col("made").struct.field("text").is_not_null()).then(pl.lit(f"unknown encoding: {name}"))
            made = made.to_frame().select(pl.col("made").struct.with_fields(reason=reason))["made"]
        parts.append(pl.DataFrame({"row": part["row"], "made": made}))
    return pl.concat(parts).sort("row")["made"].alias(raw.name)


_OF_DETECTION = ("only", "not_", "language")


class Cleaned(NamedTuple):
    """The result of `clean`: the rows that meet the bounds, the others with the `reason`, and a row of counts."""

    kept: Any
    aside: Any
    counts: Any


def clean(
    frame: Any,
    column: str,
    encoding: str | pl.Expr = "auto",
    errors: str = "replace",
    *,
    into: str | None = None,
    prefix: str | None = None,
    **options: Any,
) -> Cleaned:
    """Makes a column of doubtful origin UTF-8, and sets rows aside that do not meet the bounds.

    `frame` is a frame or a lazy frame, and so are the tables of the result. The text is in the place of `column`, or
    in `into`; the other columns begin with `prefix`, which is the name of the text and an underscore: `_encoding`,
    `_certainty`, `_damage`, `_in_fallback`, `_undoubled`, `_controls`. A row of `aside` keeps the bytes that it had,
    and has a `_reason`. `encoding` is a name, 'auto' or a column of names, and further options are those of
    `utfkit.arrow.clean`.

    >>> import polars
    >>> frame = polars.DataFrame({"raw": [b"tea", b"x \\xff", "Grüße aus Köln".encode("cp1252"), None]})
    >>> kept, aside, counts = utfkit.polars.clean(frame, "raw", at_least="likely", language="de")
    >>> kept["raw"].to_list(), kept["raw_encoding"].to_list()
    (['tea', 'Grüße aus Köln', None], ['US-ASCII', 'windows-1252', None])
    >>> aside["raw"].to_list(), aside["raw_reason"].to_list()[0][:21]
    ([b'x \\xff'], 'less sure than likely')
    >>> counts.select("rows", "kept", "aside", "damaged").row(0)
    (4, 3, 1, 0)
    """
    names = frame.collect_schema().names() if isinstance(frame, pl.LazyFrame) else frame.columns
    if column not in names:
        raise LookupError(f"there is no column {column!r}: there are {', '.join(map(repr, names))}")
    text = into or column
    prefix = f"{text}_" if prefix is None else prefix
    others = ("encoding", "certainty", "damage", "in_fallback", "undoubled", "controls")
    taken = [prefix + name for name in (*others, "reason") if prefix + name in names]
    if taken:
        raise ValueError(f"there is a column {taken[0]!r} already: name others with 'prefix'")
    namespace: Any = pl.col(column)
    made = namespace.utfkit.clean(encoding, errors, **options)
    struct = "utfkit cleaned"
    work = frame.with_columns(made.alias(struct))
    field = pl.col(struct).struct.field
    is_aside = field("reason").is_not_null()
    said = [field(name).alias(prefix + name) for name in others]
    kept = work.filter(~is_aside).with_columns(field("text").alias(text), *said).drop(struct)
    aside = work.filter(is_aside).with_columns(*said, field("reason").alias(prefix + "reason")).drop(struct)
    counts = work.select(
        pl.len().alias("rows"),
        (~is_aside).sum().alias("kept"),
        is_aside.sum().alias("aside"),
        (field("damage") > 0).sum().alias("damaged"),
        field("damage").sum().alias("damage"),
        (field("in_fallback") > 0).sum().alias("read_in_fallback"),
        (field("undoubled") > 0).sum().alias("undoubled"),
        (field("controls") > 0).sum().alias("without_controls"),
    )
    return Cleaned(kept, aside, counts)


# Of a file, this much is parsed at once.
_BLOCK = 8 << 20


def scan_csv(
    path: Any, encoding: str = "auto", errors: str = "strict", *, fallback: str | None = None, **options: Any
) -> pl.LazyFrame:
    """Scans a CSV in any encoding, as `polars.scan_csv` scans UTF-8: in blocks, with only the columns and rows
    that the query needs. `path`, `encoding`, `errors` and `fallback` are those of `utfkit.reader`, the rest are options
    of `polars.read_csv`.

    >>> import os, tempfile, polars
    >>> path = os.path.join(tempfile.mkdtemp(), "stadt.csv")
    >>> with open(path, "w", encoding="utf-16") as file:
    ...     _ = file.write("id,Stadt\\n1,Köln\\n2,Łódź\\n")
    >>> utfkit.polars.scan_csv(path).filter(polars.col("id") > 1).collect().rows()
    [(2, 'Łódź')]
    """

    def opened() -> Reader:
        return reader(path, encoding, errors, fallback=fallback)

    for name in ("n_rows", "columns", "batch_size", "row_index_name", "row_index_offset"):
        if name in options:
            raise TypeError(f"{name} is left to the query: head(), select(), with_row_index()")
    quote = options.get("quote_char", '"')
    of_block = (options.get("eol_char", "\n").encode(), quote and quote.encode(), _BLOCK)
    with opened() as file:
        schema = pl.read_csv(next(iter(_Blocks(file, *of_block)), b""), **options).schema
    first = {name: value for name, value in options.items() if name not in _INFERRED}
    # The lines before the rows are in the first block alone.
    later = {name: value for name, value in first.items() if name not in _OF_THE_START}

    def blocks(columns: list[str] | None) -> Iterator[pl.DataFrame]:
        # By their place: Polars takes no names for a block without a header.
        places = None if columns is None else [list(schema).index(name) for name in columns]
        with opened() as file:
            wanted: dict[str, Any] = first
            for block in _Blocks(file, *of_block):
                yield pl.read_csv(block, **{**wanted, "schema": schema, "columns": places})
                wanted = {**later, "has_header": False}

    return _scanned(blocks, schema)


# What the schema says, and the options of the lines before the rows.
_INFERRED = {"new_columns", "schema", "schema_overrides", "infer_schema", "infer_schema_length"}
_OF_THE_START = {"has_header", "skip_rows", "skip_lines", "skip_rows_after_header"}


def scan_ndjson(
    path: Any, encoding: str = "auto", errors: str = "strict", *, fallback: str | None = None, **options: Any
) -> pl.LazyFrame:
    """Scans lines of JSON in any encoding, as `polars.scan_ndjson` scans UTF-8. See `scan_csv`; the rest are options
    of `polars.read_ndjson`.
    """

    def opened() -> Reader:
        return reader(path, encoding, errors, fallback=fallback)

    with opened() as file:
        start = next(iter(_Blocks(file, b"\n", None, _BLOCK)), b"")
        schema = pl.read_ndjson(start, **options).schema if start else pl.Schema()
    later = {name: value for name, value in options.items() if not name.startswith(("infer_", "schema"))}

    def blocks(_: list[str] | None) -> Iterator[pl.DataFrame]:
        with opened() as file:
            for block in _Blocks(file, b"\n", None, _BLOCK):
                yield pl.read_ndjson(block, **{**later, "schema": schema})

    return _scanned(blocks, schema)


def _scanned(blocks: Callable[[list[str] | None], Iterator[pl.DataFrame]], schema: Any) -> pl.LazyFrame:
    """A lazy frame of blocks, which may leave out other columns than those that they are given."""

    def source(
        columns: list[str] | None, predicate: pl.Expr | None, n_rows: int | None, batch_size: int | None
    ) -> Iterator[pl.DataFrame]:
        left, wanted = n_rows, columns
        if columns is not None and predicate is not None:
            needed = {*columns, *predicate.meta.root_names()}
            wanted = [name for name in schema if name in needed]
        for frame in blocks(wanted):
            if left is not None:
                frame = frame.head(left)
                left -= frame.height
            if predicate is not None:
                frame = frame.filter(predicate)
            if columns is not None:
                frame = frame.select(columns)
            yield frame
            if left == 0:
                return

    return register_io_source(source, schema=schema)


class _Blocks:
    """The blocks of a file that end with a record. A line end between quotation marks ends none."""

    def __init__(self, file: Reader, end: bytes, quote: bytes | None, size: int) -> None:
        self._file = file
        self._end = end
        self._quote = quote
        self._size = size

    def __iter__(self) -> Iterator[bytes]:
        rest = b""
        while True:
            more = self._file.read(self._size)
            block = rest + more
            if not more:
                if block:
                    yield block
                return
            at = self._last_end(block)
            rest = block[at:]
            if at:
                yield block[:at]

    def _last_end(self, block: bytes) -> int:
        """The index after the last record that is whole; 0 if none is."""
        at = len(block)
        quotes = block.count(self._quote) if self._quote else 0
        while True:
            # Before `at` is an even number of quotation marks where a record ends.
            end = block.rfind(self._end, 0, at)
            if end < 0:
                return 0
            if self._quote:
                quotes -= block.count(self._quote, end, at)
                if quotes % 2:
                    at = end
                    continue
            return end + len(self._end)
