#!/usr/bin/env bash
# Makes crates/utfkit-c/include/utfkit.h of that crate's sources, by cbindgen.
#
#     bash ci/c-header.sh             # writes it
#     bash ci/c-header.sh --check     # says whether it is what is committed
#     bash ci/c-header.sh --install   # gets cbindgen, a few minutes
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../crates/utfkit-c"
if [ "${1-}" = --install ]; then exec cargo install cbindgen@0.29.4 --locked; fi
command -v cbindgen >/dev/null || { echo "left out, cbindgen is missing: bash ci/c-header.sh --install"; exit 0; }
# What C is told of "Safety" stands once, at the top.
make() {
    cbindgen --quiet --config cbindgen.toml . | awk '
        /^ *# Safety$/ { skip = 1; held = ""; next }
        /^ *\*\/$/ { skip = 0 }
        skip { next }
        /^ *$/ { held = held $0 "\n"; next }
        { printf "%s%s\n", held, $0; held = "" }'
}
if [ "${1-}" = --check ]; then
    diff <(make) include/utfkit.h || { echo "include/utfkit.h is not what the sources say: bash ci/c-header.sh"; exit 1; }
    echo "include/utfkit.h is what the sources say"
else
    make >include/utfkit.h.new
    mv include/utfkit.h.new include/utfkit.h
fi
