//! `utfkit completions`: shell completion scripts.

use std::any::TypeId;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, CommandFactory};
use clap_complete::Shell;
use utfkit::Encoding;

use crate::args::{Args, Completions};
use crate::exit::Status;
use crate::stdout;

/// A value of `--from-code` besides the names of encodings.
const AUTO: &str = "auto";

/// Options that take an encoding with a suffix, which the parser hides from clap.
const WITH_SUFFIX: [&str; 2] = ["from-code", "to-code"];

pub(crate) fn run(args: &Completions) -> anyhow::Result<Status> {
    let mut script = Vec::new();
    write_script(&mut script, args.shell);
    stdout::print(&script)?;
    Ok(Status::Well)
}

fn write_script(to: &mut Vec<u8>, shell: Shell) {
    let mut command = with_encodings(Args::command());
    // Through memory, because `generate` panics on write errors.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "utfkit", &mut script);
    to.extend(in_any_case(String::from_utf8_lossy(&script).into_owned(), shell).into_bytes());
}

fn names() -> Vec<&'static str> {
    Encoding::ALL.iter().map(|encoding| encoding.name()).collect()
}

/// Makes the script complete names of encodings in any case. Fish does so
/// already.
fn in_any_case(script: String, shell: Shell) -> String {
    let names = names().join(" ");
    match shell {
        Shell::Bash => {
            let script = script.replace(&format!("compgen -W \"{names}"), &format!("_utfkit_names \"{names}"));
            format!("{BASH}\n{script}")
        }
        Shell::Zsh => {
            // zsh completes a list in parentheses case-sensitively, but calls a
            // function that can do otherwise.
            let list = |end: &str| format!(":({names}{end})");
            let call = |end: &str| format!(":_utfkit_names {names}{end}");
            let auto = format!(" {AUTO}");
            let script = script.replace(&list(""), &call("")).replace(&list(&auto), &call(&auto));
            script.replacen("\n\n", &format!("\n\n{ZSH}\n"), 1)
        }
        _ => script,
    }
}

/// Like `compgen -W`, but ignores case: `_utfkit_names WORDS -- PREFIX`.
const BASH: &str = "\
_utfkit_names() (
    shopt -s nocasematch
    for name in $1; do
        [[ $name == \"$3\"* ]] && printf '%s\\n' \"$name\"
    done
)
";

/// `$@` has the names and options of zsh for `compadd`.
const ZSH: &str = "\
(( $+functions[_utfkit_names] )) ||
_utfkit_names() {
    compadd -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}' \"$@\"
}
";

/// The command line with the names of encodings as possible values.
///
/// Only for scripts: seventy names would bury `--help`, and the parser accepts
/// many more aliases.
fn with_encodings(command: Command) -> Command {
    let names = names();
    let list = |arg: Arg| {
        let is_encoding = arg.get_value_parser().type_id() == TypeId::of::<Encoding>();
        let long = arg.get_long().unwrap_or_default().to_owned();
        if is_encoding || WITH_SUFFIX.contains(&long.as_str()) {
            let auto = (long == "from-code").then_some(AUTO);
            arg.value_parser(PossibleValuesParser::new(names.iter().copied().chain(auto)))
        } else {
            arg
        }
    };
    command.mut_subcommands(|subcommand| subcommand.mut_args(list))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;

    #[test]
    fn each_subcommand_and_each_encoding_is_in_each_script() {
        for &shell in Shell::value_variants() {
            let mut script = Vec::new();
            write_script(&mut script, shell);
            let script = String::from_utf8(script).unwrap();
            for subcommand in Args::command().get_subcommands() {
                assert!(script.contains(subcommand.get_name()), "{shell}: {}", subcommand.get_name());
            }
            // PowerShell and elvish scripts do not complete values.
            if matches!(shell, Shell::Bash | Shell::Zsh | Shell::Fish) {
                for encoding in Encoding::ALL {
                    assert!(script.contains(encoding.name()), "{shell}: {encoding}");
                }
            }
        }
    }
}
