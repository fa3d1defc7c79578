#!/usr/bin/env bash
# Lints the Python package, installs it into a virtual environment in the target
# folder, and runs its tests there, with the stubs and the examples of the documentation.
#
#     bash ci/python.sh                    # with python3
#     PYTHON=python3.13 bash ci/python.sh  # with another
#     UTFKIT_HYPOTHESIS_EXAMPLES=100000 bash ci/python.sh -k as_python    # some tests, for longer
#
# Says what is left out where something is not installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=${PYTHON:-python3}

if ! command -v "$python" >/dev/null; then
    echo "left out: there is no $python"
    exit 0
fi
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10) or sys.implementation.name != "cpython")'; then
    echo "left out: $("$python" --version) is not CPython 3.10 or later"
    exit 0
fi
"$python" --version
if ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
    echo "left out: $python has no venv (Debian: python3-venv)"
    exit 0
fi

export CARGO_TARGET_DIR=$(realpath -m "${CARGO_TARGET_DIR:-target}")
PYO3_PYTHON=$(command -v "$python") \
    cargo clippy --locked --release --no-deps -p utfkit-python --all-targets -- -D warnings -D clippy::incompatible_msrv

version=$("$python" -c 'import sys, sysconfig; print(sysconfig.get_config_var("SOABI") or sys.version_info)')
environment=$CARGO_TARGET_DIR/python/environment-$version
[ -x "$environment/bin/python" ] || "$python" -m venv "$environment"
start=$SECONDS
"$environment/bin/python" -m pip install --quiet --disable-pip-version-check './crates/utfkit-python[test,arrow]'
echo "installed in $((SECONDS - start)) s"
if [ ! -d ../shared/vectors ] && [ -z "${UTFKIT_SHARED-}" ]; then echo "left out: the test vectors of other projects (no folder ../shared)"; fi
# -rs lists the skipped tests with their reasons.
"$environment/bin/python" -m pytest -q -rs -p no:cacheprovider crates/utfkit-python/tests "$@"
