//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use utfkit::isa::{self, Isa};

use crate::peer::Peer;

pub(crate) const HELP: &str = "\
Usage: utfkit-bench [options]

What to measure (lists are separated by commas; a part of the name is enough,
=NAME asks for exactly that name)
  --op LIST        only these operations
  --text LIST      only these texts
  --peer LIST      only these peers beside utfkit
  --list           name the operations, texts and peers, and stop
  --made           the made texts too (they stand in where there are no files)
  --short          inputs of 0 to 256 bytes, in nanoseconds a call
  --strings        a million words, lines, names and values of the texts in
                   random order, in nanoseconds a call
  --size SIZE      texts repeated to SIZE (64M, 1G)
  --exact          destinations of exactly the result's size; peers that ask
                   for more are left out
  --isa LIST|all   instruction sets of utfkit. One alone holds the peers to it
                   as well; of several the last one is compared with them

How long
  --quick          at most about 40 seconds
  --rounds N       rounds for each cell at most (default 80)
  --budget SECONDS for the whole run (default 170)
  --sample MICROS  shortest sample (default 250)

What to keep
  --csv FILE       append the results to FILE, of which `draw` makes pictures
  --run LABEL      what was measured, for a column of that file (default: the
                   version)

How to print
  --median         medians of the rounds beside the best
  --markdown       tables for a README
  --json           one object a line for each figure
";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Plain,
    Markdown,
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inputs {
    Texts,
    /// Inputs of one length each.
    Short,
    /// Typical strings of programs.
    Strings,
}

#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) ops: Vec<String>,
    pub(crate) texts: Vec<String>,
    pub(crate) peers: Vec<String>,
    /// utfkit's instruction sets; by default the processor's best.
    pub(crate) isas: Vec<Isa>,
    /// The instruction set that limits all competitors.
    pub(crate) held_to: Option<Isa>,
    pub(crate) size: Option<usize>,
    pub(crate) list: bool,
    pub(crate) made: bool,
    pub(crate) inputs: Inputs,
    pub(crate) exact: bool,
    pub(crate) median: bool,
    pub(crate) format: Format,
    pub(crate) csv: Option<PathBuf>,
    pub(crate) run: String,
    pub(crate) rounds: u32,
    pub(crate) budget: Duration,
    pub(crate) sample: Duration,
}

impl Options {
    /// `None` if help was requested.
    pub(crate) fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Option<Options>, String> {
        let mut options = Options {
            ops: Vec::new(),
            texts: Vec::new(),
            peers: Vec::new(),
            isas: vec![isa::active()],
            held_to: None,
            size: None,
            list: false,
            made: false,
            inputs: Inputs::Texts,
            exact: false,
            median: false,
            format: Format::Plain,
            csv: None,
            run: env!("CARGO_PKG_VERSION").to_owned(),
            rounds: 80,
            budget: Duration::from_secs(170),
            sample: Duration::from_micros(250),
        };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
            match argument.as_str() {
                "--op" => options.ops = list(&value()?),
                "--text" => options.texts = list(&value()?),
                "--peer" => options.peers = list(&value()?),
                "--isa" => options.choose_isas(&value()?)?,
                "--size" => options.size = Some(size(&value()?)?),
                "--list" => options.list = true,
                "--made" => options.made = true,
                "--short" => options.inputs = Inputs::Short,
                "--strings" => options.inputs = Inputs::Strings,
                "--exact" => options.exact = true,
                "--median" => options.median = true,
                "--markdown" => options.format = Format::Markdown,
                "--json" => options.format = Format::Json,
                "--csv" => options.csv = Some(value()?.into()),
                "--run" => options.run = value()?,
                "--rounds" => options.rounds = number(&value()?)?,
                "--budget" => options.budget = Duration::from_secs(number(&value()?)?.into()),
                "--sample" => options.sample = Duration::from_micros(number(&value()?)?.into()),
                "--quick" => {
                    options.rounds = 20;
                    options.budget = Duration::from_secs(35);
                    options.sample = Duration::from_micros(120);
                }
                "--help" | "-h" => return Ok(None),
                _ => return Err(format!("unknown option {argument}; --help lists them")),
            }
        }
        if options.per_call() && options.size.is_some() {
            return Err("--size is for whole texts, without --short and --strings".into());
        }
        // A CSV line does not record the compared column or the destination's
        // capacity.
        if options.csv.is_some() && (options.isas.len() != 1 || options.exact) {
            return Err("--csv takes one instruction set, and not --exact".into());
        }
        Ok(Some(options))
    }

    /// True if figures are nanoseconds per call instead of bytes per second.
    pub(crate) fn per_call(&self) -> bool {
        self.inputs != Inputs::Texts
    }

    /// The value of the CSV column `size`.
    pub(crate) fn size_label(&self) -> String {
        match self.size {
            None if self.inputs == Inputs::Strings => "strings".into(),
            None => "natural".into(),
            Some(size) if size.is_multiple_of(1 << 20) => format!("{}M", size >> 20),
            Some(size) => size.to_string(),
        }
    }

    fn choose_isas(&mut self, names: &str) -> Result<(), String> {
        if names == "all" {
            self.isas = isa::available().collect();
            return Ok(());
        }
        self.isas = list(names).iter().map(|name| available(name)).collect::<Result<_, _>>()?;
        self.held_to = match self.isas.as_slice() {
            [one] => Some(*one),
            _ => None,
        };
        Ok(())
    }

    /// The instruction set whose ratios are computed.
    pub(crate) fn compared(&self) -> Isa {
        self.isas.last().copied().unwrap_or(Isa::Scalar)
    }

    pub(crate) fn lets_in(&self, peer: Peer) -> bool {
        matches(&self.peers, peer.name()) && self.held_to.is_none_or(|isa| peer.keeps_to(isa))
    }
}

/// True if `name` passes the filter.
pub(crate) fn matches(filter: &[String], name: &str) -> bool {
    let name = name.to_lowercase();
    filter.is_empty()
        || filter.iter().any(|part| match part.strip_prefix('=') {
            Some(whole) => name == whole,
            None => name.contains(part.as_str()),
        })
}

fn list(value: &str) -> Vec<String> {
    value.split(',').filter(|part| !part.is_empty()).map(str::to_lowercase).collect()
}

fn available(name: &str) -> Result<Isa, String> {
    let isa: Isa = name.parse().map_err(|_| format!("unknown instruction set {name}"))?;
    isa::available().find(|&i| i == isa).ok_or(format!("{name} is not available here"))
}

fn number(value: &str) -> Result<u32, String> {
    value.parse().map_err(|_| format!("{value} is not a number"))
}

fn size(value: &str) -> Result<usize, String> {
    let (digits, shift) = match value.to_ascii_uppercase() {
        v if v.ends_with('K') => (v.trim_end_matches('K').to_owned(), 10),
        v if v.ends_with('M') => (v.trim_end_matches('M').to_owned(), 20),
        v if v.ends_with('G') => (v.trim_end_matches('G').to_owned(), 30),
        v => (v, 0),
    };
    Ok((number(&digits)? as usize) << shift)
}
