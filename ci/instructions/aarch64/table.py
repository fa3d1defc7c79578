"""Runs the programs built by run.sh and prints a table of instruction counts.

Called by run.sh. The CSV has the format of bench/draw. A ratio above 1 means
that utfkit needs fewer instructions.
"""

import argparse
import csv
import math
import os
import re
import subprocess
import sys
from pathlib import Path

OWN = "utfkit"
QEMU = ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]
# Processors for llvm-mca.
PROCESSORS = ["neoverse-v2", "neoverse-n1", "apple-m1"]
COLUMNS = ["processor", "run", "isa", "op", "text", "size", "library", "unit", "value", "ratio"]


def files(made):
    """The benchmark texts by name, or generated ones if there are none."""
    shared = Path(os.environ.get("UTFKIT_SHARED", "../shared")) / "data"
    found = {}
    for folder, prefix in [("lipsum", ""), ("wikipedia_mars", "wiki-")]:
        for file in sorted((shared / folder).glob("*.utf8.txt")):
            found[prefix + file.name.removesuffix(".utf8.txt").removesuffix("-Lipsum")] = file
    if not found:
        found = {file.name.removesuffix(".utf8.txt"): file for file in sorted(made.glob("*.utf8.txt"))}
    return found


def latin1(text):
    """For Latin text, its characters in ISO-8859-1; for text of mostly two-byte
    characters, letters from U+00C0 on in their places; None for other texts."""
    fits = [c for c in text if ord(c) <= 0xFF]
    if len(fits) * 100 >= len(text) * 97:
        return "".join(fits)
    if sum(ord(c) > 0x7FF for c in text) * 100 > len(text) * 5:
        return ""
    return "".join(c if ord(c) <= 0xFF else chr(0xC0 | ord(c) & 0x3F) for c in text)


def write_forms(folder, texts):
    for name, file in texts.items():
        text = file.read_bytes().decode()
        for extension, of, encoding in [
            ("8", text, "utf-8"),
            ("16", text, "utf-16-le"),
            ("32", text, "utf-32-le"),
            ("l", latin1(text), "latin-1"),
            ("l8", latin1(text), "utf-8"),
            ("l16", latin1(text), "utf-16-le"),
            ("l32", latin1(text), "utf-32-le"),
        ]:
            (folder / f"{name}.{extension}").write_bytes(of.encode(encoding))


def counted(folder, program, forms, names, *, trace=False):
    """{(library, operation, text): (instructions, bytes)} and, with `trace`, instructions
    from the middle of each call as hexadecimal words."""
    plugin = f"{folder / 'count.so'},counts={folder / 'counts'}"
    processor = []
    if trace:
        # Exclude instructions that the processors of llvm-mca lack.
        processor = ["-cpu", "neoverse-n1"]
        plugin += f",trace={folder / 'trace'}"
    command = [*QEMU, *processor, "-plugin", plugin, *program, str(forms), *names]
    lines = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    counts = [int(line) for line in (folder / "counts").read_text().split()]
    assert len(lines) == len(counts) and len(lines) % 3 == 0, "a mark is not a line"
    cells = {}
    for i in range(0, len(lines), 3):
        assert lines[i] == lines[i + 1] == lines[i + 2], lines[i]
        library, operation, text, size = lines[i].split("\t")
        calls = (counts[i + 2] - counts[i + 1]) - (counts[i + 1] - counts[i])
        cells[library, operation, text] = calls, int(size)
    samples = {}
    if trace:
        samples = dict(zip(cells, (folder / "trace").read_text().splitlines(), strict=True))
    return cells, samples


def text_of(sample):
    """Disassembles a sample."""
    words = (" ".join(f"0x{byte:02x}" for byte in reversed(bytes.fromhex(word))) for word in sample.split())
    command = ["llvm-mc-22", "-triple=aarch64", "-mattr=+v8.2a", "--disassemble"]
    return subprocess.run(command, check=True, input="\n".join(words), stdout=subprocess.PIPE, text=True).stdout


def cycles_of_instruction(assembly, processor):
    """Cycles per instruction of a sample by llvm-mca, which assumes that all branches
    are predicted and all loads hit the L1 cache."""
    command = ["llvm-mca-22", "-mtriple=aarch64-linux-gnu", f"-mcpu={processor}", "-iterations=1"]
    command += ["-resource-pressure=false", "-instruction-info=false"]
    run = subprocess.run(command, check=True, input=assembly, capture_output=True, text=True)
    count = {name: int(value) for name, value in re.findall(r"^(Instructions|Total Cycles): +(\d+)", run.stdout, re.M)}
    return count["Total Cycles"] / count["Instructions"]


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def table(ratios, operations, texts):
    """A table with a row for each operation, a column for each text, and the mean."""
    short = {text: text.replace("wiki-", "w-")[:9] for text in texts}
    lines = [f"{'':16}" + "".join(f"{short[text]:>10}" for text in texts) + f"{'mean':>8}"]
    for operation in operations:
        cells = [ratios.get((operation, text)) for text in texts]
        row = "".join("         -" if cell is None else f"{cell:10.2f}" for cell in cells)
        there = [cell for cell in cells if cell is not None]
        lines.append(f"{operation:16}{row}{mean(there):8.2f}")
    return "\n".join(lines)


def ratios_of(values):
    """The best peer's value divided by utfkit's."""
    best = {}
    for (library, operation, text), value in values.items():
        if library != OWN:
            best[operation, text] = min(value, best.get((operation, text), value))
    return {key: value / values[OWN, *key] for key, value in best.items()}


def append(path, processor, run, unit, values):
    is_new = not path.exists()
    with path.open("a", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        if is_new:
            out.writerow(COLUMNS)
        for operation in dict.fromkeys(operation for _, operation, _ in values):
            for (library, _, text), value in ((key, value) for key, value in values.items() if key[1] == operation):
                ratio = "" if library == OWN else round(value / values[OWN, operation, text], 4)
                row = [processor, run, "neon", operation, text, "natural", library]
                out.writerow([*row, unit, round(value, 4), ratio])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--utfkit", required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--peer")
    parser.add_argument("--peer-version", default="")
    parser.add_argument("--run", default="now")
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--op")
    parser.add_argument("--text")
    parser.add_argument("--cycles", action="store_true")
    options = parser.parse_args()

    made, forms = options.folder / "texts", options.folder / "forms"
    forms.mkdir(exist_ok=True)
    texts = files(made)
    if options.text:
        texts = {name: file for name, file in texts.items() if name in options.text.split(",")}
    write_forms(forms, texts)
    cells, samples = counted(options.folder, [options.utfkit, "--marked"], forms, texts, trace=options.cycles)
    if options.peer:
        of_peer = counted(options.folder, [options.peer], forms, texts, trace=options.cycles)
        cells, samples = cells | of_peer[0], samples | of_peer[1]
    if options.op:
        cells = {key: cell for key, cell in cells.items() if key[1] in options.op.split(",")}

    operations = list(dict.fromkeys(operation for _, operation, _ in cells))
    per_byte = {key: count / size for key, (count, size) in cells.items()}
    print(f"Instructions for a byte of input, utfkit ({options.compiler}):")
    print(table({(o, t): value for (l, o, t), value in per_byte.items() if l == OWN}, operations, texts))
    if options.peer:
        ratios = ratios_of(per_byte)
        print(f"\nThose of {options.peer_version}, divided by utfkit's; above 1 utfkit needs fewer:")
        print(table(ratios, operations, texts))
        below = sum(ratio < 1 for ratio in ratios.values())
        print(f"{len(ratios)} cells, {below} below 1, geometric mean {mean(ratios.values()):.3f}")

    version = subprocess.run([QEMU[0], "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout
    tools = f"{options.compiler}; {options.peer_version}"
    if not options.cycles:
        if options.csv:
            append(options.csv, f"qemu-aarch64 {version.split()[2]}; {tools}", options.run, "instructions/B", per_byte)
        return

    for processor in PROCESSORS:
        per_block = {}
        for key, value in per_byte.items():
            per_block[key] = 64 * value * cycles_of_instruction(text_of(samples[key]), processor)
        print(f"\nCycles for 64 bytes of input on {processor}, says llvm-mca, utfkit:")
        print(table({(o, t): value for (l, o, t), value in per_block.items() if l == OWN}, operations, texts))
        if options.peer:
            print("\nThose of the peer, divided by utfkit's:")
            print(table(ratios_of(per_block), operations, texts))
        if options.csv:
            append(options.csv, f"llvm-mca-22 -mcpu={processor}; {tools}", options.run, "cycles/64B", per_block)


if __name__ == "__main__":
    sys.exit(main())
