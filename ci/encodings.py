#!/usr/bin/env python3
"""Compares the legacy encodings of utfkit with iconv (C library), uconv (ICU) and Python:

    python3 ci/encodings.py UTFKIT             # the command under test
    python3 ci/encodings.py UTFKIT --list      # also list every differing character

Every character of Unicode is encoded, and every byte or pair of bytes decoded.
Judges that are not installed are reported and skipped. EXPLAINED has the number
of intended differences with their reasons; any other number fails. The
library's README.md and `Legacy` describe the differences.
"""

import subprocess
import sys
from shutil import which

# utfkit's name: the names in iconv, uconv and Python.
NAMES = {
    "IBM437": ("IBM437", "ibm-437", "cp437"),
    "IBM720": (None, "ibm-720", "cp720"),
    "IBM737": ("CP737", "ibm-737", "cp737"),
    "IBM775": ("IBM775", "ibm-775", "cp775"),
    "IBM850": ("IBM850", "ibm-850", "cp850"),
    "IBM852": ("IBM852", "ibm-852", "cp852"),
    "IBM855": ("IBM855", "ibm-855", "cp855"),
    "IBM857": ("IBM857", "ibm-857", "cp857"),
    "IBM00858": ("IBM858", "ibm-858", "cp858"),
    "IBM860": ("IBM860", "ibm-860", "cp860"),
    "IBM861": ("IBM861", "ibm-861", "cp861"),
    "IBM862": ("IBM862", "ibm-862", "cp862"),
    "IBM863": ("IBM863", "ibm-863", "cp863"),
    "IBM864": ("IBM864", "ibm-864", "cp864"),
    "IBM865": ("IBM865", "ibm-865", "cp865"),
    "IBM866": ("IBM866", "ibm-866", "cp866"),
    "IBM869": ("IBM869", "ibm-869", "cp869"),
    "IBM1125": ("CP1125", "ibm-1125", "cp1125"),
    "macintosh": ("MACINTOSH", "macintosh", "mac_roman"),
    "x-mac-ce": ("MAC-CENTRALEUROPE", "x-mac-ce", "mac_latin2"),
    "x-mac-cyrillic": ("MAC-UK", "x-mac-cyrillic", "mac_cyrillic"),
    "x-mac-greek": (None, "x-mac-greek", "mac_greek"),
    "x-mac-turkish": (None, "x-mac-turkish", "mac_turkish"),
    "x-mac-icelandic": ("MAC-IS", None, "mac_iceland"),
    "x-mac-croatian": (None, None, "mac_croatian"),
    "x-mac-romanian": (None, None, "mac_romanian"),
    "ISO-8859-1": ("ISO-8859-1", "ISO-8859-1", "latin_1"),
    **{
        f"ISO-8859-{part}": (f"ISO-8859-{part}", None if part in (11, 14, 16) else f"ISO-8859-{part}", f"iso8859_{part}")
        for part in (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16)
    },
    "TIS-620": ("TIS-620", None, None),
    "VISCII": ("VISCII", None, None),
    "KOI8-R": ("KOI8-R", "KOI8-R", "koi8_r"),
    "KOI8-U": ("KOI8-U", "KOI8-U", "koi8_u"),
    "KOI8-RU": ("KOI8-RU", None, None),
    "KOI8-T": ("KOI8-T", None, "koi8_t"),
    "IBM037": ("IBM037", "ibm-37", "cp037"),
    "IBM500": ("IBM500", "ibm-500", "cp500"),
    "IBM1047": ("IBM1047", "ibm-1047", None),
    "HZ-GB-2312": (None, "HZ", "hz"),
    "ISO-2022-KR": ("ISO-2022-KR", "ISO-2022-KR", "iso2022_kr"),
    "Johab": ("JOHAB", None, "johab"),
}
PAIRS = ("HZ-GB-2312", "ISO-2022-KR", "Johab")

# (name, judge): number of differences in decoding and encoding, and the reason.
# `utfkit list --notes` has the characters.
ROTATED = "1A, 1C and 7F are US-ASCII's, as everywhere else"
MU = ROTATED + "; E6 is the micro sign"
EXPLAINED = {
    **{
        (f"IBM{number}", "uconv"): ((3, 3), ROTATED)
        for number in ("720", "737", "775", "850", "855", "857", "00858", "866")
    },
    **{(f"IBM{number}", "uconv"): ((4, 5), MU) for number in ("437", "860", "861", "862", "863", "865")},
    ("IBM720", "python"): ((8, 8), "what is empty is empty, and not a control"),
    ("IBM852", "uconv"): ((4, 4), ROTATED + "; AA is the not sign"),
    ("IBM864", "uconv"): ((8, 12), ROTATED + "; as IBM defined it first, and the other judges have it"),
    ("IBM869", "uconv"): ((5, 7), ROTATED + "; U+00B7 and U+0384 as the other judges have them"),
    ("IBM1125", "uconv"): ((5, 7), ROTATED + "; FA and FB as in IBM866"),
    ("macintosh", "iconv"): ((2, 4), "Apple's table"),
    ("x-mac-cyrillic", "iconv"): ((1, 2), "Apple's table, with the euro sign"),
    ("x-mac-greek", "uconv"): ((0, 1), "U+F8A0, which it writes and does not read"),
    ("x-mac-icelandic", "iconv"): ((12, 20), "Apple's table"),
    **{("KOI8-U", judge): ((2, 4), "as browsers read it, with the Belarusian letter") for judge in ("iconv", "uconv", "python")},
    ("HZ-GB-2312", "uconv"): ((733, 1297), "GB 2312 alone, as RFC 1843 says; places for private use and GBK there"),
    ("HZ-GB-2312", "python"): ((2, 4), "21 24 and 21 2A as in GBK, iconv and ICU"),
    ("ISO-2022-KR", "iconv"): ((0, 1), "U+001B would be read as an escape sequence"),
    ("ISO-2022-KR", "uconv"): ((201, 208), ROTATED + "; seven other signs, and places for private use, there"),
    ("ISO-2022-KR", "python"): ((1, 4), "SO, SI and ESC would be read as shifts; 22 68 is U+327E, as in iconv"),
    ("Johab", "iconv"): ((1, 2), "5C is US-ASCII, as in code page 1361 and Python"),
    ("Johab", "python"): ((18, 1), "letters alone are read in one way; 22 68 of KS X 1001 is U+327E, as in iconv"),
}

# These encodings have no characters beyond plane 0, so samples suffice.
PLANES = [*range(0xD800), *range(0xE000, 0x10000), *range(0x1F5F0, 0x1F610), *range(0x20000, 0x20010), 0x10FFFF]
VALUES = [value for value in PLANES if value != 0x0A]
TEXT = "\n".join(map(chr, VALUES)).encode()


def run(command, src):
    return subprocess.run(command, input=src, capture_output=True).stdout


def converters(utfkit, name):
    """The judges' names of the encoding and lossy converters (from, to, bytes)."""
    iconv, uconv, _ = NAMES[name]
    ways = {"utfkit": (name, lambda f, t, src: run([utfkit, "convert", "-s", "-f", f, "-t", t, "--errors", "skip"], src))}
    if iconv and which("iconv"):
        ways["iconv"] = (iconv, lambda f, t, src: run(["iconv", "-c", "-f", f, "-t", t], src))
    if uconv and which("uconv"):
        skip = ["--from-callback", "skip", "--to-callback", "skip"]
        ways["uconv"] = (uconv, lambda f, t, src: run(["uconv", *skip, "-f", f, "-t", t], src))
    return ways


def written(convert, its, name):
    """The bytes of each character that can be encoded."""
    end = convert("UTF-8", its, b"\n")[-1:]
    out = convert("UTF-8", its, TEXT)
    if name == "ISO-2022-KR":
        out = out.removeprefix(b"\x1b$)C").removeprefix(b"\n")
    if name == "HZ-GB-2312":
        out = out.replace(b"~}", b"").replace(b"~{", b"")
    lines = out.split(end)
    if name == "ISO-2022-KR":
        lines = [line.strip(b"\x0e\x0f") for line in lines]
    if len(lines) != len(VALUES):
        return None
    return {value: line for value, line in zip(VALUES, lines) if line}


def written_by_python(codec):
    out = {}
    for value in VALUES:
        try:
            out[value] = chr(value).encode(codec)
        except UnicodeEncodeError:
            continue
        if codec == "hz":
            out[value] = out[value].removeprefix(b"~{").removesuffix(b"~}")
        if codec == "iso2022_kr":
            out[value] = out[value].removeprefix(b"\x1b$)C").strip(b"\x0e\x0f")
    return out


def sources(name):
    """The sources to decode, by the bytes of the character, without escape sequences."""
    if name not in PAIRS:
        return {bytes([byte]): bytes([byte]) for byte in range(256)}
    singles = [bytes([byte]) for byte in range(256)]
    if name == "HZ-GB-2312":
        pairs = [bytes([a, b]) for a in range(0x21, 0x78) for b in range(0x21, 0x7F)]
        return {pair: b"~{" + pair + b"~}" for pair in pairs} | {one: one for one in singles if one != b"~"} | {b"~~": b"~~"}
    if name == "ISO-2022-KR":
        pairs = [bytes([a, b]) for a in range(0x21, 0x7F) for b in range(0x21, 0x7F)]
        return {pair: b"\x0e" + pair + b"\x0f" for pair in pairs} | {one: one for one in singles if one not in b"\x0e\x0f\x1b"}
    pairs = [bytes([a, b]) for a in range(0x80, 0x100) for b in range(0x30, 0x100)]
    return {pair: pair for pair in pairs} | {one: one for one in singles[:0x80]}


def read(convert, its, name):
    end = convert("UTF-8", its, b"\n")[-1:]
    all = {key: src for key, src in sources_of[name].items() if src != end}
    header = b"\x1b$)C" + end if name == "ISO-2022-KR" else b""
    text = convert(its, "UTF-8", header + end.join(all.values())).decode("utf-8", "replace")
    lines = text.removeprefix("\n" if header else "").split("\n")
    if len(lines) != len(all):
        return None
    return {key: line for key, line in zip(all, lines) if is_one(key, line)}


def is_one(key, text):
    """True for a single character that is not the remainder of an ill-formed pair."""
    if len(key) == 2 and text == "\u20a9":
        return False  # The C library's Johab drops an invalid lead byte before 5C.
    return len(text) == 1 and text != "\ufffd" and (len(key) == 1 or text >= "\x80" or key == b"~~")


def read_by_python(codec, name):
    out = {}
    for key, src in sources_of[name].items():
        try:
            text = (b"\x1b$)C" + src if codec == "iso2022_kr" else src).decode(codec)
        except UnicodeDecodeError:
            continue
        if is_one(key, text) and text != "\n":
            out[key] = text
    return out


def shown(key, what):
    show = lambda x: " ".join(f"{byte:02X}" for byte in x) if isinstance(x, bytes) else f"U+{ord(x):04X}" if x else "nothing"
    if isinstance(key, int):
        key = chr(key)
    return f"{show(key)} {' or '.join(show(x) if x else 'nothing' for x in what)}"


def compare(ours, theirs):
    return {key: (ours.get(key), theirs.get(key)) for key in sorted({*ours, *theirs}) if ours.get(key) != theirs.get(key)}


sources_of = {name: sources(name) for name in NAMES}


def main(utfkit, listed):
    for judge in ("iconv", "uconv"):
        if not which(judge):
            print(f"{judge} is not installed: its encodings are left out")
    compared = wrong = 0
    for name, names in NAMES.items():
        ways = converters(utfkit, name)
        results = {judge: (read(way, its, name), written(way, its, name)) for judge, (its, way) in ways.items() if judge != "utfkit"}
        if names[2]:
            results["python"] = (read_by_python(names[2], name), written_by_python(names[2]))
        its, way = ways["utfkit"]
        ours = (read(way, its, name), written(way, its, name))
        # Encoded characters must decode to themselves.
        if ours[0] is None or ours[1] is None or any(ours[0][key] != chr(value) for value, key in ours[1].items() if key in ours[0]):
            wrong += 1
            print(f"WRONG: {name} does not read what it writes")
        for judge, (reads, writes) in results.items():
            compared += 1
            if reads is None or writes is None:
                wrong += 1
                print(f"WRONG: {judge} breaks lines in {name}: {reads is None} {writes is None}")
                continue
            differences = [compare(ours[0], reads), compare(ours[1], writes)]
            counts = tuple(map(len, differences))
            expected, why = EXPLAINED.get((name, judge), ((0, 0), ""))
            if counts != expected:
                wrong += 1
            if counts != (0, 0):
                print(f"{'differs' if counts == expected else 'DIFFERS'}: {name}, {judge}: {counts[0]} read, {counts[1]} written: {why}")
            if listed or counts != expected:
                for which_way, of in zip(("read", "written"), differences):
                    for key in list(of)[:2000 if listed else 12]:
                        print(f"    {which_way}: {shown(key, of[key])}")
    print(f"{len(NAMES)} encodings, {compared} comparisons, {wrong} wrong")
    return wrong == 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(0 if main(sys.argv[1], "--list" in sys.argv) else 1)
