//! Text that is not UTF-8 is most often in windows-1252, or thought to be.

use std::cmp::Reverse;
use std::sync::LazyLock;

use utfkit::diagnose::{Finding, Totals};
use utfkit::{Encoding, ErrorKind, Legacy, Policy, Transcoder};

/// What the faulty bytes would be in windows-1252.
#[derive(Clone, Debug)]
pub(crate) struct Windows1252 {
    /// How often each byte from 80 was met.
    bytes: [u64; 128],
    likely: u64,
    all: u64,
}

/// How many different characters a hint names.
const NAMED: usize = 5;

impl Windows1252 {
    pub(crate) fn new() -> Windows1252 {
        Windows1252 { bytes: [0; 128], likely: 0, all: 0 }
    }

    pub(crate) fn note(&mut self, finding: &Finding) {
        self.all += 1;
        // A letter of windows-1252 between letters of US-ASCII is a lead byte
        // without its continuation, or one without its lead. A whole form that
        // is overlong or a surrogate was meant to be UTF-8.
        let stray = matches!(
            finding.kind(),
            ErrorKind::MissingContinuation
                | ErrorKind::UnexpectedContinuation
                | ErrorKind::InvalidByte
                | ErrorKind::Truncated
        );
        if stray && finding.bytes().iter().all(|&byte| CHARACTERS[index(byte)].is_some()) {
            self.likely += 1;
            for &byte in finding.bytes() {
                self.bytes[index(byte)] += 1;
            }
        }
    }

    /// The characters that were met most, if nearly all findings are such and
    /// stand in text: `é (12), ü (3)`.
    pub(crate) fn text(&self, totals: &Totals) -> Option<String> {
        let nearly_all = self.likely * 10 >= self.all * 9;
        let in_text = self.all * 2 <= totals.code_points();
        if self.all == 0 || !nearly_all || !in_text {
            return None;
        }
        let mut met: Vec<(u8, u64)> = (0x80..=0xFF).zip(self.bytes).filter(|&(_, count)| count > 0).collect();
        met.sort_by_key(|&(byte, count)| (Reverse(count), byte));
        let more = if met.len() > NAMED { ", …" } else { "" };
        let named = met.iter().take(NAMED).filter_map(|&(byte, n)| Some(format!("{} ({n})", CHARACTERS[index(byte)]?)));
        Some(named.collect::<Vec<_>>().join(", ") + more)
    }
}

fn index(byte: u8) -> usize {
    usize::from(byte & 0x7F)
}

/// The characters of the bytes from 80 that can be seen.
static CHARACTERS: LazyLock<[Option<char>; 128]> = LazyLock::new(|| {
    std::array::from_fn(|i| {
        let mut room = [0; 4];
        let mut reader = Transcoder::new(Encoding::Legacy(Legacy::Windows1252), Encoding::Utf8, Policy::Strict);
        let step = reader.transcode(&[i as u8 | 0x80], &mut room, true);
        let text = utfkit::from_utf8(&room[..step.written]).unwrap_or_default();
        text.chars().next().filter(|c| !c.is_control() && !c.is_whitespace() && *c != '\u{AD}')
    })
});
