"""The examples of crates/utfkit-jvm/docs/jvm.md: Java by jshell, Scala by spark-shell, SQL by spark-sql."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

pyspark = pytest.importorskip("pyspark", reason="left out: pyspark is not installed")
JAR = os.environ.get("UTFKIT_SPARK_JAR")
if not JAR or shutil.which("jshell") is None:
    pytest.skip("left out: no jar, or no JDK (bash ci/jvm.sh)", allow_module_level=True)

ROOT = Path(__file__).resolve().parents[4]
PAGE = (ROOT / "crates/utfkit-jvm/docs/jvm.md").read_text("utf-8")
HOME = os.path.dirname(pyspark.__file__)


def blocks(language: str) -> list[tuple[str, str]]:
    """The blocks of a language, each with the output after it."""
    found = re.findall(rf"^```{language}\n(.*?)^```\n\n```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return [(code, output) for code, output in found]


def run(command: list[str], given: str) -> str:
    environment = {**os.environ, "SPARK_HOME": HOME, "SPARK_LOCAL_IP": "127.0.0.1", "LC_ALL": "C.UTF-8"}
    environment["JAVA_TOOL_OPTIONS"] = "-Dfile.encoding=UTF-8 -Dstdout.encoding=UTF-8"
    return subprocess.run(command, input=given, capture_output=True, text=True, encoding="utf-8", env=environment).stdout


def test_java():
    examples = blocks("java")
    assert len(examples) == 2
    code = "".join(code for code, _ in examples)
    # Without the prompts and the echo of jshell.
    said = run(["jshell", "--class-path", JAR, "-s", "-R-Dfile.encoding=UTF-8", "-R-Dstdout.encoding=UTF-8", "-"], code)
    assert said == "".join(output for _, output in examples)


def test_scala(tmp_path):
    [(code, output)] = blocks("scala")
    assert len(code.splitlines()) == 4
    command = re.search(r"^spark-shell (.*)$", PAGE, re.MULTILINE).group(1).replace("utfkit-spark.jar", JAR).split()
    settings = ["--master", "local[2]", "--conf", "spark.ui.enabled=false", "--conf", f"spark.sql.warehouse.dir={tmp_path}"]
    said = run([f"{HOME}/bin/spark-shell", *settings, *command], code)
    for table in output.split("\n\n"):
        assert table.strip() in said, said


def test_sql(tmp_path):
    [block] = re.findall(r"^```sql\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    queries = [line.split("; -- ") for line in block.splitlines()]
    assert len(queries) == 5
    from pyspark.sql import SparkSession

    import utfkit.spark

    active = SparkSession.getActiveSession()
    if active is not None:
        active.stop()
    session = utfkit.spark.session(SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false"))
    try:
        for query, expected in queries:
            [[made]] = session.sql(query).collect()
            assert (str(made).lower() if isinstance(made, bool) else made) == expected
    finally:
        session.stop()


def test_the_pom_has_the_version_of_the_packages():
    version = re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.MULTILINE).group(1)
    assert f"<artifactId>utfkit-spark</artifactId>\n  <version>{version}</version>" in (ROOT / "crates/utfkit-jvm/java/pom.xml").read_text()
