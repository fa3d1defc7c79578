"""As many cases of parts.py as are asked for, one finding a line.

    python tests/cases.py --cases 10000000 --seed 1
    python tests/cases.py --case 'decode/utfkit-UTF-7/replace/1:47'    # one that was found

A case is a text, an encoding, an error handler and a way to cut it, beside the result of one call
and, where it has the encoding, beside Python's. Columns of Arrow and Polars have 64 texts each, tables of DuckDB,
DataFusion and Spark 8 in each encoding. The status is 1 if there was a finding.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import time
from collections import Counter
from collections.abc import Callable

import parts

import utfkit


def columns() -> dict[str, Callable[[random.Random, str], None]]:
    """Columns of 64 texts, by name. Empty without pyarrow."""
    try:
        import test_column_doors as doors
    except BaseException as error:  # noqa: BLE001 (pytest's way to skip is not an Exception)
        print(f"left out: columns ({error})")
        return {}

    def arrow(rng: random.Random, encoding: str) -> None:
        doors.arrow_has(encoding, doors.rows_of(rng, encoding, 64))

    def polars(rng: random.Random, encoding: str) -> None:
        doors.polars_has(encoding, doors.rows_of(rng, encoding, 64))

    return {"arrow": arrow, "polars": polars}


def doors_by_row(with_spark: bool) -> dict[str, tuple[Callable[[random.Random], None], int]]:
    """Tables with rows in all encodings, by the name of the door, and the number of rows."""
    try:
        import test_column_doors as doors
    except BaseException:  # noqa: BLE001
        return {}
    found = {}
    for door, connect in doors.DOORS.items():
        if door == "spark" and not with_spark:
            continue
        try:
            connect()
        except BaseException as error:  # noqa: BLE001
            print(f"left out: {door} ({error})")
            continue
        found[door] = (lambda rng, door=door: doors.door_has(door, rng, 8), 8 * len(doors.NAMES))
    return found


def checks(with_spark: bool) -> list[tuple[str, Callable[[random.Random], None], int]]:
    """The name of each kind of case, its check, and how many texts that takes."""
    found: list[tuple[str, Callable[[random.Random], None], int]] = []

    def add(kind: str, encoding: str, errors: str, check: Callable[..., None], count: int, *arguments: str) -> None:
        found.append((f"{kind}/{encoding}/{errors}", lambda rng: check(rng, *arguments), count))

    for encoding in parts.ENCODINGS:
        for errors in parts.DECODE:
            add("decode", encoding, errors, parts.decode_in_parts, 1, encoding, errors)
        for errors in parts.ENCODE:
            add("encode", encoding, errors, parts.encode_in_parts, 1, encoding, errors)
        for errors in parts.COPIED:
            add("copied", encoding, errors, parts.as_copied, 1, encoding, errors)
        if encoding != "utfkit-utf-8-sig":
            for kind, check in columns().items():
                add(kind, encoding, "replace", check, 64, encoding)
    for name in parts.LIKE_PYTHON:
        beside = parts.Beside(name)
        for errors in parts.DECODE:
            add("decode as Python", name, errors, beside.decode, 1, errors)
        for errors in parts.ENCODE:
            add("encode as Python", name, errors, beside.encode, 1, errors)
    for door, (check, count) in doors_by_row(with_spark).items():
        add(door, "all", "replace", check, count)
    everything = parts.CHARACTERS + "".join(map(chr, itertools.chain(range(0xA0, 0xD800), range(0xF900, 0x10000))))
    for name in parts.PYTHON:
        across = parts.Across(name, everything)
        for errors in parts.DECODE:
            add("read from Python", name, errors, across.read, 1, errors)
            add("written for Python", name, errors, across.written, 1, errors)
    return found


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--cases", type=int, default=100_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--case", help="the name of one case")
    options.add_argument("--spark", action="store_true", help="with Spark, which needs Java")
    options.add_argument("--most", type=int, default=50, help="findings until it ends")
    given = options.parse_args()
    kinds = checks(given.spark)
    if given.case:
        kind, _, number = given.case.rpartition("/")
        next(check for name, check, _ in kinds if name == kind)(random.Random(f"{kind}/{number}"))
        return 0
    print(f"{len(kinds)} kinds of case in {len(parts.ENCODINGS)} encodings, {len(parts.PYTHON)} of them beside Python {sys.version.split()[0]}", flush=True)
    done, findings, said = 0, Counter[str](), time.monotonic()
    for number in itertools.count():
        for kind, check, count in kinds:
            name = f"{kind}/{given.seed}:{number}"
            try:
                check(random.Random(name))
            except Exception as error:  # noqa: BLE001
                findings[kind] += 1
                if findings[kind] <= 3:
                    print(f"{name}: {type(error).__name__}: {error}", flush=True)
            done += count
        if time.monotonic() - said > 60:
            said = time.monotonic()
            print(f"{done} cases, {findings.total()} findings", flush=True)
        if done >= given.cases or len(findings) >= given.most:
            break
    print(f"{done} cases in {number + 1} rounds, seed {given.seed}: {findings.total()} findings (utfkit from {utfkit.__file__.partition('site-packages')[2] or utfkit.__file__})")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
