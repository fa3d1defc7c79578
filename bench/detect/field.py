#!/usr/bin/env python3
"""What utfkit and others make of files of public reports.

    cargo build --release -p utfkit-cli
    python3 bench/detect/field.py FOLDER FILES                 # a line for each file: r(ight), s(afe), w(rong)
    python3 bench/detect/field.py FOLDER FILES --csv           # the answers of each
    python3 bench/detect/field.py FOLDER FILES --program PATH  # this utfkit

FILES is the folder `vectors/field` of the shared data, whose README.md names the reports and what is
right; FOLDER is the one of judge.py. Columns: `detect` and `fix --yes --trust likely`, each file in a
folder of its own; the detectors of rivals.py; enca, with its language if it has it; and
ftfy.fix_encoding where a file is UTF-8. The verdicts are those of mixed.py, by one rule for all.
"""

import argparse
import csv
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile

import rivals
from judge import TARGET, readings
from mixed import BYTES, PARTLY, Mixed, cut, detected, exact, ftfys, other, run, verdict, written
from sources import Folder

# Files in one encoding, and labels that have to follow.
ENCODED = {
    "windows-1251": "01-bg-cp1251.txt 02-ru-cp1251-caps.txt 02-ru-cp1251.txt",
    "windows-1252": "01-fr-cp1252.txt 06-fr-latin1.m3u 28-short-0.txt 28-short-1.txt 28-short-2.txt 28-short-3.txt 28-short-4.txt"
    " 28-short-5.txt 28-short-6.txt 29-eau.txt 40-latin1.csv 21-ansi.ged 22-latin1.po 24-doc.tex stranger/emacs-iso-latin-1.txt"
    " stranger/reduced-README stranger/reduced-it.tab 41-line3.txt",
    "windows-1254": "03-tr-cp1254.srt", "windows-1256": "04-ar-cp1256.srt", "windows-1250": "05-pl-cp1250.txt 05-sk-cp1250.txt 36-decl-wrong.html",
    "gb18030": "07-zh-gbk.cue 07-zh-hans-gbk.cue 27-gb2312.h 27-gbk4.txt 37-gb2312-gbk.eml", "cp932": "08-ja-halfkana.csv 08-ja-sjis.cue",
    "utf-16-be": "10-u16be-nobom.txt", "utf-16-le": "10-u16le-nobom-short.txt 10-u16le-nobom-zh.txt 10-u16le-nobom.csv 11-u16le-bom.tsv 15-requirements.txt",
    "cp850": "25-de-cp850.bat 49-ctrlz.txt", "cp866": "25-ru-cp866.bat", "mac-roman": "26-pt-mac.csv", "big5": "27-big5-short.txt 27-big5.txt",
    "euc-kr": "27-euckr.c 27-euckr.txt stranger/declared-euckr.html stranger/reduced-index.html", "hz": "34-hz.txt", "iso-2022-jp": "34-iso2022jp.eml",
    "iso-2022-kr": "34-iso2022kr.txt", "tis-620": "35-th-tis620.srt", "cp1258": "46-vi-cp1258.txt",
    "utf-8": "09-No.txt 09-degC.txt 09-ellipsis.sh 09-foo.txt 09-hour.txt 09-one-e.cue 09-sect.txt 09-test-ru.txt 10-bush.txt 25-ja-utf8.bat"
    " 22-decl8859-2-isutf8.po 23-decl16.xml 23-decl16-ascii.xml 31-boundary.txt 37-8859-2-utf8.eml 37-usascii-utf8.eml 44-fffd.json 46-vi.txt",
}  # fmt: skip
LABELS = {
    "21-ansi.ged": ("CHAR ANSI", "CHAR UTF-8"), "22-decl8859-2-isutf8.po": ("charset=ISO-8859-2", "charset=UTF-8"), "22-latin1.po": ("charset=ISO-8859-1", "charset=UTF-8"),
    "23-decl16-ascii.xml": ('"utf-16"', '"UTF-8"'), "23-decl16.xml": ('"utf-16"', '"UTF-8"'), "24-doc.tex": ("[latin1]", "[utf8]"), "36-decl-wrong.html": ("iso-8859-2", "utf-8"),
    "37-8859-2-utf8.eml": ("iso-8859-2", "UTF-8"), "37-gb2312-gbk.eml": ("gb2312", "UTF-8"), "37-usascii-utf8.eml": ("us-ascii", "UTF-8"),
    "stranger/declared-euckr.html": ("EUC-KR", "UTF-8"), "stranger/reduced-index.html": ("EUC-KR", "UTF-8"), "stranger/emacs-iso-latin-1.txt": ("iso-latin-1", "utf-8"),
}  # fmt: skip
# Text encoded twice: read in this encoding (twice, three times), then saved as UTF-8.
TWICE = {
    "17-aa-start.txt": "cp1252", "17-cp437-names.txt": "cp437", "17-emoji-1254.txt": "cp1254", "17-gbk.cfg": "gbk", "17-hebrew-1255.csv": "cp1255", "17-istanbul.txt": "cp1252",
    "17-koenig-mac.txt": "mac-roman", "17-koi8r.txt": "koi8-r", "17-riga.txt": "cp1252", "17-sjis.bat": "cp932",
}  # fmt: skip
WRONG_PAGE = {"42-mac-1252.txt": ("cp1252", "mac-roman"), "42-tags.txt": ("latin-1", "cp1251")}
# Their readers want the encoding, or nothing can be mended: to be left as they are.
LEFT = "25-de-cp850.bat 25-ru-cp866.bat 25-ja-utf8.bat 44-fffd.json 48-nul.csv 21-ansel.ged stranger/binary-as-utf16le.bin stranger/raw-audio-u8.raw".split()
ENCA = {
    "bg": "bulgarian",
    "ru": "russian",
    "pl": "polish",
    "sk": "slovak",
    "zh": "chinese",
    "big5": "chinese",
    "gb": "chinese",
    "hz": "chinese",
    "ansel": "czech",
    "split": "czech",
    "1250": "czech",
}


def _lines(data, encodings):
    """The text of a file whose lines are in several encodings."""
    return "".join(line.decode(encodings.get(n, "utf-8")) for n, line in enumerate(data.splitlines(keepends=True), 1))


def _doubled(text, codec="cp1252"):
    """A text with each of its runs that was encoded twice undone."""

    def undone(match):
        try:
            return b"".join(c.encode(codec) if c.encode(codec, "ignore") else c.encode("latin-1") for c in match[0]).decode()
        except UnicodeError:
            return match[0]

    return re.sub("[^\\x00-\\x7f]+", undone, text)


# Files of several pieces: their text after it, what `detect` may say, and how texts are compared.
PIECES = {
    "12-log-u16be.log": lambda data: (data.replace(b"\0", b"").decode(), BYTES, exact),
    "12-ps-append.gitignore": lambda data: (data.replace(b"\0", b"").decode(), BYTES, exact),
    "12-ps-append2.txt": lambda data: (data[:6].decode() + data[6:].decode("utf-16-le"), BYTES, exact),
    "13-mostly-utf8.csv": lambda data: (_lines(data, {n: "latin-1" for n, line in enumerate(data.splitlines(), 1) if b"\xe9" in line}), PARTLY, exact),
    "13-so-10009753.txt": lambda data: (_lines(data, {2: "cp1252"}), PARTLY, exact),
    "14-cat-boms.csv": lambda data: (data.decode().replace("\ufeff", ""), BYTES, exact),
    "17-draber.txt": lambda data: (_doubled(data.decode()), PARTLY, exact),
    "17-triple.txt": lambda data: (functools.reduce(lambda text, _: _doubled(text), range(3), data.decode()), PARTLY, exact),
    "18-c1.txt": lambda data: (re.sub("[\x80-\x9f]", lambda match: match[0].encode("latin-1").decode("cp1252"), data.decode()), PARTLY, exact),
    "19-dump.sql": lambda data: (_doubled(data.decode()), PARTLY, exact),
    "20-split.ged": lambda data: (data.decode(errors="ignore"), PARTLY, cut),
    "32-cesu8.csv": lambda data: (data.decode("utf-8", "surrogatepass").encode("utf-16", "surrogatepass").decode("utf-16"), ("CESU-8", *PARTLY), exact),
    "33-cut-field.csv": lambda data: (data.decode(errors="ignore"), PARTLY, cut),
    "33-trunc.csv": lambda data: (data.decode(errors="ignore"), PARTLY, cut),
    "38-mixed.diff": lambda data: (_lines(data, {n: "latin-1" for n, line in enumerate(data.splitlines(), 1) if b"\xeb" in line and b"\xc3" not in line}), PARTLY, exact),
    "42-tags-mixed.txt": lambda data: (data.decode().splitlines(keepends=True)[0].encode("latin-1").decode("cp1251") + "02 Summer\n", PARTLY, exact),
    "47-lossy.txt": lambda data: (data.decode().replace("â€œ", "“"), PARTLY, exact),
    "50-mixed-1250.txt": lambda data: (_lines(data, {2: "cp1250"}), PARTLY, exact),
    "51-doublebom.txt": lambda data: (data.decode().replace("\ufeff", ""), PARTLY, exact),
    "51-mojibom.csv": lambda data: (data.decode().removeprefix("ï»¿"), PARTLY, exact),
}  # fmt: skip


def _made():
    """Rows of README.md without a file."""
    log = "".join(f"\x1b[32mOK\x1b[0m Größe {n} geändert für Bücher\n" for n in range(10))
    yield (
        "made/52-cat-after-utf16.txt",
        b"\xff\xfe" + "Zeile eins: größer\r\nline two\r\n".encode("utf-16-le") + b"line three in ascii\n",
        "Zeile eins: größer\r\nline two\r\nline three in ascii\n",
        ("mixed",),
    )
    yield "made/54-log-cp1252.log", log.encode("cp1252"), log, ()
    for n, text in enumerate(["We don´t know", "L´arbre n´est pas là", "Acme® makes it", "a room of 25 m²", "some\xa0text"]):
        yield f"made/56-{n}.txt", text.encode("cp1252"), text, ()


def cases(place):
    """The files, with what is right of each; sorted by name."""
    encodings = {name: encoding for encoding, names in ENCODED.items() for name in names.split()}
    paths = [os.path.relpath(os.path.join(top, name), place) for top, _, names in os.walk(place) for name in names]
    for path in sorted(paths):
        if path.endswith(".md") or path.startswith("16/"):
            continue
        with open(os.path.join(place, path), "rb") as file:
            data = file.read()
        texts, said, loose = [], (), exact
        if path in encodings:
            texts = sorted(readings(data, encodings[path]))
            if path in LABELS:
                texts = [re.sub(re.escape(LABELS[path][0]), LABELS[path][1], text) for text in texts]
                said = SAID.get(encodings[path], (encodings[path],))
                loose = str.lower
        elif path in TWICE:
            texts, said = [_doubled(data.decode(), TWICE[path])], ("UTF-8",)
        elif path in WRONG_PAGE:
            read, is_ = WRONG_PAGE[path]
            texts, said = [data.decode().encode(read).decode(is_)], ("UTF-8",)
        elif path in PIECES:
            text, said, loose = PIECES[path](data)
            # A character that a break parted may be whole before it.
            whole = re.sub(rb"([\xc2-\xdf])(\n\d CONC )([\x80-\xbf])", rb"\1\3\2", data)
            texts = [text] if whole == data else [text, whole.decode(errors="ignore")]
        elif path in LEFT:
            # Text in no encoding, or none at all.
            said = BYTES
        else:
            print(f"{path}: what is right of it is not in this script", file=sys.stderr)
            continue
        yield Mixed(path, path, data, texts, said, loose)
    for path, data, text, said in _made():
        yield Mixed(path, path, data, [text], said, exact)


# The names of utfkit for encodings of files with a label.
SAID = {
    "windows-1252": ("windows-1252", "ISO-8859-1"), "gb18030": ("GBK", "GB18030"), "euc-kr": ("EUC-KR", "windows-949"),
    "utf-8": BYTES,
}  # fmt: skip


def _left(case, after):
    """The verdict of a file that is to be left as it is, if it may be."""
    if case.name in LEFT:
        return "right" if after == case.data else "wrong"
    return verdict(case, after)


def _enca(paths, found):
    if shutil.which("enca") is None:
        return [None] * len(paths)
    answers = []
    for path, case in zip(paths, found):
        language = next((name for part, name in ENCA.items() if re.search(rf"\b{part}", case.name.replace("-", " "))), "none")
        done = subprocess.run(["enca", "-L", language, "-m", path], capture_output=True, text=True, check=False)
        answers.append(done.stdout.strip() or "unknown")
    return answers


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder")
    arguments.add_argument("files")
    arguments.add_argument("--program", default=os.path.join(TARGET, "release", "utfkit"))
    arguments.add_argument("--csv", action="store_true")
    wanted = arguments.parse_args()
    folder = Folder(wanted.folder)
    os.environ["LC_ALL"] = "C.UTF-8"
    found = list(cases(wanted.files))
    columns = {}
    with tempfile.TemporaryDirectory(prefix="field") as scratch:
        paths = written(found, scratch + "/detect", named=True)
        said = run(wanted.program, paths)
        answers = [said.get(path, {"encoding": None, "certainty": None}) for path in paths]
        columns["detect"] = [
            (f"{answer['encoding']} ({answer['certainty']})", detected(case, answer)) for case, answer in zip(found, answers)
        ]
        fixed = written(found, scratch + "/fix", named=True)
        plan = run(wanted.program, fixed, "likely")
        columns["fix"] = []
        for case, path in zip(found, fixed):
            with open(path, "rb") as file:
                after = file.read()
            line = plan.get(path, {})
            columns["fix"].append((", ".join(line.get("actions", [])) or (line.get("left_alone") or "nothing").replace(path, case.name), _left(case, after)))
        others = rivals.say(folder, [(path, case.data) for path, case in zip(paths, found)])
        for name in rivals.DETECTORS:
            columns[name] = [(says[name], other(case, says[name])) for case, says in zip(found, others)]
        columns["enca"] = [(name, other(case, name)) for case, name in zip(found, _enca(paths, found))]
        columns["ftfy"] = [("", word) for word in ftfys(folder, found)]
    if wanted.csv:
        out = csv.writer(sys.stdout, lineterminator="\n")
        out.writerow(["file", *(part for name in columns for part in (name, "verdict"))])
        for n, case in enumerate(found):
            out.writerow([case.name, *(part for cells in columns.values() for part in cells[n])])
        return
    print(rivals.named(folder))
    if shutil.which("enca") is None:
        print("enca is not installed: its column is empty")
    print(f"{'':32}", " ".join(columns))
    for n, case in enumerate(found):
        marks = " ".join(f"{cells[n][1][0]:^{len(name)}}" for name, cells in columns.items())
        print(f"{case.name:32} {marks}   {columns['detect'][n][0]}; {columns['fix'][n][0][:90]}")
    for word in ("right", "safe", "wrong"):
        print(f"{word:32}", " ".join(f"{sum(cell[1] == word for cell in cells):^{len(name)}}" for name, cells in columns.items()))
    sys.exit(any(cell[1] == "wrong" for name in ("detect", "fix") for cell in columns[name]))


if __name__ == "__main__":
    main()
