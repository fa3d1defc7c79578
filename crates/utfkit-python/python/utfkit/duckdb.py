"""The functions of `utfkit.arrow` in DuckDB's SQL.

>>> import duckdb
>>> import utfkit.duckdb
>>> connection = utfkit.duckdb.register(duckdb.connect())
>>> connection.execute("SELECT make_valid_utf8('caf\\\\xE9'::BLOB)").fetchone()
('caf\ufffd',)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import duckdb

from . import arrow
from ._pyarrow import decode_each, handed_over

__all__ = ["register"]


def register(connection: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """Adds is_valid_utf8, make_valid_utf8, try_validate_utf8, validate_utf8, first_error_utf8, errors_utf8,
    decode_text(raw, encoding), detect_encoding, code_points and undouble to a connection, and returns it.
    All take a BLOB, except undouble, which takes a VARCHAR.
    """
    error = "STRUCT(\"offset\" BIGINT, length BIGINT, kind VARCHAR)"
    functions: list[tuple[str, Callable[[Any], Any], str, str]] = [
        ("is_valid_utf8", arrow.is_valid_utf8, "BLOB", "BOOLEAN"),
        ("make_valid_utf8", arrow.make_valid_utf8, "BLOB", "VARCHAR"),
        ("try_validate_utf8", arrow.try_validate_utf8, "BLOB", "VARCHAR"),
        ("validate_utf8", arrow.validate_utf8, "BLOB", "VARCHAR"),
        ("first_error_utf8", arrow.first_error, "BLOB", error),
        ("errors_utf8", arrow.errors, "BLOB", f"{error}[]"),
        ("detect_encoding", arrow.detect, "BLOB", "STRUCT(encoding VARCHAR, certainty VARCHAR)"),
        ("code_points", arrow.code_points, "BLOB", "BIGINT"),
        ("undouble", arrow.undouble, "VARCHAR", "VARCHAR"),
    ]
    create: Any = connection.create_function
    for name, kernel, given, returned in functions:
        create(name, _over_pyarrow(kernel), [given], returned, type="arrow", null_handling="special")
    create("decode_text", decode_each, ["BLOB", "VARCHAR"], "VARCHAR", type="arrow", null_handling="special")
    return connection


def _over_pyarrow(kernel: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def function(column: Any) -> Any:
        return handed_over(kernel(column))

    return function
