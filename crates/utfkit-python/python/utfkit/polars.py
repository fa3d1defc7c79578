"""The functions of `utfkit.arrow` as expressions of Polars, under the name `utfkit`.

>>> import polars
>>> import utfkit.polars
>>> frame = polars.DataFrame({"raw": [b"tea", b"caf\\xe9"]})
>>> frame.select(polars.col("raw").utfkit.make_valid())["raw"].to_list()
['tea', 'caf\ufffd']
"""

from collections.abc import Callable
from typing import Any

import polars as pl

from . import arrow

__all__ = ["Expressions"]

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

    def undouble(self) -> pl.Expr:
        """Each row with double encoding undone."""
        return self._mapped(arrow.undouble, pl.String)

    fix_encoding = undouble

    def code_points(self) -> pl.Expr:
        """The number of code points of each row."""
        return self._mapped(arrow.code_points, pl.Int64)
