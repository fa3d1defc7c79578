//! From the evidence to an encoding: proofs come first, guesses last.

use super::controls::Controls;
use super::declaration::{Declaration, declaration};
use super::detection::{Basis, Certainty, Detection};
use super::evidence::Evidence;
use super::legacy::prior;
use super::units::Found;
use utfkit_core::Encoding;
use utfkit_core::Legacy;
use utfkit_core::bom::Bom;

/// By chance one in a million (8 sequences of UTF-8), and one in hundreds (3).
const CERTAIN_BITS: u64 = 20;
const NEARLY_CERTAIN_BITS: u64 = 8;

/// The detection that follows from the evidence.
pub(super) fn decide(mut seen: Evidence) -> Detection {
    let seen = &mut seen;
    seen.utf8.finish();
    let bom = Bom::of(&seen.front);
    let mut found = Detection {
        encoding: None,
        certainty: Certainty::Certain,
        basis: Basis::Empty,
        bom,
        declaration: declaration(&seen.front),
        bytes: seen.bytes,
        sequences: seen.utf8.sequences(),
        ill_formed: Some(seen.utf8.errors()),
        truncated: false,
        first: seen.utf8.first,
        nulls: seen.controls.nulls,
        controls: seen.controls.others,
        equivalent: None,
        utf7_runs: None,
        mixed: false,
    };
    if seen.bytes == 0 {
        found.encoding = Some(Encoding::UsAscii);
    } else if !(by_bom(seen, &mut found) || by_units(seen, &mut found) || by_utf8(seen, &mut found)) {
        by_the_rest(seen, &mut found);
    }
    if found.basis != Basis::Damaged {
        found.first = None;
    }
    found
}

/// A BOM counts unless the rest speaks against it.
fn by_bom(seen: &mut Evidence, found: &mut Detection) -> bool {
    let Some(bom) = found.bom else { return false };
    match bom {
        Bom::Utf8 => {
            found.encoding = Some(Encoding::Utf8);
            found.basis = Basis::WellFormed;
            let errors = seen.utf8.errors();
            if errors > 0 {
                found.basis = Basis::Damaged;
                found.truncated = errors == seen.utf8.truncated;
                // The BOM is one of the sequences.
                found.certainty = match found.sequences.saturating_sub(1) {
                    _ if found.truncated => Certainty::Certain,
                    sequences if sequences >= errors => Certainty::NearlyCertain,
                    _ if seen.utf8.given_up || is_foreign(&seen.controls, seen.bytes) => return false,
                    _ => Certainty::Guess,
                };
            }
            true
        }
        Bom::Utf16Le | Bom::Utf16Be | Bom::Utf32Le | Bom::Utf32Be => {
            let Some(reading) = seen.units.named() else { return false };
            let is_empty = seen.bytes == bom.len() as u64;
            let (errors, points) = (reading.totals.findings(), reading.totals.code_points());
            found.encoding = Some(reading.encoding);
            found.basis = if is_empty { Basis::Bom } else { Basis::Units { values: reading.values } };
            found.ill_formed = Some(errors);
            found.certainty = match () {
                () if is_empty || (errors == 0 && reading.is_text) => Certainty::Certain,
                () if reading.is_text && reading.encoding.unit_size() == 2 => Certainty::NearlyCertain,
                () if reading.is_text => Certainty::Likely,
                () if errors == 0 => Certainty::Likely,
                () if errors <= points / 8 => Certainty::Guess,
                () => {
                    // These two bytes begin other things too.
                    (found.encoding, found.bom) = (None, None);
                    return false;
                }
            };
            if !reading.is_text && !is_empty {
                found.basis = Basis::Bom;
            }
            true
        }
        Bom::Utf7 => {
            let well_formed = seen.utf8.above == 0 && {
                seen.shifts.finish();
                seen.shifts.is_well_formed()
            };
            (found.encoding, found.basis) = (Some(Encoding::Utf7), Basis::Bom);
            found.certainty = Certainty::NearlyCertain;
            found.bom = found.bom.filter(|_| well_formed);
            well_formed
        }
        // Well-formed UTF-8 all the same: that proves more.
        _ if seen.utf8.errors() == 0 => {
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

/// Without a BOM.
fn by_units(seen: &mut Evidence, found: &mut Detection) -> bool {
    if found.bom.is_some() {
        return false;
    }
    let Some(Found { encoding, totals, values, is_text: true }) = seen.units.best() else { return false };
    let errors = totals.findings();
    found.encoding = Some(encoding);
    found.basis = Basis::Units { values };
    found.ill_formed = Some(errors);
    let sure = match (encoding.unit_size(), values) {
        // A unit of 32 bits is a code point by chance in one of 3855.
        (4, 4..) => Certainty::Certain,
        (4, _) | (_, 16..) => Certainty::NearlyCertain,
        (_, 4..) => Certainty::Likely,
        _ => Certainty::Guess,
    };
    // What is ill-formed may be all that the front does not show.
    found.certainty = if errors == 0 { sure } else { sure.less().min(Certainty::Likely) };
    found.declaration = None;
    true
}

/// Whether there are more bytes foreign to text than a slip would leave.
fn is_foreign(controls: &Controls, bytes: u64) -> bool {
    controls.foreign() > bytes / 64
}

/// US-ASCII, UTF-8, and its relatives.
fn by_utf8(seen: &mut Evidence, found: &mut Detection) -> bool {
    let (errors, sequences) = (seen.utf8.errors(), found.sequences);
    let foreign = is_foreign(&seen.controls, seen.bytes);
    if errors == 0 {
        let bits = sequences.saturating_mul(2733) / 1000;
        // Padding, or as many controls as text: no text, whatever form it has.
        // Names or fields that NUL or another control ends are text.
        let Controls { nulls, null_runs, others, .. } = seen.controls;
        if foreign && bits < CERTAIN_BITS && (null_runs > nulls / 4 || 4 * (nulls + others) > seen.bytes) {
            return false;
        }
        if sequences == 0 {
            return by_seven_bits(seen, found, foreign);
        }
        (found.encoding, found.basis) = (Some(Encoding::Utf8), Basis::WellFormed);
        found.certainty = match bits {
            CERTAIN_BITS.. => Certainty::Certain,
            NEARLY_CERTAIN_BITS.. => Certainty::NearlyCertain,
            _ => Certainty::Likely,
        };
        return true;
    }
    if seen.utf8.given_up || foreign {
        return false;
    }
    if let Some(relative) = seen.utf8.relative() {
        let (pairs, lone, nulls) = (seen.utf8.pairs(), seen.utf8.lone(), seen.utf8.long_nulls());
        found.encoding = Some(relative);
        found.basis = Basis::Relative { pairs, lone, nulls };
        found.ill_formed = Some(0);
        // Three bytes that follow each other so, as sequences of UTF-8 do.
        found.certainty = match (sequences + pairs + lone + nulls).saturating_mul(2733) / 1000 {
            CERTAIN_BITS.. => Certainty::NearlyCertain,
            _ => Certainty::Likely,
        };
        return true;
    }
    if let Some(totals) = seen.escapes.switching() {
        found.encoding = Some(Encoding::Iso2022Utf8);
        found.basis = Basis::Escapes { count: seen.controls.escapes, name: Encoding::Iso2022Utf8.name() };
        found.ill_formed = Some(totals.findings());
        found.certainty = Certainty::Likely;
        return true;
    }
    let damage = errors - seen.utf8.truncated;
    // Two sequences for each error, as `recognize` has it, or so many that the
    // two are mixed: by chance 77 of 512 are sequences.
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

/// No byte above 7F.
fn by_seven_bits(seen: &mut Evidence, found: &mut Detection, foreign: bool) -> bool {
    if let Some(count) = seen.escapes.japanese() {
        let encoding = Encoding::Legacy(Legacy::Iso2022Jp);
        found.encoding = Some(encoding);
        found.basis = Basis::Escapes { count, name: encoding.name() };
        found.certainty = if count > 1 { Certainty::Certain } else { Certainty::NearlyCertain };
        return true;
    }
    if let Some(count) = seen.escapes.korean() {
        let encoding = Encoding::Legacy(Legacy::Iso2022Kr);
        found.encoding = Some(encoding);
        found.basis = Basis::Escapes { count, name: encoding.name() };
        found.certainty = if count > 3 { Certainty::Certain } else { Certainty::NearlyCertain };
        return true;
    }
    if let Some(count) = seen.tildes.finish() {
        let encoding = Encoding::Legacy(Legacy::Hz);
        found.encoding = Some(encoding);
        found.basis = Basis::Escapes { count, name: encoding.name() };
        found.certainty = if count > 3 { Certainty::NearlyCertain } else { Certainty::Likely };
        return true;
    }
    if let Some(name) = seen.escapes.announced() {
        found.basis = Basis::Escapes { count: 0, name };
        (found.certainty, found.ill_formed) = (Certainty::Likely, None);
        return true;
    }
    if is_hebrew_ebcdic(&seen.front) {
        (found.basis, found.certainty, found.ill_formed) = (Basis::Unknown, Certainty::Likely, None);
        return true;
    }
    (found.encoding, found.basis) = (Some(Encoding::UsAscii), Basis::Ascii);
    found.certainty = if foreign { Certainty::Likely } else { Certainty::Certain };
    found.utf7_runs = seen.shifts.finish();
    true
}

/// Whether it is Hebrew in EBCDIC (code page 424), which has its letters below 80, the
/// space at 40 and the line ends at 15 and 25; digits and the end of the Latin alphabet
/// lie elsewhere. Text in US-ASCII has white space, or some of those.
fn is_hebrew_ebcdic(front: &[u8]) -> bool {
    let between = front.iter().filter(|byte| matches!(byte, 0x40 | 0x15 | 0x25)).count();
    let is_ascii = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'0'..=b'9' | b'r'..=b'y');
    front.len() >= 32 && between * 12 > front.len() && !front.iter().any(is_ascii)
}

/// Not UTF-8: the encoding declared, or the one that the bytes suggest, or none.
fn by_the_rest(seen: &mut Evidence, found: &mut Detection) {
    found.ill_formed = None;
    found.bom = None;
    let declared = found.declaration.as_ref().and_then(Declaration::encoding).map(|declared| match declared {
        // Text called ISO-8859-1 with bytes 80 to 9F is windows-1252.
        Encoding::Latin1 if seen.legacy.has_c1() => Encoding::Legacy(Legacy::Windows1252),
        declared => declared,
    });
    let declared = declared.filter(|&declared| prior(declared).is_some());
    let is_foreign = seen.is_foreign() && !seen.legacy.may_be_ebcdic();
    let guess = if is_foreign || seen.utf8.above == 0 { None } else { seen.legacy.guess(declared) };
    let Some(guess) = guess else {
        (found.basis, found.certainty) = (Basis::NoText, Certainty::Likely);
        return;
    };
    if is_lacking(found) || !guess.is_text() {
        (found.basis, found.certainty) = (Basis::Unknown, Certainty::Likely);
        return;
    }
    found.mixed = found.sequences >= 3 && 2 * found.sequences >= seen.utf8.errors();
    // By chance there are 77 sequences of UTF-8 for 435 errors: more are a mixture.
    // In two bytes a character, chance repeats itself with the text; but what is
    // of two encodings is not well-formed in one of those.
    let is_many = found.sequences >= 8 && 4 * found.sequences >= seen.utf8.errors();
    let is_mixed = (found.mixed || is_many) && !(guess.is_well_formed && guess.is_multibyte());
    found.certainty = if is_mixed { Certainty::Guess } else { guess.certainty() };
    if let Some(declared) =
        declared.filter(|&declared| declared == guess.encoding || guess.equivalent.contains(&declared))
    {
        (found.encoding, found.basis) = (Some(declared), Basis::Declared);
        found.certainty = match () {
            () if !guess.is_well_formed || is_mixed => Certainty::Guess,
            // The text says it, and so do the letters alone.
            () if guess.is_likely_undeclared() => Certainty::NearlyCertain,
            () => Certainty::Likely,
        };
        return;
    }
    found.encoding = Some(guess.encoding);
    found.basis = Basis::Likeliest { is_well_formed: guess.is_well_formed };
    found.equivalent = guess.equivalent.first().copied();
    // Damaged UTF-8 is strange text in any of them: it takes much to name another one
    // than what stands among UTF-8 as a rule.
    if is_mixed && guess.certainty() < Certainty::NearlyCertain {
        found.encoding = Some(Encoding::Legacy(Legacy::Windows1252));
        found.equivalent = Some(Encoding::Latin1).filter(|_| !seen.legacy.has_c1());
    }
}

/// Whether the text declares an encoding that the library lacks.
fn is_lacking(found: &Detection) -> bool {
    found.declaration.as_ref().is_some_and(|declaration| declaration.encoding().is_none())
}
