"""Cleans the files of a folder on the workers of Spark: a file for each task."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from typing import Any

from . import _clean
from ._clean import Cleaner, Done, Rules
from ._files import files_of, fs, stored
from ._pyarrow import pyarrow


def run(session: Any, args: argparse.Namespace) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """Cleans the files of `args.input`. Returns the counts, and the files that could not be cleaned with the reason."""
    options = {
        "errors": args.errors,
        "at_least": args.at_least,
        "most_damage": args.most_damage,
        "fallback": args.fallback,
        "undouble": args.undouble,
        "controls": args.controls,
    }
    for name in _clean._OF_DETECTION:
        if getattr(args, name):
            options[name] = getattr(args, name)
    rules = Rules(args.format, args.column, args.encoding, args.encoding_column, args.delimiter, options)
    rules.check()
    named = files_of(args.input, args.glob)
    found = [path for path, _ in named.found]
    if not found and not named.failed:
        raise FileNotFoundError(f"{args.input}: there is no file")
    for path in found:
        rules.format_of(path)
    names = _names(args.input, found)
    cleaner = Cleaner(_absolute(args.output), rules)
    _prepare(cleaner, args)
    done = _done(session, cleaner, list(zip(found, names)))
    counts = _clean.totals(one for one in done if not one.error)
    system, path = cleaner.place("", "counts.json")
    _clean._write_whole(system, path.replace("//", "/"), json.dumps(counts, indent=1, ensure_ascii=False) + "\n")
    unread = [(one.path, one.error) for one in named.failed]
    return counts, unread + [(one.path, one.error) for one in done if one.error]


def _absolute(path: str) -> str:
    return path if "://" in path else os.path.abspath(path)


def _names(given: str, found: list[str]) -> list[str]:
    """The names of the files below the folder that was given."""
    if len(found) == 1 and found[0] == _absolute(given):
        return [os.path.basename(given)]
    above = _absolute(given).rstrip("/") + "/"
    return [path.removeprefix(above) for path in found]


def _prepare(cleaner: Cleaner, args: argparse.Namespace) -> None:
    """Makes the output. One that is there has to be of the same rules, or is replaced if that was asked for."""
    system, folder = stored(cleaner.output)
    rules = f"{folder.rstrip('/')}/rules.json"
    said = json.dumps(cleaner.rules)
    about = system.get_file_info([folder, rules])
    if about[0].type == fs.FileType.Directory and system.get_file_info(fs.FileSelector(folder)):
        is_ours = about[1].type == fs.FileType.File
        same = is_ours and system.open_input_stream(rules).read().decode() == said
        if not same and not (args.overwrite and is_ours):
            why = "was made with other options; --overwrite replaces it" if is_ours else "is a folder of something else"
            raise FileExistsError(f"{args.output}: {why}")
        if args.overwrite:
            for kind in ("kept", "aside", "done"):
                if system.get_file_info(f"{folder}/{kind}").type == fs.FileType.Directory:
                    system.delete_dir(f"{folder}/{kind}")
    elif about[0].type == fs.FileType.File:
        raise FileExistsError(f"{args.output}: is a file")
    _clean._write_whole(system, rules, said)


def _done(session: Any, cleaner: Cleaner, files: list[tuple[str, str]]) -> list[Done]:
    """The result of each file."""
    from .spark import _cores

    def mapped(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            rows = [cleaner(row["path"], row["name"]) for row in batch.to_pylist()]
            made = [{"done": json.dumps(list(one))} for one in rows]
            yield from pyarrow.Table.from_pylist(made, pyarrow.schema([("done", pyarrow.string())])).to_batches()

    tasks = max(1, min(len(files), 16 * _cores(session)))
    table = session.createDataFrame(files, "path string, name string").repartition(tasks)
    rows = table.mapInArrow(mapped, "done string").collect()
    return sorted((Done(*json.loads(row[0])) for row in rows), key=lambda one: one.path)
