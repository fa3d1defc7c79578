//! The scalar codec of each encoding with its state, for the drivers.

use crate::encoding::Encoding;
#[cfg(feature = "legacy")]
use crate::engine::legacy::{LegacyReader, LegacyWriter, OnLacking};
use crate::engine::scalar::ascii::Ascii;
use crate::engine::scalar::bytes::{Big, Little, Utf16Be, Utf16Le, Utf32Be, Utf32Le};
use crate::engine::scalar::cesu8::Cesu8;
use crate::engine::scalar::ibm437::Ibm437;
use crate::engine::scalar::iso2022::{Iso2022Reader, Iso2022Writer};
use crate::engine::scalar::latin1::Latin1;
use crate::engine::scalar::mutf8::Mutf8;
use crate::engine::scalar::ucs2::{Ucs2Be, Ucs2Le};
use crate::engine::scalar::ucs4::{Ucs4Be, Ucs4Le};
use crate::engine::scalar::unicode11::Unicode11;
use crate::engine::scalar::utf1::Utf1;
use crate::engine::scalar::utf7::{Utf7Reader, Utf7Writer};
use crate::engine::scalar::utf7_variants::{Imap, Rfc2152, Rfc2152Optional};
use crate::engine::scalar::utf8::Utf8;
use crate::engine::scalar::utf8_standards::{Utf8Kuhn, Utf8NoNoncharacters, Utf8Rfc2044, Utf8Rfc2279};
use crate::engine::scalar::wtf8::{Wtf8Reader, Wtf8Writer};
use crate::engine::scalar::wtf16::{Wtf16Bytes, Wtf16Reader};
use crate::engine::scalar::{Decode, Decoded, Encode, Encoded, Form, Reader, Stateless, Writer, stateless};

/// Reads an encoding: what [`Reader`](crate::engine::scalar::Reader) asks for.
#[derive(Clone)]
pub(crate) enum Source {
    /// A form, which remembers nothing.
    Form(Decode),
    /// The same, and between two values a byte below 80 is US-ASCII.
    AsciiForm(Decode),
    Utf7(Utf7Reader<Rfc2152>),
    ImapUtf7(Utf7Reader<Imap>),
    Wtf8(Wtf8Reader),
    Wtf16Le(Wtf16Reader<Little>),
    Wtf16Be(Wtf16Reader<Big>),
    Iso2022(Iso2022Reader<Stateless<Latin1>>),
    #[cfg(feature = "legacy")]
    Legacy(LegacyReader),
    #[cfg(feature = "legacy")]
    Iso2022In(Iso2022Reader<LegacyReader>),
}

/// Writes an encoding: what [`Writer`](crate::engine::scalar::Writer) asks for.
#[derive(Clone)]
pub(crate) enum Target {
    /// A form, which remembers nothing.
    Form(Encode),
    /// The same, and US-ASCII is a byte below 80.
    AsciiForm(Encode),
    Utf7(Utf7Writer<Rfc2152>),
    Utf7Optional(Utf7Writer<Rfc2152Optional>),
    ImapUtf7(Utf7Writer<Imap>),
    Wtf8(Wtf8Writer),
    Iso2022(Iso2022Writer<Stateless<Latin1>>),
    #[cfg(feature = "legacy")]
    Legacy(LegacyWriter),
    #[cfg(feature = "legacy")]
    Iso2022In(Iso2022Writer<LegacyWriter>),
}

impl Source {
    /// The decoder of `encoding` at the beginning of a stream. That of
    /// [`Utf16`](Encoding::Utf16) and [`Utf32`](Encoding::Utf32) is for text
    /// without a BOM: big-endian.
    // Out of line, and so are all codecs that it names: where this is inlined
    // they are compiled once more.
    #[inline(never)]
    pub(crate) fn of(encoding: Encoding) -> Source {
        match encoding {
            Encoding::Utf8 => Source::AsciiForm(Utf8::decode),
            Encoding::Utf16Le => Source::Form(Utf16Le::decode),
            Encoding::Utf16Be | Encoding::Utf16 => Source::Form(Utf16Be::decode),
            Encoding::Utf32Le => Source::Form(Utf32Le::decode),
            Encoding::Utf32Be | Encoding::Utf32 => Source::Form(Utf32Be::decode),
            Encoding::Latin1 => Source::AsciiForm(Latin1::decode),
            Encoding::UsAscii => Source::AsciiForm(Ascii::decode),
            Encoding::Ibm437 => Source::AsciiForm(Ibm437::decode),
            Encoding::Utf7 | Encoding::Utf7Optional => Source::Utf7(Utf7Reader::new()),
            Encoding::ImapUtf7 => Source::ImapUtf7(Utf7Reader::new()),
            Encoding::Utf1 => Source::AsciiForm(Utf1::decode),
            Encoding::Utf8Rfc2279 => Source::AsciiForm(Utf8Rfc2279::decode),
            Encoding::Utf8Rfc2044 => Source::AsciiForm(Utf8Rfc2044::decode),
            Encoding::Utf8Kuhn => Source::AsciiForm(Utf8Kuhn::decode),
            Encoding::Utf8NoNoncharacters => Source::AsciiForm(Utf8NoNoncharacters::decode),
            Encoding::Unicode11Utf8 => Source::AsciiForm(Unicode11::decode),
            Encoding::Cesu8 => Source::AsciiForm(Cesu8::decode),
            // 00 is not U+0000 there.
            Encoding::Mutf8 => Source::Form(Mutf8::decode),
            Encoding::Wtf8 => Source::Wtf8(Wtf8Reader),
            Encoding::Wtf16Le => Source::Wtf16Le(Wtf16Reader::new()),
            Encoding::Wtf16Be => Source::Wtf16Be(Wtf16Reader::new()),
            Encoding::Ucs2Le => Source::Form(Ucs2Le::decode),
            Encoding::Ucs2Be => Source::Form(Ucs2Be::decode),
            Encoding::Ucs4Le => Source::Form(Ucs4Le::decode),
            Encoding::Ucs4Be => Source::Form(Ucs4Be::decode),
            Encoding::Iso2022Utf8 => Source::Iso2022(Iso2022Reader::new(stateless())),
            #[cfg(feature = "legacy")]
            Encoding::Legacy(legacy) => Source::Legacy(LegacyReader::new(legacy)),
            // It has switches of its own, which would not be found again, or no
            // US-ASCII.
            #[cfg(feature = "legacy")]
            Encoding::Iso2022Utf8In(legacy) if !legacy.is_ascii_compatible() => Source::of(Encoding::Iso2022Utf8),
            #[cfg(feature = "legacy")]
            Encoding::Iso2022Utf8In(legacy) => Source::Iso2022In(Iso2022Reader::new(LegacyReader::new(legacy))),
        }
    }

    /// The decoder, if it is one that remembers nothing.
    #[inline]
    pub(crate) fn form(&self) -> Option<Decode> {
        match self {
            Source::Form(decode) | Source::AsciiForm(decode) => Some(*decode),
            _ => None,
        }
    }

    /// Whether, between two values, each byte below 80 is the character of
    /// US-ASCII that it is by itself.
    pub(crate) fn is_ascii_transparent(&self) -> bool {
        match self {
            Source::AsciiForm(_) => true,
            #[cfg(feature = "legacy")]
            Source::Legacy(reader) => reader.is_ascii_transparent(),
            _ => false,
        }
    }

    /// Whether the next value is read as at the beginning.
    #[cfg(feature = "legacy")]
    pub(crate) fn is_at_rest(&self) -> bool {
        match self {
            Source::Legacy(reader) => reader.allows_run(),
            // Not called for those that have states of their own.
            _ => true,
        }
    }

    /// Whether it is in a stretch of UTF-8 within something else.
    pub(crate) fn is_inside(&self) -> bool {
        match self {
            Source::Iso2022(reader) => reader.is_inside(),
            #[cfg(feature = "legacy")]
            Source::Iso2022In(reader) => reader.is_inside(),
            _ => false,
        }
    }

    /// See [`Reader::decode`](crate::engine::scalar::Reader::decode).
    #[inline]
    pub(crate) fn decode(&mut self, src: &[u8], last: bool) -> Decoded {
        match self {
            Source::Form(decode) | Source::AsciiForm(decode) => decode(src),
            _ => self.decode_with_state(src, last),
        }
    }

    /// The same by an encoding with states, out of line.
    #[inline(never)]
    fn decode_with_state(&mut self, src: &[u8], last: bool) -> Decoded {
        match self {
            Source::Form(decode) | Source::AsciiForm(decode) => decode(src),
            Source::Utf7(reader) => reader.decode(src, last),
            Source::ImapUtf7(reader) => reader.decode(src, last),
            Source::Wtf8(reader) => reader.decode(src, last),
            Source::Wtf16Le(reader) => reader.decode(src, last),
            Source::Wtf16Be(reader) => reader.decode(src, last),
            Source::Iso2022(reader) => reader.decode(src, last),
            #[cfg(feature = "legacy")]
            Source::Legacy(reader) => reader.decode(src, last),
            #[cfg(feature = "legacy")]
            Source::Iso2022In(reader) => reader.decode(src, last),
        }
    }
}

impl Target {
    /// The encoder of `encoding` at the beginning of a stream. That of
    /// [`Utf16`](Encoding::Utf16) and [`Utf32`](Encoding::Utf32) is
    /// little-endian, for the text after the BOM.
    // Out of line for the same reason.
    #[inline(never)]
    pub(crate) fn of(encoding: Encoding) -> Target {
        match encoding {
            Encoding::Utf8 => Target::AsciiForm(Utf8::encode),
            Encoding::Utf16Le | Encoding::Utf16 => Target::Form(Utf16Le::encode),
            Encoding::Utf16Be => Target::Form(Utf16Be::encode),
            Encoding::Utf32Le | Encoding::Utf32 => Target::Form(Utf32Le::encode),
            Encoding::Utf32Be => Target::Form(Utf32Be::encode),
            Encoding::Latin1 => Target::AsciiForm(Latin1::encode),
            Encoding::UsAscii => Target::AsciiForm(Ascii::encode),
            Encoding::Ibm437 => Target::AsciiForm(Ibm437::encode),
            Encoding::Utf7 => Target::Utf7(Utf7Writer::new()),
            Encoding::Utf7Optional => Target::Utf7Optional(Utf7Writer::new()),
            Encoding::ImapUtf7 => Target::ImapUtf7(Utf7Writer::new()),
            Encoding::Utf1 => Target::AsciiForm(Utf1::encode),
            Encoding::Utf8Rfc2279 => Target::AsciiForm(Utf8Rfc2279::encode),
            Encoding::Utf8Rfc2044 => Target::AsciiForm(Utf8Rfc2044::encode),
            Encoding::Utf8Kuhn => Target::AsciiForm(Utf8Kuhn::encode),
            Encoding::Utf8NoNoncharacters => Target::AsciiForm(Utf8NoNoncharacters::encode),
            Encoding::Unicode11Utf8 => Target::AsciiForm(Unicode11::encode),
            Encoding::Cesu8 => Target::AsciiForm(Cesu8::encode),
            Encoding::Mutf8 => Target::Form(Mutf8::encode),
            Encoding::Wtf8 => Target::Wtf8(Wtf8Writer::default()),
            Encoding::Wtf16Le => Target::Form(Wtf16Bytes::<Little>::encode),
            Encoding::Wtf16Be => Target::Form(Wtf16Bytes::<Big>::encode),
            Encoding::Ucs2Le => Target::Form(Ucs2Le::encode),
            Encoding::Ucs2Be => Target::Form(Ucs2Be::encode),
            Encoding::Ucs4Le => Target::Form(Ucs4Le::encode),
            Encoding::Ucs4Be => Target::Form(Ucs4Be::encode),
            Encoding::Iso2022Utf8 => Target::Iso2022(Iso2022Writer::new(stateless())),
            #[cfg(feature = "legacy")]
            Encoding::Legacy(legacy) => Target::Legacy(LegacyWriter::new(legacy)),
            // It has switches of its own, which would not be found again, or no
            // US-ASCII.
            #[cfg(feature = "legacy")]
            Encoding::Iso2022Utf8In(legacy) if !legacy.is_ascii_compatible() => Target::of(Encoding::Iso2022Utf8),
            #[cfg(feature = "legacy")]
            Encoding::Iso2022Utf8In(legacy) => Target::Iso2022In(Iso2022Writer::new(LegacyWriter::new(legacy))),
        }
    }

    /// The encoder, if it is one that remembers nothing.
    #[inline]
    pub(crate) fn form(&self) -> Option<Encode> {
        match self {
            Target::Form(encode) | Target::AsciiForm(encode) => Some(*encode),
            _ => None,
        }
    }

    /// Writes the front of `src`, which is UTF-8, into a legacy encoding.
    #[cfg(feature = "legacy")]
    pub(crate) fn encode_run(&mut self, src: &[u8], dst: &mut [u8], on_lacking: OnLacking) -> (usize, usize) {
        match self {
            Target::Legacy(writer) => writer.encode_run(src, dst, on_lacking),
            _ => (0, 0),
        }
    }

    /// How many characters that the encoding lacks such runs have gone past since
    /// the last time.
    pub(crate) fn take_passed(&mut self) -> u64 {
        match self {
            #[cfg(feature = "legacy")]
            Target::Legacy(writer) => writer.take_passed(),
            _ => 0,
        }
    }

    /// Whether, where it is [at rest](Self::is_at_rest), each character of
    /// US-ASCII is written as the byte that it is by itself.
    pub(crate) fn is_ascii_transparent(&self) -> bool {
        match self {
            Target::AsciiForm(_) => true,
            #[cfg(feature = "legacy")]
            Target::Legacy(writer) => writer.is_ascii_transparent(),
            _ => false,
        }
    }

    /// See [`Writer::encode`](crate::engine::scalar::Writer::encode).
    #[inline]
    pub(crate) fn encode(&mut self, value: u32) -> Option<Encoded<u8>> {
        match self {
            Target::Form(encode) | Target::AsciiForm(encode) => encode(value),
            _ => self.encode_with_state(value),
        }
    }

    /// The same by an encoding with states, out of line.
    #[inline(never)]
    fn encode_with_state(&mut self, value: u32) -> Option<Encoded<u8>> {
        match self {
            Target::Form(encode) | Target::AsciiForm(encode) => encode(value),
            Target::Utf7(writer) => writer.encode(value),
            Target::Utf7Optional(writer) => writer.encode(value),
            Target::ImapUtf7(writer) => writer.encode(value),
            Target::Wtf8(writer) => writer.encode(value),
            Target::Iso2022(writer) => writer.encode(value),
            #[cfg(feature = "legacy")]
            Target::Legacy(writer) => writer.encode(value),
            #[cfg(feature = "legacy")]
            Target::Iso2022In(writer) => writer.encode(value),
        }
    }

    /// See [`Writer::finish`](crate::engine::scalar::Writer::finish).
    pub(crate) fn finish(&mut self) -> Encoded<u8> {
        match self {
            Target::Form(_) | Target::AsciiForm(_) => Encoded::from_slice(&[]),
            Target::Utf7(writer) => writer.finish(),
            Target::Utf7Optional(writer) => writer.finish(),
            Target::ImapUtf7(writer) => writer.finish(),
            Target::Wtf8(writer) => writer.finish(),
            Target::Iso2022(writer) => writer.finish(),
            #[cfg(feature = "legacy")]
            Target::Legacy(writer) => writer.finish(),
            #[cfg(feature = "legacy")]
            Target::Iso2022In(writer) => writer.finish(),
        }
    }

    /// Whether all that was encoded is written, and the next value is written
    /// as at the beginning.
    pub(crate) fn is_at_rest(&self) -> bool {
        match self {
            Target::Form(_) | Target::AsciiForm(_) => true,
            Target::Utf7(writer) => writer.is_at_rest(),
            Target::Utf7Optional(writer) => writer.is_at_rest(),
            Target::ImapUtf7(writer) => writer.is_at_rest(),
            Target::Wtf8(writer) => writer.is_at_rest(),
            // Nothing but its own codec writes it.
            Target::Iso2022(_) => false,
            #[cfg(feature = "legacy")]
            Target::Legacy(writer) => writer.allows_run(),
            #[cfg(feature = "legacy")]
            Target::Iso2022In(_) => false,
        }
    }
}

/// The addresses of functions say nothing to a reader.
impl core::fmt::Debug for Source {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Source").finish_non_exhaustive()
    }
}

/// The addresses of functions say nothing to a reader.
impl core::fmt::Debug for Target {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Target").finish_non_exhaustive()
    }
}
