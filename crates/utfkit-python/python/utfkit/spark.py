"""Checks, repairs and decodes columns of Spark, and checks files of any size on its workers.

>>> import utfkit.spark  # doctest: +SKIP
>>> utfkit.spark.check(frame, "raw").show()  # doctest: +SKIP
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _clusters, _spark_jvm, _spark_read
from ._clusters import Checked
from ._files import files_of
from ._needs import needed
from ._pyarrow import decode_each, pyarrow
from ._spark_jvm import jar, session, way

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# Their contents, and so their types, depend on the version.
functions: Any = needed("pyspark.sql.functions", "utfkit.spark", "pyspark[sql]")
types: Any = needed("pyspark.sql.types", "utfkit.spark", "pyspark[sql]")

__all__ = [
    "Checked",
    "Cleaned",
    "check",
    "check_files",
    "clean",
    "decode",
    "jar",
    "main",
    "read_csv",
    "read_text",
    "register",
    "repair",
    "session",
    "way",
]


def _type(given: Any) -> Any:
    """Spark's type for one of `_clusters`."""
    if pyarrow.types.is_struct(given):
        return types.StructType([types.StructField(field.name, _type(field.type)) for field in given])
    if pyarrow.types.is_map(given):
        return types.MapType(_type(given.key_type), _type(given.item_type))
    return types.LongType() if pyarrow.types.is_int64(given) else types.StringType()


def _schema(given: Any) -> Any:
    return _type(pyarrow.struct(list(given)))


FINDINGS = types.ArrayType(_type(_clusters.FINDING))


def check(df: DataFrame, column: str, *, keep: Iterable[str] | None = None) -> DataFrame:
    """A table with a row for each ill-formed sequence in a column of bytes or strings: `offset`, `length`,
    `line` and `column` in the value, `bytes`, `kind`, `code_point` and `message`.

    It keeps the other columns, or the ones that `keep` names. It costs as much as validation, and for each
    finding as much as some hundred bytes more. From Spark 4.0 on, short values that are
    well-formed do not go to Python.

    Raises LookupError for a missing column, and TypeError for one of another type.
    """
    column = _checked(df, column)
    kept = _clusters.kept_columns(df.columns, column, keep)
    held = [functions.col(_quoted(name)) for name in kept]
    found = _with(_of_interest(df, column), column, _clusters.Find(), FINDINGS, "utfkit found")
    exploded = found.select(*held, functions.explode(_quoted("utfkit found")).alias("utfkit found"))
    return exploded.select(*held, "`utfkit found`.*")


def repair(
    df: DataFrame,
    column: str,
    *,
    fallback: str | None = None,
    reinterpret: bool = False,
    undouble: bool = False,
    into: str | None = None,
) -> DataFrame:
    """The table with a column as strings in well-formed UTF-8, in its place or as the column `into`.

    The options are those of `utfkit.repair`. Each value is repaired on its own.

    Raises LookupError for a missing column or an unknown encoding, and TypeError for a column of another
    type.
    """
    column = _checked(df, column)
    return _with(df, column, _clusters.Repair(fallback, reinterpret, undouble), types.StringType(), into or column)


def decode(df: DataFrame, column: str, *, encoding: str = "auto", into: str | None = None) -> DataFrame:
    """The table with a column decoded, in its place or as the column `into`.

    'auto' detects an encoding for each value, which is not reliable for short ones. Ill-formed sequences
    become U+FFFD.

    Raises LookupError for a missing column or an unknown encoding, and TypeError for a column of another
    type.
    """
    column = _checked(df, column)
    return _with(df, column, _clusters.Decode(encoding), types.StringType(), into or column)


def register(spark: SparkSession) -> SparkSession:
    """Makes `utfkit_check`, `utfkit_repair` and `utfkit_decode` functions of SQL, and returns the session.

    All take a value of bytes or a string, and `utfkit_decode` the name of an encoding, which may be a
    column. `utfkit_check` returns an array of findings, for `inline`. A session with utfkit-spark.jar has
    them already.

    Raises RuntimeError before Spark 4.1, whose SQL has no functions of Arrow.
    """
    if _spark_jvm.why_not(spark) is None:
        return spark
    if not _has_arrow_udf():
        raise RuntimeError(f"functions of Arrow in SQL need Spark 4.1, and this is {spark.version}")
    spark.udf.register("utfkit_check", _arrow_udf(_clusters.Find(), FINDINGS))
    spark.udf.register("utfkit_repair", _arrow_udf(_clusters.Repair(), types.StringType()))
    spark.udf.register("utfkit_decode", _arrow_udf_of_two(decode_each, types.StringType()))
    return spark


def check_files(
    spark: SparkSession,
    path: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    encoding: str = "utf-8",
    glob: str | None = None,
    range_size: int = _clusters.RANGE,
) -> Checked:
    """Checks files of any size as `utfkit check` does. `findings` is a table with a row for each finding,
    `files` a table with the counts of each file. Their columns are the keys of `--format jsonl`.

    `path` is a file or folder, or several, which the workers see under the same names. In a folder it
    takes the files at any depth that match `glob` and whose names begin with neither a dot nor an
    underscore. `*`, `?`, `[a-z]`, `{a,b}` and `**` make a pattern. A URI is opened by pyarrow, or else by fsspec;
    `s3a:` is `s3:`, and `dbfs:` the folder /dbfs. Each range of `range_size` bytes is a task.

    The files are read before this returns. Ranges with findings are read again when `findings` is used: a
    file that has changed by then raises an OSError.

    A file that cannot be read has no counts, but an `error`, and a path that is not UTF-8 is shown as a URI.

    Raises FileNotFoundError if there is nothing of a name or pattern, LookupError for an unknown encoding, and
    ValueError for a URI that cannot be opened.
    """
    named = files_of(path, glob)
    ranges = _clusters.ranges_of(named.found, encoding, range_size)
    first = _over(_clusters.Check(encoding), spark, ranges, range_size, _clusters.SUMMARY)
    rows = [_clusters.Summary(*row) for row in first.collect()]
    files, again = _clusters.joined(rows, named.failed)
    return Checked(
        _over(_clusters.FindAgain(encoding), spark, again, range_size, _clusters.FOUND),
        spark.createDataFrame(files, _schema(_clusters.FILE)),
    )


class Cleaned(NamedTuple):
    """The result of `clean`: the rows that meet the bounds, the others with the reason, and a row of counts."""

    kept: DataFrame
    aside: DataFrame
    counts: DataFrame


def clean(
    df: DataFrame,
    column: str,
    *,
    encoding: str = "auto",
    errors: str = "replace",
    into: str | None = None,
    prefix: str | None = None,
    **options: Any,
) -> Cleaned:
    """Makes a column of doubtful origin UTF-8, and sets rows aside that do not meet the bounds. The tables are lazy, and
    each reads `df`: persist it if that is dear.

    The text is in the place of `column`, or in `into`; columns that begin with `prefix`, which is the name of the text
    and an underscore, say what was done: `_encoding`, `_certainty`, `_damage`, `_in_fallback`, `_undoubled`,
    `_controls`, and in `aside` the `_reason`. The other options are those of `utfkit.arrow.clean`.

    Raises LookupError for a missing column or an unknown encoding, and TypeError for a column of another type.
    """
    column = _checked(df, column)
    text = into or column
    prefix = f"{text}_" if prefix is None else prefix
    others = ("encoding", "certainty", "damage", "in_fallback", "undoubled", "controls")
    taken = [prefix + name for name in (*others, "reason") if prefix + name in df.columns]
    if taken:
        raise ValueError(f"there is a column {taken[0]!r} already: name others with 'prefix'")
    kernel = _clusters.Clean(encoding, errors, options)
    struct = "utfkit cleaned"
    work = _with(df, column, kernel, _type(_clusters.CLEANED), struct)

    def field(name: str) -> Any:
        return functions.col(f"`{struct}`.`{name}`")

    said = {prefix + name: field(name) for name in others}
    is_aside = field("reason").isNotNull()
    kept = work.where(~is_aside).withColumns({text: field("text"), **said}).drop(struct)
    aside = work.where(is_aside).withColumns({**said, prefix + "reason": field("reason")}).drop(struct)

    def count(condition: Any, name: str) -> Any:
        return functions.count_if(functions.coalesce(condition, functions.lit(False))).alias(name)

    counts = work.select(
        functions.count(functions.lit(1)).alias("rows"),
        count(~is_aside, "kept"),
        count(is_aside, "aside"),
        count(field("damage") > 0, "damaged"),
        functions.coalesce(functions.sum(field("damage")), functions.lit(0)).alias("damage"),
        count(field("in_fallback") > 0, "read_in_fallback"),
        count(field("undoubled") > 0, "undoubled"),
        count(field("controls") > 0, "without_controls"),
    )
    return Cleaned(kept, aside, counts)


def read_text(
    spark: SparkSession,
    path: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    encoding: str = "auto",
    errors: str = "strict",
    *,
    fallback: str | None = None,
    at_least: str = "a guess",
    glob: str | None = None,
    range_size: int = _clusters.RANGE,
) -> DataFrame:
    """The lines of text files in any encoding, as a table with the column `value`, as `spark.read.text` reads UTF-8.

    'auto' detects the encoding of each file, as `utfkit.reader` does; `errors`, `fallback` and `at_least` are its
    too. `path` and `glob` are as for `check_files`. Each range of `range_size` bytes is a task. A file in an encoding
    with states, or a compressed one (.gz, .bz2, .zst, .lz4), is one range.

    Raises the OSError of a file that cannot be read, LookupError for an unknown encoding, and UnicodeError for
    a file without a known one. Ill-formed bytes fail the query, with the path and the offset.
    """
    return _spark_read.Read(spark, path, encoding, errors, fallback, at_least, glob, range_size).rows()


def read_csv(
    spark: SparkSession,
    path: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    encoding: str = "auto",
    errors: str = "strict",
    *,
    schema: Any = None,
    fallback: str | None = None,
    at_least: str = "a guess",
    glob: str | None = None,
    range_size: int = _clusters.RANGE,
    **options: Any,
) -> DataFrame:
    """CSV files in any encoding as a table, as `spark.read.csv` reads UTF-8. See `read_text`; `options` are Spark's:
    `header`, `sep`, `inferSchema`, `mode` and so on. With `multiLine` a file is one range.

    Spark's own parser reads the lines, and `schema` or inference gives the types, which reads the files once more.
    """
    read = _spark_read.Read(spark, path, encoding, errors, fallback, at_least, glob, range_size)
    return _spark_read.csv(read, schema, options)


def _over(work: Any, spark: SparkSession, ranges: list[Any], range_size: int, made: Any) -> DataFrame:
    """Applies `work` to ranges, in a task for each `range_size` bytes, and in at least four for each core."""

    def mapped(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            made = work(pyarrow.Table.from_batches([batch]))
            for table in [made] if isinstance(made, pyarrow.Table) else made:
                yield from table.to_batches()

    total = sum(part.end - part.start for part in ranges)
    tasks = max(1, min(len(ranges), max(-(-total // range_size), 4 * _cores(spark))))
    table = spark.createDataFrame(ranges, _schema(_clusters.RANGES))
    return table.repartition(tasks).mapInArrow(mapped, _schema(made))


def _cores(spark: SparkSession) -> int:
    try:
        return int(spark.sparkContext.defaultParallelism)
    except Exception:  # Spark Connect has no context, and does not say.
        return 16


def _checked(df: DataFrame, column: str) -> str:
    holds = {field.name: isinstance(field.dataType, (types.StringType, types.BinaryType)) for field in df.schema}
    return _clusters.checked_column(
        holds, column, {field.name: field.dataType.simpleString() for field in df.schema}
    )


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _has_arrow_udf() -> bool:
    return hasattr(functions, "arrow_udf")


SHORT = 256
"""Up to this many bytes Spark's own validation is faster than handing the value to Python."""


def _of_interest(df: DataFrame, column: str) -> DataFrame:
    """The rows with a long or an ill-formed value."""
    if _spark_jvm.why_not(df.sparkSession) is None:
        return df.where(_spark_jvm.ill_formed(functions.col(_quoted(column))))
    if not hasattr(functions, "is_valid_utf8"):
        return df
    value = functions.col(_quoted(column))
    is_well_formed = functions.is_valid_utf8(value.cast("string"))
    return df.where((functions.octet_length(value) > SHORT) | ~is_well_formed)


def _arrow_udf(kernel: Any, made: Any) -> Any:
    def function(column: pyarrow.Array) -> pyarrow.Array:
        return kernel(column)

    function.__annotations__ = {"column": pyarrow.Array, "return": pyarrow.Array}
    return functions.arrow_udf(function, made)


def _arrow_udf_of_two(kernel: Any, made: Any) -> Any:
    def function(first: pyarrow.Array, second: pyarrow.Array) -> pyarrow.Array:
        return kernel(first, second)

    function.__annotations__ = {"first": pyarrow.Array, "second": pyarrow.Array, "return": pyarrow.Array}
    return functions.arrow_udf(function, made)


def _with(df: DataFrame, column: str, kernel: Any, made: Any, into: str) -> DataFrame:
    """The table with a kernel applied to a column, as the column `into`."""
    if _spark_jvm.why_not(df.sparkSession) is None:
        return df.withColumn(into, _spark_jvm.made(kernel, functions.col(_quoted(column))))
    # A string of Spark may hold any bytes.
    raw = functions.col(_quoted(column)).cast("binary")
    if _has_arrow_udf():
        return df.withColumn(into, _arrow_udf(kernel, made)(raw))
    names = list(df.columns)
    place = names.index(into) if into in names else len(names)
    fields = [field for field in df.schema if field.name != into]
    fields.insert(place, types.StructField(into, made))
    names_made = [field.name for field in fields]

    def mapped(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            columns = [batch.column(number) for number in range(batch.num_columns - 1)]
            columns[place : place + (into in names)] = [kernel(batch.column(batch.num_columns - 1))]
            yield pyarrow.RecordBatch.from_arrays(columns, names_made)

    # Spark looks these columns up by name, and fails if that has a dot or a backtick.
    plain = df.select("*", raw).toDF(*(f"c{number}" for number in range(len(names) + 1)))
    return plain.mapInArrow(mapped, types.StructType(fields))


def main(arguments: list[str] | None = None) -> int:
    """The job: `python -m utfkit.spark`."""
    from . import _spark_job

    return _spark_job.run(arguments)


if __name__ == "__main__":
    sys.exit(main())
