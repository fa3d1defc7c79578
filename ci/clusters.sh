#!/usr/bin/env bash
# Tests the Python package on clusters of this machine: Spark with two workers, Ray with
# two workers, each in its own processes, against the command.
#
#     bash ci/clusters.sh                # where Java is
#     bash ci/clusters.sh --install      # installs Java first (Debian's openjdk-17-jre-headless)
#     bash ci/clusters.sh -k killed      # some tests
#
# The corpus is small; UTFKIT_CLUSTERS_FILES=1000 UTFKIT_CLUSTERS_MB=2048 is the full one.
# Says what is left out where something is not installed. pyspark and ray (700 MB) come
# from the registry into a virtual environment in the target folder, once.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=${PYTHON:-python3}

if [ "${1-}" = --install ]; then
    shift
    if ! command -v java >/dev/null; then
        apt-get update -q
        apt-get install -y -q openjdk-17-jre-headless
    fi
fi
if ! command -v java >/dev/null; then
    echo "left out, there is no Java: bash ci/clusters.sh --install"
    exit 0
fi
if ! "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
    echo "left out: there is no $python 3.10 or later with venv"
    exit 0
fi
java -version 2>&1 | head -n 1
"$python" --version

cargo build --locked --release --bin utfkit
UTFKIT_COMMAND=$(realpath -m "${CARGO_TARGET_DIR:-target}/release/utfkit")
export UTFKIT_COMMAND

export CARGO_TARGET_DIR=$(realpath -m "${CARGO_TARGET_DIR:-target}")
version=$("$python" -c 'import sys, sysconfig; print(sysconfig.get_config_var("SOABI") or sys.version_info)')
environment=$CARGO_TARGET_DIR/python/clusters-$version
[ -x "$environment/bin/python" ] || "$python" -m venv "$environment"
start=$SECONDS
if ! "$environment/bin/python" -m pip install --quiet --disable-pip-version-check './crates/utfkit-python[test,spark,ray]'; then
    # An unreachable registry is not an error of the package.
    "$environment/bin/python" -c 'import utfkit, pyspark, ray' 2>/dev/null ||
        { echo "pyspark and ray cannot be installed"; exit 1; }
fi
echo "installed in $((SECONDS - start)) s"
# -rs lists the skipped tests with their reasons.
"$environment/bin/python" -m pytest -q -rs -p no:cacheprovider -W ignore crates/utfkit-python/tests/clusters "$@"
