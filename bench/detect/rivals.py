"""The other detectors: their versions and their answers."""

import hashlib
import json
import os
import re
import subprocess
import sys

DETECTORS = ("uchardet", "chardet", "charset-normalizer", "chardetng", "file")
FROM_PYPI = ("chardet", "charset-normalizer", "ftfy")

CHARDETNG = """use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

fn main() {
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(path).unwrap();
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
        detector.feed(&bytes, true);
        println!("{}", detector.guess(None, Utf8Detection::Allow).name());
    }
}
"""
DETECT = """
import json, sys
import chardet, charset_normalizer
for path in sys.stdin.read().splitlines():
    data = open(path, "rb").read()
    best = charset_normalizer.from_bytes(data).best()
    print(json.dumps([chardet.detect(data)["encoding"], best and best.encoding]))
"""
FTFY = "import ftfy, json, sys\nfor line in sys.stdin: print(json.dumps(ftfy.fix_encoding(json.loads(line))))"


def _lines(command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=True, **more).stdout.splitlines()


def python(folder):
    """The Python of an environment with the newest of PyPI's rivals."""
    here = os.path.join(folder.path, "rivals")
    if not os.path.isdir(here):
        subprocess.run([sys.executable, "-m", "venv", here], check=True)
        subprocess.run([here + "/bin/pip", "install", "-q", *FROM_PYPI], check=True)
    return here + "/bin/python"


def _chardetng(folder):
    """Builds a program that prints the answer of chardetng for each file."""
    here = os.path.join(folder.path, "chardetng")
    os.makedirs(here + "/src", exist_ok=True)
    with open(here + "/Cargo.toml", "w") as out:
        out.write('[package]\nname = "chardetng-says"\nversion = "0.0.0"\nedition = "2021"\n\n[workspace]\n\n')
        out.write('[dependencies]\nchardetng = "1"\n\n[profile.dev]\nopt-level = 2\n')
    with open(here + "/src/main.rs", "w") as out:
        out.write(CHARDETNG)
    subprocess.run(["cargo", "build", "-q"], cwd=here, check=True, env={**os.environ, "CARGO_TARGET_DIR": here + "/target"})
    return here + "/target/debug/chardetng-says"


def versions(folder):
    """The version of each rival by its name."""
    listed = _lines([python(folder), "-m", "pip", "list", "--format", "freeze", "--disable-pip-version-check"])
    found = dict(line.split("==") for line in listed if "==" in line)
    found = {name: found[name] for name in FROM_PYPI}
    _chardetng(folder)
    with open(os.path.join(folder.path, "chardetng", "Cargo.lock")) as file:
        found["chardetng"] = re.search(r'name = "chardetng"\nversion = "(.*)"', file.read())[1]
    found["uchardet"] = re.search(r"\d[\d.]*", "\n".join(_lines(["uchardet", "--version"])))[0]
    found["file"] = _lines(["file", "--version"])[0].removeprefix("file-")
    return found


def named(folder):
    """One line with the versions, for the head of a table."""
    return ", ".join(f"{name} {version}" for name, version in versions(folder).items())


def _say(folder, paths):
    interpreter, chardetng = python(folder), _chardetng(folder)
    said = []
    for at in range(0, len(paths), 500):
        some = paths[at : at + 500]
        answers = [
            [line.rpartition(": ")[2] for line in _lines(["uchardet", *some])],
            *zip(*map(json.loads, _lines([interpreter, "-c", DETECT], input="\n".join(some)))),
            _lines([chardetng, *some]),
            _lines(["file", "-b", "--mime-encoding", *some]),
        ]
        said += (dict(zip(DETECTORS, row)) for row in zip(*answers, strict=True))
    return said


def say(folder, files):
    """The answers of each detector for [(path, data)]; the folder remembers those of these versions."""
    here = os.path.join(folder.path, "said.json")
    kept = {}
    if os.path.exists(here):
        with open(here) as file:
            kept = json.load(file)
    now = versions(folder)
    if kept.get("versions") != now:
        kept = {"versions": now, "said": {}}
    digests = [hashlib.sha256(data).hexdigest() for _, data in files]
    new = {digest: path for digest, (path, _) in zip(digests, files) if digest not in kept["said"]}
    if new:
        kept["said"].update(zip(new, _say(folder, list(new.values()))))
        with open(here, "w") as out:
            json.dump(kept, out)
    return [kept["said"][digest] for digest in digests]


def ftfy(folder, texts):
    """The texts after ftfy.fix_encoding."""
    lines = "".join(json.dumps(text) + "\n" for text in texts)
    return [json.loads(line) for line in _lines([python(folder), "-c", FTFY], input=lines)]
