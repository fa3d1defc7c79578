//! Scalar codecs with their state, as one type for all encodings.

#[cfg(feature = "legacy")]
use crate::engine::legacy::{LegacyReader, LegacyWriter, OnLacking};
use crate::engine::scalar::bytes::{Big, Little};
use crate::engine::scalar::iso2022::{Iso2022Reader, Iso2022Writer};
use crate::engine::scalar::latin1::Latin1;
use crate::engine::scalar::utf7::{Utf7Reader, Utf7Writer};
use crate::engine::scalar::utf7_variants::{Imap, Rfc2152, Rfc2152Optional};
use crate::engine::scalar::wtf8::{Wtf8Reader, Wtf8Writer};
use crate::engine::scalar::wtf16::Wtf16Reader;
use crate::engine::scalar::{Decode, Decoded, Encode, Encoded, Form, Reader, Stateless, Writer};

/// The two directions of an encoding, at the beginning of a stream.
#[derive(Clone, Debug)]
pub(crate) struct Codec {
    pub(crate) source: Source,
    pub(crate) target: Target,
}

impl Codec {
    /// An encoding form.
    pub(crate) const fn form<F: Form<Unit = u8>>() -> Codec {
        Codec { source: Source::Form(F::decode), target: Target::Form(F::encode) }
    }

    /// An encoding form in which US-ASCII is the bytes below 80, and those are
    /// nothing else where a value begins.
    pub(crate) const fn ascii<F: Form<Unit = u8>>() -> Codec {
        Codec { source: Source::AsciiForm(F::decode), target: Target::AsciiForm(F::encode) }
    }
}

/// The [`Reader`] of an encoding.
#[derive(Clone)]
pub(crate) enum Source {
    /// A form, which has no state.
    Form(Decode),
    /// A form in which a byte below 80 at the start of a value is US-ASCII.
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

/// The [`Writer`] of an encoding.
#[derive(Clone)]
pub(crate) enum Target {
    /// A form, which has no state.
    Form(Encode),
    /// A form that writes US-ASCII as bytes below 80.
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
    /// The decoder, if it has no state.
    #[inline]
    pub(crate) fn form(&self) -> Option<Decode> {
        match self {
            Source::Form(decode) | Source::AsciiForm(decode) => Some(*decode),
            _ => None,
        }
    }

    /// True if each byte below 80 at the start of a value is US-ASCII.
    pub(crate) fn is_ascii_transparent(&self) -> bool {
        match self {
            Source::AsciiForm(_) => true,
            #[cfg(feature = "legacy")]
            Source::Legacy(reader) => reader.is_ascii_transparent(),
            _ => false,
        }
    }

    /// True if the next value is read as at the beginning of a stream.
    #[cfg(feature = "legacy")]
    pub(crate) fn is_at_rest(&self) -> bool {
        match self {
            Source::Legacy(reader) => reader.allows_run(),
            // Not called for other encodings with states.
            _ => true,
        }
    }

    /// True if the next bytes are read as at the beginning of a stream, by an encoding with
    /// or without states.
    pub(crate) fn is_initial(&self) -> bool {
        match self {
            Source::Utf7(reader) => reader.is_direct(),
            Source::ImapUtf7(reader) => reader.is_direct(),
            Source::Iso2022(reader) => reader.state() == 0,
            #[cfg(feature = "legacy")]
            Source::Legacy(reader) => reader.is_initial(),
            #[cfg(feature = "legacy")]
            Source::Iso2022In(reader) => reader.state() == 0,
            _ => true,
        }
    }

    /// True between the switches of ISO-2022-UTF-8, where the text is UTF-8.
    pub(crate) fn is_inside(&self) -> bool {
        match self {
            Source::Iso2022(reader) => reader.is_inside(),
            #[cfg(feature = "legacy")]
            Source::Iso2022In(reader) => reader.is_inside(),
            _ => false,
        }
    }

    /// [`Reader::decode`].
    #[inline]
    pub(crate) fn decode(&mut self, src: &[u8], last: bool) -> Decoded {
        match self {
            Source::Form(decode) | Source::AsciiForm(decode) => decode(src),
            _ => self.decode_with_state(src, last),
        }
    }

    /// Encodings with states, out of line.
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

    /// [`Reader::state`].
    pub(crate) fn state(&self) -> u32 {
        match self {
            Source::ImapUtf7(reader) => reader.state(),
            Source::Iso2022(reader) => reader.state(),
            #[cfg(feature = "legacy")]
            Source::Legacy(reader) => reader.state(),
            #[cfg(feature = "legacy")]
            Source::Iso2022In(reader) => reader.state(),
            _ => 0,
        }
    }

    /// [`Reader::set_state`].
    pub(crate) fn set_state(&mut self, state: u32) {
        match self {
            Source::ImapUtf7(reader) => reader.set_state(state),
            Source::Iso2022(reader) => reader.set_state(state),
            #[cfg(feature = "legacy")]
            Source::Legacy(reader) => reader.set_state(state),
            #[cfg(feature = "legacy")]
            Source::Iso2022In(reader) => reader.set_state(state),
            _ => {}
        }
    }
}

impl Target {
    /// The encoder, if it has no state.
    #[inline]
    pub(crate) fn form(&self) -> Option<Encode> {
        match self {
            Target::Form(encode) | Target::AsciiForm(encode) => Some(*encode),
            _ => None,
        }
    }

    /// Converts UTF-8 into a legacy encoding, as far as its run goes.
    #[cfg(feature = "legacy")]
    pub(crate) fn encode_run(&mut self, src: &[u8], dst: &mut [u8], on_lacking: OnLacking) -> (usize, usize) {
        match self {
            Target::Legacy(writer) => writer.encode_run(src, dst, on_lacking),
            _ => (0, 0),
        }
    }

    /// As [`LegacyWriter::encode_utf16`].
    #[cfg(feature = "legacy")]
    pub(crate) fn encode_utf16(&mut self, src: &[u8], dst: &mut [u8], on_lacking: OnLacking) -> (usize, usize) {
        match self {
            Target::Legacy(writer) => writer.encode_utf16(src, dst, on_lacking),
            _ => (0, 0),
        }
    }

    /// The number of characters that runs have replaced or skipped since the last
    /// call, because the encoding lacks them.
    pub(crate) fn take_passed(&mut self) -> u64 {
        match self {
            #[cfg(feature = "legacy")]
            Target::Legacy(writer) => writer.take_passed(),
            _ => 0,
        }
    }

    /// True if US-ASCII is written as bytes below 80 when
    /// [at rest](Self::is_at_rest).
    pub(crate) fn is_ascii_transparent(&self) -> bool {
        match self {
            Target::AsciiForm(_) => true,
            #[cfg(feature = "legacy")]
            Target::Legacy(writer) => writer.is_ascii_transparent(),
            _ => false,
        }
    }

    /// [`Writer::encode`].
    #[inline]
    pub(crate) fn encode(&mut self, value: u32) -> Option<Encoded<u8>> {
        match self {
            Target::Form(encode) | Target::AsciiForm(encode) => encode(value),
            _ => self.encode_with_state(value),
        }
    }

    /// Encodings with states, out of line.
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

    /// Writes a value that is pending because the next one could join it.
    pub(crate) fn flush(&mut self) -> Encoded<u8> {
        match self {
            Target::Wtf8(writer) => writer.finish(),
            _ => Encoded::from_slice(&[]),
        }
    }

    /// [`Writer::finish`].
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

    /// True if nothing is pending and the next value is written as at the
    /// beginning of a stream.
    pub(crate) fn is_at_rest(&self) -> bool {
        match self {
            Target::Form(_) | Target::AsciiForm(_) => true,
            Target::Utf7(writer) => writer.is_at_rest(),
            Target::Utf7Optional(writer) => writer.is_at_rest(),
            Target::ImapUtf7(writer) => writer.is_at_rest(),
            Target::Wtf8(writer) => writer.is_at_rest(),
            // No kernel writes it.
            Target::Iso2022(_) => false,
            #[cfg(feature = "legacy")]
            Target::Legacy(writer) => writer.allows_run(),
            #[cfg(feature = "legacy")]
            Target::Iso2022In(_) => false,
        }
    }

    /// [`Writer::state`].
    pub(crate) fn state(&self) -> u32 {
        match self {
            Target::Iso2022(writer) => writer.state(),
            #[cfg(feature = "legacy")]
            Target::Legacy(writer) => writer.state(),
            #[cfg(feature = "legacy")]
            Target::Iso2022In(writer) => writer.state(),
            _ => 0,
        }
    }

    /// [`Writer::set_state`].
    pub(crate) fn set_state(&mut self, state: u32) {
        match self {
            Target::Iso2022(writer) => writer.set_state(state),
            #[cfg(feature = "legacy")]
            Target::Legacy(writer) => writer.set_state(state),
            #[cfg(feature = "legacy")]
            Target::Iso2022In(writer) => writer.set_state(state),
            _ => {}
        }
    }
}

// The derived implementations would print addresses of functions.
impl core::fmt::Debug for Source {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Source").finish_non_exhaustive()
    }
}

impl core::fmt::Debug for Target {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Target").finish_non_exhaustive()
    }
}
