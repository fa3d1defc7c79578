//! No module imports one that imports it, directly or through others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The names that modules import.
type Imports = BTreeMap<String, BTreeSet<String>>;

/// The names right after each `prefix` in the code of a file, without its tests.
fn names(file: &Path, prefix: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(file).unwrap();
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let code = code.split("#[cfg(test)]").next().unwrap().split("#[cfg(all(test").next().unwrap();
    let name = |text: &str| text.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let after = code.split(prefix).skip(1).flat_map(|after| match after.strip_prefix('{') {
        Some(list) => list.split('}').next().unwrap().split(',').map(name).collect(),
        None => vec![name(after)],
    });
    after.filter(|name| !name.is_empty()).collect()
}

fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(self::files(&path)) } else { files.push(path) }
    }
    files
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_str().unwrap().to_owned()
}

/// Panics if there is a circle, after removing all modules that are in none.
fn assert_no_circle(mut imports: Imports) {
    loop {
        let done: Vec<_> = imports
            .iter()
            .filter(|(module, imported)| imported.iter().all(|name| name == *module || !imports.contains_key(name)))
            .map(|(module, _)| module.clone())
            .collect();
        if done.is_empty() {
            break;
        }
        done.iter().for_each(|module| drop(imports.remove(module)));
    }
    assert!(imports.is_empty(), "these import each other: {imports:#?}");
}

#[test]
fn top_level_modules_are_in_no_circle() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut imports = Imports::new();
    for file in files(&src) {
        let first = file.strip_prefix(&src).unwrap().components().next().unwrap();
        let module = stem(first.as_os_str().as_ref());
        if module != "lib" && module != "main" {
            imports.entry(module).or_default().extend(names(&file, "crate::"));
        }
    }
    assert!(imports["gate"].contains("input"), "{imports:#?}");
    assert_no_circle(imports);
}

/// A module imports all of its children, so none of them may import it.
#[test]
fn modules_of_a_folder_are_in_no_circle() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let folders: BTreeSet<_> = files(&src).iter().map(|file| file.parent().unwrap().to_owned()).collect();
    for folder in folders.iter().filter(|folder| **folder != src) {
        let children = files(folder).into_iter().filter(|file| file.parent() == Some(folder) && stem(file) != "mod");
        let mut imports: Imports = children.map(|file| (stem(&file), names(&file, "super::"))).collect();
        let parent = imports.keys().cloned().collect();
        for imported in imports.values_mut() {
            let is_child =
                |name: &String| folder.join(name).with_extension("rs").is_file() || folder.join(name).is_dir();
            *imported =
                imported.iter().map(|name| if is_child(name) { name.clone() } else { "super".to_owned() }).collect();
        }
        imports.insert("super".to_owned(), parent);
        assert_no_circle(imports);
    }
}
