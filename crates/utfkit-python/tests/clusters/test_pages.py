"""The examples of the pages, and the types of the modules."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2]


def run(page: str) -> int:
    text = (PACKAGE / "docs" / page).read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    runner, globs = doctest.DocTestRunner(), {}
    for number, block in enumerate(blocks):
        test = doctest.DocTestParser().get_doctest(block, globs, f"block {number}", page, 0)
        runner.run(test, clear_globs=False)
        globs.update(test.globs)
    assert runner.failures == 0
    return runner.tries


def test_spark():
    pytest.importorskip("pyspark", reason="left out: pyspark is not installed")
    if shutil.which("java") is None:
        pytest.skip("left out: there is no Java")
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    try:
        assert run("spark.md") > 14
        # After the example that registers the functions and the table.
        readme = (PACKAGE.parents[1] / "README.md").read_text("utf-8")
        [block] = re.findall(r"^```sql\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
        queries = [line.split(";")[0] for line in block.splitlines()]
        found, made = (session.sql(query).collect() for query in queries)
        assert [(row["id"], row["kind"]) for row in found] == [(2, "truncated")]
        assert {row["id"]: (row["mended"], row["read"]) for row in made} == {1: ("tea", "tea"), 2: ("caf\ufffd", "cafИ")}
    finally:
        session.stop()


def test_ray():
    pytest.importorskip("ray.data", reason="left out: ray is not installed")
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=256 << 20)
    try:
        assert run("ray.md") > 7
    finally:
        ray.shutdown()


@pytest.mark.parametrize("module", ["spark", "ray"])
def test_types(module, tmp_path, tmp_path_factory):
    pytest.importorskip("mypy", reason="left out: mypy is not installed")
    pytest.importorskip({"spark": "pyspark"}.get(module, module), reason=f"left out: nothing to import {module} from")
    program = tmp_path / "program.py"
    program.write_text(f"import utfkit.{module}\nutfkit.{module}.check_files(1, 2, 3, 4)\n")
    # What mypy has read of the package is of use to the other module.
    mypy = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--cache-dir", str(tmp_path_factory.getbasetemp() / "mypy")]
    command = [*mypy, str(program)]
    result = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    lines = [line for line in result.stdout.splitlines() if ": error:" in line]
    assert lines and all("program.py:2: error" in line for line in lines), result.stdout
    # mypy reads them in the source folder. ci/python.sh checks the installed ones.
    (tmp_path / "mypy.ini").write_text("".join(f"[mypy-{name}.*]\nignore_missing_imports = True\n" for name in ("polars", "duckdb", "py4j", "fsspec")))
    command = [*mypy, "-p", "utfkit"]
    result = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert result.returncode == 0, result.stdout
