#!/usr/bin/env bash
# Counts the instructions of the library on AArch64, compared with simdutf:
#
#     bash ci/instructions/aarch64/run.sh                       # a table
#     bash ci/instructions/aarch64/run.sh --run NAME --csv bench/results/neon.csv
#     bash ci/instructions/aarch64/run.sh --op 16-8 --own       # one operation, utfkit alone
#     bash ci/instructions/aarch64/run.sh --cycles --text Arabic,Chinese    # by llvm-mca: a second for each cell
#     bash ci/instructions/aarch64/run.sh --install             # installs first what it needs
#
# For Debian on x86-64. Both libraries are compiled for AArch64 and run by
# qemu-aarch64 with a counting plugin (count.c), so counts are exact and
# reproducible. Instructions are not time. All output is in `cross` in the
# target folder.
#
# simdutf is the C++ source in the crate `simdutf`, in the version of
# bench/Cargo.lock; SIMDUTF=FOLDER names a folder with another simdutf.cpp and
# simdutf.h. It is built with -O3 by CXX or aarch64-linux-gnu-g++.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
exec </dev/null
here=ci/instructions/aarch64

own='' install='' cycles=() passed=()
while [ $# != 0 ]; do
    case $1 in
    --own) own=yes ;;
    --install) install=yes ;;
    --cycles) cycles=(--cycles) ;;
    --run | --csv | --op | --text) passed+=("$1" "${2?"$1 what?"}"); shift ;;
    *) sed -n '2,18s/^# \{0,1\}//p' "$here/run.sh" >&2; exit 2 ;;
    esac
    shift
done

source ci/debian.sh
needed=(rustc-web cargo-web rust-web-src qemu-user gcc g++-aarch64-linux-gnu libc6-dev-arm64-cross python3)
[ ${#cycles[@]} = 0 ] || needed+=(llvm-22)
# shellcheck disable=SC2207  # names without spaces
lacks=($(not_installed "${needed[@]}"))
if [ ${#lacks[@]} != 0 ]; then
    [ -n "$install" ] || { echo "missing packages (--install installs them): ${lacks[*]}" >&2; exit 1; }
    install_all "${lacks[@]}"
fi

qemu=(qemu-aarch64 -L /usr/aarch64-linux-gnu)
prepare aarch64-unknown-linux-gnu arm64 aarch64-linux-gnu "${qemu[*]}"
out=$cross/instructions
mkdir -p "$out/texts"
gcc -O2 -Wall -shared -fPIC -o "$out/count.so" "$here/count.c"
debian build --quiet --release "${told[@]}" -p utfkit-instructions
utfkit=$cross/${told[2]}/release/utfkit-instructions

if [ -z "$own" ]; then
    if [ -z "${SIMDUTF-}" ]; then
        # Cargo only downloads it, as a dependency.
        export CARGO_HOME=$cross/home
        cargo fetch --quiet --locked --manifest-path bench/Cargo.toml
        SIMDUTF=$(ls -d "$CARGO_HOME"/registry/src/*/simdutf-[0-9]*/cpp | tail -n 1)
    fi
    cxx=${CXX:-aarch64-linux-gnu-g++}
    version=$(sed -n 's/^#define SIMDUTF_VERSION "\(.*\)"/\1/p' "$SIMDUTF/simdutf.h")
    built="$out/simdutf-$version-$($cxx -dumpversion)"
    if [ ! -e "$built.o" ]; then
        echo "simdutf $version is compiled" >&2
        $cxx -std=c++20 -O3 -c -o "$built.o" "$SIMDUTF/simdutf.cpp"
    fi
    $cxx -std=c++20 -O3 -I "$SIMDUTF" -o "$out/simdutf" "$here/simdutf.cpp" "$built.o"
    passed+=(--peer "$out/simdutf" --peer-version "simdutf $version by $(basename "$cxx") $($cxx -dumpfullversion -dumpversion)")
fi

"${qemu[@]}" "$utfkit" --texts "$out/texts"
python3 "$here/table.py" --folder "$out" --utfkit "$utfkit" --compiler "$(/usr/bin/rustc --version | cut -d" " -f1,2)" \
    ${cycles[@]+"${cycles[@]}"} ${passed[@]+"${passed[@]}"}
