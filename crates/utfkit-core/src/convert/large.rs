//! Conversions larger than the caches.
//!
//! US-ASCII is limited by memory, and there streaming stores are faster: a cache line
//! is not read before it is overwritten. They are slower below the cache's size,
//! where computing a character takes longer than storing it, and where less is
//! written than read. So the US-ASCII of a source that does not fit a cache together
//! with its result is streamed past the caches, and everything else is stored as in a
//! short source. Measured on Zen 4 with 64 MiB of US-ASCII: to UTF-16 1.3 to 1.6
//! times as fast, to UTF-32 1.3 times, from UTF-16 to UTF-32 1.35 times, from UTF-8
//! or ISO-8859-1 to UTF-8 1.15 to 1.35 times.

use crate::engine::fast_path::FastPath;
use crate::engine::kernel::ascii_lines::{GROUP, ascii_lines};
use crate::engine::progress::{OnError, Progress};
use crate::engine::simd::past_cache::LINE;

/// The least bytes of source and result together. Measured from 24 MiB on, with a
/// shared cache of 32 MiB, which few processors exceed per core. A constant, because
/// `no_std` code cannot ask for the size of the cache.
const LARGE: usize = 32 << 20;

/// The most units that the fast path takes before the next search for US-ASCII.
const MOST: usize = 1 << 18;

/// A run of this many units makes another one likely. Short runs cost more than they
/// gain: the fence at the end of each waits for all its stores.
const LONG: usize = 1 << 16;

/// True if [`convert`] may be faster than the fast path alone, for `units` units of
/// `from` bytes that become units of `to` bytes.
#[inline(always)]
pub(crate) fn is_large(units: usize, from: usize, to: usize) -> bool {
    from <= to && units.saturating_mul(from + to) >= LARGE
}

/// The number of US-ASCII units that begin a run. Text with another character every
/// few hundred units loses by short runs.
const SAMPLE: usize = if cfg!(test) { GROUP } else { 16 * GROUP };

/// Runs `path`, for units of `from` bytes that become units of `to` bytes, in native
/// order.
#[cold]
#[inline(never)]
pub(crate) fn convert(
    path: FastPath,
    from: usize,
    to: usize,
    src: &[u8],
    dst: &mut [u8],
    on_error: OnError,
) -> Progress {
    let mut done = Progress::default();
    let mut units = GROUP;
    loop {
        let (src, dst) = (&src[done.read..], &mut dst[done.written..]);
        let front = ascii(path, from, to, src, dst);
        units = if front.read >= LONG * from { GROUP } else { MOST.min(2 * units) };

        let rest = &src[front.read..];
        let len = rest.len().min(units * from);
        let more = path.convert(&rest[..len], &mut dst[front.written..], on_error);
        done.read += front.read + more.read;
        done.written += front.written + more.written;
        done.replaced |= front.replaced | more.replaced;
        // The path took everything but a sequence at the cut. The next call finds
        // that sequence at its front.
        if more.read == rest.len() || more.read == 0 || more.read + 8 < len {
            return done;
        }
    }
}

/// Streams groups of US-ASCII from the front of `src`.
fn ascii(path: FastPath, from: usize, to: usize, src: &[u8], dst: &mut [u8]) -> Progress {
    // In UTF-16 this is a guess, which `ascii_lines` verifies.
    if !src.get(..SAMPLE * from).is_some_and(<[u8]>::is_ascii) {
        return Progress::default();
    }
    // The units before the first cache line of the destination.
    let units = dst.as_ptr().align_offset(LINE) / to;
    let (Some(front), Some(space)) = (src.get(..units * from), dst.get_mut(..units * to)) else {
        return Progress::default();
    };
    let done = path.convert(front, space, OnError::Stop);
    if (done.read, done.written) != (front.len(), space.len()) {
        return Progress::default();
    }
    let (src, dst) = (&src[done.read..], &mut dst[done.written..]);
    let units = match (from, to) {
        (1, 1) => ascii_lines::<1, 1>(src, dst),
        (1, 2) => ascii_lines::<1, 2>(src, dst),
        (1, 4) => ascii_lines::<1, 4>(src, dst),
        (2, 4) => ascii_lines::<2, 4>(src, dst),
        _ => 0,
    };
    if units == 0 {
        // Nothing was streamed. The fast path takes the bytes again, because stores
        // of whole lines would be slower.
        return Progress::default();
    }
    Progress { read: done.read + units * from, written: done.written + units * to, ..done }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::engine::fast_path::{self, Convert};
    use crate::engine::memory::{Plain, bytes_of, bytes_of_mut};
    use crate::isa;
    use alloc::vec::Vec;
    use utfkit_testkit::guard::{self, Guarded, PLACES};
    use utfkit_testkit::random::Random;
    use utfkit_testkit::text::MIXTURES;

    /// Compares with the fast path for every end of the memory, with exact capacity, a
    /// little less, and far less.
    fn same<S: Plain + guard::Plain, D: Plain + guard::Plain + Default>(
        convert: Convert,
        on_error: OnError,
        src: &[S],
        walls: &mut [Guarded; 2],
    ) {
        let [from, to] = walls;
        let path = FastPath::native(convert, size_of::<S>(), size_of::<D>());
        let mut expected = Vec::new();
        expected.resize(3 * src.len() + 1, D::default());
        let full = path.convert(bytes_of(src), bytes_of_mut(&mut expected), on_error).written / size_of::<D>();
        for space in [full + 70, full, full.saturating_sub(1), full.saturating_sub(100), full / 2] {
            let wanted = path.convert(bytes_of(src), bytes_of_mut(&mut expected[..space]), on_error);
            for place in PLACES {
                let src = bytes_of(from.copy(place, src));
                let dst = bytes_of_mut(to.slice::<D>(place, space));
                let got = super::convert(path, size_of::<S>(), size_of::<D>(), src, dst, on_error);
                assert_eq!(got, wanted, "{} bytes, space for {space}", src.len());
                assert!(dst[..got.written] == bytes_of(&expected)[..got.written], "{} bytes", src.len());
            }
        }
    }

    fn from_utf8(src: &[u8], walls: &mut [Guarded; 2]) {
        same::<u8, u16>(fast_path::utf8_to_utf16, OnError::Stop, src, walls);
        same::<u8, u16>(fast_path::utf8_to_utf16, OnError::Replace, src, walls);
        same::<u8, u32>(fast_path::utf8_to_utf32, OnError::Stop, src, walls);
        same::<u8, u8>(fast_path::utf8_to_utf8, OnError::Replace, src, walls);
        same::<u8, u8>(fast_path::utf8_to_latin1, OnError::Stop, src, walls);
        same::<u8, u8>(fast_path::latin1_to_utf8, OnError::Stop, src, walls);
    }

    #[test]
    fn it_is_what_the_row_does() {
        let mut walls = [Guarded::new(1 << 16), Guarded::new(1 << 18)];
        for isa in isa::available() {
            isa::set(isa).unwrap();
            let mut random = Random::new(1);
            // An error, or a character, at an end of a group and inside one.
            let mut ascii: Vec<u8> = (0..3 * GROUP + 100).map(|_| random.between(0, 0x7F) as u8).collect();
            from_utf8(&ascii, &mut walls);
            for at in [0, 1, 40, GROUP - 2, GROUP - 1, GROUP, GROUP + 63, 2 * GROUP + 1, 3 * GROUP + 99] {
                for what in ["\u{E9}".as_bytes(), "\u{1F600}".as_bytes(), b"\xFF", b"\xE2\x82"] {
                    let mut damaged = ascii.clone();
                    damaged.splice(at..at, what.iter().copied());
                    from_utf8(&damaged, &mut walls);
                }
            }
            for mixture in &MIXTURES {
                let text = mixture.text(&mut random, 2500);
                from_utf8(text.as_bytes(), &mut walls);
                let mut units: Vec<u16> = text.encode_utf16().collect();
                units.splice(100..100, ascii.iter().map(|&byte| byte.into()));
                same::<u16, u32>(fast_path::utf16_to_utf32, OnError::Stop, &units, &mut walls);
                units[GROUP + 50] = 0xD800;
                same::<u16, u32>(fast_path::utf16_to_utf32, OnError::Stop, &units, &mut walls);
            }
            ascii.truncate(GROUP + 10);
            for len in 0..130 {
                from_utf8(&ascii[..ascii.len() - len], &mut walls);
            }
        }
    }
}
