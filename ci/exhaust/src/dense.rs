//! Many windows in one text, each followed by an ASCII character, so that one
//! call returns the verdict on all of them.
//!
//! Texts are run after 0 to 63 characters, so that every window appears at
//! every offset in a block of 64 bytes.
//!
//! A kernel first asks whether a block has any error, and only then for
//! details. In dense text another window can cause the answer yes. Therefore
//! the windows are also put one in each block, and the errors counted: a wrong
//! answer to the first question loses one.

use utfkit::{Encoding, Policy, Practice, Standard, Transcoder};
use utfkit_testkit::hex::show;

use crate::expected::{FRONT, Group, Text};
use crate::tally::Line;

/// A function that processes many windows at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dense {
    /// On all windows.
    LossyUtf8,
    LossyUtf16,
    LossyUtf16Be,
    LossyUtf32,
    CountErrors,
    /// On one window per block.
    SparseErrors,
    CountCodePoints,
    Utf16Len,
    /// On well-formed windows only.
    SoundValidate,
    SoundUtf16,
    SoundUtf32,
}

pub(crate) const DENSE: [Dense; 11] = [
    Dense::LossyUtf8,
    Dense::LossyUtf16,
    Dense::LossyUtf16Be,
    Dense::LossyUtf32,
    Dense::CountErrors,
    Dense::SparseErrors,
    Dense::CountCodePoints,
    Dense::Utf16Len,
    Dense::SoundValidate,
    Dense::SoundUtf16,
    Dense::SoundUtf32,
];

impl Dense {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Dense::LossyUtf8 => "utf8_to_utf8_lossy",
            Dense::LossyUtf16 => "utf8_to_utf16_lossy",
            Dense::LossyUtf16Be => "UTF-8 to UTF-16BE, replace",
            Dense::LossyUtf32 => "UTF-8 to UTF-32LE, replace",
            Dense::CountErrors => "errors, their number",
            Dense::SparseErrors => "errors, their number, a window a block",
            Dense::CountCodePoints => "count_code_points",
            Dense::Utf16Len => "utf16_len_from_utf8",
            Dense::SoundValidate => "validate, the well-formed",
            Dense::SoundUtf16 => "utf8_to_utf16, the well-formed",
            Dense::SoundUtf32 => "utf8_to_utf32, the well-formed",
        }
    }

    fn text(self, group: &Group) -> &Text {
        match self {
            Dense::SoundValidate | Dense::SoundUtf16 | Dense::SoundUtf32 => &group.sound,
            Dense::SparseErrors => &group.sparse,
            _ => &group.all,
        }
    }
}

/// The buffers of one thread.
#[derive(Default)]
pub(crate) struct Table {
    to8: Vec<u8>,
    to16: Vec<u16>,
    to32: Vec<u32>,
    expected: Vec<u8>,
}

impl Table {
    /// Runs `dense` over the windows of `group`, after each number of
    /// characters in `fronts`.
    pub(crate) fn run(&mut self, dense: Dense, fronts: &[usize], group: &Group, line: &mut Line) {
        let text = dense.text(group);
        if text.windows == 0 {
            return;
        }
        let most = text.src.len();
        if self.to16.len() < most {
            self.to8.resize(8 * most, 0);
            self.to16.resize(most, 0);
            self.to32.resize(most, 0);
        }
        match dense {
            Dense::LossyUtf16Be => {
                self.expected.clear();
                self.expected.extend(text.utf16.iter().flat_map(|unit| unit.to_be_bytes()));
            }
            Dense::LossyUtf32 => {
                self.expected.clear();
                self.expected.extend(text.utf32.iter().flat_map(|unit| unit.to_le_bytes()));
            }
            _ => {}
        }
        for &front in fronts {
            line.windows += text.windows;
            let from = FRONT - front;
            let src = &text.src[from..];
            let wrong = match dense {
                Dense::LossyUtf8 => {
                    let got = utfkit::utf8_to_utf8_lossy(src, &mut self.to8).unwrap_or(0);
                    differs(&self.to8[..got], &text.utf8[from..])
                }
                Dense::LossyUtf16 => {
                    let got = utfkit::utf8_to_utf16_lossy(src, &mut self.to16).unwrap_or(0);
                    differs(&self.to16[..got], &text.utf16[from..])
                }
                Dense::LossyUtf16Be => self.replaced(Encoding::Utf16Be, src, 2 * from),
                Dense::LossyUtf32 => self.replaced(Encoding::Utf32Le, src, 4 * from),
                Dense::CountErrors | Dense::SparseErrors => {
                    number(utfkit::errors(src, Standard::Rfc3629).count(), group.errors)
                }
                Dense::CountCodePoints => {
                    let starts = src.iter().filter(|byte| !(0x80..=0xBF).contains(*byte)).count();
                    number(utfkit::count_code_points(src), starts)
                }
                Dense::Utf16Len => {
                    let units = |byte: &u8| match byte {
                        0x80..=0xBF => 0,
                        0xF0..=0xFF => 2,
                        _ => 1,
                    };
                    number(utfkit::utf16_len_from_utf8(src), src.iter().map(units).sum())
                }
                Dense::SoundValidate => {
                    utfkit::validate(src, Standard::Rfc3629).err().map(|error| format!("got {error:?}"))
                }
                Dense::SoundUtf16 => {
                    let got = utfkit::utf8_to_utf16(src, &mut self.to16).unwrap_or(0);
                    differs(&self.to16[..got], &text.utf16[from..])
                }
                Dense::SoundUtf32 => {
                    let got = utfkit::utf8_to_utf32(src, &mut self.to32).unwrap_or(0);
                    differs(&self.to32[..got], &text.utf32[from..])
                }
            };
            if let Some(wrong) = wrong {
                line.mismatch(|| format!("{front} bytes before: {wrong}\n  source {}", show(src, 0)));
            }
        }
    }

    fn replaced(&mut self, to: Encoding, src: &[u8], from: usize) -> Option<String> {
        let policy = Policy::Replace(Practice::MaximalSubpart);
        let step = Transcoder::new(Encoding::Utf8, to, policy).transcode(src, &mut self.to8, true);
        differs(&self.to8[..step.written], &self.expected[from..])
    }
}

/// Describes the first difference, if any.
pub(crate) fn differs<D: PartialEq + std::fmt::UpperHex>(got: &[D], expected: &[D]) -> Option<String> {
    if got == expected {
        return None;
    }
    let at = got.iter().zip(expected).take_while(|(a, b)| a == b).count();
    Some(format!("unit {at} is wrong\n  got      {}\n  expected {}", show(got, at), show(expected, at)))
}

pub(crate) fn number(got: usize, expected: usize) -> Option<String> {
    (got != expected).then(|| format!("got {got}, expected {expected}"))
}
