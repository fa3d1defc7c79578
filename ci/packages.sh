#!/usr/bin/env bash
# Makes the packages for crates.io and tests what is in them, away from this folder.
#
#     bash ci/packages.sh               # packages, builds, tests; a table of sizes
#     bash ci/packages.sh --quick       # without the tests and without Arrow and DataFusion
#     bash ci/packages.sh --out FOLDER  # also leaves the .crate files in FOLDER
#
# UTFKIT_REPOSITORY is the address of the sources, for whoever publishes: it takes the
# place of https://repository.invalid/utfkit in a copy of the tree.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# In the order in which they can be published.
crates=(
    utfkit-testkit utfkit-forms utfkit-core utfkit-diagnose utfkit-detect utfkit-io utfkit-text utfkit utfkit-gate utfkit-cli
    utfkit-c utfkit-iconv utfkit-arrow utfkit-datafusion
)
quick= out=
while [ $# != 0 ]; do
    case $1 in
    --quick) quick=yes ;;
    --out) out=$2 && shift ;;
    *)
        echo "packages.sh: $1? It takes --quick and --out FOLDER" >&2
        exit 2
        ;;
    esac
    shift
done

target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What is in the tree now, committed or not.
mkdir "$work/tree"
# Always the same folder, so that what is compiled there replaces that of the last run.
unpacked=$target/packages/unpacked
rm -rf "$unpacked"
mkdir -p "$unpacked"
git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
    if [ -e "$file" ] || [ -L "$file" ]; then printf '%s\0' "$file"; fi
done | tar -c --null -T - | tar -x -C "$work/tree"
if [ -n "${UTFKIT_REPOSITORY-}" ]; then
    sed -i "s|https://repository.invalid/utfkit|$UTFKIT_REPOSITORY|" "$work/tree/Cargo.toml"
fi

(cd "$work/tree" && cargo package --locked --quiet --no-verify --target-dir "$work/made" "${crates[@]/#/--package=}")
version=$(cargo metadata --no-deps --format-version 1 | python3 -c '
import json, sys
print(next(p["version"] for p in json.load(sys.stdin)["packages"] if p["name"] == "utfkit"))')
for crate in "${crates[@]}"; do
    package=$work/made/package/$crate-$version.crate
    # As new: in the package all files are of 2006, and cargo would take what it compiled
    # of others for these.
    tar -xmf "$package" -C "$unpacked"
    files=$(find "$unpacked/$crate-$version" -type f | wc -l)
    printf '%-20s %4d files %6d KiB, packed %4d KiB\n' "$crate" "$files" \
        "$(($(du -sb "$unpacked/$crate-$version" | cut -f 1) / 1024))" "$(($(stat -c %s "$package") / 1024))"
    for file in README.md LICENSE-MIT LICENSE-APACHE; do
        [ -s "$unpacked/$crate-$version/$file" ] || { echo "packages.sh: $crate has no $file" >&2; exit 1; }
    done
    if grep -nE '\]\((\.|[^h#])' "$unpacked/$crate-$version/README.md"; then
        echo "packages.sh: a link in the README of $crate does not resolve in a registry" >&2
        exit 1
    fi
done
if [ -n "$out" ]; then
    mkdir -p "$out"
    cp "$work"/made/package/*.crate "$out"
fi

# Each finds the others here instead of in the registry. Profiles and versions are those
# of the repository.
{
    echo '[workspace]'
    echo 'resolver = "3"'
    echo 'members = ["*"]'
    echo '[patch.crates-io]'
    for crate in "${crates[@]}"; do echo "$crate = { path = \"$crate-$version\" }"; done
    sed -n '/^\[profile/,$p' Cargo.toml
} >"$unpacked/Cargo.toml"
cp Cargo.lock "$unpacked"
cd "$unpacked"
if [ -n "$quick" ]; then
    # The dependencies are those that Clippy has checked.
    export CARGO_TARGET_DIR=$target
    cargo check --quiet --workspace --exclude utfkit-arrow --exclude utfkit-datafusion --all-features --tests
    echo "packages: they build"
else
    export CARGO_TARGET_DIR=$target/packages
    # One by one: together each would get the features that the others ask for.
    for crate in "${crates[@]}"; do
        echo "=== $crate"
        cargo test --quiet -p "$crate"
    done
    echo "packages: they build, and their tests pass"
fi
