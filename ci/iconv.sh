#!/usr/bin/env bash
# Runs existing programs with libutfkit_iconv.so in place of the system's iconv.
# Each must give the same result with and without it, and must have used it, as
# shown by the library's counter.
#
#     bash ci/iconv.sh                  # those programs that are there
#     bash ci/iconv.sh --tests          # and gettext's own tests, from its Debian source package
#
# The comparison with glibc's iconv for each pair is a test: cargo test -p
# utfkit-iconv (UTFKIT_ICONV_ALL_PAIRS=1 for all pairs; UTFKIT_FUZZ_SECONDS=600
# sets the time of the fuzzer). For timing: cargo run --release -p utfkit-iconv
# --example beside_glibc
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if [ "$(uname -s)" != Linux ]; then
    echo "left out: LD_PRELOAD is for Linux"
    exit 0
fi
cargo build --locked --quiet --release -p utfkit-iconv
library=$(realpath "${CARGO_TARGET_DIR:-target}/release/libutfkit_iconv.so")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failed=0

# Runs a command without and with the library. Arguments: name, minimum number
# of bytes converted by utfkit, command.
beside() {
    local name=$1 least=$2 bytes=0 number
    shift 2
    if ! command -v "$1" >/dev/null; then
        echo "left out: there is no $1"
        return
    fi
    "$@" >plain.out 2>plain.err </dev/null || true
    rm -f count
    UTFKIT_ICONV_COUNT="$work/count" LD_PRELOAD="$library" "$@" >with.out 2>with.err </dev/null || true
    if ! cmp -s plain.out with.out || ! cmp -s plain.err with.err; then
        echo "FAILED: $name gives something else:"
        diff plain.out with.out | head -5 || true
        diff plain.err with.err | head -5 || true
        failed=1
        return
    fi
    for number in $(grep -oE '[0-9]+ bytes by utfkit' count 2>/dev/null | cut -d' ' -f1); do bytes=$((bytes + number)); done
    if [ "$bytes" -lt "$least" ]; then
        echo "FAILED: $name has not used it: $bytes bytes; $(cat count 2>/dev/null || echo no count)"
        failed=1
        return
    fi
    echo "$name: the same, $(stat -c %s plain.out) bytes; $(tail -n 1 count | sed 's/utfkit-iconv: //')"
}

text() { # repeats a line of UTF-8 in an encoding
    local i
    for ((i = 0; i < 200; i++)); do printf 'Привет, мир: “текст” № %d\n' "$i"; done | iconv -c -f UTF-8 -t "$1"
}

# Every size next to guard pages: by glibc, by utfkit, and under valgrind.
pages=$OLDPWD/crates/utfkit-iconv/tests/c/pages.c
if command -v gcc >/dev/null; then
    gcc -std=c11 -O1 -Wall -Wextra -Werror "$pages" -o pages
    ./pages >pages.plain
    LD_PRELOAD=$library ./pages >pages.with || { echo "FAILED: the calls with arguments that cannot be"; failed=1; }
    if cmp -s pages.plain pages.with; then echo "at the ends of pages: the same, $(cat pages.with)"; else echo "FAILED: $(cat pages.plain pages.with)"; failed=1; fi
    if command -v valgrind >/dev/null; then
        # glibc's loader compares "$ORIGIN" in words that extend past its end
        # when the system's iconv opens a table. Not our code.
        printf '{\nloader\nMemcheck:Addr8\nfun:strncmp\nfun:is_dst\n}\n' >loader.supp
        LD_PRELOAD=$library valgrind --quiet --suppressions=loader.supp --error-exitcode=9 --leak-check=full ./pages >pages.valgrind || { echo "FAILED: valgrind"; failed=1; }
        cmp pages.with pages.valgrind && echo "valgrind: nothing found"
    else
        echo "left out: there is no valgrind"
    fi
else
    echo "left out: there is no gcc"
fi

# libxml2
# libxml2 decodes UTF-16 itself.
for encoding in KOI8-R WINDOWS-1251 ISO-8859-5; do
    { printf '<?xml version="1.0" encoding="%s"?>\n<a>' "$encoding" | iconv -t "$encoding" -f UTF-8; text "$encoding"; printf '</a>\n' | iconv -t "$encoding" -f UTF-8; } >"$encoding.xml"
    beside "xmllint, $encoding" 1 xmllint --encode UTF-8 "$encoding.xml"
done
{ printf '<?xml version="1.0" encoding="Shift_JIS"?>\n<a>'; printf '日本語の文書、テキスト。\n%.0s' {1..100} | iconv -f UTF-8 -t SHIFT_JIS; printf '</a>\n'; } >sjis.xml
beside "xmllint, Shift_JIS" 1 xmllint --encode UTF-8 sjis.xml
beside "xmllint, from UTF-8 to KOI8-R" 1 xmllint --encode KOI8-R KOI8-R.xml

# gettext
{ printf 'msgid ""\nmsgstr "Content-Type: text/plain; charset=KOI8-R\\n"\n\nmsgid "text"\nmsgstr "'; text KOI8-R | tr -d '\n'; printf '"\n'; } >ru.po
beside "msgconv, KOI8-R" 1 msgconv -t UTF-8 ru.po
msgconv -t UTF-8 ru.po >utf8.po 2>/dev/null || true
beside "msgconv, and back" 1 msgconv -t KOI8-R utf8.po

# git
if command -v git >/dev/null; then
    git init -q tree
    (
        cd tree
        git config user.email a@example.org
        git config user.name a
        echo '*.txt working-tree-encoding=UTF-16 eol=lf' >.gitattributes
        text UTF-16 >some.txt
    )
    beside "git add, working-tree-encoding=UTF-16" 1 git -C tree add .
    git -C tree commit -qm a
    beside "git checkout" 1 bash -c 'rm -f tree/some.txt; git -C tree checkout -q -f . && cat tree/some.txt'
    echo 'more' | iconv -t UTF-16LE >>tree/some.txt
    beside "git diff" 1 git -C tree diff
fi

# vim
text KOI8-R >koi8.txt
text WINDOWS-1251 >cp1251.txt
for file in koi8.txt:koi8-r cp1251.txt:cp1251; do
    beside "vim, :e ++enc=${file#*:}" 1 \
        vim -u NONE -es -N -c 'set encoding=utf-8' -c "e ++enc=${file#*:} ${file%:*}" -c 'set fileencoding=utf-8' -c 'w! out.txt' -c '!cat out.txt' -c 'qa!'
    if [ -e out.txt ] && iconv -f "${file#*:}" -t UTF-8 "${file%:*}" | cmp -s - out.txt; then echo "  and wrote what it should"; fi
done

# Those of gettext's own tests that run installed programs.
own_tests() {
    local script
    for script in msgconv-* msgcat-* msgmerge-* msgfmt-* msgunfmt-* msgattrib-* msgcomm-* msgen-* msgfilter-* msggrep-* msguniq-* msginit-* recode-sr-latin-*; do
        case $script in *.*) continue ;; esac
        [ -f "$script" ] || continue
        local status=0
        srcdir=. abs_srcdir=$PWD timeout 60 sh "$script" >/dev/null 2>&1 </dev/null || status=$?
        echo "$script $status"
    done
}
if [ "${1-}" = --tests ]; then
    if ! (apt-get source --download-only gettext && tar xf gettext_*.orig.tar.?z) >source.log 2>&1; then
        echo "left out: gettext's source package cannot be had, $(tail -n 1 source.log) (apt needs a line deb-src)"
    else
        cd gettext-*/gettext-tools/tests
        # Values that configure would set concern only compiler tests.
        sed 's/@[A-Za-z0-9_]*@//g' init-env.in >init-env
        own_tests >"$work/plain"
        export UTFKIT_ICONV_COUNT=$work/count.tests
        LD_PRELOAD=$library own_tests >"$work/with"
        unset UTFKIT_ICONV_COUNT
        echo "gettext's tests: $(wc -l <"$work/plain"), of which $(grep -c ' 0$' "$work/plain") pass without the library" \
            "and $(grep -c ' 0$' "$work/with") with it, which $(grep -vc 'opened 0 \|(utfkit 0, ' "$work/count.tests") processes used"
        diff "$work/plain" "$work/with" || failed=1
    fi
fi
exit $failed
