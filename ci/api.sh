#!/usr/bin/env bash
# Compares the public interface of the library with the recorded list, and with that of
# the last release.
#
#     bash ci/api.sh              # fails where it differs from the list, or breaks a user
#     bash ci/api.sh --write      # keeps what there is now
#     bash ci/api.sh --install    # installs cargo-public-api and cargo-semver-checks first
#
# cargo-public-api needs rustdoc's JSON, and so a nightly compiler. cargo-semver-checks
# is asked if it is installed and a tag v* names a release.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
kept=crates/utfkit/api.txt
write=

for argument; do
    case $argument in
    --write) write=yes ;;
    --install) cargo install --locked cargo-public-api cargo-semver-checks ;;
    *)
        echo "api.sh: $argument? It takes --write and --install" >&2
        exit 2
        ;;
    esac
done

cargo public-api --version >/dev/null 2>&1 || { echo "api.sh: there is no cargo-public-api: bash ci/api.sh --install" >&2; exit 2; }
cargo +nightly --version >/dev/null 2>&1 || { echo "api.sh: there is no nightly compiler, which it needs" >&2; exit 2; }

list=$(mktemp)
trap 'rm -f "$list"' EXIT
# Without auto traits and blanket implementations: Send, Sync, From<T> …
# The face re-exports what the other crates define, and is listed by its names alone.
packages=(utfkit utfkit-core utfkit-detect utfkit-diagnose utfkit-forms utfkit-io utfkit-text)
for package in "${packages[@]}"; do
    echo "# $package" >>"$list"
    cargo +nightly public-api --package "$package" --all-features -sss >>"$list" \
        --target-dir "${CARGO_TARGET_DIR:-target}/api"
done
[ -s "$list" ] || { echo "api.sh: the list is empty" >&2; exit 2; }
if [ -n "$write" ]; then
    cp "$list" $kept
fi
if ! diff -u $kept "$list"; then
    echo "api.sh: the interface is another than $kept; if that is meant: bash ci/api.sh --write" >&2
    exit 1
fi
echo "public interface: $(wc -l <"$list") lines, as kept in $kept"

release=$(git describe --tags --abbrev=0 --match 'v*' 2>/dev/null || true)
if [ -z "$release" ]; then
    echo "left out: cargo semver-checks, as there is no release to compare with"
elif ! cargo semver-checks --version >/dev/null 2>&1; then
    echo "left out: cargo semver-checks: bash ci/api.sh --install"
else
    CARGO_TARGET_DIR=$(realpath -m "${CARGO_TARGET_DIR:-target}/semver") \
        cargo semver-checks --baseline-rev "$release" --all-features "${packages[@]/#/--package=}"
fi
