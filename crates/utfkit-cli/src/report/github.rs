//! Findings as GitHub workflow commands, which GitHub shows as annotations.

use std::io::Write;
use std::path::Path;

use super::model::Item;
use crate::printable::is_hostile;

/// `::error file=…,line=…,col=…,title=…::byte 31: C0 AF: overlong: message`
pub(super) fn finding(to: &mut Vec<u8>, path: &Path, item: &Item) {
    let Item { offset, line, column, kind, message, .. } = item;
    // Writing to memory cannot fail, here and below.
    let _ = write!(to, "::error {}line={line},col={column},title={}::", file(path), kind);
    let bytes = item.spaced();
    let message = match bytes.as_str() {
        "" => format!("byte {offset}: {kind}: {message}"),
        bytes => format!("byte {offset}: {bytes}: {kind}: {message}"),
    };
    let _ = writeln!(to, "{}", data(&message));
}

/// Writes a message about a file that could not be read, or about the run.
pub(super) fn message(to: &mut Vec<u8>, level: &str, path: Option<&Path>, message: &str) {
    let file = path.map(file).unwrap_or_default();
    let properties = file.trim_end_matches(',');
    let space = if properties.is_empty() { "" } else { " " };
    let _ = writeln!(to, "::{level}{space}{properties}::{}", data(message));
}

/// `file=…,`, or nothing for standard input. GitHub resolves paths relative to
/// the root of the repository.
fn file(path: &Path) -> String {
    match path.as_os_str().as_encoded_bytes() {
        b"-" => String::new(),
        bytes => {
            let name = bytes.strip_prefix(b"./").unwrap_or(bytes);
            format!("file={},", property(name))
        }
    }
}

/// Escapes a property's value: like data, plus the delimiters `:` and `,`.
fn property(name: &[u8]) -> String {
    let mut value = String::new();
    for chunk in name.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                ':' => value.push_str("%3A"),
                ',' => value.push_str("%2C"),
                c => push(&mut value, c),
            }
        }
        value.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02X}")));
    }
    value
}

fn data(message: &str) -> String {
    let mut data = String::new();
    message.chars().for_each(|c| push(&mut data, c));
    data
}

fn push(to: &mut String, c: char) {
    match c {
        '%' => to.push_str("%25"),
        '\r' => to.push_str("%0D"),
        '\n' => to.push_str("%0A"),
        // Workflow commands have no escapes for these.
        c if is_hostile(c) => to.extend(c.escape_default()),
        c => to.push(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_command_or_a_property_is_escaped() {
        let mut line = Vec::new();
        message(&mut line, "error", Some(Path::new("./a,b:c%\r\nd\x1B.txt")), "50% of\nit, a:b");
        assert_eq!(line, b"::error file=a%2Cb%3Ac%25%0D%0Ad\\u{1b}.txt::50%25 of%0Ait, a:b\n");
        line.clear();
        message(&mut line, "notice", Some(Path::new("-")), "x");
        assert_eq!(line, b"::notice::x\n");
    }
}
