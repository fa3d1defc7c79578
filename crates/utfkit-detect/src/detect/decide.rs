//! Decides on an encoding by the evidence: proofs first, guesses last.

use alloc::borrow::Cow;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::Scatter;
use super::certainty::Certainty;
use super::controls::Controls;
use super::cut::Context;
use super::declaration::{DeclaredBy, declaration, in_a_line};
use super::detection::{Basis, Detection};
use super::evidence::Evidence;
use super::kept::Kept;
use super::legacy::{Guess, TextKind, own_script, superset_of_ascii, usable_declaration};
use super::lines::Contents;
use super::mixed::{self, Foreign};
use super::odd_words::has_broken_words;
use super::pages::{Open, Others, Page, Pages};
use super::piece::Piece;
use super::sections::Sections;
use super::thin::is_one_byte;
use super::units::Found;
use crate::line::is_single_byte;
use crate::model::Script;
use utfkit_core::bom::Bom;
use utfkit_core::internal::utf8::is_continuation;
use utfkit_core::{Encoding, Legacy};

/// For one in a million by chance (8 sequences of UTF-8), and one in hundreds (3).
const CERTAIN_BITS: u64 = 20;
const NEARLY_CERTAIN_BITS: u64 = 8;

/// The gain of words of UTF-8 that one ill-formed byte has by chance, in bits. It grows with their number.
const CHANCE_GAIN: i64 = 2;

/// By how many bits words of UTF-8 are likelier in another encoding if they are some by chance.
const LIKELIER: i64 = 6;

/// The gain from which on lines of UTF-8 are nearly certain, in bits.
const CERTAIN_GAIN: i64 = 40;

/// Fewer units of UTF-16 are a short text.
const SHORT: u64 = 64;

pub(super) fn decide(mut evidence: Evidence) -> Detection {
    let evidence = &mut evidence;
    evidence.utf8.finish();
    evidence.lines.finish();
    let bom = Bom::of(&evidence.front);
    let mut found = Detection {
        encoding: None,
        certainty: Certainty::Certain,
        basis: Basis::Empty,
        bom,
        declaration: declaration(&evidence.front),
        bytes: evidence.bytes,
        sequences: evidence.utf8.sequences(),
        ill_formed: Some(evidence.utf8.errors()),
        truncated: false,
        cut: evidence.utf8.cut,
        first: evidence.utf8.first,
        nulls: evidence.controls.nulls,
        first_null: evidence.controls.first_null,
        controls: evidence.other_controls(),
        separators: evidence.controls.are_marks(evidence.bytes),
        unfinished: false,
        equivalent: None,
        utf7_runs: None,
        mixed: false,
        joined: None,
        has_joins: false,
        foreign: None,
        excluded: false,
        kept: None,
        pages: None,
        sections: None,
        pieces: Vec::new(),
        more_pieces: 0,
    };
    if evidence.bytes == 0 {
        found.encoding = Some(Encoding::UsAscii);
        is_allowed(evidence, &mut found);
    } else if !(is_by(by_bom, evidence, &mut found)
        || is_by(by_units, evidence, &mut found)
        || is_by(by_utf8, evidence, &mut found))
    {
        by_legacy(evidence, &mut found);
    }
    if found.basis == Basis::Damaged {
        let mut nearest = None;
        found.unfinished = evidence.utf8.unfinished + evidence.utf8.cut >= evidence.utf8.errors();
        if evidence.lines.foreign_lines > 0 {
            let declared = found.declared();
            let declared = usable_declaration(declared, &evidence.legacy, &evidence.options);
            let rest = match evidence.rest {
                Some((known, rest)) if known == declared => rest,
                _ => mixed::rest(&evidence.lines, declared, &evidence.options),
            };
            (found.foreign, nearest) = (rest.foreign, rest.nearest);
            // Each of them may be the beginning of a character.
            let may_be_cut = evidence.utf8.doubtful + evidence.utf8.cut >= evidence.utf8.errors();
            if let Some(foreign) = &mut found.foreign
                && (may_be_cut
                    || super::damaged::has_damaged_word(&evidence.lines, foreign.encoding)
                    || mixed::has_joint(&evidence.lines, foreign.encoding)
                    || mixed::are_rests(&evidence.lines)
                    || mixed::has_chance_line(&evidence.lines, foreign.encoding))
            {
                foreign.certainty = Certainty::Guess;
            }
            if let Some(foreign) = &mut found.foreign
                && mixed::has_doubtful_line(&evidence.lines, foreign.encoding)
            {
                foreign.certainty = foreign.certainty.min(Certainty::Likely);
            }
            found.mixed |= found.foreign.is_some_and(|foreign| foreign.certainty > Certainty::Guess);
            found.cut = evidence.lines.cut;
            if let Some(Foreign { encoding, certainty, .. }) = found.foreign {
                if certainty > Certainty::Guess && mixed::are_foreign(&evidence.lines, encoding) {
                    found.cut = 0;
                }
                // The rest of a file that only begins with the BOM of UTF-8.
                if found.bom == Some(Bom::Utf8) && found.certainty == Certainty::Guess {
                    found.certainty = certainty.min(Certainty::Likely);
                }
                let gain = mixed::gain(&evidence.lines, &[encoding]);
                if certainty > Certainty::Guess && found.sequences >= 4 && gain.is_some_and(|gain| gain >= CERTAIN_GAIN)
                {
                    found.certainty = found.certainty.max(Certainty::NearlyCertain);
                }
            }
        }
        pages_of_rest(evidence, &mut found, nearest);
        pieces(evidence, &mut found);
    } else {
        found.cut = 0;
        found.first = None;
        pages(evidence, &mut found);
    }
    if found.encoding.is_some_and(|encoding| encoding.unit_size() == 1) && evidence.units_among_bytes.is_some() {
        found.joined = evidence.units_among_bytes.filter(|joined| evidence.options.allows(joined.encoding()));
        found.certainty = found.certainty.min(Certainty::Likely);
    }
    // Data in records may have words, too.
    let nulls = evidence.controls.nulls;
    if (nulls > evidence.bytes / 64 || (nulls > 0 && found.separators))
        && matches!(found.basis, Basis::Damaged | Basis::Likeliest { .. } | Basis::Declared)
    {
        found.certainty = found.certainty.min(Certainty::Likely);
        if let Some(foreign) = &mut found.foreign {
            foreign.certainty = foreign.certainty.min(Certainty::Likely);
        }
    }
    found.sections = Sections::of(evidence);
    found.kept = Some(Arc::new(Kept {
        front: core::mem::take(&mut evidence.front),
        legacy: core::mem::take(&mut evidence.legacy),
        guess: evidence.guess.take(),
        options: core::mem::take(&mut evidence.options),
    }));
    found
}

/// Decides by one kind of evidence. A result that the caller excluded is none.
fn is_by(kind: fn(&mut Evidence, &mut Detection) -> bool, evidence: &mut Evidence, found: &mut Detection) -> bool {
    if !evidence.options.is_restrictive() {
        return kind(evidence, found);
    }
    let before = found.clone();
    if !kind(evidence, found) {
        return false;
    }
    if is_allowed(evidence, found) {
        return true;
    }
    // A proof does not give way to a guess.
    let is_proved =
        found.certainty >= Certainty::NearlyCertain || found.encoding.is_some_and(|found| found.unit_size() > 1);
    *found = Detection { excluded: true, ..before };
    if is_proved {
        (found.basis, found.certainty, found.ill_formed) = (Basis::Unknown, Certainty::Likely, None);
    }
    is_proved
}

/// True if the result is not excluded, perhaps under another name.
fn is_allowed(evidence: &Evidence, found: &mut Detection) -> bool {
    let options = &evidence.options;
    // Where one part is excluded, the other is not all of the text.
    let is_allowed = match (found.encoding, found.joined) {
        (Some(encoding), _) => options.allows(encoding),
        (None, Some(joined)) => options.allows(joined.encoding()),
        // An encoding that the library lacks cannot be asked for.
        (None, None) => found.basis == Basis::Unknown || !options.is_listed(),
    };
    if is_allowed {
        return true;
    }
    let is_ascii =
        evidence.utf8.non_ascii == 0 && matches!(found.basis, Basis::Ascii | Basis::Escapes { .. } | Basis::Empty);
    let Some(superset) = superset_of_ascii(options).filter(|_| is_ascii) else { return false };
    if matches!(found.basis, Basis::Escapes { .. }) {
        found.certainty = Certainty::Guess;
        found.basis = Basis::Ascii;
        found.ill_formed = Some(0);
    }
    found.encoding = Some(superset);
    found.utf7_runs = None;
    true
}

/// Looks for lines in another older encoding.
fn pages(evidence: &Evidence, found: &mut Detection) {
    let encoding = match found.basis {
        Basis::Likeliest { is_well_formed: true } | Basis::Declared => found.encoding,
        Basis::Unknown => evidence.nearest,
        _ => None,
    };
    // It has the letters of all languages.
    let has_all = encoding == Some(Encoding::Legacy(Legacy::Gb18030));
    let Some(encoding) = encoding.filter(|_| evidence.units_among_bytes.is_none() && !has_all) else { return };
    let certainty = if found.encoding.is_some() { found.certainty } else { Certainty::Guess };
    let words = evidence.words.as_deref().unwrap_or(evidence.legacy.sample());
    // With NUL among them, bytes are seldom lines.
    let has_lines = evidence.controls.nulls == 0;
    let is_open = certainty > Certainty::Guess;
    let open = Open { certainty: is_open, by_hints: is_open && found.basis != Basis::Declared, pages: has_lines };
    let others = Pages::of(words, Page { encoding, certainty }, open, &evidence.options);
    // A declaration outweighs a hint, and lines that are no piece.
    let is_outweighed = found.basis == Basis::Declared && matches!(others, Others::Hint | Others::Foreign);
    if found.encoding.is_some() && !is_outweighed {
        found.certainty = found.certainty.min(others.certainty());
    }
    let may_be_odd = found.certainty == Certainty::Likely || found.basis == Basis::Declared;
    // All of a short file.
    let is_thin = || evidence.front.len() as u64 == evidence.bytes && is_one_byte(&evidence.front, encoding);
    let is_open = || has_broken_words(words, encoding) || is_thin();
    if found.encoding.is_some() && may_be_odd && is_open() {
        found.certainty = Certainty::Guess;
    }
    found.pages = others.pages().filter(|_| has_lines);
    found.mixed |= found.pages.is_some() && found.encoding.is_some();
}

/// Looks for lines in another older encoding among those that are not UTF-8.
fn pages_of_rest(evidence: &Evidence, found: &mut Detection, nearest: Option<Encoding>) {
    let lines = &evidence.lines;
    let first = found.foreign.or(nearest.map(|encoding| Foreign::new(encoding, Certainty::Guess)));
    let Some(Foreign { encoding, of_all, .. }) = first else { return };
    // A piece is a number of lines.
    let has_lines = lines.mixed_lines == 0 && found.cut == 0 && !found.truncated;
    let is_open = found.foreign.is_some_and(|foreign| foreign.certainty > Certainty::Guess);
    let open = Open { certainty: is_open, by_hints: is_open, pages: has_lines };
    let others = Pages::of(&lines.blanked, Page { encoding, certainty: of_all }, open, &evidence.options);
    if let Some(foreign) = &mut found.foreign {
        foreign.certainty = foreign.certainty.min(others.certainty());
    }
    found.pages = others.pages().filter(|_| has_lines);
}

/// Lists the pieces of damaged UTF-8.
fn pieces(evidence: &mut Evidence, found: &mut Detection) {
    let lines = &mut evidence.lines;
    found.more_pieces = lines.more;
    found.pieces.extend(core::mem::take(&mut lines.runs).into_iter().map(|run| {
        let (encoding, certainty) = match (run.contents, found.foreign) {
            (Contents::Cut, Some(foreign)) if found.cut == 0 => (Some(foreign.encoding), foreign.certainty),
            (Contents::Foreign, Some(foreign)) => (Some(foreign.encoding), foreign.certainty),
            (Contents::Foreign, None) => (None, Certainty::Guess),
            _ => (Some(Encoding::Utf8), found.certainty),
        };
        Piece {
            range: run.range,
            lines: run.lines,
            encoding,
            certainty,
            is_cut: run.contents == Contents::Cut && found.cut > 0,
        }
    }));
}

/// True if only a part is UTF-16: then it is in no encoding.
fn is_joined(evidence: &mut Evidence, encoding: Encoding, found: &mut Detection) -> bool {
    found.joined = evidence.units.joined(encoding, evidence.bytes);
    if found.joined.is_none() {
        return false;
    }
    (found.encoding, found.basis, found.certainty) = (None, Basis::Unknown, Certainty::Likely);
    (found.ill_formed, found.declaration, found.mixed) = (None, None, true);
    true
}

/// By the BOM, unless the rest contradicts it.
fn by_bom(evidence: &mut Evidence, found: &mut Detection) -> bool {
    let Some(bom) = found.bom else { return false };
    match bom {
        Bom::Utf8 => {
            found.encoding = Some(Encoding::Utf8);
            found.basis = Basis::WellFormed;
            let errors = evidence.utf8.errors();
            if errors > 0 {
                found.basis = Basis::Damaged;
                found.truncated = errors == evidence.utf8.truncated;
                // One of the sequences is the BOM.
                found.certainty = match found.sequences.saturating_sub(1) {
                    _ if found.truncated => Certainty::Certain,
                    sequences if sequences >= errors => Certainty::NearlyCertain,
                    _ if evidence.utf8.given_up || is_foreign(&evidence.controls, evidence.bytes) => return false,
                    _ => Certainty::Guess,
                };
            }
            true
        }
        Bom::Utf16Le | Bom::Utf16Be | Bom::Utf32Le | Bom::Utf32Be => {
            let Some(reading) = evidence.units.named() else { return false };
            if reading.is_text && is_joined(evidence, reading.encoding, found) {
                return true;
            }
            found.has_joins = evidence.units.has_joins(&reading);
            let is_empty = evidence.bytes == bom.len() as u64;
            let (errors, points) = (reading.totals.findings(), reading.totals.code_points());
            found.encoding = Some(reading.encoding);
            found.basis = if is_empty { Basis::Bom } else { Basis::Units { values: reading.values } };
            found.ill_formed = Some(errors);
            let is_text = reading.is_text && reading.is_plausible;
            found.certainty = match () {
                () if reading.is_shifted => Certainty::Guess,
                () if is_empty || (errors == 0 && is_text) => Certainty::Certain,
                () if is_text && reading.encoding.unit_size() == 2 => Certainty::NearlyCertain,
                () if is_text => Certainty::Likely,
                () if errors == 0 => Certainty::Likely,
                // One error outweighs a short text.
                () if points < SHORT && errors <= points / 8 => Certainty::Guess,
                () => {
                    // Other formats begin with these two bytes.
                    (found.encoding, found.bom) = (None, None);
                    return false;
                }
            };
            if !is_text && !is_empty {
                found.basis = Basis::Bom;
            }
            true
        }
        Bom::Utf7 => {
            let well_formed = evidence.utf8.non_ascii == 0 && {
                evidence.utf7.finish();
                evidence.utf7.is_well_formed()
            };
            (found.encoding, found.basis) = (Some(Encoding::Utf7), Basis::Bom);
            found.certainty = Certainty::NearlyCertain;
            found.bom = found.bom.filter(|_| well_formed);
            well_formed
        }
        // Well-formed UTF-8 is the stronger proof.
        _ if evidence.utf8.errors() == 0 => {
            found.bom = None;
            false
        }
        _ => {
            (found.encoding, found.basis) = (bom.encoding(), Basis::Bom);
            (found.certainty, found.ill_formed) = (Certainty::Likely, None);
            true
        }
    }
}

/// UTF-16 and UTF-32 without a BOM.
fn by_units(evidence: &mut Evidence, found: &mut Detection) -> bool {
    if found.bom.is_some() {
        return false;
    }
    let Some(reading) = evidence.units.best() else { return false };
    let Found { encoding, totals, values, is_doubtful, .. } = reading;
    if evidence.has_marks_of_bytes() && evidence.units.joined(encoding, evidence.bytes).is_some() {
        return false;
    }
    if is_joined(evidence, encoding, found) {
        return true;
    }
    if !reading.is_plausible {
        return false;
    }
    let errors = totals.findings();
    found.has_joins = evidence.units.has_joins(&reading);
    found.encoding = Some(encoding);
    found.basis = Basis::Units { values };
    found.ill_formed = Some(errors);
    let sure = match (encoding.unit_size(), values) {
        // One in 3855 values of 32 bits is a code point.
        (4, 4..) => Certainty::Certain,
        (4, _) | (_, 16..) => Certainty::NearlyCertain,
        (_, 4..) => Certainty::Likely,
        _ => Certainty::Guess,
    };
    // Only the front is read whole: the rest may be something else.
    found.certainty = match errors {
        _ if reading.is_shifted || reading.may_be_numbers => Certainty::Guess,
        0 if !is_doubtful => sure,
        _ => sure.lower().min(Certainty::Likely),
    };
    found.declaration = None;
    true
}

/// True if controls are more frequent than slips.
fn is_foreign(controls: &Controls, bytes: u64) -> bool {
    controls.foreign(bytes) > bytes / 64
}

/// US-ASCII, UTF-8 and its relatives.
fn by_utf8(evidence: &mut Evidence, found: &mut Detection) -> bool {
    let (errors, sequences) = (evidence.utf8.errors(), found.sequences);
    let foreign = is_foreign(&evidence.controls, evidence.bytes);
    if errors == 0 {
        let bits = sequences.saturating_mul(2733) / 1000;
        // Padding, or no fewer controls than text: not text. Names or fields that end with NUL or
        // another control are.
        let Controls { nulls, null_runs, others, .. } = evidence.controls;
        if foreign && bits < CERTAIN_BITS && (null_runs > nulls / 4 || 4 * (nulls + others) > evidence.bytes) {
            return false;
        }
        if sequences == 0 {
            return by_seven_bits(evidence, found, foreign);
        }
        (found.encoding, found.basis) = (Some(Encoding::Utf8), Basis::WellFormed);
        found.certainty = match bits {
            // A part may be in units.
            _ if foreign && 16 * (nulls + others) > evidence.bytes => Certainty::Likely,
            CERTAIN_BITS.. => Certainty::Certain,
            NEARLY_CERTAIN_BITS.. => Certainty::NearlyCertain,
            _ => Certainty::Likely,
        };
        return true;
    }
    if evidence.utf8.given_up || (foreign && !evidence.controls.are_marks(evidence.bytes)) {
        return false;
    }
    if let Some(relative) = evidence.utf8.relative() {
        let (pairs, lone, nulls) = (evidence.utf8.pairs(), evidence.utf8.lone(), evidence.utf8.long_nulls());
        found.encoding = Some(relative);
        found.basis = Basis::Relative { pairs, lone, nulls };
        found.ill_formed = Some(0);
        // By chance, such a sequence of three bytes is as unlikely as one of UTF-8.
        found.certainty = match (sequences + pairs + lone + nulls).saturating_mul(2733) / 1000 {
            CERTAIN_BITS.. => Certainty::NearlyCertain,
            _ => Certainty::Likely,
        };
        return true;
    }
    if let Some(totals) = evidence.escapes.switching() {
        found.encoding = Some(Encoding::Iso2022Utf8);
        found.basis = Basis::Escapes { count: evidence.controls.escapes, name: Encoding::Iso2022Utf8.name() };
        found.ill_formed = Some(totals.findings());
        found.certainty = Certainty::Likely;
        return true;
    }
    let damage = errors - evidence.utf8.truncated;
    let declared = found.declared();
    let is_declared = declared.is_none_or(|declared| declared == Encoding::Utf8);
    // The parts of a character that a break parted are one of UTF-8.
    let (whole, lost) = (sequences + evidence.utf8.parted, damage.saturating_sub(evidence.utf8.parted_errors));
    if whole > 0 && found.cut > 0 && found.cut == damage && whole >= lost && is_declared {
        (found.encoding, found.basis) = (Some(Encoding::Utf8), Basis::Damaged);
        found.certainty = match whole {
            8.. => Certainty::NearlyCertain,
            1 if sequences == 0 => Certainty::Guess,
            1 if evidence.bytes < 8 => Certainty::Guess,
            _ if !are_one_text([&evidence.lines.utf8, &evidence.lines.cut_lines]) => Certainty::Guess,
            _ => Certainty::Likely,
        };
        return true;
    }
    // Two sequences per error, as in `recognize`; or one in a longer text, which mixes
    // encodings. By chance, 77 in 512 are sequences.
    if sequences == 0 || !(sequences / 2 >= damage || (sequences >= 16 && sequences >= damage)) {
        return false;
    }
    (found.encoding, found.basis) = (Some(Encoding::Utf8), Basis::Damaged);
    found.truncated = damage == 0;
    found.certainty = match sequences + damage {
        24.. if sequences / 2 >= damage => Certainty::NearlyCertain,
        6.. => Certainty::Likely,
        _ if damage == 0 && sequences >= 3 => Certainty::Likely,
        _ => Certainty::Guess,
    };
    true
}

/// False if the characters beyond US-ASCII are of scripts that no text mixes.
#[inline(never)]
fn are_one_text(lines: [&[u8]; 2]) -> bool {
    let mut score = Scatter::default();
    let characters = lines.into_iter().flat_map(<[u8]>::utf8_chunks).flat_map(|chunk| chunk.valid().chars());
    characters.filter(|c| !c.is_ascii()).for_each(|c| score.add(c.into()));
    score.values() == 0 || score.is_text()
}

/// No byte above 7F.
fn by_seven_bits(evidence: &mut Evidence, found: &mut Detection, foreign: bool) -> bool {
    if let Some(count) = evidence.escapes.japanese() {
        let encoding = Encoding::Legacy(Legacy::Iso2022Jp);
        found.encoding = Some(encoding);
        found.basis = Basis::Escapes { count, name: encoding.name() };
        found.certainty = if count > 1 { Certainty::Certain } else { Certainty::NearlyCertain };
        return true;
    }
    if let Some(count) = evidence.escapes.korean() {
        let encoding = Encoding::Legacy(Legacy::Iso2022Kr);
        found.encoding = Some(encoding);
        found.basis = Basis::Escapes { count, name: encoding.name() };
        found.certainty = if count > 3 { Certainty::Certain } else { Certainty::NearlyCertain };
        return true;
    }
    if let Some(count) = evidence.hz.finish() {
        let encoding = Encoding::Legacy(Legacy::Hz);
        found.encoding = Some(encoding);
        found.basis = Basis::Escapes { count, name: encoding.name() };
        found.certainty = if count > 3 { Certainty::NearlyCertain } else { Certainty::Likely };
        return true;
    }
    if let Some(name) = evidence.escapes.announced() {
        found.basis = Basis::Escapes { count: 0, name };
        (found.certainty, found.ill_formed) = (Certainty::Likely, None);
        return true;
    }
    if is_hebrew_ebcdic(&evidence.front) {
        (found.basis, found.certainty, found.ill_formed) = (Basis::Unknown, Certainty::Likely, None);
        return true;
    }
    (found.encoding, found.basis) = (Some(Encoding::UsAscii), Basis::Ascii);
    found.certainty = if foreign { Certainty::Likely } else { Certainty::Certain };
    found.utf7_runs = evidence.utf7.finish();
    true
}

/// True for Hebrew in EBCDIC (code page 424): letters below 80, the space at 40, line ends at
/// 15 and 25, digits and the end of the Latin alphabet elsewhere. US-ASCII has white space or
/// one of those.
fn is_hebrew_ebcdic(front: &[u8]) -> bool {
    let between = front.iter().filter(|byte| matches!(byte, 0x40 | 0x15 | 0x25)).count();
    let is_ascii = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'0'..=b'9' | b'r'..=b'y');
    front.len() >= 32 && between * 12 > front.len() && !front.iter().any(is_ascii)
}

/// Not UTF-8: the declared encoding, the likeliest, or none.
fn by_legacy(evidence: &mut Evidence, found: &mut Detection) {
    found.ill_formed = None;
    found.bom = None;
    found.declaration = found.declaration.take().or_else(|| in_a_line(&evidence.opening));
    let declared = found.declared();
    let declared = usable_declaration(declared, &evidence.legacy, &evidence.options);
    let is_foreign = evidence.is_foreign() && !evidence.legacy.may_be_ebcdic();
    let guess = if is_foreign || evidence.utf8.non_ascii == 0 {
        None
    } else {
        let words = evidence.legacy.words();
        let guess = evidence.legacy.guess_by(&words, declared, &evidence.options);
        evidence.words = if let Cow::Owned(words) = words { Some(words) } else { None };
        guess
    };
    let guess = guess.filter(|guess| !evidence.legacy.is_raw(guess));
    let Some(guess) = guess else {
        if found.excluded {
            (found.basis, found.certainty) = (Basis::Unknown, Certainty::Likely);
            return;
        }
        (found.basis, found.certainty) = (Basis::NoText, Certainty::Likely);
        return;
    };
    if !by_lines(evidence, found, &guess, declared) {
        by_guess(evidence, found, &guess, declared);
    }
    evidence.guess = Some((declared, guess));
}

/// The declared encoding, the likeliest, or none.
fn by_guess(evidence: &mut Evidence, found: &mut Detection, guess: &Guess, declared: Option<Encoding>) {
    let options = &evidence.options;
    // More of them are dashes of the Macintosh.
    let is_cut = is_only_cut(evidence) && evidence.utf8.errors() <= 2;
    if is_cut && declared.is_none() && options.allows(Encoding::Utf8) {
        (found.encoding, found.basis, found.certainty) = (Some(Encoding::Utf8), Basis::Damaged, Certainty::Guess);
        found.ill_formed = Some(evidence.utf8.errors());
        found.truncated = evidence.utf8.cut == 0;
        return;
    }
    let usable = declared;
    let declared = usable.filter(|declared| *declared == guess.encoding || guess.equivalent.contains(declared));
    let is_contradicted = usable.is_some() && declared.is_none();
    if !options.allows(guess.encoding) {
        found.excluded = true;
        (found.basis, found.certainty) = (Basis::Unknown, Certainty::Likely);
        return;
    }
    // A list of encodings from the caller is better evidence than the text.
    let has_long = evidence.legacy.has_long_characters(guess);
    let is_meant = declared.is_some() || options.is_listed();
    let is_text = guess.is_text()
        || has_long
        || (guess.kind == TextKind::Fragments && evidence.has_lines(guess.evaluation.script))
        || (is_meant && guess.is_well_formed && (guess.is_plausible() || (guess.is_alone && declared.is_some())));
    if (declares_unknown(found) && !options.is_listed()) || !is_text {
        evidence.nearest = Some(guess.encoding).filter(|_| guess.is_well_formed && !declares_unknown(found));
        found.excluded |= options.is_listed();
        (found.basis, found.certainty) = (Basis::Unknown, Certainty::Likely);
        return;
    }
    found.mixed = found.sequences >= 3 && 2 * found.sequences >= evidence.utf8.errors();
    // By chance, there are 77 sequences of UTF-8 for 435 errors: more are a mixture. In a
    // multibyte encoding chance repeats itself with the text, but a mixture is not
    // well-formed.
    let is_many = found.sequences >= 8 && 4 * found.sequences >= evidence.utf8.errors();
    let is_chance = (found.mixed || is_many) && (is_thai(guess) || is_chance(evidence, guess));
    found.mixed &= !is_chance && !has_long;
    let is_mixed = (found.mixed || is_many) && !is_chance && !(guess.is_well_formed && guess.is_multibyte());
    // Another reading is likely, but excluded.
    let is_second = found.excluded;
    let has_word_of_utf8 = has_word_of_utf8(evidence, guess);
    let is_open = is_second
        || (!has_long && (is_mixed || has_word_of_utf8))
        || is_only_cut(evidence)
        || may_be_parts(evidence)
        || is_short_and_odd(evidence)
        || evidence.has_designations
        || is_vietnamese_without_tones(evidence, guess.encoding);
    // In a line of the format, a declaration that fits says as much as letters that are likely.
    let is_by_line = found.declaration.as_ref().is_some_and(|declaration| declaration.by() == DeclaredBy::Line);
    let is_open = is_open || (is_contradicted && is_by_line && guess.certainty() < Certainty::NearlyCertain);
    found.certainty = if is_open { Certainty::Guess } else { guess.certainty() };
    if let Some(declared) = declared {
        (found.encoding, found.basis) = (Some(declared), Basis::Declared);
        found.mixed &= is_mixed || !guess.is_well_formed;
        found.certainty = match () {
            () if !guess.is_well_formed || is_mixed || has_word_of_utf8 => Certainty::Guess,
            // The letters agree with the declaration, or do not speak against it.
            () if guess.is_likely_undeclared() || guess.is_meant(declared) => Certainty::NearlyCertain,
            () => Certainty::Likely,
        };
        return;
    }
    found.encoding = Some(guess.encoding);
    found.basis = Basis::Likeliest { is_well_formed: guess.is_well_formed };
    found.equivalent = guess.equivalent.first().copied();
    let long = Encoding::Legacy(Legacy::Gb18030);
    if has_long && !is_open && options.allows(long) {
        (found.encoding, found.equivalent) = (Some(long), None);
        found.certainty = found.certainty.max(Certainty::Likely);
    }
    // Damaged UTF-8 is implausible in every encoding. Unless the evidence is strong, the rest is
    // in the most common one.
    let western = Encoding::Legacy(Legacy::Windows1252);
    if is_mixed && guess.certainty() < Certainty::NearlyCertain && options.allows(western) {
        found.encoding = Some(western);
        found.equivalent =
            Some(Encoding::Latin1).filter(|_| !evidence.legacy.has_c1() && options.allows(Encoding::Latin1));
    }
}

/// True if all that is ill-formed in UTF-8 is the beginning of a character, at a delimiter or at the end: capitals
/// after small letters, or signs, in an older encoding.
fn is_only_cut(evidence: &Evidence) -> bool {
    let utf8 = &evidence.utf8;
    let is_cut_at_end = || {
        let sample = evidence.legacy.sample();
        let len = sample.utf8_chunks().last().map_or(0, |chunk| chunk.invalid().len());
        len > 0 && Context::new(sample, false).is_cut(sample.len() - len, len)
    };
    let is_last_cut = utf8.truncated > 0 && is_cut_at_end();
    let cut = utf8.cut + u64::from(is_last_cut);
    cut > 0 && cut >= utf8.errors()
}

/// True for windows-1258, which only Vietnamese is in, without a tone, which most of its words have.
fn is_vietnamese_without_tones(evidence: &Evidence, encoding: Encoding) -> bool {
    let is_tone = |byte: &u8| matches!(byte, 0xCC | 0xD2 | 0xDE | 0xEC | 0xF2);
    encoding == Encoding::Legacy(Legacy::Windows1258) && !evidence.legacy.sample().iter().any(is_tone)
}

/// True if nothing beyond US-ASCII is there but what may be a part of a character of UTF-8: a capital at the end of a
/// word, a small letter at the end of a field, or continuation bytes at the front, with the beginning of a character
/// at the end or without.
fn may_be_parts(evidence: &Evidence) -> bool {
    let utf8 = &evidence.utf8;
    if utf8.non_ascii == 1 && utf8.unfinished == 1 {
        let sample = evidence.legacy.sample();
        let Some(at) = sample.iter().position(|byte| !byte.is_ascii()) else { return false };
        let is_in_word = at > 0 && sample[at - 1].is_ascii_alphabetic();
        // `à` and `é` are words, in a line of others.
        return match sample[at] {
            0xC2..=0xDF => true,
            0xE0..=0xEF => !is_in_word && matches!(sample.get(at + 1), Some(b'"' | b',' | b';' | b'\t' | b'<' | b'|')),
            _ => false,
        };
    }
    let trail = evidence.front.iter().take_while(|byte| is_continuation(**byte)).count();
    let next = evidence.front.get(trail).copied().unwrap_or(b' ');
    // A sign is before a capital, a number or a space, and few words end in such a letter.
    let is_sign = match evidence.front.first() {
        _ if next.is_ascii_uppercase() || next.is_ascii_digit() => true,
        // `© 2009`
        Some(0xA9) if matches!(evidence.front[1..], [b' ', b'A'..=b'Z' | b'0'..=b'9', ..]) => true,
        Some(0xA0 | 0xA1 | 0xA4 | 0xA8..=0xAD | 0xB2 | 0xB3 | 0xB9 | 0xBA) => false,
        _ => trail == 1 && !next.is_ascii_lowercase(),
    };
    let at_end = if utf8.truncated > 0 { 3 } else { 0 };
    matches!(trail, 1..4) && !is_sign && (trail as u64..=trail as u64 + at_end).contains(&utf8.non_ascii)
}

/// True if the sequences of UTF-8 are likelier text in the encoding of the rest, which is plausible in it.
fn is_chance(evidence: &Evidence, guess: &Guess) -> bool {
    guess.is_well_formed
        && guess.certainty() >= Certainty::Likely
        && match mixed::gain(&evidence.lines, &[guess.encoding]) {
            Some(gain) => gain <= -LIKELIER,
            // No word is UTF-8.
            None => guess.is_multibyte(),
        }
}

/// True if a word or a symbol is likelier text as UTF-8 than in the single-byte encoding of the rest, which happens by
/// chance in long texts and in Thai.
fn has_word_of_utf8(evidence: &Evidence, guess: &Guess) -> bool {
    let least = CHANCE_GAIN + i64::from(evidence.utf8.errors().max(1).ilog2());
    let has_letter = |line: &&[u8]| {
        let is_of_word = |c: char| !c.is_ascii() && (c.is_alphabetic() || is_symbol(c));
        line.utf8_chunks().any(|chunk| chunk.valid().chars().any(is_of_word))
    };
    let may_have = is_single_byte(guess.encoding) && own_script(guess.encoding) != Some(Script::Thai);
    let mut words = evidence.lines.utf8.split(|byte| *byte == b'\n').filter(|_| may_have).filter(has_letter);
    words.any(|line| mixed::gain_of(line, &[guess.encoding]).is_some_and(|gain| gain >= least))
}

/// True for arrows, check marks, emoji and other symbols that hardly any text in an older encoding has by chance.
fn is_symbol(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{21FF}' | '\u{2600}'..='\u{27BF}' | '\u{1F300}'..='\u{1FAFF}')
}

/// True for few bytes with a control among them, or with many beyond US-ASCII that are no word: more often they are
/// no text. A sign beside a number is.
fn is_short_and_odd(evidence: &Evidence) -> bool {
    let (front, controls) = (&evidence.front, &evidence.controls);
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || !byte.is_ascii();
    let is_word = |run: &[u8]| {
        let ascii = run.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
        let is_all = run.len() == front.trim_ascii().len();
        run.len() >= 3 && (evidence.bytes >= 6 || ascii > 1 || is_all)
    };
    let has_word = || front.chunk_by(|a, b| is_letter(a) && is_letter(b)).any(is_word);
    let is_measure = || front.iter().filter(|byte| is_letter(byte)).count() == 1 && front.len() > 2;
    let is_dense = 4 * evidence.utf8.non_ascii > evidence.bytes;
    let has_foreign = controls.foreign(evidence.bytes) > 0;
    let has_other = controls.of_terminals() + controls.separators > 0;
    let is_odd = evidence.bytes < 24 && (has_other || is_dense && !has_word() && !is_measure());
    is_odd || evidence.bytes < 64 && has_foreign
}

/// UTF-8 in some lines, and another encoding in others.
fn by_lines(evidence: &mut Evidence, found: &mut Detection, whole: &Guess, declared: Option<Encoding>) -> bool {
    let lines = &evidence.lines;
    let is_multibyte = whole.is_well_formed && whole.is_multibyte();
    if evidence.utf8.given_up
        || evidence.utf8.errors() == 0
        || (is_multibyte && mixed::may_be_chance(lines, found.sequences, evidence.utf8.errors()))
        || (is_thai(whole) && mixed::may_be_chance_in_thai(lines))
        || !mixed::is_mixed(mixed::gain(lines, &[whole.encoding]))
    {
        return false;
    }
    let rest = mixed::rest(lines, declared, &evidence.options);
    evidence.rest = Some((declared, rest));
    let encodings: Vec<Encoding> = rest.foreign.into_iter().map(|Foreign { encoding, .. }| encoding).collect();
    let gain = mixed::gain(lines, &encodings);
    // Without an encoding for the rest, most has to be UTF-8: noise has some by chance.
    let is_mixed = match encodings[..] {
        [] => found.sequences >= evidence.utf8.errors(),
        _ => mixed::is_mixed(gain),
    };
    if !is_mixed {
        return false;
    }
    (found.encoding, found.basis, found.mixed) = (Some(Encoding::Utf8), Basis::Damaged, true);
    found.ill_formed = Some(evidence.utf8.errors());
    found.certainty = match gain {
        Some(CERTAIN_GAIN..) if found.sequences >= 8 => Certainty::NearlyCertain,
        _ => Certainty::Likely,
    };
    true
}

/// True for likely Thai, which has the bytes of UTF-8 in the order of its vowels, signs and consonants.
fn is_thai(guess: &Guess) -> bool {
    own_script(guess.encoding) == Some(Script::Thai) && guess.certainty() >= Certainty::Likely
}

/// True if the text declares an encoding that the library lacks.
fn declares_unknown(found: &Detection) -> bool {
    found.declaration.as_ref().is_some_and(|declaration| declaration.encoding().is_none())
}
