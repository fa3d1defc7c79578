//! The adaptors of `std::io`, between streams with short reads and writes,
//! interruptions and errors.
//!
//! Judges: the transcoder with the whole input, and `normalize` of text made
//! stream-safe by `unicode-normalization`.

use crate::common::converted::converted;
use std::io::{self, BufRead, ErrorKind, Read, Write};

use unicode_normalization::UnicodeNormalization;
use utfkit::{
    Encoding, NormalizationForm, NormalizeReader, NormalizeWriter, Policy, TranscodeReader, TranscodeWriter,
    Transcoder, normalize,
};
use utfkit_testkit::random::Random;

use crate::common::transcoding::POLICIES;
use crate::input::Input;
use crate::isas::choose;
use crate::transcode::{any, source};

/// See the [module](self).
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let [operation, from, to, policy] = input.choices;
    choose(operation >> 4);
    if operation & 3 < 3 {
        let (from, to) = (any(from), any(to));
        let (policy, _) = POLICIES[usize::from(policy) % POLICIES.len()];
        let src = source(&mut input, operation, from);
        let expected = at_once(from, to, policy, &src);
        let transcoder = Transcoder::new(from, to, policy);
        let got = match operation & 3 {
            0 => read(TranscodeReader::new(Moody::new(&src, &input), transcoder), &mut input.random),
            1 => read_lines(TranscodeReader::new(Moody::new(&src, &input), transcoder), &mut input.random),
            _ => written(TranscodeWriter::new(Moody::new(&[], &input), transcoder), &src, &mut input.random),
        };
        assert!(
            got == expected,
            "{operation} {from} to {to}, {policy:?}: {src:02X?}\n got      {got:02X?}\n expected {expected:02X?}"
        );
    } else {
        let text = input.text();
        let form = NormalizationForm::ALL[usize::from(to) % 4];
        // Streams are made stream-safe first (UAX #15, section 13).
        let safe: String = text.stream_safe().collect();
        let expected = normalize(&safe, form);
        let got = if from % 2 == 0 {
            read(NormalizeReader::new(Moody::new(text.as_bytes(), &input), form), &mut input.random).0
        } else {
            normalized(NormalizeWriter::new(Moody::new(&[], &input), form), text.as_bytes(), &mut input.random)
        };
        assert!(got == expected.as_bytes(), "{form} of {text:?}\n got      {got:02X?}\n expected {expected:?}");
        assert_eq!(expected, normalize(&expected, form), "{form} of {text:?}");
        assert!(
            utfkit::is_normalized(&expected, form)
                && utfkit::normalized_eq(&text, &normalize(&text, NormalizationForm::Nfc))
        );
    }
}

/// The output and the offset of each error.
type Outcome = (Vec<u8>, Vec<usize>);

fn at_once(from: Encoding, to: Encoding, policy: Policy, src: &[u8]) -> Outcome {
    let (out, errors) = converted(from, to, policy, &[src]);
    (out, errors.iter().map(utfkit::Error::offset).collect())
}

/// A stream with short reads and writes and random errors.
pub(crate) struct Moody {
    bytes: Vec<u8>,
    at: usize,
    mood: Random,
    /// One call in this many fails.
    patience: usize,
}

impl Moody {
    pub(crate) fn new(bytes: &[u8], input: &Input<'_>) -> Moody {
        let mut mood = input.random.clone();
        let patience = 2 + mood.below(30);
        Moody { bytes: bytes.to_vec(), at: 0, mood, patience }
    }

    /// The number of bytes to move, at most `len`.
    fn moved(&mut self, len: usize) -> io::Result<usize> {
        if self.mood.one_in(self.patience) {
            return Err((*self.mood.pick(&[ErrorKind::Interrupted, ErrorKind::WouldBlock, ErrorKind::Other])).into());
        }
        let most = *self.mood.pick(&[1, 3, 70, usize::MAX]);
        Ok(len.min(most))
    }
}

impl Read for Moody {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let len = self.moved(buf.len())?;
        let mut rest = &self.bytes[self.at..];
        let len = rest.read(&mut buf[..len])?;
        self.at += len;
        Ok(len)
    }
}

impl Write for Moody {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let len = self.moved(buf.len())?;
        self.bytes.extend_from_slice(&buf[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.moved(0).map(drop)
    }
}

/// Records an error of conversion. All other errors are retried.
fn note(e: &io::Error, errors: &mut Vec<usize>) {
    if let Some(error) = e.get_ref().and_then(|e| e.downcast_ref::<utfkit::Error>()) {
        assert_eq!(e.kind(), ErrorKind::InvalidData);
        errors.push(error.offset());
    }
}

fn read(mut reader: impl Read, random: &mut Random) -> Outcome {
    let (mut out, mut errors) = (Vec::new(), Vec::new());
    let mut buf = vec![0; *random.pick(&[1, 7, 100, 1 << 15])];
    loop {
        match reader.read(&mut buf) {
            Ok(0) => return (out, errors),
            Ok(len) => out.extend_from_slice(&buf[..len]),
            Err(e) => note(&e, &mut errors),
        }
    }
}

/// Reads by `fill_buf`, consuming only a part each time.
fn read_lines(mut reader: impl BufRead, random: &mut Random) -> Outcome {
    let (mut out, mut errors) = (Vec::new(), Vec::new());
    loop {
        match reader.fill_buf() {
            Ok([]) => return (out, errors),
            Ok(bytes) => {
                let len = 1 + random.below(bytes.len());
                out.extend_from_slice(&bytes[..len]);
                reader.consume(len);
            }
            Err(e) => note(&e, &mut errors),
        }
    }
}

fn write_all(writer: &mut impl Write, mut src: &[u8], random: &mut Random, errors: &mut Vec<usize>) {
    while !src.is_empty() {
        let len = 1 + random.below(src.len());
        match writer.write(&src[..len]) {
            Ok(taken) => {
                assert!((1..=len).contains(&taken));
                src = &src[taken..];
            }
            Err(e) => note(&e, errors),
        }
        if random.one_in(4)
            && let Err(e) = writer.flush()
        {
            note(&e, errors);
        }
    }
}

fn written(mut writer: TranscodeWriter<Moody>, src: &[u8], random: &mut Random) -> Outcome {
    let mut errors = Vec::new();
    write_all(&mut writer, src, random, &mut errors);
    loop {
        match writer.finish() {
            Ok(inner) => return (inner.bytes, errors),
            Err(e) => {
                note(e.error(), &mut errors);
                writer = e.into_adaptor();
            }
        }
    }
}

fn normalized(mut writer: NormalizeWriter<Moody>, src: &[u8], random: &mut Random) -> Vec<u8> {
    write_all(&mut writer, src, random, &mut Vec::new());
    loop {
        match writer.finish() {
            Ok(inner) => return inner.bytes,
            Err(e) => writer = e.into_adaptor(),
        }
    }
}
