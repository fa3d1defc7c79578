//! Encodings of seven bits: ISO 2022 by its escape sequences, HZ, and UTF-7.

use alloc::vec;
use alloc::vec::Vec;

use super::controls::{count, position, positions};
use super::plausible::Score;
use crate::model::Evaluation;
use utfkit_core::{Encoding, ErrorKind, Legacy, Policy, Standard};
use utfkit_core::{Status, Transcoder, from_utf8};
use utfkit_diagnose::{Checker, Totals};

const ESC: u8 = 0x1B;
const SHIFT_OUT: u8 = 0x0E;

/// The bytes that are checked at once.
const PART: usize = 512;

/// Escape sequences of ISO 2022.
#[derive(Clone, Debug, Default)]
pub(super) struct Escapes {
    /// From the first window with an ESC.
    japanese: Option<Checker>,
    /// Switches to a double-byte set or to half-width katakana.
    to_japanese: u64,
    /// From the first `ESC % G`.
    switching: Option<Checker>,
    /// From the window with the first `ESC $ ) C`.
    korean: Option<Checker>,
    /// Utf7 to it.
    to_hangul: u64,
    /// True after `ESC $ ) A` or `ESC $ ) G`, of ISO-2022-CN.
    chinese: bool,
    /// An escape sequence that the last window cut.
    tail: Vec<u8>,
}

impl Escapes {
    /// Takes a window; `escape` says that it has an ESC, and `is_ascii` that no byte up to its end is above 7F.
    pub(super) fn window(&mut self, window: &[u8], escape: bool, is_ascii: bool) {
        if escape || !self.tail.is_empty() {
            let mut whole = core::mem::take(&mut self.tail);
            let before = whole.len();
            let seen = if before == 0 {
                window
            } else {
                whole.extend_from_slice(window);
                &whole
            };
            if self.japanese.is_none() {
                self.japanese = Some(Checker::new(Encoding::Legacy(Legacy::Iso2022Jp), Standard::Rfc3629));
            }
            for at in positions(seen, ESC) {
                match &seen[at..] {
                    [_, b'$', b'@' | b'B', ..] | [_, b'$', b'(', b'D', ..] | [_, b'(', b'I', ..] => {
                        self.to_japanese += 1
                    }
                    [_, b'$', b')', b'C', ..] if self.korean.is_none() => {
                        let mut checker = Checker::new(Encoding::Legacy(Legacy::Iso2022Kr), Standard::Rfc3629);
                        checker.feed(&seen[..before], |_| {});
                        self.korean = Some(checker);
                    }
                    [_, b'$', b')', b'A' | b'G', ..] => self.chinese = true,
                    [_, b'%', b'G', ..] if self.switching.is_none() => {
                        let mut checker = Checker::new(Encoding::Iso2022Utf8, Standard::Rfc3629);
                        checker.feed(&seen[..before], |_| {});
                        self.switching = Some(checker);
                    }
                    // The next window completes it.
                    cut if cut.len() < 4 => {
                        self.tail = cut.to_vec();
                        break;
                    }
                    _ => {}
                }
            }
        }
        if self.korean.is_some() {
            self.to_hangul += window.iter().filter(|&&byte| byte == SHIFT_OUT).count() as u64;
        }
        let of_seven_bits = self.japanese.iter_mut().chain(&mut self.korean).filter(|_| is_ascii);
        for checker in of_seven_bits.chain(&mut self.switching) {
            feed(checker, window);
        }
    }

    /// True if something switches to Japanese.
    pub(super) fn has_japanese(&self) -> bool {
        self.to_japanese > 0
    }

    /// The number of switches, if bytes that are all below 80 are ISO-2022-JP.
    pub(super) fn japanese(&mut self) -> Option<u64> {
        let checker = self.japanese.as_mut()?;
        checker.finish(|_| {});
        (self.to_japanese > 0 && checker.totals().findings() == 0).then_some(self.to_japanese)
    }

    /// The number of shifts, if bytes that are all below 80 are ISO-2022-KR.
    pub(super) fn korean(&mut self) -> Option<u64> {
        let checker = self.korean.as_mut()?;
        checker.finish(|_| {});
        let totals = checker.totals();
        let is_whole = totals.findings() == totals.of_kind(ErrorKind::Truncated);
        (self.to_hangul > 0 && is_whole).then_some(self.to_hangul)
    }

    /// `Some` if nothing is ill-formed in ISO-2022-UTF-8.
    pub(super) fn switching(&mut self) -> Option<Totals> {
        let checker = self.switching.as_mut()?;
        checker.finish(|_| {});
        Some(checker.totals()).filter(|totals| totals.findings() == 0)
    }

    /// The name of another encoding that an escape sequence announces.
    pub(super) fn announced(&self) -> Option<&'static str> {
        match (self.korean.is_some(), self.chinese) {
            (true, false) => Some("ISO-2022-KR"),
            (false, true) => Some("ISO-2022-CN"),
            _ => None,
        }
    }
}

/// Checks a window up to the first error: with one, the result is known.
fn feed(checker: &mut Checker, window: &[u8]) {
    for part in window.chunks(PART) {
        if checker.totals().findings() == 0 {
            checker.feed(part, |_| {});
        }
    }
}

/// HZ: US-ASCII with Chinese between `~{` and `~}`.
#[derive(Clone, Debug, Default)]
pub(super) struct Hz {
    /// From the first window with a `~`.
    checker: Option<Checker>,
    /// Utf7 to Chinese.
    shifts: u64,
    /// True if the last window ended with a `~`.
    after_tilde: bool,
    /// The text from the first shift on.
    sample: Vec<u8>,
    /// True if a `~` before any shift is none of HZ.
    is_out: bool,
}

/// The bytes of HZ that are scored.
const SAMPLE: usize = 4 << 10;

impl Hz {
    pub(super) fn window(&mut self, window: &[u8]) {
        if self.is_out || (self.checker.is_none() && position(window, b'~').is_none()) {
            return;
        }
        if self.checker.is_none() && has_other_tilde(window) {
            self.is_out = true;
            return;
        }
        let checker = self.checker.get_or_insert_with(|| Checker::new(Encoding::Legacy(Legacy::Hz), Standard::Rfc3629));
        if checker.totals().findings() > 0 {
            return;
        }
        feed(checker, window);
        let across = usize::from(self.after_tilde && window.first() == Some(&b'{'));
        let within = window.windows(2).filter(|pair| pair == b"~{").count();
        self.shifts += (across + within) as u64;
        self.after_tilde = window.last() == Some(&b'~');
        let from = match window.windows(2).position(|pair| pair == b"~{") {
            _ if !self.sample.is_empty() => 0,
            Some(at) => at,
            None => return,
        };
        let len = (window.len() - from).min(SAMPLE - self.sample.len().min(SAMPLE));
        self.sample.extend_from_slice(&window[from..from + len]);
    }

    /// The number of shifts, if bytes that are all below 80 are likelier text in HZ than in
    /// US-ASCII.
    pub(super) fn finish(&mut self) -> Option<u64> {
        let checker = self.checker.as_mut()?;
        checker.finish(|_| {});
        let totals = checker.totals();
        if self.shifts == 0 || totals.findings() > totals.of_kind(ErrorKind::Truncated) {
            return None;
        }
        let (text, _) = Encoding::Legacy(Legacy::Hz).decode(&self.sample);
        let chinese = Evaluation::of(text.chars().filter(|&c| c != char::REPLACEMENT_CHARACTER));
        let plain = Evaluation::of(self.sample.iter().map(|&byte| char::from(byte)));
        (chinese.letters >= 2 && chinese.bits() + 10 < plain.bits()).then_some(self.shifts)
    }
}

/// True if US-ASCII has a `~` before any `~{` that HZ does not allow, as in a path or a program.
fn has_other_tilde(text: &[u8]) -> bool {
    let mut rest = text;
    while let Some(at) = position(rest, b'~') {
        match rest.get(at + 1) {
            Some(b'~' | b'\n') => rest = &rest[at + 2..],
            Some(b'{') | None => return false,
            Some(_) => return true,
        }
    }
    false
}

/// The bytes that are decoded to tell UTF-7; other text fails early.
const LIMIT: usize = 1 << 20;

/// US-ASCII as UTF-7.
#[derive(Clone, Debug, Default)]
pub(super) struct Utf7 {
    /// From the first window with a `+`, until an error.
    decoder: Option<Transcoder>,
    ended: bool,
    fed: usize,
    /// Runs of base64, counted by their `+`.
    runs: u64,
    /// Of the characters beyond US-ASCII.
    score: Score,
}

impl Utf7 {
    pub(super) fn window(&mut self, window: &[u8]) {
        if self.ended || (self.decoder.is_none() && !window.contains(&b'+')) {
            return;
        }
        self.feed(window, false);
        self.ended |= self.fed >= LIMIT;
    }

    fn feed(&mut self, mut src: &[u8], last: bool) {
        let decoder =
            self.decoder.get_or_insert_with(|| Transcoder::new(Encoding::Utf7, Encoding::Utf8, Policy::Strict));
        let mut out = vec![0; 4096];
        self.runs += count(src, |byte| byte == b'+') as u64;
        self.fed += src.len();
        loop {
            let step = decoder.transcode(src, &mut out, last);
            // A strict step writes whole characters.
            let text = from_utf8(&out[..step.written]).unwrap_or_default();
            if !text.is_ascii() {
                text.chars().filter(|c| !c.is_ascii()).for_each(|c| self.score.add(c.into()));
            }
            src = &src[step.read..];
            match step.status {
                Status::OutputFull => {}
                Status::InputEmpty => return,
                Status::IllFormed(_) => {
                    (self.ended, self.runs) = (true, 0);
                    return;
                }
            }
        }
    }

    /// The number of base64 runs, if the bytes make text in UTF-7: at least two, with characters
    /// beyond US-ASCII.
    pub(super) fn finish(&mut self) -> Option<u64> {
        if self.decoder.is_some() && !self.ended {
            self.feed(&[], true);
        }
        (self.runs >= 2 && self.score.values() >= 2 && self.score.is_text()).then_some(self.runs)
    }

    /// True if nothing was ill-formed, so that a BOM of UTF-7 may be one.
    pub(super) fn is_well_formed(&self) -> bool {
        self.runs > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tilde_that_hz_lacks_is_ill_formed_in_it() {
        let mut text = *b"ab~?~?cd";
        for first in 0..0x80 {
            for second in 0..0x80 {
                (text[3], text[5]) = (first, second);
                let mut checker = Checker::new(Encoding::Legacy(Legacy::Hz), Standard::Rfc3629);
                checker.feed(&text, |_| {});
                let is_ill_formed = checker.totals().findings() > 0;
                assert!(is_ill_formed || !has_other_tilde(&text), "{}", text.escape_ascii());
                let is_known = !text.windows(2).any(|pair| pair == b"~{");
                assert!(!is_known || is_ill_formed == has_other_tilde(&text), "{}", text.escape_ascii());
            }
        }
    }

    #[test]
    fn hz_is_found_after_tildes_of_its_own() {
        let found = crate::detect::detect(b"see ~~user or\n~\nthe page ~{<:Ky2;S{#,NpJ)l6HK!#~} bye.\n");
        assert_eq!(found.name(), Some("HZ-GB-2312"), "{found}");
        let found = crate::detect::detect(b"see ~user, then ~{<:Ky2;S{#,NpJ)l6HK!#~} bye.\n");
        assert_ne!(found.name(), Some("HZ-GB-2312"), "{found}");
    }
}
