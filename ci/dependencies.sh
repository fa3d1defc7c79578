#!/usr/bin/env bash
# Checks the dependencies by deny.toml: licences, sources, duplicates, and known
# vulnerabilities where their database can be fetched.
#
#     bash ci/dependencies.sh
#     bash ci/dependencies.sh --install    # installs cargo-deny first
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [ "${1-}" = --install ]; then cargo install --locked cargo-deny; fi

# Without its features the library depends on its own crates alone.
others=$(cargo tree --locked -p utfkit -e normal --prefix none | grep -v '^utfkit' || true)
[ -z "$others" ] || { echo "dependencies.sh: without features the library depends on $others" >&2; exit 1; }
echo "the library without its features: no dependency"

cargo deny --version >/dev/null 2>&1 || { echo "dependencies.sh: there is no cargo-deny: bash ci/dependencies.sh --install" >&2; exit 2; }
cargo deny --locked check licenses sources
# DataFusion and Arrow bring duplicates that only they can remove.
doors=(utfkit-arrow utfkit-arrow-bench utfkit-datafusion utfkit-datafusion-python utfkit-python)
cargo deny --locked "${doors[@]/#/--exclude=}" check bans

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
