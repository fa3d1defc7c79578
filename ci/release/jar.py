"""Packs a jar whose bytes depend on its contents alone: entries in order of their names, one date, no owner.

    python3 ci/release/jar.py OUT VERSION CLASSES RESOURCES [PLATFORM=LIBRARY ...]

CLASSES and RESOURCES are folders whose files go into the jar. A PLATFORM is the name of a folder below
`utfkit/native`, such as linux-x86_64.
"""

import hashlib
import sys
import zipfile
from pathlib import Path

out, version, *rest = sys.argv[1:]
folders, libraries = [], {}
for each in rest:
    platform, equals, path = each.partition("=")
    if equals:
        libraries[platform] = Path(path)
    else:
        folders.append(Path(each))

root = Path(__file__).parents[2]
manifest = f"""Manifest-Version: 1.0
Automatic-Module-Name: utfkit
Implementation-Title: utfkit
Implementation-Version: {version}
"""
entries = {
    "META-INF/MANIFEST.MF": manifest.replace("\n", "\r\n").encode(),
    "META-INF/LICENSE-MIT": (root / "LICENSE-MIT").read_bytes(),
    "META-INF/LICENSE-APACHE": (root / "LICENSE-APACHE").read_bytes(),
    "utfkit/native/version": version.encode(),
}
for folder in folders:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            entries[path.relative_to(folder).as_posix()] = path.read_bytes()
sums = ""
for platform, path in sorted(libraries.items()):
    name = f"{platform}/" + ("utfkit_jvm.dll" if platform.startswith("windows") else "libutfkit_jvm.so")
    entries["utfkit/native/" + name] = path.read_bytes()
    sums += f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {name}\n"
entries["utfkit/native/SHA256SUMS"] = sums.encode()

with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as jar:
    # The manifest has to come first.
    for name in sorted(entries, key=lambda name: (name != "META-INF/MANIFEST.MF", name)):
        entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = 0o644 << 16
        entry.create_system = 3
        jar.writestr(entry, entries[name])
