#!/usr/bin/env python3
"""Fits the probabilities of src/detect/calibration.rs, and shows how true they are.

    cargo build --profile test -p utfkit-detect --example features
    crates/utfkit-detect/model/calibrate.py FOLDER            # the share that is right, by tenth
    crates/utfkit-detect/model/calibrate.py FOLDER --fit      # fits, and rewrites the constants
    crates/utfkit-detect/model/calibrate.py FOLDER --guesses PACKAGES OTHERS
                                                              # fits those of guesses, and rewrites them

FOLDER is that of bench/detect/judge.py, which says what it needs. The fit is to pieces of its
texts in the customary encodings of their languages, at the places of the seeds 2 to 7, of 14 to
3000 characters; to a fifth of their weight, pieces in encodings that utfkit lacks. What is shown
is judged on the cases of judge.py itself: the files, and the pieces of seed 1.

The model is a softmax over the readings of a text and "none". The weight of a reading falls
with its score, more slowly the farther it is behind the best. Maximises the likelihood by a search
along each constant.

Answers that are a guess have constants of their own, and more features. They are fitted to the
guesses among the texts of bench/detect/short.py ("fit"), the files of packages.py in the folders
PACKAGES and OTHERS, and the pieces of judge.py with seed 1: to one half of each by the hash of its
name, and shown for both halves. A file of a package weighs three times as much as the others in the
fit of the constants. GUESS_RIGHT then maps their probabilities to the shares that were right, where each answer
counts once.
"""

import argparse
import collections
import hashlib
import json
import math
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
TARGET = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
RUST = os.path.join(HERE, "../src/detect/calibration.rs")
sys.path.insert(0, os.path.join(ROOT, "bench/detect"))
import judge  # noqa: E402
import packages  # noqa: E402
import short  # noqa: E402
from sources import Folder  # noqa: E402

NAMES = ["NEAR", "FAR", "FARTHER", "NONE", "HALF_PENALTY", "FURTHER_PENALTY", "ILL_FORMED", "FEW_LETTERS"]
OF_GUESSES = [
    "NEAR", "FAR", "FARTHER", "NONE", "HALF_PENALTY", "FURTHER_PENALTY", "ILL_FORMED",
    "FRAGMENTS", "ODD", "RARE", "SINGLE", "COMMON", "COMMON_FRAGMENTS", "LIKELY",
]  # fmt: skip
# The weight of a file of a package, and of the likelihood of all candidates beside that of the answer.
OF_PACKAGES, OF_CANDIDATES = 3, 0.3
LEAST = {14: 1, 28: 2, 60: 3, 120: 4, 300: 6, 3000: 12}
SEEDS = range(2, 8)
# Of a text in an encoding that utfkit lacks.
WEIGHT = 0.2


def pieces(text, encoding, length, source):
    """A random piece of a text, and its bytes."""
    pattern = r"\n\s*(?=\S)" if length >= 60 else r"\s(?=\S)"
    starts = [match.end() for match in re.finditer(pattern, text)] or [0]
    for _ in range(120):
        start = source.choice(starts)
        piece = text[start : start + length]
        letters = sum(c.isalpha() and c > "\x7f" for c in piece)
        if len(piece) >= length * 9 // 10 and letters >= LEAST[length]:
            plain, data = judge.lossless(piece, encoding)
            if data is not None:
                return [(plain, data)]
    return []


def for_fit(folder):
    """(case, weight) of each case of the fit."""
    lacking = collections.defaultdict(list)
    for language, encoding in judge.LACKING:
        lacking[language].append(encoding)
    judge.pieces, judge.LENGTHS = pieces, tuple(LEAST)
    for seed in SEEDS:
        yield from ((case, 1.0) for case in judge.made(folder, seed, judge.CUSTOMARY))
    yield from ((case, WEIGHT) for case in judge.made(folder, SEEDS[0], lacking))


def for_show(folder):
    yield from ((case, 1.0) for case in judge.files(folder))
    yield from ((case, 1.0) for case in judge.made(folder, 1, judge.CUSTOMARY))


def answers(cases):
    """What the library says of each case, with the truth about each candidate."""
    with tempfile.TemporaryDirectory(prefix="calibrate") as scratch:
        paths = []
        for number, (case, _) in enumerate(cases):
            paths.append(os.path.join(scratch, f"{number:05}"))
            with open(paths[-1], "wb") as out:
                out.write(case.data)
        program = os.path.join(TARGET, "debug/examples/features")
        done = subprocess.run([program], input="\n".join(paths), capture_output=True, text=True, check=True)
    utfkit = os.path.join(TARGET, "debug/utfkit")
    utfkit = utfkit if os.path.exists(utfkit) else None
    for (case, weight), line in zip(cases, done.stdout.splitlines(), strict=True):
        found = json.loads(line)
        right = [judge.is_right(case, name, utfkit if place == 0 else None) for place, name in enumerate(found["names"][:12])]
        yield case, weight, found, right


def reading_weight(constants, behind):
    near, far, farther = constants[:3]
    return 2 ** -(near * min(behind, 4) + far * min(max(behind - 4, 0), 12) + farther * max(behind - 16, 0))


def none_weight(constants, features):
    none, half, further, ill_formed, few = constants[3:]
    penalty, letters, is_ill_formed = features
    bits = none + half * min(penalty, 1) + further * max(penalty - 1, 0) + ill_formed * is_ill_formed + few * (3 - letters)
    return 2**bits


def loss(constants, rows):
    if min(constants[:3]) < 0:
        return math.inf
    # A ridge, for what hardly occurs.
    total = sum(c * c for c in constants) / 50
    for weight, features, behind, right in rows:
        weights = [reading_weight(constants, bits) for bits in behind]
        none = none_weight(constants, features)
        hit = sum(w for w, is_right in zip(weights, right) if is_right) if any(right) else none
        total -= weight * math.log(max(hit / (sum(weights) + none), 1e-12))
    return total


def fitted(constants, rows):
    return search(constants, lambda constants: loss(constants, rows), [0.1, 0.1, 0.05, 1, 1, 0.5, 1, 0.2])


def search(constants, loss, steps):
    constants = list(constants)
    best = loss(constants)
    for _ in range(25):
        for at, step in enumerate(steps):
            for sign in (1, -1):
                tried = constants.copy()
                tried[at] += sign * step
                found = loss(tried)
                if found < best - 1e-6:
                    best, constants, steps[at] = found, tried, step * 1.5
                    break
            else:
                steps[at] = step / 2
        print(f"loss {best:.1f}", ", ".join(f"{c:.3f}" for c in constants), flush=True)
    return constants


def halves(folder, places):
    """(is held back, weight, case or file) for the fit of guesses."""
    for half in ("fit", "held"):
        for case in short.Maker(folder, half, 1).cases(3000):
            yield half == "held", 1, case
    for case in judge.made(folder, 1, judge.CUSTOMARY):
        yield is_second(case.name), 1, case
    for place in places:
        for found in packages.all_found(os.path.join(place, "collected")):
            if found.kind == packages.FOREIGN and found.encodings:
                yield is_second(found.path), OF_PACKAGES, found


def is_second(name):
    return hashlib.md5(name.encode()).digest()[-1] % 2 == 1


def guesses(folder, places):
    """(is held back, weight, features, behind, right) of each answer that is a guess."""
    program = os.path.join(TARGET, "debug/utfkit")
    rows = list(halves(folder, places))
    with tempfile.TemporaryDirectory(prefix="calibrate") as scratch:
        for number, (_, _, case) in enumerate(rows):
            with open(os.path.join(scratch, f"{number:05}"), "wb") as out:
                out.write(case.data)
        paths = "\n".join(os.path.join(scratch, f"{number:05}") for number in range(len(rows)))
        done = subprocess.run([os.path.join(TARGET, "debug/examples/features")], input=paths, capture_output=True, text=True, check=True)
    for (is_held_back, weight, case), line in zip(rows, done.stdout.splitlines(), strict=True):
        found = json.loads(line)
        if found["certainty"] != "a guess" or not found["others"] or not found["encoding"] or "Damaged" in found["basis"]:
            continue
        is_file = isinstance(case, packages.Found)
        names = found["names"][:8]
        right = [bool(packages.right(case, name, program)) if is_file else judge.is_right(case, name, program) for name in names]
        penalty, _, ill_formed = found["features"]
        features = [1, min(penalty, 1), max(penalty - 1, 0), ill_formed, *found["others"]]
        yield is_held_back, weight, features, [0, *found["behind"]], right


def of_guess(constants, features, behind):
    """The probabilities of the readings and of none."""
    weights = [reading_weight(constants, bits) for bits in behind]
    bits = sum(constant * feature for constant, feature in zip(constants[3:], features))
    total = sum(weights) + 2 ** min(max(bits, -60), 60)
    return [weight / total for weight in weights], 1 - sum(weights) / total


def loss_of_guesses(constants, rows):
    if min(constants[:3]) < 0:
        return math.inf
    total = sum(c * c for c in constants) / 100
    for is_held_back, weight, features, behind, right in rows:
        if not is_held_back:
            found, none = of_guess(constants, features, behind)
            hit = sum(p for p, is_right in zip(found, right) if is_right) if any(right) else none
            best = found[0] if right[0] else 1 - found[0]
            total -= weight * (OF_CANDIDATES * math.log(max(hit, 1e-9)) + math.log(max(best, 1e-9)))
    return total


def mapped(points, probability):
    for (low, below), (high, above) in zip(points, points[1:]):
        if probability <= high:
            return below + (above - below) * (probability - low) / (high - low)
    return points[-1][1]


def fitted_map(rows, constants, points):
    """The points moved so that the mapped probabilities are likeliest; each is at least the one before."""
    places = [place for place, _ in points]
    answers = [(of_guess(constants, features, behind)[0][0], right[0]) for held, _, features, behind, right in rows if not held]

    def loss(values):
        if any(a > b for a, b in zip(values, values[1:])) or values[0] < 0.005 or values[-1] > 0.995:
            return math.inf
        total = sum((value - place) ** 2 for value, place in zip(values, places)) * 20
        for probability, is_right in answers:
            p = min(max(mapped(list(zip(places, values)), probability), 0.003), 0.997)
            total -= math.log(p if is_right else 1 - p)
        return total

    values, step = [min(max(place, 0.01), 0.99) for place in places], 0.05
    best = loss(values)
    for _ in range(60):
        for at in range(len(values)):
            for tried in (values[at] + step, values[at] - step):
                found = loss(values[:at] + [tried] + values[at + 1 :])
                if found < best - 1e-6:
                    best, values[at] = found, tried
                    break
            else:
                continue
            break
        else:
            step /= 2
    return list(zip(places, values))


def fit_guesses(folder, places):
    rows = list(guesses(folder, places))
    print(len(rows), "guesses")
    names = ["GUESS_" + name for name in OF_GUESSES]
    constants = search(read_constants(names), lambda constants: loss_of_guesses(constants, rows), [0.1, 0.1, 0.05] + [1] * 11)
    write_constants(constants, names)
    with open(RUST) as file:
        text = file.read()
    points = re.findall(r"\((\d[\d.]*), (\d[\d.]*)\)", re.search(r"const GUESS_RIGHT.*?;", text.replace("; 8]", ""), re.S)[0])
    points = fitted_map(rows, constants, [(float(place), float(value)) for place, value in points])
    line = ", ".join(f"({place:.2f}, {value:.3f})" for place, value in points)
    text = re.sub(r"(const GUESS_RIGHT: [^=]*=\s*)\[.*?\];", rf"\g<1>[{line}];", text, flags=re.S)
    with open(RUST, "w") as file:
        file.write(text)
    for is_held_back, title in ((False, "guesses of the fit"), (True, "guesses held back")):
        table(title, [(mapped(points, of_guess(constants, row[2], row[3])[0][0]), row[4][0]) for row in rows if row[0] == is_held_back])


def read_constants(names=NAMES):
    with open(RUST) as file:
        text = file.read()
    return [float(re.search(rf"const {name}: f64 = (-?[\d.]+);", text)[1]) for name in names]


def write_constants(constants, names=NAMES):
    with open(RUST) as file:
        text = file.read()
    for name, value in zip(names, constants):
        text = re.sub(rf"(const {name}: f64 = )-?[\d.]+;", rf"\g<1>{value:.3f};", text)
    with open(RUST, "w") as file:
        file.write(text)


def table(title, pairs):
    """The share that is right of those given a probability, by tenth."""
    print(f"\n{title}\n{'given':>12} {'cases':>7} {'mean':>7} {'right':>7} {'error':>7} {'chance':>7}")
    for tenth in range(10):
        some = [(p, right) for p, right in pairs if tenth / 10 <= p < (tenth + 1) / 10 or (tenth == 9 and p >= 1)]
        if some:
            mean = sum(p for p, _ in some) / len(some)
            share = sum(right for _, right in some) / len(some)
            # The standard deviation of the share.
            chance = math.sqrt(mean * (1 - mean) / len(some))
            print(f"{tenth / 10:5.1f} to {tenth / 10 + 0.1:3.1f} {len(some):7} {mean:7.3f} {share:7.3f} {share - mean:+7.3f} {chance:7.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--guesses", nargs=2, metavar="PACKAGES")
    options = parser.parse_args()
    folder = Folder(options.folder)
    if options.guesses:
        fit_guesses(folder, options.guesses)
        return
    cases = list((for_fit if options.fit else for_show)(folder))
    said = list(answers(cases))
    legacy = re.compile(r"Likeliest|Declared|Unknown")
    if options.fit:
        rows = [
            (weight, found["features"], [0, *found["behind"]][: len(right)], right)
            for _, weight, found, right in said
            if found["features"] and legacy.match(found["basis"]) and right
        ]
        print(len(rows), "cases")
        write_constants(fitted(read_constants(), rows))
        return
    candidates = [(p, right) for _, _, found, rights in said for p, right in zip(found["probabilities"], rights)]
    table("candidates", candidates)
    table("answers", [(found["confidence"], rights[0]) for _, _, found, rights in said if rights and found["encoding"]])


if __name__ == "__main__":
    main()
