#!/usr/bin/env bash
# Builds the npm package `utfkit` and the page:
#
#     bash web/build.sh                  # both: target/web/utfkit and target/web/page
#     bash web/build.sh package          # the package alone, which needs no npm
#     bash web/build.sh --install        # installs first what apt and npm have for it
#
# Needs Debian's Rust for WebAssembly (rustc-web cargo-web rust-web-src lld-22) and
# binaryen; for the page also Node 20 and the tools of web/package.json.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec </dev/null

what=all install=''
for word; do
    case $word in
    --install) install=yes ;;
    package) what=package ;;
    *) sed -n '2,9s/^# \{0,1\}//p' web/build.sh >&2; exit 2 ;;
    esac
done
source web/tools.sh
[ -z "$install" ] || install_tools
needed=$(missing_to_build)
[ -z "$needed" ] || { echo "not installed: $needed (bash web/build.sh --install)" >&2; exit 1; }

# The modules, each with vector instructions and without.
wasm=$out/modules
mkdir -p "$wasm"
module() { # which, with or without simd128
    local name=$1 feature=$2 file=$1 options=() built
    [ "$feature" = +simd128 ] || file=$name.scalar
    # The module `check` finds errors of UTF-8: larger modules have the other encodings.
    [ "$name" != check ] || options=(-Z profile-rustflags
        --config 'profile.wasm.package.utfkit-diagnose.rustflags=["--cfg", "utfkit_utf8_only"]')
    # The linker vectorizes loops at the level of the last crate. Level 3 for all of detection is 13 kB more.
    [ "$name" != detect ] || options=(--config profile.wasm.package.utfkit-wasm.opt-level=2)
    wasm_cargo build "$feature" --features "${name/validate/}" ${options[@]+"${options[@]}"}
    built=$out/cargo-$feature/wasm32-unknown-unknown/wasm/utfkit_wasm.wasm
    # What is the same as before is not optimised again.
    if [ -e "$wasm/$file.wasm" ] && cmp --silent "$built" "$wasm/$file.built"; then return; fi
    # Larger functions that are called once are not inlined: 6 kB.
    local inlining=()
    [ "$name" != detect ] || inlining=(--one-caller-inline-max-function-size=40)
    wasm-opt -O3 --converge ${inlining[@]+"${inlining[@]}"} --enable-simd --enable-bulk-memory --enable-sign-ext \
        --enable-nontrapping-float-to-int --enable-mutable-globals --strip-producers "$built" -o "$wasm/$file.wasm"
    cp "$built" "$wasm/$file.built"
}
for name in validate check convert legacy detect; do
    module "$name" +simd128
    module "$name" -simd128
done

package=$out/utfkit
rm -rf "$package"
mkdir -p "$package/wasm"
cp -r crates/utfkit-wasm/npm/. "$package/"
cp LICENSE-MIT LICENSE-APACHE "$package/"
cp "$wasm"/*.wasm "$package/wasm/"
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
address=$(sed -n 's/^repository = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
sed -i "s|\"version\": \"[^\"]*\"|\"version\": \"$version\"|; s|https://repository.invalid/utfkit|$address|" "$package/package.json"
node web/inline.mjs "$package"
echo "the package: $package"
[ "$what" = all ] || exit 0

(cd web && npm ci --no-audit --no-fund --loglevel=error >/dev/null)
node web/page.mjs "$package" "$out/page"
echo "the page: $out/page/index.html"
