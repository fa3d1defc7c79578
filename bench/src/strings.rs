//! Typical strings of programs, in unpredictable order.

use crate::random::Random;
use crate::text::Text;

pub(crate) const MANY: u32 = 1_000_000;
/// Maximum total size in bytes, since a generated text is a single line.
const MOST: usize = 1 << 29;

type Cut = fn(&str) -> Vec<&str>;

/// The strings of each kind: per article, and of all texts together.
pub(crate) fn of(texts: impl Iterator<Item = Text>, many: u32) -> Vec<Text> {
    let texts: Vec<(String, String)> = texts.map(|text| (text.name, text.pieces.concat())).collect();
    let kinds: [(&str, Cut); 4] = [("words", words), ("names", names), ("lines", lines), ("values", values)];
    let mut all = Vec::new();
    for (kind, cut) in kinds {
        let mut pool = Vec::new();
        for (name, text) in &texts {
            let strings = cut(text);
            if let Some(article) = name.strip_prefix("wiki-").filter(|_| !strings.is_empty()) {
                all.push(Text::drawn(&format!("{kind}-{article}"), &strings, many));
            }
            pool.extend(strings);
        }
        if !pool.is_empty() {
            all.push(Text::drawn(kind, &pool, many));
        }
    }
    all
}

impl Text {
    /// Draws `many` of `strings` at random.
    fn drawn(name: &str, strings: &[&str], many: u32) -> Text {
        let mut random = Random::new(11);
        let many = bounded(many, strings.len(), strings.iter().map(|string| string.len()).sum());
        let pieces: Vec<String> =
            (0..many).map(|_| strings[random.below(strings.len() as u32) as usize].to_owned()).collect();
        Text { pieces, ..Text::new(name, strings.concat()) }
    }
}

/// At most `many`, limited so that strings of average length (`bytes / count`)
/// fit in [`MOST`].
fn bounded(many: u32, count: usize, bytes: usize) -> u32 {
    many.min((MOST / (1 + bytes / count)) as u32)
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

/// Titles of linked articles.
fn names(text: &str) -> Vec<&str> {
    between(text, '"', '"')
}

/// The values of a JSON document of the links: addresses, labels and titles.
fn values(text: &str) -> Vec<&str> {
    let mut values = between(text, '(', ')');
    values.extend(between(text, '[', ']'));
    values.extend(names(text));
    values
}

/// The text between two delimiters on a line.
fn between(text: &str, open: char, close: char) -> Vec<&str> {
    let inner = |line| {
        let mut rest: &str = line;
        let mut found = Vec::new();
        while let Some((inner, after)) = rest.split_once(open).and_then(|(_, tail)| tail.split_once(close)) {
            found.push(inner);
            rest = after;
        }
        found
    };
    text.lines().flat_map(inner).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_one_line_does_not_fill_the_memory() {
        assert_eq!(bounded(MANY, 1, 1 << 20), 511);
        assert_eq!(bounded(MANY, 40, 240), MANY);
    }
}
