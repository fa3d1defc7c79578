//! utfkit beside its peers: every operation on every text.

mod contest;
mod goal;
mod header;
mod op;
mod options;
mod peer;
mod random;
mod report;
mod text;

use std::env;
use std::process::ExitCode;
use std::time::Instant;

use contest::Plan;
use goal::Goal;
use op::Operation;
use options::{Format, Options, matches};
use peer::Peer;
use report::{Row, Table};
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
    let operations = if options.short { op::SHORT } else { op::ALL };
    let operations: Vec<_> = operations.iter().filter(|op| matches(&options.ops, op.name())).collect();
    let texts: Vec<Text> = texts(options).into_iter().filter(|text| matches(&options.texts, &text.name)).collect();
    if options.list {
        list(&operations, &texts);
        return Ok(());
    }

    let header = header::lines(options);
    match options.format {
        Format::Json => header.iter().for_each(|line| eprintln!("{line}")),
        Format::Plain => header.iter().for_each(|line| println!("{line}")),
        Format::Markdown => header.iter().for_each(|line| println!("- {line}")),
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
        table.print(options);
        tables.push(table);
    }
    report::print_summary(&tables, options);
    Ok(())
}

fn row(operation: &dyn Operation, text: &Text, options: &Options, plan: &Plan) -> Result<Option<Row>, String> {
    let Some(mut contest) = operation.contest(text, options) else { return Ok(None) };
    let figures = contest::measure(contest.as_mut(), plan)
        .map_err(|why| format!("WRONG ANSWER in {} of {}: {why}", operation.name(), text.name))?;
    let goal = if options.short { Goal::Short } else { operation.goal() };
    Ok(Some(Row {
        text: text.name.clone(),
        columns: contest.columns().to_vec(),
        figures,
        bytes: contest.bytes(),
        calls: contest.calls(),
        target: goal.ratio(text.class, options.compared()),
    }))
}

fn texts(options: &Options) -> Vec<Text> {
    if options.short {
        return text::short();
    }
    let texts = text::all(options.made);
    match options.size {
        Some(size) => texts.into_iter().map(|text| text.grown(size)).collect(),
        None => texts,
    }
}

/// simdutf reads this variable once, at its first call.
fn hold_simdutf(options: &Options) {
    let Some(name) = options.held_to.and_then(peer::simdutf::implementation) else { return };
    // SAFETY: the program has one thread, and simdutf has not been called yet.
    unsafe { env::set_var("SIMDUTF_FORCE_IMPLEMENTATION", name) };
}

fn list(operations: &[&&dyn Operation], texts: &[Text]) {
    println!("operations:");
    for operation in operations {
        println!("  {:16} {}", operation.name(), operation.title());
    }
    println!("texts:");
    for text in texts {
        println!("  {:16} {:?}", text.name, text.class);
    }
    println!("peers:");
    for peer in Peer::ALL {
        println!("  {}", peer.name());
    }
}
