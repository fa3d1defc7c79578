//! Generates the table of the Hangul syllables of Unicode 1.1 from a list of
//! their current code points.

use std::fmt::Write;

/// The first and last code point.
const FIRST: u32 = 0x3400;
const LAST: u32 = 0x4DFF;

/// Parses lines of tab-separated fields: a code point of Unicode 1.1 and its
/// equivalent since Unicode 2.0. Lines that begin with `#` are comments.
/// Returns the new code points in the order of the old ones.
///
/// # Errors
///
/// A message, unless each of U+3400–U+4DFF has one line, in order, and maps to
/// a different code point in U+AC00–U+D7A3.
pub fn read(list: &str) -> Result<Vec<u16>, String> {
    let mut syllables = Vec::new();
    for line in list.lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split('\t').map(|digits| u32::from_str_radix(digits, 16));
        let (Some(Ok(old)), Some(Ok(new))) = (fields.next(), fields.next()) else {
            return Err(format!("not two code points: {line}"));
        };
        if Some(old) != u32::try_from(syllables.len()).ok().map(|count| FIRST + count) || old > LAST {
            return Err(format!("out of order: {line}"));
        }
        match u16::try_from(new) {
            Ok(new @ 0xAC00..=0xD7A3) if !syllables.contains(&new) => syllables.push(new),
            Ok(0xAC00..=0xD7A3) => return Err(format!("a second time: {line}")),
            _ => return Err(format!("not a Hangul syllable: {line}")),
        }
    }
    match syllables.len() {
        6656 => Ok(syllables),
        count => Err(format!("{count} lines of 6656")),
    }
}

/// The Rust source of the table.
pub fn file(syllables: &[u16]) -> String {
    let mut file = String::from(
        "\
//! What the Hangul syllables of Unicode 1.1 are today, in the order of their
//! code points then, U+3400–U+4DFF.
//!
//! Written by `cargo run -p utfkit-testkit --example hangul11 -- LIST`.

",
    );
    let _ = writeln!(file, "#[rustfmt::skip]\npub(super) static HANGUL: [u16; {}] = [", syllables.len());
    for row in syllables.chunks(13) {
        let row: Vec<String> = row.iter().map(|syllable| format!("0x{syllable:04X},")).collect();
        let _ = writeln!(file, "    {}", row.join(" "));
    }
    file.push_str("];\n");
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(new: impl Fn(u32) -> u32) -> String {
        (FIRST..=LAST).fold(String::from("# then\tnow\trest\n"), |mut list, old| {
            let _ = writeln!(list, "{old:04X}\t{:04X}\tx", new(old));
            list
        })
    }

    #[test]
    fn lists_are_read_and_written() {
        let syllables = read(&list(|old| old - FIRST + 0xAC00)).expect("a list");
        assert_eq!((syllables[0], syllables[6655]), (0xAC00, 0xAC00 + 6655));
        let file = file(&syllables);
        assert!(file.contains("HANGUL: [u16; 6656] = [\n    0xAC00, 0xAC01,"));
        assert_eq!(file.matches("0x").count(), 6656);
        assert!(file.lines().all(|line| line.chars().count() <= 120));
    }

    #[test]
    fn what_is_no_such_list_is_refused() {
        let refusal = |list: &str| read(list).expect_err("refused");
        assert!(refusal("").starts_with("0 lines"));
        assert!(refusal("3400\n").starts_with("not two"));
        assert!(refusal("3401\tAC00\n").starts_with("out of order"));
        assert!(refusal(&list(|old| old)).starts_with("not a Hangul"));
        assert!(refusal(&list(|_| 0xAC00)).starts_with("a second time"));
        let longer = list(|old| old - FIRST + 0xAC00) + "4E00\tD000\n";
        assert!(refusal(&longer).starts_with("out of order"));
    }
}
