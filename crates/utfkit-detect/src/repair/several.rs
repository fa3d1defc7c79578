//! Lines of which some words were misread in one encoding, and some in another.

use alloc::vec::Vec;

use super::item::Item;
use super::misreading::Misreadings;
use super::search::{Chain, Undone, follow, score, words};
use super::survey::{CHANCE, Evidence};

/// A line as it was before it was misread.
pub(super) struct Reading {
    pub(super) items: Vec<Item>,
    /// How many bytes of the line are decided.
    pub(super) end: usize,
    is_open: bool,
    /// What was undone up to these bytes.
    chains: Vec<(u32, Chain)>,
}

impl Reading {
    fn of(undone: Undone, line: &[Item]) -> Reading {
        let Undone { chain, items, end, .. } = undone;
        let is_open = line.last().is_some_and(|last| end < last.end as usize);
        Reading { items, end, is_open, chains: Vec::from([(u32::MAX, chain)]) }
    }

    /// The chain that was undone at the character before this byte.
    pub(super) fn chain(&self, end: usize) -> Chain {
        self.chains.iter().find(|(known, _)| *known as usize >= end).map_or(Chain::default(), |(_, chain)| *chain)
    }
}

/// The words of a line that one chain explains, before and after it is undone, and the other words as they are.
pub(super) struct Parts {
    pub(super) before: Vec<Item>,
    pub(super) after: Vec<Item>,
    rest: Vec<Item>,
}

impl Parts {
    /// A word that belongs to `is_other` is one of the others.
    #[inline(never)]
    fn of(line: &[Item], undone: &[Item], is_other: &dyn Fn(&[Item], &[Item]) -> bool) -> Parts {
        let mut parts = Parts { before: Vec::new(), after: Vec::new(), rest: Vec::new() };
        let mut line = line;
        for after in undone.split_inclusive(|item| item.c.is_ascii_whitespace()) {
            let end = after.last().map_or(0, |item| item.end);
            let (before, next) = line.split_at(line.partition_point(|item| item.end <= end));
            line = next;
            if after.iter().any(|item| item.is_undone) && !is_other(before, after) {
                parts.before.extend_from_slice(before);
                parts.after.extend_from_slice(after);
            } else {
                parts.rest.extend_from_slice(before);
            }
        }
        parts
    }

    fn is_all(&self) -> bool {
        self.before.is_empty() || self.rest.iter().all(|item| item.c.is_ascii())
    }
}

impl Evidence {
    /// Undoes a line if the evidence suffices.
    pub(super) fn read(&self, table: &Misreadings, line: &[Item], cut: bool) -> Option<Reading> {
        self.read_words(table, line, cut, self.chains().count())
    }

    /// Undoes up to `most` chains and one.
    fn read_words(&self, table: &Misreadings, line: &[Item], cut: bool, most: usize) -> Option<Reading> {
        let (undone, parts) = self.undo(table, line, cut)?;
        let Some(Parts { after: own, rest, .. }) = parts else { return Some(Reading::of(undone, line)) };
        let others = most.checked_sub(1).and_then(|most| self.read_words(table, &rest, cut, most));
        let Some(others) = others else {
            return Some(Reading::of(Undone { items: merged(&own, &rest), ..undone }, line));
        };
        let items = merged(&own, &others.items);
        let mut chains: Vec<(u32, Chain)> = Vec::new();
        for item in items.iter().filter(|item| item.is_undone) {
            let is_own = own.binary_search_by_key(&item.end, |own| own.end).is_ok();
            let chain = if is_own { undone.chain } else { others.chain(item.end as usize) };
            match chains.last_mut() {
                Some((end, last)) if *last == chain => *end = item.end,
                _ => chains.push((item.end, chain)),
            }
        }
        let end = if others.is_open { others.end } else { undone.end };
        Some(Reading { items, end, is_open: others.is_open, chains })
    }

    /// The parts of a line if another chain explains some of its words, or may do so.
    #[inline(never)]
    pub(super) fn parts(&self, table: &Misreadings, line: &[Item], undone: &Undone) -> Option<Parts> {
        let others = || self.chains().filter(|chain| chain.crossing().is_none() && **chain != undone.chain);
        if undone.chain.crossing().is_some() || undone.fit.open > 0 || others().next().is_none() {
            return None;
        }
        let is_other = |before: &[Item], after: &[Item]| {
            others().any(|chain| {
                let other = follow(table, chain, before, false).filter(|other| other.chain == *chain);
                other.is_some_and(|other| {
                    other.fit.others + other.fit.elsewhere == 0
                        && score(&words(&other.items)) + CHANCE <= score(&words(after))
                })
            })
        };
        Some(Parts::of(line, &undone.items, &is_other)).filter(|parts| !parts.is_all())
    }
}

/// The words of a line that an undoing left.
pub(super) fn left(line: &[Item], undone: &Undone) -> Vec<Item> {
    if undone.fit.others + undone.fit.elsewhere == 0 || undone.fit.open > 0 || undone.chain.crossing().is_some() {
        return Vec::new();
    }
    let parts = Parts::of(line, &undone.items, &|_, _| false);
    if parts.is_all() { Vec::new() } else { parts.rest }
}

#[inline(never)]
fn merged(a: &[Item], b: &[Item]) -> Vec<Item> {
    let mut all = Vec::with_capacity(a.len() + b.len());
    let mut b = b.iter().copied().peekable();
    for item in a {
        while let Some(other) = b.next_if(|other| other.end < item.end) {
            all.push(other);
        }
        all.push(*item);
    }
    all.extend(b);
    all
}

#[cfg(test)]
mod tests {
    use super::super::{Options, Repairer, Stretch, repair};
    use crate::repair::Survey;
    use alloc::string::{String, ToString};
    use alloc::vec::Vec;
    use utfkit_core::Encoding;

    const SENTENCES: [(&str, &str); 4] = [
        ("Der Schlüssel hängt an der Tür.", "Bitte schließen Sie später das große Fenster."),
        ("Unsere Gäste kommen übermorgen.", "Zum Frühstück gibt es Brötchen und Käse."),
        ("Das Mädchen hört gern Märchen.", "Über den Dächern weht ein kühler Wind."),
        ("Wir müssen früher aufstehen.", "Die Züge fahren im Winter häufig verspätet."),
    ];

    fn misread(text: &str, name: &str) -> String {
        let read = Encoding::for_label(name).unwrap();
        read.decode_without_bom_handling(text.as_bytes()).0.into_owned()
    }

    #[test]
    fn words_of_a_line_that_were_misread_in_two_encodings_are_all_undone() {
        for (first, second) in
            [("windows-1252", "macintosh"), ("macintosh", "IBM437"), ("IBM850", "windows-1252"), ("IBM437", "IBM850")]
        {
            let joined = |first: &str, second: &str| [first, " ", second, "\n"].concat();
            let text: String = SENTENCES.iter().map(|(a, b)| joined(a, b)).collect();
            let mixed: String =
                SENTENCES.iter().map(|(a, b)| joined(&misread(a, first), &misread(b, second))).collect();
            assert_eq!(repair(mixed.as_bytes(), &Options::new().undouble(true)), text, "{first} {second}");
        }
    }

    #[test]
    fn each_change_names_its_encoding() {
        let (first, second) = SENTENCES[0];
        let text = [&misread(first, "windows-1252"), " ", &misread(second, "macintosh"), "\n"].concat().repeat(3);
        let options = Options::new().undouble(true);
        let mut survey = Survey::new(&options);
        survey.feed(text.as_bytes());
        let mut repairer = Repairer::new(options).with_evidence(survey.finish());
        let mut found: Vec<(String, Option<Encoding>, usize)> = Vec::new();
        let mut take = |stretch: Stretch<'_>| {
            if let Stretch::Changed(change) = stretch {
                found.push((change.after.to_string(), change.encoding(), change.layers()));
            }
        };
        repairer.feed(text.as_bytes(), &mut take);
        repairer.finish(&mut take);
        let [western, macintosh] = ["windows-1252", "macintosh"].map(Encoding::for_label);
        let letters = [first, second].map(|text| text.chars().filter(|c| !c.is_ascii()).count());
        let expected = [western].repeat(letters[0]).into_iter().chain([macintosh].repeat(letters[1]));
        let encodings: Vec<Option<Encoding>> = expected.collect::<Vec<_>>().repeat(3);
        assert_eq!(found.iter().map(|(_, encoding, _)| *encoding).collect::<Vec<_>>(), encodings);
        assert!(found.iter().all(|(after, _, layers)| after.chars().count() == 1 && *layers == 1), "{found:?}");
    }
}
