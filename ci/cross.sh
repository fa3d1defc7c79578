#!/usr/bin/env bash
# The library's tests on other machines than this one:
#
#     bash ci/cross.sh                     # on all of them
#     bash ci/cross.sh aarch64 s390x       # on some
#     bash ci/cross.sh --quick aarch64     # a chosen part of the tests
#     bash ci/cross.sh --install aarch64   # installs first what it needs
#
#     aarch64   NEON, and the command, under qemu-aarch64; the inlining gate
#     s390x     big-endian under qemu-s390x: the scalar codecs
#     i686      32 bits; this processor runs it
#     x86       x86-64 without the newest instructions, under qemu-x86_64
#     wasm      WebAssembly, under Node: ci/wasm.sh
#
# For a Debian machine of x86-64. What is missing is named; only `--install`
# installs, with apt-get. All but x86 use Debian's Rust (rustc-web): it comes
# with the sources of the standard library, and for some processors with that
# library compiled. Everything that is made or fetched lies in the target
# folder, below `cross`.
#
# An imitated processor takes ten times as long or more. So the long loops of
# the tests work on a share of their cases there; UTFKIT_TEST_SHARE=1 in the
# environment has them work on all.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec </dev/null

known=(aarch64 s390x i686 x86 wasm)
targets=() quick='' install=''
for word; do
    case $word in
    --quick) quick=yes ;;
    install | --install) install=yes ;;
    *)
        [[ " ${known[*]} " == *" $word "* ]] || { echo "no such machine: $word (there are: ${known[*]})" >&2; exit 2; }
        targets+=("$word")
        ;;
    esac
done
[ ${#targets[@]} != 0 ] || targets=("${known[@]}")

export CARGO_TERM_COLOR=never CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_TEST_DEBUG=0
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS RUSTDOCFLAGS RUSTC_WRAPPER CARGO_BUILD_TARGET UTFKIT_REQUIRE_ISA QEMU_CPU
native=${CARGO_TARGET_DIR:-target}
mkdir -p "$native/cross"
native=$(cd "$native" && pwd)
cross=$native/cross

# The part that `--quick` runs: every kernel, every length, both ends of memory
# that cannot be touched.
chosen=(api:: counts:: patterns:: random:: regressions::)

needs() { # target
    case $1 in
    aarch64) echo rustc-web cargo-web rust-web-src qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross ;;
    s390x) echo rustc-web cargo-web rust-web-src qemu-user gcc-s390x-linux-gnu libc6-dev-s390x-cross ;;
    i686) echo rustc-web cargo-web rust-web-src gcc-i686-linux-gnu libc6-dev-i386-cross ;;
    x86) echo qemu-user ;;
    wasm)
        # rust-web-llvm only points to the linker, which lld-22 has.
        echo rustc-web cargo-web rust-web-src rust-web-llvm lld-22 wasi-libc
        # It may come from elsewhere.
        command -v node >/dev/null || echo nodejs
        ;;
    esac
}

missing() { # target
    local package
    for package in $(needs "$1"); do
        if ! dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed'; then echo "$package"; fi
    done
}

install_packages() {
    local packages root=()
    packages=$(for target in "${targets[@]}"; do missing "$target"; done | sort -u)
    [ -n "$packages" ] || return 0
    [ "$(id -u)" = 0 ] || root=(sudo)
    # shellcheck disable=SC2086  # a list
    ${root[@]+"${root[@]}"} apt-get install --yes --no-install-recommends $packages ||
        { ${root[@]+"${root[@]}"} apt-get update && ${root[@]+"${root[@]}"} apt-get install --yes --no-install-recommends $packages; }
}

# Debian's cargo, apart from whatever other one there is.
debian() { # cargo's arguments
    CARGO_HOME=$cross/home CARGO_TARGET_DIR=$cross RUSTC=/usr/bin/rustc RUSTDOC=/usr/bin/rustdoc /usr/bin/cargo "$@"
}

# Prepares `debian` for a target: its linker, what runs its programs, and its
# standard library. Leaves in `told` what cargo is to be told.
prepare() { # target, Debian's name of the processor, its tools, runner
    local target=$1 processor=$2 tools=$3 runner=$4 name=${1//-/_} version
    name=${name^^}
    export "CARGO_TARGET_${name}_LINKER=$tools-gcc" "CARGO_TARGET_${name}_RUNNER=$runner"
    told=(--locked --target "$target")
    # Compiled by Debian, if apt knows that processor; that saves a minute.
    local compiled=$cross/std-$processor
    if [ ! -d "$compiled/usr/lib/rustlib/$target/lib" ]; then
        rm -rf "$compiled"
        mkdir -p "$compiled"
        version=$(dpkg-query -W -f '${Version}' rustc-web)
        if (cd "$compiled" && apt-get download "libstd-rust-web-dev:$processor=$version" 2>/dev/null); then
            dpkg -x "$compiled"/*.deb "$compiled"
            rm "$compiled"/*.deb
        fi
    fi
    if [ -d "$compiled/usr/lib/rustlib/$target/lib" ]; then
        export "CARGO_TARGET_${name}_RUSTFLAGS=--sysroot $compiled/usr"
    else
        told+=(-Z build-std=std,panic_unwind,test)
        export RUSTC_BOOTSTRAP=1
    fi
}

tests() { # cargo's arguments
    if [ -n "$quick" ]; then
        debian test "${told[@]}" -p utfkit --all-features --test guard
        debian test "${told[@]}" -p utfkit --all-features --test suite -- "${chosen[@]}"
    else
        debian test "${told[@]}" -p utfkit --all-features --lib --tests
    fi
}

on_aarch64() {
    prepare aarch64-unknown-linux-gnu arm64 aarch64-linux-gnu "qemu-aarch64 -L /usr/aarch64-linux-gnu"
    export UTFKIT_REQUIRE_ISA=scalar,neon UTFKIT_TEST_SHARE=${UTFKIT_TEST_SHARE-29}
    tests
    [ -z "$quick" ] || return 0
    debian run --locked --quiet -p utfkit-inlined -- "${told[@]:1}"
    command_runs qemu-aarch64 -L /usr/aarch64-linux-gnu
}

# The command itself: what it says of itself, and of a damaged file.
command_runs() { # runner
    local program=$cross/${told[2]}/debug/utfkit status=0
    debian build "${told[@]}" -p utfkit-cli
    "$@" "$program" --version --verbose
    "$@" "$program" check examples/damaged.txt || status=$?
    [ $status = 1 ] || { echo "the status is $status, not 1"; return 1; }
}

on_s390x() {
    prepare s390x-unknown-linux-gnu s390x s390x-linux-gnu "qemu-s390x -L /usr/s390x-linux-gnu"
    export UTFKIT_REQUIRE_ISA=scalar UTFKIT_TEST_SHARE=${UTFKIT_TEST_SHARE-29}
    # The scalar codecs gain little from more, and compiling takes the time.
    told+=(--config profile.dev.package.utfkit.opt-level=1)
    tests
}

on_i686() {
    local lib=/usr/i686-linux-gnu/lib
    prepare i686-unknown-linux-gnu i386 i686-linux-gnu "$lib/ld-linux.so.2 --library-path $lib"
    export UTFKIT_REQUIRE_ISA=scalar,ssse3 UTFKIT_TEST_SHARE=${UTFKIT_TEST_SHARE-1}
    tests
}

on_x86() {
    # The same programs for each processor, those of the ordinary tests.
    local programs processor isas seen
    cargo build --locked --release --bin utfkit
    cargo test --locked -p utfkit --all-features --test guard --test suite --no-run
    export UTFKIT_TEST_SHARE=${UTFKIT_TEST_SHARE-29}
    for processor in "core2duo,-ssse3 scalar" "Nehalem scalar,ssse3" "Haswell scalar,ssse3,avx2"; do
        read -r processor isas <<<"$processor"
        export QEMU_CPU=$processor UTFKIT_REQUIRE_ISA=$isas
        echo "--- $processor: $isas"
        seen=$(qemu-x86_64 "$native/release/utfkit" --version --verbose)
        echo "$seen"
        export CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER=qemu-x86_64
        cargo test --locked -p utfkit --all-features --test guard
        cargo test --locked -p utfkit --all-features --test suite -- "${chosen[@]}"
    done
}

on_wasm() {
    bash ci/wasm.sh ${quick:+--quick}
}

run() { # target
    local lacks
    lacks=$(missing "$1")
    if [ -n "$lacks" ]; then
        echo "missing packages (--install installs them):" $lacks
        return 1
    fi
    "on_$1"
}

[ -z "$install" ] || install_packages
summary=() failed=0
for target in "${targets[@]}"; do
    echo "=== $target"
    start=$SECONDS status=0
    set +e
    (set -e; run "$target") 2>&1
    status=$?
    set -e
    if [ $status = 0 ]; then outcome=passed; else outcome=FAILED failed=1; fi
    summary+=("$target: $outcome, $((SECONDS - start)) s")
done
printf '%s\n' "${summary[@]}"
exit $failed
