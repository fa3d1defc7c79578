#!/usr/bin/env bash
# Lints, tests and documents utfkit-arrow, and checks it with the newest Arrow that
# its manifest allows. Cargo.lock holds it to the one that DataFusion needs.
#
#     bash ci/arrow.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

(
    source ci/linted.sh
    cargo build --locked --profile test -p utfkit-arrow -p utfkit-arrow-bench --all-targets
    cargo test --locked -p utfkit-arrow -p utfkit-arrow-bench
)
# With utfkit and all features, as the documentation of the other crates.
RUSTDOCFLAGS="-D warnings" cargo doc --locked -p utfkit -p utfkit-arrow --all-features --no-deps

# A program outside of the workspace has a lock of its own.
target=${CARGO_TARGET_DIR:-target}
program=$(mktemp -d)
trap 'rm -rf "$program"' EXIT
mkdir "$program/src"
echo 'use utfkit_arrow as _;' >"$program/src/lib.rs"
cat >"$program/Cargo.toml" <<TOML
[package]
name = "newest-arrow"
edition = "2024"

[dependencies]
arrow-array = "60"
utfkit-arrow = { path = "$PWD/crates/utfkit-arrow" }
TOML
if (cd "$program" && cargo generate-lockfile --quiet); then
    cargo check --locked --manifest-path "$program/Cargo.toml" --target-dir "$target/newest-arrow"
else
    echo "left out: the registry cannot be reached for Arrow 60"
fi
