"""Files with all kinds of damage, and what the command says of them.

UTFKIT_COMMAND is the command; UTFKIT_CLUSTERS_FILES and UTFKIT_CLUSTERS_MB say how many files there are and how
large the largest is.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

FILES = int(os.environ.get("UTFKIT_CLUSTERS_FILES", "60"))
LARGE = int(os.environ.get("UTFKIT_CLUSTERS_MB", "4")) << 20
RANGE = max(64 << 10, LARGE // 32)

TEXT = [
    "plain text in lines\n".encode(), "naïve café, Łódź\n".encode(), "Съешь ещё этих булок. ".encode(),
    "火星是太阳系八大行星之一。".encode(), "🎉 emoji 😀 ".encode(), "\r\n".encode(), b"\n\n\n",
]  # fmt: skip
DAMAGE = [
    b"caf\xe9 ", b"\xc0\xaf", b"\xed\xa0\xbd\xed\xb8\x80", b"\xed\xa0\xbd", b"\xf0\x9f\x8e", b"\x80\x80", b"\xff",
    b"\xf4\x90\x80\x80", b"\xfc\x80\x80\x80\x80\x80", "été".encode("utf-16-le").replace(b"\0", b"\xe9"),
]  # fmt: skip


class Corpus(NamedTuple):
    folder: Path
    findings: list[dict]
    files: dict[str, dict]


def made(size: int, generator: random.Random, damage: float) -> bytes:
    """Text of about `size` bytes."""
    parts, length = [], 0
    while length < size:
        parts.append(generator.choice(DAMAGE if generator.random() < damage else TEXT))
        length += len(parts[-1])
    return b"".join(parts)


def said(folder: Path) -> Corpus:
    """The output of the command for a folder."""
    command = os.environ.get("UTFKIT_COMMAND")
    if not command:
        pytest.skip("left out: UTFKIT_COMMAND does not say where the command is")
    run = subprocess.run(
        [command, "check", "-uuu", "--format", "jsonl", "--max-errors", "0", str(folder)],
        capture_output=True,
        check=False,
    )
    assert run.returncode in (0, 1), run.stderr
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    return Corpus(
        folder,
        sorted((line for line in lines if "offset" in line), key=place),
        {line["path"]: line for line in lines if line.get("summary")},
    )


def place(finding) -> tuple[str, int]:
    return finding["path"], finding["offset"]


def same(findings, files, corpus: Corpus) -> None:
    """Checks that rows of an engine equal the output of the command."""
    findings = sorted(findings, key=place)
    assert len(findings) == len(corpus.findings) > 0
    for ours, theirs in zip(findings, corpus.findings):
        assert ours == theirs
    by_path = {file["path"]: file for file in files}
    assert by_path.keys() == corpus.files.keys()
    for path, file in by_path.items():
        # The command says on standard error what it cannot read.
        theirs = {**corpus.files[path], "error": None}
        assert {**file, "kinds": dict(file["kinds"])} == {key: theirs[key] for key in file}


def descendants(of: int) -> dict[int, str]:
    """The descendants of a process, with their command lines."""
    parents, lines = {}, {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                status = (folder / "stat").read_text().rsplit(")", 1)[1].split()
                lines[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            parents[int(folder.name)] = int(status[1])
    below = {of}
    while more := {child for child, parent in parents.items() if parent in below} - below:
        below |= more
    return {process: lines[process] for process in below - {of}}


def in_here(capsys, *arguments) -> tuple[int, list[str]]:
    """The job of Spark in the session of the tests: its status and the lines that it prints."""
    import utfkit.spark

    capsys.readouterr()
    try:
        status = utfkit.spark.main(list(map(str, arguments)))
    except SystemExit as ended:
        status = ended.code
    return status, capsys.readouterr().err.splitlines()


ROWS = [
    (1, b"tea"),
    (2, "naïve".encode()),
    (3, b"caf\xe9 au lait"),
    (4, None),
    (5, b"one\ntwo \xc0\xaf\xff"),
    (6, b""),
    (7, b"\xed\xa0\xbd\xed\xb8\x80"),
]
