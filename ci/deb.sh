#!/usr/bin/env bash
# Builds Debian packages: the command (with man pages and completions), the
# library, its development files, and the library for LD_PRELOAD.
#
#     bash ci/deb.sh FOLDER     # writes them to FOLDER
#     bash ci/deb.sh --test     # builds, installs (in a temporary root), uses and removes them
#
# Needs dpkg-deb; no root.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if ! command -v dpkg-deb >/dev/null; then
    echo "left out: there is no dpkg-deb"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ "${1-}" = --test ]; then folder=$work/packages; else folder=${1:?a folder for the packages}; fi
mkdir -p "$folder"

cargo build --locked --quiet --release -p utfkit-cli -p utfkit-c -p utfkit-iconv
built=${CARGO_TARGET_DIR:-target}/release
version=$(cargo metadata --locked --no-deps --format-version 1 | python3 -c '
import json, sys
print(next(p["version"] for p in json.load(sys.stdin)["packages"] if p["name"] == "utfkit-cli"))')
machine=$(dpkg --print-architecture)
libraries=usr/lib/$(gcc -print-multiarch 2>/dev/null || uname -m | sed 's/$/-linux-gnu/')
soname=libutfkit.so.${version%.*}

# Copies a file into the tree of a package.
put() { # mode, source, package, destination
    install -D -m "$1" "$2" "$work/$3/$4"
}
put 755 "$built/utfkit" utfkit usr/bin/utfkit
"$built/utfkit" man --output "$work/man" >/dev/null
for page in "$work"/man/*; do
    gzip -9n "$page"
    put 644 "$page.gz" utfkit "usr/share/man/man1/${page##*/}.gz"
done
for shell in bash:usr/share/bash-completion/completions/utfkit zsh:usr/share/zsh/vendor-completions/_utfkit fish:usr/share/fish/vendor_completions.d/utfkit.fish; do
    "$built/utfkit" completions "${shell%%:*}" >"$work/completion"
    put 644 "$work/completion" utfkit "${shell#*:}"
done
put 644 "$built/libutfkit.so" "libutfkit${version%.*}" "$libraries/$soname"
for header in crates/utfkit-c/include/*.h; do put 644 "$header" libutfkit-dev "usr/include/${header##*/}"; done
put 644 "$built/libutfkit.a" libutfkit-dev "$libraries/libutfkit.a"
ln -s "$soname" "$work/libutfkit-dev/$libraries/libutfkit.so"
cat >"$work/utfkit.pc" <<PC
prefix=/usr
libdir=\${prefix}/${libraries#usr/}
includedir=\${prefix}/include

Name: utfkit
Description: UTF-8 and every other encoding: validate, convert, diagnose, repair, detect
Version: $version
Libs: -L\${libdir} -lutfkit
Libs.private: -lpthread -ldl -lm
Cflags: -I\${includedir}
PC
put 644 "$work/utfkit.pc" libutfkit-dev "$libraries/pkgconfig/utfkit.pc"
put 644 crates/utfkit-c/docs/c.md libutfkit-dev usr/share/doc/libutfkit-dev/c.md
put 644 "$built/libutfkit_iconv.so" libutfkit-iconv "$libraries/libutfkit_iconv.so"

# Builds a package from its tree.
package() { # name, section, what it needs, in a line, more
    local tree=$work/$1 more
    put 644 LICENSE-MIT "$1" "usr/share/doc/$1/copyright"
    more=$(cat "LICENSE-APACHE")
    printf '\n%s\n' "$more" >>"$tree/usr/share/doc/$1/copyright"
    gzip -9nc CHANGELOG.md >"$tree/usr/share/doc/$1/changelog.gz"
    mkdir "$tree/DEBIAN"
    cat >"$tree/DEBIAN/control" <<CONTROL
Package: $1
Version: $version
Architecture: $machine
Section: $2
Priority: optional
Maintainer: The authors of utfkit <utfkit@localhost>
Depends: $3
Installed-Size: $(du -sk "$tree" | cut -f1)
Description: $4
 $5
CONTROL
    case $1 in libutfkit0*) printf 'activate-noawait ldconfig\n' >"$tree/DEBIAN/triggers" ;; esac
    (cd "$tree" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
    chmod -R u=rwX,go=rX "$tree"
    dpkg-deb --root-owner-group --build "$tree" "$folder" >/dev/null
    echo "$1: $(stat -c %s "$folder/$1_${version}_$machine.deb") bytes"
}
package utfkit utils "libc6, libgcc-s1" "UTF-8 in every form: validate, convert, diagnose, repair, detect" \
    "A command for text files in any encoding."
package "libutfkit${version%.*}" libs "libc6, libgcc-s1" "UTF-8 and every other encoding, for C" \
    "The shared library."
package libutfkit-dev libdevel "libutfkit${version%.*} (= $version)" "UTF-8 and every other encoding, for C: to compile with" \
    "Headers, among them one with simdutf's names, and the static library."
package libutfkit-iconv libs "libc6, libgcc-s1" "iconv(3) by utfkit, for LD_PRELOAD" \
    "Programs that call iconv convert faster with it, without being compiled again."

[ "${1-}" = --test ] || exit 0
root=$work/root
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates"
touch "$root/var/lib/dpkg/status"
manage() { dpkg --root="$root" --force-not-root --force-depends --force-bad-path --log=/dev/null "$@" >"$work/log" 2>&1 || { cat "$work/log"; return 1; }; }
manage --install "$folder"/*.deb
"$root/usr/bin/utfkit" --version
for file in usr/share/man/man1/utfkit.1.gz usr/share/man/man1/utfkit-check.1.gz usr/share/bash-completion/completions/utfkit usr/include/simdutf_compat.h; do
    [ -s "$root/$file" ] || { echo "$file is not installed"; exit 1; }
done
printf '#include <stdio.h>\n#include <utfkit.h>\nint main(void) { puts(utfkit_version()); return 0; }\n' >"$work/program.c"
if command -v gcc >/dev/null && command -v pkg-config >/dev/null; then
    flags=$(PKG_CONFIG_LIBDIR="$root/$libraries/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$root" PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 pkg-config --cflags --libs utfkit)
    # shellcheck disable=SC2086
    gcc "$work/program.c" $flags -o "$work/program"
    [ "$(LD_LIBRARY_PATH="$root/$libraries" "$work/program")" = "$version" ]
    echo "a program compiled with pkg-config: $version"
fi
if command -v xmllint >/dev/null; then
    printf '<?xml version="1.0" encoding="KOI8-R"?>\n<a>\360</a>\n' |
        UTFKIT_ICONV_COUNT=$work/count LD_PRELOAD="$root/$libraries/libutfkit_iconv.so" xmllint --encode UTF-8 - >/dev/null
    grep -q 'opened [1-9]' "$work/count"
    echo "xmllint with the installed library: $(cat "$work/count")"
fi
packages=$(dpkg --root="$root" --get-selections | awk '{ print $1 }' | tac)
# shellcheck disable=SC2086
manage --remove $packages
left=$(find "$root" -path "$root/var" -prune -o \( -type f -o -type l \) -print | head)
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
echo "installed, used and removed: $(wc -w <<<"$packages") packages"
