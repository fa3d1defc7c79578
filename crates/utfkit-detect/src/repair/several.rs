//! Lines of which some words were misread in one encoding, and some in another.

use alloc::vec::Vec;

use super::item::Item;
use super::search::{Chain, Undone};

/// A line as it was before it was misread.
pub(super) struct Reading {
    pub(super) items: Vec<Item>,
    /// How many bytes of the line are decided.
    pub(super) end: usize,
    pub(super) is_open: bool,
    /// Chains, each with the end of the bytes for which it was undone, in order.
    pub(super) chains: Vec<(u32, Chain)>,
}

impl Reading {
    pub(super) fn of(undone: Undone, line: &[Item]) -> Reading {
        let Undone { chain, items, end, .. } = undone;
        let is_open = line.last().is_some_and(|last| end < last.end as usize);
        Reading { items, end, is_open, chains: Vec::from([(u32::MAX, chain)]) }
    }

    /// The chain that was undone at the character before this byte.
    pub(super) fn chain(&self, end: usize) -> Chain {
        let at = self.chains.partition_point(|(known, _)| (*known as usize) < end);
        self.chains.get(at).map_or(Chain::default(), |(_, chain)| *chain)
    }
}

/// The words of a line that one chain explains, before and after it is undone, and the other words as they are.
pub(super) struct Parts {
    pub(super) before: Vec<Item>,
    pub(super) after: Vec<Item>,
    pub(super) rest: Vec<Item>,
}

impl Parts {
    /// A word that belongs to `is_other` is one of the others.
    #[inline(never)]
    pub(super) fn of(line: &[Item], undone: &[Item], is_other: &dyn Fn(&[Item], &[Item]) -> bool) -> Parts {
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

    pub(super) fn is_all(&self) -> bool {
        self.before.is_empty() || self.rest.iter().all(|item| item.c.is_ascii())
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

/// The characters of both, in the order of the line.
#[inline(never)]
pub(super) fn merged(a: &[Item], b: &[Item]) -> Vec<Item> {
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
