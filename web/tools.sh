# What web/build.sh and web/test.sh need; sourced from the root of the repository.
# All output is in `web` in the target folder.

out=${CARGO_TARGET_DIR:-target}/web
mkdir -p "$out"
out=$(cd "$out" && pwd)

apt_packages=(rustc-web cargo-web rust-web-src lld-22 binaryen brotli nodejs npm chromium firefox-esr)

missing_to_build() {
    local missing=()
    [ -x /usr/bin/rustc ] && [ -x /usr/bin/cargo ] || missing+=(rustc-web cargo-web)
    compgen -G "/usr/src/rustc-*/library/core" >/dev/null || missing+=(rust-web-src)
    [ -x /usr/bin/wasm-ld-22 ] || missing+=(lld-22)
    command -v wasm-opt >/dev/null || missing+=(binaryen)
    node --eval 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' 2>/dev/null || missing+=("nodejs (20 or newer)")
    echo "${missing[*]}"
}

install_tools() {
    source ci/debian.sh
    local wanted
    # Another Node may be on the path.
    if node --version >/dev/null 2>&1; then apt_packages=("${apt_packages[@]/#nodejs/}"); apt_packages=("${apt_packages[@]/#npm/}"); fi
    # shellcheck disable=SC2207,SC2086,SC2068  # a list
    wanted=($(not_installed ${apt_packages[@]}))
    [ ${#wanted[@]} = 0 ] || install_all "${wanted[@]}"
}

# Debian's cargo for one of the targets without a system, with a CARGO_HOME of its own. The standard
# library is compiled too, which a stable compiler allows only with RUSTC_BOOTSTRAP: without
# messages of panics, and where there is a choice, for size.
wasm_cargo() { # subcommand, +simd128 or -simd128, arguments
    local subcommand=$1 feature=$2
    shift 2
    local flags="-C target-feature=$feature,+bulk-memory -C linker-flavor=wasm-lld -C panic=immediate-abort -Z unstable-options -Z location-detail=none"
    # No path of this machine is in the modules.
    flags+=" --remap-path-prefix=$PWD=utfkit --remap-path-prefix=${UTFKIT_WEB_CARGO:-$out/cargo}=cargo"
    env -u RUSTFLAGS -u CARGO_ENCODED_RUSTFLAGS -u RUSTC_WRAPPER -u RUSTUP_TOOLCHAIN -u CARGO_BUILD_TARGET \
        CARGO_HOME="${UTFKIT_WEB_CARGO:-$out/cargo}" CARGO_INCREMENTAL=0 RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 \
        CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=/usr/bin/wasm-ld-22 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="$flags" \
        /usr/bin/cargo "$subcommand" --quiet --locked --profile wasm --target wasm32-unknown-unknown \
        -Z build-std=std,panic_abort -Z build-std-features=optimize_for_size \
        --target-dir "$out/cargo-$feature" -p utfkit-wasm "$@"
}
