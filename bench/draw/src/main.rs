//! Makes the pictures in `bench/pictures` from the results in `bench/results`.
//!
//!     cd bench && cargo run -p draw
//!
//! The output depends only on the results; a test compares the pictures in the
//! repository with it.

mod bars;
mod data;
mod heat;
mod lines;
mod svg;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use bars::{Bars, Panel};
use data::{Data, in_order, isa_name, title};
use draw::OWN;
use lines::{Chart, Lines};

const NATURAL: &str = "natural";

fn main() -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder("pictures"))?;
    for (name, picture) in pictures()? {
        fs::write(folder("pictures").join(name), picture)?;
        println!("pictures/{name}");
    }
    Ok(())
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
}

fn pictures() -> Result<Vec<(&'static str, String)>, Box<dyn Error>> {
    let read = |name: &str| Data::read(&folder("results").join(name)).map_err(|error| format!("{name}: {error}"));
    // Texts of a few hundred kilobytes are too small for a second thread.
    let texts = read("texts.csv")?.filter(|record| !record.op.starts_with("parallel-"));
    let short = read("short.csv")?.best_isa();
    let large = read("large.csv")?.best_isa();
    let strings = read("strings.csv")?.best_isa();
    let (relatives, texts) = texts.split(|record| record.library == "as-unicode");
    let (relatives, best) = (relatives.best_isa(), texts.best_isa());
    let against_itself =
        format!("Here the peer is utfkit itself with UTF-8, UTF-16 or RFC 3629. {}", relatives.origin());
    Ok(vec![
        ("speed.svg", speed(&best)),
        ("texts.svg", heat::draw("On which text?", heat::SPEED, &best, NATURAL, &[&best.origin()])),
        ("lengths.svg", lengths(&short)),
        (
            "strings.svg",
            heat::draw("In strings of all lengths?", heat::CALLS, &strings, "strings", &[&strings.origin()]),
        ),
        ("sizes.svg", sizes(&best, &large)),
        ("damage.svg", damage(&best)),
        ("isas.svg", isas(&texts)),
        ("columns.svg", columns(&read("columns.csv")?)),
        (
            "relatives.svg",
            heat::draw("What do UTF-8's relatives cost?", heat::SPEED, &relatives, NATURAL, &[&against_itself]),
        ),
        ("neon.svg", neon(&read("neon.csv")?)),
        ("wasm.svg", wasm(&read("wasm.csv")?)),
    ])
}

/// The most common operations, on every text.
fn speed(data: &Data) -> String {
    let texts = data.distinct(|record| &record.text);
    let panel = |op: &str| Panel {
        title: title(op).replace("UTF-8 to UTF-16, 1", "to UTF-16, 1"),
        cells: texts.iter().map(|text| data.cell(op, text, NATURAL)).chain([data.mean(op, &texts, NATURAL)]).collect(),
    };
    let panels = ["validate", "8-16", "16-8", "lossy-8-16/100"].map(panel);
    Bars {
        title: "How fast?",
        rows: texts.iter().cloned().chain(["geometric mean".to_owned()]).collect(),
        panels: panels.into(),
        one_scale: false,
        notes: vec!["Each column has a scale of its own.".into(), data.origin()],
    }
    .draw()
}

/// Short inputs: time by length.
fn lengths(data: &Data) -> String {
    const LONGEST: f64 = 256.0;
    const LIBRARIES: [&str; 4] = ["std", "encoding_rs", "simdutf", OWN];
    let kinds = data.distinct(|record| &record.text);
    let sizes = data.distinct(|record| &record.size);
    let chart = |op: &str, (column, kind): (usize, &String)| {
        let points = |library: &str| {
            let lengths = sizes.iter().filter_map(|size| Some((size.parse::<f64>().ok()?, size)));
            let mut points: Vec<(f64, f64)> = lengths
                .filter_map(|(length, size)| Some((length / LONGEST, data.value(op, kind, size, library)?)))
                .collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            (format!("l-{library}"), points)
        };
        let mixed = data.cell(op, kind, "0-64");
        Chart {
            title: if column == 0 {
                format!("{}, {kind}", title(op).trim_end_matches(", nothing bad"))
            } else {
                kind.clone()
            },
            lines: LIBRARIES.map(points).into(),
            marks: [0, 64, 128, 192, 256].map(|length| (f64::from(length) / LONGEST, length.to_string())).into(),
            remark: mixed.map_or(String::new(), |cell| format!("mixed: {:.1}, best peer {:.1}", cell.own, cell.peer)),
        }
    };
    let ops = in_order(data.distinct(|record| &record.op));
    let row = |op: &String| kinds.iter().enumerate().map(|kind| chart(op, kind)).collect();
    Lines {
        title: "At which length?",
        subtitle: "nanoseconds for a call, by bytes of UTF-8; characters of 1 to 4 bytes; lower is faster",
        legend: LIBRARIES.iter().rev().map(|library| (class_of(library), *library)).collect(),
        rows: ops.iter().map(row).collect(),
        grid: &[1.0, 4.0, 16.0, 64.0, 256.0],
        notes: vec![
            "mixed: 4096 inputs of 0 to 64 bytes in no order. Slower than 256 ns is drawn at the upper border.".into(),
            data.origin(),
        ],
    }
    .draw()
}

fn class_of(library: &str) -> &'static str {
    match library {
        OWN => "l-utfkit",
        "simdutf" => "l-simdutf",
        "encoding_rs" => "l-encoding_rs",
        "std" => "l-std",
        _ => "l-peer",
    }
}

/// Texts of natural size, and repeated until larger than the cache, with the
/// peers measured on both.
fn sizes(natural: &Data, large: &Data) -> String {
    let peers = large.distinct(|record| &record.library);
    let natural = natural.filter(|record| peers.contains(&record.library));
    let ops = in_order(large.distinct(|record| &record.op));
    let large_sizes = large.distinct(|record| &record.size);
    // Use the same texts at every size, so that means are comparable.
    let mut texts = natural.distinct(|record| &record.text);
    for size in &large_sizes {
        let there = large.filter(|record| record.size == *size).distinct(|record| &record.text);
        texts.retain(|text| there.contains(text));
    }
    let panel = |title: String, data: &Data, size: &str| Panel {
        title,
        cells: ops.iter().map(|op| data.mean(op, &texts, size)).collect(),
    };
    let mut panels = vec![panel("in the cache".into(), &natural, NATURAL)];
    panels.extend(large_sizes.iter().map(|size| panel(size.replace('M', " MiB"), large, size)));
    let peers: Vec<&str> = peers.iter().map(String::as_str).filter(|peer| *peer != OWN).collect();
    Bars {
        title: "And beyond the cache?",
        rows: ops.iter().map(|op| title(op).to_owned()).collect(),
        panels,
        one_scale: true,
        notes: vec![
            format!("Geometric means over {}, beside {} alone.", texts.join(", "), peers.join(", ")),
            large.origin(),
        ],
    }
    .draw()
}

/// Replacement of ill-formed sequences, by their frequency.
fn damage(data: &Data) -> String {
    const RATES: [(&str, &str); 4] = [("clean", "none"), ("1000", "1/1000"), ("100", "1/100"), ("10", "1/10")];
    const CHOSEN: [&str; 5] = ["Latin", "wiki-french", "Arabic", "Chinese", "Emoji"];
    let texts = data.distinct(|record| &record.text);
    let chosen: Vec<&String> = CHOSEN.iter().filter_map(|name| texts.iter().find(|text| text == name)).collect();
    let chosen = if chosen.is_empty() { texts.iter().take(5).collect() } else { chosen };
    let chart = |op: &str, to: &str, text: &str| {
        let places = RATES.iter().enumerate().map(|(i, rate)| (i as f64 / 3.0, rate));
        let cell = |(place, (rate, _)): (f64, &(&str, &str))| {
            Some((place, data.cell(&format!("{op}/{rate}"), text, NATURAL)?))
        };
        let cells: Vec<_> = places.clone().filter_map(cell).collect();
        Chart {
            title: format!("{text}, to {to}"),
            lines: vec![
                ("l-peer".into(), cells.iter().map(|(place, cell)| (*place, cell.peer)).collect()),
                ("l-utfkit".into(), cells.iter().map(|(place, cell)| (*place, cell.own)).collect()),
            ],
            marks: places.map(|(place, (_, label))| (place, (*label).to_owned())).collect(),
            remark: String::new(),
        }
    };
    let row = |(op, to): (&str, &str)| chosen.iter().map(|text| chart(op, to, text)).collect();
    Lines {
        title: "How damaged?",
        subtitle: "GB/s of input by the part of the bytes that is bad, UTF-8 with U+FFFD for what is ill-formed; higher is faster",
        legend: vec![("l-utfkit", OWN), ("l-peer", "fastest peer")],
        rows: [("lossy-8-8", "UTF-8"), ("lossy-8-16", "UTF-16")].map(row).into(),
        grid: &[0.1, 1.0, 10.0, 100.0],
        notes: vec![data.origin()],
    }
    .draw()
}

/// Columns of data engines: the kernels and each engine's own functions.
fn columns(data: &Data) -> String {
    let sizes = data.distinct(|record| &record.size);
    let rows: Vec<(String, String)> = data
        .distinct(|record| &record.text)
        .into_iter()
        .flat_map(|engine| {
            let works = data.filter(|record| record.text == engine).distinct(|record| &record.op);
            works.into_iter().map(move |work| (engine.clone(), work))
        })
        .collect();
    let panel = |size: &String| Panel {
        title: size.replace(" rows", ""),
        cells: rows.iter().map(|(engine, work)| data.cell(work, engine, size)).collect(),
    };
    Bars {
        title: "How fast in columns?",
        rows: rows.iter().map(|(engine, work)| format!("{engine}: {work}")).collect(),
        panels: sizes.iter().map(panel).collect(),
        one_scale: false,
        notes: vec![
            "The peer is what the engine itself has for the same; not measured is also what it refuses. One thread; each column has a scale of its own.".into(),
            "short rows: 8 to 40 bytes; long rows: 65 KB".into(),
            data.origin(),
        ],
    }
    .draw()
}

/// The gain of each instruction set, with peers limited to the same set.
fn isas(data: &Data) -> String {
    const OPS: [&str; 14] = [
        "validate",
        "validate-16",
        "8-16",
        "16-8",
        "8-32",
        "32-8",
        "16-32",
        "32-16",
        "8-latin1",
        "latin1-8",
        "lossy-8-8/100",
        "lossy-8-16/100",
        "count",
        "len-16-of-8",
    ];
    let texts = data.distinct(|record| &record.text);
    let panel = |isa: &String| {
        let data = data.filter(|record| record.isa == *isa);
        Panel { title: isa_name(isa).to_owned(), cells: OPS.iter().map(|op| data.mean(op, &texts, NATURAL)).collect() }
    };
    Bars {
        title: "With which instruction set?",
        rows: OPS.iter().map(|op| title(op).to_owned()).collect(),
        panels: data.isas().iter().map(panel).collect(),
        one_scale: true,
        notes: vec![
            "Geometric means over the texts. The peers are held to the same instruction set.".into(),
            data.origin(),
        ],
    }
    .draw()
}

/// Instructions on NEON, compared with simdutf.
fn neon(data: &Data) -> String {
    let ratio = "simdutf's instructions for a text divided by utfkit's; above 1 utfkit needs fewer";
    let notes = ["Counted under emulation: instructions are not time.", &data.origin()];
    heat::draw("How many instructions on NEON?", ratio, data, NATURAL, &notes)
}

/// WebAssembly in Node.
fn wasm(data: &Data) -> String {
    let peers = "The peers in Rust, simdutf by its fallback (it has no kernels for WebAssembly), and Node's TextDecoder and TextEncoder.";
    heat::draw("How fast as WebAssembly?", heat::SPEED, data, NATURAL, &[peers, &data.origin()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pictures_are_those_of_the_results() {
        for (name, picture) in pictures().expect("results") {
            let kept = fs::read_to_string(folder("pictures").join(name)).expect(name);
            assert!(kept == picture, "pictures/{name} is not what results/ gives: cd bench && cargo run -p draw");
        }
    }
}
