#!/usr/bin/env bash
# Detects memory accesses out of bounds, in two ways:
#
#     bash ci/memory.sh                 # both
#     bash ci/memory.sh asan            # AddressSanitizer over the library's tests; needs a nightly Rust
#     bash ci/memory.sh valgrind        # memcheck over some of them, on AVX2; needs valgrind
#     bash ci/memory.sh asan owned      # of crates/utfkit/tests/suite only these modules
#
# AddressSanitizer checks the compiler's output, including intrinsics. memcheck
# checks the executed instructions and also detects uninitialized bytes, but is
# thirty times slower; the long loops of the tests run a share of their cases,
# set by UTFKIT_TEST_SHARE. Valgrind does not support AVX-512.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS
target=${CARGO_TARGET_DIR:-target}
host=$(rustc -vV | sed -n 's/^host: //p')
# Line tables suffice for backtraces.
: "${CARGO_PROFILE_DEV_DEBUG=line-tables-only}" "${CARGO_PROFILE_TEST_DEBUG=line-tables-only}"
export CARGO_PROFILE_DEV_DEBUG CARGO_PROFILE_TEST_DEBUG

asan() {
    local chosen=(--lib --tests)
    if [ $# -gt 0 ]; then chosen=(--test suite -- "${@/%/::}"); fi
    # With `--target`, so that build scripts and macros are not instrumented.
    UTFKIT_TEST_SHARE=${UTFKIT_TEST_SHARE-1} RUSTFLAGS="-Zsanitizer=address" cargo +nightly test --locked \
        -p utfkit -p utfkit-core -p utfkit-detect -p utfkit-diagnose -p utfkit-forms -p utfkit-io -p utfkit-text --all-features --target "$host" --target-dir "$target/asan" "${chosen[@]}"
}

# The tests that run kernels up to the end of an allocation, at every length,
# and the tests that read the output back.
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
