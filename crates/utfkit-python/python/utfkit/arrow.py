"""UTF-8 in columns: validated, made valid, decoded, diagnosed.

Takes whatever speaks the Arrow PyCapsule interface (an array, chunked array or series of
pyarrow, Polars, pandas, DuckDB, nanoarrow ...) with rows of bytes or strings, and returns a
column that they take over without a copy. What is clean keeps the memory that it came in.

>>> import pyarrow
>>> import utfkit.arrow
>>> raw = pyarrow.array([b"tea", b"caf\\xe9", None])
>>> pyarrow.array(utfkit.arrow.make_valid_utf8(raw)).to_pylist()
['tea', 'caf\ufffd', None]
"""

from ._utfkit.arrow import (
    ChunkedColumn,
    Column,
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
