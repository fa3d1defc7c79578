"""Fixtures and helpers of all tests."""

from __future__ import annotations

import gc
import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import utfkit

REPOSITORY = Path(__file__).resolve().parents[3]

# UTFKIT_HYPOTHESIS_EXAMPLES is the number of examples.
settings.register_profile(
    "utfkit",
    max_examples=int(os.environ.get("UTFKIT_HYPOTHESIS_EXAMPLES", "300")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("utfkit")


def pytest_collection_finish() -> None:
    """Lets the garbage collector pass over the objects of all modules and tests: many tests call it."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def registered() -> None:
    utfkit.register()


def vectors(name: str):
    """The conformance cases of others. Skips the test if they are missing."""
    shared = Path(os.environ.get("UTFKIT_SHARED", REPOSITORY.parent / "shared"))
    path = shared / "vectors" / name
    if not path.exists():
        pytest.skip(f"left out: {path} is not there (UTFKIT_SHARED says where)")
    return json.loads(path.read_text("utf-8")) if path.suffix == ".json" else path.read_bytes()


def outcome(function, *arguments):
    """The result of a call, or its exception without the reason, which is not a contract."""
    try:
        return function(*arguments)
    except UnicodeError as error:
        return type(error), error.start, error.end, error.object
    except Exception as error:  # noqa: BLE001
        return type(error)
