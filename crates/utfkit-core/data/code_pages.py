#!/usr/bin/env python3
"""The tables of the code pages: written from Python's codecs, judged by others.

    python3 code_pages.py --write    # code_pages.bin
    python3 code_pages.py            # compares that file with every judge

Python's codecs are those that the Unicode Consortium's mapping files describe;
where it has none, the C library's iconv is the source. Judges: iconv, uconv (of
ICU) and Perl's Encode, byte by byte. One that is not installed is left out, and
that is said. Where they differ, DECIDED says what the table follows; any other
difference fails.
"""

import struct
import subprocess
import sys
from pathlib import Path
from shutil import which

FILE = Path(__file__).parent / "code_pages.bin"
NOTHING = 0xFFFF

# Name of the encoding: what it is, and the names that Python, iconv, uconv and
# Perl have for it.
PAGES = {
    "IBM720": ("Arabic, DOS", "cp720", None, "ibm-720", None),
    "IBM737": ("Greek, DOS", "cp737", "CP737", "ibm-737", "cp737"),
    "IBM775": ("Baltic, DOS", "cp775", "IBM775", "ibm-775", "cp775"),
    "IBM850": ("Western European, DOS", "cp850", "IBM850", "ibm-850", "cp850"),
    "IBM852": ("Central European, DOS", "cp852", "IBM852", "ibm-852", "cp852"),
    "IBM855": ("Cyrillic, DOS", "cp855", "IBM855", "ibm-855", "cp855"),
    "IBM857": ("Turkish, DOS", "cp857", "IBM857", "ibm-857", "cp857"),
    "IBM00858": ("IBM850 with the euro sign", "cp858", "IBM858", "ibm-858", "cp858"),
    "IBM860": ("Portuguese, DOS", "cp860", "IBM860", "ibm-860", "cp860"),
    "IBM861": ("Icelandic, DOS", "cp861", "IBM861", "ibm-861", "cp861"),
    "IBM862": ("Hebrew, DOS", "cp862", "IBM862", "ibm-862", "cp862"),
    "IBM863": ("Canadian French, DOS", "cp863", "IBM863", "ibm-863", "cp863"),
    "IBM864": ("Arabic, DOS, shapes of letters", "cp864", "IBM864", "ibm-864", "cp864"),
    "IBM865": ("Nordic, DOS", "cp865", "IBM865", "ibm-865", "cp865"),
    "IBM869": ("Greek, DOS", "cp869", "IBM869", "ibm-869", "cp869"),
    "IBM1125": ("Ukrainian, DOS", "cp1125", "CP1125", "ibm-1125", None),
    "x-mac-ce": ("Macintosh, Central European", "mac_latin2", "MAC-CENTRALEUROPE", "x-mac-ce", "MacCentralEurRoman"),
    "x-mac-greek": ("Macintosh, Greek", "mac_greek", None, "x-mac-greek", "MacGreek"),
    "x-mac-turkish": ("Macintosh, Turkish", "mac_turkish", None, "x-mac-turkish", "MacTurkish"),
    "x-mac-icelandic": ("Macintosh, Icelandic", "mac_iceland", "MAC-IS", None, "MacIcelandic"),
    "x-mac-croatian": ("Macintosh, Croatian", "mac_croatian", None, None, "MacCroatian"),
    "x-mac-romanian": ("Macintosh, Romanian", "mac_romanian", None, None, "MacRomanian"),
    "ISO-8859-9": ("Turkish, Latin-5", "iso8859_9", "ISO-8859-9", "ISO-8859-9", "iso-8859-9"),
    "ISO-8859-11": ("Thai, with the controls and the no-break space", "iso8859_11", "ISO-8859-11", None, "iso-8859-11"),
    "TIS-620": ("Thai", None, "TIS-620", "TIS-620", None),
    "VISCII": ("Vietnamese, RFC 1456", None, "VISCII", None, "viscii"),
    "KOI8-RU": ("Ukrainian, Belarusian and Russian", None, "KOI8-RU", None, None),
    "KOI8-T": ("Tajik", "koi8_t", "KOI8-T", None, None),
    "IBM037": ("EBCDIC: North America", "cp037", "IBM037", "ibm-37", "cp37"),
    "IBM500": ("EBCDIC: International", "cp500", "IBM500", "ibm-500", "cp500"),
    "IBM1047": ("EBCDIC: Open Systems", None, "IBM1047", "ibm-1047", "cp1047"),
}

# Where a judge differs from the table, and why the table is right. A byte, or
# a range of them.
ROTATED = "IBM's control characters of the PC; they are US-ASCII's here, as for everyone else"
MU = "the micro sign everywhere else"
DOS = [name for name in PAGES if name.startswith("IBM") and name not in ("IBM037", "IBM500", "IBM1047")]
DECIDED = {(name, "uconv", byte): ROTATED for name in DOS + ["TIS-620"] for byte in (0x1A, 0x1C, 0x7F)}
DECIDED |= {(name, "uconv", 0xE6): MU for name in ("IBM860", "IBM861", "IBM862", "IBM863", "IBM865")}


def decide(name, judge, first, last, why):
    for byte in range(first, last + 1):
        DECIDED[name, judge, byte] = why


# Python has these, which the makers of the code page left empty, as controls.
PYTHON = {"IBM720": (0x80, 0x81, 0x84, 0x86, 0x8D, 0x8E, 0x8F, 0x90)}
decide("IBM852", "uconv", 0xAA, 0xAA, "IBM left the not sign out; iconv and Microsoft have it")
for byte, why in {
    0x25: "U+066A everywhere else, in place of the percent sign",
    0x9F: "empty everywhere else",
    0xD7: "another shape of the letter", 0xD8: "another shape of the letter",
    0xF1: "U+0651 everywhere else, which joins to any letter",
}.items():
    decide("IBM864", "uconv", byte, byte, why)
decide("IBM869", "uconv", 0x88, 0x88, "U+0387 is canonically the same as U+00B7")
decide("IBM869", "uconv", 0xEF, 0xEF, "U+0384 everywhere else, the accent of Greek")
for name in PAGES:
    if name.startswith("x-mac-"):
        decide(name, "perl", 0x7F, 0x7F, "left out in Apple's list of what differs from US-ASCII")
for byte in (0x15, 0x25):
    decide("IBM1047", "perl", byte, byte, "its new line is that of z/OS Unix, iconv's and ICU's is IBM's")
decide("IBM1125", "uconv", 0xFA, 0xFB, "the signs of IBM866 everywhere else")
for byte in (0xA0, 0xC6, 0xD0, 0xD1, 0xD7, 0xDB, 0xDC, 0xDD, 0xE0, 0xF0, 0xF6, 0xF7):
    decide("x-mac-icelandic", "iconv", byte, byte, "not what Apple's table says")
decide("TIS-620", "uconv", 0x80, 0xFF, "ICU reads code page 874 under this name")


def by_python(codec):
    def read(byte):
        try:
            return ord(bytes([byte]).decode(codec))
        except UnicodeDecodeError:
            return NOTHING
    return [read(byte) for byte in range(256)]


def by_command(*command):
    """A byte a run: what is refused must not stop the others."""
    def read(byte):
        run = subprocess.run(command, input=bytes([byte]), capture_output=True)
        units = run.stdout
        if run.returncode != 0 or len(units) != 2 or units == b"\xfd\xff":
            return NOTHING
        return int.from_bytes(units, "little")
    return [read(byte) for byte in range(256)]


def by_iconv(name):
    return by_command("iconv", "-f", name, "-t", "UTF-16LE")


def by_uconv(name):
    return by_command("uconv", "-f", name, "-t", "UTF-16LE")


def by_perl(name):
    program = (
        "use Encode; for my $b (0..255) { my $c = chr $b;"
        f" my $t = eval {{ decode('{name}', $c, Encode::FB_CROAK) }};"
        " print defined $t && length $t == 1 ? ord $t : 65535, qq(\\n) }"
    )
    run = subprocess.run(["perl", "-e", program], capture_output=True, text=True, check=True)
    return [int(line) for line in run.stdout.split()]


def source(name):
    _, python, iconv, _, _ = PAGES[name]
    table = by_python(python) if python else by_iconv(iconv)
    for byte in PYTHON.get(name, ()):
        table[byte] = NOTHING
    return table


# A record: the name, and the code points of the 256 bytes.
RECORD = struct.Struct("<16s256H")


def write():
    out = b""
    for name in PAGES:
        table = source(name)
        assert all(value == NOTHING or not 0xD800 <= value <= 0xDFFF for value in table)
        known = [value for value in table if value != NOTHING]
        assert len(known) == len(set(known)) and len(name) < 16, name
        out += RECORD.pack(name.encode(), *table)
    FILE.write_bytes(out)


def written():
    """The tables of the file, all 256 bytes of each."""
    return {name.rstrip(b"\0").decode(): table for name, *table in RECORD.iter_unpack(FILE.read_bytes())}


def check():
    tables = written()
    assert list(tables) == list(PAGES), "the file is not what --write writes"
    wrong = compared = 0
    used = set()
    judges = {"iconv": (2, by_iconv), "uconv": (3, by_uconv), "perl": (4, by_perl)}
    for judge in [judge for judge in judges if which(judge) is None]:
        print(f"{judge} is not installed: its tables are left out")
        del judges[judge]
    for name, table in tables.items():
        for judge, (column, read) in judges.items():
            if PAGES[name][column] is None:
                continue
            compared += 1
            theirs = read(PAGES[name][column])
            for byte in range(256):
                if table[byte] == theirs[byte]:
                    continue
                if (name, judge, byte) in DECIDED:
                    used.add((name, judge, byte))
                    continue
                wrong += 1
                print(f"DIFFERS: {name} {byte:02X} is {table[byte]:04X}, and {theirs[byte]:04X} to {judge}")
        if table != source(name):
            wrong += 1
            print(f"DIFFERS: {name} is not what its source says")
    for (name, judge, byte) in sorted(used):
        print(f"decided: {name} {byte:02X}, {judge}: {DECIDED[name, judge, byte]}")
    print(f"{len(tables)} tables, {compared} comparisons, {len(used)} decided differences, {wrong} others")
    return wrong == 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write()
    elif sys.argv[1:]:
        sys.exit(__doc__)
    elif not check():
        sys.exit(1)
