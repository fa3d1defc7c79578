#!/usr/bin/env bash
# Installs each package that ci/release.sh has made, in an empty folder or environment, by what its users use, and has
# it do its main work: find a bad byte, mend a folder, undo that.
#
#     bash ci/release-test.sh FOLDER         # with packages
#     UTFKIT_SLOW= bash ci/release-test.sh FOLDER    # without what compiles: sources, crates, pre-commit
#
# Needs the network for what pip and cargo fetch. What cannot be tried here is left out, and said.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec </dev/null
out=$(realpath "${1:?a folder of packages}")
slow=${UTFKIT_SLOW-yes}
sources=$PWD
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
PATH=$target/release-tools/bin:$PATH
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_STATE_HOME=$work/state XDG_CACHE_HOME=$work/cache NO_COLOR=1
has() { command -v "$1" >/dev/null; }
left_out() { echo "left out: $*"; }
fail() { echo "FAILED: $*"; exit 1; }
empty() { mktemp -d "$work/XXXXXX"; }
# The first file of such a name.
made() { find "$out" -maxdepth 1 -name "$1" -print -quit; }

# The main work of the command.
works() { # the command
    local folder status=0 line=$'\xf0\xd2\xc9\xd7\xc5\xd4, \xcd\xc9\xd2! \xeb\xc1\xcb \xc4\xc5\xcc\xc1? \xf3\xd0\xc1\xd3\xc9\xc2\xcf, \xc8\xcf\xd2\xcf\xdb\xcf.'
    folder=$(empty)
    cd "$folder"
    [ "$("$@" --version)" = "utfkit $version" ] || fail "$*: another version"
    printf 'tea\ncaf\xe9 au lait\n' >damaged.txt
    "$@" check damaged.txt >found 2>summary || status=$?
    if [ $status != 1 ] || ! grep -q '^damaged.txt:2:4: byte 7: E9: missing-continuation' found; then fail "$*: check: $status: $(cat found summary)"; fi
    mkdir old
    printf '\377\376G\0r\0\374\0\337\0e\0\n\0' >old/a.txt
    printf '%s\n' "$line" >old/b.txt
    cp -r old before
    "$@" fix --yes --silent old >plan
    [ "$(cat old/a.txt old/b.txt)" = $'Grüße\nПривет, мир! Как дела? Спасибо, хорошо.' ] || fail "$*: fix: $(cat plan old/*)"
    "$@" undo >plan 2>&1
    diff -r before old || fail "$*: undo: $(cat plan)"
    cd "$sources"
}

sums() {
    (cd "$out" && sha256sum --quiet -c SHA256SUMS)
    [ "$(wc -l <"$out/SHA256SUMS")" = "$(find "$out" -type f ! -name SHA256SUMS ! -name SIZES | wc -l)" ] || fail "a file is not in SHA256SUMS"
}

# What `cargo binstall` would fetch for a target, and where it would look for the command in there.
binstall() { # target
    (cd crates/utfkit-cli && cargo metadata --no-deps --format-version 1) | python3 -c '
import json, sys
target = sys.argv[1]
package = next(p for p in json.load(sys.stdin)["packages"] if p["name"] == "utfkit-cli")
said = package["metadata"]["binstall"]
said |= said["overrides"].get(target, {})
windows = "windows" in target
values = {"repo": "", "version": package["version"], "target": target, "bin": "utfkit",
          "archive-suffix": {"tgz": ".tar.gz", "zip": ".zip"}[said["pkg-fmt"]], "binary-ext": ".exe" if windows else ""}
for key in "pkg-url", "bin-dir":
    text = said[key]
    for name, value in values.items():
        text = text.replace("{ %s }" % name, value)
    print(text.rsplit("/", 1)[-1] if key == "pkg-url" else text)' "$1"
}

archive() { # target, command that runs its programs
    local folder file place target=$1
    shift
    file=$(made "utfkit-$version-$target.*")
    [ -n "$file" ] || return 0
    # What `--quick` packs is what other steps have built: for speed, and where it is.
    [ -n "${UTFKIT_QUICK-}" ] || [ "$(stat -c %s "$file")" -le 4000000 ] || fail "$file has more than 4 MB"
    folder=$(empty)
    case $file in
    *.zip) unzip -q "$file" -d "$folder" ;;
    *) tar -xzf "$file" -C "$folder" ;;
    esac
    place=$folder/utfkit-$version-$target
    for each in LICENSE-MIT LICENSE-APACHE LICENSES-DEPENDENCIES.txt README.md man/utfkit-check.1 completions/utfkit.bash completions/_utfkit.ps1; do
        [ -s "$place/$each" ] || fail "$file has no $each"
    done
    read -r -d '' asked within < <(binstall "$target") || true
    [ "$out/$asked" = "$file" ] || fail "cargo binstall asks for $asked"
    [ -s "$folder/$within" ] || fail "cargo binstall looks for $within"
    if [ -z "${UTFKIT_QUICK-}" ] && grep -qaF -e "${CARGO_HOME:-$HOME/.cargo}/" -e "$sources/" "$folder/$within"; then fail "$within names folders of this machine"; fi
    if [ "${1-}" = none ]; then return; fi
    works "$@" "$folder/$within"
    echo "$target: unpacked and used"
}

archives() {
    archive x86_64-unknown-linux-gnu
    if has qemu-aarch64; then
        archive aarch64-unknown-linux-gnu qemu-aarch64
    else
        archive aarch64-unknown-linux-gnu none
        left_out "running the command for AArch64 (package qemu-user)"
    fi
    # Wine needs a library that ci/cross.sh makes for it.
    export WINEPREFIX=$target/cross/wine WINEDEBUG=-all WINEDLLOVERRIDES="mscoree=;mshtml="
    if [ -e "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" ]; then
        archive x86_64-pc-windows-gnu /usr/lib/wine/wine64
    else
        archive x86_64-pc-windows-gnu none
        left_out "running the command for Windows (bash ci/cross.sh --quick --install windows)"
    fi
    local musl
    for musl in x86_64 aarch64; do
        [ -z "$(made "utfkit-$version-$musl-unknown-linux-gnu.*")" ] || [ -e "$out/$(binstall "$musl-unknown-linux-musl" | sed -n 1p)" ] ||
            fail "cargo binstall finds nothing for musl"
    done
}

debian() {
    [ -n "$(made '*.deb')" ] || return 0
    local root tuple flags packages left
    root=$(empty)
    tuple=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
    mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates"
    touch "$root/var/lib/dpkg/status"
    manage() { dpkg --root="$root" --force-not-root --force-depends --force-bad-path --log=/dev/null "$@" >"$work/log" 2>&1 || { cat "$work/log"; return 1; }; }
    manage --install "$out"/*.deb
    works "$root/usr/bin/utfkit"
    for file in usr/share/man/man1/utfkit.1.gz usr/share/man/man1/utfkit-check.1.gz usr/share/bash-completion/completions/utfkit usr/include/simdutf_compat.h; do
        [ -s "$root/$file" ] || fail "$file is not installed"
    done
    local symbol
    for symbol in $(objdump -T "$root/usr/lib/$tuple/libutfkit.so.${version%.*}" | grep -o 'GLIBC_[0-9.]*' | sort -u); do
        dpkg --compare-versions "${symbol#GLIBC_}" le 2.34 || fail "libutfkit needs $symbol, which its package does not say"
    done
    for package in "$out"/*.deb; do
        package=$(dpkg-deb -f "$package" Package)
        [ -s "$root/usr/share/doc/$package/copyright" ] || fail "$package has no licence"
    done
    printf '#include <stdio.h>\n#include <utfkit.h>\nint main(void) { puts(utfkit_version()); return 0; }\n' >"$work/program.c"
    if has gcc && has pkg-config; then
        flags=$(PKG_CONFIG_LIBDIR="$root/usr/lib/$tuple/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$root" PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 pkg-config --cflags --libs utfkit)
        # shellcheck disable=SC2086
        gcc "$work/program.c" $flags -o "$work/program"
        # It runs without the development files.
        mv "$root/usr/lib/$tuple/libutfkit.so" "$work/"
        [ "$(LD_LIBRARY_PATH="$root/usr/lib/$tuple" "$work/program")" = "$version" ] || fail "a program with libutfkit"
        mv "$work/libutfkit.so" "$root/usr/lib/$tuple/"
        echo "a program compiled with pkg-config: $version"
    fi
    if has xmllint; then
        printf '<?xml version="1.0" encoding="KOI8-R"?>\n<a>\360</a>\n' |
            UTFKIT_ICONV_COUNT=$work/count LD_PRELOAD="$root/usr/lib/$tuple/libutfkit_iconv.so" xmllint --encode UTF-8 - >/dev/null
        grep -q 'opened [1-9]' "$work/count" || fail "xmllint does not use libutfkit-iconv"
        echo "xmllint with the installed library: $(cat "$work/count")"
    else
        left_out "a program with libutfkit-iconv (package libxml2-utils)"
    fi
    packages=$(dpkg --root="$root" --get-selections | awk '{ print $1 }' | tac)
    # shellcheck disable=SC2086
    manage --remove $packages
    left=$(find "$root" -path "$root/var" -prune -o \( -type f -o -type l \) -print | head)
    [ -z "$left" ] || fail "left behind: $left"
    echo "Debian: installed, used and removed: $(wc -w <<<"$packages") packages"
}

rpm_package() {
    local file root
    file=$(made '*.rpm')
    [ -n "$file" ] || return 0
    if ! has rpm || [ "$(id -u)" != 0 ]; then
        left_out "installing the rpm (package rpm, as root)"
        return
    fi
    root=$(empty)
    manage() { command rpm --root "$root" --dbpath /var/lib/rpm "$@" >"$work/log" 2>&1 || { cat "$work/log"; fail "rpm $*"; }; }
    manage --initdb
    manage --install "$file"
    works "$root/usr/bin/utfkit"
    for file in usr/share/man/man1/utfkit-check.1.gz usr/share/licenses/utfkit/LICENSE-MIT; do
        [ -s "$root/$file" ] || fail "$file is not installed"
    done
    manage --erase utfkit
    [ ! -e "$root/usr/bin/utfkit" ] || fail "the rpm leaves the command behind"
    echo "rpm: installed, used and removed"
}

command_wheel() {
    local wheel folder
    wheel=$(made 'utfkit_cli-*.whl')
    [ -n "$wheel" ] || return 0
    folder=$(empty)
    python3 -m venv "$folder"
    "$folder/bin/pip" install --quiet --no-index "$wheel"
    works "$folder/bin/utfkit"
    "$folder/bin/pip" uninstall --quiet --yes utfkit-cli
    echo "pip: installed, used and removed"
    if has uvx; then
        works uvx --quiet --offline --no-index --from "$wheel" utfkit
        echo "uvx: used"
    else
        left_out "uvx (pip install uv)"
    fi
    if has pipx; then
        export PIPX_HOME=$folder/pipx PIPX_BIN_DIR=$folder/pipx-bin PIPX_MAN_DIR=$folder/pipx-man
        pipx install --quiet "$wheel" >"$work/log" 2>&1 || { cat "$work/log"; fail "pipx"; }
        works "$folder/pipx-bin/utfkit"
        echo "pipx: installed and used"
    else
        left_out "pipx (pip install pipx)"
    fi
}

# Every CPython from 3.10 that is on the path, or that pyenv has.
interpreters() {
    local python
    for python in python3.{10..20}{,t} ~/.pyenv/versions/*/bin/python3; do
        "$python" -c 'import sys, sysconfig, venv; sys.version_info >= (3, 10) and print(sysconfig.get_config_var("SOABI"), sys.executable)' 2>/dev/null || true
    done | sort -u -k1,1
}

python_wheels() {
    local abi python folder wheel tag
    [ -n "$(made 'utfkit-*.whl')" ] || return 0
    for wheel in "$out"/utfkit-*.whl; do
        [ "$(stat -c %s "$wheel")" -le 3000000 ] || fail "${wheel##*/} has more than 3 MB"
    done
    interpreters >"$work/interpreters"
    while read -r abi python; do
        folder=$(empty)
        "$python" -m venv "$folder"
        "$folder/bin/pip" install --quiet --no-index --find-links "$out" utfkit
        "$folder/bin/pip" install --quiet nanoarrow || left_out "columns with $abi (pip install nanoarrow)"
        (cd "$folder" && "$folder/bin/python" "$sources/ci/release/wheel_works.py" "$version")
        echo "$abi: installed and used"
    done <"$work/interpreters"
    for wheel in "$out"/utfkit-*.whl; do
        tag=$(cut -d- -f4 <<<"${wheel##*/}")
        grep -q "^cpython-${tag#cp}-" "$work/interpreters" || left_out "using the wheel for $tag: no such interpreter"
    done
}

# The functions for DataFusion, with the version of it that pip chooses.
datafusion_wheel() {
    local wheel folder
    wheel=$(made 'utfkit_datafusion-*.whl')
    [ -n "$wheel" ] || return 0
    folder=$(empty)
    python3 -m venv "$folder"
    if ! "$folder/bin/pip" install --quiet "$wheel"; then
        left_out "the functions for DataFusion: pip cannot fetch datafusion"
        return
    fi
    (cd "$folder" && bin/python - "$version" <<'EOF') || fail "the functions for DataFusion"
import sys
import tempfile
from datafusion import SessionContext
import utfkit_datafusion

context = utfkit_datafusion.register(SessionContext())
query = "SELECT make_valid_utf8(x'636166E9') AS made, decode_text(x'F0D2C9D7C5D4', 'koi8-r') AS text"
assert context.sql(query).to_pydict() == {"made": ["caf\ufffd"], "text": ["Привет"]}
with tempfile.NamedTemporaryFile("w", suffix=".csv", encoding="shift_jis", delete=False) as file:
    file.write("id,city\n1,東京\n2,大阪のたこ焼き\n")
utfkit_datafusion.register_csv_in(context, "cities", file.name)
assert context.sql("SELECT city FROM cities WHERE id = 2").to_pydict() == {"city": ["大阪のたこ焼き"]}
assert utfkit_datafusion.__version__ == sys.argv[1], utfkit_datafusion.__version__
EOF
    echo "DataFusion: installed with $("$folder/bin/pip" show datafusion | sed -n 's/^Version: //p') and used"
}

# Builds the sources in an empty folder, unoptimised. Those of utfkit-datafusion take as long
# as DataFusion does: UTFKIT_DATAFUSION_SOURCES=1 builds them, too.
python_sources() {
    local file folder files=("$out"/utfkit_cli-*.tar.gz "$out"/utfkit-[0-9].*[0-9].tar.gz)
    if [ -n "${UTFKIT_DATAFUSION_SOURCES-}" ]; then
        files+=("$out"/utfkit_datafusion-*.tar.gz)
    elif [ -n "$(made 'utfkit_datafusion-*.tar.gz')" ]; then
        left_out "building utfkit_datafusion from its sources (UTFKIT_DATAFUSION_SOURCES=1)"
    fi
    for file in "${files[@]}"; do
        [ -e "$file" ] || continue
        folder=$(empty)
        (cd "$folder" && MATURIN_PEP517_ARGS="--profile=dev" CARGO_TARGET_DIR=$target/release-sources pip wheel --quiet --no-deps "$file")
        echo "${file##*/}: built, $(cd "$folder" && ls)"
    done
}

npm_package() {
    local file
    file=$(made 'utfkit-*.tgz')
    [ -n "$file" ] || return 0
    (cd web && npm ci --no-audit --no-fund --loglevel=error >/dev/null)
    bash web/install.sh "$file" >"$work/log" || { cat "$work/log"; fail "$file"; }
    echo "npm: installed into empty projects and used"
}

crates() {
    local folder patches=() crate name
    [ -n "$(made 'utfkit-cli-*.crate')" ] || return 0
    folder=$(empty)
    for crate in "$out"/*.crate; do
        tar -xzf "$crate" -C "$folder"
        name=${crate##*/}
        name=${name%-"$version".crate}
        # None is on crates.io before the release.
        [ "$name" = utfkit-cli ] || patches+=(--config "patch.crates-io.$name.path='$folder/$name-$version'")
    done
    (cd "$folder" && cargo install --quiet --debug --root "$folder/installed" --target-dir "$target/release-crates" \
        "${patches[@]}" --path "utfkit-cli-$version")
    works "$folder/installed/bin/utfkit"
    echo "cargo install: built and used"
}

# Java alone, and SQL where pyspark is.
jar() {
    local file folder
    file=$(made 'utfkit-spark-*.jar')
    [ -n "$file" ] || return 0
    [ "$(stat -c %s "$file")" -le 8000000 ] || fail "$file has more than 8 MB"
    if ! has java; then
        left_out "using the jar (package openjdk-17-jdk-headless)"
        return
    fi
    if unzip -p "$file" 'utfkit/native/*' | grep -qaF -e "${CARGO_HOME:-$HOME/.cargo}/" -e "$sources/"; then fail "$file names folders of this machine"; fi
    folder=$(empty)
    cat >"$folder/Works.java" <<'EOF'
import utfkit.*;

public class Works {
    public static void main(String[] arguments) throws Exception {
        byte[] raw = {'c', 'a', 'f', (byte) 0xE9};
        System.out.println(Utf8.firstError(raw) + "; " + Encodings.decode(raw, "windows-1252"));
        System.out.println(new String("&AOk-".getBytes(), "UTF-7-IMAP") + "; " + Encodings.isNative());
    }
}
EOF
    [ "$(java -Dfile.encoding=UTF-8 -cp "$file" "$folder/Works.java")" = $'truncated at offset 3; café\né; true' ] || fail "the jar in Java"
    echo "the jar: used in Java"
    if ! python3 -c 'import pyspark' 2>/dev/null; then
        left_out "the jar in Spark (pip install pyspark)"
        return
    fi
    (cd "$folder" && SPARK_LOCAL_IP=127.0.0.1 python3 - "$file" "$version" <<'EOF') || fail "the jar in Spark"
import sys
from pyspark.sql import SparkSession

builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").config("spark.jars", sys.argv[1])
session = builder.config("spark.sql.extensions", "utfkit.spark.Extensions").getOrCreate()
session.sparkContext.setLogLevel("ERROR")
query = "SELECT utfkit_repair(X'636166E9', map('fallback', 'cp1252')), utfkit_version()"
[[text, version]] = session.sql(query).collect()
assert text == "café" and version.startswith(f"utfkit {sys.argv[2]}, linux-") and "without" not in version, (text, version)
EOF
    echo "the jar: used in Spark"
}

# Runs the steps of action.yml as GitHub does.
action() {
    local place name
    [ -n "$(made "utfkit-$version-x86_64-unknown-linux-gnu.tar.gz")" ] || return 0
    if ! python3 -c 'import yaml' 2>/dev/null; then
        left_out "the action (pip install pyyaml)"
        return
    fi
    place=$(empty)
    mkdir "$place/checkout" "$place/temp"
    printf 'caf\xe9 au lait\n' >"$place/checkout/a.txt"
    steps() { # URL
        python3 ci/release/action.py "$1" "$place/checkout" "$place/temp"
    }
    steps "file://$out" >"$work/log" 2>/dev/null && fail "the action finds nothing"
    grep -q '^::error file=a.txt,line=1,col=4,title=missing-continuation' "$work/log" || { cat "$work/log"; fail "the action"; }
    cmp -s "$place/temp/utfkit/bin/utfkit" <(tar -xzOf "$(made "utfkit-$version-x86_64-unknown-linux-gnu.tar.gz")" --wildcards '*/utfkit') ||
        fail "the action runs another command than the released one"
    # A file that is not the one that is listed.
    rm -r "$place/temp"
    mkdir "$place/temp" "$place/forged"
    cp "$out/SHA256SUMS" "$place/forged"
    echo forged >"$place/forged/utfkit-$version-x86_64-unknown-linux-gnu.tar.gz"
    steps "file://$place/forged" >"$work/log" 2>&1 && fail "the action takes a forged archive"
    grep -q '^::error::file:.* is not the file that SHA256SUMS lists' "$work/log" || { cat "$work/log"; fail "the action"; }
    echo "action.yml: fetched, checked, used; a forged archive is refused"
}

hooks() {
    local place status=0
    if ! has pre-commit; then
        left_out "the hooks (pip install pre-commit)"
        return
    fi
    place=$(empty)
    git clone --quiet "$sources" "$place/hooks"
    git init --quiet "$place/project"
    cd "$place/project"
    printf 'caf\xe9 au lait\n' >a.txt
    git add .
    PRE_COMMIT_HOME=$place/home CARGO_TARGET_DIR=$target/release-sources pre-commit try-repo --color never "$place/hooks" utfkit-check --all-files >"$work/log" 2>&1 || status=$?
    if [ $status != 1 ] || ! grep -q '^a.txt:1:4: byte 3: E9: missing-continuation' "$work/log"; then cat "$work/log"; fail "pre-commit"; fi
    cd "$sources"
    echo "pre-commit: built and used"
}

sums
archives
debian
rpm_package
command_wheel
python_wheels
datafusion_wheel
npm_package
jar
action
if [ -n "$slow" ]; then
    python_sources
    crates
    hooks
else
    left_out "what compiles: the sources, the crates, pre-commit"
fi
echo "the packages work"
