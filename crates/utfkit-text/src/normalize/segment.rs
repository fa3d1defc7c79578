//! Normalization character by character, in bounded memory.
//!
//! A *segment* begins with a starter that never composes with a character before
//! it, and ends before the next such starter. Within it the marks are sorted
//! canonically and composed. Most segments are one character that the form does not
//! change: it is pending, and returned as it is when the next character also begins
//! a segment.
//!
//! To bound the length of a segment, the text is made stream-safe first (Annex #15,
//! section 13, UAX15-D4): U+034F COMBINING GRAPHEME JOINER, a starter, is inserted
//! before the 31st mark in a row. So at most 30 marks are pending, and in a composing
//! form at most as many characters after the last starter.

use alloc::{string::String, vec::Vec};
use core::iter;

use unicode_normalization::char::{canonical_combining_class, compose, decompose_canonical, decompose_compatible};
use unicode_normalization::{IsNormalized, is_nfc_quick, is_nfd_quick, is_nfkc_quick, is_nfkd_quick};

use super::NormalizationForm;

/// The longest run of marks in the Stream-Safe Text Format.
const MOST_MARKS: usize = 30;

const GRAPHEME_JOINER: char = '\u{34F}';

/// The open segment.
pub(super) struct Segment {
    form: NormalizationForm,
    /// A character that is a whole segment if the next one begins another. The
    /// other fields are empty then.
    pending: Option<char>,
    /// The number of marks at the end of the text so far, in NFKD.
    marks: usize,
    /// Decomposed marks after the last decomposed starter, sorted canonically, with
    /// their classes. The order is final at the next starter.
    waiting: Vec<(u8, char)>,
    /// In a composing form, the starter that can still compose.
    starter: Option<char>,
    /// Characters after it that did not compose with it, and the class of the last.
    after: String,
    last_class: Option<u8>,
}

impl Segment {
    pub(super) fn new(form: NormalizationForm) -> Segment {
        Segment {
            form,
            pending: None,
            marks: 0,
            waiting: Vec::new(),
            starter: None,
            after: String::new(),
            last_class: None,
        }
    }

    /// Takes `text` and appends the final text to `out`.
    pub(super) fn push(&mut self, text: &str, out: &mut String) {
        let mut rest = text;
        while !rest.is_empty() {
            let ascii = rest.bytes().take_while(u8::is_ascii).count();
            let (run, after) = rest.split_at(ascii);
            rest = after;
            // US-ASCII is unchanged by every form, and begins a segment.
            if let Some(last) = run.chars().next_back() {
                self.end(out);
                out.push_str(&run[..run.len() - 1]);
                self.pending = Some(last);
            }
            for c in rest.chars().take_while(|c| !c.is_ascii()) {
                self.push_char(c, out);
                rest = &rest[c.len_utf8()..];
            }
        }
    }

    fn push_char(&mut self, c: char, out: &mut String) {
        if self.stands_alone(c) {
            self.end(out);
            self.pending = Some(c);
        } else {
            if let Some(pending) = self.pending.take() {
                self.open(pending, out);
            }
            self.open(c, out);
        }
    }

    /// Ends the segment.
    pub(super) fn end(&mut self, out: &mut String) {
        self.settle(out);
        self.give(out);
        out.extend(self.pending.take());
        self.marks = 0;
    }

    /// True if the form does not change `c` and nothing before it interacts with it.
    /// False is always safe.
    fn stands_alone(&self, c: char) -> bool {
        let (below, quick, hides_marks) = match self.form {
            NormalizationForm::Nfc => ('\u{300}', is_nfc_quick as fn(iter::Once<char>) -> IsNormalized, true),
            NormalizationForm::Nfd => ('\u{A0}', is_nfd_quick as _, true),
            NormalizationForm::Nfkc => ('\u{A0}', is_nfkc_quick as _, true),
            NormalizationForm::Nfkd => ('\u{A0}', is_nfkd_quick as _, false),
        };
        // The unified ideographs, a large group, do not decompose.
        matches!(c, '\u{4E00}'..='\u{9FFF}')
            || c < below
            || (canonical_combining_class(c) == 0
                && quick(iter::once(c)) == IsNormalized::Yes
                // A character that this form does not change may be a mark in NFKD.
                && (!hides_marks || Marks::of(c).first == 0))
    }

    /// Takes a character into the segment.
    fn open(&mut self, c: char, out: &mut String) {
        let marks = Marks::of(c);
        if self.marks + marks.first > MOST_MARKS {
            self.place(GRAPHEME_JOINER, out);
            self.marks = 0;
        }
        self.marks = if marks.only { self.marks + marks.last } else { marks.last };
        match self.form {
            NormalizationForm::Nfc | NormalizationForm::Nfd => decompose_canonical(c, |d| self.place(d, out)),
            NormalizationForm::Nfkc | NormalizationForm::Nfkd => decompose_compatible(c, |d| self.place(d, out)),
        }
    }

    /// Takes a decomposed character (Unicode Standard, D109).
    fn place(&mut self, c: char, out: &mut String) {
        let class = canonical_combining_class(c);
        if class == 0 {
            self.settle(out);
            self.put(class, c, out);
        } else {
            let place = self.waiting.partition_point(|&(before, _)| before <= class);
            self.waiting.insert(place, (class, c));
        }
    }

    /// Makes the order of the waiting marks final.
    fn settle(&mut self, out: &mut String) {
        for place in 0..self.waiting.len() {
            let (class, c) = self.waiting[place];
            self.put(class, c, out);
        }
        self.waiting.clear();
    }

    /// Takes a decomposed character in its final order (Unicode Standard, D115 and
    /// D117).
    fn put(&mut self, class: u8, c: char, out: &mut String) {
        if matches!(self.form, NormalizationForm::Nfd | NormalizationForm::Nfkd) {
            out.push(c);
            return;
        }
        let Some(starter) = self.starter else {
            match class {
                0 => self.starter = Some(c),
                _ => out.push(c),
            }
            return;
        };
        // Characters between block it unless their class is lower.
        let blocked = self.last_class.is_some_and(|last| last >= class);
        if !blocked && let Some(composed) = compose(starter, c) {
            self.starter = Some(composed);
        } else if class == 0 {
            self.give(out);
            self.starter = Some(c);
        } else {
            self.after.push(c);
            self.last_class = Some(class);
        }
    }

    /// Ends the composition of the starter.
    fn give(&mut self, out: &mut String) {
        out.extend(self.starter.take());
        out.push_str(&self.after);
        self.after.clear();
        self.last_class = None;
    }
}

/// The marks (non-starters) in the compatibility decomposition of a character.
struct Marks {
    /// Marks before the first starter.
    first: usize,
    /// Marks after the last starter.
    last: usize,
    /// True if there is no starter.
    only: bool,
}

impl Marks {
    fn of(c: char) -> Marks {
        let mut marks = Marks { first: 0, last: 0, only: true };
        decompose_compatible(c, |d| {
            if canonical_combining_class(d) == 0 {
                (marks.last, marks.only) = (0, false);
            } else {
                marks.first += usize::from(marks.only);
                marks.last += 1;
            }
        });
        marks
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::super::tests::{CHARS, text};
    use super::*;
    use std::vec;
    use unicode_normalization::UnicodeNormalization;

    /// The number of characters that wait in `segment`.
    fn waiting(segment: &Segment) -> usize {
        usize::from(segment.pending.is_some())
            + usize::from(segment.starter.is_some())
            + segment.waiting.len()
            + segment.after.chars().count()
    }

    /// The result of the iterators over the whole text.
    fn expected(text: &str, form: NormalizationForm) -> String {
        let safe = text.chars().stream_safe();
        match form {
            NormalizationForm::Nfc => safe.nfc().collect(),
            NormalizationForm::Nfd => safe.nfd().collect(),
            NormalizationForm::Nfkc => safe.nfkc().collect(),
            NormalizationForm::Nfkd => safe.nfkd().collect(),
        }
    }

    /// The result in chunks of `piece` characters.
    fn segmented(text: &str, form: NormalizationForm, piece: usize) -> String {
        let (mut segment, mut out) = (Segment::new(form), String::new());
        let chars: Vec<char> = text.chars().collect();
        for piece in chars.chunks(piece) {
            segment.push(&piece.iter().collect::<String>(), &mut out);
        }
        segment.end(&mut out);
        assert_eq!(waiting(&segment), 0);
        out
    }

    fn check(text: &str) {
        for form in NormalizationForm::ALL {
            for piece in [1, 2, 3, usize::MAX] {
                assert_eq!(segmented(text, form, piece), expected(text, form), "{text:?} {form} {piece}");
            }
        }
    }

    #[test]
    fn short_texts_are_as_by_the_iterators() {
        for a in CHARS {
            for b in CHARS {
                for c in CHARS {
                    check(&String::from_iter([a, b, c]));
                }
            }
        }
    }

    #[test]
    fn long_texts_are_as_by_the_iterators() {
        for number in 0..400 {
            check(&text(number, 10 + number as usize % 50));
        }
    }

    #[test]
    fn every_character_with_a_mark_is_as_by_the_iterators() {
        // Nothing in the later planes decomposes or combines.
        for c in '\0'..='\u{3FFFF}' {
            for form in NormalizationForm::ALL {
                let text = String::from_iter(['a', c, '\u{323}', c, c]);
                assert_eq!(segmented(&text, form, usize::MAX), expected(&text, form), "{text:?} {form}");
            }
        }
        assert!(('\u{40000}'..=char::MAX).all(|c| canonical_combining_class(c) == 0 && Marks::of(c).first == 0));
    }

    #[test]
    fn runs_of_marks_without_an_end_need_no_more_memory() {
        let marks = ['\u{301}', '\u{323}', '\u{344}', '\u{345}', '\u{F73}', '\u{FF9E}', '\u{3099}', '\u{94D}'];
        let starters = ['\u{1161}', '\u{11A8}', '\u{958}', '\u{9BE}', '\u{FDFA}', 'é'];
        for form in NormalizationForm::ALL {
            for a in marks.into_iter().chain(starters) {
                for b in marks {
                    let run: String = iter::once('a').chain([a, b].into_iter().cycle().take(500)).collect();
                    let (mut segment, mut out, mut most) = (Segment::new(form), String::new(), 0);
                    for c in run.chars() {
                        segment.push(c.encode_utf8(&mut [0; 4]), &mut out);
                        most = most.max(waiting(&segment));
                    }
                    segment.end(&mut out);
                    assert_eq!(out, expected(&run, form), "{a:?} {b:?} {form}");
                    assert!(most <= 2 * MOST_MARKS + 2, "{most} {a:?} {b:?} {form}");
                }
            }
        }
    }

    #[test]
    fn thirty_marks_are_left_and_the_next_one_is_parted_from_them() {
        for (count, joiners) in [(30, 0), (31, 1), (60, 1), (61, 2)] {
            let text: String = iter::once('q').chain(vec!['\u{301}'; count]).collect();
            let out = segmented(&text, NormalizationForm::Nfc, 7);
            assert_eq!(out.matches(GRAPHEME_JOINER).count(), joiners, "{count}");
            assert_eq!(out.replace(GRAPHEME_JOINER, ""), text);
        }
    }

    #[test]
    fn text_before_the_end_of_a_segment_is_given_at_once() {
        let (mut segment, mut out) = (Segment::new(NormalizationForm::Nfc), String::new());
        segment.push("abc", &mut out);
        assert_eq!(out, "ab");
        segment.push("\u{327}\u{301}日", &mut out);
        assert_eq!(out, "abḉ");
        segment.push("本", &mut out);
        assert_eq!(out, "abḉ日");
    }
}
