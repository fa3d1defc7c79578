#!/usr/bin/env bash
# The command as a whole process, beside cat, cp, wc, isutf8, iconv and uchardet, as CSV.
#
#   cargo build --release -p utfkit-cli
#   bench/command.sh >bench/results/command.csv    1 GiB, 7 rounds
#   bench/command.sh 64M 3                         64 MiB, 3 rounds
#
# Each round runs every command once, so a busy moment meets all alike; the best
# time of each counts. The files lie in memory (tmpfs) and are removed at the
# end. UTFKIT names the binary, UTFKIT_SHARED the folder of shared texts.
set -euo pipefail
export LC_ALL=C.UTF-8

root=$(cd "$(dirname "$0")/.." && pwd)
size=$(numfmt --from=iec "${1:-1G}")
rounds=${2:-7}

fail() {
    echo "command.sh: $*" >&2
    exit 2
}

utfkit=${UTFKIT:-${CARGO_TARGET_DIR:-$root/target}/release/utfkit}
[ -x "$utfkit" ] || fail "there is no $utfkit: cargo build --release -p utfkit-cli"

memory=/dev/shm
[ -d $memory ] && [ -w $memory ] || memory=${TMPDIR:-/tmp}
# The text, the same in UTF-16LE, a result, and four of an eighth; then a little.
free=$(df --output=avail -B1 $memory | tail -n 1)
[ "$free" -gt $((size * 6 + (200 << 20))) ] || fail "$memory has too little space for a size of $size bytes"
place=$(mktemp -d "$memory/utfkit-bench.XXXXXX")
trap 'rm -rf "$place"' EXIT
trap 'exit 130' INT TERM
cd "$place"

# The text: what is shared, repeated whole; or some lines in several scripts.
shared=${UTFKIT_SHARED:-$root/../shared}
if compgen -G "$shared/data/*/*.txt" >/dev/null; then
    cat "$shared"/data/*/*.txt >unit
else
    echo "command.sh: there is no $shared/data: made text instead" >&2
    for _ in $(seq 2000); do
        echo 'The quick brown fox jumps over the lazy dog. 0123456789'
        echo 'Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich.'
        echo 'Съешь же ещё этих мягких французских булок, да выпей чаю.'
        echo '敏捷的棕色狐狸跳过了懒狗。いろはにほへと ちりぬるを 🎉'
    done >unit
fi
unit=$(stat -c %s unit)
for _ in $(seq $(((size + unit - 1) / unit))); do cat unit; done >text
"$utfkit" convert -t UTF-16LE -o text16 text

# For `detect`: an eighth of the size, in encodings from before Unicode.
legacy() { # a name, an encoding, what the names of the texts in it have in common
    local name=$1 encoding=$2
    cat "$shared"/data/*/*"$3"*.txt >piece
    "$utfkit" convert -s -c -t "$encoding" -o piece16 piece || true
    local len
    len=$(stat -c %s piece16)
    for _ in $(seq $(((size / 8 + len - 1) / len))); do cat piece16; done >"$name"
    rm -f piece piece16
}
head -c $((size / 8)) text >detect-utf8
if compgen -G "$shared/data/*/*.txt" >/dev/null; then
    legacy detect-1251 windows-1251 ussian
    legacy detect-1252 windows-1252 rench
    legacy detect-sjis Shift_JIS apanese
else
    echo "command.sh: detection of other encodings than UTF-8 is left out" >&2
fi

# Small files of 4 KiB: the front of the text, filled up with full stops where
# that cuts a character.
head -c 4096 unit | "$utfkit" convert -s -c -t UTF-8 >four
printf '%*s' $((4096 - $(stat -c %s four))) '' | tr ' ' . >>four
mkdir small small/00
for file in $(seq -w 0 99); do cp four "small/00/$file"; done
for folder in $(seq -w 1 99); do cp -r small/00 "small/$folder"; done
small=(small/*/*)

has() { command -v "$1" >/dev/null; }
has isutf8 || echo "command.sh: no isutf8 (of moreutils): left out" >&2
has uchardet || echo "command.sh: no uchardet: left out" >&2
has iconv || echo "command.sh: no iconv: left out" >&2

# What is measured: `add GROUP LABEL COMMAND…`. The first of a group is that
# with which the others are compared.
groups=() labels=() commands=()
add() {
    groups+=("$1") labels+=("$2")
    shift 2
    commands+=("$(printf '%q ' "$@")")
}
check=("$utfkit" check)
convert=("$utfkit" convert)
add file 'cat' cat text
add file 'utfkit check' "${check[@]}" text
add file 'utfkit check -q' "${check[@]}" -q text
add file 'utfkit check -j1' "${check[@]}" -j1 text
has isutf8 && add file 'isutf8' isutf8 text
add to16 'cp of the result' cp text16 out
add to16 'utfkit convert -t UTF-16LE -o' "${convert[@]}" -t UTF-16LE -o out text
has iconv && add to16 'iconv -t UTF-16LE -o' iconv -f UTF-8 -t UTF-16LE -o out text
add to8 'cp of the result' cp text out
add to8 'utfkit convert -f UTF-16LE -o' "${convert[@]}" -f UTF-16LE -o out text16
has iconv && add to8 'iconv -f UTF-16LE -o' iconv -f UTF-16LE -t UTF-8 -o out text16
add small 'wc -c' wc -c "${small[@]}"
add small 'utfkit check, the names' "${check[@]}" "${small[@]}"
add small 'utfkit check, the folder' "${check[@]}" small
has isutf8 && add small 'isutf8' isutf8 "${small[@]}"

for file in detect-*; do
    add "$file" 'cat' cat "$file"
    add "$file" 'utfkit detect' "$utfkit" detect "$file"
    has uchardet && add "$file" 'uchardet' uchardet "$file"
done

eighth=$(numfmt --to=iec-i --suffix=B $((size / 8)))
declare -A title=(
    [file]="one file of $(numfmt --to=iec-i --suffix=B "$(stat -c %s text)")"
    [to16]='UTF-8 to UTF-16LE, to a file'
    [to8]='UTF-16LE to UTF-8, to a file'
    [detect-utf8]="the encoding of $eighth of UTF-8"
    [detect-1251]="the encoding of $eighth of Russian in windows-1251"
    [detect-1252]="the encoding of $eighth of French in windows-1252"
    [detect-sjis]="the encoding of $eighth of Japanese in Shift_JIS"
    [small]="${#small[@]} files of 4 KiB in 100 folders"
)

wall=() busy=()
TIMEFORMAT='%3R %3U %3S'
for _ in $(seq "$rounds"); do
    for n in "${!commands[@]}"; do
        rm -f out
        took=$({ time eval "${commands[n]}" >/dev/null 2>&3; } 3>errors 2>&1) ||
            fail "${labels[n]}: $(head -n 3 errors)"
        read -r real user system <<<"$took"
        milliseconds=$((10#${real/./})) cpu=$((10#${user/./} + 10#${system/./}))
        [ "${wall[n]:-999999}" -le $milliseconds ] || wall[n]=$milliseconds
        [ "${busy[n]:-999999}" -le $cpu ] || busy[n]=$cpu
    done
done

# The time of 100 starts, each alone.
best_start() {
    local best=999999 began took
    for _ in $(seq 100); do
        began=${EPOCHREALTIME/[.,]/}
        "$@" >/dev/null
        took=$((${EPOCHREALTIME/[.,]/} - began))
        [ $took -ge $best ] || best=$took
    done
    echo $best
}
echo 'text' >tiny
true_start=$(best_start env true)
version_start=$(best_start "$utfkit" --version)
check_start=$(best_start "$utfkit" check tiny)

seconds() { printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)); }
echo "$("$utfkit" --version), best of $rounds rounds, $(nproc) processors:" \
    "$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)" >&2
echo 'task,command,seconds,of_the_first,processor_seconds'
row() { printf '"%s","%s",%s,%d.%02d,%s\n' "$1" "$2" "$3" $(($4 / 100)) $(($4 % 100)) "$5"; }
group=
for n in "${!commands[@]}"; do
    if [ "${groups[n]}" != "$group" ]; then
        group=${groups[n]} base=${wall[n]}
    fi
    row "${title[$group]}" "${labels[n]}" "$(seconds "${wall[n]}")" \
        $((wall[n] * 100 / (base > 0 ? base : 1))) "$(seconds "${busy[n]}")"
done
# Microseconds; what a child takes of the processor is too little to count.
start_row() { row 'start, best of 100' "$1" "$(printf '0.%06d' "$2")" $(($2 * 100 / true_start)) ''; }
start_row 'env true' "$true_start"
start_row 'utfkit --version' "$version_start"
start_row 'utfkit check, 5 bytes' "$check_start"
