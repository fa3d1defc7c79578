#!/usr/bin/env python3
"""Checks that text encoded twice is restored, and that clean text is kept.

    cargo build --release -p utfkit-cli
    python3 bench/detect/undouble.py FOLDER             # sentences; compares with ftfy.fix_encoding
    python3 bench/detect/undouble.py FOLDER --clean     # 20,000 clean sentences: prints changes
    python3 bench/detect/undouble.py FOLDER --files     # the text files of this system: prints changes
    python3 bench/detect/undouble.py FOLDER --wrong     # the sentences that are not restored

Encodes a sentence in one of 40 languages as UTF-8 and decodes it in one of 11
encodings, once and three times; a byte that the encoding leaves unassigned is the
control of that code. Each sentence is a file, without other evidence. A row counts
the sentences that are restored exactly. --lost replaces U+00A0 with a space first.
The texts and FOLDER are the ones of judge.py.
"""

import argparse
import collections
import itertools
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

import rivals
from judge import TARGET
from sources import Folder

ENCODINGS = {
    "windows-1250": "cp1250", "windows-1251": "cp1251", "windows-1252": "cp1252", "windows-1253": "cp1253",
    "windows-1254": "cp1254", "windows-1257": "cp1257", "ISO-8859-1": "latin1", "ISO-8859-2": "iso8859_2",
    "macintosh": "mac_roman", "IBM437": "cp437", "IBM850": "cp850",
}  # fmt: skip
LANGUAGES = (
    "cs da de el es fi fr hu it ja ko mk nb nl pl pt-br ro ru sr sv tr uk vi zh zh_tw id "
    "ar be bg ca eo et fa he hr is lt lv sl th"
).split()
CLEAN = 20_000
FILES = ("/usr/share", "/usr/lib/python3", "/usr/include", "/etc", "/usr/local")


def reader(codec):
    """The characters of all bytes; controls for unassigned ones."""
    return [bytes([b]).decode(codec, "replace").replace("\ufffd", chr(b)) for b in range(256)]


def encoded_again(text, characters, times):
    for _ in range(times):
        text = "".join(characters[b] for b in text.encode())
    return text


def sentences(folder, each, source):
    """Yields (language, sentence), `each` per language: from running text, else of words."""
    texts = {}
    for kind, language, text in folder.texts():
        if language in LANGUAGES:
            texts.setdefault(language, {})[kind] = text
    for language in LANGUAGES:
        found = []
        kinds = texts[language]
        running = "\n\n".join(kinds[kind] for kind in ("manuals", "tutors") if kind in kinds)
        if running:
            text = re.sub(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", "", running)
            parts = [re.sub(r"\s*\n\s*", " ", part).strip() for part in re.split(r"(?<=[.!?。])\s+|\n\s*\n", text)]
        else:
            words = kinds["dictionaries"].split("\n")
            parts = [" ".join(words[at : at + 8]) for at in range(0, len(words), 8)]
        parts = [part for part in dict.fromkeys(parts) if 12 <= len(part) <= 220]
        source.shuffle(parts)
        for part in parts:
            if any(c.isalpha() and c > "\x7f" for c in part):
                found.append(part)
                if len(found) == each:
                    break
        yield from ((language, part) for part in found)


def ours(program, texts):
    """The results of `utfkit repair --undouble`."""
    scratch = tempfile.mkdtemp(prefix="undouble", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
    try:
        for number, text in enumerate(texts):
            with open(f"{scratch}/{number:06}", "w", encoding="utf-8", newline="") as out:
                out.write(text)
        command = [program, "repair", "-s", "--undouble", "--in-place", "-uuu", scratch]
        subprocess.run(command, check=True, capture_output=True)
        result = []
        for number in range(len(texts)):
            with open(f"{scratch}/{number:06}", encoding="utf-8", newline="") as file:
                result.append(file.read())
        return result
    finally:
        shutil.rmtree(scratch)


def rows(folder, wanted, source):
    some = list(sentences(folder, wanted.each, source))
    print(f"{len(some)} sentences in {len({language for language, _ in some})} languages; brought back, in %; ftfy {rivals.versions(folder)['ftfy']}")
    print(f"{'':14}{'once':>8}{'ftfy':>8}{'3 times':>10}{'ftfy':>8}")
    lost = 0
    for name, codec in ENCODINGS.items():
        cells = []
        for times in (1, 3):
            twice = [encoded_again(text, reader(codec), times) for _, text in some]
            if wanted.lost:
                twice = [text.replace("\xa0", " ") for text in twice]
            for what, undone in (("utfkit", ours(wanted.program, twice)), ("ftfy", rivals.ftfy(folder, twice))):
                good = [text == back for (_, text), back in zip(some, undone, strict=True)]
                cells.append(100 * sum(good) / len(some))
                if what == "utfkit" and wanted.wrong:
                    for (language, text), before, back in zip(some, twice, undone):
                        if text != back:
                            print(f"{name} x{times} {language}\n  {text!r}\n  {before!r}\n  {back!r}")
        print(f"{name:14}{cells[0]:8.1f}{cells[1]:8.1f}{cells[2]:10.1f}{cells[3]:8.1f}", flush=True)
        lost += sum(cells[at] < cells[at + 1] for at in (0, 2))
    return lost


def clean(folder, wanted, source):
    # Languages with many sentences make up for the rest.
    kept = collections.defaultdict(list)
    for language, text in sentences(folder, CLEAN, source):
        kept[language].append((language, text))
    turns = itertools.zip_longest(*kept.values())
    some = [one for turn in turns for one in turn if one][:CLEAN]
    changed = [(*one, back) for one, back in zip(some, ours(wanted.program, [text for _, text in some])) if one[1] != back]
    for language, text, back in changed:
        print(f"{language}\n  {text!r}\n  {back!r}")
    print(f"{len(changed)} of {len(some)} clean sentences changed")
    return len(changed)


def files(wanted):
    """Prints the changes that a dry run reports."""
    command = [wanted.program, "repair", "--undouble", "--dry-run", *filter(os.path.isdir, FILES)]
    done = subprocess.run(command, capture_output=True, check=False)
    # Other lines report ill-formed sequences.
    lines = [line for line in done.stdout.decode(errors="replace").splitlines() if ": undoubled (" in line]
    print("\n".join(lines))
    names = {line.partition(": byte ")[0].rpartition(":")[0] for line in lines}
    print(f"{len(names)} files changed")
    return 0


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--each", type=int, default=20, help="sentences of a language")
    arguments.add_argument("--program", default=os.path.join(TARGET, "release", "utfkit"))
    arguments.add_argument("--clean", action="store_true")
    arguments.add_argument("--files", action="store_true")
    arguments.add_argument("--lost", action="store_true", help="U+00A0 became a space")
    arguments.add_argument("--wrong", action="store_true")
    wanted = arguments.parse_args()
    folder = Folder(wanted.folder)
    source = random.Random(wanted.seed)
    if wanted.files:
        sys.exit(files(wanted) > 0)
    sys.exit((clean if wanted.clean else rows)(folder, wanted, source) > 0)


if __name__ == "__main__":
    main()
