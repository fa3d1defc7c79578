#!/usr/bin/env bash
# Fuzzes every target of fuzz/ and prints the number of executions:
#
#     bash ci/fuzz.sh 60                  # each target for 60 seconds
#     bash ci/fuzz.sh 60 utf8 transcode   # these
#     bash ci/fuzz.sh --install           # cargo-fuzz first, if it is missing
#     bash ci/fuzz.sh --minimise          # keeps what reaches most, in fuzz/corpus
#
# Needs a nightly compiler and cargo-fuzz. SANITIZER=address checks every memory
# access and is several times slower; JOBS=2 runs two targets at once. New
# inputs are kept in the build folder, which starts with the corpus and grows
# with every run. Failures are printed with their input.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

minimise='' seconds='' names=()
for word; do
    case $word in
    --install) command -v cargo-fuzz >/dev/null || cargo install cargo-fuzz --locked ;;
    --minimise) minimise=yes ;;
    [0-9]*) seconds=$word ;;
    *) names+=("$word") ;;
    esac
done
if [ -z "$minimise$seconds" ]; then
    [[ "$*" == *--install* ]] || { sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 2; }
    exit 0
fi
command -v cargo-fuzz >/dev/null || { echo "cargo-fuzz is missing: bash ci/fuzz.sh --install" >&2; exit 2; }
cargo +nightly --version >/dev/null 2>&1 || { echo "a nightly compiler is missing: rustup toolchain install nightly" >&2; exit 2; }
if [ ${#names[@]} = 0 ]; then
    for file in fuzz/fuzz_targets/*.rs; do names+=("$(basename "$file" .rs)"); done
fi

sanitizer=${SANITIZER:-none}
build=${CARGO_TARGET_DIR:-$PWD/fuzz/target}
host=$(rustc +nightly -vV | sed -n 's/^host: //p')
work=$build/fuzz-$sanitizer
corpus=$build/corpus
mkdir -p "$work"
for name in "${names[@]}"; do mkdir -p "$corpus/$name" "$work/$name"; done
cargo run --quiet --locked --profile test --package utfkit-oracles --example corpus -- unpack "$corpus"
# Comparisons are not traced: this is slow, and scripts reach rare cases without
# it.
cargo +nightly fuzz build --sanitizer "$sanitizer" --no-trace-compares --target-dir "$build/$sanitizer"
programs=$build/$sanitizer/$host/release

if [ -n "$minimise" ]; then
    for name in "${names[@]}"; do
        rm -rf "$work/$name-least"
        mkdir "$work/$name-least"
        # Like `cargo fuzz cmin`: the fewest and shortest inputs with full
        # coverage.
        "$programs/$name" -merge=1 -max_len=256 "$work/$name-least" "$corpus/$name" >"$work/$name-least.log" 2>&1 ||
            { tail -n 20 "$work/$name-least.log"; exit 1; }
        rm -rf "${corpus:?}/$name"
        mv "$work/$name-least" "$corpus/$name"
    done
    cargo run --quiet --locked --profile test --package utfkit-oracles --example corpus -- pack "$corpus"
    exit 0
fi

fuzz() { # name
    "$programs/$1" "$corpus/$1" -max_total_time="$seconds" -max_len=256 -timeout=20 -rss_limit_mb=2048 \
        -print_final_stats=1 -artifact_prefix="$work/$1/" >"$work/$1.log" 2>&1 && echo 0 >"$work/$1.status" ||
        echo $? >"$work/$1.status"
}

running=0
for name in "${names[@]}"; do
    if [ $running -ge "${JOBS:-1}" ]; then wait -n; running=$((running - 1)); fi
    fuzz "$name" &
    running=$((running + 1))
done
wait

all=0 failed=0
for name in "${names[@]}"; do
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/$name.log")
    all=$((all + ${executions:-0}))
    printf '%-12s %12s executions\n' "$name" "${executions:-no}"
    if [ "$(cat "$work/$name.status")" != 0 ]; then
        failed=$((failed + 1))
        echo "$name FAILED:"
        grep -B 2 -A 12 -m 1 -e panicked -e 'ERROR: ' "$work/$name.log" | cut -c -2000 || tail -n 20 "$work/$name.log"
        grep 'Test unit written to' "$work/$name.log" || true
    fi
done
printf '%-12s %12s executions, %s failed\n' 'in all' "$all" "$failed"
[ $failed = 0 ]
