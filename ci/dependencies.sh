#!/usr/bin/env bash
# Checks the dependencies against deny.toml: licences, sources, duplicates and,
# if the database is available, known vulnerabilities.
#
#     bash ci/dependencies.sh
#     bash ci/dependencies.sh --install    # installs cargo-deny first
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [ "${1-}" = --install ]; then cargo install --locked cargo-deny; fi

# The library itself has no dependencies without features.
alone=$(cargo tree --locked -p utfkit -e normal --prefix none | sort -u | wc -l)
[ "$alone" = 1 ] || { echo "dependencies.sh: the library depends on something without being asked to" >&2; exit 1; }
echo "the library without its features: no dependency"

cargo deny --version >/dev/null 2>&1 || { echo "dependencies.sh: there is no cargo-deny: bash ci/dependencies.sh --install" >&2; exit 2; }
cargo deny --locked check bans licenses sources

said=$(mktemp)
trap 'rm -f "$said"' EXIT
if cargo deny --locked check advisories 2>"$said"; then
    echo "known vulnerabilities: none"
elif grep -q 'failed to fetch advisory database' "$said"; then
    echo "known vulnerabilities: left out, the database could not be fetched"
else
    cat "$said" >&2
    exit 1
fi
