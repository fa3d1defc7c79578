#!/usr/bin/env python3
"""Runs the tests of chardet and charset-normalizer against `utfkit.compat`.

    pip install ./crates/utfkit-python pytest
    python crates/utfkit-python/bench/compat.py           # both
    python crates/utfkit-python/bench/compat.py chardet -v

Fetches their source distributions with pip, unpacks them in a temporary folder, and puts packages of
their names in front of the path, which hold the compat modules. Tests that call what is not public
there are skipped and counted. Prints the tests that fail, with the reason for those that ask for an
answer that is wrong or a matter of taste, and ends with 1 if any other fails.
"""

from __future__ import annotations

import argparse
import collections
import fnmatch
import glob
import os
import subprocess
import sys
import tarfile
import tempfile
import textwrap
import xml.etree.ElementTree as ElementTree

VERSIONS = {"chardet": "7.7.0", "charset_normalizer": "3.5.3"}

# Files of tests of what is not in the compat modules: their commands, models and stages, speed,
# Python itself, and accuracy on texts that are fetched from elsewhere.
LEFT_OUT = {
    "chardet": (
        "accuracy benchmark cli confusion equivalences internal_utils kernel_pxd language markup models orchestrator "
        "output_names pipeline_types postprocess python_stdlib_limitations registry substitutions utils"
    ),
    "charset_normalizer": "cli coherence_detection mess_detection utils",
}

# Failing tests, by pattern, with what they ask for.
OTHER_CONFIDENCE = "a confidence that is a constant of theirs, where ours is a probability"
REASONS = {
    "chardet": {
        "*::test_utf16_bom_fallback_survives*": "UTF-16 for text that begins with U+0000: to utfkit FF FE 00 00 is the BOM of UTF-32",
        "*::test_detect_utf7*": "UTF-7 without a BOM: utfkit says ascii, which the bytes are too, and hardly anybody writes UTF-7",
        "*::test_detect_hp_roman8": "an encoding that utfkit lacks",
        "*::test_detect_pep263_*": OTHER_CONFIDENCE,
        "*::test_issue_346_*": OTHER_CONFIDENCE,
        "*::test_find_print0_output": OTHER_CONFIDENCE,
        "*::test_encoding_era_excludes_legacy": "ISO-8859-7 where windows-1253 is the same text: utfkit names the more common one",
        "*::test_detect_all_prefer_superset_lists*": "ISO-8859-7 where windows-1253 is the same text: utfkit names the more common one",
        "*::test_single_byte_declaration_kept_*": "ISO-8859-1 for a page that declares it: by the Encoding Standard that is windows-1252",
        "*::test_empty_feed_after_done_*": "a private attribute",
        "*::test_none_none_files_*": "texts that are fetched from elsewhere",
        "*::test_internal_slicing_keeps_*": "UTF-8 for `mam\\xe1`, of which the test itself says that it is a coin flip",
    },
    "charset_normalizer": {
        "*::test_small_payload_confidence_altered": OTHER_CONFIDENCE,
        "*::test_latin1_uses_chardet_spelling": "ISO-8859-1 for a page that declares it: by the Encoding Standard that is windows-1252",
        "*::test_clean_big5_without_language_evidence": "Big5 for two characters in English text, which read as windows-1252 are letters too",
        "*::test_isbinary?raw0-True?": "no text for what is well-formed UTF-16BE, U+005F and U+2FFF",
    },
}

# Stands for a package: its public names are ours, and a test that calls another name is skipped.
SHIM = '''
import importlib.abc
import importlib.machinery
import sys
import types

import pytest

import utfkit.compat.{package} as ours
from utfkit.compat.{package} import *  # noqa: F403
from utfkit.compat.{package} import __version__


class Inside:
    """A name that is not public."""

    def __init__(self, name):
        self._name = name

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Inside(f"{{self._name}}.{{name}}")

    def _skip(self, *_, **__):
        pytest.skip(f"not public: {{self._name}}", allow_module_level=True)

    __call__ = __iter__ = __len__ = __contains__ = __getitem__ = __bool__ = _skip
    __add__ = __radd__ = __mul__ = __rmul__ = __sub__ = __lt__ = __gt__ = __le__ = __ge__ = _skip
    __index__ = __str__ = __int__ = __enter__ = __rsub__ = __eq__ = __floordiv__ = __rfloordiv__ = _skip
    __hash__ = None


class Submodule(types.ModuleType):
    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Inside(f"{{self.__name__}}.{{name}}")


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path, target=None):
        if not name.startswith(__name__ + "."):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        module = Submodule(spec.name)
        for name in ours.__all__:
            setattr(module, name, getattr(ours, name))
        return module

    def exec_module(self, module):
        if module.__name__.endswith(".universaldetector"):
            import warnings

            warnings.warn("universaldetector is the module detector", DeprecationWarning, stacklevel=2)


sys.meta_path.insert(0, Finder())
'''


def fetched(package, folder):
    """The folder of the unpacked source distribution."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*command, "--no-binary", ":all:", "-d", folder, f"{package}=={VERSIONS[package]}"], check=True)
    (archive,) = glob.glob(f"{folder}/*.tar.gz")
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return archive.removesuffix(".tar.gz")


def run(package, folder):
    """(test, outcome, message) of each test."""
    top = fetched(package, folder)
    shim = f"{folder}/shim/{package}"
    os.makedirs(shim)
    with open(f"{shim}/__init__.py", "w") as file:
        file.write(SHIM.format(package=package))
    report = f"{folder}/report.xml"
    here = os.path.dirname(os.path.dirname(__import__("utfkit").__file__))
    environment = {**os.environ, "PYTHONPATH": f"{folder}/shim:{here}", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--continue-on-collection-errors"]
    options = ["-c", os.devnull, "--rootdir", top, f"--junitxml={report}", "-o", "junit_family=xunit1"]
    ignored = [f"--ignore={top}/tests/test_{name}.py" for name in LEFT_OUT[package].split()]
    done = subprocess.run([*command, *options, *ignored, f"{top}/tests"], env=environment, cwd=top, capture_output=True, text=True, check=False)
    # 0 and 1: the tests ran; 2 is what an error in a file of tests makes of that.
    if done.returncode not in (0, 1, 2) or not os.path.exists(report):
        raise SystemExit(done.stdout + done.stderr)
    for case in ElementTree.parse(report).iter("testcase"):
        name = f"{case.get('classname', '').removeprefix('tests.')}::{case.get('name')}"
        outcome, message = "passed", ""
        for child in case:
            if child.tag in ("failure", "error", "skipped"):
                outcome, message = child.tag, (child.get("message") or "") + "\n" + (child.text or "")
        yield name, outcome, message


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*", help=" or ".join(VERSIONS))
    parser.add_argument("-v", action="store_true", help="with what each failing test says")
    options = parser.parse_args()
    is_well = True
    for package in options.packages or VERSIONS:
        with tempfile.TemporaryDirectory(prefix="compat") as folder:
            results = list(run(package, folder))
        count, reasons, others = collections.Counter(), collections.defaultdict(list), []
        for name, outcome, message in results:
            if outcome == "skipped" or "not public: " in message:
                count["inside" if "not public" in message else "skipped by themselves"] += 1
            elif outcome == "passed":
                count["passed"] += 1
            else:
                reason = next((text for pattern, text in REASONS[package].items() if fnmatch.fnmatch(name, pattern)), None)
                count["theirs" if reason else "failed"] += 1
                (reasons[reason] if reason else others).append((name, message))
        print(f"{package} {VERSIONS[package]}: {count['passed']} passed, {count['failed']} failed, {count['theirs']} ask for something else,")
        print(f"  {count['inside']} call what is not public, {count['skipped by themselves']} skipped by themselves;")
        print(f"  left out: test_{', test_'.join(LEFT_OUT[package].split())}")
        for reason, tests in reasons.items():
            print(textwrap.fill(f"{len(tests)}: {reason}", 100, initial_indent="  ", subsequent_indent="    "))
            for name, _ in tests:
                print(f"      {name}")
        for name, message in others:
            print(f"  FAILED {name}")
            if options.v:
                print(textwrap.indent("\n".join(message.splitlines()[:1] + message.splitlines()[-12:]), "      "))
        is_well &= not others
    sys.exit(0 if is_well else 1)


if __name__ == "__main__":
    main()
