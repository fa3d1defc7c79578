#!/usr/bin/env bash
# Checks the functions for DataFusion: formatting, lints, tests through SQL from
# Rust, and from Python in a virtual environment in the target folder.
#
#     bash ci/datafusion.sh
#     bash ci/datafusion.sh --wheel     # from Python, the package as pip installs it
#
# Missing tools are reported and skipped. Most of the time is spent compiling
# DataFusion.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=${PYTHON:-python3}
target=$(realpath -m "${CARGO_TARGET_DIR:-target}/datafusion")
mkdir -p "$target"
in=(--locked --manifest-path crates/utfkit-datafusion/Cargo.toml --target-dir "$target" --workspace --all-targets)

cargo fmt --all --check --manifest-path crates/utfkit-datafusion/Cargo.toml

with_python=yes
if ! command -v "$python" >/dev/null; then
    echo "left out, from Python: there is no $python"
    with_python=
elif ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10) or sys.implementation.name != "cpython")'; then
    echo "left out, from Python: $("$python" --version) is not CPython 3.10 or later"
    with_python=
elif ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
    echo "left out, from Python: $python has no venv (Debian: python3-venv)"
    with_python=
fi
[ -n "$with_python" ] || in+=(--exclude utfkit-datafusion-python)

# Runs Clippy as the compiler of the build, since `cargo clippy` would compile
# DataFusion once more. Extension modules are not linked with Python.
export RUSTC_WORKSPACE_WRAPPER=clippy-driver
export CLIPPY_ARGS="-Dwarnings__CLIPPY_HACKERY__-Dclippy::incompatible_msrv__CLIPPY_HACKERY__"
export PYO3_BUILD_EXTENSION_MODULE=1 PYO3_PYTHON=$(command -v "$python" || true)
cargo build "${in[@]}"
if [ ! -d ../shared/vectors ] && [ -z "${UTFKIT_SHARED-}" ]; then echo "left out: no folder ../shared, the cases of others"; fi
cargo test "${in[@]}"
unset RUSTC_WORKSPACE_WRAPPER CLIPPY_ARGS
cargo test --doc "${in[@]:0:5}"
[ -n "$with_python" ] || exit 0

package=crates/utfkit-datafusion/python
version=$("$python" -c 'import sys, sysconfig; print(sysconfig.get_config_var("SOABI") or sys.version_info)')
environment=$target/environment-$version
[ -x "$environment/bin/python" ] || "$python" -m venv "$environment"
pip=("$environment/bin/python" -m pip install --quiet --disable-pip-version-check)
if [ "${1-}" = --wheel ]; then
    start=$SECONDS
    CARGO_TARGET_DIR=$target "${pip[@]}" "./$package[test]"
    echo "installed in $((SECONDS - start)) s"
else
    "${pip[@]}" 'datafusion>=54,<55' 'pytest>=8' pyarrow
    rm -rf "$target/package"
    cp -r "$package/python" "$target/package"
    cp "$target/debug/lib_utfkit_datafusion.so" "$target/package/utfkit_datafusion/_utfkit_datafusion.abi3.so"
    export PYTHONPATH=$target/package
fi
"$environment/bin/python" -m pytest -q -rs -p no:cacheprovider "$package/tests"
