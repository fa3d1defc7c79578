//! ISO-8859-1 with the escape sequences to UTF-8 and back of utf-8(7).

use crate::encoder::Encoder;
use crate::piece::Piece;
use crate::{latin1, utf8};

/// Switches to UTF-8.
const IN: &[u8] = b"\x1B%G";
/// Switches back to ISO-8859-1.
const OUT: &[u8] = b"\x1B%@";

/// Decodes `src`. The escape sequences are not pieces.
pub fn pieces(src: &[u8]) -> Vec<Piece> {
    let mut all = Vec::new();
    let (mut start, mut inside) = (0, false);
    while start <= src.len() {
        let end = (start..src.len()).find(|&at| is_switch(&src[at..])).unwrap_or(src.len());
        let section = &src[start..end];
        let mut found = if !inside {
            latin1::pieces(section)
        } else if end == src.len() {
            utf8::pieces(section, &utf8::RFC_3629)
        } else {
            // A sequence cut by a switch cannot be completed, so it is not
            // open.
            let mut found = utf8::pieces(&src[start..=end], &utf8::RFC_3629);
            found.pop();
            found
        };
        found.iter_mut().for_each(|piece| piece.offset += start);
        all.extend(found);
        inside = src[end..].starts_with(IN);
        start = end + IN.len();
    }
    all
}

fn is_switch(src: &[u8]) -> bool {
    src.starts_with(IN) || src.starts_with(OUT)
}

/// Writes ISO-8859-1 up to the first character that it lacks, then UTF-8.
#[derive(Clone, Debug, Default)]
pub struct Iso2022Encoder {
    inside: bool,
    /// The last two values.
    last: [u32; 2],
}

impl Encoder for Iso2022Encoder {
    /// Appends `value`, or returns false if it is not a scalar value, or would
    /// complete an escape sequence.
    fn encode(&mut self, value: u32, out: &mut Vec<u8>) -> bool {
        let three = [self.last[0], self.last[1], value];
        let reads_as = |switch: &[u8]| three.into_iter().eq(switch.iter().copied().map(u32::from));
        if reads_as(IN) || reads_as(OUT) || char::from_u32(value).is_none() {
            return false;
        }
        self.last = [three[1], value];
        if !self.inside && latin1::encode(value, out) {
            return true;
        }
        if !self.inside {
            self.inside = true;
            out.extend_from_slice(IN);
        }
        utf8::encode(value, out);
        true
    }

    /// Appends the switch back to ISO-8859-1, if needed.
    fn finish(&mut self, out: &mut Vec<u8>) {
        if self.inside {
            out.extend_from_slice(OUT);
        }
        *self = Iso2022Encoder::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_are_found() {
        let values = |src: &[u8]| pieces(src).iter().map(Piece::value).collect::<Vec<_>>();
        assert_eq!(values(b"\xE9\x1B%G\xC3\xA9\x1B%@\xE9"), [Some(0xE9), Some(0xE9), Some(0xE9)]);
        assert_eq!(values(b"\x1B%@\x1B%G\x1B%G\xE2\x82\x1B%@"), [None]);
        assert_eq!(values(b"\x1B%"), [Some(0x1B), Some(0x25)]);
    }

    #[test]
    fn what_is_written_is_read() {
        let mut out = Vec::new();
        let mut encoder = Iso2022Encoder::default();
        for value in "aé€é\u{1B}%".chars() {
            assert!(encoder.encode(value.into(), &mut out), "{value:?}");
        }
        assert!(!encoder.encode('G'.into(), &mut out));
        assert!(encoder.encode('H'.into(), &mut out));
        encoder.finish(&mut out);
        assert_eq!(out, b"a\xE9\x1B%G\xE2\x82\xAC\xC3\xA9\x1B%H\x1B%@");
    }
}
