#!/usr/bin/env bash
# Converts texts with utfkit, with iconv (C library) and with uconv (ICU; Debian
# package icu-devtools), and compares every byte:
#
#     bash ci/judges.sh
#
# Judges that are not installed are reported and skipped.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cargo build --quiet --release --bin utfkit
utfkit=${CARGO_TARGET_DIR:-target}/release/utfkit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cases=0
failures=0

# The texts: all of plane 0, samples of the other planes, and a sample for each
# legacy encoding.
cat >"$work/bmp" <<'TEXT'
Hi Mom -☺-! A≢Α. 1 + 1 = 2; "quoted" 'too' {braces} [brackets] <less>
Größe, naïve, œuvre, Łódź, ČESKÁ, İstanbul, Việt Nam, Ωμέγα, Привет
日本語のテキスト、中文，한국어 — שלום، مرحبا ไทย ελληνικά 𐏿
TEXT
sed -i 's/ 𐏿//' "$work/bmp"
{ cat "$work/bmp"; echo 'Supplementary: 𝄞 🎉 𠀀 😀+𝒳-'; } >"$work/all"
printf 'Latin: \302\240\302\251\303\200\303\237\303\277 plain\n' >"$work/latin"
for shared in ../shared/data/*/*.utf8.txt; do
    if [ -e "$shared" ]; then cat "$shared" >>"$work/all"; fi
done

same() { # what, file, file
    cases=$((cases + 1))
    if ! cmp -s "$2" "$3"; then
        failures=$((failures + 1))
        echo "DIFFERS: $1: $(cmp "$2" "$3" 2>&1 | tail -n 1 | sed 's/^[^ ]* [^ ]* //')"
    fi
}

# Arguments: utfkit's name of the encoding, a text, and the judge's commands
# from and to UTF-8.
compare() { # judge, our name, text, encode…, --, decode…
    local judge=$1 ours=$2 text=$3 encode=() decode=()
    shift 3
    while [ "$1" != -- ]; do encode+=("$1"); shift; done
    shift
    decode=("$@")
    "${encode[@]}" <"$work/$text" >"$work/theirs"
    # Output before an error differs; the error is on standard error.
    "$utfkit" convert -f UTF-8 -t "$ours" <"$work/$text" >"$work/ours" || true
    same "UTF-8 to $ours ($text) is what $judge writes" "$work/ours" "$work/theirs"
    "$utfkit" convert -f "$ours" -t UTF-8 <"$work/theirs" >"$work/back" || true
    "${decode[@]}" <"$work/theirs" >"$work/their-back"
    same "$ours to UTF-8 ($text) is what $judge reads" "$work/back" "$work/their-back"
}

by_iconv() { compare iconv "$1" "$3" iconv -f UTF-8 -t "$2" -- iconv -f "$2" -t UTF-8; }
by_uconv() { compare uconv "$1" "$3" uconv -f UTF-8 -t "$2" -- uconv -f "$2" -t UTF-8; }

# The part of "all" that the judge can represent in a legacy encoding.
sample() { iconv -c -f UTF-8 -t "$1" <"$work/all" 2>/dev/null | iconv -c -f "$1" -t UTF-8 >"$work/$2" 2>/dev/null || true; }

# Not macintosh: the C library has U+0394 and U+03A9 where Apple and the
# Encoding Standard have U+2206 and U+2126.
legacy=(
    ISO-8859-2=ISO-8859-2 ISO-8859-5=ISO-8859-5 ISO-8859-7=ISO-8859-7 ISO-8859-15=ISO-8859-15
    windows-1250=CP1250 windows-1251=CP1251 windows-1252=CP1252 windows-1253=CP1253 windows-1256=CP1256
    KOI8-R=KOI8-R KOI8-U=KOI8-U IBM437=CP437 IBM866=CP866
    windows-1254=CP1254 windows-1257=CP1257 windows-874=CP874
    GBK=GBK EUC-KR=EUC-KR
)

if command -v iconv >/dev/null; then
    for name in UTF-7 UTF-16 UTF-16LE UTF-16BE UTF-32 UTF-32LE UTF-32BE UCS-4LE UCS-4BE; do
        by_iconv "$name" "$name" all
    done
    by_iconv UCS-4 UCS-4 all
    if iconv -l | grep -q UTF-7-IMAP; then by_iconv UTF-7-IMAP UTF-7-IMAP all; fi
    by_iconv UCS-2LE UCS-2LE bmp
    by_iconv UCS-2BE UCS-2BE bmp
    by_iconv ISO-8859-1 ISO-8859-1 latin
    for pair in "${legacy[@]}"; do
        sample "${pair#*=}" sample
        by_iconv "${pair%=*}" "${pair#*=}" sample
    done
else
    echo "iconv is not installed: its cases are left out"
fi

if command -v uconv >/dev/null; then
    for name in UTF-16LE UTF-16BE UTF-32LE UTF-32BE CESU-8; do by_uconv "$name" "$name" all; done
    by_uconv UTF-16 UTF-16LE,version=1 all
    by_uconv UTF-7 UTF-7,version=1 all
    by_uconv UTF-7-OPTIONAL UTF-7 all
    by_uconv UTF-7-IMAP IMAP-mailbox-name all
    by_uconv ISO-8859-1 ISO-8859-1 latin
    if command -v iconv >/dev/null; then
        for pair in ISO-8859-2=ISO-8859-2 ISO-8859-15=ISO-8859-15 windows-1251=windows-1251 KOI8-R=KOI8-R; do
            sample "${pair#*=}" sample
            by_uconv "${pair%=*}" "${pair#*=}" sample
        done
    fi
else
    echo "uconv (package icu-devtools) is not installed: its cases are left out"
fi

# Every character of the legacy encodings that have a table here.
if command -v python3 >/dev/null; then
    for judge in "ci/encodings.py $utfkit" crates/utfkit-core/data/code_pages.py; do
        echo "$judge"
        # shellcheck disable=SC2086
        python3 $judge >"$work/judged" || failures=$((failures + 1))
        grep -v '^d' "$work/judged"
    done
else
    echo "python3 is not installed: ci/encodings.py and code_pages.py are left out"
fi

echo "$cases comparisons, $failures differ"
[ "$failures" -eq 0 ]
