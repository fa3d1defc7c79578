#!/usr/bin/env bash
# Runs the library's tests as WebAssembly in Node, with the kernels for simd128
# and without.
#
#     bash ci/wasm.sh               # all tests of the library
#     bash ci/wasm.sh --quick       # a part of them, with simd128
#
# Needs Node 20 and, from Debian 12, a Rust compiler with the sources of its
# standard library and a C library for WASI: bash ci/cross.sh --install wasm.
# All output is in target/wasm. Third-party test data is read from ../shared or
# UTFKIT_SHARED, if present.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

part=all
case ${1-} in
'') ;;
--quick) part=quick ;;
*) sed -n '2,11s/^# \{0,1\}//p' ci/wasm.sh >&2; exit 2 ;;
esac
filters=()

source ci/wasi.sh
export CARGO_TARGET_WASM32_WASIP1_RUNNER="${node[*]} $repository/ci/wasi.mjs"

# Cargo for WASI, with or without simd128, with separate target folders.
for_wasi() { # feature, subcommand, argument...
    local feature=$1 subcommand=$2
    shift 2
    CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS="-C target-feature=$feature ${link[*]}" \
        /usr/bin/cargo "$subcommand" --locked -Z build-std=std,panic_abort,test \
        --target wasm32-wasip1 --target-dir "$out/$feature" --all-features "$@"
}

# Runs the tests of one build on each of its instruction sets. A panic ends the
# program at once, so output is not captured, or it would be lost.
tests() { # instruction set, feature, which tests
    local isa=$1 feature=$2 log=$out/$1.log start=$SECONDS
    shift 2
    echo "=== the tests, on $isa"
    UTFKIT_REQUIRE_ISA=$isa UTFKIT_TEST_SHARE=${UTFKIT_TEST_SHARE-1} for_wasi "$feature" test "$@" -- --nocapture ${filters[@]+"${filters[@]}"} >"$log" 2>&1 || {
        tail -n 40 "$log"
        echo "FAILED on $isa; all of it is in $log" >&2
        exit 1
    }
    awk -v isa="$isa" -v seconds=$((SECONDS - start)) '
        /^test result: ok\. / { programs++; passed += $4; ignored += $8 }
        END {
            if (!passed) { print "no test was run"; exit 1 }
            printf "%s: %d tests passed in %d programs, %d ignored, %d s\n", isa, passed, programs, ignored, seconds
        }' "$log" | tee -a "$out/summary"
}

# Without std, for programs on the web, which have no system.
without_std() {
    local start=$SECONDS
    echo "=== without std"
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="-C target-feature=+simd128" \
        /usr/bin/cargo check --locked -Z build-std=core,alloc --target wasm32-unknown-unknown \
        --target-dir "$out/bare" -p utfkit --no-default-features
    echo "without std: checked, $((SECONDS - start)) s" | tee -a "$out/summary"
}

/usr/bin/rustc --version
echo "Node $(node --version)"
: >"$out/summary"
case $part in
quick)
    filters=(api:: patterns::)
    tests simd128 +simd128 -p utfkit --test suite
    without_std
    ;;
all)
    library=(-p utfkit -p utfkit-core -p utfkit-detect -p utfkit-diagnose -p utfkit-forms -p utfkit-io -p utfkit-text --lib --tests)
    tests simd128 +simd128 "${library[@]}"
    tests scalar -simd128 "${library[@]}"
    without_std
    ;;
esac
echo "=== wasm"
cat "$out/summary"
echo "passed, $SECONDS s"
