//! Text by a script of a few bytes.
//!
//! A fuzzer changes single bytes, and hardly ever finds the three that make a
//! surrogate, or sixty times the same character. Here a byte says what comes
//! next in its three highest bits, and how much of it in the others, *n*:
//!
//! | bits | next |
//! |---|---|
//! | 000 | *n* + 1 letters of US-ASCII |
//! | 001, 010, 011 | the atom of the number *n* and one more byte |
//! | 100 | *n* + 1 times the atom of the number in the next byte |
//! | 101 | *n* % 8 + 1 units as they stand in the script |
//! | 110 | the last *n* + 1 units once more |
//! | 111 | a line feed, *n* % 4 letters, and the atom of the number *n* |

/// Appends what `script` says, up to `longest` units in all, more or less.
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
