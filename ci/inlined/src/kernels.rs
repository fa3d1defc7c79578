//! Finds the kernels and checks their calls.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{fs, io};

use crate::asm::{Function, Machine};

/// The rows of the instruction sets.
const SETS: &str = include_str!("../../../crates/utfkit-core/src/engine/simd/sets.rs");

/// The path of the functions in which kernels are compiled, one for each instruction set.
const COMPILED: &str = "utfkit_core::engine::simd::dispatch::compiled::";

impl Machine {
    /// The instruction sets, which are also the names of the functions in [`COMPILED`].
    pub(crate) fn sets(self) -> Vec<&'static str> {
        self.rows().into_iter().map(|(set, _)| set).collect()
    }

    /// The instruction sets and the bytes in their registers.
    fn rows(self) -> Vec<(&'static str, usize)> {
        let target = match self {
            Machine::X86 => "x86_64",
            Machine::Aarch64 => "aarch64",
        };
        let rows =
            SETS.split_once("$to! {").and_then(|(_, rest)| rest.split_once("}\n    };")).map_or("", |(rows, _)| rows);
        let rows = rows.split_inclusive(";\n").filter(|row| row.contains(target));
        // The variant, the module, the bytes in a register.
        let parts = rows.filter_map(|row| row.lines().find(|line| line.contains(", ["))?.split_once(", "));
        parts
            .filter_map(|(_, rest)| {
                let mut parts = rest.split(", ");
                Some((parts.next()?, parts.next()?.parse().ok()?))
            })
            .collect()
    }
}

/// The functions that a kernel may call, as the beginning of a path without
/// generic arguments. None of them runs once a block.
const ALLOWED: [&str; 13] = [
    "memcpy",
    "memmove",
    "memset",
    "memcmp",
    "bcmp",
    // Where a panic would begin.
    "core::panicking::",
    "core::slice::index::slice_",
    "core::slice::copy_from_slice_impl::len_mismatch_fail",
    // Once, where a kernel ran out of space or of source.
    "utfkit_core::engine::kernel::utf16_to_utf8::back_to_boundary",
    "utfkit_core::engine::kernel::utf16_to_utf32::back_to_boundary",
    "utfkit_core::engine::kernel::utf8::bytes_before",
    "utfkit_core::engine::kernel::from_utf8::Place::back_to_boundary",
    // Instead of the kernel, for a longer source.
    "utfkit_core::engine::kernel::validate_utf16::long",
];

/// Finds implementations of `Kernel` below `sources`. Returns their paths
/// without the crate, such as `engine::kernel::validate_utf8::Validate`, with
/// the instruction sets that they exclude.
pub(crate) fn in_sources(sources: &Path) -> io::Result<BTreeMap<String, Vec<&'static str>>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![sources.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ext == "rs") {
                let module = path.strip_prefix(sources).unwrap_or(&path).with_extension("");
                let module: Vec<_> = module.iter().map(|part| part.to_string_lossy()).filter(|p| p != "mod").collect();
                let text = fs::read_to_string(&path)?;
                let path = |name| format!("{}::{name}", module.join("::"));
                found.extend(implementors(&text).map(|(name, lacking)| (path(name), lacking)));
            }
        }
    }
    Ok(found)
}

fn implementors(text: &str) -> impl Iterator<Item = (&str, Vec<&'static str>)> {
    let blocks = text.split("\nimpl").skip(1);
    blocks.filter_map(|block| {
        let (line, body) = block.split_once('\n')?;
        let (_, of) = line.split_once(" Kernel for ")?;
        let (body, _) = body.split_once("\n}").unwrap_or((body, ""));
        // Without one of these, a kernel is for registers of 32 bytes and more. On AArch64 there is no such limit.
        let is_there = |bytes| match bytes {
            16 => body.contains("const NARROWEST: usize = 16;"),
            64 => !body.contains("const WIDEST: usize = "),
            _ => true,
        };
        let lacking = Machine::X86.rows().into_iter().filter(|(_, bytes)| !is_there(*bytes)).map(|(set, _)| set);
        Some((of.split(['<', ' ']).next()?, lacking.collect()))
    })
}

#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) kernels: usize,
    /// Number of call instructions in kernels.
    pub(crate) calls: usize,
    pub(crate) errors: Vec<String>,
}

/// Checks every function. `wanted` are the kernels that must exist.
pub(crate) fn judge(machine: Machine, functions: &[Function], wanted: &BTreeMap<String, Vec<&'static str>>) -> Report {
    let mut report = Report::default();
    let mut kernels: BTreeMap<&str, BTreeSet<&str>> =
        machine.sets().into_iter().map(|set| (set, BTreeSet::new())).collect();
    for function in functions {
        let name = &function.name;
        let Some((set, kernel)) = kernel(machine, name) else {
            if name.starts_with(COMPILED) {
                report.errors.push(format!("of an instruction set that this gate does not know: {name}"));
            } else if is_left_over(name) {
                report.errors.push(format!("not inlined into its kernel: {name}"));
            } else if function.wide {
                report.errors.push(format!("uses vector registers outside of a kernel: {name}"));
            }
            continue;
        };
        kernels.entry(set).or_default().insert(kernel);
        report.calls += function.sites;
        let forbidden = function.calls.iter().filter(|call| !is_allowed(call));
        report.errors.extend(forbidden.map(|call| format!("{name}\n    calls {call}")));
        report.errors.extend(function.blind.iter().map(|place| format!("{name}\n    calls what {place} says")));
    }
    let all: BTreeSet<&str> = kernels.values().flatten().copied().collect();
    report.kernels = all.len();
    for (set, there) in &kernels {
        if there.is_empty() {
            report.errors.push(format!("no kernel at all for {set}"));
        }
        let has = |lacking: &Vec<&str>| !lacking.contains(set);
        let wanted_here = |kernel: &str| {
            let path = plain(kernel);
            wanted.get(path.strip_prefix("utfkit_core::").unwrap_or(&path)).is_none_or(has)
        };
        let lost = all.difference(there).filter(|kernel| wanted_here(kernel));
        report.errors.extend(lost.map(|kernel| format!("no code for {set}: {kernel}")));
        let is_there = |wanted: &str| there.iter().any(|kernel| plain(kernel) == format!("utfkit_core::{wanted}"));
        let missing = wanted.iter().filter(|(wanted, lacking)| has(lacking) && !is_there(wanted));
        report.errors.extend(missing.map(|(kernel, _)| format!("in the sources, but no code for {set}: {kernel}")));
    }
    if wanted.is_empty() {
        report.errors.push("no kernel in the sources".to_owned());
    }
    report
}

/// Parses the instruction set and the type of a kernel from
/// `utfkit_core::engine::simd::dispatch::compiled::avx2::<KERNEL>`.
fn kernel(machine: Machine, name: &str) -> Option<(&'static str, &str)> {
    let (set, kernel) = name.strip_prefix(COMPILED)?.split_once("::<")?;
    let set = machine.sets().into_iter().find(|known| *known == set)?;
    Some((set, kernel.strip_suffix('>')?))
}

/// True for operations and for functions generic over an instruction set, which
/// must be inlined.
fn is_left_over(name: &str) -> bool {
    // Detection, dispatch, and what runs in place of a kernel need no instruction set.
    let chooses = ["sets::", "dispatch::run_other"].map(|path| format!("utfkit_core::engine::simd::{path}"));
    let of_a_set = name.contains("utfkit_core::engine::simd::")
        && !name.contains("utfkit_core::engine::simd::isa::")
        && !name.ends_with(" as utfkit_core::engine::simd::dispatch::Kernel>::without")
        && !chooses.iter().any(|path| name.starts_with(path.as_str()));
    of_a_set || name.contains("core::core_arch::")
}

fn is_allowed(call: &str) -> bool {
    let path = plain(call);
    ALLOWED.iter().any(|allowed| match allowed.ends_with([':', '_']) {
        true => path.starts_with(allowed),
        false => path == *allowed,
    })
}

/// Removes generic arguments: `<a::B<C>>::d::<E>` becomes `a::B::d`.
fn plain(name: &str) -> String {
    let name = name.strip_prefix('<').unwrap_or(name);
    let mut depth = 0;
    let mut plain = String::new();
    for c in name.chars() {
        match c {
            '<' => depth += 1,
            // The leading `<` was stripped, so one `>` is unmatched.
            '>' => depth = (depth - 1).max(0),
            _ if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    plain.trim_end_matches("::").replace("::::", "::")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets() -> Vec<&'static str> {
        Machine::X86.sets()
    }

    fn function(name: &str, calls: &[&str]) -> Function {
        let calls = calls.iter().map(|call| (*call).to_owned()).collect();
        Function { name: name.to_owned(), calls, ..Function::default() }
    }

    /// A library with one kernel for each instruction set, plus `more`.
    fn errors(more: Vec<Function>) -> Vec<String> {
        let functions: Vec<_> = kernels("utfkit_core::engine::kernel::a::A", &[]).into_iter().chain(more).collect();
        judge(Machine::X86, &functions, &BTreeMap::from([("engine::kernel::a::A".to_owned(), Vec::new())])).errors
    }

    fn kernels(of: &str, calls: &[&str]) -> Vec<Function> {
        let name = |set| format!("utfkit_core::engine::simd::dispatch::compiled::{set}::<{of}>");
        sets().into_iter().map(|set| function(&name(set), calls)).collect()
    }

    #[test]
    fn what_is_allowed_passes() {
        assert!(errors(Vec::new()).is_empty());
        let calls = [
            "memcpy",
            "core::panicking::panic_bounds_check",
            "core::slice::index::slice_index_fail",
            "<utfkit_core::engine::kernel::from_utf8::Place>::back_to_boundary",
            "utfkit_core::engine::kernel::utf16_to_utf8::back_to_boundary::<utfkit_forms::scalar::bytes::Little>",
        ];
        assert!(errors(kernels("utfkit_core::engine::kernel::b::B<utfkit_core::x::Y>", &calls)).is_empty());
        for name in [
            "utfkit_core::engine::simd::sets::avx2",
            "<utfkit_core::engine::kernel::b::B as utfkit_core::engine::simd::dispatch::Kernel>::without",
        ] {
            assert!(errors(vec![function(name, &["std_detect::x"])]).is_empty(), "{name}");
        }
    }

    #[test]
    fn a_call_to_anything_else_is_an_error() {
        for call in [
            "<utfkit_core::engine::simd::avx2::Avx2 as utfkit_core::engine::simd::ops::Simd>::and",
            "core::core_arch::x86::avx2::_mm256_and_si256",
            "utfkit_core::engine::kernel::b::helper::{closure#0}",
            "utfkit_core::engine::kernel::utf16_to_utf8::back_to_boundary_too",
            "memcpy_too",
        ] {
            assert_eq!(errors(kernels("utfkit_core::engine::kernel::b::B", &[call])).len(), sets().len(), "{call}");
        }
        let mut blind = kernels("utfkit_core::engine::kernel::b::B", &[]);
        blind[1].blind.push("%rax".to_owned());
        assert_eq!(errors(blind).len(), 1);
    }

    #[test]
    fn what_was_left_out_of_line_is_an_error() {
        for name in [
            "<utfkit_core::engine::simd::ssse3::Ssse3 as utfkit_core::engine::simd::ops::Simd>::and",
            "utfkit_core::engine::kernel::b::helper::<utfkit_core::engine::simd::avx512::Avx512>",
            "core::core_arch::x86::sse2::_mm_and_si128",
            "utfkit_core::engine::simd::dispatch::compiled::sse4::<utfkit_core::engine::kernel::a::A>",
        ] {
            assert_eq!(errors(vec![function(name, &[])]).len(), 1, "{name}");
        }
        let wide = Function { wide: true, ..function("utfkit_core::engine::kernel::b::B::f::{closure#0}", &[]) };
        assert_eq!(errors(vec![wide]).len(), 1);
    }

    #[test]
    fn a_gate_that_sees_no_kernel_is_shut() {
        let wanted = BTreeMap::from([("engine::kernel::a::A".to_owned(), Vec::new())]);
        assert_eq!(judge(Machine::X86, &[], &wanted).errors.len(), 2 * sets().len());
        let mut two = kernels("utfkit_core::engine::kernel::b::B", &[]);
        two.pop();
        assert_eq!(errors(two).len(), 1);
    }

    #[test]
    fn each_machine_has_its_own_sets() {
        let wanted = BTreeMap::from([("engine::kernel::a::A".to_owned(), Vec::new())]);
        let neon =
            [function("utfkit_core::engine::simd::dispatch::compiled::neon::<utfkit_core::engine::kernel::a::A>", &[])];
        assert!(judge(Machine::Aarch64, &neon, &wanted).errors.is_empty());
        assert!(!judge(Machine::X86, &neon, &wanted).errors.is_empty());
        let left =
            function("<utfkit_core::engine::simd::neon::Neon as utfkit_core::engine::simd::ops::Simd>::and", &[]);
        let [there] = neon;
        assert_eq!(judge(Machine::Aarch64, &[there, left], &wanted).errors.len(), 1);
    }

    #[test]
    fn kernels_are_found_in_the_sources() {
        let text = "struct X;\n\nimpl<O: Order> Kernel for Convert<'_, O> {\n    type Output = ();\n}\n\
            impl Kernel for Count {\n    const NARROWEST: usize = 16;\n}\n// Kernel for Nothing\n";
        let rows = Machine::X86.rows();
        let narrow: Vec<_> = rows.iter().filter(|(_, bytes)| *bytes == 16).map(|(set, _)| *set).collect();
        assert!(narrow.contains(&"ssse3"));
        assert_eq!(implementors(text).collect::<Vec<_>>(), [("Convert", narrow), ("Count", vec![])]);
        assert!(
            !in_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/utfkit-core/src"))
                .unwrap()
                .is_empty()
        );
    }
}
