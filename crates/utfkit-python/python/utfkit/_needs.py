"""Packages that a module needs, and the command that installs one that is missing."""

from __future__ import annotations

import importlib
from typing import Any


def needed(name: str, by: str, package: str | None = None) -> Any:
    """Imports a module of another package. Its absence is an ImportError that says how to install it."""
    package = package or name.partition(".")[0]
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        # A module that the package itself lacks is an error of its own.
        if (error.name or "").partition(".")[0] != name.partition(".")[0]:
            raise
        raise ImportError(f"{by} needs {package}: pip install {package}", name=error.name) from error
