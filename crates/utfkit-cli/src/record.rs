//! The log entry of a conversion: the two encodings, if converting back gives the
//! same bytes, and the old bytes otherwise.

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::SystemTime;

use utfkit::bom::Bom;
use utfkit::{Encoding, Policy, Transcoder};

use crate::checksum::Checksum;
use crate::log::Entry;
use crate::transcoding::transcode;

/// Watches the old and the new content, and converts the new one back.
pub(crate) struct Record {
    entry: Entry,
    from: Encoding,
    to: Encoding,
    before: Checksum,
    after: Checksum,
    back: Option<Back>,
    begun: bool,
    /// The source is made of the old content.
    is_made: bool,
}

/// The conversion of the new content back to the old one.
struct Back {
    transcoder: Transcoder,
    sum: Checksum,
    buf: Vec<u8>,
}

impl Record {
    pub(crate) fn new(path: &Path, modified: Option<SystemTime>, from: Encoding, to: Encoding) -> Record {
        Record {
            entry: Entry::new(path, path, modified),
            from,
            to,
            before: Checksum::default(),
            after: Checksum::default(),
            back: None,
            begun: false,
            is_made: false,
        }
    }

    /// The record of a file whose pieces were in several encodings: the old bytes are kept.
    pub(crate) fn of_pieces(path: &Path, modified: Option<SystemTime>) -> Record {
        let record = Record::new(path, modified, Encoding::Utf8, Encoding::Utf8);
        Record { begun: true, is_made: true, ..record }
    }

    /// Takes the next bytes of the source, and the text that they became.
    pub(crate) fn take(&mut self, source: &[u8], made: &[u8]) -> io::Result<()> {
        self.take_edited(source, made, made)
    }

    /// Finds out the byte order of the source, by its BOM.
    fn begin(&mut self, source: &[u8]) -> io::Result<()> {
        self.begun = true;
        let (exact, has_bom) = match (self.from, source) {
            (Encoding::Utf16, [0xFF, 0xFE, ..]) => (Encoding::Utf16Le, true),
            (Encoding::Utf16, [0xFE, 0xFF, ..]) => (Encoding::Utf16Be, true),
            (Encoding::Utf16, _) => (Encoding::Utf16Be, false),
            (Encoding::Utf32, [0xFF, 0xFE, 0, 0, ..]) => (Encoding::Utf32Le, true),
            (Encoding::Utf32, [0, 0, 0xFE, 0xFF, ..]) => (Encoding::Utf32Be, true),
            (Encoding::Utf32, _) => (Encoding::Utf32Be, false),
            (other, _) => (other, false),
        };
        self.from = exact;
        let transcoder = Transcoder::new(self.to, exact, Policy::Strict);
        self.back = Some(Back { transcoder, sum: Checksum::default(), buf: vec![0; 64 << 10] });
        // The new text does not have it.
        if has_bom && self.to == Encoding::Utf8 {
            let bom = Bom::Utf8.bytes();
            self.entry.change_at(0, 0, "BOM", None, bom, b"")?;
            self.turn_back(bom, false);
        }
        Ok(())
    }

    fn turn_back(&mut self, made: &[u8], last: bool) {
        let Some(Back { transcoder, sum, buf }) = &mut self.back else { return };
        let stopped = transcode(transcoder, made, buf, last, |_, bytes| {
            sum.feed(bytes);
            Ok(())
        });
        if !matches!(stopped, Ok(None)) {
            self.back = None;
        }
    }

    /// Notes that `before`, at `offset` of the new text, was replaced by `after`.
    pub(crate) fn edited(&mut self, offset: u64, kind: &str, before: &[u8], after: &[u8]) -> io::Result<()> {
        self.entry.change_at(offset, offset, kind, None, before, after)
    }

    /// Like [`take`](Record::take), for text that was edited after the conversion.
    pub(crate) fn take_edited(&mut self, source: &[u8], made: &[u8], edited: &[u8]) -> io::Result<()> {
        if !self.begun && !source.is_empty() {
            self.begin(source)?;
        }
        self.before.feed(source);
        self.after.feed(edited);
        self.turn_back(made, false);
        Ok(())
    }

    /// The entry for the log. `file` has the old content.
    pub(crate) fn finish(mut self, file: &File) -> io::Result<Entry> {
        self.turn_back(&[], true);
        let is_same = self.back.take().is_some_and(|back| {
            back.sum.bytes() == self.before.bytes() && back.sum.finish() == self.before.clone().finish()
        });
        let Record { mut entry, from, to, mut before, after, is_made, .. } = self;
        if is_made {
            before = Checksum::of(file)?;
        }
        if is_same {
            entry.converted(from, to, before, after);
        } else {
            entry.keep(before, after, file)?;
        }
        Ok(entry)
    }
}
