#!/usr/bin/env bash
# Mutation testing: changes one thing in the scalar codecs, the driver or the
# diagnosis, again and again, and looks whether a test notices.
#
#     bash ci/mutants.sh                               # all of them: hours
#     bash ci/mutants.sh crates/utfkit/src/codec.rs    # those of some files
#     bash ci/mutants.sh --shard 3/100                 # a hundredth of them
#     bash ci/mutants.sh --list                        # counts them, runs nothing
#     bash ci/mutants.sh --install                     # installs cargo-mutants first
#
# What is looked at, and how, is in .cargo/mutants.toml. A mutant that no test
# notices has to be explained in ci/mutants.md, by its line and what was done to
# it; one that is not makes this fail.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# Flags of the caller would take the place of those in mutants.toml.
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS

arguments=(--no-shuffle) files=() list=
while [ $# != 0 ]; do
    case $1 in
        --install) cargo install --locked cargo-mutants ;;
        --list) list=yes ;;
        --shard) arguments+=(--shard "$2"); shift ;;
        -*) echo "unknown: $1" >&2; exit 2 ;;
        *) files+=("$1") ;;
    esac
    shift
done
command -v cargo-mutants >/dev/null || { echo "cargo-mutants is missing: bash ci/mutants.sh --install" >&2; exit 2; }
# The files that are named, by leaving out the others: what is named with --file
# comes on top of those in mutants.toml.
if [ ${#files[@]} != 0 ]; then
    while read -r file; do
        case " ${files[*]} " in *" $file "*) ;; *) arguments+=(--exclude "$file") ;; esac
    done < <(cargo mutants --list-files)
fi
if [ -n "$list" ]; then
    cargo mutants "${arguments[@]}" --list | awk -F : '
        { of[$1]++; all++ }
        END { for (file in of) print of[file], file | "sort -k2"; close("sort -k2"); print all + 0, "in all" }'
    exit
fi

out=${CARGO_TARGET_DIR:-target}/mutants-report
mkdir -p "$out"
start=$SECONDS
status=0
cargo mutants "${arguments[@]}" --output "$out" --colors never || status=$?
# 2 and 3 say that some were missed or took too long, which is looked at here.
case $status in 0 | 2 | 3) ;; *) exit "$status" ;; esac

python3 - "$out/mutants.out" $((SECONDS - start)) <<'PYTHON'
import pathlib, re, sys

report, seconds = pathlib.Path(sys.argv[1]), sys.argv[2]

def entries(name):
    return [line for line in (report / f"{name}.txt").read_text().splitlines() if line]

def place(mutant):
    """File, what was done, and the text of the line: line numbers move."""
    file, line, _, done = re.fullmatch(r"(.*?):(\d+):(\d+): (.*)", mutant).groups()
    text = pathlib.Path(file).read_text().splitlines()[int(line) - 1].strip()
    return file.removeprefix("crates/utfkit/src/"), done, text

explained, file = set(), None
for line in pathlib.Path("ci/mutants.md").read_text().splitlines():
    if heading := re.fullmatch(r"### `(\S+)`", line):
        file = heading[1]
    elif entry := re.fullmatch(r"- `(.*)`: `` (.*) ``", line):
        explained.add((file, entry[1], entry[2]))

missed, late = entries("missed"), entries("timeout")
unexplained = [mutant for mutant in missed if place(mutant) not in explained]
caught, unviable = len(entries("caught")), len(entries("unviable"))
for mutant in unexplained:
    print("missed:", mutant)
    print("        - `{1}`: `` {2} ``".format(*place(mutant)))
print(f"{caught + unviable + len(missed) + len(late)} mutants: {caught} caught, {len(late)} by their time, "
      f"{unviable} do not compile, {len(missed)} missed, of which {len(missed) - len(unexplained)} are explained; {seconds} s")
sys.exit(bool(unexplained))
PYTHON
