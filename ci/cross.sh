#!/usr/bin/env bash
# Runs the library's tests for other machines:
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
#     windows   x86-64, library and command, under Wine
#     macos     both processors, checked only
#
# For Debian on x86-64. Missing packages are listed; only `--install` installs
# them, with apt-get. All but x86 use Debian's Rust (rustc-web), which includes
# the sources of the standard library and, for some targets, a compiled one. All
# output is in `cross` in the target folder.
#
# Emulation is at least ten times slower, so the long loops of the tests run
# only a share of their cases; UTFKIT_TEST_SHARE=1 runs all.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec </dev/null

known=(aarch64 s390x i686 x86 wasm windows macos)
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

source ci/debian.sh

# The tests of `--quick`: every kernel, every length, both guard pages.
chosen=(api:: counts:: patterns:: random:: regressions::)
# Those of the command: what is written over, how it is found and taken back.
of_windows=(windows:: same_file:: convert:: auto:: walk::)
of_windows+=(names::names_that_were names::no_name names::nothing_is_lost files::a_backup files::hard_links)

needs() { # target
    case $1 in
    aarch64) echo rustc-web cargo-web rust-web-src qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross ;;
    s390x) echo rustc-web cargo-web rust-web-src qemu-user gcc-s390x-linux-gnu libc6-dev-s390x-cross ;;
    i686) echo rustc-web cargo-web rust-web-src gcc-i686-linux-gnu libc6-dev-i386-cross ;;
    x86) echo qemu-user ;;
    windows) echo rustc-web cargo-web rust-web-src gcc-mingw-w64-x86-64 wine64 ;;
    macos) echo rustc-web cargo-web rust-web-src ;;
    wasm)
        # rust-web-llvm only points to the linker, which lld-22 provides.
        echo rustc-web cargo-web rust-web-src rust-web-llvm lld-22 wasi-libc
        # It can be installed from elsewhere.
        command -v node >/dev/null || echo nodejs
        ;;
    esac
}

# shellcheck disable=SC2046  # a list
missing() { not_installed $(needs "$1"); } # target

tests() { # cargo's arguments
    if [ -n "$quick" ]; then
        debian test "${told[@]}" -p utfkit --all-features --test guard
        debian test "${told[@]}" -p utfkit --all-features --test suite -- "${chosen[@]}"
    else
        debian test "${told[@]}" -p utfkit -p utfkit-core -p utfkit-detect -p utfkit-diagnose -p utfkit-forms -p utfkit-io -p utfkit-text --all-features --lib --tests
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

# The command: version and check of a damaged file.
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
    # Scalar codecs gain little from optimisation, and compiling takes most of
    # the time.
    told+=(--config profile.dev.package.utfkit-core.opt-level=1)
    tests
}

on_i686() {
    local lib=/usr/i686-linux-gnu/lib
    prepare i686-unknown-linux-gnu i386 i686-linux-gnu "$lib/ld-linux.so.2 --library-path $lib"
    export UTFKIT_REQUIRE_ISA=scalar,ssse3 UTFKIT_TEST_SHARE=${UTFKIT_TEST_SHARE-1}
    tests
}

on_x86() {
    # The programs of the ordinary tests, for each target.
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

# The plan of `fix` on a console of Windows: the same for every code page. Wine makes one of
# the terminal.
console_shows() { # Wine
    local folder page part shown program
    program=Z:${cross//\//\\}\\x86_64-pc-windows-gnu\\debug\\utfkit.exe
    folder=$(mktemp -d)
    mkdir "$folder/f"
    printf '%s\n' 'Привет, мир! Как дела? Спасибо, хорошо.'{,,,,} | iconv -f UTF-8 -t KOI8-R >"$folder/f/Содержание.txt"
    printf '%s\n' '吾輩は猫である。名前はまだ無い。'{,,,,} | iconv -f UTF-8 -t SHIFT_JIS >"$folder/f/日本語 表.txt"
    for page in 850 932; do
        shown=$(cd "$folder" && LC_ALL=C.UTF-8 NO_COLOR=1 timeout 300 \
            script --quiet --command "'$1' cmd /c 'chcp $page & $program fix f <NUL'" /dev/null | tr -d '\r')
        for part in "Active code page: $page" 'f\Содержание.txt' '+ Привет, мир!' 'f\日本語 表.txt' '+ 吾輩は猫である。' '2 files to change'; do
            grep -qF -- "$part" <<<"$shown" || { echo "a console of code page $page does not show '$part':"; echo "$shown"; return 1; }
        done
        echo "a console of code page $page shows the plan"
    done
    rm -r "$folder"
}

on_windows() {
    local prefix=$cross/wine shim=$cross/bcryptprimitives wine=/usr/lib/wine/wine64
    prepare x86_64-pc-windows-gnu '' x86_64-w64-mingw32 "$wine"
    # Its own folder of Windows, without the parts that would be downloaded.
    export WINEPREFIX=$prefix WINEDEBUG=-all WINEDLLOVERRIDES="mscoree=;mshtml="
    if [ ! -e "$prefix/drive_c/windows/system32/bcryptprimitives.dll" ]; then
        "$wine" wineboot --init
        # Where Rust takes random numbers from; Wine 8 has none of that name.
        cat >"$shim.c" <<'C'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID to, ULONG len); /* RtlGenRandom */
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE to, SIZE_T len) {
    return len <= 0xFFFFFFFF && SystemFunction036(to, (ULONG)len);
}
C
        x86_64-w64-mingw32-gcc -shared -O -o "$shim.dll" "$shim.c" -ladvapi32
        cp "$shim.dll" "$prefix/drive_c/windows/system32/bcryptprimitives.dll"
    fi
    export UTFKIT_TEST_SHARE=${UTFKIT_TEST_SHARE-101}
    if [ -n "$quick" ]; then
        # One of them starts thousands of programs, which takes Wine minutes.
        debian test "${told[@]}" -p utfkit-cli --test suite -- "${of_windows[@]}" --skip the_shared_texts
        console_shows "$wine"
        return
    fi
    debian test "${told[@]}" -p utfkit-gate -p utfkit-cli --lib --tests
    console_shows "$wine"
    debian test "${told[@]}" -p utfkit -p utfkit-core -p utfkit-detect -p utfkit-diagnose -p utfkit-forms -p utfkit-io -p utfkit-text --all-features --lib --tests
}

on_macos() {
    local target
    for target in x86_64-apple-darwin aarch64-apple-darwin; do
        # Without a linker for it.
        RUSTC_BOOTSTRAP=1 debian check --locked --target "$target" -Z build-std=std,panic_unwind -p utfkit-cli --lib --bins
    done
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

# shellcheck disable=SC2046  # a list
[ -z "$install" ] || install_all $(for target in "${targets[@]}"; do missing "$target"; done | sort -u)
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
