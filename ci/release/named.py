#!/usr/bin/env python3
"""Names the repository in every package of a clone: named.py URL VERSION.

Writes `repository` and `homepage` (for programs also `documentation`) into the manifests, `project.urls` into each
pyproject.toml, and makes the links of the pages that PyPI shows absolute: unlike crates.io, it resolves none.
"""

import re
import subprocess
import sys
from pathlib import Path

url, version = sys.argv[1].rstrip("/"), sys.argv[2]
tracked = subprocess.run(["git", "ls-files", "-z"], check=True, capture_output=True, text=True).stdout.split("\0")

for manifest in (Path(name) for name in tracked if name.split("/")[-1] == "Cargo.toml"):
    text = manifest.read_text("utf-8")
    head, package, rest = text.partition("[package]\n")
    if not package:
        continue
    rest = re.sub(r"^(repository|homepage|documentation)\b.*\n", "", rest, flags=re.M)
    named = f'repository = "{url}"\nhomepage = "{url}"\n'
    # docs.rs has the pages of libraries.
    if re.search(r"^(\[\[bin\]\]|crate-type)", rest, re.M):
        named += f'documentation = "{url}#readme"\n'
    manifest.write_text(head + package + named + rest, "utf-8")

for project in (Path(name) for name in tracked if name.split("/")[-1] == "pyproject.toml"):
    text = project.read_text("utf-8")
    urls = f'[project.urls]\nRepository = "{url}"\nChangelog = "{url}/blob/v{version}/CHANGELOG.md"\n'
    project.write_text(text.replace("\n[tool.maturin]", f"\n{urls}\n[tool.maturin]", 1), "utf-8")
    page = project.parent / re.search(r'^readme = "(.*)"', text, re.M)[1]

    def absolute(link: re.Match) -> str:
        path, anchor, section = link[2].partition("#")
        if ":" in path or not path:
            return link[0]
        file = (page.parent / path).resolve().relative_to(Path.cwd())
        kind = "raw" if link[1].startswith("!") else "blob"
        return f"{link[1]}({url}/{kind}/v{version}/{file.as_posix()}{anchor}{section})"

    page.write_text(re.sub(r"(!?\[[^][]*\])\(([^()\s]+)\)", absolute, page.read_text("utf-8")), "utf-8")
