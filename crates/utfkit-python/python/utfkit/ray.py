"""Columns of Ray datasets checked, mended and decoded, and files of any size checked, on a cluster.

>>> import utfkit.ray  # doctest: +SKIP
>>> utfkit.ray.check(dataset, "raw").take_all()  # doctest: +SKIP
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from . import _clusters
from ._clusters import Checked
from ._pyarrow import compute, pyarrow

if TYPE_CHECKING:
    from ray.data import Dataset

# What it has depends on the version, and so do its types.
data: Any = importlib.import_module("ray.data")

__all__ = ["Checked", "check", "check_files", "decode", "repair"]


class _With:
    """A table with what a kernel makes of a column as the column `into`."""

    def __init__(self, column: str, kernel: Any, into: str) -> None:
        self.column, self.kernel, self.into = column, kernel, into

    def __call__(self, table: Any) -> Any:
        made = self.kernel(table.column(self.column))
        if self.into in table.column_names:
            return table.set_column(table.column_names.index(self.into), self.into, made)
        return table.append_column(self.into, made)


class _Exploded:
    """The findings in a column of a table, beside other columns of it."""

    def __init__(self, column: str, kept: list[str]) -> None:
        self.column, self.kept, self.kernel = column, kept, _clusters.Find()

    def __call__(self, table: Any) -> Any:
        lists = self.kernel(table.column(self.column))
        if isinstance(lists, pyarrow.ChunkedArray):
            lists = pyarrow.concat_arrays(lists.chunks) if lists.num_chunks else pyarrow.array([], lists.type)
        beside = table.select(self.kept).take(compute.list_parent_indices(lists))
        found = pyarrow.Table.from_struct_array(lists.flatten())
        return pyarrow.Table.from_arrays(beside.columns + found.columns, [*self.kept, *found.column_names])


def check(dataset: Dataset, column: str, *, keep: Iterable[str] | None = None) -> Dataset:
    """A dataset of all that is ill-formed in a column of bytes or strings: a row for each finding, with its
    `offset`, `length`, `line` and `column` in the value, `bytes`, `kind`, `code_point` and `message`.

    The other columns stand beside it, or those that `keep` names. Costs what validating the bytes costs;
    a finding as much as some hundred bytes more.

    Raises LookupError for a column that is not there, TypeError for one of another type.
    """
    names = _checked(dataset, column)
    return _mapped(dataset, _Exploded(column, _clusters.kept_columns(names, column, keep)))


def repair(
    dataset: Dataset,
    column: str,
    *,
    fallback: str | None = None,
    reinterpret: bool = False,
    undouble: bool = False,
    into: str | None = None,
) -> Dataset:
    """The dataset with a column as strings in well-formed UTF-8, in its place or as the column `into`.

    Ill-formed bytes become U+FFFD, or what they are in the encoding `fallback`; `reinterpret` and
    `undouble` are those of `utfkit.repair`, for each value by itself. What is well-formed stays.

    Raises LookupError for a column that is not there or an unknown encoding, TypeError for a column of
    another type.
    """
    _checked(dataset, column)
    return _mapped(dataset, _With(column, _clusters.Repair(fallback, reinterpret, undouble), into or column))


def decode(dataset: Dataset, column: str, *, encoding: str = "auto", into: str | None = None) -> Dataset:
    """The dataset with a column as strings, read in an encoding, in its place or as the column `into`.

    'auto' finds an encoding for each value by itself, which is little to go by where values are short.
    Ill-formed bytes become U+FFFD.

    Raises LookupError for a column that is not there or an unknown encoding, TypeError for a column of
    another type.
    """
    _checked(dataset, column)
    return _mapped(dataset, _With(column, _clusters.Decode(encoding), into or column))


def check_files(
    path: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    encoding: str = "utf-8",
    glob: str | None = None,
    range_size: int = _clusters.RANGE,
) -> Checked:
    """What `utfkit check` says of files of any size: `findings`, a dataset with a row for each, and `files`, a
    dataset with the counts of each file. The columns are the keys that the command prints with
    `--format jsonl`.

    `path` names files and folders, or several, as the workers see them; of a folder all files at any depth
    are checked that match `glob` and whose names begin with neither a dot nor an underscore. A URI is
    opened by pyarrow. Each range of `range_size` bytes is a task of its own, or several of small files.

    The files are read before this returns. Those ranges in which something was found are read again when
    `findings` is used: a file that changed until then raises an OSError.

    Raises the OSError that belongs to a file that cannot be read, and LookupError for an unknown encoding.
    """
    ranges = _clusters.ranges_of(_clusters.files_of(path, glob), encoding, range_size)
    first = _over(_clusters.Check(encoding), ranges, range_size)
    summaries = [_clusters.Summary(**row) for row in first.take_all()]
    files, again = _clusters.joined(summaries)
    if again:
        findings = _over(_clusters.FindAgain(encoding), again, range_size)
    else:
        findings = data.from_arrow(_clusters.FOUND.empty_table())
    return Checked(findings, data.from_arrow(_clusters.table_of(files, _clusters.FILE)))


def _over(work: Any, ranges: list[_clusters.Range], range_size: int) -> Any:
    """Work over ranges, in blocks of as many small ones as make a large one."""
    blocks: list[list[_clusters.Range]] = []
    size = range_size
    for part in ranges:
        size += part.end - part.start
        # Opening a file costs something, too.
        if size >= range_size or len(blocks[-1]) >= 100:
            blocks.append([])
            size = part.end - part.start
        blocks[-1].append(part)
    tables = [_clusters.table_of(block, _clusters.RANGES) for block in blocks]
    if not tables:
        tables = [_clusters.RANGES.empty_table()]
    return _mapped(data.from_arrow(tables), work)


def _mapped(dataset: Any, work: Any) -> Dataset:
    made: Dataset = dataset.map_batches(work.__call__, batch_format="pyarrow", batch_size=None)
    return made


def _checked(dataset: Any, column: str) -> list[str]:
    """The names of all columns, if `column` is one of bytes or strings."""
    schema = dataset.schema()
    if schema is None:
        raise LookupError(f"there is no column {column!r}: the dataset is empty, and has none")
    shown = dict(zip(schema.names, schema.types))
    is_text = {name: _clusters.holds_text(given) for name, given in shown.items()}
    _clusters.checked_column(is_text, column, shown)
    return list(shown)
