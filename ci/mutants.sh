#!/usr/bin/env bash
# Mutation testing: changes one thing in the scalar codecs, the driver or the
# diagnosis, again and again, and looks whether a test notices.
#
#     bash ci/mutants.sh                               # all of them
#     bash ci/mutants.sh crates/utfkit/src/codec.rs    # those of some files
#     bash ci/mutants.sh --shard 3/100                 # a hundredth of them
#     bash ci/mutants.sh --list                        # counts them, runs nothing
#     bash ci/mutants.sh --install                     # installs cargo-mutants first
#     bash ci/mutants.sh --help                        # what else there is
#
# What is looked at is in .cargo/mutants.toml, how, in ci/mutants.py. A mutant
# that no test notices has to be explained in ci/mutants.md, by its line and what
# was done to it; one that is not makes this fail.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# Flags of the caller would take the place of those of the mutants.
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS

if [ "${1-}" = --install ]; then
    shift
    cargo install --locked cargo-mutants
fi
command -v cargo-mutants >/dev/null || { echo "cargo-mutants is missing: bash ci/mutants.sh --install" >&2; exit 2; }
if [ "${1-}" = --list ]; then
    cargo mutants --list | awk -F : '
        { of[$1]++; all++ }
        END { for (file in of) print of[file], file | "sort -k2"; close("sort -k2"); print all + 0, "in all" }'
    exit
fi
exec python3 ci/mutants.py "$@"
