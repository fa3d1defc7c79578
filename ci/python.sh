#!/usr/bin/env bash
# Checks the Python package: formatting, lints, and tests in a virtual
# environment in the target folder, including stubs and the examples of the
# documentation.
#
#     bash ci/python.sh                    # with python3
#     PYTHON=python3.13 bash ci/python.sh  # with another
#     UTFKIT_HYPOTHESIS_EXAMPLES=100000 bash ci/python.sh -k as_python    # some tests, for longer
#
# Missing tools are reported and skipped. The first build takes about four
# minutes on two cores.
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

target=$(realpath -m "${CARGO_TARGET_DIR:-target}/python")
mkdir -p "$target"
export CARGO_TARGET_DIR=$target
(
    cd crates/utfkit-python
    cargo fmt --check
    PYO3_PYTHON=$(command -v "$python") cargo clippy --locked --release --all-targets -- -D warnings -D clippy::incompatible_msrv
)

version=$("$python" -c 'import sys, sysconfig; print(sysconfig.get_config_var("SOABI") or sys.version_info)')
environment=$target/environment-$version
[ -x "$environment/bin/python" ] || "$python" -m venv "$environment"
start=$SECONDS
"$environment/bin/python" -m pip install --quiet --disable-pip-version-check './crates/utfkit-python[test,arrow]'
echo "installed in $((SECONDS - start)) s"
if [ ! -d ../shared/vectors ] && [ -z "${UTFKIT_SHARED-}" ]; then echo "left out: no folder ../shared, the cases of others"; fi
# -rs reports skipped tests with the reason.
"$environment/bin/python" -m pytest -q -rs -p no:cacheprovider crates/utfkit-python/tests "$@"
