#!/usr/bin/env python3
"""Fixes files as people have them: mixed, cut, joined, of one line, encoded twice.

    cargo build --release -p utfkit-cli
    python3 bench/detect/mixed.py FOLDER                  # 2,000 files, a row for each kind
    python3 bench/detect/mixed.py FOLDER --seed 2         # other files
    python3 bench/detect/mixed.py FOLDER --wrong          # each file that utfkit makes worse or misjudges
    python3 bench/detect/mixed.py FOLDER --program PATH   # this utfkit
    python3 bench/detect/mixed.py FOLDER --rivals         # the other detectors, and ftfy where the text is UTF-8
    python3 bench/detect/mixed.py FOLDER --keep DIR       # keeps the files in DIR, with a list of what is right

Makes files of the texts of judge.py by a seed, and runs `utfkit detect`, `fix --yes` and `fix --yes
--trust likely` on each, in a folder of its own. A file counts as "right" if it becomes the text that it
was made of; as "safe" if nothing was changed, or only pieces were and each of them rightly;
and else as "wrong". A character that was cut may become U+FFFD, nothing, or whole. An answer of `detect` is
right if it names the encoding of all of the text, or UTF-8 for a file that is UTF-8 apart from pieces; safe
if it names none; and else wrong.
"""

import argparse
import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unicodedata

import rivals
from judge import CUSTOMARY, TARGET, WORDS, calibration, known, lossless, readings
from sources import Folder
from undouble import ENCODINGS, encoded_again, reader

# data: the file. texts: what it may become. said: encodings that are right for `detect`; empty for all that
# decode to one of the texts. `loose` strips what may be lost.
Mixed = collections.namedtuple("Mixed", "kind name data texts said loose")

STATEFUL = ("iso-2022-jp", "iso-2022-kr", "hz", "ibm500", "ibm037", "ibm1047")
DOUBLED = ("windows-1250", "windows-1251", "windows-1252", "windows-1252", "windows-1252", "ISO-8859-1", "macintosh", "IBM437", "IBM850")
SYMBOLS = "’–®²§éµ·°«»€£½´©…”“×ÄñçÜ\xa0"
PARTLY = ("UTF-8", "mixed")
BYTES = ("US-ASCII", "UTF-8", "mixed")


def exact(text):
    return known(text)


def cut(text):
    return known(text).replace("\ufffd", "")


def marked(text):
    return text.replace("\ufeff", "")


class Texts:
    """Lines of running text in each language."""

    def __init__(self, folder):
        self.lines = collections.defaultdict(list)
        self.words = collections.defaultdict(list)
        for kind, language, text in folder.texts():
            text = re.sub(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff\ufffd]", "", unicodedata.normalize("NFC", text))
            lines = [line.strip() for line in text.split("\n")]
            if kind != "dictionaries":
                self.lines[language] += [line for line in lines if 20 <= len(line) <= 200]
            elif language not in self.lines:
                self.words[language] = lines
        for language, words in self.words.items():
            if not self.lines[language]:
                self.lines[language] = [" ".join(words[at : at + 7]) for at in range(0, len(words) - 7, 7)]
        # Some pages of the manuals have text encoded twice in them.
        for language, lines in list(self.lines.items()):
            self.lines[language] = [line for line in dict.fromkeys(lines) if not re.search("[ÂÃÅÐ][\x80-\xbf]", line)]
        vim = folder.packages(["vim-runtime"])["vim-runtime"]
        english = []
        for name in ("usr_02", "usr_08", "usr_25", "usr_41", "pattern", "change"):
            with open(f"{vim}/usr/share/vim/vim90/doc/{name}.txt", encoding="utf-8") as file:
                english += re.findall(r"(?<=[.] )[A-Z][a-z][A-Za-z ,]{20,90}[.]", re.sub(r"\s+", " ", file.read()))
        self.lines["en"] = english
        self.languages = sorted(name for name, lines in self.lines.items() if name in CUSTOMARY and sum(map(_foreign, lines)) > 100)

    def some(self, source, language, count, foreign=True):
        """`count` lines, most of them with a letter that is not in US-ASCII if `foreign`."""
        lines = self.lines[language]
        start = source.randrange(max(1, len(lines) - 4 * count))
        found = [line for line in lines[start : start + 8 * count] if not foreign or _foreign(line)][:count]
        return found if len(found) == count else source.sample([line for line in lines if _foreign(line)] or lines, count)


def _foreign(text):
    return any(c.isalpha() and c > "\x7f" for c in text)


def _encoding(source, language):
    """A customary encoding of the language, the first of the list more often."""
    names = [name for name in CUSTOMARY[language] if name not in STATEFUL]
    return source.choice(names + names[:1])


def _pick(texts, source):
    """A language and one of its encodings; languages with several bytes a character more often."""
    language = source.choice([*texts.languages, "ja", "ko", "zh_cn", "zh_tw", "ru", "pl", "fr", "de"])
    return language, _encoding(source, language)


def _old(line, encoding):
    plain, data = lossless(line, encoding)
    return (plain, data) if data is not None and not data.isascii() else (None, None)


def _mixed(texts, source, kind):
    language, encoding = _pick(texts, source)
    count = {"one line": source.choice([5, 12, 40, 150]), "one word": source.choice([4, 10, 30]), "a tenth": 50, "half": 30}[kind]
    lines = texts.some(source, language, count)
    data = [line.encode() for line in lines]
    if kind == "one word":
        at = source.randrange(count)
        words = [match for match in re.finditer(r"[^\W\d_]{3,}", lines[at]) if _foreign(match[0])]
        if not words:
            return None
        word = source.choice(words)
        plain, old = _old(word[0], encoding)
        if old is None or plain != word[0]:
            return None
        data[at] = lines[at][: word.start()].encode() + old + lines[at][word.end() :].encode()
    else:
        chosen = {"one line": lambda: [source.randrange(count)], "a tenth": lambda: source.sample(range(count), 5),
                  "half": lambda: range(count // 2) if source.random() < 0.5 else source.sample(range(count), count // 2)}[kind]()  # fmt: skip
        for at in chosen:
            plain, old = _old(lines[at], encoding)
            if old is None:
                return None
            lines[at], data[at] = plain, old
    return f"{language}-{encoding}", b"\n".join(data) + b"\n", ["\n".join(lines) + "\n"], PARTLY, exact


def _cut(texts, source, kind):
    language = source.choice(texts.languages)
    count = source.choice([1, 3, 8, 30])
    lines = texts.some(source, language, count)
    if source.random() < 0.15:
        lines = [line + " 😀" for line in lines]
    at = source.randrange(count)
    data = [line.encode() for line in lines]
    places = [place for place in range(3, len(data[at])) if data[at][place] & 0xC0 == 0x80]
    if kind == "field" or not places:
        places = places or [0]
    place = source.choice(places)
    if not place:
        return None
    line = data[at]
    name = f"{language}-{count}-{at}"
    if kind == "field":
        # A field of so many bytes.
        head = line[:place]
        before, after = source.choice([(b"", b',"5"'), (b'"', b'",x'), (b"<td>", b"</td>"), (b"", b"")])
        data[at] = before + head + after
        lines[at] = data[at].decode(errors="ignore")
    elif kind == "line":
        between = source.choice([b"\n", b"\n ", b"\n2 CONC ", b"\r\n "])
        data[at] = line[:place] + between + line[place:]
        whole = "\n".join(lines[:at] + ["\0"] + lines[at + 1 :]) + "\n"
        lead = max(i for i in range(place) if line[i] & 0xC0 != 0x80)
        tail = next((i for i in range(place, len(line)) if line[i] & 0xC0 != 0x80), len(line))
        middle = between.decode()
        joined = [line[:tail].decode() + middle + line[tail:].decode(), line[:lead].decode() + middle + line[lead:].decode()]
        lost = line[:lead].decode() + middle + line[tail:].decode()
        return name, b"\n".join(data) + b"\n", [whole.replace("\0", one) for one in (*joined, lost)], PARTLY, cut
    else:
        start, end = source.choice([(True, False), (False, True), (True, True)])
        whole = b"\n".join(data)
        inner = [place for place in range(len(whole)) if whole[place] & 0xC0 == 0x80]
        first = source.choice(inner[: max(1, len(inner) // 4)]) if start else 0
        last = source.choice(inner[-max(1, len(inner) // 4) :]) if end else len(whole)
        if last - first < 20:
            return None
        whole = whole[first:last]
        return name, whole, [whole.decode(errors="ignore")], PARTLY, cut
    return name, b"\n".join(data) + b"\n", ["\n".join(lines) + "\n"], PARTLY, cut


def _joined(texts, source, kind):
    language = source.choice(texts.languages)
    ascii_ = source.random() < 0.5
    first = texts.some(source, "en" if ascii_ else language, source.choice([1, 3, 20]), not ascii_)
    second = texts.some(source, source.choice([language, "en"]), source.choice([1, 2, 10]), False)
    if source.random() < 0.4:
        # Names, as in a .gitignore.
        first, second = ([re.sub(r"\W+", "_", line)[: source.choice([5, 12])] + "/" for line in lines] for lines in (first, second))
    units, mark = source.choice([("utf-16-le", b"\xff\xfe"), ("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff")])
    end = source.choice(["\n", "\r\n"])
    one, two = (end.join(lines) + end for lines in (first, second))
    if kind == "UTF-16 after bytes":
        data = one.encode() + (mark if source.random() < 0.3 else b"") + two.encode(units)
        said = BYTES
    elif kind == "bytes after UTF-16":
        data = mark + one.encode(units) + two.encode()
        said = ("mixed",)
    else:
        bom = "\ufeff".encode()
        data = bom * source.choice([1, 2]) + one.encode() + bom + two.encode() + (bom + one.encode() if source.random() < 0.5 else b"")
        return f"{language}-boms", data, [data.decode().replace("\ufeff", "")], BYTES, marked
    return f"{language}-{units}", data, [one + two], said, marked


def _container(source, kind, rows):
    """One line with the rows in it."""
    rows = [row.replace("'", "’").replace('"', "”").replace("\\", "/").replace("<", "(").replace(">", ")") for row in rows]
    if kind == "SQL":
        return rows, lambda rows: "INSERT INTO `t` VALUES " + ",".join(f"({n},'{row}',{n * 7})" for n, row in enumerate(rows)) + ";\n"
    if kind == "JSON":
        return rows, lambda rows: '{"rows":[' + ",".join(f'{{"id":{n},"text":"{row}"}}' for n, row in enumerate(rows)) + "]}\n"
    if kind == "HTML":
        return rows, lambda rows: "<!DOCTYPE html><ul>" + "".join(f"<li>{row}</li>" for row in rows) + "</ul>\n"
    return rows, lambda rows: "\n".join(rows) + "\n"


def _doubled(texts, source, kind):
    form, share = kind.split(", ")
    language = source.choice([*texts.languages, "fr", "de", "es", "pt-br", "ru"])
    count = source.choice([1, 6, 20, 120] if share == "all" else [6, 20, 120])
    pool = texts.some(source, language, min(count, source.choice([3, 200])))
    rows, build = _container(source, form, [source.choice(pool) if count > len(pool) else pool[n] for n in range(count)])
    name = source.choice(DOUBLED)
    characters = reader(ENCODINGS[name])
    chosen = range(count) if share == "all" else source.sample(range(count), max(1, count // source.choice([2, 4])))
    twice = [encoded_again(row, characters, 1) if n in chosen else row for n, row in enumerate(rows)]
    return f"{language}-{name}-{count}", build(twice).encode(), [build(rows)], ("UTF-8",), exact


WRONG_PAGE = [
    ("ru", "windows-1251", "latin-1"), ("ru", "windows-1251", "cp1252"), ("ru", "koi8-r", "cp1251"), ("bg", "windows-1251", "latin-1"),
    ("uk", "windows-1251", "cp1252"), ("el", "windows-1253", "cp1252"), ("el", "iso-8859-7", "latin-1"), ("pl", "windows-1250", "cp1252"),
    ("cs", "windows-1250", "latin-1"), ("hu", "iso-8859-2", "latin-1"), ("fr", "macintosh", "cp1252"), ("de", "ibm850", "cp1252"),
    ("es", "macintosh", "latin-1"), ("tr", "windows-1254", "cp1252"), ("he", "windows-1255", "latin-1"), ("ja", "shift_jis", "cp1252"),
    ("ko", "euc-kr", "latin-1"), ("zh_cn", "gb18030", "latin-1"), ("zh_cn", "utf-8", "gbk"), ("ja", "utf-8", "cp932"), ("de", "utf-8", "gbk"),
]  # fmt: skip


def _wrong_page(texts, source, kind):
    language, is_, read = source.choice(WRONG_PAGE)
    lines = texts.some(source, language, source.choice([1, 4, 20]))
    text = "\n".join(lines) + "\n"
    if kind == "C1 controls":
        language, is_, read = "en", "windows-1252", "latin-1"
        lines = [
            re.sub(r" (\w+) ", source.choice([r" “\1” ", r" – \1’s ", r" ‘\1’ "]), line, count=1)
            for line in texts.some(source, "en", 5, False)
        ]
        text = "\n".join(lines) + "\n"
    plain, data = lossless(text, is_)
    if data is None:
        return None
    try:
        wrong = data.decode(read)
    except UnicodeDecodeError:
        return None
    return f"{language}-{is_}-{read}", wrong.encode(), [plain], ("UTF-8",), exact


def _escapes(texts, source, kind):
    language, encoding = _pick(texts, source)
    encoding = source.choice([encoding, "utf-8"])
    lines = texts.some(source, language, source.choice([3, 12, 60]))
    every = source.choice([1, 1, 3])
    for n, line in enumerate(lines):
        if n % every == 0:
            colour = source.choice(["\x1b[32m", "\x1b[1;31m", "\x1b[0;33m"])
            lines[n] = source.choice(
                [f"{colour}[OK]\x1b[0m {line}", f"12:0{n % 10}:31 {colour}{line}\x1b[0m", f"{colour}WARN\x1b[0m {line}\x1b[K"]
            )
    plain, data = lossless("\n".join(lines) + "\n", encoding)
    return data and (f"{language}-{encoding}-{every}", data, [plain], (), exact)


HALF = {unicodedata.normalize("NFKC", chr(c)): chr(c) for c in range(0xFF61, 0xFFA0)}
HALF.update({"ガギグゲゴザジズゼゾダヂヅデドバビブベボ"[n]: HALF["カキクケコサシスセソタチツテトハヒフヘホ"[n]] + "ﾞ" for n in range(20)})
HALF.update({"パピプペポ"[n]: HALF["ハヒフヘホ"[n]] + "ﾟ" for n in range(5)})


def _katakana(texts, source, kind):
    words = re.findall(r"[ァ-ヶー]{3,}", " ".join(source.sample(texts.lines["ja"], 400)))
    kanji = re.findall(r"[一-龠]{2,4}", " ".join(source.sample(texts.lines["ja"], 400)))
    half = ["".join(HALF.get(c, c) for c in word) for word in words]
    mixed = source.random() < 0.4
    rows = [
        ",".join([source.choice(half), source.choice(half)] + [source.choice(kanji)] * mixed + [str(source.randrange(9999))])
        for _ in range(source.choice([1, 4, 30]))
    ]
    text = "\n".join(rows) + "\n"
    encoding = source.choice(["cp932", "cp932", "euc-jp"])
    return f"{encoding}-{len(rows)}-{mixed}", text.encode(encoding), [text], (), exact


def _symbol(texts, source, kind):
    lines = texts.some(source, "en", source.choice([1, 1, 3, 20]), False)
    symbol = source.choice(SYMBOLS)
    at = source.randrange(len(lines))
    words = lines[at].split(" ")
    place = source.randrange(len(words) - 1)
    word, number = words[place], str(source.randrange(2, 90))
    words[place] = {
        "’": word.rstrip(",") + "’s", "´": word.rstrip(",") + "´s", "–": word + " –", "®": word + "®", "©": "© " + number, "²": number + " m²", "§": "§ " + number,
        "é": source.choice(["café", "Café", "résumé", "exposé", "André"]), "µ": number + " µm", "·": word + " ·", "°": number + " °C", "«": "«" + word + "»",
        "»": "» " + word, "€": "€" + number, "£": "£" + number, "½": number + "½", "…": word + "…", "”": "“" + word + "”", "“": "“" + word + "”", "×": number + " × 3",
        "Ä": "Ärger", "ñ": "señor", "ç": "façade", "Ü": "Übung", "\xa0": word + "\xa0" + number,
    }[symbol]  # fmt: skip
    lines[at] = " ".join(words)
    text = "\n".join(lines) + "\n"
    return f"{ascii(symbol)}-{len(lines)}", text.encode("cp1252"), [text], (), exact


def _clean(texts, source, kind):
    language, encoding = _pick(texts, source)
    if kind == "clean, UTF-8":
        encoding = source.choice(["utf-8"] * 4 + ["utf-8-sig"])
    elif kind == "clean, UTF-16":
        encoding = "utf-16"
    lines = texts.some(source, language, source.choice([2, 6, 30, 100]))
    if kind == "clean, UTF-8":
        if source.random() < 0.3:
            lines = [line.upper() for line in lines]
        rows, build = _container(source, source.choice(["SQL", "JSON", "HTML", "lines", "lines", "lines"]), lines)
        text = build(rows)
        return f"{language}-{encoding}", text.encode(encoding), [text], (), marked
    plain, data = lossless("\n".join(lines) + "\n", encoding)
    return data and (f"{language}-{encoding}-{len(lines)}", data, [plain], (), exact)


KINDS = [
    ("one line", 200, _mixed), ("one word", 160, _mixed), ("a tenth", 160, _mixed), ("half", 160, _mixed),
    ("field", 80, _cut), ("line", 80, _cut), ("buffer", 80, _cut),
    ("UTF-16 after bytes", 60, _joined), ("bytes after UTF-16", 60, _joined), ("BOMs inside", 40, _joined),
    *((f"{form}, {share}", 30, _doubled) for form in ("SQL", "JSON", "HTML", "lines") for share in ("all", "some rows")),
    ("wrong page", 120, _wrong_page), ("C1 controls", 30, _wrong_page), ("escapes", 80, _escapes), ("katakana", 40, _katakana),
    ("a lone symbol", 130, _symbol), ("clean, UTF-8", 160, _clean), ("clean, old", 100, _clean), ("clean, UTF-16", 20, _clean),
]  # fmt: skip


def made(folder, seed):
    """The files of all kinds."""
    texts = Texts(folder)
    for kind, count, maker in KINDS:
        source = random.Random(f"{seed} {kind}")
        number, seen = 0, set()
        while number < count:
            found = maker(texts, source, kind)
            if found and found[1] not in seen:
                seen.add(found[1])
                number += 1
                yield Mixed(kind, f"{number}-{found[0]}", *found[1:])


DELIMITERS = re.compile(rb"([\"'<>(),\n\r ]+)")


def verdict(case, after):
    """right, safe or wrong: the file after it."""
    try:
        text = case.loose(after.decode())
    except UnicodeDecodeError:
        text = None
    wanted = [case.loose(text) for text in case.texts]
    if text in wanted:
        return "right"
    if after == case.data:
        return "safe"
    return "safe" if any(bad is None for bad in _wrong_tokens(case, after)) else "wrong"


def _wrong_tokens(case, after):
    """For each right text, the first token that is neither as it was nor right, if any."""
    before, now = DELIMITERS.split(case.data), DELIMITERS.split(after)
    for one in case.texts:
        goal = DELIMITERS.split(one.encode())
        if len(before) == len(now) == len(goal):
            yield next(((a, g) for b, a, g in zip(before, now, goal) if b != a and _loosely(case, a) != _loosely(case, g)), None)


def _loosely(case, data):
    return case.loose(data.decode(errors="backslashreplace"))


def detected(case, answer):
    """right, safe or wrong: an object of `detect --format jsonl`."""
    name = "mixed" if answer.get("pieces") and answer["encoding"] is None else answer["encoding"]
    if name is None:
        return "safe"
    if case.said:
        return "right" if name.lower() in map(str.lower, case.said) else "wrong"
    return "right" if _reads(case, name) else "wrong"


def _reads(case, name):
    return bool({case.loose(text) for text in readings(case.data, name)} & {case.loose(known(text)) for text in case.texts})


def run(program, case_paths, trust=None):
    """The answers of `detect`, or the plan of `fix --yes`, by path."""
    command = [program, "detect"] if trust is None else [program, "fix", "--yes", "--no-log", "--trust", trust]
    done = subprocess.run(
        [*command, "--format", "jsonl", "--files0-from", "-"],
        input="\0".join(case_paths) + "\0", capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode > 2:
        raise SystemExit(done.stderr[:2000])
    return {line["path"]: line for line in map(json.loads, done.stdout.splitlines()) if "path" in line}


def written(cases, top, named=False):
    """Writes each file to a folder of its own, so that none is evidence about another."""
    paths = []
    for number, case in enumerate(cases):
        os.makedirs(f"{top}/{number:04}")
        paths.append(f"{top}/{number:04}/{os.path.basename(case.name) if named else 'file'}")
        with open(paths[-1], "wb") as out:
            out.write(case.data)
    return paths


def print_rows(cases, columns):
    """A row for each kind: right, safe, wrong of each column."""
    width = max(len(kind) for kind, _, _ in KINDS)
    print(" " * width, f"{'files':>6}", "".join(f"{name:>20}" for name in columns))
    for kind in [*(kind for kind, _, _ in KINDS), "sum"]:
        some = [n for n, case in enumerate(cases) if kind in (case.kind, "sum")]
        cells = []
        for verdicts in columns.values():
            counts = collections.Counter(verdicts[n] for n in some)
            cells.append(
                "/".join(str(counts[word]) for word in ("right", "safe", "wrong"))
                if sum(counts[w] for w in ("right", "safe", "wrong"))
                else "–"
            )
        print(f"{kind:{width}} {len(some):>6}", "".join(f"{cell:>20}" for cell in cells))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--program", default=os.path.join(TARGET, "release", "utfkit"))
    arguments.add_argument("--wrong", action="store_true", help="list the files that utfkit makes worse or misjudges")
    arguments.add_argument("--rivals", action="store_true", help="what the other detectors say of them")
    arguments.add_argument("--keep", help="keep the files in this folder")
    wanted = arguments.parse_args()
    folder = Folder(wanted.folder)
    os.environ["LC_ALL"] = "C.UTF-8"
    cases = list(made(folder, wanted.seed))
    columns, notes, failures = {}, collections.defaultdict(list), 0
    with tempfile.TemporaryDirectory(prefix="mixed", dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as scratch:
        paths = written(cases, scratch + "/detect")
        said = run(wanted.program, paths)
        answers = [said[path] for path in paths]
        columns["detect"] = [detected(case, answer) for case, answer in zip(cases, answers)]
        for n, answer in enumerate(answers):
            notes[n].append(f"detect: {answer['encoding']} ({answer['certainty']})")
        sure = [n for n, answer in enumerate(answers) if columns["detect"][n] == "wrong" and answer["certainty"] != WORDS[-1]]
        for trust in ("likely", "nearly-certain"):
            fixed = written(cases, f"{scratch}/{trust}")
            plan = run(wanted.program, fixed, trust)
            columns[f"fix {trust}"] = []
            for n, (case, path) in enumerate(zip(cases, fixed)):
                with open(path, "rb") as file:
                    after = file.read()
                columns[f"fix {trust}"].append(verdict(case, after))
                line = plan.get(path, {})
                notes[n].append(
                    f"fix {trust}: {line.get('encoding')} ({line.get('certainty')}), {columns[f'fix {trust}'][-1]}: {_change(case, after)}"
                )
        if wanted.rivals:
            print(rivals.named(folder))
            others = rivals.say(folder, [(path, case.data) for path, case in zip(paths, cases)])
            for name in rivals.DETECTORS:
                columns[name] = [other(case, says[name]) for case, says in zip(cases, others)]
            columns["ftfy"] = ftfys(folder, cases)
    if wanted.keep:
        paths = written(cases, wanted.keep)
        with open(wanted.keep + "/list.tsv", "w") as out:
            out.writelines(f"{path}\t{case.kind}\t{case.name}\n" for path, case in zip(paths, cases))
    print("right/safe/wrong")
    print_rows(cases, columns)
    for name in ("fix likely", "fix nearly-certain"):
        counts = collections.Counter(columns[name])
        failures += counts["wrong"]
        print(f"{name}: right {100 * counts['right'] / len(cases):.1f} %, right or safe {100 - 100 * counts['wrong'] / len(cases):.2f} %")
    print(
        f"detect: wrong at likely and above: {len(sure)}; said of wrong ones:",
        dict(collections.Counter(answers[n]["certainty"] for n in range(len(cases)) if columns["detect"][n] == "wrong")),
    )
    calibration((answer["confidence"], word == "right") for answer, word in zip(answers, columns["detect"]) if answer["encoding"])
    if wanted.wrong:
        for n, case in enumerate(cases):
            if n in sure or "wrong" in (columns["fix likely"][n], columns["fix nearly-certain"][n]):
                print(f"{n:04} {case.kind}: {case.name}", *notes[n], sep="\n    ")
    sys.exit(failures > 0)


def _change(case, after):
    """The first piece of the file after it that is neither right nor what it was."""
    if after == case.data:
        return "as it was"
    text = after.decode(errors="backslashreplace")
    for bad in _wrong_tokens(case, after):
        if bad:
            return f"{bad[0].decode(errors='backslashreplace')!r}; right is {bad[1].decode()!r}"
    at = next((n for n, (a, b) in enumerate(zip(case.texts[0], text)) if a != b), 0)
    at = max(at - 12, 0)
    return f"{text[at : at + 40]!r}; right is {case.texts[0][at : at + 40]!r}"


SPELLED = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8",
    "ascii": "US-ASCII",
    "us-ascii": "US-ASCII",
    "unknown": None,
    "unknown-8bit": None,
    "binary": None,
    "???": None,
}


def other(case, name):
    """The verdict of another detector, by the same rule."""
    name = name and name.lower().replace("_", "-")
    return detected(case, {"encoding": SPELLED.get(name, name)})


def ftfys(folder, cases):
    """The verdicts of ftfy of the files that are UTF-8."""
    texts = [(n, case.data.decode()) for n, case in enumerate(cases) if readings(case.data, "utf-8")]
    verdicts = ["–"] * len(cases)
    for (n, _), after in zip(texts, rivals.ftfy(folder, [text for _, text in texts])):
        verdicts[n] = verdict(cases[n], after.encode(errors="replace"))
    return verdicts


if __name__ == "__main__":
    main()
