//! An object store whose files are read as UTF-8.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::error::DataFusionError;
use futures::stream::{self, BoxStream, StreamExt, TryStreamExt};
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, GetResultPayload, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use utfkit::io::{Options, ReadError, Report, Utf8Stream};

/// Bytes that are read from a local file at once.
const CHUNK: usize = 256 << 10;

/// An object store whose files are read as UTF-8, whatever encoding they are in. Nothing is
/// written to it.
///
/// A file is a stream: the length in UTF-8 is known at its end, and ranges of it cannot be read.
/// Memory is bounded by the window of detection.
///
/// ```
/// use std::sync::Arc;
/// use object_store::memory::InMemory;
/// use object_store::path::Path;
/// use object_store::{ObjectStoreExt, PutPayload};
/// use utfkit::io::Options;
/// use utfkit_datafusion::Utf8Store;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> object_store::Result<()> {
/// let files = Arc::new(InMemory::new());
/// let path = Path::from("a.txt");
/// files.put(&path, PutPayload::from_static(b"\xFF\xFEG\0r\0\xFC\0\xDF\0e\0")).await?;
/// let store = Utf8Store::new(files, Options::new().detect(Options::WINDOW));
/// assert_eq!(store.get(&path).await?.bytes().await?, "Grüße");
/// assert_eq!(store.reports()[&path].encoding(), Some(utfkit::Encoding::Utf16Le));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Utf8Store {
    files: Arc<dyn ObjectStore>,
    options: Options,
    compression: FileCompressionType,
    reports: Reports,
}

type Reports = Arc<Mutex<BTreeMap<Path, Report>>>;

fn locked(reports: &Reports) -> MutexGuard<'_, BTreeMap<Path, Report>> {
    // A report is replaced as a whole.
    reports.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Utf8Store {
    /// Reads the files of `files`.
    pub fn new(files: Arc<dyn ObjectStore>, options: Options) -> Utf8Store {
        let compression = FileCompressionType::UNCOMPRESSED;
        Utf8Store { files, options, compression, reports: Reports::default() }
    }

    /// The files are compressed. Needs the feature `compression` of DataFusion.
    #[must_use]
    pub fn with_compression(self, compression: FileCompressionType) -> Utf8Store {
        Utf8Store { compression, ..self }
    }

    /// The encoding and the errors of each file that was read, of the last reading: to its end, to an error, or as
    /// far as it was needed.
    pub fn reports(&self) -> BTreeMap<Path, Report> {
        locked(&self.reports).clone()
    }

    fn read_only<T>(&self, operation: &str) -> Result<T> {
        Err(Error::NotImplemented { operation: operation.to_owned(), implementer: self.to_string() })
    }

    /// The text of a file.
    fn text(&self, location: &Path, payload: GetResultPayload) -> Result<BoxStream<'static, Result<Bytes>>> {
        let bytes = match payload {
            GetResultPayload::File(file, _) => chunks(file),
            GetResultPayload::Stream(bytes) => bytes,
        };
        let bytes = self.compression.convert_stream(bytes.map_err(DataFusionError::from).boxed());
        let bytes = bytes.map_err(|error| failed(location, error))?;
        let state = Reading {
            bytes,
            text: self.options.clone().stream(),
            failed: None,
            is_at_end: false,
            location: location.clone(),
            reports: Arc::clone(&self.reports),
        };
        Ok(stream::unfold(state, async |mut state| state.next().await.map(|text| (text, state))).boxed())
    }
}

/// The chunks of a local file, which threads for blocking work read.
fn chunks(file: File) -> BoxStream<'static, Result<Bytes>> {
    let failed = |source: std::io::Error| Error::Generic { store: "utfkit", source: Box::new(source) };
    let chunks = stream::try_unfold(file, move |mut file| async move {
        let read = move || {
            let mut chunk = vec![0; CHUNK];
            let len = loop {
                match file.read(&mut chunk) {
                    Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                    other => break other?,
                }
            };
            chunk.truncate(len);
            Ok((len > 0).then(|| (Bytes::from(chunk), file)))
        };
        match tokio::task::spawn_blocking(read).await {
            Ok(chunk) => chunk.map_err(failed),
            Err(source) => Err(Error::JoinError { source }),
        }
    });
    chunks.boxed()
}

/// A file, while it is read.
struct Reading {
    bytes: BoxStream<'static, datafusion::error::Result<Bytes>>,
    text: Utf8Stream,
    /// The error that follows the text before it.
    failed: Option<Error>,
    is_at_end: bool,
    location: Path,
    reports: Reports,
}

impl Reading {
    /// The next text. After an error nothing follows.
    async fn next(&mut self) -> Option<Result<Bytes>> {
        loop {
            if let Some(error) = self.failed.take() {
                return Some(Err(error));
            }
            if self.is_at_end {
                return None;
            }
            let text = match self.bytes.next().await {
                Some(Ok(chunk)) => {
                    let pushed = self.text.push(&chunk).map(|text| match text.as_ptr() == chunk.as_ptr() {
                        true => chunk.slice(..text.len()),
                        false => Bytes::copy_from_slice(text.as_bytes()),
                    });
                    self.or_before(pushed)
                }
                Some(Err(error)) => {
                    self.is_at_end = true;
                    return Some(Err(failed(&self.location, error)));
                }
                None => {
                    self.is_at_end = true;
                    let finished = self.text.finish().map(|text| Bytes::copy_from_slice(text.as_bytes()));
                    self.or_before(finished)
                }
            };
            if !text.is_empty() {
                return Some(Ok(text));
            }
        }
    }

    /// The text, or that before the error.
    fn or_before(&mut self, text: std::result::Result<Bytes, ReadError>) -> Bytes {
        text.unwrap_or_else(|error| {
            self.is_at_end = true;
            self.failed = Some(failed(&self.location, error));
            Bytes::copy_from_slice(self.text.text().as_bytes())
        })
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        locked(&self.reports).insert(self.location.clone(), self.text.report().clone());
    }
}

/// An error that names the file.
fn failed(location: &Path, error: impl std::error::Error + Send + Sync + 'static) -> Error {
    #[derive(Debug)]
    struct OfFile(Path, Box<dyn std::error::Error + Send + Sync>);

    impl fmt::Display for OfFile {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{}: {}", self.0, self.1)
        }
    }

    impl std::error::Error for OfFile {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            Some(&*self.1)
        }
    }

    Error::Generic { store: "utfkit", source: Box::new(OfFile(location.clone(), Box::new(error))) }
}

impl fmt::Display for Utf8Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "UTF-8 of {}", self.files)
    }
}

#[async_trait]
impl ObjectStore for Utf8Store {
    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        if options.range.is_some() {
            return self.read_only("a range, whose place is known when all before it is read");
        }
        let is_head = options.head;
        let found = self.files.get_opts(location, options).await?;
        if is_head {
            return Ok(found);
        }
        let payload = GetResultPayload::Stream(self.text(location, found.payload)?);
        Ok(GetResult { payload, ..found })
    }

    async fn get_ranges(&self, _: &Path, _: &[Range<u64>]) -> Result<Vec<Bytes>> {
        self.read_only("a range, whose place is known when all before it is read")
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.files.list(prefix)
    }

    fn list_with_offset(&self, prefix: Option<&Path>, offset: &Path) -> BoxStream<'static, Result<ObjectMeta>> {
        self.files.list_with_offset(prefix, offset)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.files.list_with_delimiter(prefix).await
    }

    async fn put_opts(&self, _: &Path, _: PutPayload, _: PutOptions) -> Result<PutResult> {
        self.read_only("put")
    }

    async fn put_multipart_opts(&self, _: &Path, _: PutMultipartOptions) -> Result<Box<dyn MultipartUpload>> {
        self.read_only("put_multipart")
    }

    fn delete_stream(&self, locations: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        let store = self.clone();
        locations.map(move |_| store.read_only("delete")).boxed()
    }

    async fn copy_opts(&self, _: &Path, _: &Path, _: CopyOptions) -> Result<()> {
        self.read_only("copy")
    }
}
