#!/usr/bin/env bash
# Compiles the Java sources and packs utfkit-spark.jar, without Maven:
#
#     bash ci/jvm-jar.sh OUT SPARK [PLATFORM=LIBRARY ...]
#
# SPARK is the folder of Spark's jars, as the pip package pyspark has it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=$1 spark=$2
shift 2
sources=crates/utfkit-jvm/java/src/main
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
classes=$(mktemp -d)
trap 'rm -rf "$classes"' EXIT
find "$sources/java" -name '*.java' | LC_ALL=C sort >"$classes.list"
# Spark's jars name jars that they do not come with. Spark 3.5 runs on Java 11, too.
javac --release 11 -encoding UTF-8 -Xlint:all,-path,-classfile,-processing -Werror -proc:none \
    -cp "$spark/*" -d "$classes" @"$classes.list"
rm "$classes.list"
python3 ci/release/jar.py "$out" "$version" "$classes" "$sources/resources" "$@"
