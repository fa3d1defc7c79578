"""Columns of ours as columns of pyarrow."""

from __future__ import annotations

import importlib
from typing import Any

from . import arrow

# pyarrow has no type stubs.
pyarrow: Any = importlib.import_module("pyarrow")
compute: Any = importlib.import_module("pyarrow.compute")


def handed_over(column: Any) -> Any:
    """A column of ours as one of pyarrow."""
    if isinstance(column, arrow.ChunkedColumn):
        return pyarrow.chunked_array(column)
    return pyarrow.array(column)


def _combined(column: Any) -> Any:
    return column.combine_chunks() if isinstance(column, pyarrow.ChunkedArray) else column


def decode_each(column: Any, encodings: Any) -> Any:
    """Each row decoded in the encoding of the same row of `encodings`; null where that is null."""
    column, encodings = map(_combined, (column, encodings))
    names = encodings.unique().to_pylist()
    if len(names) == 1 and names[0] is not None:
        return handed_over(arrow.decode(column, names[0]))
    read = None
    for name in (name for name in names if name is not None):
        mask = compute.fill_null(compute.equal(encodings, name), False)
        texts = _combined(handed_over(arrow.decode(column.filter(mask), name)))
        read = pyarrow.nulls(len(column), texts.type) if read is None else read
        read = compute.replace_with_mask(read, mask, texts)
    return pyarrow.nulls(len(column), pyarrow.string()) if read is None else read
