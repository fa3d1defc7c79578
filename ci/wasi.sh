# Builds WebAssembly programs for WASI with Debian's Rust and runs them in Node;
# sourced by ci/wasm.sh and bench/wasm.sh from the root of the repository. All
# output is in `wasm` in the target folder.

repository=$PWD
wasi=/usr/lib/wasm32-wasi
if ! node --eval 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)'; then
    echo "Node $(node --version) is too old: node:wasi of 20 is asked for" >&2
    exit 1
fi

# Debian's compiler, even if another is on the path, with its own CARGO_HOME,
# which cannot be shared with another version of Cargo.
out=${CARGO_TARGET_DIR:-$repository/target}/wasm
mkdir -p "$out"
out=$(cd "$out" && pwd)
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS RUSTC_WRAPPER RUSTUP_TOOLCHAIN
export CARGO_HOME=$out/cargo RUSTC=/usr/bin/rustc
export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_TEST_DEBUG=0
# The standard library is compiled too, which a stable compiler allows only with
# RUSTC_BOOTSTRAP.
export RUSTC_BOOTSTRAP=1
export CARGO_TARGET_WASM32_WASIP1_LINKER=/usr/bin/rust-lld
# Without V8's fast calls into Node's WASI, which can crash in garbage
# collection (nodejs/node#46777), usually after all tests have passed.
node=(node --no-warnings --no-turbo-fast-api-calls)
# By its absolute path, since Cargo runs tests in other folders.
if shared=$(cd "${UTFKIT_SHARED:-../shared}" 2>/dev/null && pwd); then
    export UTFKIT_SHARED=$shared
else
    unset UTFKIT_SHARED
fi

# Debian's C library in place of the one shipped with Rust. It is older than the
# standard library and lacks functions to start threads; ci/wasi.mjs provides
# them and reports that there are no threads.
printf '%s\n' pthread_create pthread_join pthread_detach \
    pthread_attr_init pthread_attr_setstacksize pthread_attr_destroy >"$out/no-threads"
link=(-C link-self-contained=no -L "native=$wasi" -C "link-arg=$wasi/crt1-command.o"
    -C "link-arg=--allow-undefined-file=$out/no-threads")
