# Debian's Rust for other processors, sourced by ci/cross.sh and
# ci/instructions/aarch64/run.sh from the root of the repository. All output is
# in `cross` in the target folder.

export CARGO_TERM_COLOR=never CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_TEST_DEBUG=0
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS RUSTDOCFLAGS RUSTC_WRAPPER CARGO_BUILD_TARGET UTFKIT_REQUIRE_ISA QEMU_CPU
native=${CARGO_TARGET_DIR:-target}
mkdir -p "$native/cross"
native=$(cd "$native" && pwd)
cross=$native/cross

# Prints the packages that are not installed.
not_installed() { # packages
    local package
    for package; do
        if ! dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed'; then echo "$package"; fi
    done
}

install_all() { # packages
    local root=()
    [ $# != 0 ] || return 0
    [ "$(id -u)" = 0 ] || root=(sudo)
    # An outdated package list can name a compiler that is too old.
    ${root[@]+"${root[@]}"} apt-get update || true
    ${root[@]+"${root[@]}"} apt-get install --yes --no-install-recommends "$@"
}

# Debian's cargo, even if another is on the path.
debian() { # cargo's arguments
    CARGO_HOME=$cross/home CARGO_TARGET_DIR=$cross RUSTC=/usr/bin/rustc RUSTDOC=/usr/bin/rustdoc /usr/bin/cargo "$@"
}

# Prepares `debian` for a target: linker, emulator and standard library, which is
# compiled here if Debian has no such processor. Sets `told` to the arguments for cargo.
prepare() { # target, Debian's name of the processor, its tools, runner
    local target=$1 processor=$2 tools=$3 runner=$4 name=${1//-/_} version
    name=${name^^}
    export "CARGO_TARGET_${name}_LINKER=$tools-gcc" "CARGO_TARGET_${name}_RUNNER=$runner"
    told=(--locked --target "$target")
    # Compiled by Debian if apt knows the target; this saves a minute.
    local compiled=$cross/std-$processor
    if [ -n "$processor" ] && [ ! -d "$compiled/usr/lib/rustlib/$target/lib" ]; then
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
