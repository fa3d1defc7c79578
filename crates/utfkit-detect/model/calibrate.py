#!/usr/bin/env python3
"""Fits the probabilities of src/detect/calibration.rs, and shows how true they are.

    cargo build -p utfkit-detect --example features
    crates/utfkit-detect/model/calibrate.py FOLDER            # the share that is right, by tenth
    crates/utfkit-detect/model/calibrate.py FOLDER --fit      # fits, and rewrites the constants

FOLDER is that of bench/detect/judge.py, which says what it needs. The fit is to pieces of its
texts in the customary encodings of their languages, at the places of the seeds 2 to 7, of 14 to
3000 characters; to a fifth of their weight, pieces in encodings that utfkit lacks. What is shown
is judged on the cases of judge.py itself: the files, and the pieces of seed 1.

The model is a softmax over the readings of a text and "none". The weight of a reading falls
with its score, more slowly the farther it is behind the best. Maximises the likelihood by a search
along each constant.
"""

import argparse
import collections
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
from sources import Folder  # noqa: E402

NAMES = ["NEAR", "FAR", "FARTHER", "NONE", "HALF_PENALTY", "FURTHER_PENALTY", "ILL_FORMED", "FEW_LETTERS"]
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
    constants, steps = list(constants), [0.1, 0.1, 0.05, 1, 1, 0.5, 1, 0.2]
    best = loss(constants, rows)
    for _ in range(25):
        for at, step in enumerate(steps):
            for sign in (1, -1):
                tried = constants.copy()
                tried[at] += sign * step
                found = loss(tried, rows)
                if found < best - 1e-6:
                    best, constants, steps[at] = found, tried, step * 1.5
                    break
            else:
                steps[at] = step / 2
        print(f"loss {best:.1f}", ", ".join(f"{c:.3f}" for c in constants), flush=True)
    return constants


def read_constants():
    with open(RUST) as file:
        text = file.read()
    return [float(re.search(rf"const {name}: f64 = (-?[\d.]+);", text)[1]) for name in NAMES]


def write_constants(constants):
    with open(RUST) as file:
        text = file.read()
    for name, value in zip(NAMES, constants):
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
    options = parser.parse_args()
    folder = Folder(options.folder)
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
