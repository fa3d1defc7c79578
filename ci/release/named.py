#!/usr/bin/env python3
"""Names the repository in a clone, for its packages: named.py URL VERSION.

Fills in the address that stands for it, and makes the links of the page that PyPI shows absolute: unlike crates.io,
it resolves none. The other pages have no relative links.
"""

import re
import subprocess
import sys
from pathlib import Path

url, version = sys.argv[1].rstrip("/"), sys.argv[2]
stands_for_it = "https://repository.invalid/utfkit"

found = subprocess.run(["git", "grep", "-lz", stands_for_it, "--", ":!ci"], check=True, capture_output=True, text=True)
for name in found.stdout.split("\0")[:-1]:
    text = Path(name).read_text("utf-8")
    Path(name).write_text(text.replace(stands_for_it, url), "utf-8")

page = Path("crates/utfkit-python/docs/python.md")


def absolute(link: re.Match) -> str:
    path, anchor, section = link[2].partition("#")
    if ":" in path or not path:
        return link[0]
    file = (page.parent / path).resolve().relative_to(Path.cwd())
    kind = "raw" if link[1].startswith("!") else "blob"
    return f"{link[1]}({url}/{kind}/v{version}/{file.as_posix()}{anchor}{section})"


page.write_text(re.sub(r"(!?\[[^][]*\])\(([^()\s]+)\)", absolute, page.read_text("utf-8")), "utf-8")
