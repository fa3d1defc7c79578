#!/usr/bin/env bash
# Looks for reads and writes outside of memory, in two ways:
#
#     bash ci/memory.sh                 # both
#     bash ci/memory.sh asan            # AddressSanitizer over the library's tests; needs a nightly Rust
#     bash ci/memory.sh valgrind        # memcheck over some of them, on AVX2; needs valgrind
#     bash ci/memory.sh asan owned      # of crates/utfkit/tests/suite only these modules
#
# AddressSanitizer sees what the compiler emitted, intrinsics included; memcheck
# sees what the processor was told, and bytes that were never written as well,
# and is thirty times slower: of the long loops it gets a share of the cases,
# which UTFKIT_TEST_SHARE in the environment makes another. Valgrind hides
# AVX-512.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS
target=${CARGO_TARGET_DIR:-target}
host=$(rustc -vV | sed -n 's/^host: //p')
# Line tables are enough to name a place.
: "${CARGO_PROFILE_DEV_DEBUG=line-tables-only}" "${CARGO_PROFILE_TEST_DEBUG=line-tables-only}"
export CARGO_PROFILE_DEV_DEBUG CARGO_PROFILE_TEST_DEBUG

asan() {
    local chosen=(--lib --tests)
    if [ $# -gt 0 ]; then chosen=(--test suite -- "${@/%/::}"); fi
    # With `--target`, or build scripts and macros would be instrumented too.
    UTFKIT_TEST_SHARE=${UTFKIT_TEST_SHARE-1} RUSTFLAGS="-Zsanitizer=address" cargo +nightly test --locked -p utfkit --all-features \
        --target "$host" --target-dir "$target/asan" "${chosen[@]}"
}

# Those that put the end of an allocation after what kernels read and write,
# at every length, and those that read back what was written.
quick=(owned capacity counts random patterns regressions chunks stream transcode)

memcheck() {
    local chosen=("$@")
    if [ $# -eq 0 ]; then chosen=("${quick[@]}"); fi
    local program
    program=$(cargo test --locked -p utfkit --all-features --no-run --message-format=json --test suite |
        python3 -c '
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message.get("executable") and message["profile"]["test"]:
        print(message["executable"])')
    cd crates/utfkit
    UTFKIT_REQUIRE_ISA=avx2 UTFKIT_TEST_SHARE=${UTFKIT_TEST_SHARE-97} \
        valgrind --quiet --error-exitcode=1 --exit-on-first-error=yes "$program" "${chosen[@]/%/::}"
}

case ${1-} in
    asan) shift && asan "$@" ;;
    valgrind) shift && memcheck "$@" ;;
    "") asan && memcheck ;;
    *) echo "usage: bash ci/memory.sh [asan | valgrind] [MODULE…]" >&2 && exit 2 ;;
esac
