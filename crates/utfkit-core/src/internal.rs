//! Parts of the codec that the other crates of this workspace share, so that no
//! encoding form is defined twice. Not covered by semantic versioning: use the
//! public functions.

use crate::encoding::Encoding;
use crate::engine::codec::{Source, Target};
use crate::engine::row::{Clause, Kernels, Order};
use utfkit_forms::ErrorKind;
use utfkit_forms::Standard;

#[cfg(feature = "legacy")]
pub use crate::engine::kernel::single_bytes::{Characters, Highest};
pub use crate::engine::small_bytes::SmallBytes;
pub use crate::engine::validate::first_error;
pub use crate::label::html::label_of_html;
pub use crate::text::order::common_prefix;
pub use crate::transcode::{ErrorCount, PartWriter};
pub use utfkit_forms::scalar::ascii::ascii_prefix;
pub use utfkit_forms::scalar::cesu8::Cesu8;
pub use utfkit_forms::scalar::ibm437::Ibm437;
pub use utfkit_forms::scalar::{
    Decoded, Encoded, Form, LONGEST, MAX_CODE_POINT, REPLACEMENT, is_scalar_value, is_surrogate,
};

/// UTF-8, one value at a time.
pub mod utf8 {
    pub use utfkit_forms::scalar::short::{decode_utf8 as decode_scalar, encode_utf8 as encode_scalar};
    pub use utfkit_forms::scalar::utf8::{
        Sequence, Utf8, announced_len, awaits_low_surrogate, cesu8_pair, decode, doomed_kind, encode_31_bits,
        is_continuation, read_leniently, sequence, sequence_of, split_well_formed, well_formed_len,
    };
}

/// UTF-16, one value at a time.
pub mod utf16 {
    pub use utfkit_forms::scalar::utf16::{Utf16, is_high, is_low, join};
}

/// Counts the controls of US-ASCII that are not white space: 00 to 1F without
/// 09, 0A, 0C and 0D.
#[inline]
pub fn count_controls(bytes: &[u8]) -> usize {
    use crate::engine::kernel::count::{Controls, total};
    total(Controls, bytes)
}

/// Counts line feeds. Out of line, to compile the kernel once.
#[inline(never)]
pub fn count_line_feeds(bytes: &[u8]) -> usize {
    use crate::engine::kernel::count::{Other, total};
    bytes.len() - total(Other(b'\n'), bytes)
}

/// The decoder of an encoding, with its state, one value at a time.
#[derive(Clone, Debug)]
pub struct Decoder(Source);

impl Decoder {
    /// The decoder at the beginning of a stream. That of UTF-16 and UTF-32 is for
    /// text without a BOM: big-endian.
    #[inline]
    pub fn new(encoding: Encoding) -> Decoder {
        Decoder(encoding.source())
    }

    /// `new(Encoding::Utf8)`, which does not link all other encodings.
    #[inline]
    pub const fn utf8() -> Decoder {
        Decoder(Source::UTF8)
    }

    /// Reads the front of `src`, which is not empty; `last` is true if nothing
    /// follows it. [`LONGEST`] bytes suffice for every decision.
    #[inline]
    pub fn decode(&mut self, src: &[u8], last: bool) -> Decoded {
        self.0.decode(src, last)
    }

    /// True if each byte below 80 at the start of a value is US-ASCII.
    pub fn is_ascii_transparent(&self) -> bool {
        self.0.is_ascii_transparent()
    }

    /// True if the next bytes are read as at the beginning of a stream.
    pub fn is_initial(&self) -> bool {
        self.0.is_initial()
    }

    /// True between the switches of ISO-2022-UTF-8, where the text is UTF-8.
    pub fn is_inside(&self) -> bool {
        self.0.is_inside()
    }

    /// See [`Transcoder::source_state`](crate::Transcoder::source_state).
    pub fn state(&self) -> u32 {
        self.0.state()
    }

    /// Goes to the state after a source that ended in `state`.
    pub fn set_state(&mut self, state: u32) {
        self.0.set_state(state);
    }
}

/// The encoder of an encoding, with its state, one value at a time.
#[derive(Clone, Debug)]
pub struct Encoder(Target);

impl Encoder {
    /// The encoder at the beginning of a stream. That of UTF-16 and UTF-32 is big-endian and writes no BOM.
    #[inline]
    pub fn new(encoding: Encoding) -> Encoder {
        Encoder(encoding.target())
    }

    /// The bytes of `value` and of the changes of state before it: none, if it is pending. `None` if the
    /// encoding lacks it; nothing has changed then.
    #[inline]
    pub fn encode(&mut self, value: u32) -> Option<Encoded<u8>> {
        self.0.encode(value)
    }

    /// Ends the text: a pending value, and the change back to the first state.
    pub fn finish(&mut self) -> Encoded<u8> {
        self.0.finish()
    }

    /// See [`Transcoder::target_state`](crate::Transcoder::target_state).
    pub fn state(&self) -> u32 {
        self.0.state()
    }

    /// Goes to the state after output that ended in `state`.
    pub fn set_state(&mut self, state: u32) {
        self.0.set_state(state);
    }
}

/// True if the sequences of `encoding` have the shape of UTF-8.
pub const fn is_like_utf8(encoding: Encoding) -> bool {
    encoding.is_like_utf8()
}

/// True if a decoder that begins anywhere is right after a few bytes: the meaning of
/// bytes does not depend on all earlier ones.
pub fn is_self_synchronizing(encoding: Encoding) -> bool {
    #[cfg(feature = "legacy")]
    if let Encoding::Legacy(legacy) = encoding {
        return legacy.is_single_byte();
    }
    let is_of_one = encoding.row().lengths.most.iter().all(|bytes| *bytes == 1);
    !encoding.source().depends_on_all() && (encoding.is_like_utf8() || encoding.unit_size() > 1 || is_of_one)
}

/// The bytes of an encoding that a table defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tables {
    None,
    /// Those between sections of UTF-8.
    OutsideUtf8,
    All,
}

/// See [`Tables`].
pub fn tables(encoding: Encoding) -> Tables {
    match encoding {
        #[cfg(feature = "legacy")]
        Encoding::Legacy(_) => Tables::All,
        #[cfg(feature = "legacy")]
        Encoding::Iso2022Utf8In(_) => Tables::OutsideUtf8,
        _ => Tables::None,
    }
}

/// The unit of 16 or 32 bits at the front of `src`.
#[inline]
pub fn unit(encoding: Encoding, src: &[u8]) -> Option<u32> {
    let row = encoding.row();
    let little = match row.kernels {
        Kernels::Own(_, order) | Kernels::Shared(_, order, _) => order == Order::Little,
        Kernels::None => return None,
    };
    match (row.unit, little, src) {
        (2, true, &[a, b, ..]) => Some(u16::from_le_bytes([a, b]).into()),
        (2, false, &[a, b, ..]) => Some(u16::from_be_bytes([a, b]).into()),
        (4, true, &[a, b, c, d, ..]) => Some(u32::from_le_bytes([a, b, c, d])),
        (4, false, &[a, b, c, d, ..]) => Some(u32::from_be_bytes([a, b, c, d])),
        _ => None,
    }
}

/// The standard of an encoding that is UTF-8 by some standard.
#[inline]
pub fn own_standard(encoding: Encoding) -> Option<Standard> {
    match encoding.row().clause {
        Clause::Utf8(standard) => Some(standard),
        _ => None,
    }
}

/// The clause that an ill-formed sequence of `encoding` breaks; `standard` applies to
/// UTF-8 alone.
#[inline]
pub fn clause(encoding: Encoding, standard: Standard, kind: ErrorKind) -> &'static str {
    match encoding {
        Encoding::Utf8 => standard.clause(kind),
        #[cfg(feature = "legacy")]
        Encoding::Legacy(legacy) => legacy.standard(),
        // Java's specification has no rule on this: a string of Java may hold a surrogate alone.
        Encoding::Mutf8 if kind == ErrorKind::UnpairedSurrogate => "Unicode Standard, D76",
        other => other.row().clause.of(kind),
    }
}

/// True if `standard` refuses `value` because that is a noncharacter.
#[inline]
pub const fn refuses(standard: Standard, value: u32) -> bool {
    standard.refuses(value)
}

/// A [`Step`](crate::Step), which other crates cannot build.
#[inline]
pub fn step(read: usize, written: usize, status: crate::Status) -> crate::Step {
    crate::Step { read, written, status }
}
