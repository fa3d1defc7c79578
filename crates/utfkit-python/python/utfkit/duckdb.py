"""The functions of `utfkit.arrow` in DuckDB's SQL.

>>> import duckdb
>>> import utfkit.duckdb
>>> connection = utfkit.duckdb.register(duckdb.connect())
>>> connection.execute("SELECT make_valid_utf8('caf\\\\xE9'::BLOB)").fetchone()
('caf\ufffd',)
"""

from __future__ import annotations

import errno
import itertools
import os
from collections.abc import Callable
from typing import Any

from ._needs import needed

needed("duckdb", "utfkit.duckdb")

import duckdb  # noqa: E402

from . import arrow  # noqa: E402
from ._pyarrow import by_name, handed_over, pyarrow  # noqa: E402

__all__ = ["read_csv", "register"]

_ERROR = 'STRUCT("offset" BIGINT, length BIGINT, kind VARCHAR)'
_FINDING = (
    'STRUCT("offset" BIGINT, length BIGINT, line BIGINT, "column" BIGINT, bytes VARCHAR, kind VARCHAR,'
    " code_point VARCHAR, message VARCHAR)"
)


def register(connection: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """Adds is_valid_utf8, make_valid_utf8, try_validate_utf8, validate_utf8, first_error_utf8, errors_utf8,
    findings_utf8, repair_utf8(raw, fallback), decode_text(raw, encoding), detect_encoding, code_points, undouble
    and its other name fix_encoding to a connection, and returns it. All take a BLOB or a VARCHAR. A second call
    changes nothing.
    """
    functions: list[tuple[str, Callable[..., Any], str]] = [
        ("is_valid_utf8", arrow.is_valid_utf8, "BOOLEAN"),
        ("make_valid_utf8", arrow.make_valid_utf8, "VARCHAR"),
        ("try_validate_utf8", arrow.try_validate_utf8, "VARCHAR"),
        ("validate_utf8", arrow.validate_utf8, "VARCHAR"),
        ("first_error_utf8", arrow.first_error, _ERROR),
        ("errors_utf8", arrow.errors, f"{_ERROR}[]"),
        ("findings_utf8", arrow.findings, f"{_FINDING}[]"),
        ("detect_encoding", arrow.detect, "STRUCT(encoding VARCHAR, certainty VARCHAR)"),
        ("code_points", arrow.code_points, "BIGINT"),
        ("undouble", arrow.undouble, "VARCHAR"),
        ("fix_encoding", arrow.undouble, "VARCHAR"),
    ]
    there = _registered(connection)
    create: Any = connection.create_function
    # Without types of parameters DuckDB passes a column of any type.
    for name, kernel, returned in functions:
        if name not in there:
            create(name, _of_one(kernel), None, returned, type="arrow", null_handling="special")
    for name, of_two in [("decode_text", _decode), ("repair_utf8", _repair)]:
        if name not in there:
            create(name, of_two, None, "VARCHAR", type="arrow", null_handling="special")
    return connection


def _registered(connection: duckdb.DuckDBPyConnection) -> set[str]:
    """The names of all scalar functions: some connection may have added ours to this database."""
    # A cursor leaves the results of the connection as they are.
    rows = connection.cursor().execute("SELECT function_name FROM duckdb_functions() WHERE function_type = 'scalar'")
    return {name for (name,) in rows.fetchall()}


_numbers = itertools.count()


def read_csv(
    path: Any,
    encoding: str = "auto",
    errors: str = "strict",
    *,
    fallback: str | None = None,
    connection: duckdb.DuckDBPyConnection | None = None,
    **options: Any,
) -> duckdb.DuckDBPyRelation:
    """Reads a CSV in any encoding, as `duckdb.read_csv` reads UTF-8. `encoding`, `errors` and `fallback` are those of
    `utfkit.reader`; `path` is a path or a pattern, here or a URL that fsspec opens; the rest are options of `duckdb.read_csv`.

    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "stadt.csv")
    >>> with open(path, "w", encoding="cp1250") as file:
    ...     _ = file.write("id,Stadt\\n1,Łódź\\n2,Kraków\\n")
    >>> utfkit.duckdb.read_csv(path, "windows-1250").fetchall()
    [(1, 'Łódź'), (2, 'Kraków')]
    """
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise ImportError("utfkit.duckdb.read_csv needs fsspec: pip install fsspec") from error
    from .fsspec import UtfkitFileSystem

    connection = connection or duckdb.default_connection()
    files, target = url_to_fs(os.fspath(path))
    # A name of its own, because a relation is read when it is needed.
    system = UtfkitFileSystem(fs=files, encoding=encoding, errors=errors, fallback=fallback)
    system.protocol = f"utfkit-{next(_numbers)}"
    if not system.glob(target):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fspath(path))
    connection.register_filesystem(system)
    return connection.read_csv(f"{system.protocol}://{target}", **options)


# DuckDB counts the parameters of these.


def _of_one(kernel: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def function(column: Any) -> Any:
        return handed_over(kernel(_flat(column)))

    return function


def _decode(column: Any, encoding: Any) -> Any:
    return by_name(arrow.decode, _flat(column), encoding)


def _repair(column: Any, fallback: Any) -> Any:
    def repair(part: Any, name: str) -> Any:
        return arrow.repair(part, fallback=name)

    return by_name(repair, _flat(column), fallback)


def _flat(column: Any) -> Any:
    """The column, if it is not nested: DuckDB would write a result of lists as one string."""
    if pyarrow.types.is_nested(column.type):
        raise TypeError(f"a BLOB or VARCHAR is needed, not {column.type}: list_transform takes the values of a list")
    return column
