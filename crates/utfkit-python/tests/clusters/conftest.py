"""Fixtures of the tests of Spark and Ray."""

from __future__ import annotations

import os
import random
import sys

import pytest
from clusters.corpus import FILES, LARGE, Corpus, made, said


@pytest.fixture(scope="session", autouse=True)
def short_lived(tmp_path_factory):
    """Starts each JVM of Spark without the optimising compiler, which costs more than it saves in a minute."""
    if "SPARK_CONF_DIR" not in os.environ:
        folder = tmp_path_factory.mktemp("conf")
        options = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
        (folder / "spark-defaults.conf").write_text("".join(f"spark.{part}.extraJavaOptions {options}\n" for part in ("driver", "executor")))
        os.environ["SPARK_CONF_DIR"] = str(folder)


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    """One session with two workers for all modules, as each takes many seconds to start."""
    import pyspark
    import utfkit.spark
    from pyspark.sql import SparkSession

    os.environ.update(SPARK_HOME=os.path.dirname(pyspark.__file__), PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
    # With the functions of the JVM where there is a jar (bash ci/jvm.sh).
    start = utfkit.spark.session if os.environ.get("UTFKIT_SPARK_JAR") else SparkSession.Builder.getOrCreate
    session = start(
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .appName("utfkit")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def corpus(tmp_path_factory) -> Corpus:
    folder = tmp_path_factory.mktemp("corpus")
    generator = random.Random(20)
    for number in range(FILES):
        path = folder / f"{number % 7}" / f"{number}.txt"
        path.parent.mkdir(exist_ok=True)
        damage = 0 if number % 3 else 0.3
        path.write_bytes(made(generator.randrange(6000), generator, damage))
    piece = made(1 << 20, generator, 0.0)
    with open(folder / "large.txt", "wb") as large:
        for _ in range(LARGE >> 20):
            large.write(piece + made(200, generator, 0.5))
    return said(folder)
