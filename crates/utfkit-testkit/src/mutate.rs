//! Random damage.

use crate::patterns::BOUNDARY_BYTES;
use crate::random::Random;

/// Damages `bytes` in one to four ways.
pub fn bytes(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..1 + random.below(4) {
        if bytes.is_empty() {
            bytes.push(*random.pick(&BOUNDARY_BYTES));
            continue;
        }
        let at = random.below(bytes.len());
        match random.below(7) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => drop(bytes.remove(at)),
            2 => bytes.insert(at, *random.pick(&BOUNDARY_BYTES)),
            3 => bytes[at] = *random.pick(&BOUNDARY_BYTES),
            4 => bytes[at] = random.next_u64() as u8,
            // Truncate by a few bytes.
            5 => bytes.truncate(bytes.len() - 1 - random.below(bytes.len().min(4))),
            // Copy a few bytes elsewhere.
            _ => {
                let n = (1 + random.below(6)).min(bytes.len());
                let from = random.below(bytes.len() - n + 1);
                let to = random.below(bytes.len() - n + 1);
                bytes.copy_within(from..from + n, to);
            }
        }
    }
}

/// Damages UTF-16 in one to four ways.
pub fn units16(units: &mut Vec<u16>, random: &mut Random) {
    for _ in 0..1 + random.below(4) {
        let surrogate = random.between(0xD800, 0xDFFF) as u16;
        if units.is_empty() {
            units.push(surrogate);
            continue;
        }
        let at = random.below(units.len());
        match random.below(5) {
            0 => units[at] = surrogate,
            1 => units.insert(at, surrogate),
            2 => drop(units.remove(at)),
            3 => units[at] ^= 1 << random.below(16),
            _ => units.truncate(at),
        }
    }
}

/// Damages UTF-32 in one to four ways.
pub fn units32(units: &mut Vec<u32>, random: &mut Random) {
    const BAD: [u32; 8] = [0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x11_0000, 0x7FFF_FFFF, 0x8000_0041, 0xFFFF_FFFF];
    for _ in 0..1 + random.below(4) {
        if units.is_empty() {
            units.push(*random.pick(&BAD));
            continue;
        }
        let at = random.below(units.len());
        match random.below(4) {
            0 => units[at] = *random.pick(&BAD),
            1 => units.insert(at, *random.pick(&BAD)),
            2 => units[at] ^= 1 << random.below(32),
            _ => drop(units.remove(at)),
        }
    }
}
