#!/usr/bin/env bash
# Generates crates/utfkit-c/include/utfkit.h from the crate's sources with
# cbindgen.
#
#     bash ci/c-header.sh             # writes it
#     bash ci/c-header.sh --check     # says whether it is what is committed
#     bash ci/c-header.sh --install   # gets cbindgen, a few minutes
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../crates/utfkit-c"
if [ "${1-}" = --install ]; then exec cargo install cbindgen@0.29.4 --locked; fi
command -v cbindgen >/dev/null || { echo "left out, cbindgen is missing: bash ci/c-header.sh --install"; exit 0; }
# cbindgen has rustc expand macros, which a stable compiler does only with RUSTC_BOOTSTRAP.
make() {
    RUSTC_BOOTSTRAP=1 cbindgen --quiet --config cbindgen.toml . | sed '/^\/\/ # Safety$/ { N; s/.*/\/\/ Preconditions:/ }'
}
if [ "${1-}" = --check ]; then
    diff <(make) include/utfkit.h || { echo "include/utfkit.h is not what the sources say: bash ci/c-header.sh"; exit 1; }
    echo "include/utfkit.h is what the sources say"
else
    make >include/utfkit.h.new
    mv include/utfkit.h.new include/utfkit.h
fi
