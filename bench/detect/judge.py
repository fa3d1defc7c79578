#!/usr/bin/env python3
"""Compares detectors on files that none of them was made from.

    cargo build --release -p utfkit-cli
    python3 bench/detect/judge.py FOLDER                # everything: some minutes, the first time more
    python3 bench/detect/judge.py FOLDER --seed 2       # other places of the same texts
    python3 bench/detect/judge.py FOLDER --wrong        # each case in which utfkit is wrong
    python3 bench/detect/judge.py FOLDER --encodings    # a row for each encoding
    python3 bench/detect/judge.py FOLDER --program PATH # this utfkit; no other detector is run again

Compares utfkit with uchardet, chardet, charset-normalizer, chardetng and file(1), on the
test files of chardet, uchardet, enca and charset-normalizer, and on manual
pages, Vim's tutors and dictionaries, in the customary encodings of their language,
cut to 60, 300 and 3000 characters. FOLDER caches the downloads and the answers of
the other detectors.

An answer is right if the bytes decode to the text in that encoding: windows-1252 is
right for ISO-8859-1 if the bytes are the same text in both.

The first line names the versions of the others: the newest of PyPI and of crates.io, and
Debian's uchardet and file. To compare with newer ones remove FOLDER/rivals and FOLDER/chardetng.
Needs Debian's apt-get (and `apt-get update` before), the packages uchardet and file, a Python with
pip, and Cargo.
"""

import argparse
import collections
import functools
import json
import os
import random
import re
import subprocess
import tempfile
import unicodedata

import rivals
from sources import Folder

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TARGET = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
LENGTHS = (60, 300, 3000)
WORDS = ("certain", "nearly certain", "likely", "a guess")

# The customary encodings of each language.
WESTERN = ["windows-1252", "iso-8859-1", "iso-8859-15", "ibm850", "ibm437", "macintosh"]
CENTRAL = ["windows-1250", "iso-8859-2", "ibm852", "mac-centraleurope"]
CYRILLIC = ["windows-1251", "iso-8859-5", "ibm866", "ibm855", "koi8-r", "mac-cyrillic"]
BALTIC = ["windows-1257", "iso-8859-13", "iso-8859-4", "ibm775"]
CUSTOMARY = {
    **{language: WESTERN for language in "ca es eu fo gl oc".split()},
    "da": WESTERN + ["ibm865"], "nb": WESTERN + ["ibm865"], "is": WESTERN + ["ibm861", "mac-icelandic"],
    "de": WESTERN + ["ibm500"], "fr": WESTERN + ["ibm863", "ibm858", "ibm500"], "it": WESTERN + ["ibm1047"],
    "fi": WESTERN, "sv": WESTERN, "nl": WESTERN + ["ibm037"],
    "pt": WESTERN + ["ibm860"], "pt-br": WESTERN + ["ibm860", "ibm037"], "id": WESTERN,
    "sq": ["windows-1252", "iso-8859-1", "windows-1250", "ibm852"],
    "ga": ["windows-1252", "iso-8859-1", "ibm850", "iso-8859-14"],
    **{language: CENTRAL for language in "cs sk pl hu".split()},
    **{language: CENTRAL + ["mac-croatian"] for language in "hr sl bs".split()},
    "ro": CENTRAL + ["iso-8859-16", "mac-romanian"],
    "ru": CYRILLIC, "bg": CYRILLIC, "uk": ["windows-1251", "iso-8859-5", "koi8-u", "ibm1125", "mac-cyrillic", "ibm855"],
    **{language: ["windows-1251", "iso-8859-5", "ibm855", "mac-cyrillic"] for language in "be mk sr".split()},
    "el": ["windows-1253", "iso-8859-7", "ibm737", "ibm869", "mac-greek"],
    "tr": ["windows-1254", "iso-8859-9", "ibm857", "mac-turkish"],
    "he": ["windows-1255", "iso-8859-8", "ibm862"], "ar": ["windows-1256", "iso-8859-6", "ibm720"],
    "lt": BALTIC, "lv": BALTIC, "et": BALTIC + ["windows-1252", "iso-8859-15"],
    "eo": ["iso-8859-3"], "vi": ["windows-1258", "viscii"], "th": ["windows-874", "tis-620"],
    "ja": ["shift_jis", "euc-jp", "iso-2022-jp"], "ko": ["euc-kr", "cp949", "johab", "iso-2022-kr"],
    "zh": ["gb2312", "gb18030", "hz"], "zh_cn": ["gb2312", "gb18030", "hz"], "zh_tw": ["big5"],
}  # fmt: skip

# (language, encoding): encodings that utfkit lacks.
LACKING = [
    ("vi", "tcvn"), ("hy", "armscii-8"), ("kk", "kz-1048"), ("kk", "pt154"), ("mn", "pt154"), ("fa", "isiri-3342"),
    ("de", "ibm273"), ("da", "ibm277"), ("sv", "ibm278"), ("es", "ibm284"), ("fr", "ibm297"), ("pl", "ibm870"),
    ("cs", "ibm870"), ("ru", "ibm880"), ("bg", "ibm1025"), ("el", "ibm875"), ("he", "ibm424"), ("tr", "ibm1026"),
    ("ja", "ibm939"), ("ko", "ibm933"), ("fr", "hp-roman8"), ("de", "hp-roman8"), ("ru", "ecma-cyrillic"),
    ("zh_tw", "euc-tw"), ("zh", "iso-2022-cn"), ("lt", "cp774"), ("ar", "ibm1046"),
]  # fmt: skip

# Names of encodings in Python and in iconv.
PYTHON = {
    "macintosh": "mac_roman", "macroman": "mac_roman", "x-mac-roman": "mac_roman",
    "mac-centraleurope": "mac_latin2", "mac-centraleuropean": "mac_latin2", "x-mac-ce": "mac_latin2",
    "maccentraleurope": "mac_latin2", "macce": "mac_latin2", "maclatin2": "mac_latin2", "mac-latin2": "mac_latin2",
    "mac-cyrillic": "mac_cyrillic", "maccyrillic": "mac_cyrillic", "x-mac-cyrillic": "mac_cyrillic",
    "maccyr": "mac_cyrillic", "macgreek": "mac_greek", "mac-greek": "mac_greek", "x-mac-greek": "mac_greek",
    "macturkish": "mac_turkish", "mac-turkish": "mac_turkish", "x-mac-turkish": "mac_turkish",
    "maciceland": "mac_iceland", "mac-icelandic": "mac_iceland", "x-mac-icelandic": "mac_iceland",
    "mac-romanian": "mac_romanian", "x-mac-romanian": "mac_romanian", "macromanian": "mac_romanian",
    "mac-croatian": "mac_croatian", "x-mac-croatian": "mac_croatian", "maccroatian": "mac_croatian",
    "ibm00858": "cp858", "ibm720": "cp720", "ibm737": "cp737", "windows-874": "cp874", "ibm1125": "cp1125",
    "windows-949": "cp949", "uhc": "cp949", "hz-gb-2312": "hz", "gb2312": "gbk", "tis-620": "tis_620",
    "ucs4le": "utf_32_le", "ucs4be": "utf_32_be", "utf-8-sig": "utf_8", "koi8u": "koi8_u", "koi8r": "koi8_r",
    "ebcdic": "cp037",
}  # fmt: skip
ICONV = {
    "mac-centraleurope": "MAC-CENTRALEUROPE", "mac-croatian": "", "mac-romanian": "", "x-mac-ce": "MAC-CENTRALEUROPE",
    "ibm00858": "CP858", "windows-874": "CP874", "windows-949": "UHC", "hz-gb-2312": "", "shift_jis": "SHIFT_JIS",
    "ebcdic": "EBCDIC-US", "ecma113": "ECMA-CYRILLIC", "koi8uni": "KOI-8",
}  # fmt: skip
# Suffixes of enca's files without a decoder here.
UNKNOWN = ("cork", "keybcs2", "koi8cs2", "koi8uni", "tex", "bin", "qp", "utf7", "ambi", "messy", "bom")

# A file to detect. `texts` are all the right decodings.
Case = collections.namedtuple("Case", "group length name encoding data texts")


def known(text):
    """Normalizes a text for comparison: no BOM, NFC, and one of the two waves that tables of JIS X 0208 have."""
    return unicodedata.normalize("NFC", text.removeprefix("\ufeff")).replace("\u301c", "\uff5e")


def iconv(data, source, target):
    if not source or not target:
        return None
    done = subprocess.run(["iconv", "-f", source, "-t", target], input=data, capture_output=True, check=False)
    return done.stdout if done.returncode == 0 else None


@functools.lru_cache(maxsize=8)
def readings(data, encoding, errors="strict"):
    """All decodings of the bytes: tables of an encoding differ in some characters."""
    name = re.sub(r"[ _]", "-", encoding.lower())
    found = []
    for codec in (PYTHON.get(name, name), name):
        try:
            found.append(data.decode(codec, errors))
        except (UnicodeError, LookupError):
            pass
    if re.fullmatch(r"(windows-|cp)125[0-8]", name) and not found:
        # As in browsers, an unassigned byte is a control.
        codec = name.replace("windows-", "cp")
        found.append("".join(bytes([b]).decode(codec, "replace").replace("\ufffd", chr(b)) for b in data))
    if not found or re.match(r"shift|euc|big5|gb|cp9|windows-9|uhc|iso-2022|johab|koi8|mac|x-mac", name):
        # iconv has another table under this name.
        text = iconv(data, ICONV.get(name, name), "UTF-8")
        if text is not None:
            # iconv passes surrogates of some tables on.
            found.append(text.decode(errors="replace"))
    return frozenset(known(text) for text in found)


def encoded(text, encoding):
    """The bytes of a text; None if the encoding lacks a character."""
    codec = PYTHON.get(encoding, encoding)
    if encoding in ("gb2312", "hz", "tis-620", "shift_jis", "big5"):
        codec = encoding.replace("-", "_")
    if encoding == "windows-1258":
        text = "".join(map(_vietnamese, text))
    try:
        return text.encode(codec)
    except UnicodeError:
        return None
    except LookupError:
        alphabet = _alphabet(encoding)
    if not alphabet:
        return iconv(text.encode(), "UTF-8", encoding)
    try:
        return b"".join(alphabet[c] for c in text)
    except KeyError:
        return None


@functools.cache
def _alphabet(encoding):
    """The characters of a single-byte encoding, by iconv; empty for others."""
    line_end = iconv(b"\n", "UTF-8", encoding)
    if encoding.startswith(("euc", "iso-2022", "ibm93")) or line_end is None:
        return {}
    every = b"".join(bytes([byte]) + line_end for byte in range(256))
    done = subprocess.run(["iconv", "-c", "-f", encoding, "-t", "UTF-8"], input=every, capture_output=True, check=False)
    characters = done.stdout.decode().split("\n")
    if len(characters) != 258 or len(line_end) != 1:
        return {}
    # The byte of the line end makes two pieces.
    del characters[line_end[0]]
    found = {c: bytes([byte]) for byte, c in reversed(list(enumerate(characters))) if len(c) == 1 and byte < 256}
    return {**found, "\n": line_end}


@functools.cache
def _has(encoding, c):
    return encoded(c, encoding) is not None


def _vietnamese(c):
    """In windows-1258, tones are combining marks."""
    try:
        c.encode("cp1258")
        return c
    except UnicodeError:
        parts = unicodedata.normalize("NFD", c)
        tones = [part for part in parts if part in "\u0300\u0301\u0303\u0309\u0323"]
        rest = "".join(part for part in parts if part not in tones)
        return unicodedata.normalize("NFC", rest) + "".join(tones)


# Customary replacements of characters that an encoding lacks.
PLAIN = str.maketrans({
    "‘": "'", "’": "'", "‚": ",", "‛": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "–": "-", "—": "-",
    "‐": "-", "‑": "-", "−": "-", "…": "...", "\xa0": " ", "•": "*", "·": "*", "©": "(c)", "®": "(R)", "×": "x",
    "€": "EUR", "→": "->", "←": "<-", "ș": "ş", "ț": "ţ", "Ș": "Ş", "Ț": "Ţ", "\u200b": "", "\u200c": "", "\xad": "",
})  # fmt: skip


def lossless(text, encoding):
    """A text, with replacements if it needs them, and its bytes."""
    data = encoded(text, encoding)
    if data is None:
        text = "".join(c if _has(encoding, c) else c.translate(PLAIN) for c in text)
        data = encoded(text, encoding)
    return text, data


def pieces(text, encoding, length, source):
    """Up to two random pieces of a text, and their bytes."""
    starts = [match.end() for match in re.finditer(r"\n\s*(?=\S)", text)] or [0]
    least = {60: 3, 300: 6, 3000: 12}[length]
    found = []
    for _ in range(120):
        start = source.choice(starts)
        piece = text[start : start + length]
        letters = sum(c.isalpha() and c > "\x7f" for c in piece)
        if len(piece) < length * 9 // 10 or letters < least:
            continue
        plain, data = lossless(piece, encoding)
        if data is not None and data not in [data for _, data in found]:
            found.append((plain, data))
            if len(found) == 2:
                break
    return found


def made(folder, seed, wanted, suffix=""):
    """Cases made by encoding pieces of texts."""
    for kind, language, text in folder.texts():
        if language not in wanted:
            continue
        # No controls but tabs and line ends.
        text = re.sub(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", "", text.replace("\r\n", "\n"))
        for encoding in wanted[language]:
            for length in LENGTHS:
                source = random.Random(f"{seed} {kind} {language} {encoding} {length}")
                for number, (piece, data) in enumerate(pieces(text, encoding, length, source)):
                    name = f"{kind}-{language}-{encoding}-{length}-{number}"
                    texts = readings(data, encoding) | {known(piece)}
                    yield Case(kind + suffix, length, name, encoding, data, texts)


def files(folder):
    """The test files of other detectors."""
    yield from _named(
        "chardet",
        folder.distribution("chardet", "5.2.0") + "/chardet-5.2.0/tests",
        # Some folders name the language too.
        lambda path: re.sub(r"-(?=[a-z]{4,})(?!greek8|sig)[a-z]+$", "", os.path.basename(os.path.dirname(path))),
    )
    yield from _named("uchardet", folder.source("uchardet"), lambda path: (
        os.path.basename(path).removesuffix(".txt").replace("utf-16.be", "utf-16").replace("utf-32.le", "utf-32")
        if re.search(r"/test/\w\w/[^/]*$", path) else None
    ))  # fmt: skip
    yield from _named("enca", folder.source("enca"), lambda path: _of_enca(os.path.basename(path)) if "/test/" in path else None)
    sample = folder.distribution("charset-normalizer")
    (tests,) = [os.path.join(top, name) for top, _, names in os.walk(sample) for name in names if name == "test_full_detection.py"]
    with open(tests) as file:
        names = dict(re.findall(r'\("(sample-[^"]*)", "(\w*)"', file.read()))
    yield from _named("charset-normalizer", sample, lambda path: names.get(os.path.basename(path)))


def _of_enca(name):
    match = re.fullmatch(r"[a-z]+-(s|utf8)\.(\w+)", name)
    if not match or match[2] in UNKNOWN:
        return None
    name = "utf8" if match[1] == "utf8" else match[2]
    # iso88592 is ISO-8859-2.
    return re.sub(r"^iso8859(\d+)$", r"iso-8859-\1", name)


def _named(group, top, encoding_of):
    for path in sorted(os.path.join(top, name) for top, _, names in os.walk(top) for name in names):
        encoding = encoding_of(path)
        if encoding is None or path.endswith((".md", "README.txt")):
            continue
        with open(path, "rb") as file:
            data = file.read()
        texts = readings(data, encoding) or readings(data, encoding, "replace")
        if data and texts:
            yield Case(group, None, os.path.relpath(path, top), encoding, data, texts)


def utfkit_answers(program, paths, *options):
    """What `utfkit detect --format jsonl` prints of each file, by path."""
    done = subprocess.run(
        [program, "detect", *options, "--format", "jsonl", "--files0-from", "-"],
        input="\0".join(paths) + "\0", capture_output=True, text=True, check=False,
    )  # fmt: skip
    said = {result["path"]: result for result in map(json.loads, done.stdout.splitlines())}
    if set(said) != set(paths):
        raise SystemExit(f"utfkit said nothing of {len(set(paths) - set(said))} files:\n{done.stderr[:2000]}")
    return said


def utfkit_says(program, paths):
    """The answer of utfkit for each file: (name or None, certainty)."""
    return {path: (result["encoding"], result["certainty"]) for path, result in utfkit_answers(program, paths).items()}


def calibration(answers):
    """Prints a row for each tenth of the probabilities; `answers` are pairs of a probability and whether it was right."""
    tenths = collections.defaultdict(list)
    for probability, right in answers:
        tenths[min(9, int(probability * 10))].append((probability, right))
    rows = {}
    for tenth, some in sorted(tenths.items()):
        mean, share = (sum(column) / len(some) for column in zip(*some))
        rows[f"{tenth / 10:.1f} to {tenth / 10 + 0.1:.1f}"] = [len(some), f"{100 * mean:.1f} %", f"{100 * share:.1f} %"]
    if rows:
        table("probabilities", rows, ["answers", "mean", "right"])


def is_right(case, name, program=None):
    if not name:
        return False
    if readings(case.data, name) & case.texts:
        return True
    if not program:
        return False
    done = subprocess.run([program, "convert", "-f", name, "-t", "UTF-8"], input=case.data, capture_output=True, check=False)
    return done.returncode == 0 and known(done.stdout.decode(errors="replace")) in case.texts


def table(title, rows, columns):
    print(f"\n{title}")
    width = max(len(row) for row in rows)
    print(" " * width, "".join(f"{column:>20}" for column in columns))
    for row, cells in rows.items():
        print(f"{row:{width}}", "".join(f"{cell:>20}" for cell in cells))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--program", default=os.path.join(TARGET, "release", "utfkit"))
    arguments.add_argument("--wrong", action="store_true", help="list the cases in which utfkit is wrong")
    arguments.add_argument("--encodings", action="store_true", help="a row for each encoding")
    wanted = arguments.parse_args()
    folder = Folder(wanted.folder)
    os.environ["LC_ALL"] = "C.UTF-8"

    lacking = collections.defaultdict(list)
    for language, encoding in LACKING:
        lacking[language].append(encoding)
    print(rivals.named(folder))
    cases = [*files(folder), *made(folder, wanted.seed, CUSTOMARY)]
    # Encodings that utfkit lacks.
    strange = list(made(folder, wanted.seed, lacking))

    with tempfile.TemporaryDirectory(prefix="judge") as scratch:
        paths = {}
        for number, case in enumerate(cases + strange):
            # The name must give nothing away.
            path = os.path.join(scratch, f"{number:05}")
            with open(path, "wb") as out:
                out.write(case.data)
            paths[case] = path
        answers = utfkit_answers(wanted.program, list(paths.values()), "--candidates", "5")
        ours = {path: (answer["encoding"], answer["certainty"]) for path, answer in answers.items()}
        theirs = dict(zip(cases, rivals.say(folder, [(paths[case], case.data) for case in cases])))

        right = {}
        for case in cases:
            name, _ = ours[paths[case]]
            right[case] = {"utfkit": is_right(case, name, wanted.program)}
            for other in rivals.DETECTORS:
                right[case][other] = is_right(case, theirs[case][other])

        columns = ["cases", "utfkit", *rivals.DETECTORS]

        def row(some):
            return [len(some), *(sum(right[case][tool] for case in some) for tool in columns[1:])]

        rows = {}
        for group in dict.fromkeys(case.group for case in cases):
            rows[group] = row([case for case in cases if case.group == group])
            for length in LENGTHS:
                some = [case for case in cases if case.group == group and case.length == length]
                if some:
                    rows[f"{group}, {length}"] = row(some)
        for length in LENGTHS:
            rows[f"all texts, {length}"] = row([case for case in cases if case.length == length])
        rows["sum"] = row(cases)
        table("right", rows, columns)
        if wanted.encodings:
            names = sorted({case.encoding.lower() for case in cases})
            table("right", {name: row([case for case in cases if case.encoding.lower() == name]) for name in names}, columns)

        rows = {}
        for word in WORDS:
            some = [case for case in cases if ours[paths[case]][1] == word and ours[paths[case]][0]]
            good = sum(right[case]["utfkit"] for case in some)
            rows[word] = [len(some), good, f"{100 * good / len(some):.2f} %" if some else "–"]
        none = [case for case in cases if not ours[paths[case]][0]]
        rows["none that I know"] = [len(none), 0, "–"]
        table("how sure utfkit says it is", rows, ["cases", "right", "share"])
        calibration((answers[paths[case]]["confidence"], right[case]["utfkit"]) for case in cases if ours[paths[case]][0])
        print("of all candidates")
        calibration(
            (reading["probability"], is_right(case, reading["encoding"]))
            for case in cases
            for reading in answers[paths[case]]["candidates"]
        )

        rows, total = {}, [0, 0, 0]
        for encoding in dict.fromkeys(case.encoding for case in strange):
            some = [case for case in strange if case.encoding == encoding]
            names = [ours[paths[case]][0] for case in some]
            good = sum(name is None for name in names)
            same = sum(is_right(case, name, wanted.program) for case, name in zip(some, names))
            rows[encoding] = [len(some), good, same, f"{100 * (good + same) / len(some):.0f} %"]
            said = collections.Counter(name for case, name in zip(some, names) if name and not is_right(case, name, wanted.program))
            rows[encoding].append(" ".join(f"{name}:{count}" for name, count in said.most_common(2)))
            total = [a + b for a, b in zip(total, rows[encoding])]
        rows["sum"] = [*total, f"{100 * (total[1] + total[2]) / total[0]:.0f} %", ""]
        table("encodings that utfkit lacks", rows, ["cases", "none that I know", "the same text", "share", "else, mostly"])

        if wanted.wrong:
            print("\nwrong")
            for case in cases:
                if not right[case]["utfkit"]:
                    name, word = ours[paths[case]]
                    better = " ".join(tool for tool in rivals.DETECTORS if right[case][tool])
                    print(f"{case.group}: {case.name}: {case.encoding}: {name} ({word}); right: {better or 'nobody'}")


if __name__ == "__main__":
    main()
