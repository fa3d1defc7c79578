//! The command line: the options of every subcommand, and a file per subcommand.

mod check;
mod completions;
mod convert;
mod count;
mod detect;
mod fix;
mod help;
mod inputs;
mod inspect;
mod list;
mod man;
mod names;
mod outputs;
mod repair;
mod report;
mod rules;
mod undo;
mod writing;

use std::ffi::OsString;
use std::num::NonZero;

use clap::{Args as ClapArgs, FromArgMatches, Parser, Subcommand, ValueEnum};
use utfkit::Encoding;
use utfkit::isa::Isa;

pub(crate) use check::{Check, Format};
pub(crate) use completions::Completions;
pub use convert::Errors;
pub(crate) use convert::{Bom, Convert, PracticeName};
pub(crate) use count::{Count, CountFormat};
pub(crate) use detect::{Detect, DetectFormat};
pub(crate) use fix::{Fix, FixFormat};
pub(crate) use inputs::{Decompress, Inputs, Sort, SortBy};
pub(crate) use inspect::{ByteRange, Inspect};
pub(crate) use list::List;
pub(crate) use man::Man;
pub(crate) use names::{Names, NamesFormat};
pub(crate) use outputs::Outputs;
pub(crate) use repair::{FallbackArg, Repair};
pub(crate) use report::Report;
pub(crate) use rules::{BomRule, Controls, Eol, LineEnd, RuleArgs};
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
  utfkit names old                           the names of files too
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

    /// With the files that patterns among the paths name, on Windows: its shells leave
    /// them to the program, which must not expand the patterns of options.
    #[cfg(windows)]
    pub(crate) fn with_patterns(mut self) -> Args {
        match &mut self.command {
            Some(Command::Check(check)) => inputs::expand(&mut check.inputs.paths),
            Some(Command::Convert(convert)) => inputs::expand(&mut convert.inputs.paths),
            Some(Command::Repair(repair)) => inputs::expand(&mut repair.inputs.paths),
            Some(Command::Fix(fix)) => inputs::expand(&mut fix.inputs.paths),
            Some(Command::Names(names)) => inputs::expand(&mut names.paths),
            Some(Command::Detect(detect)) => inputs::expand(&mut detect.inputs.paths),
            Some(Command::Inspect(inspect)) => inputs::expand(&mut inspect.paths),
            Some(Command::Count(count)) => inputs::expand(&mut count.inputs.paths),
            Some(Command::Report(report)) => inputs::expand(&mut report.inputs.paths),
            Some(Command::Undo(_) | Command::List(_) | Command::Completions(_) | Command::Man(_)) | None => {}
        }
        self
    }

    /// Shells of Unix have expanded all patterns.
    #[cfg(unix)]
    pub(crate) fn with_patterns(self) -> Args {
        self
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
    Names(Box<Names>),
    Undo(Undo),
    Detect(Detect),
    Inspect(Inspect),
    Count(Count),
    Report(Report),
    List(List),
    Completions(Completions),
    Man(Man),
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
