//! Scalar codecs with their state, as one type for all encodings.

#[cfg(feature = "legacy")]
use crate::engine::legacy::{LegacyReader, LegacyWriter};
use crate::engine::progress::{OnLacking, Progress};
use crate::engine::units::{read_units, read_utf8, write_units, write_utf8};
use crate::engine::walk::by_value;
use utfkit_forms::scalar::bytes::{Big, Little};
use utfkit_forms::scalar::iso2022::{Iso2022Reader, Iso2022Writer};
use utfkit_forms::scalar::latin1::Latin1;
use utfkit_forms::scalar::utf7::{Utf7Reader, Utf7Writer};
use utfkit_forms::scalar::utf7_variants::Variant;
use utfkit_forms::scalar::utf8::Utf8;
use utfkit_forms::scalar::wtf8::{Wtf8Reader, Wtf8Writer};
use utfkit_forms::scalar::wtf16::Wtf16Reader;
use utfkit_forms::scalar::{Decode, Decoded, Encode, Encoded, Form, Reader, Stateless, Writer};

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

    /// A kind of UTF-7.
    pub(crate) const fn utf7(variant: &'static Variant) -> Codec {
        Codec { source: Source::Utf7(Utf7Reader::new(variant)), target: Target::Utf7(Utf7Writer::new(variant)) }
    }
}

/// The [`Reader`] of an encoding.
#[derive(Clone)]
pub(crate) enum Source {
    /// A form, which has no state.
    Form(Decode),
    /// A form in which a byte below 80 at the start of a value is US-ASCII.
    AsciiForm(Decode),
    Utf7(Utf7Reader),
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
    Utf7(Utf7Writer),
    Wtf8(Wtf8Writer),
    Iso2022(Iso2022Writer<Stateless<Latin1>>),
    #[cfg(feature = "legacy")]
    Legacy(LegacyWriter),
    #[cfg(feature = "legacy")]
    Iso2022In(Iso2022Writer<LegacyWriter>),
}

impl Source {
    /// That of UTF-8, for who does not want all others to be linked.
    pub(crate) const UTF8: Source = Source::AsciiForm(Utf8::decode);

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

    /// Converts the front of `src` into UTF-8, up to an ill-formed or unfinished sequence. For lack of
    /// space it may stop a few bytes early. Returns the bytes read and written: both end with a
    /// character. The rest of `dst` is unspecified.
    pub(crate) fn read_utf8(&mut self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        match self {
            Source::Form(decode) | Source::AsciiForm(decode) => by_form(*decode, Utf8::encode, src, dst),
            Source::Utf7(reader) => read_utf8(reader, src, dst),
            Source::Wtf8(_) | Source::Wtf16Le(_) | Source::Wtf16Be(_) => (0, 0),
            Source::Iso2022(reader) => read_utf8(reader, src, dst),
            #[cfg(feature = "legacy")]
            Source::Legacy(reader) => reader.decode_run(src, dst),
            #[cfg(feature = "legacy")]
            Source::Iso2022In(reader) => read_utf8(reader, src, dst),
        }
    }

    /// As [`read_utf8`](Self::read_utf8), into UTF-16LE, from the encodings
    /// [that have it](Self::reads_utf16).
    pub(crate) fn read_utf16(&mut self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let units = dst.as_chunks_mut().0;
        let (read, count) = match self {
            Source::Utf7(reader) => read_units(reader, src, units),
            Source::Iso2022(reader) => read_units(reader, src, units),
            #[cfg(feature = "legacy")]
            Source::Legacy(reader) => return reader.decode_to_utf16(src, dst),
            #[cfg(feature = "legacy")]
            Source::Iso2022In(reader) => read_units(reader, src, units),
            Source::Form(_) | Source::AsciiForm(_) | Source::Wtf8(_) | Source::Wtf16Le(_) | Source::Wtf16Be(_) => {
                (0, 0)
            }
        };
        (read, 2 * count)
    }

    /// True for the encodings that [`read_utf16`](Self::read_utf16) reads.
    pub(crate) fn reads_utf16(&self) -> bool {
        match self {
            #[cfg(feature = "legacy")]
            Source::Legacy(reader) => reader.decodes_to_utf16(),
            source => source.has_states() && source.reads_utf8(),
        }
    }

    /// False for the encodings that [`read_utf8`](Self::read_utf8) does not read.
    pub(crate) fn reads_utf8(&self) -> bool {
        !matches!(self, Source::Wtf8(_) | Source::Wtf16Le(_) | Source::Wtf16Be(_))
    }

    /// True for an encoding that is no form.
    pub(crate) fn has_states(&self) -> bool {
        self.form().is_none()
    }

    /// True if the meaning of bytes depends on all earlier ones.
    pub(crate) fn depends_on_all(&self) -> bool {
        match self {
            // WTF-8 and WTF-16 join a surrogate to the one before it, and look no further back.
            Source::Form(_) | Source::AsciiForm(_) | Source::Wtf8(_) | Source::Wtf16Le(_) | Source::Wtf16Be(_) => false,
            Source::Utf7(_) | Source::Iso2022(_) => true,
            #[cfg(feature = "legacy")]
            Source::Legacy(_) | Source::Iso2022In(_) => true,
        }
    }

    /// True if the next bytes are read as at the beginning of a stream, by an encoding with
    /// or without states.
    pub(crate) fn is_initial(&self) -> bool {
        match self {
            Source::Utf7(reader) => reader.is_direct(),
            Source::Iso2022(reader) => reader.state() == 0,
            #[cfg(feature = "legacy")]
            Source::Legacy(reader) => reader.is_initial(),
            #[cfg(feature = "legacy")]
            Source::Iso2022In(reader) => reader.state() == 0,
            Source::Form(_) | Source::AsciiForm(_) | Source::Wtf8(_) | Source::Wtf16Le(_) | Source::Wtf16Be(_) => true,
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

    pub(crate) fn state(&self) -> u32 {
        match self {
            Source::Utf7(reader) => reader.state(),
            Source::Iso2022(reader) => reader.state(),
            #[cfg(feature = "legacy")]
            Source::Legacy(reader) => reader.state(),
            #[cfg(feature = "legacy")]
            Source::Iso2022In(reader) => reader.state(),
            Source::Form(_) | Source::AsciiForm(_) | Source::Wtf8(_) | Source::Wtf16Le(_) | Source::Wtf16Be(_) => 0,
        }
    }

    pub(crate) fn set_state(&mut self, state: u32) {
        match self {
            Source::Utf7(reader) => reader.set_state(state),
            Source::Iso2022(reader) => reader.set_state(state),
            #[cfg(feature = "legacy")]
            Source::Legacy(reader) => reader.set_state(state),
            #[cfg(feature = "legacy")]
            Source::Iso2022In(reader) => reader.set_state(state),
            Source::Form(_) | Source::AsciiForm(_) | Source::Wtf8(_) | Source::Wtf16Le(_) | Source::Wtf16Be(_) => {}
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

    /// Converts the front of `src`, which is UTF-8, up to an ill-formed or unfinished sequence or a
    /// character that is lacking, unless `on_lacking` says how to go on. For lack of space it may stop a
    /// few bytes early. Returns the bytes read and written: both end with a character. The rest of
    /// `dst` is unspecified.
    #[cfg_attr(not(feature = "legacy"), allow(unused_variables))]
    pub(crate) fn write_utf8(&mut self, src: &[u8], dst: &mut [u8], on_lacking: OnLacking) -> (usize, usize) {
        match self {
            Target::Form(encode) | Target::AsciiForm(encode) => by_form(Utf8::decode, *encode, src, dst),
            Target::Utf7(writer) => write_utf8(writer, src, dst),
            Target::Wtf8(_) => (0, 0),
            Target::Iso2022(writer) => write_utf8(writer, src, dst),
            #[cfg(feature = "legacy")]
            Target::Legacy(writer) => writer.encode_run(src, dst, on_lacking),
            #[cfg(feature = "legacy")]
            Target::Iso2022In(writer) => write_utf8(writer, src, dst),
        }
    }

    /// As [`write_utf8`](Self::write_utf8), from UTF-16LE, into the encodings
    /// [that have it](Self::writes_utf16).
    #[cfg_attr(not(feature = "legacy"), allow(unused_variables))]
    pub(crate) fn write_utf16(&mut self, src: &[u8], dst: &mut [u8], on_lacking: OnLacking) -> (usize, usize) {
        let units = src.as_chunks().0;
        let (taken, written) = match self {
            Target::Utf7(writer) => write_units(writer, units, dst),
            Target::Iso2022(writer) => write_units(writer, units, dst),
            #[cfg(feature = "legacy")]
            Target::Legacy(writer) => return writer.encode_utf16(src, dst, on_lacking),
            #[cfg(feature = "legacy")]
            Target::Iso2022In(writer) => write_units(writer, units, dst),
            Target::Form(_) | Target::AsciiForm(_) | Target::Wtf8(_) => (0, 0),
        };
        (2 * taken, written)
    }

    /// True for the encodings that [`write_utf16`](Self::write_utf16) writes.
    pub(crate) fn writes_utf16(&self) -> bool {
        match self {
            #[cfg(feature = "legacy")]
            Target::Legacy(writer) => writer.encodes_utf16(),
            target => target.has_states() && target.writes_utf8(),
        }
    }

    /// False for the encodings that [`write_utf8`](Self::write_utf8) does not write.
    pub(crate) fn writes_utf8(&self) -> bool {
        !matches!(self, Target::Wtf8(_))
    }

    /// True for an encoding that is no form.
    pub(crate) fn has_states(&self) -> bool {
        self.form().is_none()
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

    /// True if US-ASCII is always written as bytes below 80.
    pub(crate) fn is_ascii_transparent(&self) -> bool {
        match self {
            Target::AsciiForm(_) => true,
            #[cfg(feature = "legacy")]
            Target::Legacy(writer) => writer.is_ascii_transparent(),
            _ => false,
        }
    }

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

    pub(crate) fn finish(&mut self) -> Encoded<u8> {
        match self {
            Target::Form(_) | Target::AsciiForm(_) => Encoded::from_slice(&[]),
            Target::Utf7(writer) => writer.finish(),
            Target::Wtf8(writer) => writer.finish(),
            Target::Iso2022(writer) => writer.finish(),
            #[cfg(feature = "legacy")]
            Target::Legacy(writer) => writer.finish(),
            #[cfg(feature = "legacy")]
            Target::Iso2022In(writer) => writer.finish(),
        }
    }

    /// True if no value is pending.
    pub(crate) fn is_at_rest(&self) -> bool {
        match self {
            Target::Wtf8(writer) => writer.is_at_rest(),
            _ => true,
        }
    }

    pub(crate) fn state(&self) -> u32 {
        match self {
            Target::Iso2022(writer) => writer.state(),
            #[cfg(feature = "legacy")]
            Target::Legacy(writer) => writer.state(),
            #[cfg(feature = "legacy")]
            Target::Iso2022In(writer) => writer.state(),
            Target::Form(_) | Target::AsciiForm(_) | Target::Wtf8(_) | Target::Utf7(_) => 0,
        }
    }

    pub(crate) fn set_state(&mut self, state: u32) {
        match self {
            Target::Iso2022(writer) => writer.set_state(state),
            #[cfg(feature = "legacy")]
            Target::Legacy(writer) => writer.set_state(state),
            #[cfg(feature = "legacy")]
            Target::Iso2022In(writer) => writer.set_state(state),
            Target::Form(_) | Target::AsciiForm(_) | Target::Wtf8(_) | Target::Utf7(_) => {}
        }
    }
}

/// Value by value, up to anything that is not certain.
#[inline(never)]
fn by_form(decode: Decode, encode: Encode, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let mut done = Progress::default();
    let _ = by_value(decode, encode, src, dst, &mut done, src.len());
    (done.read, done.written)
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
