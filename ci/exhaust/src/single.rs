//! A call for each window: the results of strict functions.

use utfkit::{Error, Standard};

use crate::expected::{FirstError, Group, LONGEST, Window};
use crate::tally::Line;

/// The position of a window: numbers of ASCII bytes before and after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) before: usize,
    pub(crate) after: usize,
}

impl Place {
    pub(crate) fn name(self) -> String {
        match self {
            Place { before: 0, after: 0 } => "alone".to_owned(),
            Place { before, after: 0 } => format!("{before} bytes before, at the end"),
            Place { before, after } => format!("{before} bytes before, {after} after"),
        }
    }
}

/// A function called with one window at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Single {
    Validate,
    Errors,
    ToUtf16,
    ToUtf32,
    ToLatin1,
}

pub(crate) const SINGLES: [Single; 5] =
    [Single::Validate, Single::Errors, Single::ToUtf16, Single::ToUtf32, Single::ToLatin1];

impl Single {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Single::Validate => "validate",
            Single::Errors => "errors, the first",
            Single::ToUtf16 => "utf8_to_utf16",
            Single::ToUtf32 => "utf8_to_utf32",
            Single::ToLatin1 => "utf8_to_latin1",
        }
    }
}

/// Maximum length of a text.
const MOST: usize = 1024;

/// The buffers of one thread.
pub(crate) struct Desk {
    ascii: [u8; MOST],
    wide: [u16; MOST],
    widest: [u32; MOST],
    src: [u8; MOST],
    to8: [u8; MOST],
    to16: [u16; MOST],
    to32: [u32; MOST],
}

impl Desk {
    pub(crate) fn new() -> Desk {
        let mut ascii = [0; MOST];
        for (i, byte) in ascii.iter_mut().enumerate() {
            *byte = 0x20 + (i % 95) as u8;
        }
        Desk {
            ascii,
            wide: ascii.map(u16::from),
            widest: ascii.map(u32::from),
            src: ascii,
            to8: [0; MOST],
            to16: [0; MOST],
            to32: [0; MOST],
        }
    }

    /// Runs `single` on each window of `group` at `place`.
    pub(crate) fn run(&mut self, single: Single, place: Place, group: &Group, line: &mut Line) {
        let Place { before, after } = place;
        let len = before + group.len + after;
        self.src[..len].copy_from_slice(&self.ascii[..len]);
        line.windows += group.windows.len() as u64;
        for window in &group.windows {
            self.src[before..before + group.len].copy_from_slice(&window.bytes[..group.len]);
            let error = if after == 0 { window.at_end } else { window.within };
            let right = match single {
                Single::Validate => {
                    let got = utfkit::validate(&self.src[..len], Standard::Rfc3629).err();
                    verdict(got) == moved_by(error, before)
                }
                Single::Errors => {
                    let got = utfkit::errors(&self.src[..len], Standard::Rfc3629).next();
                    verdict(got) == moved_by(error, before)
                }
                Single::ToUtf16 => self.utf16(window, error, place, len),
                Single::ToUtf32 => self.utf32(window, error, place, len),
                Single::ToLatin1 => self.latin1(window, place, len),
            };
            if !right {
                line.mismatch(|| {
                    let window = &window.bytes[..group.len];
                    let src = &self.src[..len];
                    let got = match single {
                        Single::Validate => format!("{:?}", utfkit::validate(src, Standard::Rfc3629)),
                        Single::Errors => format!("{:?}", utfkit::errors(src, Standard::Rfc3629).next()),
                        Single::ToUtf16 => format!("{:?}", utfkit::utf8_to_utf16(src, &mut self.to16)),
                        Single::ToUtf32 => format!("{:?}", utfkit::utf8_to_utf32(src, &mut self.to32)),
                        Single::ToLatin1 => format!("{:?}", utfkit::utf8_to_latin1(src, &mut self.to8)),
                    };
                    format!(
                        "{window:02X?} with {} in {len} bytes:\n  got      {got}\n  expected an error at {:?}, or another output",
                        place.name(),
                        moved_by(error, before),
                    )
                });
            }
        }
    }

    fn utf16(&mut self, window: &Window, error: FirstError, place: Place, len: usize) -> bool {
        let dst = &mut self.to16;
        dst[place.before..place.before + LONGEST].fill(0xA5A5);
        let got = utfkit::utf8_to_utf16(&self.src[..len], dst);
        is_right(got, error, place, len, &self.wide, window.units(), dst)
    }

    fn utf32(&mut self, window: &Window, error: FirstError, place: Place, len: usize) -> bool {
        let dst = &mut self.to32;
        dst[place.before..place.before + LONGEST].fill(0xA5A5_A5A5);
        let got = utfkit::utf8_to_utf32(&self.src[..len], dst);
        is_right(got, error, place, len, &self.widest, window.values(), dst)
    }

    fn latin1(&mut self, window: &Window, place: Place, len: usize) -> bool {
        let (values, error) = window.latin1(place.after == 0);
        let mut narrow = [0; LONGEST];
        for (to, &value) in narrow.iter_mut().zip(values) {
            *to = value as u8;
        }
        let dst = &mut self.to8;
        dst[place.before..place.before + LONGEST].fill(0xA5);
        let got = utfkit::utf8_to_latin1(&self.src[..len], dst);
        is_right(got, error, place, len, &self.ascii, &narrow[..values.len()], dst)
    }
}

/// An error in the form of [`FirstError`].
fn verdict(error: Option<Error>) -> FirstError {
    error.map(|error| (error.offset(), error.error_len()))
}

fn moved_by(error: FirstError, before: usize) -> FirstError {
    error.map(|(offset, len)| (before + offset, len))
}

/// True if a conversion ended at the error, or at the end of the text, and
/// wrote the surrounding ASCII with `middle` in between.
fn is_right<D: PartialEq>(
    got: Result<usize, Error>,
    error: FirstError,
    Place { before, after }: Place,
    len: usize,
    ascii: &[D],
    middle: &[D],
    dst: &[D],
) -> bool {
    let end = before + middle.len();
    let (ends_right, tail) = match (got, error) {
        // After the window, the text continues like `ascii`.
        (Ok(written), None) => (written == end + after, &ascii[len - after..len]),
        (Err(got), Some(_)) => (verdict(Some(got)) == moved_by(error, before) && got.written() == end, &ascii[..0]),
        _ => return false,
    };
    ends_right && dst[..before] == ascii[..before] && dst[before..end] == *middle && dst[end..end + tail.len()] == *tail
}
