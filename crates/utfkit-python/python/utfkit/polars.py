"""The kernels as expressions of Polars, under the name `utfkit`.

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
_DETECTION = pl.Struct({"encoding": pl.String, "certainty": pl.String})


@pl.api.register_expr_namespace("utfkit")
class Expressions:
    """What `polars.col("raw").utfkit` has, for columns of Binary and String."""

    def __init__(self, expression: pl.Expr) -> None:
        self._expression = expression

    def _mapped(self, kernel: Callable[[Any], Any], data_type: Any) -> pl.Expr:
        def kernel_of(series: pl.Series) -> pl.Series:
            return pl.Series(series.name, kernel(series), dtype=data_type)

        return self._expression.map_batches(kernel_of, return_dtype=data_type, is_elementwise=True)

    def is_valid(self) -> pl.Expr:
        """Whether each row is UTF-8."""
        return self._mapped(arrow.is_valid_utf8, pl.Boolean)

    def make_valid(self, practice: str = "maximal-subpart") -> pl.Expr:
        """Each row as text, U+FFFD for what is ill-formed."""
        return self._mapped(lambda series: arrow.make_valid_utf8(series, practice), pl.String)

    def try_validate(self) -> pl.Expr:
        """Each row that is UTF-8 as text, null for the others."""
        return self._mapped(arrow.try_validate_utf8, pl.String)

    def validate(self) -> pl.Expr:
        """The rows as text; an error where one is not UTF-8."""
        return self._mapped(arrow.validate_utf8, pl.String)

    def first_error(self) -> pl.Expr:
        """Offset, length and kind of the first error of each row; null where there is none."""
        return self._mapped(arrow.first_error, _ERROR)

    def errors(self) -> pl.Expr:
        """Every error of each row, in a list."""
        return self._mapped(arrow.errors, pl.List(_ERROR))

    def decode(self, encoding: str) -> pl.Expr:
        """Each row as text, read in an encoding; 'auto' detects one for each row."""
        return self._mapped(lambda series: arrow.decode(series, encoding), pl.String)

    def detect(self) -> pl.Expr:
        """The encoding of each row by itself, and how sure that is."""
        return self._mapped(arrow.detect, _DETECTION)

    def undouble(self) -> pl.Expr:
        """Each row as it was before it was encoded twice."""
        return self._mapped(arrow.undouble, pl.String)

    def code_points(self) -> pl.Expr:
        """How many characters each row has."""
        return self._mapped(arrow.code_points, pl.Int64)
