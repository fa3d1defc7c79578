#!/usr/bin/env python3
"""Detects texts of US-ASCII with a few letters or signs in an older encoding.

    cargo build --release -p utfkit-cli
    python3 bench/detect/short.py FOLDER                  # 3,000 texts, a row for each kind
    python3 bench/detect/short.py FOLDER --seed 2         # other texts
    python3 bench/detect/short.py FOLDER --half fit       # of the names and words that the calibration was fitted to
    python3 bench/detect/short.py FOLDER --wrong          # each wrong answer
    python3 bench/detect/short.py FOLDER --program PATH   # this utfkit
    python3 bench/detect/short.py FOLDER --packages OTHER # the probabilities of the files of packages.py in OTHER, too

Makes texts by a seed: lines of English prose or of a program, and among them names of people, words and phrases of
another language, units, signs, quotation marks and dashes with one to ten characters beyond US-ASCII. Languages,
kinds and encodings are as frequent as among the 1,272 old files in 373 packages of Debian that have at most ten
bytes above 7F: 95 in 100 Western ones are in windows-1252 or ISO-8859-1, the others in macintosh, IBM437, IBM850 or
ISO-8859-15. Names, words and lines belong to one of two halves: "fit", to which the calibration is fitted
(crates/utfkit-detect/model/calibrate.py), and "held", by default.

An answer is right if the bytes decode to the text in that encoding. Prints how often answers are right, by kind and
by certainty, and for each tenth of the probabilities, with the standard deviation that chance has there.
"""

import argparse
import collections
import hashlib
import math
import os
import random
import re
import tempfile

import mixed
import packages
from judge import TARGET, WORDS, Case, encoded, is_right, known, readings, table, utfkit_answers
from sources import Folder

# Encodings and their weights, in the order of their share.
WESTERN = {"windows-1252": 950, "macintosh": 22, "iso-8859-15": 12, "ibm437": 8, "ibm850": 8}
CENTRAL = {"iso-8859-2": 62, "windows-1250": 32, "ibm852": 4, "mac-centraleurope": 2}
ENCODINGS = {
    **dict.fromkeys("ca da de es et fi fr is it nb nl pt-br sv".split(), WESTERN),
    **dict.fromkeys("cs hr hu pl ro sk sl".split(), CENTRAL),
    "tr": {"windows-1254": 60, "iso-8859-9": 36, "ibm857": 4}, "lt": {"windows-1257": 55, "iso-8859-13": 45}, "eo": {"iso-8859-3": 1},
    "ru": {"koi8-r": 45, "windows-1251": 45, "ibm866": 8, "iso-8859-5": 2}, "uk": {"koi8-u": 40, "windows-1251": 60},
    "el": {"iso-8859-7": 55, "windows-1253": 45}, "he": {"windows-1255": 60, "iso-8859-8": 40},
    "ja": {"euc-jp": 60, "shift_jis": 40}, "zh_cn": {"gb2312": 1}, "zh_tw": {"big5": 1}, "ko": {"euc-kr": 1},
}  # fmt: skip
LANGUAGES = {
    "de": 200, "fr": 190, "es": 120, "sv": 80, "pt-br": 60, "da": 50, "fi": 45, "nb": 40, "it": 35, "nl": 20, "ca": 15, "is": 10, "et": 8,
    "cs": 30, "pl": 25, "hu": 20, "hr": 8, "sk": 8, "sl": 6, "ro": 6, "tr": 10, "lt": 8, "eo": 3,
    "ru": 20, "uk": 4, "el": 8, "he": 4, "ja": 20, "zh_cn": 25, "zh_tw": 5, "ko": 8,
}  # fmt: skip
KINDS = {"name": 45, "word": 20, "phrase": 8, "unit": 9, "sign": 10, "quotation": 8}

# Given names and family names, in any combination.
NAMES = {
    "de": "Jürgen Günther Björn Jörg Käthe Götz Müller Schröder Böhm Großmann Weiß Krüger Jäger Köhler Schäfer Möller Voß Grünwald Übelacker Özdemir",
    "fr": "François Jérôme Rémi Stéphane Frédéric Hélène Benoît Loïc Gaël Zoé Émile Éric Lefèvre Béranger Chauvière Hébert Gagné Côté Crépeau Noël",
    "es": "José Jesús Ángel María Sebastián Andrés Íñigo Nicolás Muñoz Núñez García López Martínez Hernández Ibáñez Gómez Peña Suárez Rodríguez Güell",
    "sv": "Göran Håkan Jörgen Åke Östen Märta Sjögren Åström Löfgren Bäckström Ångström Hellström Lindström Nyström Öberg Ålund Sjöberg Skyttä Mårtensson Söderlund",
    "pt-br": "João Antônio Luís Cláudia Conceição Flávio Simões Gonçalves Magalhães Araújo Brandão Falcão Guimarães Leão Sérgio Íris Ávila Patrícia Estêvão",
    "da": "Søren Jørgen Bjørn Jørn Åge Kjær Sørensen Kjærgaard Nørgaard Møller Højgaard Ærø Ørsted Ågård Grønbæk Lykkegård Bøgh Thygesen-Høj",
    "nb": "Bjørn Pål Torbjørn Åse Øyvind Øystein Håkon Sæther Bråten Grønli Østby Ødegård Ås Nesbø Kjærstad Dønnestad Låg Vågen",
    "fi": "Päivi Väinö Järvinen Hämäläinen Mäkelä Mäki Hyvönen Törmänen Seppälä Töyrylä Kähkönen Ylönen Pöyry Äijälä Björklöf",
    "it": "Nicolò Niccolò Mosè Salomè Cantù Libertà Forlì Prà Pertè Dalmè", "nl": "André Chloë Daniël Loïs Ruché Noordzeeë Coöper Zoë",
    "ca": "Jordà Mercè Òscar Núria Cortès Fàbregas Puigdomènech Miró Lluís Iñaki Güell", "is": "Björgvin Þór Sigurðsson Ragnheiður Ævar Hrafnkell-Óskar",
    "et": "Jüri Ülle Mäeots Põldma Kõiv Tõnu", "cs": "Jiří Ondřej Tomáš Zdeněk Dvořák Novák Růžička Černý Šimek Žáček Macháček Kolář Hájek",
    "pl": "Rafał Michał Łukasz Paweł Wałęsa Kościński Zieliński Jabłoński Gołębiewski Śliwa Żak Grażyna", "hu": "László Zoltán György Gábor Németh Tóth Kovács Szabó Erdős Győri Petőfi",
    "hr": "Šimić Božić Čović Matić Perković Đurić Žarko", "sk": "Štefan Ľuboš Kováč Hudák Ďuriš Žilka", "sl": "Žiga Černe Jančar Šuštar Kopač",
    "ro": "Ştefan Mădălina Răzvan Ionaş Bălan", "tr": "Ömer Gökhan Işıl Şükrü Çağlar Yılmaz Öztürk Güneş İnönü", "lt": "Žydrūnas Šarūnas Jonė Kęstutis Ąžuolas",
}  # fmt: skip
UNITS = "25 m²|3 cm³|180°|20 °C|± 0.5|½ cup|10 µm|1024×768|¼ inch|x² + y²|N° 5|5 ÷ 2|µs|37.5 °C|4 ± 1|2·10"
SIGNS = "© 1998|©1995-2001|Copyright © 2003|Windows®|Java™|§ 5|¶|£20|¥ 300|¢|• first|· second|§3.2|¡|ª|º|¿|« x »|100 ¤|\xa0x"
QUOTATIONS = "“file”|‘name’|don’t|it’s|the user’s|a – b|this — that|wait…|„so“|»here«|«there»|1990–1995|rock ’n’ roll|“don’t”"
FRAMES = {
    "name": "# Copyright (C) 1998 {}\n|/* Author: {} <me@example.org> */\n|  * Thanks to {} for the patch.\n|\\author{{{}}}\n|{}\n|;; Maintainer: {}\n|\t- Fixed by {} (closes #123)\n|% {}, 12 May 1999\n|<address>{}</address>\n|Name: {}\n|{}, Stockholm\n",
    "word": 'the word "{}" here\n|msgstr "{}"\n|// {}\n|{}\n|title={}\n|  {} = 1\n|<td>{}</td>\n|say ({}), please\n',
    "phrase": "{}\n|# {}\n|/* {} */\n|echo \"{}\"\n",
    "unit": "a field of {}\n|value: {}\n|about {}, or so\n|# {}\n|{}\n",
    "sign": "{} Example Inc.\n|  {} and so on\n|# {}\n|<p>{}</p>\n|/* {} */\n",
    "quotation": "See {} there.\n|{}\n|and {}, then\n|# {}\n",
}
PROGRAM = "int main(void)\n|  return x + 1;\n|#include <stdio.h>\n|for i in range(10):\n|    print(i)\n|set -e\n|\\begin{document}\n|\n|key = value\n|<br>\n|1,2,3,4\n|%%%%%%%%\n|if test -f x; then\n|/* ----- */\n"
PLAIN = 'name="x" value=12|foo(bar)|[section]|0x1F 0x20|----|end'


def _half(text):
    return "held" if hashlib.md5(text.encode()).digest()[0] & 1 else "fit"


def _chosen(source, weights):
    return source.choices(list(weights), list(weights.values()))[0]


class Maker:
    def __init__(self, folder, half, seed):
        self.texts = mixed.Texts(folder)
        self.half, self.source = half, random.Random(f"{seed} {half}")
        self.of_half = {}

    def _of(self, key, items):
        """Those of the half."""
        if key not in self.of_half:
            self.of_half[key] = [item for item in items() if _half(item) == self.half]
        return self.of_half[key]

    def _foreign(self, kind, language):
        lines = self.texts.lines[language]
        if kind == "name" and language in NAMES:
            names = self._of(("name", language), NAMES[language].split)
            plain = self.source.choice("Peter Anna Tom Maria A. Martin Karl".split())
            return " ".join([plain, self.source.choice(names)] if self.source.random() < 0.6 else self.source.choices(names, k=2))
        if kind == "phrase":
            found = self._of(("phrase", language), lambda: [line for line in lines if 1 <= _count(line) <= 10 or language in ("ja", "zh_cn", "zh_tw")])
            return self.source.choice(found) if found else None
        found = self._of(("word", language), lambda: sorted({word for line in lines for word in re.findall(r"[^\W\d_]{2,14}", line) if 1 <= _count(word) <= 10}))
        return self.source.choice(found)[:10] if found else None

    def case(self, number):
        """A text, or None if the encoding cannot spell it."""
        source, kind, language = self.source, _chosen(self.source, KINDS), _chosen(self.source, LANGUAGES)
        if kind in ("unit", "sign", "quotation"):
            language, encoding = "en", _chosen(source, WESTERN)
            foreign = source.choice({"unit": UNITS, "sign": SIGNS, "quotation": QUOTATIONS}[kind].split("|"))
        else:
            encoding = _chosen(source, ENCODINGS[language])
            foreign = self._foreign(kind, language)
        if not foreign:
            return None
        frame = source.choice(FRAMES[kind].split("|"))
        lines = [frame.format(foreign)] * source.choice([1, 1, 1, 1, 2])
        prose = source.choice([None, "en", "en", "program", "program", "plain"])
        english = self._of("en", lambda: self.texts.lines["en"])
        for _ in range(source.choice([0, 1, 3, 10, 30])):
            other = {"en": lambda: source.choice(english) + "\n", "program": lambda: source.choice(PROGRAM.split("|")),
                     "plain": lambda: source.choice(PLAIN.split("|")) + "\n", None: lambda: "\n"}[prose]()  # fmt: skip
            lines.insert(source.randrange(len(lines) + 1), other)
        text = "".join(lines)
        data = encoded(text, encoding)
        if data is None or not 1 <= sum(byte > 0x7F for byte in data) <= 20:
            return None
        return Case(f"{kind}, {_group(language)}", None, f"{number}-{language}", encoding, data, readings(data, encoding) | {known(text)})

    def cases(self, count):
        found = []
        while len(found) < count:
            case = self.case(len(found))
            if case and not _is_utf8(case.data):
                found.append(case)
        return found


def _count(text):
    return sum(c > "\x7f" for c in text)


def _group(language):
    if language == "en" or ENCODINGS[language] is WESTERN:
        return "Western"
    return "Latin" if language in "cs hr hu pl ro sk sl tr lt eo".split() else "other"


def _is_utf8(data):
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def tenths(title, answers):
    """Prints a row for each tenth of the probabilities; `answers` are pairs of a probability and whether it was right."""
    rows, found = {}, collections.defaultdict(list)
    for probability, right in answers:
        found[min(9, int(probability * 10))].append((probability, right))
    for tenth, some in sorted(found.items()):
        mean, share = (sum(column) / len(some) for column in zip(*some))
        chance = math.sqrt(max(mean * (1 - mean), 0.0) / len(some))
        rows[f"{tenth / 10:.1f} to {tenth / 10 + 0.1:.1f}"] = [
            len(some), f"{100 * mean:.1f} %", f"{100 * share:.1f} %", f"{100 * (share - mean):+.1f} %", f"{100 * chance:.1f} %"
        ]  # fmt: skip
    if rows:
        table(title, rows, ["answers", "mean", "right", "difference", "chance"])


def of_packages(folder, program, others):
    """(probability, right, certainty) of each answer to a file of packages.py whose encoding is known."""
    place = packages.collected(Folder(folder), packages.OTHERS if others else packages.PACKAGES)
    files = {os.path.join(place, found.path): found for found in packages.all_found(place) if found.kind == packages.FOREIGN}
    said = utfkit_answers(program, list(files))
    for path, found in files.items():
        answer = said[path]
        right = packages.right(found, answer["encoding"], program) if answer["encoding"] else None
        if right is not None:
            yield answer["confidence"], right, answer["certainty"]


def by_certainty(title, answers):
    rows = {}
    for word in WORDS:
        some = [right for _, right, certainty in answers if certainty == word]
        rows[word] = [len(some), sum(some), len(some) - sum(some)]
    table(title, rows, ["answers", "right", "wrong"])


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--texts", type=int, default=3000)
    arguments.add_argument("--half", choices=["fit", "held"], default="held")
    arguments.add_argument("--program", default=os.path.join(TARGET, "release", "utfkit"))
    arguments.add_argument("--wrong", action="store_true", help="list the wrong answers")
    arguments.add_argument("--packages", metavar="OTHER", help="the folder of packages.py")
    arguments.add_argument("--others", action="store_true", help="which has the others")
    wanted = arguments.parse_args()
    os.environ["LC_ALL"] = "C.UTF-8"

    if wanted.packages:
        answers = list(of_packages(wanted.packages, wanted.program, wanted.others))
        by_certainty("files of packages", answers)
        tenths("all answers", [answer[:2] for answer in answers])
        tenths("guesses", [answer[:2] for answer in answers if answer[2] == "a guess"])

    cases = Maker(Folder(wanted.folder), wanted.half, wanted.seed).cases(wanted.texts)
    with tempfile.TemporaryDirectory(prefix="short") as scratch:
        paths = [os.path.join(scratch, f"{number:05}") for number in range(len(cases))]
        for case, path in zip(cases, paths):
            with open(path, "wb") as out:
                out.write(case.data)
        said = utfkit_answers(wanted.program, paths, "--candidates", "5")
        answers, candidates, rows = [], [], collections.defaultdict(lambda: [0, 0, 0, 0])
        for case, path in zip(cases, paths):
            answer = said[path]
            row, name = rows[case.group], answer["encoding"]
            right = is_right(case, name)
            row[0] += 1
            row[1 if right else 2 if name else 3] += 1
            if name:
                answers.append((answer["confidence"], right, answer["certainty"]))
            candidates += [(reading["probability"], is_right(case, reading["encoding"])) for reading in answer["candidates"]]
            if wanted.wrong and name and not right:
                at = next(at for at, byte in enumerate(case.data) if byte > 0x7F)
                print(name, answer["certainty"], f"{answer['confidence']:.2f}", case.encoding, case.data[max(0, at - 20) : at + 20], sep="\t")
    rows["sum"] = [sum(column) for column in zip(*rows.values())]
    table("texts", dict(sorted(rows.items())), ["texts", "right", "wrong", "unknown"])
    by_certainty("by certainty", answers)
    tenths("all answers", [answer[:2] for answer in answers])
    tenths("guesses", [answer[:2] for answer in answers if answer[2] == "a guess"])
    tenths("all candidates", candidates)


if __name__ == "__main__":
    main()
