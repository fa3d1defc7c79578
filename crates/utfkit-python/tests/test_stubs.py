"""The stubs match the modules."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import utfkit


def test_stubs(tmp_path):
    pytest.importorskip("mypy", reason="left out: mypy is not installed")
    for module in ("pyarrow", "polars", "duckdb", "fsspec"):
        pytest.importorskip(module, reason=f"left out: the module that needs {module} cannot be imported")
    # Modules with types of their own.
    left_out = tmp_path / "left-out"
    modules = {"pyspark": ["spark", "_spark_job", "_spark_jvm", "_spark_read.*"], "ray": ["ray"]}
    missing = [name for needed, names in modules.items() if not importlib.util.find_spec(needed) for name in names]
    # fsspec has no types, and so no metaclass of its own.
    names = [*missing, r"fsspec\.UtfkitFileSystem"]
    left_out.write_text("".join(f"utfkit\\.{name}\n" for name in names))
    if missing:
        print("left out:", *missing)
    config = tmp_path / "mypy.ini"
    config.write_text("[mypy]\n" + "".join(f"[mypy-{needed}.*]\nignore_missing_imports = True\n" for needed in [*modules, "py4j", "fsspec"]))
    result = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "utfkit", "--allowlist", str(left_out), "--mypy-config-file", str(config)], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_a_program_is_checked(tmp_path):
    pytest.importorskip("mypy", reason="left out: mypy is not installed")
    program = tmp_path / "program.py"
    program.write_text(
        "import utfkit\n"
        "text: str = utfkit.decode(bytearray(b'a'), errors='replace')\n"
        "data: bytes = utfkit.encode(text)\n"
        "for finding in utfkit.check(data):\n"
        "    line: int = finding.line\n"
        "    raw: bytes = finding.bytes\n"
        "changes: list[utfkit.Change] = utfkit.repair(data, fallback='cp1252').changes\n"
        "wrong: int = utfkit.decode(b'')\n"
        "utfkit.decode('text')\n"
    )
    result = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(program)], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    lines = [line for line in result.stdout.splitlines() if ": error:" in line]
    assert len(lines) == 2, result.stdout
    assert ":8: error" in lines[0] and ":9: error" in lines[1]


def test_everything_is_documented():
    assert (Path(utfkit.__file__).parent / "py.typed").exists()
    for name in utfkit.__all__:
        thing = getattr(utfkit, name)
        assert thing.__doc__, name
        if isinstance(thing, type):
            assert thing.__module__ == "utfkit", name
