//! From what was seen to an answer: what proves comes first, what guesses last.

use super::controls::Controls;
use super::declared::{Declaration, declaration};
use super::detection::{Basis, Certainty, Detection};
use super::units::Found;
use super::{Detector, Evidence};
use crate::bom::Bom;
use crate::encoding::Encoding;
use crate::engine::legacy::Legacy;

/// By chance one in a million (8 sequences of UTF-8), and one in hundreds (3).
const CERTAIN_BITS: u64 = 20;
const NEARLY_CERTAIN_BITS: u64 = 8;

/// So many bytes above 7F, and a guess is likely to be right.
const ENOUGH_TO_WEIGH: u64 = 32;

/// The answer for everything that `detector` saw.
pub(super) fn judge(mut detector: Detector) -> Detection {
    let seen = &mut detector.evidence;
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
        ill_formed: Some(seen.utf8.faults()),
        truncated: false,
        first: seen.utf8.first,
        nulls: seen.controls.nulls,
        controls: seen.controls.others,
        alike: None,
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

/// A BOM counts as long as what follows does not speak against it.
fn by_bom(seen: &mut Evidence, found: &mut Detection) -> bool {
    let Some(bom) = found.bom else { return false };
    match bom {
        Bom::Utf8 => {
            found.encoding = Some(Encoding::Utf8);
            found.basis = Basis::WellFormed;
            let faults = seen.utf8.faults();
            if faults > 0 {
                found.basis = Basis::Damaged;
                found.truncated = faults == seen.utf8.truncated;
                // The BOM is one of the sequences.
                found.certainty = match found.sequences.saturating_sub(1) {
                    _ if found.truncated => Certainty::Certain,
                    sequences if sequences >= faults => Certainty::NearlyCertain,
                    _ if seen.utf8.given_up || is_foreign(&seen.controls, seen.bytes) => return false,
                    _ => Certainty::Guess,
                };
            }
            true
        }
        Bom::Utf16Le | Bom::Utf16Be | Bom::Utf32Le | Bom::Utf32Be => {
            let Some(reading) = seen.units.named() else { return false };
            let is_empty = seen.bytes == bom.len() as u64;
            let (faults, points) = (reading.totals.findings(), reading.totals.code_points());
            found.encoding = Some(reading.encoding);
            found.basis = if is_empty { Basis::Bom } else { Basis::Units { values: reading.values } };
            found.ill_formed = Some(faults);
            found.certainty = match () {
                () if is_empty || (faults == 0 && reading.is_text) => Certainty::Certain,
                () if reading.is_text => Certainty::NearlyCertain,
                () if faults == 0 => Certainty::Likely,
                () if faults <= points / 8 => Certainty::Guess,
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
        // What is well-formed UTF-8 all the same was proved to be.
        _ if seen.utf8.faults() == 0 => {
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
    let faults = totals.findings();
    found.encoding = Some(encoding);
    found.basis = Basis::Units { values };
    found.ill_formed = Some(faults);
    let sure = match (encoding.unit_size(), values) {
        // A unit of 32 bits is a code point by chance in one of 3855.
        (4, 4..) => Certainty::Certain,
        (4, _) | (_, 16..) => Certainty::NearlyCertain,
        (_, 4..) => Certainty::Likely,
        _ => Certainty::Guess,
    };
    found.certainty = if faults == 0 { sure } else { sure.less() };
    found.declaration = None;
    true
}

/// Whether there is more of what text has none of than a slip would leave.
fn is_foreign(controls: &Controls, bytes: u64) -> bool {
    controls.foreign() > bytes / 64
}

/// US-ASCII, UTF-8, and what is nearly UTF-8.
fn by_utf8(seen: &mut Evidence, found: &mut Detection) -> bool {
    let (faults, sequences) = (seen.utf8.faults(), found.sequences);
    let foreign = is_foreign(&seen.controls, seen.bytes);
    if faults == 0 {
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
    let damage = faults - seen.utf8.truncated;
    // Two sequences for each fault, as `recognize` has it, or so many that the
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
    if let Some(name) = seen.escapes.announced() {
        found.basis = Basis::Escapes { count: 0, name };
        (found.certainty, found.ill_formed) = (Certainty::Likely, None);
        return true;
    }
    (found.encoding, found.basis) = (Some(Encoding::UsAscii), Basis::Ascii);
    found.certainty = if foreign { Certainty::Likely } else { Certainty::Certain };
    found.utf7_runs = seen.shifts.finish();
    true
}

/// Not UTF-8: what it declares, or what its bytes are like, or nothing.
fn by_the_rest(seen: &mut Evidence, found: &mut Detection) {
    found.ill_formed = None;
    found.bom = None;
    let guess = if is_foreign(&seen.controls, seen.bytes) { None } else { seen.weigher.guess() };
    let Some(guess) = guess.filter(|_| seen.utf8.above > 0) else {
        (found.basis, found.certainty) = (Basis::NoText, Certainty::Likely);
        return;
    };
    let declared = found.declaration.as_ref().and_then(Declaration::encoding).map(|declared| match declared {
        // What is called ISO-8859-1 and has 80 to 9F is windows-1252.
        Encoding::Latin1 if seen.weigher.has_c1() => Encoding::Legacy(Legacy::Windows1252),
        declared => declared,
    });
    let is_enough = guess.above >= ENOUGH_TO_WEIGH;
    if let Some(declared) = declared.filter(|&declared| is_trusted(declared, guess.encoding, is_enough))
        && (declared == guess.encoding || seen.weigher.fits(declared))
    {
        (found.encoding, found.basis) = (Some(declared), Basis::Declared);
        found.certainty = if declared == guess.encoding { Certainty::NearlyCertain } else { Certainty::Likely };
        return;
    }
    found.encoding = Some(guess.encoding);
    found.basis = Basis::Weighed { fits: guess.fits };
    found.alike = guess.alike;
    found.mixed = found.sequences >= 3 && 2 * found.sequences >= seen.utf8.faults();
    // By chance there are 77 sequences of UTF-8 for 435 faults: more are a mixture.
    let is_mixed = found.sequences >= 8 && 4 * found.sequences >= seen.utf8.faults();
    found.certainty = if guess.fits && is_enough && !is_mixed { Certainty::Likely } else { Certainty::Guess };
}

/// Whether a declaration counts for more than the guess. What is Western in
/// name is often so by a template alone, and takes all bytes.
fn is_trusted(declared: Encoding, guess: Encoding, is_enough: bool) -> bool {
    let western = |encoding| matches!(encoding, Encoding::Latin1 | Encoding::Legacy(Legacy::Windows1252));
    match declared {
        Encoding::Legacy(_) | Encoding::Latin1 => !western(declared) || western(guess) || !is_enough,
        _ => false,
    }
}
