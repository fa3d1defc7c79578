//! The format of a log: a JSON object in each line.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utfkit::Encoding;

use crate::reading::open_at_once;
use crate::report::JsonPath;

/// The name and the version in the first line of a log.
pub(crate) const NAME: &str = "utfkit";
pub(crate) const VERSION: u64 = 2;

/// The limit of a line, in bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// The first line.
#[derive(Serialize, Deserialize)]
pub(crate) struct Head {
    pub(crate) log: String,
    pub(crate) version: u64,
    #[serde(default)]
    pub(crate) command: String,
    /// A folder above all files of the run.
    #[serde(flatten)]
    pub(crate) folder: JsonPath,
}

/// The line of a file, which is followed by `changes` lines.
#[derive(Serialize, Deserialize)]
pub(crate) struct FileLine {
    #[serde(flatten)]
    pub(crate) path: JsonPath,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<String>,
    pub(crate) file: bool,
    pub(crate) bytes: u64,
    pub(crate) sha256: String,
    pub(crate) repaired_bytes: u64,
    pub(crate) repaired_sha256: String,
    /// Seconds and nanoseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) modified: Option<(u64, u32)>,
    /// The encodings of the old and the new content, if it was converted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) to: Option<String>,
    /// The changes are the whole old content.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) whole: bool,
    pub(crate) changes: u64,
}

impl FileLine {
    /// The time of modification of the old file, if it is known.
    pub(crate) fn modified(&self) -> anyhow::Result<Option<SystemTime>> {
        let Some((seconds, nanos)) = self.modified else { return Ok(None) };
        ensure!(nanos < 1_000_000_000, "not a time");
        Ok(Some(UNIX_EPOCH.checked_add(Duration::new(seconds, nanos)).context("not a time")?))
    }

    /// The encodings of the old and the new content, if it was converted.
    pub(crate) fn conversion(&self) -> anyhow::Result<Option<(Encoding, Encoding)>> {
        let encoding = |name: &Option<String>| Encoding::for_label(name.as_deref()?);
        match (&self.from, encoding(&self.from), encoding(&self.to)) {
            (None, ..) => Ok(None),
            (_, Some(from), Some(to)) => Ok(Some((from, to))),
            _ => bail!("unknown encoding"),
        }
    }
}

/// The line of a name that is changed.
#[derive(Serialize, Deserialize)]
pub(crate) struct RenameLine {
    /// The old path.
    #[serde(flatten)]
    pub(crate) path: JsonPath,
    pub(crate) rename: bool,
    /// The new name, in the same folder.
    pub(crate) to: String,
    /// The device and the inode, where there are such.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<(u64, u64)>,
}

/// The line of a change. Some of it is only for people.
#[derive(Serialize, Deserialize)]
pub(crate) struct ChangeLine<'a> {
    #[serde(flatten, skip_deserializing)]
    pub(crate) path: Cow<'a, JsonPath>,
    #[serde(skip_deserializing)]
    pub(crate) offset: u64,
    pub(crate) repaired_offset: u64,
    #[serde(skip_deserializing)]
    pub(crate) kind: Cow<'a, str>,
    /// The encoding that it was misread in, or the fallback.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub(crate) encoding: Option<Cow<'a, str>>,
    #[serde(with = "hexadecimal")]
    pub(crate) before: Cow<'a, [u8]>,
    #[serde(with = "hexadecimal")]
    pub(crate) after: Cow<'a, [u8]>,
}

mod hexadecimal {
    use std::borrow::Cow;

    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::report::{hex, unhex};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Cow<'static, [u8]>, D::Error> {
        let text = String::deserialize(deserializer)?;
        unhex(&text).map(Cow::Owned).ok_or_else(|| D::Error::custom("not hexadecimal"))
    }
}

/// The lines of a log.
pub(crate) struct Lines {
    reader: BufReader<File>,
    /// The offset of the next line.
    pub(crate) at: u64,
}

impl Lines {
    pub(crate) fn open(path: &Path) -> anyhow::Result<Lines> {
        let file = open_at_once(path)?;
        ensure!(file.metadata()?.is_file(), "not a regular file, and so not a log");
        Ok(Lines { reader: BufReader::new(file), at: 0 })
    }

    pub(crate) fn next(&mut self) -> anyhow::Result<Option<Value>> {
        let mut text = Vec::new();
        let len = (&mut self.reader).take(LONGEST_LINE).read_until(b'\n', &mut text)?;
        if len == 0 {
            return Ok(None);
        }
        self.at += len as u64;
        ensure!(text.ends_with(b"\n"), "not a line of a log, or not all of it");
        Ok(Some(serde_json::from_slice(&text).context("not a line of a log")?))
    }

    pub(crate) fn is_at_end(&mut self) -> io::Result<bool> {
        Ok(self.reader.fill_buf()?.is_empty())
    }

    pub(crate) fn seek(&mut self, to: u64) -> anyhow::Result<()> {
        self.at = to;
        self.reader.seek(SeekFrom::Start(to))?;
        Ok(())
    }
}
