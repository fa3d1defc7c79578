# Programs for WebAssembly with WASI by Debian's Rust, run by Node: what
# ci/wasm.sh and bench/wasm.sh share. Read by them with `source`, from the root of
# the repository. What is made or fetched lies in the target folder, below
# `wasm`.

repository=$PWD
wasi=/usr/lib/wasm32-wasi
if ! node --eval 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)'; then
    echo "Node $(node --version) is too old: node:wasi of 20 is asked for" >&2
    exit 1
fi

# Debian's compiler, whatever else is on the path, with a place of its own for
# what it fetches: another Cargo may share neither with it.
out=${CARGO_TARGET_DIR:-$repository/target}/wasm
mkdir -p "$out"
out=$(cd "$out" && pwd)
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS RUSTC_WRAPPER RUSTUP_TOOLCHAIN
export CARGO_HOME=$out/cargo RUSTC=/usr/bin/rustc
export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_TEST_DEBUG=0
# The standard library is compiled too, which a released compiler only does
# when it is told that it may.
export RUSTC_BOOTSTRAP=1
export CARGO_TARGET_WASM32_WASIP1_LINKER=/usr/bin/rust-lld
# Without the short way from a program into Node's WASI: there, Node may collect
# garbage where V8 forbids it (nodejs/node#46777), and dies of it, most often at
# the end, after all tests have passed.
node=(node --no-warnings --no-turbo-fast-api-calls)
# By its full name: Cargo runs the tests elsewhere.
if shared=$(cd "${UTFKIT_SHARED:-../shared}" 2>/dev/null && pwd); then
    export UTFKIT_SHARED=$shared
else
    unset UTFKIT_SHARED
fi

# Debian's C library in the place of the one that a compiler of Rust's own
# brings. It is older than the standard library and lacks what starts threads:
# ci/wasi.mjs has these functions, which answer that there are none.
printf '%s\n' pthread_create pthread_join pthread_detach \
    pthread_attr_init pthread_attr_setstacksize pthread_attr_destroy >"$out/no-threads"
link=(-C link-self-contained=no -L "native=$wasi" -C "link-arg=$wasi/crt1-command.o"
    -C "link-arg=--allow-undefined-file=$out/no-threads")
