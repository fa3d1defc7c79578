#!/usr/bin/env bash
# Makes the packages of the commit that is checked out, from a clean clone of it:
#
#     bash ci/release.sh FOLDER                 # all of them
#     bash ci/release.sh FOLDER linux debian    # some
#     bash ci/release.sh --install FOLDER       # installs first what apt, cargo and pip have for it
#     bash ci/release.sh --twice FOLDER         # and again in another place: the bytes must be the same
#     bash ci/release.sh --test FOLDER          # installs and uses each (ci/release-test.sh)
#     bash ci/release.sh --publish FOLDER       # drafts a release on GitHub with them
#     bash ci/release.sh --quick FOLDER         # linux, debian, rpm of what `cargo build --release` makes, for CI
#
#     linux        the command in one static file, x86-64       utfkit-VERSION-x86_64-unknown-linux-gnu.tar.gz
#     aarch64      the same for AArch64
#     windows      the command for Windows, x86-64              utfkit-VERSION-x86_64-pc-windows-gnu.zip
#     debian       the command, the C library, its development files, iconv(3) to preload
#     rpm          the command
#     command      the command as a wheel, and its sources
#     python       the Python package as wheels, and its sources
#     datafusion   the functions for DataFusion's Python package as a wheel, and its sources
#     npm          the package utfkit for npm
#     crates       what crates.io takes
#     jvm          the jar for Java and Spark, with the native libraries that can be built here
#     sbom         the dependencies of each, as CycloneDX
#
# Also writes SHA256SUMS, and SIZES, a table. What needs a tool that is not there is left out, and said.
#
# UTFKIT_REPOSITORY, a URL such as https://github.com/someone/utfkit, becomes the repository and home page of every
# package, in place of one that cannot be (repository.invalid).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec </dev/null

known=(linux aarch64 windows debian rpm command python datafusion npm crates jvm sbom)
install='' twice='' test='' publish='' quick='' out='' kinds=()
for word; do
    case $word in
    --install) install=yes ;;
    --twice) twice=yes ;;
    --test) test=yes ;;
    --publish) publish=yes ;;
    --quick) quick=yes ;;
    -*) echo "no such option: $word" >&2; exit 2 ;;
    *)
        if [[ " ${known[*]} " == *" $word "* ]]; then
            kinds+=("$word")
        elif [ -z "$out" ]; then
            out=$word
        else
            echo "no such package: $word (there are: ${known[*]})" >&2
            exit 2
        fi
        ;;
    esac
done
if [ ${#kinds[@]} = 0 ]; then
    if [ -n "$quick" ]; then kinds=(linux debian rpm); else kinds=("${known[@]}"); fi
fi
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
# Programs of PyPI, in an environment of their own.
tools=$target/release-tools

# What the chosen packages need, and with --test what uses them.
install_tools() {
    local kind apt=(gcc libc6-dev) cargo=(cargo-auditable) pip=()
    for kind in "${kinds[@]}"; do
        case $kind in
        linux) ;;
        aarch64) apt+=(rustc-web cargo-web rust-web-src gcc-aarch64-linux-gnu libc6-dev-arm64-cross) ;;
        windows) apt+=(rustc-web cargo-web rust-web-src gcc-mingw-w64-x86-64 zip) ;;
        debian) apt+=(dpkg-dev) cargo+=(cargo-deb) ;;
        rpm) cargo+=(cargo-generate-rpm) ;;
        command | python | datafusion) apt+=(python3-venv) pip+=(maturin ziglang) ;;
        npm) apt+=(rustc-web cargo-web rust-web-src lld-22 binaryen) ;;
        jvm)
            apt+=(openjdk-17-jdk-headless python3-venv rustc-web cargo-web rust-web-src)
            apt+=(gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-mingw-w64-x86-64)
            pip+=(pyspark ziglang)
            ;;
        sbom) cargo+=(cargo-cyclonedx) ;;
        esac
    done
    if [ -n "$test" ]; then apt+=(qemu-user wine64 unzip rpm curl pkg-config libxml2-utils) pip+=(uv pipx pre-commit pyyaml); fi
    if [ -n "$publish" ]; then apt+=(gh); fi
    source ci/debian.sh
    # shellcheck disable=SC2046  # a list
    install_all $(not_installed "${apt[@]}")
    for tool in "${cargo[@]}"; do
        [ -x "$(command -v "$tool")" ] || cargo install --locked "$tool"
    done
    [ ${#pip[@]} != 0 ] || return 0
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet "${pip[@]}"
}
if [ -n "$install" ]; then
    (install_tools)
    [ -n "$out" ] || exit 0
fi
[ -z "$publish" ] || [ -n "${UTFKIT_REPOSITORY-}" ] || { echo "UTFKIT_REPOSITORY is not set" >&2; exit 2; }
[ -n "$out" ] || { echo "which folder? See the head of ci/release.sh" >&2; exit 2; }
mkdir -p "$out"
out=$(realpath "$out")
PATH=$tools/bin:$PATH

export SOURCE_DATE_EPOCH CARGO_INCREMENTAL=0 CARGO_TERM_COLOR=never LC_ALL=C TZ=UTC
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
umask 022
# GNU ld sorts the import libraries of Windows by their paths, those of this clone and of the system. So it is always
# at the same place before /usr.
export TMPDIR=/tmp
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clone=$work/utfkit
git clone --quiet --shared . "$clone"
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
host=x86_64-unknown-linux-gnu
sources=$PWD
cd "$clone"
[ -z "${UTFKIT_REPOSITORY-}" ] || python3 ci/release/named.py "$UTFKIT_REPOSITORY" "$version"

if [ -n "$quick" ]; then
    profile=release
    built=$target/release
    where=()
    compile() { (cd "$sources" && cargo "$1" --quiet --locked --release "${@:2}"); }
    linked=()
else
    profile=dist
    export CARGO_TARGET_DIR=$clone/target
    built=$CARGO_TARGET_DIR/$host/dist
    where=(--target "$host")
    linked=(-C target-feature=+crt-static)
    unset CARGO_BUILD_TARGET RUSTC_WRAPPER CARGO_ENCODED_RUSTFLAGS
    # The programs name no path of this machine.
    home=${CARGO_HOME:-$HOME/.cargo}
    # The registry's folder has the hash of its address in its name.
    remapped="--remap-path-prefix=$clone=utfkit"
    for folder in "$home"/registry/src/*; do remapped+=" --remap-path-prefix=$folder=registry"; done
    compile() { # build or rustc, arguments
        local how=(cargo)
        if command -v cargo-auditable >/dev/null; then how+=(auditable); fi
        RUSTFLAGS="$remapped ${flags-}" "${how[@]}" "$1" --quiet --locked --profile dist "${where[@]}" "${@:2}"
    }
    command -v cargo-auditable >/dev/null || echo "left out: the list of dependencies inside of the programs (cargo install cargo-auditable)"
fi

left_out() { echo "left out: $*"; }
has() { command -v "$1" >/dev/null; }

# The static command for this machine, and what is packed with it, which only it can print.
staged=
stage() {
    [ -z "$staged" ] || return 0
    staged=$clone/target/stage
    flags=${linked[*]} compile build -p utfkit-cli
    mkdir -p "$staged/man" "$staged/gz" "$staged/completions"
    "$built/utfkit" man --output "$staged/man" >/dev/null
    local shell file
    for shell in bash:utfkit.bash zsh:_utfkit fish:utfkit.fish powershell:_utfkit.ps1; do
        "$built/utfkit" completions "${shell%%:*}" >"$staged/completions/${shell#*:}"
    done
    for file in "$staged"/man/*; do gzip -9nc "$file" >"$staged/gz/${file##*/}.gz"; done
    gzip -9nc CHANGELOG.md >"$staged/changelog.gz"
    { cat LICENSE-MIT; echo; cat LICENSE-APACHE; } >"$staged/copyright"
    python3 ci/release/licences.py "$host" >"$staged/LICENSES-DEPENDENCIES.txt"
}

# Packs a built program: with its pages, its completions and the licences.
archive() { # triple, program
    local name=utfkit-$version-$1 folder
    folder=$work/archives/$name
    mkdir -p "$folder"
    install -m 755 "$2" "$folder/"
    cp -r crates/utfkit-cli/README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$staged/LICENSES-DEPENDENCIES.txt" "$staged/man" "$staged/completions" "$folder/"
    find "$folder" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    if [[ $1 == *windows* ]]; then
        (cd "$folder/.." && find "$name" -type f | sort | zip -q -9 -X "$out/$name.zip" -@)
    else
        tar -C "$folder/.." --sort=name --format=ustar --owner=0 --group=0 --numeric-owner -cf - "$name" | gzip -9n >"$out/$name.tar.gz"
    fi
}

linux() {
    stage
    archive "$host" "$built/utfkit"
}

# Builds the command by Debian's Rust, or another crate.
crate=utfkit-cli
elsewhere() { # triple, how `prepare` is called, more flags
    local triple=$1 flag
    flag=CARGO_TARGET_$(tr a-z- A-Z_ <<<"$triple")_RUSTFLAGS
    (
        # What Debian's cargo and apt have downloaded is kept.
        local kept
        for kept in home ${2:+"std-$2"}; do
            mkdir -p "$target/cross/$kept" "$clone/target/cross"
            ln -sfn "$target/cross/$kept" "$clone/target/cross/$kept"
        done
        source ci/debian.sh
        prepare "$triple" "${@:2:3}"
        export SOURCE_DATE_EPOCH
        [ -z "${links-}" ] || export "${flag%RUSTFLAGS}LINKER=$links"
        # build-std compiles the sources that Debian installs.
        debian fetch --quiet --locked
        local home folder
        for home in "$cross/home" "$target/cross/home"; do
            for folder in "$home"/registry/src/*; do remapped+=" --remap-path-prefix=$folder=registry"; done
        done
        export "$flag=${!flag-} $remapped ${*:5}"
        auditable=()
        if has cargo-auditable; then auditable=(auditable); fi
        debian ${auditable[@]+"${auditable[@]}"} build --quiet "${told[@]}" --profile dist -p "$crate"
    )
}

aarch64() {
    if ! has aarch64-linux-gnu-gcc || [ ! -x /usr/bin/rustc ]; then
        left_out "the command for AArch64 (packages gcc-aarch64-linux-gnu, rustc-web)"
        return
    fi
    stage
    elsewhere aarch64-unknown-linux-gnu arm64 aarch64-linux-gnu qemu-aarch64 -C target-feature=+crt-static
    archive aarch64-unknown-linux-gnu "$clone/target/cross/aarch64-unknown-linux-gnu/dist/utfkit"
}

windows() {
    if ! has x86_64-w64-mingw32-gcc || [ ! -x /usr/bin/rustc ] || ! has zip; then
        left_out "the command for Windows (packages gcc-mingw-w64-x86-64, rustc-web, zip)"
        return
    fi
    stage
    elsewhere x86_64-pc-windows-gnu "" x86_64-w64-mingw32 wine64
    archive x86_64-pc-windows-gnu "$clone/target/cross/x86_64-pc-windows-gnu/dist/utfkit.exe"
}

# The libraries for C, built for the glibc of this machine.
libraries() {
    # Cargo gives a library no name of its own for the loader.
    compile rustc -p utfkit-c -- -C "link-arg=-Wl,-soname,libutfkit.so.${version%.*}"
    compile build -p utfkit-iconv
    sed "s/@VERSION@/$version/; s/@TUPLE@/$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || gcc -print-multiarch)/" \
        ci/release/utfkit.pc >"$staged/utfkit.pc"
}

debian() {
    if ! has cargo-deb || ! has dpkg-shlibdeps; then
        left_out "the Debian packages (cargo install cargo-deb; package dpkg-dev)"
        return
    fi
    stage
    libraries
    local arguments=(--quiet --no-build --no-strip --profile "$profile" "${where[@]}" --output "$out") package
    for package in "utfkit-cli" "utfkit-c --multiarch same" "utfkit-c --multiarch same --variant dev" "utfkit-iconv --multiarch same"; do
        # shellcheck disable=SC2086  # a name and options
        CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$target} cargo deb -p $package "${arguments[@]}"
    done
}

rpm() {
    if ! has cargo-generate-rpm; then
        left_out "the rpm (cargo install cargo-generate-rpm)"
        return
    fi
    stage
    CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$target} cargo generate-rpm -p crates/utfkit-cli --profile "$profile" "${where[@]}" \
        --auto-req disabled --source-date "$SOURCE_DATE_EPOCH" --output "$out" >/dev/null
}

# A wheel and the sources that it can be built from, by maturin.
wheel() { # profile, arguments
    RUSTFLAGS="$remapped ${flags-}" maturin build --quiet --locked --profile "$1" --target "$host" --compression-level 9 --out "$out" "${@:2}"
}

command_wheel() {
    if ! has maturin; then
        left_out "the command as a wheel (pip install maturin)"
        return
    fi
    stage
    # Static, so it suits any Linux.
    flags=${linked[*]} wheel dist --compatibility manylinux2014
    maturin sdist --out "$out"
}

python() {
    if ! has maturin || ! python3 -m ziglang version >/dev/null 2>&1; then
        left_out "the Python package (pip install maturin ziglang)"
        return
    fi
    wheel dist --zig --compatibility manylinux2014 -m crates/utfkit-python/Cargo.toml -i python3.{10..14} python3.14t
    maturin sdist -m crates/utfkit-python/Cargo.toml --out "$out"
}

# One wheel for all versions of Python.
datafusion() {
    if ! has maturin || ! python3 -m ziglang version >/dev/null 2>&1; then
        left_out "the functions for DataFusion's Python package (pip install maturin ziglang)"
        return
    fi
    wheel datafusion --zig --compatibility manylinux2014 -m crates/utfkit-datafusion/python/Cargo.toml
    maturin sdist -m crates/utfkit-datafusion/python/Cargo.toml --out "$out"
}

npm_package() {
    local needed file
    needed=$(source web/tools.sh && missing_to_build)
    if [ -n "$needed" ] || ! has npm; then
        left_out "the package for npm: ${needed:-npm} is missing (bash web/build.sh --install)"
        return
    fi
    # What cargo has downloaded is kept; the rest is built in the clone.
    mkdir -p "$target/web/cargo"
    (
        unset RUSTFLAGS
        CARGO_TARGET_DIR=$clone/target UTFKIT_WEB_CARGO=$target/web/cargo bash web/build.sh package >/dev/null
    )
    file=$(cd "$clone/target/web/utfkit" && npm pack --silent --pack-destination "$work")
    mv "$work/$file" "$out/"
}

crates() {
    bash ci/packages.sh --quick --out "$work/crates"
    cp "$work"/crates/*.crate "$out/"
}

# The library of Linux is linked by zig, for the glibc of 2014, and otherwise for that of this machine.
jvm() {
    local libraries=() spark zig=
    if ! has javac || ! spark=$(python3 -c 'import os, pyspark; print(os.path.dirname(pyspark.__file__))' 2>/dev/null); then
        left_out "the jar for Java and Spark (package openjdk-17-jdk-headless, pip install pyspark)"
        return
    fi
    linker() { # triple for zig
        zig=$work/zig-$1
        printf '#!/bin/sh\nexec python3 -m ziglang cc -target %s "$@"\n' "$1" >"$zig"
        chmod +x "$zig"
    }
    if python3 -m ziglang version >/dev/null 2>&1; then
        linker x86_64-linux-gnu.2.17
        CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER=$zig compile build -p utfkit-jvm
    else
        left_out "libraries for a glibc older than this machine's (pip install ziglang)"
        compile build -p utfkit-jvm
    fi
    libraries+=("linux-x86_64=$built/libutfkit_jvm.so")
    crate=utfkit-jvm
    if has aarch64-linux-gnu-gcc && [ -x /usr/bin/rustc ]; then
        local links=
        if [ -n "$zig" ]; then
            linker aarch64-linux-gnu.2.17
            links=$zig
        fi
        elsewhere aarch64-unknown-linux-gnu arm64 aarch64-linux-gnu qemu-aarch64
        links=
        libraries+=("linux-aarch64=$clone/target/cross/aarch64-unknown-linux-gnu/dist/libutfkit_jvm.so")
    else
        left_out "the library of the jar for AArch64 (packages gcc-aarch64-linux-gnu, rustc-web)"
    fi
    if has x86_64-w64-mingw32-gcc && [ -x /usr/bin/rustc ]; then
        elsewhere x86_64-pc-windows-gnu "" x86_64-w64-mingw32 wine64
        libraries+=("windows-x86_64=$clone/target/cross/x86_64-pc-windows-gnu/dist/utfkit_jvm.dll")
    else
        left_out "the library of the jar for Windows (packages gcc-mingw-w64-x86-64, rustc-web)"
    fi
    crate=utfkit-cli
    bash ci/jvm-jar.sh "$out/utfkit-spark-$version.jar" "$spark/jars" "${libraries[@]}"
}

sbom() {
    if ! has cargo-cyclonedx; then
        left_out "the SBOM (cargo install cargo-cyclonedx)"
        return
    fi
    local crate
    # It writes one for each crate of the workspace, with this machine's folders as their addresses.
    cargo cyclonedx --quiet --format json --target "$host" --manifest-path crates/utfkit-cli/Cargo.toml --override-filename packed.cdx
    for crate in utfkit-cli utfkit-c utfkit-iconv utfkit-python; do
        sed "s|path+file://$clone|path+file:///utfkit|g" "crates/$crate/packed.cdx.json" >"$out/$crate-$version.cdx.json"
    done
    # What crates.io takes has no such file.
    find . -name packed.cdx.json -not -path './target/*' -delete
}

for kind in "${kinds[@]}"; do
    start=$SECONDS
    case $kind in command) command_wheel ;; npm) npm_package ;; *) "$kind" ;; esac
    echo "$kind: $((SECONDS - start)) s"
done

[ -n "${UTFKIT_REPOSITORY-}" ] || left_out "the address of the repository (UTFKIT_REPOSITORY=https://...): the packages name repository.invalid"
cd "$out"
rm -f SHA256SUMS SIZES
sha256sum -- * >"$work/sums"
for file in *; do printf '%9d  %s\n' "$(stat -c %s "$file")" "$file"; done >"$work/sizes"
mv "$work/sums" SHA256SUMS
mv "$work/sizes" SIZES
cat SIZES

if [ -n "$twice" ]; then
    cd "$sources"
    again=$work/again
    bash ci/release.sh "$again" "${kinds[@]}" >/dev/null
    diff "$out/SHA256SUMS" "$again/SHA256SUMS"
    echo "the same bytes twice: $(wc -l <"$out/SHA256SUMS") files"
fi
if [ -n "$test" ]; then
    if [ -n "$quick" ]; then export UTFKIT_SLOW='' UTFKIT_QUICK=yes; fi
    bash "$sources/ci/release-test.sh" "$out"
fi
[ -z "$publish" ] || (cd "$sources" && gh release create "v$version" --draft --title "utfkit $version" --notes-file CHANGELOG.md "$out"/*)
