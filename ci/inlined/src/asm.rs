//! Parses functions and their calls from rustc's assembly (ELF; AT&T syntax for
//! x86-64).

use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Machine {
    X86,
    Aarch64,
}

impl Machine {
    /// The start of a comment.
    fn comment(self) -> &'static str {
        match self {
            Machine::X86 => "#",
            Machine::Aarch64 => "//",
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Function {
    /// The demangled name.
    pub(crate) name: String,
    /// Demangled names of functions that it calls or jumps to.
    pub(crate) calls: BTreeSet<String>,
    /// Calls with an unknown target.
    pub(crate) blind: Vec<String>,
    /// Number of call instructions.
    pub(crate) sites: usize,
    /// True if it uses registers of AVX or later. Always false on AArch64,
    /// where every function may use all registers.
    pub(crate) wide: bool,
}

/// Parses all functions in `text`.
pub(crate) fn functions(text: &str, machine: Machine) -> Result<Vec<Function>, String> {
    let mut functions = Vec::new();
    let objects: BTreeSet<String> = declared(text, "@object").map(demangled).collect();
    let declared: BTreeSet<&str> = declared(text, "@function").collect();
    let mut open: Option<(String, Reader)> = None;
    for line in text.lines() {
        let line = line.split_once(machine.comment()).map_or(line, |(code, _)| code).trim_end();
        if let Some(label) = line.strip_suffix(':').filter(|label| declared.contains(label)) {
            if let Some((symbol, _)) = open {
                return Err(format!("{symbol} has no end"));
            }
            open = Some((label.to_owned(), Reader::new(demangled(label), machine)));
        } else if let Some(rest) = line.trim_start().strip_prefix(".size") {
            let symbol = rest.trim().split(',').next().unwrap_or_default();
            if let Some((_, reader)) = open.take_if(|(open, _)| open == symbol) {
                functions.push(reader.finish(&objects));
            }
        } else if let Some((_, reader)) = &mut open {
            reader.instruction(line.trim());
        }
    }
    match open {
        Some((symbol, _)) => Err(format!("{symbol} has no end")),
        None => Ok(functions),
    }
}

/// The symbols declared with type `kind`.
fn declared<'a>(text: &'a str, kind: &'a str) -> impl Iterator<Item = &'a str> {
    let types = text.lines().filter_map(|line| line.trim_start().strip_prefix(".type")?.trim().split_once(','));
    types.filter(move |(_, of)| *of == kind).map(|(symbol, _)| symbol)
}

fn demangled(symbol: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(symbol))
}

/// Parses the instructions of one function.
struct Reader {
    machine: Machine,
    function: Function,
    /// The addresses loaded into each register anywhere in the function.
    held: BTreeMap<String, BTreeSet<String>>,
    /// Calls through a register or memory.
    indirect: Vec<String>,
    jump_table: bool,
}

impl Reader {
    fn new(name: String, machine: Machine) -> Reader {
        let function = Function { name, ..Function::default() };
        Reader { machine, function, held: BTreeMap::new(), indirect: Vec::new(), jump_table: false }
    }

    fn instruction(&mut self, line: &str) {
        if line.starts_with('.') || line.ends_with(':') {
            return;
        }
        let (mnemonic, operands) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let operands = operands.trim();
        self.jump_table |= operands.contains(".LJTI");
        match self.machine {
            Machine::X86 => self.of_x86(mnemonic, operands),
            Machine::Aarch64 => self.of_aarch64(mnemonic, operands),
        }
    }

    fn of_x86(&mut self, mnemonic: &str, operands: &str) {
        self.function.wide |= ["%ymm", "%zmm", "%k"].iter().any(|register| operands.contains(register));
        let called = mnemonic.starts_with("call");
        if called || mnemonic.starts_with('j') {
            match operands.strip_prefix('*') {
                Some(place) => match place.strip_suffix("@GOTPCREL(%rip)") {
                    Some(symbol) => self.goes_to(symbol),
                    None => self.goes_through(place, called),
                },
                None => self.goes_to(operands.trim_end_matches("@PLT")),
            }
        } else if let Some((symbol, register)) = operands.split_once("@GOTPCREL(%rip), ") {
            self.held.entry(register.to_owned()).or_default().insert(demangled(symbol));
        }
    }

    fn of_aarch64(&mut self, mnemonic: &str, operands: &str) {
        match mnemonic {
            "bl" | "b" => self.goes_to(operands),
            "blr" | "br" => self.goes_through(operands, mnemonic == "blr"),
            // Conditional branches (b.eq, cbz, tbnz …): the target is the last
            // operand.
            _ if mnemonic.starts_with("b.") || matches!(mnemonic, "cbz" | "cbnz" | "tbz" | "tbnz") => {
                self.goes_to(operands.rsplit(", ").next().unwrap_or_default());
            }
            "ldr" => {
                // ldr x8, [x8, :got_lo12:memcpy]
                if let Some((register, place)) = operands.split_once(", [")
                    && let Some((_, symbol)) = place.split_once(":got_lo12:")
                {
                    self.held.entry(register.to_owned()).or_default().insert(demangled(symbol.trim_end_matches(']')));
                }
            }
            _ => {}
        }
    }

    fn goes_to(&mut self, symbol: &str) {
        if !symbol.starts_with(".L") {
            self.function.sites += 1;
            self.function.calls.insert(demangled(symbol));
        }
    }

    /// A call or jump through a register or memory.
    fn goes_through(&mut self, place: &str, called: bool) {
        // Jumps through a jump table stay in the function.
        if called || !self.jump_table {
            self.function.sites += 1;
            self.indirect.push(place.to_owned());
        }
    }

    fn finish(mut self, objects: &BTreeSet<String>) -> Function {
        for place in self.indirect {
            let held = self.held.get(&place).into_iter().flatten();
            let callable: Vec<_> = held.filter(|symbol| !objects.contains(*symbol)).cloned().collect();
            match callable.is_empty() {
                true => self.function.blind.push(place),
                false => self.function.calls.extend(callable),
            }
        }
        self.function
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(body: &str) -> Function {
        let text = format!("\t.type\tf,@function\nf:\n{body}\n\tretq\n.Lfunc_end0:\n\t.size\tf, .Lfunc_end0-f\n");
        functions(&text, Machine::X86).unwrap().pop().unwrap()
    }

    /// The calls of an AArch64 function, which ends in `ret`.
    fn one_of_aarch64(body: &str) -> Function {
        let text = format!("\t.type\tf,@function\nf:\n{body}\n\tret\n.Lfunc_end0:\n\t.size\tf, .Lfunc_end0-f\n");
        functions(&text, Machine::Aarch64).unwrap().pop().unwrap()
    }

    fn calls(body: &str) -> Vec<String> {
        one(body).calls.into_iter().collect()
    }

    #[test]
    fn calls_are_found_in_every_form() {
        assert_eq!(calls("\tcallq\tg\n\tcallq\th@PLT"), ["g", "h"]);
        assert_eq!(calls("\tcallq\t*memcpy@GOTPCREL(%rip)"), ["memcpy"]);
        assert_eq!(calls("\tmovq\tmemcpy@GOTPCREL(%rip), %r14\n\tcallq\t*%r14"), ["memcpy"]);
        let shared = "\tmovq\ttable@GOTPCREL(%rip), %r14\n\tmovq\tmemcpy@GOTPCREL(%rip), %r14\n\tcallq\t*%r14";
        assert_eq!(calls(&format!("{shared}\n\t.type\ttable,@object")), ["memcpy"]);
        assert_eq!(calls("\tjmp\tg"), ["g"]);
        assert_eq!(calls("\tjmpq\t*g@GOTPCREL(%rip)"), ["g"]);
        assert_eq!(calls("\tcallq\t_RNvNtCs1_4core9core_arch3foo"), ["core::core_arch::foo"]);
    }

    #[test]
    fn what_stays_within_is_no_call() {
        let inner =
            one("\tjmp\t.LBB0_1\n.LBB0_1:\n\tleaq\t.LJTI0_0(%rip), %rax\n\tjmpq\t*%rax\n\tvpxor\t%xmm0, %xmm0, %xmm0");
        assert!(inner.calls.is_empty() && inner.blind.is_empty() && !inner.wide);
    }

    #[test]
    fn a_call_to_an_unknown_place_is_told() {
        assert_eq!(one("\tcallq\t*%rax").blind, ["%rax"]);
        assert_eq!(one("\tjmpq\t*%rax").blind, ["%rax"]);
        assert_eq!(one("\tcallq\t*24(%r14)").blind, ["24(%r14)"]);
    }

    #[test]
    fn wide_registers_are_seen() {
        assert!(one("\tvpaddb\t%ymm0, %ymm1, %ymm2").wide);
        assert!(one("\tkmovq\t%k1, %rax").wide);
    }

    #[test]
    fn a_function_without_end_is_an_error() {
        assert!(functions("\t.type\tf,@function\nf:\n\tretq\n", Machine::X86).is_err());
    }

    #[test]
    fn calls_of_aarch64_are_found_in_every_form() {
        let calls = |body| one_of_aarch64(body).calls.into_iter().collect::<Vec<_>>();
        assert_eq!(calls("\tbl\tg // a comment\n\tb\th"), ["g", "h"]);
        assert_eq!(calls("\tadrp\tx8, :got:g\n\tldr\tx8, [x8, :got_lo12:g]\n\tblr\tx8"), ["g"]);
        assert_eq!(calls("\tadrp\tx8, :got:g\n\tldr\tx8, [x8, :got_lo12:g]\n\tbr\tx8"), ["g"]);
        assert_eq!(calls("\tcbz\tx0, g\n\tb.eq\th\n\ttbnz\tw0, #3, i"), ["g", "h", "i"]);
        assert_eq!(one_of_aarch64("\tblr\tx8").blind, ["x8"]);
        assert_eq!(one_of_aarch64("\tbr\tx8").blind, ["x8"]);
    }

    #[test]
    fn what_stays_within_is_no_call_on_aarch64() {
        let inner = one_of_aarch64(
            "\tb.ne\t.LBB0_1\n\ttbz\tw8, #7, .LBB0_1\n.LBB0_1:\n\tadrp\tx9, .LJTI0_0\n\tbr\tx9\n\tadd\tx0, x0, #16",
        );
        assert!(inner.calls.is_empty() && inner.blind.is_empty() && !inner.wide);
    }
}
