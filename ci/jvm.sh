#!/usr/bin/env bash
# Builds utfkit-spark.jar for this machine and tests it: the Java classes, and the functions of Spark with two workers.
#
#     bash ci/jvm.sh                       # where a Java compiler is
#     bash ci/jvm.sh --install             # installs one first (Debian's openjdk-17-jdk-headless)
#     bash ci/jvm.sh --spark 3.5.9 4.0.5   # also a selection of the tests in these versions of Spark
#     bash ci/jvm.sh --quick               # a selection of the tests of Spark
#     bash ci/jvm.sh --jar                 # the jar alone: target/utfkit-spark.jar
#     bash ci/jvm.sh -k killed             # some tests of Spark
#
# Spark's jars come from the pip package pyspark, in the virtual environment of ci/clusters.sh. There is no Maven.
# Prints what it leaves out.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=${PYTHON:-python3}
alone='' quick='' versions=()
while [ $# != 0 ]; do
    case $1 in
    --install)
        command -v javac >/dev/null || (source ci/debian.sh && install_all openjdk-17-jdk-headless)
        ;;
    --jar) alone=yes ;;
    --quick) quick=yes ;;
    --spark)
        while [ $# -gt 1 ] && [[ $2 != -* ]]; do
            versions+=("$2")
            shift
        done
        ;;
    *) break ;;
    esac
    shift
done
if ! command -v javac >/dev/null; then
    echo "left out, there is no Java compiler: bash ci/jvm.sh --install"
    exit 0
fi
if ! "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
    echo "left out: there is no $python 3.10 or later with venv"
    exit 0
fi
javac -version 2>&1
"$python" --version

export CARGO_TARGET_DIR=$(realpath -m "${CARGO_TARGET_DIR:-target}")
[ -n "$alone" ] || cargo clippy --locked --release --no-deps -p utfkit-jvm -- -D warnings -D clippy::incompatible_msrv
[ -n "$alone$quick" ] || cargo build --locked --release --bin utfkit
cargo build --locked --release -p utfkit-jvm

# The environment that ci/clusters.sh makes, too.
version=$("$python" -c 'import sys, sysconfig; print(sysconfig.get_config_var("SOABI") or sys.version_info)')
environment=$CARGO_TARGET_DIR/python/clusters-$version
[ -x "$environment/bin/python" ] || "$python" -m venv "$environment"
start=$SECONDS
what=pyspark
[ -n "$alone" ] || what='./crates/utfkit-python[test,spark]'
if ! "$environment/bin/python" -m pip install --quiet --disable-pip-version-check "$what"; then
    # An unreachable registry is not an error of the jar.
    "$environment/bin/python" -c 'import pyspark' 2>/dev/null || { echo "pyspark cannot be installed"; exit 1; }
fi
echo "installed in $((SECONDS - start)) s"
spark=$("$environment/bin/python" -c 'import os, pyspark; print(os.path.dirname(pyspark.__file__))')

jar=$CARGO_TARGET_DIR/utfkit-spark.jar
bash ci/jvm-jar.sh "$jar" "$spark/jars" "linux-$(uname -m)=$CARGO_TARGET_DIR/release/libutfkit_jvm.so"
echo "$(stat -c %s "$jar") bytes: $jar"
[ -z "$alone" ] || exit 0

# Javadoc is complete, and has no error.
pages=$CARGO_TARGET_DIR/jvm/javadoc
find crates/utfkit-jvm/java/src/main/java -name '*.java' | LC_ALL=C sort >"$CARGO_TARGET_DIR/jvm-sources"
javadoc -quiet -Xdoclint:all,-missing -Werror --release 11 -encoding UTF-8 -cp "$spark/jars/*" -d "$pages" @"$CARGO_TARGET_DIR/jvm-sources" 2>&1 |
    { grep -v '^Loading source\|^Constructing\|class file for\|unknown enum constant\|reason:' || true; }
[ -s "$pages/utfkit/Utf8.html" ]

tests=$CARGO_TARGET_DIR/jvm/tests
rm -rf "$tests"
mkdir -p "$tests"
javac --release 11 -encoding UTF-8 -Xlint:all,-path -Werror -proc:none -cp "$jar" -d "$tests" crates/utfkit-jvm/java/src/test/java/utfkit/*.java
# -Xcheck:jni prints a warning for each wrong call.
checked=$(mktemp)
trap 'rm -f "$checked"' EXIT
java -Xmx2g -Xcheck:jni -cp "$jar:$tests" utfkit.Tests | tee "$checked"
if grep -i 'warning' "$checked"; then exit 1; fi
java -Xmx2g -Dutfkit.library=none -cp "$jar:$tests" utfkit.Tests pure 2>/dev/null

export UTFKIT_SPARK_JAR=$jar UTFKIT_JVM_TESTS=$tests UTFKIT_COMMAND=$CARGO_TARGET_DIR/release/utfkit
# -rs lists the skipped tests with their reasons.
check() { "$environment/bin/python" -m pytest -q -rs -p no:cacheprovider -W ignore "$@"; }
folder=crates/utfkit-python/tests/clusters
if [ -n "$quick" ]; then
    check $folder/test_jvm.py $folder/test_jvm_pages.py $folder/test_spark.py "$@" \
        -k 'not (large or killed or any_place or two_sessions or scala or mapInArrow or arrow_udf or files or job or vanish or sees_all)'
    echo "left out, without --quick: workers that are killed, values of 100 MB, other places of a query, both ways of Python, Scala"
else
    check $folder/test_jvm.py $folder/test_jvm_pages.py $folder/test_spark.py "$@"
fi
for version in ${versions[@]+"${versions[@]}"}; do
    place=$CARGO_TARGET_DIR/jvm/spark-$version
    [ -d "$place/pyspark" ] || "$environment/bin/python" -m pip install --quiet --no-deps --target "$place" "pyspark==$version"
    echo "Spark $version"
    PYTHONPATH=$place check $folder/test_jvm.py -k 'row_by_row or every_encoding or any_place or wrong or both_ways or two_sessions'
done
