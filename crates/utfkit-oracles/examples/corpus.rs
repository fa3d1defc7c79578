//! Converts between the corpus files and the folders of libFuzzer:
//!
//! ```sh
//! cargo run -p utfkit-oracles --example corpus -- unpack FOLDER   # a folder in it for each target
//! cargo run -p utfkit-oracles --example corpus -- pack FOLDER     # the other way round
//! ```

use std::path::Path;
use std::{env, error, fs, process};

use utfkit_oracles::{TARGETS, corpus};

/// Maximum number of inputs kept per target; of more inputs, some of every
/// length are kept.
const MOST: usize = 300;

fn main() -> Result<(), Box<dyn error::Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match &arguments[..] {
        [what, folder] if what == "unpack" => unpack(Path::new(folder)),
        [what, folder] if what == "pack" => pack(Path::new(folder)),
        _ => {
            eprintln!("unpack FOLDER, or pack FOLDER");
            process::exit(2)
        }
    }
}

fn unpack(folder: &Path) -> Result<(), Box<dyn error::Error>> {
    for target in TARGETS {
        let folder = folder.join(target.name);
        fs::create_dir_all(&folder)?;
        // A new target has no corpus yet.
        let inputs = if corpus::file(target.name).exists() { corpus::read(target.name)? } else { Vec::new() };
        for (i, input) in inputs.iter().enumerate() {
            fs::write(folder.join(format!("kept-{i:04}")), input)?;
        }
    }
    Ok(())
}

fn pack(folder: &Path) -> Result<(), Box<dyn error::Error>> {
    for target in TARGETS {
        let mut inputs = Vec::new();
        for entry in fs::read_dir(folder.join(target.name))? {
            inputs.push(fs::read(entry?.path())?);
        }
        let all = inputs.len();
        inputs.sort();
        inputs.sort_by_key(Vec::len);
        if all > MOST {
            inputs = (0..MOST).map(|i| inputs[i * all / MOST].clone()).collect();
        }
        println!("{}: {} of {all} inputs, {} bytes", target.name, inputs.len(), inputs.concat().len());
        corpus::write(target.name, inputs)?;
    }
    Ok(())
}
