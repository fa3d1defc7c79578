"""Checks, repairs and decodes columns of Ray datasets, and checks files of any size on a cluster.

>>> import utfkit.ray  # doctest: +SKIP
>>> utfkit.ray.check(dataset, "raw").take_all()  # doctest: +SKIP
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from . import _clusters
from ._clusters import Checked
from ._files import files_of
from ._needs import needed
from ._pyarrow import compute, pyarrow

if TYPE_CHECKING:
    from ray.data import Dataset

# Its contents, and so its types, depend on the version.
data: Any = needed("ray.data", "utfkit.ray", "ray[data]")

__all__ = ["Checked", "check", "check_files", "decode", "repair"]


class _With:
    """A table with a kernel applied to a column, as the column `into`."""

    def __init__(self, column: str, kernel: Any, into: str) -> None:
        self.column, self.kernel, self.into = column, kernel, into

    def __call__(self, table: Any) -> Any:
        made = self.kernel(table.column(self.column))
        if self.into in table.column_names:
            return table.set_column(table.column_names.index(self.into), self.into, made)
        return table.append_column(self.into, made)


class _Exploded:
    """The findings in a column of a table, with other columns of the table."""

    def __init__(self, column: str, kept: list[str]) -> None:
        self.column, self.kept, self.kernel = column, kept, _clusters.Find()

    def __call__(self, table: Any) -> Any:
        lists = self.kernel(table.column(self.column))
        if isinstance(lists, pyarrow.ChunkedArray):
            lists = pyarrow.concat_arrays(lists.chunks) if lists.num_chunks else pyarrow.array([], lists.type)
        kept = table.select(self.kept).take(compute.list_parent_indices(lists))
        found = pyarrow.Table.from_struct_array(lists.flatten())
        return pyarrow.Table.from_arrays(kept.columns + found.columns, [*self.kept, *found.column_names])


def check(dataset: Dataset, column: str, *, keep: Iterable[str] | None = None) -> Dataset:
    """A dataset with a row for each ill-formed sequence in a column of bytes or strings: `offset`, `length`,
    `line` and `column` in the value, `bytes`, `kind`, `code_point` and `message`.

    It keeps the other columns, or the ones that `keep` names. It costs as much as validation, and for each
    finding as much as some hundred bytes more.

    Raises LookupError for a missing column, and TypeError for one of another type.
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

    The options are those of `utfkit.repair`. Each value is repaired on its own.

    Raises LookupError for a missing column or an unknown encoding, and TypeError for a column of another
    type.
    """
    _checked(dataset, column)
    return _mapped(dataset, _With(column, _clusters.Repair(fallback, reinterpret, undouble), into or column))


def decode(dataset: Dataset, column: str, *, encoding: str = "auto", into: str | None = None) -> Dataset:
    """The dataset with a column decoded, in its place or as the column `into`.

    'auto' detects an encoding for each value, which is not reliable for short ones. Ill-formed sequences
    become U+FFFD.

    Raises LookupError for a missing column or an unknown encoding, and TypeError for a column of another
    type.
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
    """Checks files of any size as `utfkit check` does. `findings` is a dataset with a row for each finding,
    `files` a dataset with the counts of each file. Their columns are the keys of `--format jsonl`.

    `path` is a file or folder, or several, which the workers see under the same names. In a folder it
    takes the files at any depth that match `glob` and whose names begin with neither a dot nor an
    underscore. `*`, `?`, `[a-z]`, `{a,b}` and `**` make a pattern. A URI is opened by pyarrow, or else by fsspec;
    `s3a:` is `s3:`, and `dbfs:` the folder /dbfs. Each range of `range_size` bytes is a task, or several of small files.

    The files are read before this returns. Ranges with findings are read again when `findings` is used: a
    file that has changed by then raises an OSError.

    A file that cannot be read has no counts, but an `error`, and a path that is not UTF-8 is shown as a URI.

    Raises FileNotFoundError if there is nothing of a name or pattern, LookupError for an unknown encoding, and
    ValueError for a URI that cannot be opened.
    """
    named = files_of(path, glob)
    ranges = _clusters.ranges_of(named.found, encoding, range_size)
    first = _over(_clusters.Check(encoding), ranges, range_size)
    summaries = [_clusters.Summary(**row) for row in first.take_all()]
    files, again = _clusters.joined(summaries, named.failed)
    if again:
        findings = _over(_clusters.FindAgain(encoding), again, range_size)
    else:
        findings = data.from_arrow(_clusters.FOUND.empty_table())
    return Checked(findings, data.from_arrow(_clusters.table_of(files, _clusters.FILE)))


def _over(work: Any, ranges: list[_clusters.Range], range_size: int) -> Any:
    """Applies `work` to ranges, in blocks of about `range_size` bytes."""
    blocks: list[list[_clusters.Range]] = []
    size = range_size
    for part in ranges:
        size += part.end - part.start
        # At most 100, because opening a file costs something too.
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
    """The names of all columns, after a check that `column` holds bytes or strings."""
    schema = dataset.schema()
    if schema is None:
        raise LookupError(f"there is no column {column!r}: the dataset is empty, and has none")
    shown = dict(zip(schema.names, schema.types))
    is_text = {name: _clusters.holds_text(given) for name, given in shown.items()}
    _clusters.checked_column(is_text, column, shown)
    return list(shown)
