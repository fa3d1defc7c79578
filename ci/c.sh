#!/usr/bin/env bash
# Tests the C library: header, documentation, every function, memory.
#
#     bash ci/c.sh               # with the compilers that are there, gcc and clang
#     bash ci/c.sh --memory      # and under AddressSanitizer and valgrind
#     SIMDUTF_DEMO=demo.c SIMDUTF_OUTPUT=demo.txt bash ci/c.sh
#                                # and a C program for simdutf, which has to print what it prints with it
#
# Missing tools are reported and skipped. After the build: 5 s on one core;
# --memory adds a minute.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
memory=
if [ "${1-}" = --memory ]; then memory=yes; fi

cargo build --locked --quiet --release -p utfkit-c
built=${CARGO_TARGET_DIR:-target}/release
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ln -s "$(realpath "$built/libutfkit.so")" "$work/libutfkit.so"
ln -s libutfkit.so "$work/libutfkit.so.0.1"
export LD_LIBRARY_PATH=$work
flags=(-O1 -Wall -Wextra -Werror -Icrates/utfkit-c/include)

compilers=()
for compiler in "gcc -std=c11 -x c" "g++ -std=c++17 -x c++" "clang -std=c11 -x c" "clang++ -std=c++17 -x c++"; do
    if command -v "${compiler%% *}" >/dev/null; then compilers+=("$compiler"); else echo "left out: there is no ${compiler%% *}"; fi
done
[ ${#compilers[@]} != 0 ] || exit 0

bash ci/c-header.sh --check

# The library exports exactly the functions declared in the header.
declared=$(grep -oE '\butfkit_[a-z0-9_]+\(' crates/utfkit-c/include/utfkit.h | tr -d '(' | sort -u)
exported=$(nm -D --defined-only "$built/libutfkit.so" | awk '{ print $3 }' | sort -u)
diff <(echo "$declared") <(echo "$exported") || { echo "header and library differ"; exit 1; }
echo "$(wc -l <<<"$declared") functions; libutfkit.so has $(stat -L -c %s "$built/libutfkit.so") bytes"
for name in $declared; do
    grep -q "\b$name\b" crates/utfkit-c/tests/c/every_function.c || { echo "no test calls $name"; exit 1; }
done

# The programs in the documentation print the output shown there.
awk -v work="$work" '
    /^<!-- program: / { name = $3; next }
    name != "" && /^```c$/ { file = work "/" name ".c"; next }
    name != "" && /^```text$/ { file = work "/" name ".txt"; next }
    /^```$/ && file != "" { close(file); if (file ~ /txt$/) name = ""; file = ""; next }
    file != "" { print >file }' crates/utfkit-c/README.md crates/utfkit-c/docs/c.md
programs=0
for source in "$work"/*.c; do
    for compiler in "${compilers[@]}"; do
        $compiler "${flags[@]}" "$source" -x none -L"$work" -lutfkit -o "$work/program"
        diff <("$work/program") "${source%.c}.txt" || { echo "${source##*/} with $compiler prints something else"; exit 1; }
        programs=$((programs + 1))
    done
done
echo "$programs programs of the documentation"
# And statically linked.
${compilers[0]} "${flags[@]}" "$work/first.c" -x none "$built/libutfkit.a" -o "$work/program" -lpthread -ldl -lm
diff <(env -u LD_LIBRARY_PATH "$work/program") "$work/first.txt"

for compiler in "${compilers[@]}"; do
    $compiler "${flags[@]}" crates/utfkit-c/tests/c/every_function.c -x none -L"$work" -lutfkit -o "$work/every"
    echo "${compiler% -x*}: $("$work/every")"
    $compiler "${flags[@]}" crates/utfkit-c/tests/c/compat.c -x none -L"$work" -lutfkit -o "$work/compat"
    "$work/compat"
done
echo "simdutf_compat.h: every function called"

if [ -n "${SIMDUTF_DEMO-}" ]; then
    sed 's/"simdutf_c.h"/"simdutf_compat.h"/' "$SIMDUTF_DEMO" >"$work/demo.c"
    ${compilers[0]} -O1 -Icrates/utfkit-c/include "$work/demo.c" -x none -L"$work" -lutfkit -o "$work/demo"
    diff <("$work/demo") "${SIMDUTF_OUTPUT:-/dev/stdin}"
    echo "$SIMDUTF_DEMO prints the same"
else
    echo "left out: a program of simdutf's own; SIMDUTF_DEMO names one, SIMDUTF_OUTPUT what it prints"
fi

if [ -n "$memory" ]; then
    if echo 'int main(void){return 0;}' | gcc -fsanitize=address -x c - -o "$work/asan" 2>/dev/null; then
        gcc -std=c11 -g -fsanitize=address,undefined -fno-sanitize-recover=all "${flags[@]}" \
            crates/utfkit-c/tests/c/every_function.c -L"$work" -lutfkit -o "$work/asan"
        echo "AddressSanitizer: $("$work/asan")"
    else
        echo "left out: AddressSanitizer"
    fi
    if command -v valgrind >/dev/null; then
        gcc -std=c11 -g -O1 "${flags[@]}" -DSHORT crates/utfkit-c/tests/c/every_function.c -L"$work" -lutfkit -o "$work/every"
        valgrind --quiet --error-exitcode=9 --leak-check=full "$work/every"
        echo "valgrind: nothing found"
    else
        echo "left out: there is no valgrind"
    fi
fi
