"""The examples of the documentation."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest
from conftest import REPOSITORY

import utfkit
from utfkit import _codecs

PACKAGE = Path(__file__).resolve().parents[1]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def run(text: str, name: str, globs: dict[str, object] | None = None) -> int:
    globs = {} if globs is None else globs
    test = doctest.DocTestParser().get_doctest(text, globs, name, name, 0)
    said: list[str] = []
    result = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=said.append, clear_globs=False)
    assert result.failed == 0, "".join(said)
    globs.update(test.globs)
    return result.attempted


def blocks(path: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", path.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def test_the_page():
    path = PACKAGE / "docs" / "python.md"
    globs: dict[str, object] = {}
    attempted = sum(run(block, path.name, globs) for block in blocks(path))
    assert attempted > 30


def test_the_page_about_files():
    for module in ("polars", "pandas", "pyarrow", "duckdb", "fsspec"):
        pytest.importorskip(module, reason=f"left out: there is no {module}")
    path = PACKAGE / "docs" / "reading.md"
    globs: dict[str, object] = {}
    assert sum(run(block, path.name, globs) for block in blocks(path)) > 20
    for name in ("duckdb", "fsspec", "polars", "compat.ftfy"):
        module = importlib.import_module(f"utfkit.{name}")
        things = [module, *(getattr(module, name) for name in module.__all__)]
        assert sum(run(thing.__doc__ or "", name, {"utfkit": utfkit, **vars(module)}) for thing in things) > 1


def test_the_first_four_lines():
    """The first examples need only the command before them."""
    text = (PACKAGE / "docs" / "python.md").read_text("utf-8")
    assert "pip install ./crates/utfkit-python" in text.split("```python")[0]
    assert run(blocks(PACKAGE / "docs" / "python.md")[0], "first") == 3


def test_the_readme():
    path = REPOSITORY / "README.md"
    if not path.exists():
        pytest.skip("left out: there is no README.md above this package")
    shown = [block for block in blocks(path) if "utfkit" in block]
    assert shown
    for block in shown:
        assert run(block, path.name)


def test_docstrings():
    attempted = run(utfkit.__doc__ or "", "utfkit")
    for module in (utfkit, _codecs):
        for name in module.__all__:
            thing = getattr(module, name)
            attempted += run(thing.__doc__, name, {"utfkit": utfkit})
    assert attempted > 15


def test_results_are_there():
    assert "decode" in (PACKAGE / "bench" / "results.txt").read_text("utf-8")


def test_the_tables_that_differ():
    """The figures of python.md, over the Basic Multilingual Plane, and the ideographs of Hong Kong beyond it."""
    page = (PACKAGE / "docs" / "python.md").read_text("utf-8")
    rows = re.findall(r"^\| ([\w-]+) \| `(\w+)` \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|", page, re.MULTILINE)
    assert len(rows) > 14
    plane = [*range(0xD800), *range(0xE000, 0x1_0000)]

    def written(encode, *arguments):
        try:
            return encode(*arguments)
        except UnicodeError:
            return None

    for ours, theirs, *figures in rows:
        counts = [0, 0, 0]
        for c in map(chr, [*plane, *range(0x2_0000, 0x3_0000)] if ours == "Big5" else plane):
            here, there = written(utfkit.encode, c, ours), written(c.encode, theirs)
            if here != there:
                counts[0 if there is None else 1 if here is None else 2] += 1
        assert [f"{count:,}" for count in counts] == figures, (ours, theirs)
