#!/usr/bin/env bash
# Measures the cost of depending on utfkit, compared with other crates:
# processor seconds (user and system) to build a program with it, seconds to
# compile a crate that calls it, and bytes added to a program.
#
#     bash ci/build-cost.sh                 # the least of three rounds
#     bash ci/build-cost.sh --quick         # one round
#     bash ci/build-cost.sh --repeat 5
#
# Fails if a limit below is exceeded. Needs only cargo. Runs in a temporary
# folder, with the newest version of each crate, fetched before timing.
# Processor seconds grow when other programs share the caches, so compare
# figures of one run on an otherwise idle machine.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

ratio_limit=250     # hundredths of what encoding_rs takes
caller_limit=300    # milliseconds
size_limit=60000    # bytes

usage() { echo "usage: bash ci/build-cost.sh [--quick] [--repeat N]" >&2; exit 2; }
rounds=3
while [ $# != 0 ]; do
    case $1 in
    --quick) rounds=1 ;;
    --repeat) shift; [[ ${1-} =~ ^[1-9][0-9]*$ ]] || usage; rounds=$1 ;;
    *) usage ;;
    esac
    shift
done

# Build as a stranger would, without flags or wrappers from the environment.
# Crates from a registry are never compiled incrementally.
for variable in $(compgen -e | grep -E '^(CARGO_(PROFILE|BUILD|TARGET|ENCODED)_|RUSTFLAGS$|RUSTC_)' || true); do unset "$variable"; done
export CARGO_INCREMENTAL=0 CARGO_TERM_COLOR=never

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

program() { # its name, its dependency as a line of Cargo.toml, its source
    mkdir -p "$1/src"
    printf '[package]\nname = "%s"\nversion = "0.0.0"\nedition = "2024"\n\n[profile.release]\nstrip = true\n\n[dependencies]\n%s\n' \
        "$1" "$2" >"$1/Cargo.toml"
    printf '%s\n' "$3" >"$1/src/${4-main}.rs"
}
utfkit="{ path = '$root/crates/utfkit'"
program default "utfkit = $utfkit }" 'use utfkit as _; fn main() {}'
program bare "utfkit = $utfkit, default-features = false }" 'use utfkit as _; fn main() {}'
for crate in encoding_rs bstr simdutf8; do
    program $crate-alone "$crate = '*'" "use $crate as _; fn main() {}"
done
program caller "utfkit = $utfkit }" '
pub fn is_utf8(src: &[u8]) -> bool { utfkit::from_utf8(src).is_ok() }
pub fn widen(src: &[u8], dst: &mut [u16]) -> Option<usize> { utfkit::utf8_to_utf16(src, dst).ok() }
pub fn narrow(src: &[u16], dst: &mut [u8]) -> Option<usize> { utfkit::utf16_to_utf8(src, dst).ok() }' lib
validates='fn main() {
    let bytes = std::env::args_os().nth(1).unwrap_or_default().into_encoded_bytes();
    std::process::exit(i32::from(FROM_UTF8(&bytes).is_err()));
}'
program with-utfkit "utfkit = $utfkit }" "${validates/FROM_UTF8/utfkit::from_utf8}"
program with-std "" "${validates/FROM_UTF8/std::str::from_utf8}"

for folder in */; do
    (cd "$folder" && cargo fetch --quiet)
done
export CARGO_NET_OFFLINE=true

# Prints the processor milliseconds of a command.
milliseconds() {
    local TIMEFORMAT='%3U %3S' spent
    spent=$({ time "$@" >"$work/log" 2>&1; } 2>&1) || { cat "$work/log" >&2; exit 1; }
    local user=${spent% *} system=${spent#* }
    echo $((10#${user/./} + 10#${system/./}))
}
# Keeps the minimum of all rounds for each name.
declare -A least
note() { # the name, the milliseconds
    if [ -z "${least[$1]-}" ] || [ "$2" -lt "${least[$1]}" ]; then least[$1]=$2; fi
}
from_nothing() { # the program, the options of the profile
    rm -rf "$1/target"
    milliseconds cargo build --quiet --manifest-path "$1/Cargo.toml" --target-dir "$1/target" $2
}

programs=(default bare encoding_rs-alone bstr-alone simdutf8-alone)
(cd caller && cargo build --quiet --release --target-dir target)
for round in $(seq "$rounds"); do
    for name in "${programs[@]}"; do
        spent=$(from_nothing "$name" --release)
        note "$name release" "$spent"
        spent=$(from_nothing "$name" "")
        note "$name debug" "$spent"
    done
    # Excludes the time that cargo itself needs.
    looking=$(milliseconds cargo build --quiet --release --manifest-path caller/Cargo.toml --target-dir caller/target)
    touch caller/src/lib.rs
    spent=$(milliseconds cargo build --quiet --release --manifest-path caller/Cargo.toml --target-dir caller/target)
    note caller $((spent > looking ? spent - looking : 0))
done
for name in with-utfkit with-std; do
    cargo build --quiet --release --manifest-path $name/Cargo.toml --target-dir $name/target
done
size() { wc -c <"$1/target/release/$1" | tr -d ' '; }

seconds() { printf '%d.%02d' $(($1 / 1000)) $(($1 % 1000 / 10)); }
ratio() { local hundredths=$(($1 * 100 / $2)); printf '%d.%02d' $((hundredths / 100)) $((hundredths % 100)); }
version() { sed -n "/^name = \"$1\"/{n;s/version = \"\(.*\)\"/\1/p}" "$1-alone/Cargo.lock"; }

rustc --version
echo "processor seconds to build a program that calls nothing, from an empty target folder, the least of $rounds:"
echo
printf '%-34s %8s %14s %8s %14s\n' "" release "of encoding_rs" debug "of encoding_rs"
row() { # the title, the program
    local release=${least[$2 release]} debug=${least[$2 debug]}
    printf '%-34s %8s %14s %8s %14s\n' "$1" "$(seconds "$release")" "$(ratio "$release" "${least[encoding_rs-alone release]}")" \
        "$(seconds "$debug")" "$(ratio "$debug" "${least[encoding_rs-alone debug]}")"
}
row utfkit default
row "utfkit, default-features = false" bare
for crate in encoding_rs bstr simdutf8; do row "$crate $(version $crate)" $crate-alone; done
echo

missed=0
limit() { # what, the value as shown, the limit as shown, value and limit as numbers
    local verdict=kept
    [ "$4" -le "$5" ] || { verdict=EXCEEDED missed=$((missed + 1)); }
    printf '%-58s %12s   limit %-10s %s\n' "$1" "$2" "$3" "$verdict"
}
for profile in release debug; do
    mine=${least[default $profile]} other=${least[encoding_rs-alone $profile]} bare=${least[bare $profile]}
    limit "$profile build, of encoding_rs's" "$(ratio "$mine" "$other")" "$(seconds $((ratio_limit * 10)))" \
        $((mine * 100 / other)) $ratio_limit
    limit "$profile build with default-features = false, seconds" "$(seconds "$bare")" "$(seconds "$mine")" "$bare" "$mine"
done
limit "a crate with three calls, release, milliseconds" "${least[caller]}" $caller_limit "${least[caller]}" $caller_limit
mine=$(size with-utfkit) other=$(size with-std)
limit "from_utf8 in a stripped program, more bytes than std's" $((mine - other)) $size_limit $((mine - other)) $size_limit
echo "(the programs have $mine and $other bytes)"
[ $missed = 0 ] || { echo "$missed exceeded" >&2; exit 1; }
