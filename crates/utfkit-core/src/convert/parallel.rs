//! Large slices on several cores, where the caller asks for it.
//!
//! Each function returns exactly what the one of the same name at the crate's
//! root returns, error offset and [`written`](Error::written) included. What
//! lies in the destination after that is unspecified, as there.
//!
//! ```
//! use std::num::NonZeroUsize;
//! use std::thread::available_parallelism;
//!
//! let threads = available_parallelism().unwrap_or(NonZeroUsize::MIN);
//! let text = "Grüße, 世界! ".repeat(100_000);
//! utfkit::parallel::validate(text.as_bytes(), threads)?;
//!
//! let mut units = vec![0; utfkit::utf16_len_from_utf8(text.as_bytes())];
//! let n = utfkit::parallel::utf8_to_utf16(text.as_bytes(), &mut units, threads)?;
//! assert_eq!(String::from_utf16(&units[..n]).unwrap(), text);
//! # Ok::<(), utfkit::Error>(())
//! ```
//!
//! # Cost
//!
//! The source is cut into as many parts as there are threads, each of 4 MiB at
//! the least: what is shorter than 8 MiB is done by the caller's thread alone.
//! Threads are started in each call and end with it, some fifty microseconds
//! for each; if one cannot be started, the caller's thread does its part. A
//! conversion first counts, on all threads, what each part will become, and so
//! reads the source twice. An error does not stop the other threads: a source
//! with an early one costs more than on one thread.
//!
//! # When it pays
//!
//! Where a core computes longer than the memory takes to deliver. With two
//! threads on two cores of an EPYC of the fourth generation, validation is 1.3
//! to 1.7 times as fast for 16 and 64 MiB; UTF-8 to UTF-16 is 1.1 to 1.4 times
//! as fast for 16 MiB, which the last cache holds with its result, and gains
//! nothing for 64 MiB, where one core keeps the memory busy. Measure on your
//! machine: `cargo run --release -- --op parallel --size 64M` in `bench/`.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::num::NonZeroUsize;
use std::thread::{Builder, scope};

use crate::engine::scalar::utf8::is_continuation;
use crate::engine::scalar::utf16::{is_high, is_low};
use crate::error::Error;
use crate::standard::Standard;

/// The least bytes of a part: with fewer, starting a thread costs more than it
/// gains.
const LEAST: usize = 4 << 20;

/// [`validate`](crate::validate()) by RFC 3629, on `threads` threads.
///
/// # Errors
///
/// The first ill-formed sequence: offset, length of its maximal subpart, kind.
///
/// ```
/// use utfkit::{ErrorKind, parallel};
///
/// let error = parallel::validate(b"/\xC0\xAE./", 2.try_into().unwrap()).unwrap_err();
/// assert_eq!((error.offset(), error.kind()), (1, ErrorKind::Overlong));
/// ```
pub fn validate(src: &[u8], threads: NonZeroUsize) -> Result<(), Error> {
    validate_in(&cut(src, parts(src, threads, LEAST), utf8_boundary), src)
}

/// [`utf8_to_utf16`](crate::utf8_to_utf16) on `threads` threads.
///
/// # Errors
///
/// As there.
pub fn utf8_to_utf16(src: &[u8], dst: &mut [u16], threads: NonZeroUsize) -> Result<usize, Error> {
    UTF8_TO_UTF16.run(src, dst, threads, LEAST)
}

/// [`utf8_to_utf32`](crate::utf8_to_utf32) on `threads` threads.
///
/// # Errors
///
/// As there.
pub fn utf8_to_utf32(src: &[u8], dst: &mut [u32], threads: NonZeroUsize) -> Result<usize, Error> {
    UTF8_TO_UTF32.run(src, dst, threads, LEAST)
}

/// [`utf16_to_utf8`](crate::utf16_to_utf8) on `threads` threads.
///
/// # Errors
///
/// As there.
pub fn utf16_to_utf8(src: &[u16], dst: &mut [u8], threads: NonZeroUsize) -> Result<usize, Error> {
    UTF16_TO_UTF8.run(src, dst, threads, LEAST)
}

/// [`utf16_to_utf8_lossy`](crate::utf16_to_utf8_lossy) on `threads` threads.
/// There is none from UTF-8: what damaged UTF-8 will become is not known
/// before it is converted.
///
/// # Errors
///
/// As there.
pub fn utf16_to_utf8_lossy(src: &[u16], dst: &mut [u8], threads: NonZeroUsize) -> Result<usize, Error> {
    UTF16_TO_UTF8_LOSSY.run(src, dst, threads, LEAST)
}

/// [`utf32_to_utf8`](crate::utf32_to_utf8) on `threads` threads.
///
/// # Errors
///
/// As there.
pub fn utf32_to_utf8(src: &[u32], dst: &mut [u8], threads: NonZeroUsize) -> Result<usize, Error> {
    UTF32_TO_UTF8.run(src, dst, threads, LEAST)
}

/// A conversion on one thread, and what it takes to do it in parts.
struct Conversion<S: 'static, D: 'static> {
    /// The boundary between characters at a place or shortly before it; any
    /// place near it where there is none, which only ill-formed text has.
    boundary: fn(&[S], usize) -> usize,
    /// The units that well-formed text becomes. Of other text at least what its
    /// well-formed prefix becomes.
    len: fn(&[S]) -> usize,
    convert: fn(&[S], &mut [D]) -> Result<usize, Error>,
}

const UTF8_TO_UTF16: Conversion<u8, u16> =
    Conversion { boundary: utf8_boundary, len: crate::utf16_len_from_utf8, convert: crate::utf8_to_utf16 };

const UTF8_TO_UTF32: Conversion<u8, u32> =
    Conversion { boundary: utf8_boundary, len: crate::count_code_points, convert: crate::utf8_to_utf32 };

const UTF16_TO_UTF8: Conversion<u16, u8> =
    Conversion { boundary: utf16_boundary, len: crate::utf8_len_from_utf16, convert: crate::utf16_to_utf8 };

const UTF16_TO_UTF8_LOSSY: Conversion<u16, u8> =
    Conversion { boundary: utf16_boundary, len: crate::utf8_len_from_utf16, convert: crate::utf16_to_utf8_lossy };

const UTF32_TO_UTF8: Conversion<u32, u8> =
    Conversion { boundary: |_, at| at, len: crate::utf8_len_from_utf32, convert: crate::utf32_to_utf8 };

fn utf8_boundary(src: &[u8], at: usize) -> usize {
    let back = src[..=at].iter().rev().take(3).take_while(|&&byte| is_continuation(byte)).count();
    at - back.min(at)
}

fn utf16_boundary(src: &[u16], at: usize) -> usize {
    if at > 0 && is_high(src[at - 1]) && is_low(src[at]) { at - 1 } else { at }
}

/// Into how many parts `src` is cut.
fn parts<S>(src: &[S], threads: NonZeroUsize, least: usize) -> usize {
    threads.get().min(size_of_val(src) / least).max(1)
}

/// `src` in so many parts, of about the same length.
fn cut<S>(mut src: &[S], parts: usize, boundary: fn(&[S], usize) -> usize) -> Vec<&[S]> {
    let mut all = Vec::with_capacity(parts);
    for left in (2..=parts).rev() {
        let at = src.len() / left;
        let (part, rest) = src.split_at(if at == 0 { 0 } else { boundary(src, at) });
        all.push(part);
        src = rest;
    }
    all.push(src);
    all
}

/// Calls `work` with each of `items`, the first one on this thread and each
/// other on one of its own. `None` for one whose thread could not be started.
fn each<I: Send, T: Send>(items: impl IntoIterator<Item = I>, work: impl Fn(I) -> T + Sync) -> Vec<Option<T>> {
    let work = &work;
    let items: Vec<I> = items.into_iter().collect();
    let mut results: Vec<Option<T>> = items.iter().map(|_| None).collect();
    let tasks = items.into_iter().zip(&mut results);
    all_at_once(tasks.map(|(item, result)| Box::new(move || *result = Some(work(item))) as Task<'_>).collect());
    results
}

type Task<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Runs the first task on this thread and each other on one of its own; those
/// whose thread cannot be started not at all. Compiled once for all of them.
fn all_at_once(tasks: Vec<Task<'_>>) {
    scope(|scope| {
        let mut tasks = tasks.into_iter();
        let first = tasks.next();
        for task in tasks {
            // What is not started is dropped, and has no result.
            let _ = Builder::new().spawn_scoped(scope, task);
        }
        if let Some(first) = first {
            first();
        }
    });
}

/// Goes on from the first part that is not well-formed on its own, as what is
/// wrong there may be that it was cut.
fn validate_in(parts: &[&[u8]], src: &[u8]) -> Result<(), Error> {
    let one = |part: &[u8]| crate::validate(part, Standard::Rfc3629);
    if let [_] = parts {
        return one(src);
    }
    let mut at = 0;
    for (part, done) in parts.iter().zip(each(parts, |part| one(part))) {
        match done {
            Some(Ok(())) => at += part.len(),
            Some(Err(error)) => {
                at += error.offset();
                break;
            }
            None => break,
        }
    }
    one(&src[at..]).map_err(|error| error.shifted(at))
}

impl<S: Sync, D: Send> Conversion<S, D> {
    /// Every part that certainly has space goes to a place of its own. One
    /// thread goes on from the first part that has none, or is not well-formed
    /// on its own: it ends within that part, and says what one thread says.
    fn run(&self, src: &[S], dst: &mut [D], threads: NonZeroUsize, least: usize) -> Result<usize, Error> {
        let parts = cut(src, parts(src, threads, least), self.boundary);
        if let [_] = parts[..] {
            return (self.convert)(src, dst);
        }
        let lens = each(&parts, |part| (self.len)(part));

        let mut spaces = Vec::with_capacity(parts.len());
        let mut rest = &mut *dst;
        for (part, len) in parts.iter().zip(lens) {
            let Some((space, after)) = len.and_then(|len| rest.split_at_mut_checked(len)) else { break };
            spaces.push((*part, space));
            rest = after;
        }
        let (mut read, mut written) = (0, 0);
        let lens: Vec<_> = spaces.iter().map(|(part, space)| (part.len(), space.len())).collect();
        for ((part, space), done) in lens.into_iter().zip(each(spaces, |(part, space)| (self.convert)(part, space))) {
            match done {
                Some(Ok(len)) => {
                    read += part;
                    written += len;
                    if len != space {
                        break;
                    }
                }
                Some(Err(error)) => {
                    read += error.offset();
                    written += error.written();
                    break;
                }
                None => break,
            }
        }
        match (self.convert)(&src[read..], &mut dst[written..]) {
            Ok(more) => Ok(written + more),
            Err(error) => Err(error.shifted(read).with_written(written + error.written())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::fmt::Debug;
    use utfkit_testkit::mutate;
    use utfkit_testkit::patterns::ill_formed;
    use utfkit_testkit::random::Random;
    use utfkit_testkit::text::MIXTURES;

    /// Compares with one thread, for parts as short as a unit.
    fn same<S: Sync + Debug, D: Send + Clone + Default + PartialEq + Debug>(
        conversion: &Conversion<S, D>,
        src: &[S],
        spaces: impl IntoIterator<Item = usize>,
    ) {
        for space in spaces {
            for threads in [2, 5] {
                let mut one = alloc::vec![D::default(); space];
                let mut all = one.clone();
                let expected = (conversion.convert)(src, &mut one);
                let got = conversion.run(src, &mut all, NonZeroUsize::new(threads).unwrap(), 1);
                assert_eq!(got, expected, "{threads} threads, space for {space}, {src:02X?}");
                let written = expected.unwrap_or_else(|e| e.written());
                assert_eq!(all[..written], one[..written], "{threads} threads, space for {space}, {src:02X?}");
            }
        }
    }

    fn every_space(full: usize) -> impl Iterator<Item = usize> {
        [0, full / 2, full.saturating_sub(1), full].into_iter()
    }

    fn from_utf8(src: &[u8]) {
        for threads in [2, 5] {
            let parts = cut(src, parts(src, NonZeroUsize::new(threads).unwrap(), 1), utf8_boundary);
            let got = validate_in(&parts, src);
            assert_eq!(got, crate::validate(src, Standard::Rfc3629), "{threads} threads, {src:02X?}");
        }
        same(&UTF8_TO_UTF16, src, every_space(crate::utf16_len_from_utf8(src)));
        same(&UTF8_TO_UTF32, src, every_space(crate::count_code_points(src)));
    }

    fn from_utf16(src: &[u16]) {
        same(&UTF16_TO_UTF8, src, every_space(crate::utf8_len_from_utf16(src)));
        same(&UTF16_TO_UTF8_LOSSY, src, every_space(crate::utf8_len_from_utf16(src)));
    }

    #[test]
    fn an_error_near_a_cut_is_what_one_thread_says() {
        let patterns = ill_formed();
        // Cuts of two and of three parts are in the middle and near it.
        for (i, pattern) in patterns.iter().enumerate().step_by(7) {
            let filler = ["a", "\u{E9}", "\u{20AC}", "\u{1F600}"][i % 4];
            for before in (0..12).step_by(1 + i % 2) {
                let text = [filler.repeat(before).as_bytes(), &pattern.bytes, filler.repeat(6).as_bytes()].concat();
                from_utf8(&text);
            }
        }
    }

    #[test]
    fn every_cut_of_text_is_what_one_thread_says() {
        for (i, mixture) in MIXTURES.iter().enumerate() {
            let mut random = Random::new(i as u64);
            for len in [0, 1, 2, 3, 5, 8, 30, 100] {
                let text = mixture.text(&mut random, len);
                from_utf8(text.as_bytes());
                let mut units: Vec<u16> = text.encode_utf16().collect();
                from_utf16(&units);
                mutate::units16(&mut units, &mut random);
                from_utf16(&units);
                let mut values: Vec<u32> = text.chars().map(u32::from).collect();
                same(&UTF32_TO_UTF8, &values, every_space(text.len()));
                mutate::units32(&mut values, &mut random);
                same(&UTF32_TO_UTF8, &values, every_space(text.len()));
            }
        }
    }

    #[test]
    fn parts_are_cut_between_characters() {
        let text = "\u{1F600}".repeat(10);
        for threads in 2..10 {
            for part in cut(text.as_bytes(), threads, utf8_boundary) {
                assert!(core::str::from_utf8(part).is_ok());
            }
            let units: Vec<u16> = text.encode_utf16().collect();
            for part in cut(&units, threads, utf16_boundary) {
                assert!(crate::validate_utf16(part).is_ok());
            }
        }
        assert_eq!(parts(&[0u8; 100], NonZeroUsize::MAX, 30), 3);
        assert_eq!(parts(&[0u8; 0], NonZeroUsize::MAX, 30), 1);
    }
}
