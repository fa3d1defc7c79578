"""Files of doubtful origin, cleaned one by one: Parquet, JSON lines, CSV and WARC, compressed or not.

The rows of a file that meet the bounds go to `kept`, the others with the reason to `aside`, both under the name of
the file. When both are written, `done` gets the counts. So a run that was interrupted begins again with the files
that it had not finished.
"""

from __future__ import annotations

import base64
import csv
import io
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from typing import Any, NamedTuple

from . import _warc, arrow
from ._clusters import bytes_of, holds_text
from ._files import fs, stored
from ._lines import after_last_record
from ._pyarrow import compute, handed_over, pyarrow
from ._utfkit import Stream, detect_as_one, find_encoding

COUNTS = ("rows", "kept", "aside", "damaged", "damage", "read_in_fallback", "undoubled", "without_controls")
SAID = ("encoding", "certainty", "damage", "in_fallback", "undoubled", "controls")
_OF_DETECTION = ("only", "not_", "language")
_ROWS = 4096
_CODECS = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd", ".lz4": "lz4"}
_FORMATS = {"parquet": (".parquet", ".pq"), "jsonl": (".jsonl", ".ndjson", ".json"), "csv": (".csv", ".tsv"), "warc": (".warc", ".wet")}


class Rules(NamedTuple):
    """How the rows of a file are cleaned."""

    format: str | None
    column: str | None
    encoding: str
    encoding_column: str | None
    delimiter: str
    options: dict[str, Any]
    """The options of `utfkit.arrow.clean`."""

    def check(self) -> None:
        """Raises ValueError or LookupError for a wrong option."""
        empty = pyarrow.array([], pyarrow.binary())
        arrow.clean(empty, self.encoding, **self.options)
        if len(self.delimiter) != 1 or not self.delimiter.isascii():
            raise ValueError(f"a delimiter is one character of US-ASCII, not {self.delimiter!r}")

    def format_of(self, path: str) -> str:
        if self.format is not None:
            return self.format
        stem, ending = os.path.splitext(path.lower())
        if ending in _CODECS:
            ending = os.path.splitext(stem)[1]
        for name, endings in _FORMATS.items():
            if ending in endings:
                return name
        raise ValueError(f"{path}: its name does not say its format: parquet, jsonl, csv or warc")


class Done(NamedTuple):
    """The counts of a file, or the reason why it was not cleaned."""

    path: str
    counts: dict[str, int]
    encodings: dict[str, int]
    error: str


def clean_each(column: Any, names: Any, rules: Rules) -> Any:
    """Cleans each row by `utfkit.arrow.clean`, in the encoding of the same row of `names` if that is not null."""
    if names is None:
        return _struct(arrow.clean(column, rules.encoding, **rules.options))
    names = names.cast(pyarrow.string())
    parts, rows = [], []
    for name in names.unique().to_pylist():
        mask = compute.is_null(names) if name is None else compute.fill_null(compute.equal(names, name), False)
        is_known = name is not None and find_encoding(name) is not None
        options = {key: value for key, value in rules.options.items() if not is_known or key not in _OF_DETECTION}
        part = _struct(arrow.clean(column.filter(mask), name if is_known else rules.encoding, **options))
        if name is not None and not is_known:
            # Null rows remain null.
            reason = pyarrow.scalar(f"unknown encoding: {name}", pyarrow.string())
            reasons = compute.if_else(compute.is_valid(part), reason, None).cast(pyarrow.string())
            part = pyarrow.StructArray.from_arrays([*part.flatten()[:-1], reasons], fields=list(part.type))
        parts.append(part)
        rows.append(compute.indices_nonzero(mask))
    if not parts:
        return _struct(arrow.clean(column, rules.encoding, **rules.options))
    order = compute.sort_indices(pyarrow.concat_arrays(rows))
    return pyarrow.concat_arrays(parts).take(order)


def _struct(column: Any) -> Any:
    made = handed_over(column)
    return made.combine_chunks() if isinstance(made, pyarrow.ChunkedArray) else made


class Cleaner:
    """Cleans files; runs on a worker."""

    def __init__(self, output: str, rules: Rules) -> None:
        self.output = output
        self.rules = rules

    def place(self, kind: str, name: str) -> tuple[Any, str]:
        """The file system and the path of an output."""
        system, inner = stored(self.output)
        return system, f"{inner.rstrip('/')}/{kind}/{name}"

    def signature(self, path: str) -> str:
        """A string of everything that determines the result: size, time and rules."""
        system, inner = stored(path)
        about = system.get_file_info(inner)
        return json.dumps([about.size, about.mtime_ns, self.rules], sort_keys=True)

    def finished(self, path: str, name: str) -> Done | None:
        """The counts of an earlier run, if neither the file nor the rules have changed since."""
        system, marker = self.place("done", name + ".json")
        if system.get_file_info(marker).type != fs.FileType.File:
            return None
        try:
            said = json.loads(system.open_input_stream(marker).read())
        except ValueError:
            return None
        if said.get("signature") != self.signature(path):
            return None
        return Done(path, said["counts"], said["encodings"], "")

    def __call__(self, path: str, name: str) -> Done:
        found = self.finished(path, name)
        if found is not None:
            return found
        try:
            return self._clean(path, name)
        except (OSError, ValueError, LookupError, TypeError, pyarrow.ArrowException) as error:
            return Done(path, {}, {}, str(error) or type(error).__name__)

    def _clean(self, path: str, name: str) -> Done:
        # Taken before the file is read, so that a later change is noticed by the next run.
        signature = self.signature(path)
        tally = Tally()
        with ExitStack() as outputs:
            pair = Outputs(self, name, outputs)
            work: dict[str, Callable[[str, Rules, Outputs, Tally], None]]
            work = {"parquet": _parquet, "jsonl": _json_lines, "csv": _csv, "warc": _of_warc}
            work[self.rules.format_of(path)](path, self.rules, pair, tally)
            pair.close()
        done = Done(path, dict(tally.counts), dict(tally.encodings), "")
        system, marker = self.place("done", name + ".json")
        _write_whole(system, marker, json.dumps({"signature": signature, "counts": done.counts, "encodings": done.encodings}))
        return done


def _write_whole(system: Any, path: str, text: str) -> None:
    system.create_dir(os.path.dirname(path), recursive=True)
    with system.open_output_stream(path + ".tmp") as file:
        file.write(text.encode())
    system.move(path + ".tmp", path)


class Tally:
    """Counters of rows."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter(dict.fromkeys(COUNTS, 0))
        self.encodings: Counter[str] = Counter()

    def note(self, made: Any, is_aside: Any) -> None:
        """Counts the rows of a struct of `utfkit.arrow.clean`."""
        aside = compute.sum(is_aside).as_py() or 0
        counts = {"rows": len(made), "kept": len(made) - aside, "aside": aside}
        damage = made.field("damage")
        counts["damage"] = compute.sum(damage).as_py() or 0
        fields = {"damaged": "damage", "read_in_fallback": "in_fallback", "undoubled": "undoubled", "without_controls": "controls"}
        for count, field in fields.items():
            counts[count] = compute.sum(compute.greater(made.field(field), 0)).as_py() or 0
        self.counts.update(counts)
        for row in made.field("encoding").value_counts().to_pylist():
            self.encodings[row["values"] or "unknown"] += row["counts"]


class Outputs:
    """The two outputs of a file, which get their names once they are complete."""

    def __init__(self, cleaner: Cleaner, name: str, stack: ExitStack) -> None:
        self._cleaner = cleaner
        self._name = name
        self._stack = stack
        self._opened: list[tuple[Any, Any, str]] = []

    def open(self, kind: str, ending: str = "", *, compressed: bool = True) -> Any:
        """A binary file, compressed according to its name."""
        system, path = self._cleaner.place(kind, self._name + ending)
        system.create_dir(os.path.dirname(path), recursive=True)
        codec = _CODECS.get(os.path.splitext(path)[1].lower()) if compressed else None
        file = self._stack.enter_context(system.open_output_stream(path + ".tmp", compression=codec))
        self._opened.append((file, system, path))
        return file

    def close(self) -> None:
        for file, system, path in self._opened:
            file.close()
            system.move(path + ".tmp", path)


def _opened(path: str) -> Any:
    """A binary file, decompressed according to its name."""
    system, inner = stored(path)
    if inner.lower().endswith((".xz", ".lzma", ".br", ".z", ".zip")):
        raise ValueError(f"{path}: .gz, .bz2, .zst and .lz4 are decompressed: decompress it before")
    return system.open_input_stream(inner, compression="detect")


def _parquet(path: str, rules: Rules, outputs: Outputs, tally: Tally) -> None:
    parquet = _module("pyarrow.parquet")
    system, inner = stored(path)
    with system.open_input_file(inner) as file:
        table = parquet.ParquetFile(file)
        schema = table.schema_arrow
        column = rules.column
        if column is None:
            raise LookupError(f"{path}: of Parquet, say with --column which column to clean")
        for name in filter(None, (column, rules.encoding_column)):
            if name not in schema.names:
                raise LookupError(f"{path}: there is no column {name!r}: there are {', '.join(map(repr, schema.names))}")
        if not holds_text(schema.field(column).type):
            raise TypeError(f"{path}: column {column!r} holds {schema.field(column).type}: bytes or strings are needed")
        taken = [f"{column}_{name}" for name in (*SAID, "reason") if f"{column}_{name}" in schema.names]
        if taken:
            raise ValueError(f"{path}: there is a column {taken[0]!r} already")
        place = schema.get_field_index(column)
        said = [(f"{column}_{name}", pyarrow.string() if name in SAID[:2] else pyarrow.int64()) for name in SAID]
        kept = pyarrow.schema([*schema.set(place, pyarrow.field(column, pyarrow.string())), *map(pyarrow.field, *zip(*said))])
        raw = bytes_of(pyarrow.array([], schema.field(column).type)).type
        aside = pyarrow.schema(
            [*schema.set(place, pyarrow.field(column, raw)), *map(pyarrow.field, *zip(*said)), pyarrow.field(f"{column}_reason", pyarrow.string())]
        )
        writers = [
            parquet.ParquetWriter(outputs.open(kind, compressed=False), schema, compression="zstd")
            for kind, schema in (("kept", kept), ("aside", aside))
        ]
        for batch in table.iter_batches(_ROWS):
            given = bytes_of(batch.column(place))
            names = batch.column(rules.encoding_column) if rules.encoding_column else None
            made = clean_each(given, names, rules)
            is_aside = compute.is_valid(made.field("reason"))
            tally.note(made, is_aside)
            columns = list(batch.columns)
            fields = [made.field(name).cast(of) for name, (_, of) in zip(SAID, said)]
            text = made.field("text").cast(pyarrow.string())
            parts = (
                ([*columns[:place], text, *columns[place + 1 :], *fields], kept, compute.invert(is_aside)),
                ([*columns[:place], given, *columns[place + 1 :], *fields, made.field("reason")], aside, is_aside),
            )
            for writer, (arrays, of, mask) in zip(writers, parts):
                writer.write_batch(pyarrow.RecordBatch.from_arrays(arrays, schema=of).filter(mask))
        for writer in writers:
            writer.close()


def _module(name: str) -> Any:
    import importlib

    return importlib.import_module(name)


def _records(path: str, end: Callable[[bytes], int]) -> Iterator[list[bytes]]:
    """The records of a file as bytes, in batches. UTF-16 and UTF-32 become UTF-8 first."""
    with _opened(path) as file:
        front = file.read(64 << 10)
        wide = detect_as_one(front).encoding or ""
        stream = Stream(wide, "replace") if wide.startswith(("utf-16", "utf-32", "UTF-16", "UTF-32")) else None
        rest, batch, size = b"", [], 0
        chunk = front
        while True:
            text = chunk if stream is None else stream.push(chunk) if chunk else stream.finish()
            block = rest + text
            at = end(block) if chunk else len(block)
            rest = block[at:]
            start = 0
            while start < at:
                next_end = block.find(b"\n", start, at)
                stop = at if next_end < 0 else next_end + 1
                while stop < at and end(block[start:stop]) != stop - start:
                    next_end = block.find(b"\n", stop, at)
                    stop = at if next_end < 0 else next_end + 1
                batch.append(block[start:stop].removesuffix(b"\n").removesuffix(b"\r"))
                size += stop - start
                start = stop
                if len(batch) == _ROWS or size > 16 << 20:
                    yield batch
                    batch, size = [], 0
            if not chunk:
                break
            chunk = file.read(1 << 20)
    if batch:
        yield batch


def _cleaned(records: list[bytes], rules: Rules) -> Any:
    return clean_each(pyarrow.array(records, pyarrow.binary()), None, rules)


class _Aside:
    """Records that are set aside, as lines of JSON: their bytes in base64, and the result of cleaning them."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def put(self, number: int, record: bytes, row: dict[str, Any], reason: str) -> None:
        said = {"record": number, "reason": reason, "text": row["text"], "bytes_base64": base64.b64encode(record).decode()}
        said.update({name: row[name] for name in SAID})
        self._file.write((json.dumps(said, ensure_ascii=False) + "\n").encode())


def _ending(path: str) -> str:
    """The ending of a file of JSON lines that is compressed as `path` is."""
    ending = os.path.splitext(path)[1].lower()
    return ".jsonl" + (ending if ending in _CODECS else "")


def _each(path: str, rules: Rules, end: Callable[[bytes], int], tally: Tally) -> Iterator[tuple[int, bytes, dict[str, Any]]]:
    """Yields the records that are not empty, with their number and the cleaned row."""
    number = 0
    for records in _records(path, end):
        rows = _cleaned(records, rules)
        lines = rows.to_pylist()
        is_empty = [not record.strip() for record in records]
        refused = []
        for at, (record, row) in enumerate(zip(records, lines)):
            if not is_empty[at]:
                yield number + at + 1, record, row
            # The caller may have set a reason.
            refused.append(row["reason"] is not None)
        number += len(records)
        wanted = pyarrow.array([not empty for empty in is_empty])
        tally.note(rows.filter(wanted), pyarrow.array(refused, pyarrow.bool_()).filter(wanted))


def _json_lines(path: str, rules: Rules, outputs: Outputs, tally: Tally) -> None:
    kept, aside = outputs.open("kept"), _Aside(outputs.open("aside", _ending(path)))
    name = rules.column or "utfkit"
    of_field = rules._replace(encoding="utf-8", options={key: value for key, value in rules.options.items() if key not in (*_OF_DETECTION, "at_least")})
    for number, record, row in _each(path, rules, _after_line, tally):
        if row["reason"] is None:
            try:
                kept.write(_json_line(row, rules, name, of_field).encode() + b"\n")
                continue
            except ValueError as error:
                row["reason"] = f"no line of JSON: {error}"
        aside.put(number, record, row, row["reason"])


def _after_line(text: bytes) -> int:
    return text.rfind(b"\n") + 1


def _json_line(row: dict[str, Any], rules: Rules, name: str, of_field: Rules) -> str:
    """Adds the result of cleaning to a JSON object. Only the cleaned field is rewritten: numbers keep their spelling."""
    text = row["text"].strip()
    given = json.loads(text)
    if not isinstance(given, dict):
        raise ValueError("it is no object")
    said = {f"{name}_{key}": row[key] for key in SAID}
    taken = [key for key in said if key in given]
    if taken:
        raise ValueError(f"it has a key {taken[0]!r} already")
    if rules.column is not None:
        value = given.get(rules.column)
        if isinstance(value, str):
            # Escapes of JSON may spell unpaired surrogates.
            raw = value.encode("utf-8", "surrogatepass")
            [inner] = clean_each(pyarrow.array([raw], pyarrow.binary()), None, of_field).to_pylist()
            for key in ("damage", "in_fallback", "undoubled", "controls"):
                row[key] += inner[key]
                said[f"{name}_{key}"] = row[key]
            if inner["reason"] is not None:
                raise ValueError(inner["reason"])
            if inner["text"] != value:
                given[rules.column] = inner["text"]
                return json.dumps({**given, **said}, ensure_ascii=False, allow_nan=False)
    members = json.dumps(said, ensure_ascii=False)[1:]
    return str(text[:-1].rstrip() + (", " if given else "") + members)


def _csv(path: str, rules: Rules, outputs: Outputs, tally: Tally) -> None:
    sink, aside = outputs.open("kept"), _Aside(outputs.open("aside", _ending(path)))
    text = io.StringIO()
    writer = csv.writer(text, delimiter=rules.delimiter, lineterminator="\n")
    csv.field_size_limit(1 << 30)
    is_header = True
    for number, record, row in _each(path, rules, after_last_record(b'"'), tally):
        if row["reason"] is not None and not is_header:
            aside.put(number, record, row, row["reason"])
            continue
        if row["text"] is None:
            raise ValueError(f"{path}: its header is not text: {row['reason']}")
        fields = next(csv.reader(io.StringIO(row["text"], newline=""), delimiter=rules.delimiter))
        if is_header:
            # The header is kept but not counted.
            is_header, row["reason"] = False, None
            writer.writerow([*fields, *(f"utfkit_{name}" for name in SAID)])
        else:
            writer.writerow([*fields, *(row[name] for name in SAID)])
        if text.tell() > 1 << 20:
            sink.write(text.getvalue().encode())
            text.seek(0)
            text.truncate()
    sink.write(text.getvalue().encode())


def _of_warc(path: str, rules: Rules, outputs: Outputs, tally: Tally) -> None:
    ending = os.path.splitext(path)[1].lower()
    if ending in (".bz2", ".lz4", ".zst"):
        raise ValueError(f"{path}: a WARC is compressed as .gz, or not")
    pack = _warc.member if ending == ".gz" else bytes
    kept, aside = (outputs.open(kind, compressed=False) for kind in ("kept", "aside"))
    with _opened(path) as file:
        for record in _warc.records(file, path):
            payload = record.payload()
            if payload is None:
                # The record has no text.
                kept.write(pack(record.raw()))
                continue
            if isinstance(payload, str):
                aside.write(pack(record.with_headers({"Utfkit-Reason": payload}).raw()))
                tally.counts.update({"rows": 1, "aside": 1})
                continue
            charset = pyarrow.array([record.charset()], pyarrow.string()) if rules.encoding_column == "charset" else None
            made = clean_each(pyarrow.array([payload], pyarrow.binary()), charset, rules)
            tally.note(made, compute.is_valid(made.field("reason")))
            [row] = made.to_pylist()
            said = {f"Utfkit-{name.title().replace('_', '-')}": str(row[name]) for name in SAID}
            if row["reason"] is not None:
                said["Utfkit-Reason"] = " ".join(row["reason"].split())
                aside.write(pack(record.with_headers(said).raw()))
            else:
                kept.write(pack(record.with_text(row["text"].encode()).with_headers(said).raw()))


def totals(all_done: Iterable[Done]) -> dict[str, Any]:
    """The counts of all files."""
    counts: Counter[str] = Counter(dict.fromkeys(("files", *COUNTS), 0))
    encodings: Counter[str] = Counter()
    for done in all_done:
        counts["files"] += 1
        counts.update(done.counts)
        encodings.update(done.encodings)
    return {**counts, "encodings": dict(encodings.most_common())}
