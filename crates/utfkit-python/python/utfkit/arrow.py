"""UTF-8 in columns: validated, made valid, decoded, diagnosed.

Takes an array, chunked array or series with the Arrow PyCapsule interface (pyarrow, Polars,
pandas, DuckDB, nanoarrow ...) and rows of bytes or strings. Returns a column that the same
libraries take without a copy. A column without an error keeps its memory.

>>> import pyarrow
>>> import utfkit.arrow
>>> raw = pyarrow.array([b"tea", b"caf\\xe9", None])
>>> pyarrow.array(utfkit.arrow.make_valid_utf8(raw)).to_pylist()
['tea', 'caf\ufffd', None]
"""

from ._utfkit.arrow import (
    ChunkedColumn,
    Column,
    clean,
    code_points,
    decode,
    detect,
    errors,
    findings,
    first_error,
    is_valid_utf8,
    make_valid_utf8,
    repair,
    try_validate_utf8,
    undouble,
    validate_utf8,
)

__all__ = [
    "ChunkedColumn",
    "Column",
    "clean",
    "code_points",
    "decode",
    "detect",
    "errors",
    "findings",
    "first_error",
    "is_valid_utf8",
    "make_valid_utf8",
    "repair",
    "try_validate_utf8",
    "undouble",
    "validate_utf8",
]
