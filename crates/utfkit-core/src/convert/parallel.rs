//! Large slices on several threads.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::num::NonZeroUsize;
use std::thread::{Builder, scope};

use super::conversion::{Conversion, utf8_boundary};
use crate::error::Error;
use utfkit_forms::Standard;

/// The least bytes of a part: with fewer, starting a thread costs more than it
/// gains.
const LEAST: usize = 4 << 20;

/// [`validate`](crate::validate()) by RFC 3629 on `threads` threads.
///
/// The source is cut as by
/// [`Conversion::convert_parallel`](crate::conversion::Conversion::convert_parallel).
/// On two cores of Zen 4 it is 1.3 to 1.7 times as fast for 16 to 64 MiB.
///
/// # Errors
///
/// The first ill-formed sequence: offset, length of its maximal subpart, kind.
///
/// ```
/// use utfkit::ErrorKind;
///
/// let error = utfkit::validate_parallel(b"/\xC0\xAE./", 2.try_into().unwrap()).unwrap_err();
/// assert_eq!((error.offset(), error.kind()), (1, ErrorKind::Overlong));
/// ```
#[cfg(feature = "parallel")]
pub fn validate_parallel(src: &[u8], threads: NonZeroUsize) -> Result<(), Error> {
    validate_in(&cut(src, parts(src, threads, LEAST), utf8_boundary), src)
}

/// The number of parts into which `src` is cut.
fn parts<S>(src: &[S], threads: NonZeroUsize, least: usize) -> usize {
    threads.get().min(size_of_val(src) / least).max(1)
}

/// Cuts `src` into `parts` parts of about equal length.
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
/// other on a new thread. `None` where a thread could not be started.
fn each<I: Send, T: Send>(items: impl IntoIterator<Item = I>, work: impl Fn(I) -> T + Sync) -> Vec<Option<T>> {
    let work = &work;
    let items: Vec<I> = items.into_iter().collect();
    let mut results: Vec<Option<T>> = items.iter().map(|_| None).collect();
    let tasks = items.into_iter().zip(&mut results);
    all_at_once(tasks.map(|(item, result)| Box::new(move || *result = Some(work(item))) as Task<'_>).collect());
    results
}

type Task<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Runs the first task on this thread and each other on a new thread; drops a
/// task whose thread cannot be started. Not generic, so compiled once.
fn all_at_once(tasks: Vec<Task<'_>>) {
    scope(|scope| {
        let mut tasks = tasks.into_iter();
        let first = tasks.next();
        for task in tasks {
            let _ = Builder::new().spawn_scoped(scope, task);
        }
        if let Some(first) = first {
            first();
        }
    });
}

/// Continues on one thread at the first part that is not well-formed alone: the
/// cut may be all that is wrong with it.
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
    /// Converts a large slice on `threads` threads; returns exactly what the
    /// function of the same name returns, error offset and
    /// [`written`](Error::written) included.
    ///
    /// The source is cut into one part per thread, each at least 4 MiB long:
    /// a source below 8 MiB is converted by the caller's thread alone. Threads
    /// are started in each call and end with it, at some 50 µs each. The length
    /// of each part's result is computed first, so the source is read twice. An
    /// error does not stop the other threads. `UTF8_TO_UTF16_LOSSY` and
    /// `UTF8_TO_UTF8_LOSSY`, whose results have no length that can be computed
    /// beforehand, use one thread.
    ///
    /// It pays where a core computes longer than the memory takes to deliver: on
    /// two cores of Zen 4, UTF-8 to UTF-16 of 16 MiB is 1.1 to 1.4 times as fast,
    /// and 64 MiB gain nothing.
    ///
    /// ```
    /// use std::thread::available_parallelism;
    /// use utfkit::conversion::UTF8_TO_UTF16;
    ///
    /// let text = "Grüße, 世界! ".repeat(100_000);
    /// let mut units = vec![0; utfkit::utf16_len_from_utf8(text.as_bytes())];
    /// let n = UTF8_TO_UTF16.convert_parallel(text.as_bytes(), &mut units, available_parallelism().unwrap())?;
    /// assert_eq!(String::from_utf16(&units[..n]).unwrap(), text);
    /// # Ok::<(), utfkit::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of the function of the same name.
    pub fn convert_parallel(&self, src: &[S], dst: &mut [D], threads: NonZeroUsize) -> Result<usize, Error> {
        self.run(src, dst, threads, LEAST)
    }

    /// Each part that certainly fits is converted into a place of its own. One
    /// thread continues at the first part that does not fit, or is not
    /// well-formed alone, and so finds the error that one thread finds.
    fn run(&self, src: &[S], dst: &mut [D], threads: NonZeroUsize, least: usize) -> Result<usize, Error> {
        let Some(boundary) = self.boundary else { return (self.convert)(src, dst) };
        let parts = cut(src, parts(src, threads, least), boundary);
        if let [_] = parts[..] {
            return (self.convert)(src, dst);
        }
        let lens = each(&parts, |part| (self.capacity)(part));

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
    use crate::conversion::*;
    use crate::convert::conversion::utf16_boundary;
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
