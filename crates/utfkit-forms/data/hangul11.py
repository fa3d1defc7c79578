#!/usr/bin/env python3
"""The Hangul syllables of Unicode 1.1, from a list of where each of them went.

    python3 hangul11.py LIST    # writes hangul11.bin

A line of the list is a code point of Unicode 1.1, a tab, and the code point since
Unicode 2.0, in hexadecimal; fields after these and lines that begin with # do not
count. The file has the new code points in the order of the old ones, U+3400 to
U+4DFF, in 16 bits each, little-endian.
"""

import struct
import sys
from pathlib import Path

FILE = Path(__file__).parent / "hangul11.bin"


def read(path):
    lines = [line.split("\t") for line in path.read_text().splitlines() if not line.startswith("#")]
    syllables = [int(new, 16) for _, new, *_ in lines]
    assert [int(old, 16) for old, *_ in lines] == list(range(0x3400, 0x4E00)), "a syllable is missing or out of order"
    assert all(0xAC00 <= new <= 0xD7A3 for new in syllables), "not a Hangul syllable"
    assert len(set(syllables)) == len(syllables), "a syllable is there twice"
    return syllables


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    FILE.write_bytes(b"".join(struct.pack("<H", syllable) for syllable in read(Path(sys.argv[1]))))
