"""Columns of ours as columns of pyarrow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import arrow
from ._needs import needed

# pyarrow has no type stubs.
pyarrow: Any = needed("pyarrow", "utfkit for these columns")
compute: Any = needed("pyarrow.compute", "utfkit for these columns")


def handed_over(column: Any) -> Any:
    """A column of ours as one of pyarrow."""
    if isinstance(column, arrow.ChunkedColumn):
        return pyarrow.chunked_array(column)
    return pyarrow.array(column)


def _combined(column: Any) -> Any:
    return column.combine_chunks() if isinstance(column, pyarrow.ChunkedArray) else column


def by_name(kernel: Callable[[Any, str], Any], column: Any, names: Any) -> Any:
    """Each row as `kernel` makes it with the name in the same row of `names`; null where that is null."""
    # DuckDB passes an ENUM as a dictionary.
    column, names = _combined(column), _combined(names).cast(pyarrow.string())
    distinct = names.unique().to_pylist()
    if len(distinct) == 1 and distinct[0] is not None:
        return handed_over(kernel(column, distinct[0]))
    made = None
    for name in (name for name in distinct if name is not None):
        mask = compute.fill_null(compute.equal(names, name), False)
        texts = _combined(handed_over(kernel(column.filter(mask), name)))
        made = pyarrow.nulls(len(column), texts.type) if made is None else made
        made = compute.replace_with_mask(made, mask, texts)
    return pyarrow.nulls(len(column), pyarrow.string()) if made is None else made


def decode_each(column: Any, encodings: Any) -> Any:
    """Each row decoded in the encoding of the same row of `encodings`; null where that is null."""
    return by_name(arrow.decode, column, encodings)
