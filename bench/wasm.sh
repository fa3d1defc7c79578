#!/usr/bin/env bash
# utfkit beside its peers as WebAssembly with simd128, timed in Node:
#
#     bash bench/wasm.sh                       # the tables of the bench
#     bash bench/wasm.sh --run NAME --csv bench/results/wasm.csv
#     bash bench/wasm.sh --op =8-16 --text arabic --peer =simdutf
#     bash bench/wasm.sh --install             # installs first what it needs
#
# Everything but --install is passed on to the bench: --help lists it. It is the
# same program as elsewhere, compiled for WASI: utfkit, the peers in Rust and
# simdutf's C++ are in one module, one memory. `node` is Node's own TextDecoder and
# TextEncoder.
#
# It needs Node 20 and of Debian 12 a Rust compiler with the source of its standard
# library, and clang with the C and C++ libraries for WASI. Everything it makes or
# fetches is in the target folder, below `wasm`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec </dev/null

install='' passed=()
while [ $# != 0 ]; do
    case $1 in
    --install) install=yes ;;
    # By its full name: the program sees the repository by that, and nothing else.
    --csv) passed+=(--csv "$(realpath "${2?"--csv what?"}")"); shift ;;
    *) passed+=("$1") ;;
    esac
    shift
done
needed=(rustc-web cargo-web rust-web-src rust-web-llvm lld-22 wasi-libc clang-19 libc++-19-dev-wasm32 libclang-rt-19-dev-wasm32)
command -v node >/dev/null || needed+=(nodejs)
source ci/debian.sh
# shellcheck disable=SC2207  # names without spaces
lacks=($(not_installed "${needed[@]}"))
if [ ${#lacks[@]} != 0 ]; then
    [ -n "$install" ] || { echo "missing packages (--install installs them): ${lacks[*]}" >&2; exit 1; }
    install_all "${lacks[@]}"
fi
source ci/wasi.sh

# The optimising compiler from the first call on: otherwise it comes to each function
# after some thousand calls.
export CARGO_TARGET_WASM32_WASIP1_RUNNER="${node[*]} --no-liftoff $repository/bench/wasm.mjs"
# Exceptions are not to be had, and simdutf throws none.
export CXX=clang++-19 CXXFLAGS="--target=wasm32-wasi -O3 -msimd128 -fno-exceptions"
link+=(-L native=/usr/lib/llvm-19/lib/wasm32-wasi -l static=c++ -l static=c++abi)
export CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS="-C target-feature=+simd128 ${link[*]}"

processor=$(awk -F '\t*: ' '
    /^(model name|cpu family|model)\t*:/ && !($1 in of) { of[$1] = $2 }
    END { if ("model name" in of) printf "%s (family %s, model %s)", of["model name"], of["cpu family"], of["model"] }
' /proc/cpuinfo)
engine=$(node --print '`Node ${process.versions.node}, V8 ${process.versions.v8.split(".", 2).join(".")}`')
export UTFKIT_BENCH_PROCESSOR="${processor:-$(uname -m)}, $engine"

/usr/bin/cargo run --quiet --release --locked -Z build-std=std,panic_abort --target wasm32-wasip1 \
    --manifest-path bench/Cargo.toml --target-dir "$out/bench" -- ${passed[@]+"${passed[@]}"}
