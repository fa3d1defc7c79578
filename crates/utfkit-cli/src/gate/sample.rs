//! A file read as text: its characters, and how much of it a repair would keep.

use std::io;

use utfkit::detect::Piece;
use utfkit::repair::{ChangeKind, Options, Repairer, Stretch};
use utfkit::{Encoding, Policy, Practice, Transcoder};
use utfkit_gate::Plausible;

use super::no_text::is_stray;
use crate::labels::HEAD;
use crate::reading::Replay;
use crate::survey::unite;
use crate::transcoding::transcode;

/// Statistics of the text of a file, decoded or repaired.
#[derive(Default)]
pub(super) struct Sample {
    pub(super) plausible: Plausible,
    /// The front of the text, in UTF-8.
    pub(super) head: Vec<u8>,
    /// True if `head` is the whole text.
    pub(super) is_all: bool,
    /// The number of well-formed characters beyond US-ASCII.
    pub(super) kept: u64,
    /// The number of sequences that a repair replaces by U+FFFD.
    pub(super) replaced: u64,
    /// The number of bytes that a repair reads in the fallback encoding.
    pub(super) fallback: u64,
    /// Written in place of stray controls, before the text is judged.
    strays: Option<&'static str>,
}

/// Fields that controls separate are judged as lines.
pub(super) const AS_LINES: Option<&str> = Some("\n");

impl Sample {
    /// The front of a text that needs no proof.
    pub(super) fn of_front((head, is_all): (&[u8], bool)) -> Sample {
        Sample { head: head.to_owned(), is_all, ..Sample::default() }
    }

    /// Decodes the file from `from`.
    pub(super) fn decoded(file: &mut Replay<'_>, from: Encoding, strays: Option<&'static str>) -> io::Result<Sample> {
        let mut sample = Sample { is_all: true, strays, ..Sample::default() };
        let policy = Policy::Replace(Practice::MaximalSubpart);
        let mut transcoder = Transcoder::new(from, Encoding::Utf8, policy);
        let mut buf = vec![0; 64 << 10];
        let mut take = |chunk: &[u8], last| {
            // The policy replaces, so no step stops.
            let _ = transcode(&mut transcoder, chunk, &mut buf, last, |_, text| {
                sample.take(text, true);
                Ok(())
            });
        };
        file.each(|chunk| take(chunk, false))?;
        take(&[], true);
        Ok(sample)
    }

    /// Reads each of the joined pieces in its encoding.
    pub(super) fn united(file: &mut Replay<'_>, pieces: &[Piece]) -> io::Result<Sample> {
        let mut sample = Sample { is_all: true, ..Sample::default() };
        unite(file, pieces, |stretch| sample.take(stretch.text(), true))?;
        Ok(sample)
    }

    /// Repairs the file, and writes nothing.
    pub(super) fn repaired(
        file: &mut Replay<'_>,
        options: Options,
        strays: Option<&'static str>,
    ) -> io::Result<Sample> {
        let mut sample = Sample { is_all: true, strays, ..Sample::default() };
        let mut repairer = Repairer::new(options);
        let mut take = |piece: Stretch<'_>| match piece {
            Stretch::Kept(text) => {
                sample.kept += text.iter().filter(|byte| **byte >= 0xC0).count() as u64;
                sample.take(text, false);
            }
            Stretch::Changed(change) => match change.kind {
                ChangeKind::Replaced => sample.replaced += change.count,
                // Complete forms of characters: another kind of UTF-8.
                ChangeKind::Reinterpreted | ChangeKind::Rejoined => sample.kept += change.count,
                _ => {
                    sample.fallback += change.count;
                    sample.take(change.after.as_bytes(), true);
                }
            },
        };
        file.each(|chunk| repairer.feed(chunk, &mut take))?;
        repairer.finish(&mut take);
        Ok(sample)
    }

    /// True if at least half of the front is letters.
    pub(super) fn has_words(&self) -> bool {
        let text = self.head.utf8_chunks().flat_map(|chunk| chunk.valid().chars());
        let (letters, all) = text.fold((0, 0), |(letters, all), c| (letters + usize::from(c.is_alphabetic()), all + 1));
        letters * 2 >= all
    }

    fn take(&mut self, text: &[u8], is_doubtful: bool) {
        let capacity = HEAD - self.head.len();
        self.head.extend_from_slice(&text[..text.len().min(capacity)]);
        self.is_all &= text.len() <= capacity;
        for part in text.utf8_chunks() {
            match self.strays {
                Some(new) => self.plausible.feed(&part.valid().replace(is_stray, new), is_doubtful),
                None => self.plausible.feed(part.valid(), is_doubtful),
            }
        }
    }
}
