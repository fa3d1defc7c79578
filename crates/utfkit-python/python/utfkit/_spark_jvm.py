"""The way through the JVM: functions of utfkit-spark.jar, for which values do not leave it."""

from __future__ import annotations

import logging
import os
import weakref
from typing import TYPE_CHECKING, Any

from . import _clusters
from ._needs import needed
from ._utfkit import __version__, find_encoding

if TYPE_CHECKING:
    from pyspark.sql import Column, SparkSession

functions: Any = needed("pyspark.sql.functions", "utfkit.spark", "pyspark[sql]")

EXTENSIONS = "utfkit.spark.Extensions"
JAR = "utfkit-spark.jar"
CONF = "spark.utfkit.jvm"
"""The configuration of a session that is false if Python does the work in any case."""

log = logging.getLogger("utfkit.spark")

_reasons: weakref.WeakKeyDictionary[Any, str | None] = weakref.WeakKeyDictionary()
"""Of each session: None if it has the functions, or the reason why they are not used."""


def jar() -> str:
    """The path of utfkit-spark.jar: what UTFKIT_SPARK_JAR names, or the jar in this package.

    Raises FileNotFoundError if there is none. `bash ci/jvm.sh` makes it, in the target folder.
    """
    named = os.environ.get("UTFKIT_SPARK_JAR")
    path = named or os.path.join(os.path.dirname(os.path.abspath(__file__)), JAR)
    if not os.path.isfile(path):
        how = "UTFKIT_SPARK_JAR names no file" if named else f"this package has no {JAR}: set UTFKIT_SPARK_JAR to its path"
        raise FileNotFoundError(f"{how} ({path})")
    return path


def session(builder: SparkSession.Builder | None = None) -> SparkSession:
    """A session of Spark with the functions of utfkit-spark.jar: adds it to `spark.jars` and its class to
    `spark.sql.extensions`, and leaves what the builder has for them.

    >>> spark = utfkit.spark.session(SparkSession.builder.master("local[2]"))  # doctest: +SKIP

    Raises FileNotFoundError as `jar` does, and RuntimeError if a session without them runs already: Spark
    reads both options when it starts.
    """
    if builder is None:
        from pyspark.sql import SparkSession

        builder = SparkSession.builder
    given: Any = builder
    for key, value in (("spark.jars", jar()), ("spark.sql.extensions", EXTENSIONS)):
        values = [each for each in str(given._options.get(key, "")).split(",") if each]
        given.config(key, ",".join(values if value in values else [*values, value]))
    made: SparkSession = given.getOrCreate()
    reason = why_not(made)
    if reason is not None:
        raise RuntimeError(f"the session has no functions of utfkit in the JVM: {reason}")
    return made


def way(spark: SparkSession) -> str:
    """Where `check`, `repair` and `decode` work on columns of this session: 'jvm' if it has the functions of
    utfkit-spark.jar, of this version and with the native library, otherwise 'python'. The logger
    `utfkit.spark` has the reason.

    `spark.conf.set("spark.utfkit.jvm", "false")` selects Python.
    """
    return "python" if why_not(spark) is not None else "jvm"


def why_not(spark: SparkSession) -> str | None:
    """The reason why the functions of the JVM are not used, or None if they are."""
    if str(spark.conf.get(CONF, "true")).lower() == "false":
        return f"{CONF} is false"
    if spark not in _reasons:
        reason, found = _looked_up(spark)
        _reasons[spark] = reason
        if reason is None:
            log.info("columns are read in the JVM: %s", found)
        else:
            log.log(logging.WARNING if found else logging.INFO, "columns are read in Python: %s", reason)
    return _reasons[spark]


def _looked_up(spark: SparkSession) -> tuple[str | None, str]:
    """The reason, and the version of the jar."""
    from pyspark.errors import AnalysisException

    # PySpark 4 reports an unknown function there, which is no error here.
    reports = logging.getLogger("SQLQueryContextLogger")
    was_disabled, reports.disabled = reports.disabled, True
    try:
        [[found]] = spark.sql("SELECT utfkit_version()").collect()
    except AnalysisException:
        return f"the session has no {EXTENSIONS}", ""
    finally:
        reports.disabled = was_disabled
    if not found.startswith(f"utfkit {__version__},"):
        return f"the jar is {found}, and this package {__version__}", found
    if "without its native library" in found:
        return f"the jar is {found}", found
    return None, found


def made(kernel: Any, column: Column) -> Any:
    """What a kernel of `_clusters` does, as a function of the JVM on a column."""
    if isinstance(kernel, _clusters.Find):
        return functions.call_function("utfkit_check", column)
    if isinstance(kernel, _clusters.Decode):
        return functions.call_function("utfkit_decode", column, functions.lit(kernel.encoding))
    options = {}
    if kernel.options["fallback"] is not None:
        options["fallback"] = find_encoding(kernel.options["fallback"])
    for name in ("reinterpret", "undouble"):
        if kernel.options[name]:
            options[name] = "true"
    if not options:
        return functions.call_function("utfkit_repair", column)
    pairs = [functions.lit(part) for pair in options.items() for part in pair]
    return functions.call_function("utfkit_repair", column, functions.create_map(*pairs))


def ill_formed(column: Column) -> Any:
    """True for a value that is not UTF-8."""
    return ~functions.call_function("utfkit_is_valid", column)
