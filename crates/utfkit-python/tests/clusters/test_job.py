"""The words of errors of the job `python -m utfkit.spark`."""

import pytest

pytest.importorskip("pyspark", reason="left out: pyspark is not installed")
from utfkit import _spark_job  # noqa: E402

BROKEN_PARQUET = """An error occurred while calling o41.parquet.
: org.apache.spark.SparkException: [FAILED_READ_FILE.CANNOT_READ_FILE_FOOTER] Encountered error while reading file file:/t/broken.parquet. SQLSTATE: KD001
\tat org.apache.spark.sql.errors.QueryExecutionErrors$.cannotReadFooterForFileError(QueryExecutionErrors.scala:1058)
Caused by: java.util.concurrent.ExecutionException: java.lang.RuntimeException
\tat java.base/java.lang.Thread.run(Thread.java:840)
Caused by: java.lang.RuntimeException: file:/t/broken.parquet is not a Parquet file. Expected magic number at tail
\tat org.apache.parquet.hadoop.ParquetFileReader.readFooter(ParquetFileReader.java:603)
"""
UNWRITABLE = """An error occurred while calling o55.parquet.
: java.io.IOException: Mkdirs failed to create file:/proc/nope/_temporary/0
\tat org.apache.hadoop.fs.ChecksumFileSystem.create(ChecksumFileSystem.java:515)
"""
OF_A_WORKER = """An exception was thrown from the Python worker. Please see the stack trace below.
Traceback (most recent call last):
  File "spark.py", line 1, in mapped
LookupError: unknown encoding: nonsense
"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BROKEN_PARQUET, "file:/t/broken.parquet is not a Parquet file. Expected magic number at tail"),
        (UNWRITABLE, "Mkdirs failed to create file:/proc/nope/_temporary/0"),
        (OF_A_WORKER, "LookupError: unknown encoding: nonsense"),
        ("[PATH_NOT_FOUND] Path does not exist: file:/t/x. SQLSTATE: 42K03", "[PATH_NOT_FOUND] Path does not exist: file:/t/x. SQLSTATE: 42K03"),
        ("", "ValueError"),
    ],
)
def test_one_line_and_status_2(text, said, capsys):
    assert _spark_job._failed(ValueError(text)) == 2
    assert capsys.readouterr().err == f"utfkit: {said}\n"
