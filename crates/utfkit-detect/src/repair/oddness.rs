//! The classes of characters by which odd text is told.

use alloc::boxed::Box;
use core::ops::Range;

use crate::model::{LatinSet, icelandic, latin_languages};

/// A class of characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Class {
    /// Punctuation and marks that belong to words.
    Plain,
    /// Within a word only by mistake.
    Sign,
    Control,
    /// A letter without case.
    Letter,
    Small,
    Capital,
}

/// True for a control of ISO 6429, which no text has.
pub(super) fn is_c1(c: char) -> bool {
    matches!(c, '\u{80}'..='\u{9F}')
}

/// Latin letters with the languages that have them.
const LATIN: Range<u32> = 0xC0..0x250;
const LOW: usize = 0x800;
const HIGH_START: usize = 0x2000;
const HIGH_END: usize = 0x2600;

/// The classes of characters, and the languages of Latin letters.
#[derive(Debug)]
pub(super) struct Oddness {
    class: Box<[Class; LOW]>,
    /// From U+2000 on.
    high: Box<[Class; HIGH_END - HIGH_START]>,
    languages: Box<[LatinSet; (LATIN.end - LATIN.start) as usize]>,
    pub(super) icelandic: LatinSet,
}

impl Oddness {
    pub(super) fn new() -> Oddness {
        let mut class = Box::new([Class::Plain; LOW]);
        for (value, class) in (0x80..).zip(&mut class[0x80..]) {
            *class = char::from_u32(value).map_or(Class::Plain, class_of);
        }
        let mut languages = Box::new([LatinSet::MAX; (LATIN.end - LATIN.start) as usize]);
        for (value, languages) in LATIN.zip(&mut *languages) {
            *languages = char::from_u32(value).map_or(LatinSet::MAX, latin_languages);
        }
        let mut high = Box::new([Class::Plain; HIGH_END - HIGH_START]);
        for (value, class) in (HIGH_START as u32..).zip(&mut *high) {
            *class = char::from_u32(value).map_or(Class::Plain, class_of);
        }
        Oddness { class, high, languages, icelandic: icelandic() }
    }

    /// The languages that have a Latin letter beyond US-ASCII; `None` for other characters.
    #[inline]
    pub(super) fn languages(&self, value: u32) -> Option<LatinSet> {
        LATIN.contains(&value).then(|| self.languages[(value - LATIN.start) as usize])
    }

    #[inline]
    pub(super) fn class(&self, c: char) -> Class {
        match c as usize {
            low @ ..LOW => self.class[low],
            high @ HIGH_START..HIGH_END => self.high[high - HIGH_START],
            _ => Class::Plain,
        }
    }
}

fn class_of(c: char) -> Class {
    match c {
        _ if is_c1(c) => Class::Control,
        'ª' | 'º' | '°' | '´' | '·' | '«' | '»' | '\u{A0}' | '\u{AD}' | '©' | '®' => Class::Plain,
        '\u{A1}'..='\u{BF}' if c != 'µ' => Class::Sign,
        '×' | '÷' | 'ˆ' | '˜' | 'ˇ' | '˘' | '˙' | '˚' | '˛' | '˝' | '€' | '№' => Class::Sign,
        '\u{2018}'..='\u{201A}' | '\u{201C}' | '\u{201D}' => Class::Plain,
        '„' | '†' | '‡' | '‰' | '‹' | '›' | '⌠' | '⌡' | '⌐' | '⁄' => Class::Sign,
        '\u{2200}'..='\u{22FF}' | '\u{2500}'..='\u{25FF}' => Class::Sign,
        '\u{C0}'..='\u{24F}' | '\u{370}'..='\u{52F}' => match c {
            _ if c.is_uppercase() => Class::Capital,
            _ if c.is_lowercase() => Class::Small,
            _ => Class::Plain,
        },
        'א'..='ת' | 'ء'..='ي' => Class::Letter,
        _ => Class::Plain,
    }
}
