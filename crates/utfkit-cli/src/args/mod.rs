//! The command line: what every subcommand knows, and a file for each one.

mod check;
mod completions;
mod convert;
mod count;
mod detect;
mod fix;
mod inputs;
mod inspect;
mod list;
mod man;
mod repair;
mod report;
mod undo;
mod writing;

use std::ffi::OsString;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, FromArgMatches, Parser, Subcommand, ValueEnum};
use utfkit::isa::Isa;

pub(crate) use check::{Check, CheckBom, Eol, Format};
pub(crate) use completions::Completions;
pub(crate) use convert::{Bom, Convert, Errors, PracticeName};
pub(crate) use count::{Count, CountFormat};
pub(crate) use detect::{Detect, DetectFormat};
pub(crate) use fix::{Fix, FixFormat};
pub(crate) use inputs::Inputs;
pub(crate) use inspect::{ByteRange, Inspect};
pub(crate) use list::List;
pub(crate) use man::Man;
pub(crate) use repair::Repair;
pub(crate) use report::Report;
pub(crate) use undo::Undo;
pub(crate) use writing::{Trust, Writing};

/// Validate, convert and diagnose UTF-8 and its relatives.
#[derive(Debug, Parser)]
#[command(
    name = "utfkit",
    disable_version_flag = true,
    after_help = "\
Examples:
  utfkit check notes.txt                     what is wrong, and on which line
  utfkit check src                           every file of a folder
  utfkit convert -f UTF-16 -o out.txt in.txt
  utfkit repair --in-place=.bak old.txt      make it well-formed
  utfkit count src                           lines, characters, columns
  utfkit detect old                          which encoding is it in?
  utfkit inspect notes.txt                   bits, code points, names
  utfkit report -o report.html src           a page about a tree
  utfkit list                                encodings and their names

`utfkit help check` or `utfkit check --help` says all about a subcommand.

Exit status: 0 all well; 1 something is ill-formed or not in the target
encoding; 2 a file could not be read or written, or wrong usage."
)]
pub(crate) struct Args {
    /// Print the version; with --verbose, the instruction sets too
    #[arg(short = 'V', long)]
    pub(crate) version: bool,

    #[command(flatten)]
    pub(crate) global: Global,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// The heading of these options in `--help`.
const EVERYWHERE: &str = "For every subcommand";

/// What every subcommand knows.
#[derive(ClapArgs, Debug)]
pub(crate) struct Global {
    /// Work on N files at once [default: one for each processor]
    #[arg(short = 'j', long = "threads", value_name = "N", global = true, help_heading = EVERYWHERE, hide_short_help = true)]
    threads: Option<usize>,

    /// When to use colour
    #[arg(long, value_enum, default_value_t = Color::Auto, value_name = "WHEN", global = true, help_heading = EVERYWHERE, hide_short_help = true)]
    pub(crate) color: Color,

    /// Use this instruction set: scalar, ssse3, avx2, avx512, neon, simd128
    #[arg(long, value_name = "NAME", global = true, help_heading = EVERYWHERE, hide_short_help = true)]
    pub(crate) isa: Option<Isa>,

    /// Say more: which files were skipped, and why
    #[arg(short, long, global = true, help_heading = EVERYWHERE, hide_short_help = true)]
    pub(crate) verbose: bool,
}

impl Global {
    pub(crate) fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, NonZero::get);
        self.threads.filter(|&n| n > 0).unwrap_or_else(all)
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

impl Args {
    /// What the arguments say, if they begin with a subcommand and all is well:
    /// then only that one has to be defined, and to define them all would take
    /// half of the time of a start. Otherwise `None`, and who knows them all
    /// says what is wrong.
    pub(crate) fn quick(arguments: Vec<OsString>) -> Option<Args> {
        fn of<T: ClapArgs>(arguments: Vec<OsString>, name: &'static str, wrap: fn(T) -> Command) -> Option<Args> {
            let subcommand = T::augment_args(clap::Command::new(name));
            let command = Global::augment_args(clap::Command::new("utfkit").subcommand(subcommand));
            let matches = command.try_get_matches_from(arguments).ok()?;
            let (_, matches) = matches.subcommand()?;
            let global = Global::from_arg_matches(matches).ok()?;
            Some(Args { version: false, global, command: Some(wrap(T::from_arg_matches(matches).ok()?)) })
        }

        match arguments.get(1)?.to_str()? {
            "check" => of(arguments, "check", |check| Command::Check(Box::new(check))),
            "convert" => of(arguments, "convert", Command::Convert),
            "count" => of(arguments, "count", Command::Count),
            "detect" => of(arguments, "detect", Command::Detect),
            "fix" => of(arguments, "fix", |fix| Command::Fix(Box::new(fix))),
            "inspect" => of(arguments, "inspect", Command::Inspect),
            "repair" => of(arguments, "repair", |repair| Command::Repair(Box::new(repair))),
            _ => None,
        }
    }
}

impl Color {
    pub(crate) fn apply(self) {
        let choice = match self {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(Box<Check>),
    Convert(Convert),
    Repair(Box<Repair>),
    Fix(Box<Fix>),
    Undo(Undo),
    Detect(Detect),
    Inspect(Inspect),
    Count(Count),
    Report(Report),
    List(List),
    Completions(Completions),
    Man(Man),
}

/// What `--help` says about the names of encodings.
const NAMES: &str = "\
Names of encodings:
  A name means what IANA registered it for; `utfkit list` prints all. Case does
  not matter, nor does anything but letters and digits: utf_16be is UTF-16BE.
  With web: before it it means what browsers take it for (WHATWG Encoding
  Standard): ISO-8859-1 is ISO-8859-1, where 93 is a control character, but
  web:ISO-8859-1 is windows-1252, where it is a quotation mark; US-ASCII ends at
  7F, but web:US-ASCII is windows-1252 too; web:UTF-16 is UTF-16LE.

  ISO-2022-UTF-8 is ISO-8859-1 in which ESC % G switches to UTF-8 and ESC % @
  back, as utf-8(7) has it. ISO-2022-UTF-8+KOI8-R has KOI8-R outside of UTF-8
  instead; after the + may stand any encoding from before Unicode that has
  US-ASCII as it is: not EBCDIC, VISCII, IBM864, HZ, ISO-2022-JP or ISO-2022-KR.

  Where an encoding is not what others have under its name, `utfkit list
  --notes` says which characters, and why.

  UTF-8-RFC2044 takes overlong forms and surrogates, as the first definition of
  UTF-8 did. It is unsafe: what a check of the bytes kept out (a slash, a NUL)
  comes in by another form. Use it to read old data, never to judge any.";

/// The examples alone, for `-h`, which should fit a screen.
fn brief(help: &str) -> String {
    help.split("\n\n").next().unwrap_or_default().to_owned()
}

/// The examples, and what the names mean.
fn with_names(examples: &str) -> String {
    format!("{examples}\n\n{NAMES}")
}

/// Where to write.
#[derive(ClapArgs, Debug)]
pub(crate) struct Outputs {
    /// Write to FILE, whole or not at all
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Write each file back over itself; with SUFFIX, keep the old one under its name with SUFFIX,
    /// which must be free
    #[arg(
        long,
        value_name = "SUFFIX",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        conflicts_with = "output"
    )]
    pub(crate) in_place: Option<String>,

    /// Remove temporary files that an interrupted run left in the folders that are written to
    #[arg(long, hide_short_help = true)]
    pub(crate) clean: bool,
}

impl Outputs {
    /// The one file that is written; otherwise it is standard output.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| *path != Path::new("-"))
    }

    pub(crate) fn is_stdout(&self) -> bool {
        self.file().is_none() && self.in_place.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn the_quick_way_reads_what_the_long_way_does() {
        let mut quick = 0;
        for line in [
            "utfkit check -j 3 a b",
            "utfkit check --color never --isa scalar -v --glob *.c -t c -uu --bom forbid a",
            "utfkit convert -f auto --in-place --trust likely -j1 a",
            "utfkit count",
            "utfkit detect -v a",
            "utfkit fix --yes --log x a",
            "utfkit inspect a",
            "utfkit repair --in-place=.bak --fallback latin1 a",
            "utfkit check --nope",
            "utfkit check -q -l a",
            "utfkit check --help",
            "utfkit check -V",
            "utfkit -v check",
            "utfkit undo",
            "utfkit",
        ] {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let long = Args::try_parse_from(&words).map(|args| format!("{args:?}"));
            if let Some(args) = Args::quick(words) {
                quick += 1;
                assert_eq!(Ok(format!("{args:?}")), long.map_err(|error| error.to_string()), "{line}");
            }
        }
        assert_eq!(quick, 8);
    }

    /// The parts of `line` that run this command: without what is beside an
    /// example, and without what a shell does with it.
    fn own_parts(line: &str) -> impl Iterator<Item = &str> {
        let parts = line.split(['|', '>']).flat_map(|part| part.split("&&"));
        let parts = parts.map(|part| part.trim_start().split("  ").next().unwrap_or_default());
        parts.filter(|part| part.starts_with("utfkit"))
    }

    #[test]
    fn every_example_is_a_command_line_that_is_understood() {
        let mut command = Args::command();
        command.build();
        let all = std::iter::once(&command).chain(command.get_subcommands()).filter(|c| c.get_name() != "help");
        for command in all {
            let help = command.get_after_long_help().or(command.get_after_help());
            let help = help.map(ToString::to_string).unwrap_or_default();
            let examples = help.split_once("Examples:\n").unwrap_or_else(|| panic!("{}", command.get_name())).1;
            let mut examples = examples.lines().take_while(|line| !line.is_empty()).peekable();
            assert!(examples.peek().is_some(), "{}", command.get_name());
            for example in examples {
                assert!(own_parts(example).next().is_some(), "{example}");
                for part in own_parts(example) {
                    let words = part.split_whitespace().map(|word| word.trim_matches('\''));
                    if let Err(error) = Args::try_parse_from(words) {
                        let is_help = error.kind() == clap::error::ErrorKind::DisplayHelp;
                        assert!(is_help, "{example}\n{error}");
                    }
                }
            }
        }
    }
}
