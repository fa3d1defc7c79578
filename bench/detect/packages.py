#!/usr/bin/env python3
"""Detects, fixes and undoes the old texts of Debian packages.

    cargo build --release -p utfkit-cli
    python3 bench/detect/packages.py FOLDER                # sums, and every wrong answer
    python3 bench/detect/packages.py FOLDER --program PATH # this utfkit
    python3 bench/detect/packages.py OTHER --others        # the OTHERS, which nothing was tuned to
    python3 bench/detect/packages.py FOLDER --unjudged     # the files whose encoding is not known by a rule
    python3 bench/detect/packages.py FOLDER --list         # the files whose encoding is known, and it

Fetches the PACKAGES (or the OTHERS) to FOLDER, which keeps them, and collects from each up to 40 files that are
neither US-ASCII nor UTF-8 and do not look binary (2 % of controls), 4 files in UTF-8, 2 in US-ASCII
and 2 binaries. Compressed files are unpacked. Each file keeps its path below its package.

The encoding of a file is known from what it declares, its path, or the package, if a decoder of
Python accepts all of it in that encoding; else from packages.tsv, which was made by reading the files:
"none" is a file that is text in no encoding, such as a table of bytes, of which any answer is wrong,
"binary" one that is no text, such as a picture with a byte for each point, "mixed" one that is partly UTF-8, and "-" one that counts only as unjudged.
An answer is right if the bytes decode to the same text in both encodings.
"""

import argparse
import collections
import fnmatch
import functools
import gzip
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

from judge import TARGET, WORDS, readings, utfkit_says
from sources import Folder

PACKAGES = """
    a2ps analog apsfilter aspell-ar aspell-bg aspell-br aspell-ca aspell-cs aspell-cy aspell-da aspell-de
    aspell-de-1901 aspell-el aspell-en aspell-eo aspell-eo-cx7 aspell-es aspell-et aspell-fo aspell-fr aspell-ga
    aspell-gl-minimos aspell-he aspell-hr aspell-hsb aspell-hu aspell-is aspell-it aspell-kk aspell-ku aspell-lt
    aspell-lv aspell-nl aspell-no aspell-pl aspell-pt-br aspell-pt-pt aspell-ru aspell-sl aspell-sv aspell-tl
    awstats bash-doc bogofilter-common brltty canna canna-shion cdcd chasen-dictutils cmigemo-common
    console-cyrillic console-data crossfire-maps culmus cyrus-doc ddskk debian-history debiandoc-sgml ding
    docbook-xsl dosbox elinks-data epic4-help epic5 exmh festival-czech festival-freebsoft-utils filters
    firebird3.0-doc fortunes-br fortunes-eo-iso3 fp-docs-3.2.2 freewnn-common freewnn-cserver freewnn-jserver
    freewnn-kserver gnokii-common gnuplot-data gnuplot-doc hevea howm html2text hunspell-an hunspell-el
    hunspell-hu hunspell-no hunspell-pl hyphen-af hyphen-cs hyphen-da hyphen-de hyphen-el hyphen-hr hyphen-lt
    hyphen-lv hyphen-nl hyphen-no hyphen-pl hyphen-pt-pt hyphen-ru hyphen-sk hyphen-sl hyphen-sr hyphen-sv
    ibrazilian ibulgarian icatalan iczech idanish idutch iesperanto iestonian ifaroese ifile ifrench-gut igaelic
    ihungarian iirish iitalian ilithuanian imanx inorwegian iportuguese ircii irussian ispanish iswedish
    jed-common jed-extra joe-jupp kakasi kakasi-dic kanadic kanjidic konwert konwert-dev konwert-filters
    latex-cjk-chinese latex-cjk-common latex-cjk-japanese latex-cjk-korean latex-cjk-thai latex2html latex2rtf
    libapache2-mod-perl2-doc libchewing3-data libdate-calc-perl libjcode-pm-perl liblingua-stem-perl
    liblouis-data libmime-tools-perl libpython3.11-testsuite libtext-unaccent-perl libunicode-map8-perl
    lifelines lifelines-reports linuxdoc-tools lv lynx-common maxima-doc maxima-share mc-data mecab-ipadic
    mgetty-docs mhonarc moon-buggy myspell-es myspell-et myspell-fo myspell-fr-gut myspell-ga myspell-nb
    myspell-nn myspell-tl mythes-es mythes-gl mythes-it mythes-no mythes-pl mythes-sl mythes-sv naist-jdic
    nethack-spoilers nkf php-pear pike8.0-core procmail-lib r-base-core recode scheme48 scid-data scim-tables-ja
    scrollz sendmail-doc sharutils skkdic-extra slashem slrn slrnpull smartmontools smlnj-doc smstools
    spamassassin sqwebmail sunclock t-code texi2html texlive-formats-extra texlive-games texlive-humanities
    texlive-lang-arabic texlive-lang-czechslovak texlive-lang-european texlive-lang-french texlive-lang-german
    texlive-lang-italian texlive-lang-other texlive-lang-polish texlive-lang-portuguese texlive-lang-spanish
    texlive-latex-recommended texlive-metapost texlive-music texlive-plain-generic texlive-pstricks
    texlive-science timidity tin uim-data uim-el vile-common vim-latexsuite vim-scripts w3m w3m-el wcatalan
    wmanx wspanish xboard xemacs21-basesupport xemacs21-basesupport-el xemacs21-mulesupport xemacs21-support
    xfonts-cronyx-koi8r-misc xjdic xpaint xplanet xsane-common yasr yudit-common yudit-doc zh-autoconvert zhcon
""".split()
# Fetched later: neither the detector nor the command was made with them.
OTHERS = """
    aft afterstep-data alevt angband-data apache2-doc aplus-fsf aspell-eu auctex avra basic256 bibtool brandy
    canna-utils chemtool courier-webadmin cstocs dblatex debiandoc-sgml-doc dialog dictionaries-common
    docbook-website dopewars-data edict edict-el emacs-common emacs-el emacspeak enscript erlang-examples eterm
    exim4-config festival-hi festival-te festlex-ifd festvox-italp16k festvox-suopuhe-common flim fluxbox
    fortunes-pl fpc-source-3.2.2 fvwm-icons gambas3-examples gcal-common gforth-common gnucobol4 gnugo
    gnuhtml2latex groff heroes-data homebank-data htdig htdig-doc hunspell-de-at-frami icewm-common ifcico ifgate
    ifmail installation-guide-i386 itagalog jlatex209-base joe kannel-docs kinput2-common klines ksirk latex-mk
    lazarus-src-2.2 lbreakout2-data ldp-docbook-xsl le ledgersmb lgeneral-data libapache-asp-perl
    libdate-calc-xs-perl libkakasi2 libparse-recdescent-perl libpdf-reuse-perl libspreadsheet-parseexcel-perl
    libspreadsheet-writeexcel-perl libtext-csv-encoded-perl libtext-kakasi-perl libunicode-string-perl
    libxml-parser-perl lincity lookup-el lyx-common mailutils-mh mariadb-server-core mecab-jumandic-utf8 mew
    mew-beta mksh mlterm-common mutt myspell-el-gr myspell-gv myspell-sk namazu2 namazu2-common
    namazu2-index-tools ne nedit neomutt noweb omega-rpg openjade openttd-data pcal php-fpdf php-geshi
    php-horde-core php-net-imap phpldapadmin phpsysinfo pychess r-cran-ade4 r-cran-maptools r-cran-vegan
    r-cran-xml rail recode-doc sawfish-data scilab-doc sdcc-libraries sdf simutrans-pak64 slib smartlist
    sql-ledger swaks swish-e texlive-base texlive-font-utils texlive-fonts-recommended texlive-lang-cyrillic
    texlive-pictures texlive-publishers texlive-xetex tkdesk tuxtype-data typespeed udo unicon-imc2 vdr vim-doc
    wine wl wl-beta wmaker-common worker-data wswedish xawtv xfig-libs xfonts-cronyx-cp1251-misc xgalaga
    xiterm+thai xskat xsok xtel xwpe yaskkserv yatex yodl yodl-doc yorick-data
""".split()
FOREIGN, UTF8, ASCII, BINARY = "foreign", "UTF-8", "US-ASCII", "binary"
EACH = {FOREIGN: 40, UTF8: 4, ASCII: 2, BINARY: 2}
LARGEST = 4_000_000
READ = os.path.join(os.path.dirname(os.path.abspath(__file__)), "packages.tsv")

# Packages whose foreign files are in one encoding, and paths with an encoding in their name.
BY_PACKAGE = [
    (r"(mecab-ipadic|naist-jdic|chasen-dictutils|cmigemo-common|kakasi-dic|kanadic|kanjidic|skkdic-extra|t-code|canna[\w-]*|freewnn-(common|jserver)|xjdic|howm)/", "euc-jp"),
    (r"freewnn-cserver/usr/share/wnn/zh_CN/", "gb2312"),
    (r"freewnn-kserver/", "euc-kr"),
    (r"irussian/", "koi8-r"), (r"texlive-lang-polish/.*/sampdos/", "ibm437"),
    (r"(iczech|ihungarian|aspell-(cs|hr|hu|pl|sl|hsb)|texlive-lang-polish)/", "iso-8859-2"),
    (r"ilithuanian/", "iso-8859-13"),
]  # fmt: skip

# How programs spell encodings.
SPELLED = [
    (r"(iso|isolatin|latin)[-_ ]?latin[-_ ]?(\d+)", r"latin\2"),
    (r"il1|latin-?1|l1|isolat1|iso_?8859_?1|isolatin1|8859-1", "iso-8859-1"), (r"latin-?2|il2(?:-pl)?|8859-2|iso88592", "iso-8859-2"),
    (r"latin-?3|il3", "iso-8859-3"), (r"latin-?4", "iso-8859-4"), (r"latin-?5", "iso-8859-9"), (r"latin-?6", "iso-8859-10"),
    (r"latin-?7", "iso-8859-13"), (r"latin-?8", "iso-8859-14"), (r"latin-?9|latin-?0|latin9", "iso-8859-15"), (r"latin-?10", "iso-8859-16"),
    (r"ansinew|ansi|windows|cp1252", "windows-1252"), (r"applemac|mac-?roman|macintosh", "macintosh"),
    (r"(?:cp|windows|win|microsoft-cp)[-_]?(125\d|874)", r"windows-\1"), (r"(?:cp|ibm|dos)[-_]?(437|737|775|85[0257]|86[0-69])", r"ibm\1"),
    (r"iso-?8859-?(\d+)", r"iso-8859-\1"), (r"koi8-?r|cyrillic-koi8|koi", "koi8-r"), (r"koi8-?u", "koi8-u"), (r"cp866|alt|dos866", "ibm866"),
    (r"euc-?japan|euc-?jp|ujis|eucjp|euc", "euc-jp"), (r"euc-?kr|korean-iso-8bit|euc-korea", "euc-kr"), (r"sjis|shift-?jis|ms-kanji|japanese-shift-jis", "shift_jis"),
    (r"junet|iso-2022-jp", "iso-2022-jp"), (r"big5|chinese-big5|cn-big5", "big5"), (r"gb2312|euc-?cn|cn-gb|chinese-iso-8bit|gbk|gb", "gb18030"),
    (r"tis-?620|thai-tis620", "tis-620"), (r"viscii|vietnamese-viscii", "viscii"), (r"greek-iso-8bit", "iso-8859-7"), (r"hebrew-iso-8bit", "iso-8859-8"),
    (r"utf-?8|utf8x|mule-utf-8", "utf-8"), (r"us-?ascii|ascii", "us-ascii"),
]  # fmt: skip
DECLARED = [
    rb"<\?xml[^>]*encoding=[\"']([\w.:-]+)", rb"<meta[^>]*charset=[\"']?([\w.:-]+)", rb"@charset [\"']([\w-]+)",
    rb"-\*-.*?coding: *([\w-]+)", rb"coding[:=] *([\w-]+)", rb"vim?:.*\b(?:fenc|fileencoding)=([\w-]+)", rb"^scriptencoding +([\w-]+)",
    rb"Content-Type: *text/[\w-]+; *charset=\"?([\w.-]+)", rb"\\usepackage\[([\w-]+)\]\{inputenc\}", rb"\\inputencoding\{([\w-]+)\}",
    rb"^SET +([\w-]+)", rb"^ *[%#;]+ *-?\*?-?[Ee]ncoding *[:=] *([\w-]+)", rb"!TEX encoding *= *([\w-]+)", rb"@documentencoding +([\w-]+)",
    rb"^ *=encoding +([\w-]+)", rb"\\encoding\{([\w-]+)\}", rb"^Encoding: *([\w-]+)", rb"^charset +([\w-]+)", rb"CODESET=([\w-]+)",
    # Hyphenation patterns, and the stanzas of dictionaries-common.
    rb"\A([\w-]+)\r?\n", rb"^Coding-System: *([\w-]+)", rb"ispell-charset *[:=] *([\w-]+)", rb"^%*& *--translate-file=([\w-]+)",
]  # fmt: skip

# path: below the folder of collected files; kind: one of EACH; encodings: those that a rule or a reader gives it.
Found = collections.namedtuple("Found", "path kind data encodings how")


def spelled(label):
    """The encoding of a label, or None."""
    label = re.sub(r"[-_](unix|dos|mac)$", "", label.strip().lower())
    for pattern, name in SPELLED:
        if match := re.fullmatch(pattern, label):
            name = match.expand(name)
            return spelled(name) if re.fullmatch(r"latin\d+", name) else name
    return None


def kind_of(data):
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return FOREIGN
    if data.startswith((b"%PDF", b"%!PS-AdobeFont", b"\x89PNG", b"GIF8", b"RIFF", b".snd", b"II*", b"MM\0*", b";ELC")):
        return BINARY
    # Pictures (PNM, PCX, EPS with a preview), archives, gzip, strings of OpenTTD.
    if data.startswith((b"P4\n", b"P5\n", b"P6\n", b"\n\x05\x01\x08", b"\xc5\xd0\xd3\xc6", b"!<arch>\n", b"\x1f\x8b", b"LANG")):
        return BINARY
    # Info files have NUL about pictures.
    controls = sum(data.count(byte) for byte in range(32) if byte not in b"\b\t\n\f\r\x1a\x1b")
    if controls * 50 > len(data):
        return BINARY
    try:
        return ASCII if data.decode("utf-8").isascii() else UTF8
    except UnicodeDecodeError:
        pass
    return FOREIGN


def collected(folder, names):
    """Copies the files of each package; returns the path of the copies."""
    place = os.path.join(folder.path, "collected")
    if os.path.isdir(place):
        return place
    for name, top in folder.packages(names).items():
        found = collections.defaultdict(list)
        for path in sorted(os.path.join(below, name) for below, _, names in os.walk(top) for name in names):
            if os.path.islink(path) or not os.path.isfile(path) or not 0 < os.path.getsize(path) <= LARGEST:
                continue
            with open(path, "rb") as file:
                data = file.read()
            if path.endswith(".gz"):
                try:
                    path, data = path.removesuffix(".gz"), gzip.decompress(data)
                except (OSError, EOFError):
                    continue
            if 0 < len(data) <= LARGEST:
                found[kind_of(data)].append((path, data))
        for kind, files in found.items():
            random.Random(name + kind).shuffle(files)
            for path, data in files[: EACH[kind]]:
                copy = os.path.join(place + ".new", name, os.path.relpath(path, top))
                os.makedirs(os.path.dirname(copy), exist_ok=True)
                with open(copy, "wb") as out:
                    out.write(data)
    os.rename(place + ".new", place)
    return place


def by_rule(path, data, place):
    """(encodings, rule) of a foreign file, from the first rule that Python's decoders accept."""
    for signature, name in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if data.startswith(signature):
            return [name], "BOM"
    read = _read(path)
    if read in ("-", "none", "mixed"):
        return [] if read == "-" else [read], "read"
    labels = [match.decode() for pattern in DECLARED for match in re.findall(pattern, data, re.M | re.I)]
    if path.endswith(".dic") and os.path.exists(os.path.join(place, path.removesuffix("dic") + "aff")):
        with open(os.path.join(place, path.removesuffix("dic") + "aff"), "rb") as file:
            labels += [match.decode() for match in re.findall(rb"^SET +([\w-]+)", file.read(), re.M)]
    rules = [(spelled(label), "declared") for label in labels]
    parts = [
        part
        for part in re.split(r"[/.@]", path)[1:]
        if not re.match(r"(konwert-filters|mhonarc|libunicode-map8-perl)/", path) and re.search(r"\d|koi|euc|sjis|ujis|latin", part)
    ]
    rules += [(spelled(part), "path") for part in parts]
    rules += [(name, "package") for pattern, name in BY_PACKAGE if re.match(pattern, path)]
    names = {name for name, how in rules if how == "declared" and name not in (None, "us-ascii", "utf-8")}
    if len(names) > 1:
        return [read] if read else [], "declares several"
    for name, how in rules:
        if name in ("iso-8859-1", "iso-8859-9") and re.search(rb"[\x80-\x9f]", data):
            name = {"iso-8859-1": "windows-1252", "iso-8859-9": "windows-1254"}[name]
        if name not in (None, "us-ascii", "utf-8") and readings(data, name):
            return [name], how
    return ([read], "read") if read else ([], "no rule")


def _read(path):
    """The encoding of a file in packages.tsv."""
    return next((encoding for pattern, encoding in _patterns() if fnmatch.fnmatchcase(path, pattern)), None)


@functools.cache
def _patterns():
    if not os.path.exists(READ):
        return []
    with open(READ, encoding="utf-8") as file:
        return [tuple(line.split("\t")) for line in file.read().splitlines() if not line.startswith("#")]


def all_found(place):
    for path in sorted(os.path.join(top, name) for top, _, names in os.walk(place) for name in names):
        with open(path, "rb") as file:
            data = file.read()
        kind, path = kind_of(data), os.path.relpath(path, place)
        if kind == BINARY and (_read(path) or "").startswith("utf-16"):
            kind = FOREIGN
        elif kind == FOREIGN and _read(path) == BINARY:
            kind = BINARY
        encodings, how = by_rule(path, data, place) if kind == FOREIGN else ([], kind)
        yield Found(path, kind, data, encodings, how)


def right(found, name, program):
    """Whether a reading of the file in this encoding is the right text; None if that is not known."""
    if not found.encodings:
        return None
    if found.encodings == ["mixed"]:
        return name in ("UTF-8", "mixed")
    if found.encodings == ["none"]:
        return False
    texts = frozenset().union(*(readings(found.data, encoding) for encoding in found.encodings))
    if readings(found.data, name) & texts:
        return True
    done = subprocess.run([program, "convert", "-f", name, "-t", "UTF-8"], input=found.data, capture_output=True, check=False)
    return done.returncode == 0 and _plain(done.stdout.decode(errors="replace")) in set(map(_plain, texts))


def _plain(text):
    """Folds the characters that Windows and JIS map differently."""
    return text.removeprefix("\ufeff").translate(
        str.maketrans("\uff5e\u2225\uff0d\uffe0\uffe1\uffe2\u2015", "\u301c\u2016\u2212\xa2\xa3\xac\u2014")
    )


def excerpt(found):
    """Some 60 bytes about the first run of letters that are not US-ASCII."""
    match = re.search(rb"[\x80-\xff]", found.data)
    at = match.start() if match else 0
    return ascii(found.data[max(0, at - 20) : at + 40])[1:]


def state(place):
    """The checksum, time and mode of each file."""
    result = {}
    for path in (os.path.join(top, name) for top, _, names in os.walk(place) for name in names):
        with open(path, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        status = os.stat(path)
        result[os.path.relpath(path, place)] = (digest, status.st_mtime_ns, status.st_mode)
    return result


def fixed(program, place, trust):
    """A copy of the folder fixed, then undone: (plan by path, "binary" paths, contents after, what undo left different)."""
    scratch = tempfile.mkdtemp(prefix="packages", dir=os.path.dirname(place))
    copy = scratch + "/files"
    shutil.copytree(place, copy)
    before = state(copy)
    environment = {**os.environ, "XDG_STATE_HOME": scratch + "/state", "LC_ALL": "C.UTF-8"}
    # Copies below a repository would be ignored or not by its rules.
    command = [program, "fix", "--trust", trust, "-v", "-uu", "--format", "jsonl", "--yes", "."]
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, check=False)
    plan = {os.path.normpath(line["path"]): line for line in map(json.loads, done.stdout.splitlines()) if "path" in line}
    errors = done.stderr.decode(errors="replace")
    binary = {os.path.normpath(name) for name in re.findall(r"^utfkit: (.*): binary, skipped\b", errors, re.M)}
    after = {}
    for path in before:
        with open(os.path.join(copy, path), "rb") as file:
            after[path] = file.read()
    undone = subprocess.run([program, "undo"], cwd=copy, env=environment, capture_output=True, check=False)
    now = state(copy)
    left = sorted(path for path in before.keys() | now.keys() if before.get(path) != now.get(path))
    shutil.rmtree(scratch)
    summary = errors.strip().splitlines()[-1:] + undone.stderr.decode(errors="replace").strip().splitlines()[-1:]
    return plan, binary, after, left, summary


def _quoted(text, match):
    """True for a label that no program reads: in \\verb, a comment, or the body of a document of TeX, and a mode line elsewhere."""
    before = text[: match.start()]
    line = before.rpartition(b"\n")[2]
    # An example in a document or a comment.
    if (match[0].lower().startswith(b"content-type") and re.search(rb"[ \t>]$", line)) or (
        match[0].lower().startswith(b"<meta") and line.lstrip().startswith(b"//")
    ):
        return True
    if b"usepackage" in match[0]:
        line = before.rpartition(b"\n")[2]
        body = re.search(rb"^[ \t]*\\begin\{document\}", before, re.M)
        return b"%" in line or line.endswith((b"|", b"!", b"+")) or (body and b"\\end{document}" not in before)
    if re.match(rb"-\*-|(en)?coding[:=]", match[0], re.I):
        return before.count(b"\n") > 1 and len(text) - match.end() > 3000
    return False


def stale(found, text, encoding):
    """The labels in the text after a conversion that are true of the file before it."""
    labels = [
        match[1].decode() for pattern in DECLARED for match in re.finditer(pattern, text, re.M | re.I) if not _quoted(text, match)
    ]
    old = readings(found.data, encoding)
    return [label for label in labels if spelled(label) not in (None, "utf-8", "us-ascii") and readings(found.data, spelled(label)) & old]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder")
    arguments.add_argument("--program", default=os.path.join(TARGET, "release", "utfkit"))
    arguments.add_argument("--others", action="store_true", help="fetch the other packages")
    arguments.add_argument("--unjudged", action="store_true", help="list the files whose encoding is not known")
    arguments.add_argument("--list", action="store_true", help="list the files whose encoding is known")
    wanted = arguments.parse_args()
    program = os.path.abspath(wanted.program)
    names = OTHERS if wanted.others else PACKAGES
    place = collected(Folder(wanted.folder), names)
    files = {found.path: found for found in all_found(place)}
    if wanted.list:
        for path, found in files.items():
            known = found.encodings if found.kind == FOREIGN else [found.kind] if found.kind in (UTF8, ASCII) else []
            if known and not {"none", "mixed", "-"} & set(known):
                print(os.path.join(place, path), ",".join(known), sep="\t")
        return
    kinds = collections.Counter(found.kind for found in files.values())
    print(f"{len(names)} packages, {len(files)} files:", ", ".join(f"{count} {kind}" for kind, count in kinds.items()))
    print("known by:", dict(collections.Counter(found.how for found in files.values() if found.kind == FOREIGN)))

    absolute = {os.path.join(place, path): path for path in files}
    said = {absolute[path]: answer for path, answer in utfkit_says(program, list(absolute)).items()}
    rows, wrong = collections.defaultdict(collections.Counter), []
    for path, found in files.items():
        name, word = said[path]
        if found.kind != FOREIGN:
            if name and found.kind == BINARY:
                wrong.append(("binary that detect reads as text", word, path, name, "-", found))
            elif found.kind in (UTF8, ASCII) and name not in (UTF8, ASCII):
                wrong.append(("well-formed UTF-8", word, path, name, found.kind, found))
            continue
        good = right(found, name, program) if name else None
        verdict = "unknown" if not name else {True: "right", False: "wrong", None: "unjudged"}[good]
        rows[word if name else "none"][verdict] += 1
        if verdict == "wrong":
            wrong.append(("encoding", word, path, name, ",".join(found.encodings), found))
    print("\ndetect, foreign files")
    for word in (*WORDS, "none"):
        print(f"{word:16}", dict(rows[word]))
    if wanted.unjudged:
        for path, found in files.items():
            if found.kind == FOREIGN and not found.encodings:
                print("unjudged", *said[path], path, found.how, excerpt(found), sep="\t")
        return

    failures = 0
    for trust in ("nearly-certain", "likely"):
        plan, binary, after, left, summary = fixed(program, place, trust)
        counts = collections.Counter()
        print(f"\nfix --yes --trust {trust}: {'; '.join(summary)}")
        for path, found in files.items():
            line = plan.get(path, {})
            changed = after[path] != found.data
            if path in binary and found.kind != BINARY and b"\0" not in found.data:
                counts["text called binary"] += 1
                wrong.append(("called binary", trust, path, said[path][0], ",".join(found.encodings), found))
            if found.kind == BINARY and changed:
                counts["binary written"] += 1
                wrong.append(("binary written", trust, path, line.get("encoding"), "-", found))
            if not changed:
                continue
            counts["changed"] += 1
            labels = stale(found, after[path], line.get("encoding") or "utf-8")
            if labels:
                counts["stale label"] += 1
                wrong.append(("stale label", trust, path, line.get("encoding"), labels[0], found))
            if found.kind == FOREIGN and found.encodings and "convert" in line.get("actions", []):
                word = line["certainty"]
                good = right(found, line["encoding"], program)
                counts[f"{word}: {'right' if good else 'wrong'}"] += 1
                if not good:
                    wrong.append(("written", word, path, line["encoding"], ",".join(found.encodings), found))
            elif found.kind == FOREIGN:
                counts[f"{line.get('certainty')}: unjudged or other action"] += 1
        print(dict(counts))
        print("undo left different:", left or "nothing")
        failures += len(left)
    print()
    for kind, word, path, name, truth, found in wrong:
        print(kind, word, path, f"said {name}", f"is {truth}", excerpt(found), sep="\t")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
