"""CPython's own tests of codecs, with the names of its codecs replaced by those of ours."""

from __future__ import annotations

import fnmatch
import importlib
import inspect
import re
import sys
import types
import unittest
from pathlib import Path

import pytest

import utfkit

test_codecs = pytest.importorskip("test.test_codecs", reason="left out: this Python comes without its tests")
strings_name = "test.test_str" if sys.version_info >= (3, 13) else "test.test_unicode"
test_unicode = pytest.importorskip(strings_name, reason="left out: this Python comes without its tests")
test_callbacks = pytest.importorskip("test.test_codeccallbacks", reason="left out: Python without its tests")
test_multibyte = pytest.importorskip("test.test_multibytecodec", reason="left out: Python without its tests")

OURS = re.compile(
    r"""(['"])(utf-?_?8|utf-8-sig|utf-?7|utf_7|utf[-_](?:16|32)(?:[-_]?[lb]e)?)\1""", re.IGNORECASE
)

# The tests of error handlers have more encodings.
EVERY = re.compile(OURS.pattern.replace("(utf-?_?8", "(ascii|latin-1|iso-8859-1|iso-8859-15|utf-?_?8"), re.IGNORECASE)

# The encodings of East Asia. The names of files with texts stay.
EAST_ASIAN = re.compile(
    r"""(?<!load_teststring\()(['"])(gbk|gb18030|hz|big5|cp949|euc[-_](?:jp|kr)|shift_jis|cp932|johab|iso[-_]?2022[-_](?:jp|kr))\1""",
    re.IGNORECASE,
)


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
    copy = redirected(test_unicode)
    strings = getattr(copy, "StrTest", None) or copy.UnicodeTest
    about = re.compile("codec|utf|decode|encode|surrog|conversion|invalid")
    names = unittest.defaultTestLoader.getTestCaseNames(strings)
    found += [strings(name) for name in names if about.search(name)]
    callbacks = redirected(test_callbacks, EVERY)
    found += unittest.defaultTestLoader.loadTestsFromTestCase(callbacks.CodecCallbackTest)
    found += every(redirected(test_multibyte, EAST_ASIAN))
    for part in ("cn", "tw", "jp", "kr", "iso2022"):
        module = importlib.import_module(f"test.test_codecencodings_{part}")
        # Others are of encodings that are not ours.
        found += [case for case in every(redirected(module, EAST_ASIAN)) if case.encoding.startswith("utfkit-")]
    return found + files()


def every(module: types.ModuleType) -> list[unittest.TestCase]:
    classes = [thing for thing in vars(module).values() if isinstance(thing, type) and thing.__module__ == module.__name__]
    classes = [thing for thing in classes if issubclass(thing, unittest.TestCase)]
    return [case for thing in classes for case in unittest.defaultTestLoader.loadTestsFromTestCase(thing)]


def files() -> list[unittest.TestCase]:
    """The tests of files of text, with the files of Python and with those of C."""
    try:
        module = importlib.import_module("test.test_io.test_textio" if sys.version_info >= (3, 15) else "test.test_io")
    except ImportError:
        return []
    copy = redirected(module, EVERY)
    if hasattr(copy, "load_tests"):
        # It gives the classes their attributes.
        copy.load_tests(unittest.TestLoader(), unittest.TestSuite(), None)
    classes = [getattr(copy, name) for name in ("CTextIOWrapperTest", "PyTextIOWrapperTest") if hasattr(copy, name)]
    return [case for thing in classes for case in unittest.defaultTestLoader.loadTestsFromTestCase(thing)]


def name(case: unittest.TestCase) -> str:
    # Its name before Python 3.13.
    class_name = type(case).__name__.replace("StrTest", "UnicodeTest")
    return f"{class_name}.{case._testMethodName}"


CASES = cases()


@pytest.mark.parametrize("case", CASES, ids=name)
def test_as_python(case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = unittest.TestResult()
    case.run(result)
    if result.skipped:
        pytest.skip(result.skipped[0][1])
    problems = [text for _, text in [*result.errors, *result.failures]]
    reason = next((reason for pattern, reason in differences().items() if fnmatch.fnmatchcase(name(case), pattern)), None)
    if reason is None:
        assert not problems, problems[0]
    else:
        assert problems, f"no difference any more: take it out of differences.txt: {reason}"


def test_the_list_names_tests():
    names = {name(case) for case in CASES}
    for test, reason in differences().items():
        assert fnmatch.filter(names, test), test
        assert len(reason) > 8


def test_enough_of_them():
    assert len(CASES) > 500
