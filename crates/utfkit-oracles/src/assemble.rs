//! Assembles text from a script of a few bytes.
//!
//! A fuzzer changes single bytes, and rarely finds the three bytes of a
//! surrogate or sixty repetitions of a character. In a script, the three
//! highest bits of a byte select what to append, and the other bits are a
//! number *n*:
//!
//! | bits | next |
//! |---|---|
//! | 000 | *n* + 1 letters of US-ASCII |
//! | 001, 010, 011 | the atom whose number is *n* and the next byte |
//! | 100 | *n* + 1 times the atom whose number is the next byte |
//! | 101 | *n* % 8 + 1 units, copied from the script |
//! | 110 | the last *n* + 1 units again |
//! | 111 | a line feed, *n* % 4 letters, and atom number *n* |

/// Appends the text of `script`. Stops once `out` has `longest` units.
pub(crate) fn assemble<U: Copy + From<u8>, const N: usize>(
    script: &[u8],
    atoms: &[Vec<U>],
    unit: fn([u8; N]) -> U,
    out: &mut Vec<U>,
    longest: usize,
) {
    let mut script = script.iter().copied();
    while let (Some(byte), true) = (script.next(), out.len() < longest) {
        let n = usize::from(byte & 0x1F);
        match byte >> 5 {
            0 => out.extend((0..=n).map(|i| U::from(b'a' + i as u8 % 26))),
            1..=3 => {
                let number = n << 8 | usize::from(script.next().unwrap_or(0));
                out.extend_from_slice(&atoms[number % atoms.len()]);
            }
            4 => {
                let number = usize::from(script.next().unwrap_or(0));
                for _ in 0..=n {
                    out.extend_from_slice(&atoms[number % atoms.len()]);
                }
            }
            5 => {
                for _ in 0..=n % 8 {
                    let bytes = std::array::from_fn(|_| script.next().unwrap_or(0));
                    out.push(unit(bytes));
                }
            }
            6 => out.extend_from_within(out.len().saturating_sub(n + 1)..),
            _ => {
                out.push(U::from(b'\n'));
                out.extend((0..n % 4).map(|i| U::from(b'x' + i as u8)));
                out.extend_from_slice(&atoms[n % atoms.len()]);
            }
        }
    }
}
