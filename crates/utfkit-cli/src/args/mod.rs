//! The command line: the options of every subcommand, and a file per subcommand.

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
use utfkit::Encoding;
use utfkit::isa::Isa;

pub(crate) use check::{Check, CheckBom, Eol, Format};
pub(crate) use completions::Completions;
pub use convert::Errors;
pub(crate) use convert::{Bom, Convert, PracticeName};
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
  utfkit check notes.txt                     list errors with their lines
  utfkit check src                           every file below a folder
  utfkit convert -f UTF-16 -o out.txt in.txt
  utfkit repair --in-place=.bak old.txt      make it well-formed
  utfkit count src                           lines, characters, columns
  utfkit detect old                          guess the encoding
  utfkit fix old                             convert everything to UTF-8
  utfkit inspect notes.txt                   bits, code points, names
  utfkit report -o report.html src           an HTML report
  utfkit list                                encodings and their names

`utfkit help check` or `utfkit check --help` describes a subcommand in full.

Exit status: 0 success; 1 something is ill-formed or not in the target encoding;
2 a file could not be read or written, or wrong usage."
)]
pub struct Args {
    /// Print the version; with --verbose, the instruction sets too
    #[arg(short = 'V', long)]
    pub(crate) version: bool,

    #[command(flatten)]
    pub(crate) global: Global,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// Heading of these options in `--help`.
const EVERYWHERE: &str = "For every subcommand";

/// The options of every subcommand.
#[derive(ClapArgs, Debug)]
pub(crate) struct Global {
    /// Process N files at once [default: number of processors]
    #[arg(short = 'j', long = "threads", value_name = "N", global = true, help_heading = EVERYWHERE, hide_short_help = true)]
    threads: Option<usize>,

    /// When to use colour
    #[arg(long, value_enum, default_value_t = Color::Auto, value_name = "WHEN", global = true, help_heading = EVERYWHERE, hide_short_help = true)]
    pub(crate) color: Color,

    /// Use this instruction set: scalar, ssse3, avx2, avx512, neon, simd128
    #[arg(long, value_name = "NAME", global = true, help_heading = EVERYWHERE, hide_short_help = true)]
    pub(crate) isa: Option<Isa>,

    /// Print more, such as which files were skipped and why
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
    /// The encodings of `convert` (`None` where the source is detected) and the
    /// policy that a suffix of the target's name asks for.
    pub fn conversion(&self) -> Option<(Option<Encoding>, Encoding, Option<Errors>)> {
        match &self.command {
            Some(Command::Convert(convert)) => Some((convert.from.encoding, convert.to.encoding, convert.to.errors)),
            _ => None,
        }
    }

    /// Fast path for arguments that begin with a subcommand and parse without
    /// error. Only that subcommand is built, which halves the startup time.
    /// `None` means that the full parser must report an error or print help.
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

/// The part of `--help` about names of encodings.
const NAMES: &str = "\
Names of encodings:
  Names are those registered with IANA; `utfkit list` prints them all. Only
  letters and digits count, in either case: utf_16be is UTF-16BE. The prefix
  web: selects the encoding that browsers use under a name (WHATWG Encoding
  Standard). In ISO-8859-1, byte 93 is a control character, but web:ISO-8859-1
  is windows-1252, where it is a quotation mark. US-ASCII ends at 7F, but
  web:US-ASCII is windows-1252 as well. web:UTF-16 is UTF-16LE.

  ISO-2022-UTF-8 is ISO-8859-1 in which ESC % G switches to UTF-8 and ESC % @
  back, see utf-8(7). ISO-2022-UTF-8+KOI8-R uses KOI8-R in place of ISO-8859-1.
  Any legacy encoding that contains US-ASCII unchanged can follow the +, so not
  EBCDIC, VISCII, IBM864, HZ, ISO-2022-JP or ISO-2022-KR.

  Other implementations map some characters differently under the same name;
  `utfkit list --notes` lists them.

  UTF-8-RFC2044 accepts overlong forms and surrogates, as the first definition
  of UTF-8 did. It is unsafe, because a slash or NUL can pass a byte-level
  filter in an overlong form. Use it to read old data, not to validate input.";

/// The examples alone, so that `-h` fits a screen.
fn brief(help: &str) -> String {
    help.split("\n\n").next().unwrap_or_default().to_owned()
}

/// The examples, followed by [`NAMES`].
fn with_names(examples: &str) -> String {
    format!("{examples}\n\n{NAMES}")
}

/// The arguments that choose the output.
#[derive(ClapArgs, Debug)]
pub(crate) struct Outputs {
    /// Write to FILE atomically
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Change files in place; with SUFFIX, keep the old content in a new file, FILE with SUFFIX
    /// appended
    #[arg(
        long,
        value_name = "SUFFIX",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        conflicts_with = "output"
    )]
    pub(crate) in_place: Option<String>,

    /// Remove temporary files that an interrupted run left in the output folders
    #[arg(long, hide_short_help = true)]
    pub(crate) clean: bool,
}

impl Outputs {
    /// The file given with --output, unless it is `-`.
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

    /// The utfkit commands in an example line, without its description, pipes
    /// and redirections.
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
