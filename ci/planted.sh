#!/usr/bin/env bash
# Plants faults of the usual kinds, one at a time, in a copy of the sources, and
# runs tests that are part of the ordinary command. Fails if one is not found.
#
#     bash ci/planted.sh               # all of them: some minutes each
#     bash ci/planted.sh carry tail    # some
#
# The copy and its build lie in the target folder, below `planted`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec </dev/null
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS
export CARGO_TERM_COLOR=never CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_TEST_DEBUG=0

build=${CARGO_TARGET_DIR:-target}/planted
mkdir -p "$build/copy"
build=$(cd "$build" && pwd)
copy=$build/copy
if shared=$(cd "${UTFKIT_SHARED:-../shared}" 2>/dev/null && pwd); then export UTFKIT_SHARED=$shared; fi

# A fault: its name, what it is, its file, and the text that becomes another.
kernel=crates/utfkit/src/engine/kernel/utf8.rs
faults() {
    plant table "one bit of a look-up table: ED B0-BF is no surrogate" $kernel \
        'low: nibbles(0xD, 0xD), next: nibbles(0xA, 0xB)' \
        'low: nibbles(0xD, 0xD), next: nibbles(0xA, 0xA)'
    plant carry "what the block before leaves behind is forgotten" $kernel \
        'next_third << 1 | before.third;' \
        'next_third << 1;'
    plant tail "the last byte of a short block is not looked at" $kernel \
        'if len < BLOCK { (1 << len) - 1 }' \
        'if len < BLOCK { ((1 << len) - 1) >> 1 }'
    plant count "two stray bytes become one U+FFFD" $kernel \
        'let fault = waits & !accepted | stray;' \
        'let fault = waits & !accepted | stray & !(stray << 1);'
    plant store "a store reaches one byte too far, and is right where it should be" crates/utfkit/src/engine/simd/avx2.rs \
        'unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), v) }' \
        'unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().wrapping_add(1).cast(), v); _mm256_storeu_si256(bytes.as_mut_ptr().cast(), v) }'
}

wanted=("$@")
found=0 planted=0 escaped=()

plant() { # name, what it is, file, text, other text
    local name=$1 what=$2 file=$3 log=$build/$1.log status=0 tests
    [ ${#wanted[@]} = 0 ] || [[ " ${wanted[*]} " == *" $name "* ]] || return 0
    planted=$((planted + 1))
    # A fresh copy, in which what is the same keeps its time, so that little is
    # compiled; then the fault.
    git ls-files -z --cached --others --exclude-standard | python3 -c '
import os, sys
copy, planted, text, other = sys.argv[1:]
def write(path, content):
    if os.path.exists(path) and open(path, "rb").read() == content:
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    open(path, "wb").write(content)
for name in filter(None, os.fsdecode(sys.stdin.buffer.read()).split("\0")):
    if not os.path.exists(name):
        continue
    content = open(name, "rb").read()
    if name == planted:
        if content.count(text.encode()) != 1:
            sys.exit(f"planted.sh: {name} has {content.count(text.encode())} times: {text}")
        content = content.replace(text.encode(), other.encode())
    write(os.path.join(copy, name), content)
' "$copy" "$file" "$4" "$5"
    echo "=== $name: $what"
    for tests in "--test guard" "--test suite patterns::"; do
        # shellcheck disable=SC2086  # words
        (cd "$copy" && cargo test --locked --target-dir "$build" -p utfkit --all-features $tests) || status=$?
    done >"$log" 2>&1
    if grep -qE '^error: could not compile|^error(\[E[0-9]+\])?: ' "$log" && ! grep -qE '^error: test failed|process didn.t exit successfully' "$log"; then
        tail -n 20 "$log"
        echo "planted.sh: it does not compile" >&2
        exit 2
    fi
    if [ $status = 0 ]; then
        escaped+=("$name")
        echo "NOT FOUND"
        return
    fi
    found=$((found + 1))
    # The names of tests that failed; a test that was ended by the system has none.
    sed -nE 's/^test (.*) \.\.\. FAILED$/found by \1/p; s/.*(signal: [0-9]+, [^)]*).*/found by the process: \1/p' "$log" | sort | uniq -c | sort -rn | head -n 6
}

faults
[ $planted != 0 ] || { echo "planted.sh: there is no such fault: ${wanted[*]}" >&2; exit 2; }
echo "$planted faults planted, $found found"
[ ${#escaped[@]} = 0 ]
