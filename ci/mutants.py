"""Runs the mutants that cargo-mutants lists, many from one build.

Called by ci/mutants.sh, in the root of the project. Building the library and
its tests takes longer than a test needs to see most mutants, so every function
is written once with all its mutants in it, each an arm of a `match` on a number
from the environment; what reads as cargo-mutants would write it is then one
build for all of them. A mutant that cannot stand beside others (outside of a
function, or evaluated by the compiler, or one that does not compile there) is
built by itself. All this happens in a copy below the target folder.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
import tomllib

SOURCE = "crates/utfkit/src/"
# What is asked at the beginning of every function that has mutants, with the
# number of the function, which is written down if somebody wants to know who
# comes there. A constant is evaluated without any mutant: what only the
# compiler calls is built by itself.
ACTIVE = """
#[doc(hidden)]
pub(crate) mod mutant {
    use core::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
    static ACTIVE: AtomicU32 = AtomicU32::new(u32::MAX);
    static MET: [AtomicBool; FUNCTIONS] = [const { AtomicBool::new(false) }; FUNCTIONS];
    const fn by_the_compiler(_: usize) -> u32 { 0 }
    #[inline]
    fn by_the_program(function: usize) -> u32 {
        if !MET[function].load(Relaxed) { meet(function); }
        ACTIVE.load(Relaxed)
    }
    #[cold]
    #[inline(never)]
    fn meet(function: usize) {
        use std::io::Write;
        let active = std::env::var("UTFKIT_MUTANT").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
        ACTIVE.store(active, Relaxed);
        if !MET[function].swap(true, Relaxed) && let Some(path) = std::env::var_os("UTFKIT_MET") {
            let mut file = std::fs::File::options().append(true).create(true).open(path).unwrap();
            file.write_all(std::format!("{function}\\n").as_bytes()).unwrap();
        }
    }
    #[inline]
    pub(crate) const fn active(function: usize) -> u32 {
        core::intrinsics::const_eval_select((function,), by_the_compiler, by_the_program)
    }
}
"""
FEATURES = "#![feature(core_intrinsics, const_eval_select)]\n#![allow(internal_features)]\n"
# A test that takes longer is a process of its own, after all the others.
QUICK = 0.1
# A mutant that grows without end is ended by this.
MEMORY = 8 << 30
# Seconds that are enough for a check. A constant whose evaluation has no end
# takes more: the lint against that is a warning here, as all are.
CHECK = 120


class Mutant:
    def __init__(self, number, entry):
        self.number, self.file, self.replacement = number, entry["file"], entry["replacement"]
        self.name, self.function = entry["name"], entry.get("function")
        self.span = entry["span"]
        self.result, self.by = None, ""
        # The number of its function, if it stands beside others.
        self.met = None


def offset(starts, place):
    return starts[place["line"] - 1] + place["column"] - 1


def line_starts(text):
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.[^\']*|[^\'\\])\'|.', re.S)


def body(text, start):
    """Where the `{` of the function at `start` is."""
    depth = 0
    for token in TOKEN.finditer(text, start):
        if token[0] in ("(", "["):
            depth += 1
        elif token[0] in (")", "]"):
            depth -= 1
        elif token[0] == "{" and depth == 0:
            return token.start()
    raise ValueError("a function without a body")


def functions(text, starts, mutants):
    """The outermost functions as (first, body, end), each with its mutants."""
    spans = collections.defaultdict(list)
    for mutant in mutants:
        span = mutant.function["span"]
        spans[offset(starts, span["start"]), offset(starts, span["end"])].append(mutant)
    outermost = []
    for (start, end), inside in sorted(spans.items(), key=lambda item: (item[0][0], -item[0][1])):
        if outermost and end <= outermost[-1][1]:
            outermost[-1][2].extend(inside)
        else:
            outermost.append((start, end, inside))
    return [(start, body(text, start), end, inside) for start, end, inside in outermost]


def mutated(text, starts, mutant):
    start, end = offset(starts, mutant.span["start"]), offset(starts, mutant.span["end"])
    return text[:start] + mutant.replacement + text[end:], start, end


def all_in_one(text, mutants, first):
    """The file with all of `mutants`, its functions numbered from `first` on;
    the mutant of each line or None; and the next number."""
    starts = line_starts(text)
    pieces, at = [], 0
    number = first
    for _, opening, end, inside in functions(text, starts, mutants):
        pieces.append((f"{text[at:opening]}{{ match crate::mutant::active({number}) {{\n", None))
        for mutant in inside:
            mutant.met = number
            other, start, last = mutated(text, starts, mutant)
            grown = len(other) - len(text)
            assert opening < start and last <= end, mutant.name
            pieces.append((f"{mutant.number} => {other[opening:end + grown]},\n", mutant))
        pieces.append((f"_ => {text[opening:end]}\n}} }}", None))
        at, number = end, number + 1
    pieces.append((text[at:], None))
    whole, lines = "", []
    for piece, mutant in pieces:
        # A piece with a mutant begins and ends with a line.
        whole += piece
        lines.extend([mutant] * piece.count("\n"))
    return whole, lines, number


class Tree:
    """A copy of the project, and cargo in it."""

    def __init__(self, place, options, tests, environment):
        self.place, self.options, self.tests, self.environment = place, options, tests, environment
        if place.exists():
            shutil.rmtree(place / "project", ignore_errors=True)
        for name in subprocess.run(["git", "ls-files", "-z"], check=True, capture_output=True, text=True).stdout.split("\0"):
            if name and pathlib.Path(name).exists():
                target = place / "project" / name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(name, target)
        self.originals = {}

    def text(self, file):
        if file not in self.originals:
            self.originals[file] = pathlib.Path(file).read_text()
        return self.originals[file]

    def write(self, file, text):
        path = self.place / "project" / file
        if path.read_text() != text:
            path.write_text(text)

    def restore(self):
        for file, text in self.originals.items():
            self.write(file, text)

    def check(self, limit=None):
        """What the compiler says, or None if it says nothing in so many seconds."""
        return self.cargo("check", limit=limit)[0]

    def build(self):
        """What the compiler says, and the test programs."""
        return self.cargo("test", "--no-run", *self.tests)

    def cargo(self, *arguments, limit=None):
        environment = os.environ | self.environment | {"CARGO_TARGET_DIR": str(self.place / "target")}
        done = subprocess.Popen(["cargo", *arguments, *self.options, "--message-format=json"],
                                cwd=self.place / "project", env=environment, start_new_session=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            stdout, stderr = done.communicate(timeout=limit)
        except BaseException as why:
            # The compiler as well, whoever asks for the end.
            os.killpg(done.pid, signal.SIGKILL)
            done.communicate()
            if isinstance(why, subprocess.TimeoutExpired):
                return None, []
            raise
        messages = [json.loads(line) for line in stdout.splitlines() if line.startswith("{")]
        errors = [m["message"] for m in messages if m["reason"] == "compiler-message" and m["message"]["level"] == "error"]
        if done.returncode and not errors:
            sys.exit(stderr)
        programs = [m["executable"] for m in messages if m["reason"] == "compiler-artifact" and m.get("executable")
                    and m["profile"]["test"]]
        return errors, programs


def at(lines, span):
    """The mutant in whose lines the compiler found fault."""
    while span["expansion"]:
        span = span["expansion"]["span"]
    of_file = lines.get(span["file_name"], [])
    return of_file[span["line_start"] - 1] if span["line_start"] <= len(of_file) else None


def stand_together(tree, mutants):
    """Writes one copy with all that compile beside each other; those that do
    not are given `result` "alone"."""
    lib = SOURCE + "lib.rs"
    text = tree.text(lib)
    # In front of the first item, behind the attributes and the documentation.
    front = re.search(r"^#\[cfg\(feature = \"alloc\"\)\]\nextern crate alloc;", text, re.M).start()
    while True:
        lines, functions = {}, 0
        for file in sorted({mutant.file for mutant in mutants}):
            inside = [mutant for mutant in mutants if mutant.file == file and mutant.result is None]
            whole, lines[file], functions = all_in_one(tree.text(file), inside, functions)
            # Every function is many times its size.
            tree.write(file, whole.replace("#[inline(always)]", "#[inline]"))
        tree.write(lib, text[:front] + FEATURES + text[front:] + ACTIVE.replace("FUNCTIONS", str(functions)))
        errors = tree.check()
        if not errors:
            return
        guilty = set()
        for error in errors:
            spans = sorted(error["spans"], key=lambda span: not span["is_primary"])
            guilty.update([mutant for span in spans if (mutant := at(lines, span))][:1])
        if not guilty:
            sys.exit("\n".join(error["rendered"] for error in errors))
        for mutant in guilty:
            mutant.result = "alone"
        print(f"  {len(guilty)} do not compile beside the others", flush=True)


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Suite:
    """The tests: how long each takes, and which functions it comes to."""

    def __init__(self, programs, filters, environment, folder, longest):
        self.filters, self.environment, self.folder = filters, environment, folder
        # (seconds, program, name, functions)
        self.tests = []
        met = pathlib.Path(programs[0]).parent / "met"
        for program in programs:
            for name in self.names(program):
                met.unlink(missing_ok=True)
                begun = time.monotonic()
                done = subprocess.run([program, "--exact", name], cwd=folder, capture_output=True, text=True,
                                      env=os.environ | environment | {"UTFKIT_MUTANT": "0", "UTFKIT_MET": str(met)})
                seconds = time.monotonic() - begun
                if done.returncode:
                    sys.exit(f"without a mutant, {program} {name} fails:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
                if seconds <= longest:
                    functions = met.read_text().split() if met.exists() else []
                    self.tests.append((seconds, program, name, frozenset(map(int, functions))))
        self.tests.sort()

    def names(self, program):
        listed = subprocess.run([program, "--list", "--format", "terse", *self.filters], check=True, capture_output=True, text=True)
        return [line.removesuffix(": test") for line in listed.stdout.splitlines() if line.endswith(": test")]

    def batches(self, function):
        """What is run to see a mutant in `function`: quick tests of a program
        in one process, then the others, each in its own."""
        quick, slow = collections.defaultdict(list), []
        for seconds, program, name, functions in self.tests:
            if function is not None and function not in functions:
                continue
            if seconds < QUICK:
                quick[program].append((name, seconds))
            else:
                slow.append((program, [name], seconds))
        for program, tests in quick.items():
            yield program, [name for name, _ in tests], sum(seconds for _, seconds in tests)
        yield from slow

    def moved(self, programs):
        """The same tests in programs that were built again."""
        stem = lambda program: re.sub(r"-[0-9a-f]+$", "", pathlib.Path(program).name)
        new = {stem(program): program for program in programs}
        suite = object.__new__(Suite)
        suite.environment, suite.folder = self.environment, self.folder
        suite.tests = [(seconds, new[stem(program)], name, functions)
                       for seconds, program, name, functions in self.tests if stem(program) in new]
        return suite

    def run(self, batch, number):
        """The test that saw the mutant, or None."""
        program, names, seconds = batch
        process = subprocess.Popen([program, "--exact", *names, "--test-threads=1"], cwd=self.folder,
                                   env=os.environ | self.environment | {"UTFKIT_MUTANT": str(number)},
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace",
                                   preexec_fn=limit)
        late = []
        timer = threading.Timer(5 + 6 * seconds, lambda: (late.append(True), process.kill()))
        timer.start()
        running = None
        try:
            for line in process.stdout:
                if begun := re.match(r"test (\S+)", line):
                    running = begun[1]
                if re.search(r"\bFAILED$", line.rstrip()) and not line.startswith("test result"):
                    process.kill()
                    return running or names[0]
            process.wait()
        finally:
            timer.cancel()
            process.stdout.close()
            process.kill()
            process.wait()
        if late:
            return "its time"
        # An abort names no test.
        return f"{running or names[0]} or the next" if process.returncode else None


class Judge:
    def __init__(self, suite):
        self.suite = suite
        self.recent = collections.defaultdict(list)
        self.lock = threading.Lock()

    def look(self, mutant, suite=None, number=None):
        suite = suite or self.suite
        with self.lock:
            recent = list(self.recent[mutant.file])
        batches = list(suite.batches(mutant.met))
        # What saw the last ones of the file may well see this one.
        first = [(program, [name], seconds) for name in recent for program, names, seconds in batches if name in names]
        for batch in first + batches:
            by = suite.run(batch, mutant.number if number is None else number)
            if by:
                mutant.result, mutant.by = ("late" if by == "its time" else "caught"), by
                with self.lock:
                    self.recent[mutant.file] = ([by] + [name for name in self.recent[mutant.file] if name != by])[:3]
                return
        mutant.result = "missed"


def alone(tree, mutant, judge):
    tree.restore()
    # Who comes to a function is not known where the compiler does.
    mutant.met = None
    text = tree.text(mutant.file)
    tree.write(mutant.file, mutated(text, line_starts(text), mutant)[0])
    errors = tree.check(CHECK)
    if errors is None:
        mutant.result, mutant.by = "late", "the compiler's time"
        return
    if errors:
        mutant.result = "unviable"
        return
    # The unit tests see most, and are built in a third of the time.
    for tests in (["--lib"], tree.tests):
        errors, programs = tree.cargo("test", "--no-run", *tests)
        if errors:
            mutant.result = "unviable"
            return
        judge.look(mutant, judge.suite.moved(programs), 0)
        if mutant.result != "missed":
            return


def without_place(name):
    """A mutant's file and what was done there: lines move as tests are added."""
    return re.sub(r":\d+:\d+: ", ": ", name)


def place(mutant):
    """File, what was done, and the text of the line: line numbers move."""
    done = re.fullmatch(r".*?:\d+:\d+: (.*)", mutant.name)[1]
    line = pathlib.Path(mutant.file).read_text().splitlines()[mutant.span["start"]["line"] - 1].strip()
    return mutant.file.removeprefix(SOURCE), done, line


def explanations():
    """What ci/mutants.md explains."""
    explained, file = set(), None
    for line in pathlib.Path("ci/mutants.md").read_text().splitlines():
        if heading := re.fullmatch(r"### `(\S+)`", line):
            file = heading[1]
        elif entry := re.fullmatch(r"- `(.*)`: `` (.*) ``", line):
            explained.add((file, entry[1], entry[2]))
    return explained


def main():
    parser = argparse.ArgumentParser(description="Runs the mutants that cargo-mutants lists.")
    parser.add_argument("files", nargs="*", help="those of these files; by default all")
    parser.add_argument("--shard", default="0/1", help="the k-th of n parts, as 3/10")
    parser.add_argument("-j", type=int, default=2, help="how many at once")
    parser.add_argument("--explained", action="store_true", help="also those that ci/mutants.md explains")
    parser.add_argument("--kernels", action="store_true", help="build the kernels too, which takes minutes")
    parser.add_argument("--longest", type=float, default=3, metavar="SECONDS", help="leave out the tests that take longer")
    parser.add_argument("--outside", action="store_true", help="only those outside of functions")
    parser.add_argument("--alone", action="store_true", help="only those that do not compile beside others")
    parser.add_argument("--missed", type=pathlib.Path, metavar="REPORT", help="only those that an earlier run missed, or did not come to")
    arguments = parser.parse_args()
    begun = time.monotonic()

    settings = tomllib.loads(pathlib.Path(".cargo/mutants.toml").read_text())
    listed = json.loads(subprocess.run(["cargo", "mutants", "--list", "--json"], check=True, capture_output=True).stdout)
    every = [Mutant(number, entry) for number, entry in enumerate(listed, 1)]
    explained = explanations()
    part, parts = map(int, arguments.shard.split("/"))
    chosen = [mutant for mutant in every[part::parts] if not arguments.files or mutant.file in arguments.files]
    if arguments.missed:
        open_ends = {without_place(entry["name"]) for entry in json.loads(arguments.missed.read_text())
                     if entry["result"] in ("missed", "alone", None)}
        chosen = [mutant for mutant in chosen if without_place(mutant.name) in open_ends]
    if arguments.outside:
        chosen = [mutant for mutant in chosen if mutant.function is None]
    mutants = [mutant for mutant in chosen if arguments.explained or place(mutant) not in explained]
    print(f"{len(every)} mutants, {len(chosen)} chosen, {len(chosen) - len(mutants)} of them explained already", flush=True)

    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", "target")).absolute() / "mutants"
    environment = {"RUSTC_BOOTSTRAP": "1", "RUSTFLAGS": "--cap-lints=warn" + (" --cfg utfkit_scalar" if not arguments.kernels else "")}
    options = ["--profile", settings["profile"], "--all-features", "--package", "utfkit"]
    tests = settings["additional_cargo_test_args"]
    tests, filters = tests[:tests.index("--")], tests[tests.index("--") + 1:]
    tree = Tree(target, options, tests, environment)
    for mutant in mutants:
        if mutant.function is None or "impl " in (mutant.function["return_type"] or ""):
            mutant.result = "alone"
    stand_together(tree, [mutant for mutant in mutants if mutant.result is None])
    if arguments.alone:
        chosen = mutants = [mutant for mutant in mutants if mutant.result == "alone"]
        tree.restore()
        stand_together(tree, [])
    errors, programs = tree.build()
    if errors:
        sys.exit("\n".join(error["rendered"] for error in errors))
    print(f"built after {time.monotonic() - begun:.0f} s", flush=True)
    # The programs will be built again, for those that are built alone.
    kept = target / "programs"
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir()
    programs = [shutil.copy2(program, kept) for program in programs]
    # The tests look for what lies beside the project.
    shared = os.environ.get("UTFKIT_SHARED") or str(pathlib.Path("../shared").absolute())
    suite = Suite(programs, filters, {"UTFKIT_SHARED": shared, "UTFKIT_TEST_SHARE": "1"}, target / "project/crates/utfkit", arguments.longest)
    judge = Judge(suite)
    print(f"{len(suite.tests)} tests, {sum(test[0] for test in suite.tests):.0f} s without a mutant", flush=True)

    done = 0

    def look(mutant):
        nonlocal done
        judge.look(mutant)
        done += 1
        if mutant.result == "missed":
            print("missed:", mutant.name, flush=True)
        if done % 100 == 0:
            write_report(target, mutants)
            print(f"  {done} looked at, {time.monotonic() - begun:.0f} s", flush=True)

    with concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        list(pool.map(look, [mutant for mutant in mutants if mutant.result is None]))
    # What the compiler evaluates has not seen the number.
    for mutant in mutants:
        if mutant.result == "missed" and is_const(tree, mutant):
            mutant.result = "alone"
    single = [mutant for mutant in mutants if mutant.result == "alone"]
    print(f"{len(single)} to be built alone, {time.monotonic() - begun:.0f} s", flush=True)
    for mutant in single:
        alone(tree, mutant, judge)
        if mutant.result == "missed":
            print("missed:", mutant.name, flush=True)

    write_report(target, mutants)
    count = collections.Counter(mutant.result for mutant in mutants)
    unexplained = [mutant for mutant in mutants if mutant.result == "missed" and place(mutant) not in explained]
    for mutant in unexplained:
        print("missed:", mutant.name)
        print("        - `{1}`: `` {2} ``".format(*place(mutant)))
    known = {place(mutant) for mutant in every}
    stale = sorted(entry for entry in explained if entry not in known)
    for entry in stale:
        print("explained, but there is no such mutant: {}: {}: {}".format(*entry))
    print(f"{len(chosen)} mutants: {count['caught']} caught, {count['late']} by their time, {count['unviable']} do not compile, "
          f"{len(chosen) - len(mutants) + count['missed'] - len(unexplained)} missed and explained, "
          f"{len(unexplained)} missed; {time.monotonic() - begun:.0f} s")
    sys.exit(bool(unexplained or stale))


def write_report(target, mutants):
    report = [{"name": mutant.name, "result": mutant.result, "by": mutant.by} for mutant in mutants]
    (target / "report.json").write_text(json.dumps(report, indent=1))


def is_const(tree, mutant):
    text = tree.text(mutant.file)
    start = offset(line_starts(text), mutant.function["span"]["start"])
    return re.search(r"\bconst\b", text[start : body(text, start)]) is not None


if __name__ == "__main__":
    main()
