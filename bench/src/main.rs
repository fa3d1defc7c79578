//! Compares utfkit with its peers: every operation on every text.

mod contest;
mod goal;
mod header;
mod op;
mod options;
mod peer;
mod random;
mod report;
mod strings;
mod text;

use std::env;
use std::io::{self, Write};
use std::process::{self, ExitCode};
use std::time::Instant;

use contest::Plan;
use goal::Goal;
use op::Operation;
use options::{Format, Inputs, Options, matches};
use peer::Peer;
use report::{Measurement, Table};
use text::Text;

fn main() -> ExitCode {
    let options = match Options::parse(env::args().skip(1)) {
        Ok(Some(options)) => options,
        Ok(None) => {
            print!("{}", options::HELP);
            return ExitCode::SUCCESS;
        }
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), String> {
    hold_simdutf(options);
    let operations = match options.inputs {
        Inputs::Texts => op::ALL,
        Inputs::Short | Inputs::Strings => op::CALLS,
    };
    let operations: Vec<_> = operations.iter().filter(|op| matches(&options.ops, op.name())).collect();
    let texts: Vec<Text> = texts(options).into_iter().filter(|text| matches(&options.texts, &text.name)).collect();
    if options.list {
        return list(&operations, &texts);
    }

    if operations.is_empty() || texts.is_empty() {
        return Err("nothing of that name; --list names everything".into());
    }

    let bullet = if options.format == Format::Markdown { "- " } else { "" };
    for line in header::lines(options) {
        remark(&format!("{bullet}{line}"), options)?;
    }
    let start = Instant::now();
    let mut left = (operations.len() * texts.len()) as u32;
    let mut tables = Vec::new();
    for operation in operations {
        let mut rows = Vec::new();
        for text in &texts {
            let plan = Plan {
                rounds: options.rounds,
                sample: options.sample,
                budget: options.budget.saturating_sub(start.elapsed()) / left,
            };
            left -= 1;
            rows.extend(row(*operation, text, options, &plan)?);
        }
        let table = Table { name: operation.name(), title: operation.title(), rows };
        for line in table.lines(options) {
            print(&line)?;
        }
        if let Some(file) = &options.csv {
            draw::append(file, &table.records(options)).map_err(|error| format!("{}: {error}", file.display()))?;
        }
        tables.push(table);
    }
    for line in report::summary(&tables) {
        remark("", options)?;
        remark(&line, options)?;
    }
    Ok(())
}

/// Prints a line, and exits quietly if the pipe is closed.
fn print(line: &str) -> Result<(), String> {
    match writeln!(io::stdout(), "{line}") {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => process::exit(0),
        result => result.map_err(|error| error.to_string()),
    }
}

/// Prints a line of the tables that is not a row.
fn remark(line: &str, options: &Options) -> Result<(), String> {
    match options.format {
        Format::Json => eprintln!("{line}"),
        Format::Plain | Format::Markdown => print(line)?,
    }
    Ok(())
}

fn row(operation: &dyn Operation, text: &Text, options: &Options, plan: &Plan) -> Result<Option<Measurement>, String> {
    let Some(mut contest) = operation.contest(text, options) else { return Ok(None) };
    #[cfg(target_os = "wasi")]
    peer::node::forget();
    let figures = contest::measure(contest.as_mut(), plan)
        .map_err(|why| format!("WRONG RESULT in {} of {}: {why}", operation.name(), text.name))?;
    let goal = match options.inputs {
        Inputs::Texts => operation.goal(),
        Inputs::Short => Goal::Short,
        Inputs::Strings => Goal::Strings,
    };
    Ok(Some(Measurement {
        text: text.name.clone(),
        class: text.class,
        columns: contest.columns().to_vec(),
        figures,
        bytes: contest.bytes(),
        calls: contest.calls(),
        target: goal.ratio(text.class, options.compared()),
    }))
}

fn texts(options: &Options) -> Vec<Text> {
    let texts = || text::all(options.made).into_iter();
    match (options.inputs, options.size) {
        (Inputs::Short, _) => text::short(),
        (Inputs::Strings, _) => strings::of(texts(), strings::MANY),
        (Inputs::Texts, Some(size)) => texts().map(|text| text.grown(size)).collect(),
        (Inputs::Texts, None) => texts().collect(),
    }
}

/// Sets simdutf's environment variable, which it reads at its first call.
fn hold_simdutf(options: &Options) {
    let Some(name) = options.held_to.and_then(peer::simdutf::implementation) else { return };
    // SAFETY: the program has one thread, and simdutf has not been called yet.
    unsafe { env::set_var("SIMDUTF_FORCE_IMPLEMENTATION", name) };
}

fn list(operations: &[&&dyn Operation], texts: &[Text]) -> Result<(), String> {
    print("operations:")?;
    for operation in operations {
        print(&format!("  {:16} {}", operation.name(), operation.title()))?;
    }
    print("texts:")?;
    for text in texts {
        print(&format!("  {:16} {:?}", text.name, text.class))?;
    }
    print("peers:")?;
    for peer in Peer::ALL {
        print(&format!("  {}", peer.name()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs only the checks.
    fn check(arguments: &[&str], texts: &[Text]) {
        let options = Options::parse(arguments.iter().map(|&argument| argument.to_owned()));
        let options = options.expect("good options").expect("no call for help");
        for operation in op::ALL {
            for text in texts {
                let Some(mut contest) = operation.contest(text, &options) else { continue };
                for (i, column) in contest.columns().to_vec().iter().enumerate() {
                    let result = contest.check(i);
                    assert_eq!(result, Ok(()), "{:?} in {} of {}", column, operation.name(), text.name);
                }
            }
        }
    }

    #[test]
    fn every_competitor_is_right_on_every_text() {
        check(&[], &text::all(true));
    }

    #[test]
    fn every_competitor_is_right_on_short_texts() {
        check(&[], &text::short());
        check(&["--exact"], &text::short());
    }

    #[test]
    fn every_competitor_is_right_on_strings() {
        check(&[], &strings::of(text::all(true).into_iter(), 1000));
    }

    #[test]
    fn every_competitor_is_right_on_repeated_texts() {
        let texts: Vec<Text> = text::all(true).into_iter().map(|text| text.grown(1 << 20)).collect();
        check(&["--exact"], &texts);
    }
}
