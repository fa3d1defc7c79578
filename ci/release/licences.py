#!/usr/bin/env python3
"""Prints the licences of the crates that are in the command: licences.py TRIPLE, from the root of the repository."""

import json
import subprocess
import sys
from pathlib import Path

arguments = ["cargo", "metadata", "--locked", "--format-version=1", f"--filter-platform={sys.argv[1]}"]
metadata = json.loads(subprocess.run(arguments, check=True, capture_output=True).stdout)
packages = {package["id"]: package for package in metadata["packages"]}
nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}

inside = set()
left = [package["id"] for package in metadata["packages"] if package["name"] == "utfkit-cli"]
while left:
    package = left.pop()
    if package not in inside:
        inside.add(package)
        dependencies = nodes[package]["deps"]
        left += [d["pkg"] for d in dependencies if any(kind["kind"] is None for kind in d["dep_kinds"])]

texts = {}
names = ("licen[cs]e*", "LICEN[CS]E*", "COPYING*", "UNLICENSE*", "NOTICE*")
for package in sorted((packages[i] for i in inside), key=lambda package: package["name"]):
    if package["source"] is None:
        continue
    folder = Path(package["manifest_path"]).parent
    line = f"{package['name']} {package['version']} ({package['license']})"
    found = sorted({file for name in names for file in folder.glob(name) if file.is_file()})
    for text in [file.read_text("utf-8", "replace").strip() for file in found] or ["(no text in the package)"]:
        texts.setdefault(text, []).append(line)

print("The command includes these crates; each licence text follows the crates that it belongs to.")
for text, crates in sorted(texts.items(), key=lambda item: item[1]):
    print("", "=" * 80, *crates, "", text, sep="\n")
