//! Runs the operations for a counter controlled by marks in the output:
//! `aarch64/count.c` on AArch64.
//!
//! For each cell, a line is written to standard output three times, with one
//! call between the first two and two calls between the last two. The
//! difference of the two counts is one call. `aarch64/simdutf.cpp` does the
//! same with simdutf.

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::io::{self, Write};
use std::path::Path;

use utfkit::Standard;
use utfkit_testkit::random::Random;
use utfkit_testkit::text::Mixture;

use crate::cells::TEXTS;

/// Writes generated texts to files, if there are no others.
pub(crate) fn write_texts(folder: &Path) -> Result<(), Box<dyn Error>> {
    for mixture in &TEXTS {
        let text = Mixture::text(mixture, &mut Random::new(1), 48 << 10);
        fs::write(folder.join(format!("made-{}.utf8.txt", mixture.name)), text)?;
    }
    Ok(())
}

/// A code unit, read from a file in little-endian order.
trait Unit: Copy + Default {
    fn all_of(bytes: &[u8]) -> Vec<Self>;
}

impl Unit for u8 {
    fn all_of(bytes: &[u8]) -> Vec<u8> {
        bytes.to_vec()
    }
}

impl Unit for u16 {
    fn all_of(bytes: &[u8]) -> Vec<u16> {
        bytes.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]])).collect()
    }
}

impl Unit for u32 {
    fn all_of(bytes: &[u8]) -> Vec<u32> {
        bytes.chunks_exact(4).map(|unit| u32::from_le_bytes([unit[0], unit[1], unit[2], unit[3]])).collect()
    }
}

/// A text whose forms are files: NAME.8, NAME.16, NAME.32 and, if it has
/// characters of ISO-8859-1, those as NAME.l, NAME.l8, NAME.l16 and NAME.l32.
struct Text<'a> {
    folder: &'a Path,
    name: &'a str,
}

impl Text<'_> {
    fn form<U: Unit>(&self, extension: &str) -> Vec<U> {
        let file = self.folder.join(format!("{}.{extension}", self.name));
        fs::read(file).map(|bytes| U::all_of(&bytes)).unwrap_or_default()
    }

    fn cell<S: Unit>(&self, operation: &str, extension: &str, call: impl Fn(&[S]) -> bool) -> io::Result<()> {
        let src: Vec<S> = self.form(extension);
        if src.is_empty() {
            return Ok(());
        }
        let once = || assert!(black_box(call(black_box(&src))), "{operation} takes {} for ill-formed", self.name);
        let line = format!("utfkit\t{operation}\t{}\t{}\n", self.name, size_of_val(src.as_slice()));
        // Write the line in one call.
        let mut out = io::stdout().lock();
        once();
        out.write_all(line.as_bytes())?;
        once();
        out.write_all(line.as_bytes())?;
        once();
        once();
        out.write_all(line.as_bytes())
    }

    fn conversion<S: Unit, D: Unit>(
        &self,
        operation: &str,
        extension: &str,
        convert: fn(&[S], &mut [D]) -> Result<usize, utfkit::Error>,
    ) -> io::Result<()> {
        let len = self.form::<S>(extension).len();
        let dst = std::cell::RefCell::new(vec![D::default(); 4 * len]);
        self.cell(operation, extension, |src| convert(src, black_box(&mut dst.borrow_mut())).is_ok())
    }
}

/// Runs every operation on every named text.
pub(crate) fn run(folder: &Path, names: &[String]) -> io::Result<()> {
    for name in names {
        let text = Text { folder, name };
        text.cell("validate", "8", |src| utfkit::validate(src, Standard::Rfc3629).is_ok())?;
        text.cell("validate-16", "16", |src| utfkit::validate_utf16(src).is_ok())?;
        text.cell("validate-32", "32", |src| utfkit::validate_utf32(src).is_ok())?;
        text.conversion("8-16", "8", utfkit::utf8_to_utf16)?;
        text.conversion("16-8", "16", utfkit::utf16_to_utf8)?;
        text.conversion("8-32", "8", utfkit::utf8_to_utf32)?;
        text.conversion("32-8", "32", utfkit::utf32_to_utf8)?;
        text.conversion("16-32", "16", utfkit::utf16_to_utf32)?;
        text.conversion("32-16", "32", utfkit::utf32_to_utf16)?;
        text.conversion("latin1-8", "l", utfkit::latin1_to_utf8)?;
        text.conversion("8-latin1", "l8", utfkit::utf8_to_latin1)?;
        text.conversion("latin1-16", "l", utfkit::latin1_to_utf16)?;
        text.conversion("16-latin1", "l16", utfkit::utf16_to_latin1)?;
        text.conversion("latin1-32", "l", utfkit::latin1_to_utf32)?;
        text.conversion("32-latin1", "l32", utfkit::utf32_to_latin1)?;
        text.cell("count", "8", |src| utfkit::count_code_points(src) > 0)?;
        text.cell("len-16-of-8", "8", |src| utfkit::utf16_len_from_utf8(src) > 0)?;
        text.cell("len-8-of-16", "16", |src| utfkit::utf8_len_from_utf16(src) > 0)?;
        text.cell("len-8-of-32", "32", |src| utfkit::utf8_len_from_utf32(src) > 0)?;
        text.cell("len-8-of-latin1", "l", |src| utfkit::utf8_len_from_latin1(src) > 0)?;
    }
    Ok(())
}
