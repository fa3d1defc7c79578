//! Scalar codecs with their state, as one type for all encodings.

#[cfg(feature = "legacy")]
use crate::engine::legacy::{LegacyReader, LegacyWriter};
use crate::engine::progress::{OnLacking, Progress};
use crate::engine::scalar::bytes::{Big, Little};
use crate::engine::scalar::iso2022::{Iso2022Reader, Iso2022Writer};
use crate::engine::scalar::latin1::Latin1;
use crate::engine::scalar::utf7::{Utf7Reader, Utf7Writer};
use crate::engine::scalar::utf7_variants::Variant;
use crate::engine::scalar::utf8::Utf8;
use crate::engine::scalar::wtf8::{Wtf8Reader, Wtf8Writer};
use crate::engine::scalar::wtf16::Wtf16Reader;
use crate::engine::scalar::{Decode, Decoded, Encode, Encoded, Form, Reader, Stateless, Writer};
use crate::engine::units::{read_units, read_utf8, write_units, write_utf8};
use crate::engine::walk::by_value;

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
            _ => (0, 0),
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
            Source::Utf7(reader) => reader.state(),
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
            Source::Utf7(reader) => reader.set_state(state),
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
            _ => (0, 0),
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

#[cfg(test)]
mod tests {
    extern crate std;

    use self::std::string::String;
    use self::std::vec;
    use self::std::vec::Vec;
    use super::*;
    use crate::encoding::Encoding;

    fn with_states() -> Vec<Encoding> {
        let has_states = |encoding: &Encoding| match encoding {
            #[cfg(feature = "legacy")]
            Encoding::Legacy(legacy) => legacy.has_states(),
            encoding => encoding.source().has_states(),
        };
        let mut all: Vec<Encoding> =
            Encoding::ALL.iter().copied().filter(has_states).filter(|all| all.source().reads_utf8()).collect();
        assert!(all.len() >= if cfg!(feature = "legacy") { 7 } else { 4 }, "{all:?}");
        #[cfg(feature = "legacy")]
        all.extend([crate::Legacy::Big5, crate::Legacy::EucKr].map(Encoding::Iso2022Utf8In));
        all
    }

    /// The steps of the definition up to an error: the offset and the text before each, and the state.
    fn steps(mut source: Source, src: &[u8]) -> Vec<(usize, String, Source)> {
        let (mut at, mut text, mut steps) = (0, String::new(), Vec::new());
        loop {
            steps.push((at, text.clone(), source.clone()));
            if at == src.len() {
                return steps;
            }
            at += match source.decode(&src[at..], false) {
                Decoded::Value { value, len } => {
                    text.extend(char::from_u32(value));
                    len
                }
                Decoded::StateChange { len } => len,
                Decoded::IllFormed { .. } | Decoded::Unfinished { .. } => return steps,
            };
        }
    }

    /// What a source reads from here on, with the error after it.
    fn future(mut source: Source, src: &[u8]) -> Vec<Decoded> {
        let (mut at, mut all) = (0, Vec::new());
        while at < src.len() {
            let decoded = source.decode(&src[at..], true);
            all.push(decoded);
            let (Decoded::Value { len, .. } | Decoded::StateChange { len }) = decoded else { break };
            at += len;
        }
        all
    }

    /// Reads `src` from each place on into each space, and compares text, place and state.
    fn reads_as_defined(encoding: Encoding, src: &[u8], spaces: impl Iterator<Item = usize> + Clone) {
        let all = steps(encoding.source(), src);
        let (_, whole, _) = all.last().expect("the beginning");
        for (start, before, source) in &all {
            for space in spaces.clone().take_while(|space| *space <= whole.len() + 8) {
                let check = |source: Source, (read, written): (usize, usize), text: &str| {
                    let found = all.iter().find(|(at, all, _)| *at == start + read && all[before.len()..] == *text);
                    let Some((at, _, expected)) = found else {
                        panic!("{encoding} {src:X?} from {start}, {space}: {read} {written} {text:?}")
                    };
                    assert_eq!(
                        future(source, &src[*at..]),
                        future(expected.clone(), &src[*at..]),
                        "{encoding} {src:X?}"
                    );
                };
                let (mut utf8, mut after) = (vec![0; space], source.clone());
                let done = after.read_utf8(&src[*start..], &mut utf8);
                check(after, done, core::str::from_utf8(&utf8[..done.1]).expect("text"));
                let (mut utf16, mut after) = (vec![0; space], source.clone());
                let done = after.read_utf16(&src[*start..], &mut utf16);
                let units: Vec<u16> =
                    utf16[..done.1].as_chunks().0.iter().map(|unit| u16::from_le_bytes(*unit)).collect();
                check(after, done, &String::from_utf16(&units).expect("text"));
            }
        }
    }

    /// The pieces of all of them, whole and in part.
    const TOKENS: [&[u8]; 26] = [
        b"a",
        b" ",
        b"~",
        b"\n",
        b"~{",
        b"~}",
        b"VP",
        b"\x24\x22",
        b"\x0E",
        b"\x0F",
        b"\x1B$)C",
        b"\x1B$B",
        b"\x1B(B",
        b"\x1B(J",
        b"\x1B(I",
        b"\x1B",
        b"\x1B%G",
        b"\x1B%@",
        b"\xC3\xA9",
        b"\xE9",
        b"+",
        b"&",
        b"-",
        b"AOk",
        b"2D3eAA",
        b"BBA",
    ];

    #[test]
    fn runs_read_what_the_definition_reads() {
        for encoding in with_states() {
            for a in TOKENS {
                for b in TOKENS {
                    for c in TOKENS {
                        let src = [a, b, c, b, a].concat();
                        reads_as_defined(encoding, &src, (0..).step_by(3));
                    }
                }
            }
        }
    }

    /// Text with runs longer than a block.
    const TEXTS: [&str; 8] = [
        "plain text of more than sixteen letters ~ and \\ and ~{ 1 + 1 & so on\n",
        "Ünï\u{80}cödé é é-é+é&é/é",
        "我能吞下玻璃而不伤身体。统一码给每个字符提供了一个唯一的编码\n, and ~ more",
        "いろはにほへと ちりぬるを ¥ a ‾ \\ ~ b¥c 日本語のテキスト。",
        "다람쥐 헌 쳇바퀴에 타고파, ㉾ abc 가나다라마바사아자차카타파하",
        "Съешь ещё этих мягких французских булок, да выпей же чаю.",
        "a😀b😀😀 漢😀",
        "\u{1B}% \u{E}\u{F} é\u{1B}%€",
    ];

    /// The bytes of a text by the definition, as far as they go, the state, and the text after it.
    fn written(mut target: Target, text: &str) -> (Vec<u8>, Target, &str) {
        let mut bytes = Vec::new();
        for (at, c) in text.char_indices() {
            match target.encode(c.into()) {
                Some(encoded) => bytes.extend_from_slice(encoded.as_slice()),
                None => return (bytes, target, &text[at..]),
            }
        }
        (bytes, target, "")
    }

    #[test]
    fn runs_write_what_the_definition_writes() {
        for encoding in with_states() {
            for text in TEXTS {
                for (start, _) in text.char_indices() {
                    let (_, target, _) = written(encoding.target(), &text[..start]);
                    let text = &text[start..];
                    let (expected, end, rest) = written(target.clone(), text);
                    for space in (0..expected.len() + 12).step_by(3) {
                        let check = |mut after: Target, read: &str, bytes: &[u8]| {
                            let (before, state, left) = written(target.clone(), read);
                            assert_eq!((&before[..], left), (bytes, ""), "{encoding} {text:?} {space}");
                            let is_all = read.len() == text.len() - rest.len();
                            assert!(is_all || space < expected.len() + 8, "{encoding} {text:?} {space}: {read:?}");
                            let mut state = if is_all { end.clone() } else { state };
                            assert_eq!(after.state(), state.state());
                            for value in [0x61, 0xE9, 0x65E5, 0x40] {
                                assert_eq!(after.encode(value), state.encode(value), "{encoding} {text:?} {space}");
                            }
                            assert_eq!(after.finish(), state.finish());
                        };
                        let (mut dst, mut after) = (vec![0; space], target.clone());
                        let (read, put) = after.write_utf8(text.as_bytes(), &mut dst, OnLacking::Stop);
                        check(after, &text[..read], &dst[..put]);
                        let units: Vec<u16> = text.encode_utf16().collect();
                        let utf16: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
                        let (mut dst, mut after) = (vec![0; space], target.clone());
                        let (read, put) = after.write_utf16(&utf16, &mut dst, OnLacking::Stop);
                        check(after, &String::from_utf16(&units[..read / 2]).expect("text"), &dst[..put]);
                    }
                }
            }
        }
    }

    /// What was written is read again, in each space and from each place.
    #[test]
    fn runs_read_text_as_the_definition_does() {
        for encoding in with_states() {
            for text in TEXTS {
                let (mut src, mut end, rest) = written(encoding.target(), text);
                src.extend_from_slice(end.finish().as_slice());
                reads_as_defined(encoding, &src, (0..).step_by(if rest.is_empty() { 2 } else { 5 }));
            }
            // More than is converted at once.
            let (src, _, _) = written(encoding.target(), &"abc日本~é".repeat(300));
            let all = steps(encoding.source(), &src);
            let (_, text, _) = all.last().expect("the beginning");
            let mut utf8 = vec![0; text.len() + 8];
            let (_, put) = encoding.source().read_utf8(&src, &mut utf8);
            assert_eq!(&utf8[..put], text.as_bytes(), "{encoding}");
        }
    }
}
