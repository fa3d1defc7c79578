"""The functions of utfkit for DataFusion's SQL. They run in Rust: rows do not pass through Python.

>>> from datafusion import SessionContext
>>> import utfkit_datafusion
>>> context = utfkit_datafusion.register(SessionContext())
>>> context.sql("SELECT make_valid_utf8(x'636166E9') AS text").to_pydict()
{'text': ['caf\ufffd']}
"""

import os
from collections.abc import Iterable
from typing import Any

from datafusion import SessionContext, udf

from ._utfkit_datafusion import CsvTable, Function, functions
from ._utfkit_datafusion import __version__ as __version__

__all__ = ["CsvTable", "Function", "functions", "register", "register_csv_in"]


def register(context: SessionContext) -> SessionContext:
    """Registers all functions in a context and returns it: is_valid_utf8, make_valid_utf8, try_validate_utf8,
    validate_utf8, first_error_utf8, errors_utf8, findings_utf8, repair_utf8(raw, fallback),
    decode_text(raw, encoding), detect_encoding, undouble with the other name fix_encoding, code_points. All take
    bytes or strings.
    """
    for function in functions():
        context.register_udf(udf(function))
    return context


def register_csv_in(
    context: SessionContext,
    name: str,
    path: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    encoding: str = "auto",
    errors: str = "strict",
    **options: Any,
) -> CsvTable:
    """Registers CSV files in any encoding as a table: a file, a folder (which ends in a slash), a pattern, or several.

    'auto' detects the encoding of each file. `errors` is 'strict', 'replace' or 'ignore'; `fallback` is an encoding for
    the bytes that are not UTF-8. Further options: `has_header`, `delimiter`, `quote`, `schema_infer_max_records`,
    `file_extension`, `compression` ('gzip', 'bz2', 'xz', 'zstd'). The files are read in Rust, as the query needs them.
    `reports()` of the result says of each file that was read in which encoding it is.

    >>> import tempfile
    >>> from datafusion import SessionContext
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv", encoding="shift_jis", delete=False) as file:
    ...     _ = file.write("id,city\\n1,東京\\n2,大阪のたこ焼き\\n")
    >>> context = SessionContext()
    >>> table = register_csv_in(context, "cities", file.name)
    >>> context.sql("SELECT city FROM cities WHERE id = 2").to_pydict()
    {'city': ['大阪のたこ焼き']}
    >>> [report["encoding"] for report in table.reports().values()]
    ['shift_jis']
    """
    paths = [path] if isinstance(path, (str, os.PathLike)) else list(path)
    table = CsvTable([os.fspath(one) for one in paths], encoding, errors, **options)
    context.register_table(name, table)
    return table
