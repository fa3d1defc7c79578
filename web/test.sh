#!/usr/bin/env bash
# Builds and tries the npm package and the page:
#
#     bash web/test.sh               # minutes; what needs a tool that is not there is left out, and said
#     bash web/test.sh --install     # installs first what apt and npm have for it
#     bash web/test.sh --long        # files of 1 GiB in the browsers, instead of one of 160 MiB
#     bash web/test.sh --built       # as web/build.sh left it
#
# Compares with the command over ../shared or UTFKIT_SHARED, if both are there. UTFKIT_COMMAND
# is the command; target/debug/utfkit and target/release/utfkit are found.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec </dev/null

install='' long='' built=''
for word; do
    case $word in
    --install) install=--install ;;
    --long) long=1024 ;;
    --built) built=yes ;;
    *) sed -n '2,10s/^# \{0,1\}//p' web/test.sh >&2; exit 2 ;;
    esac
done
source web/tools.sh
# shellcheck disable=SC2086  # an option or nothing
[ -n "$built" ] || bash web/build.sh $install
export UTFKIT_PACKAGE=$out/utfkit UTFKIT_PAGE=$out/page/index.html
if shared=$(cd "${UTFKIT_SHARED:-../shared}" 2>/dev/null && pwd); then export UTFKIT_SHARED=$shared; else unset UTFKIT_SHARED; fi
if [ -z "${UTFKIT_COMMAND-}" ]; then
    for profile in release debug; do
        if [ -x "${CARGO_TARGET_DIR:-target}/$profile/utfkit" ]; then
            UTFKIT_COMMAND=$(realpath "${CARGO_TARGET_DIR:-target}/$profile/utfkit")
            export UTFKIT_COMMAND
            break
        fi
    done
fi
[ -n "${UTFKIT_SHARED-}" ] || echo "left out: the vectors of other projects (no folder ../shared)"
[ -n "${UTFKIT_COMMAND-}" ] || echo "left out: the verdicts of the command (cargo build -p utfkit-cli)"

cd web
# The tests import the package by its name.
ln -sfn "$UTFKIT_PACKAGE" node_modules/utfkit
echo "=== the package in Node $(node --version)"
node --test test/*.test.mjs >"$out/node.log" 2>&1 || { grep -A 20 '^not ok' "$out/node.log" | head -n 80; exit 1; }
grep -E '^# (tests|pass|fail|skipped)|^ℹ (tests|pass|fail|skipped)' "$out/node.log"
echo "=== the package, installed"
bash install.sh "$UTFKIT_PACKAGE"

browsers=()
for browser in chromium firefox-esr; do
    if command -v "$browser" >/dev/null; then browsers+=("${browser%-esr}"); else echo "left out: $browser is not installed (bash web/test.sh --install)"; fi
done
for browser in ${browsers[@]+"${browsers[@]}"}; do
    echo "=== $browser"
    node test/browser.mjs "$browser"
    node test/page.mjs "$browser"
    node test/attacks.mjs "$browser"
    # shellcheck disable=SC2086  # a number or nothing
    node test/memory.mjs "$browser" $long
done
[ -n "$long" ] || echo "left out: files of 1 GiB (bash web/test.sh --long)"
echo "passed, $SECONDS s"
