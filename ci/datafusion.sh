#!/usr/bin/env bash
# Lints and tests the functions for DataFusion: through SQL in Rust, and from Python in
# a virtual environment in the target folder.
#
#     bash ci/datafusion.sh
#     bash ci/datafusion.sh --wheel     # in Python, the package as pip installs it
#
# Says what is left out where something is not installed. Most of the time goes into
# compiling DataFusion.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=${PYTHON:-python3}
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
packages=(-p utfkit-datafusion)

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
[ -z "$with_python" ] || packages+=(-p utfkit-datafusion-python --features utfkit-datafusion-python/abi3)

source ci/linted.sh
# A Python module is not linked with Python.
export PYO3_BUILD_EXTENSION_MODULE=1 PYO3_PYTHON=$(command -v "$python" || true)
cargo build --locked --profile test "${packages[@]}" --all-targets
if [ ! -d ../shared/vectors ] && [ -z "${UTFKIT_SHARED-}" ]; then echo "left out: the test vectors of other projects (no folder ../shared)"; fi
cargo test --locked "${packages[@]}" --all-targets
cargo test --locked "${packages[@]}" --doc
[ -n "$with_python" ] || exit 0

package=crates/utfkit-datafusion/python
version=$("$python" -c 'import sys, sysconfig; print(sysconfig.get_config_var("SOABI") or sys.version_info)')
environment=$target/python/datafusion-$version
[ -x "$environment/bin/python" ] || "$python" -m venv "$environment"
pip=("$environment/bin/python" -m pip install --quiet --disable-pip-version-check)
if [ "${1-}" = --wheel ]; then
    start=$SECONDS
    CARGO_TARGET_DIR=$target "${pip[@]}" "./$package[test]"
    echo "installed in $((SECONDS - start)) s"
else
    "${pip[@]}" 'datafusion>=55,<56' 'pytest>=8' pyarrow
    staged=$target/python/utfkit-datafusion
    rm -rf "$staged"
    cp -r "$package/python" "$staged"
    cp "$target/debug/lib_utfkit_datafusion.so" "$staged/utfkit_datafusion/_utfkit_datafusion.abi3.so"
    export PYTHONPATH=$staged
fi
"$environment/bin/python" -m pytest -q -rs -p no:cacheprovider "$package/tests"
