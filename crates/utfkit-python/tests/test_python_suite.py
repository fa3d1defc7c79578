"""CPython's own tests of codecs, with the names of its codecs replaced by those of ours."""

from __future__ import annotations

import inspect
import re
import sys
import types
import unittest
from pathlib import Path

import pytest

import utfkit

test_codecs = pytest.importorskip("test.test_codecs", reason="left out: this Python comes without its tests")
test_unicode = pytest.importorskip("test.test_unicode", reason="left out: this Python comes without its tests")
test_callbacks = pytest.importorskip("test.test_codeccallbacks", reason="left out: Python without its tests")

OURS = re.compile(
    r"""(['"])(utf-?_?8|utf-8-sig|utf-?7|utf_7|utf[-_](?:16|32)(?:[-_]?[lb]e)?)\1""", re.IGNORECASE
)

# The tests of error handlers have more encodings.
EVERY = re.compile(OURS.pattern.replace("(utf-?_?8", "(ascii|latin-1|iso-8859-1|iso-8859-15|utf-?_?8"), re.IGNORECASE)


def redirected(module: types.ModuleType, pattern: re.Pattern[str] = OURS) -> types.ModuleType:
    """A copy of the module with `"utfkit-utf-8"` for `"utf-8"`, and so on."""
    utfkit.register()
    source = pattern.sub(lambda name: f"{name[1]}utfkit-{name[2]}{name[1]}", inspect.getsource(module))
    copy = types.ModuleType(f"redirected_{module.__name__.rpartition('.')[2]}")
    copy.__file__ = module.__file__
    copy.__package__ = module.__package__
    sys.modules[copy.__name__] = copy
    exec(compile(source, copy.__name__, "exec"), copy.__dict__)
    return copy


def differences() -> dict[str, str]:
    lines = (Path(__file__).parent / "differences.txt").read_text("utf-8").splitlines()
    entries = [line for line in lines if line and not line.startswith("#")]
    return dict(entry.split(": ", 1) for entry in entries)


CODECS = ["UTF8Test", "UTF8SigTest", "UTF16Test", "UTF16LETest", "UTF16BETest", "UTF32Test", "UTF32LETest", "UTF32BETest",
          "UTF7Test"]


def cases() -> list[unittest.TestCase]:
    found = []
    codecs = redirected(test_codecs)
    for name in CODECS:
        found += unittest.defaultTestLoader.loadTestsFromTestCase(getattr(codecs, name))
    strings = redirected(test_unicode).UnicodeTest
    about = re.compile("codec|utf|decode|encode|surrog|conversion|invalid")
    names = unittest.defaultTestLoader.getTestCaseNames(strings)
    found += [strings(name) for name in names if about.search(name)]
    callbacks = redirected(test_callbacks, EVERY)
    found += unittest.defaultTestLoader.loadTestsFromTestCase(callbacks.CodecCallbackTest)
    return found


def name(case: unittest.TestCase) -> str:
    return f"{type(case).__name__}.{case._testMethodName}"


CASES = cases()


@pytest.mark.parametrize("case", CASES, ids=name)
def test_as_python(case):
    result = unittest.TestResult()
    case.run(result)
    if result.skipped:
        pytest.skip(result.skipped[0][1])
    problems = [text for _, text in [*result.errors, *result.failures]]
    reason = differences().get(name(case))
    if reason is None:
        assert not problems, problems[0]
    else:
        assert problems, f"no difference any more: take it out of differences.txt: {reason}"


def test_the_list_names_tests():
    names = {name(case) for case in CASES}
    for test, reason in differences().items():
        assert test in names, test
        assert len(reason) > 8


def test_enough_of_them():
    assert len(CASES) > 130
