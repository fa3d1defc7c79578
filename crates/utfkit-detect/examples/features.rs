//! For `model/calibrate.py`: candidates, and what their probabilities depend on, a line of JSON
//! for each file named on standard input.

use std::io::{BufRead, Write};

use utfkit_detect::detect::detect;

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for path in std::io::stdin().lock().lines() {
        let path = path?;
        let found = detect(&std::fs::read(&path)?);
        let candidates = found.candidates();
        let names: Vec<&str> = candidates.iter().map(|one| one.encoding().name()).collect();
        let probabilities: Vec<f64> = candidates.iter().map(|one| one.probability()).collect();
        let (features, others, behind) = match found.features() {
            Some((of_none, others, behind)) => {
                let of_none = format!("[{},{},{}]", of_none.penalty, of_none.letters, of_none.ill_formed);
                (of_none, format!("{others:?}"), behind)
            }
            None => ("null".to_owned(), "null".to_owned(), Vec::new()),
        };
        let language = match found.language_features() {
            Some((name, margin, letters, excess)) => format!("[\"{name}\",{margin},{letters},{excess}]"),
            None => "null".to_owned(),
        };
        writeln!(
            out,
            "{{\"path\":{path:?},\"certainty\":\"{}\",\"encoding\":{},\"confidence\":{},\"basis\":{:?},\"names\":{names:?},\
             \"probabilities\":{probabilities:?},\"features\":{features},\"others\":{others},\"behind\":{behind:?},\"language\":{language}}}",
            found.certainty(),
            found.encoding().map_or("null".to_owned(), |encoding| format!("{:?}", encoding.name())),
            found.confidence(),
            format!("{:?}", found.basis()),
        )?;
    }
    Ok(())
}
