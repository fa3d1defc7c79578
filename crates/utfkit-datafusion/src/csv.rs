//! CSV files in any encoding as tables.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use datafusion::common::TableReference;
use datafusion::datasource::TableProvider;
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::file_format::options::ReadOptions;
use datafusion::datasource::listing::{ListingTable, ListingTableConfig, ListingTableUrl};
use datafusion::error::{DataFusionError, Result};
use datafusion::prelude::{CsvReadOptions, SessionContext};
use url::Url;
use utfkit::Encoding;
use utfkit::io::Options;

use crate::store::Utf8Store;

/// Distinguishes the stores of tables.
static TABLES: AtomicU64 = AtomicU64::new(0);

/// Registers a CSV file in any encoding as a table, or a folder of such files, or those that match a pattern.
///
/// `encoding` is a label, or `auto` to detect the encoding of each file; see [`csv_in`] for more.
///
/// ```
/// use datafusion::prelude::SessionContext;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("cities.csv");
/// std::fs::write(&path, b"id,city\n1,K\xF6ln\n2,Z\xFCrich\n")?;
///
/// let context = SessionContext::new();
/// let path = path.to_str().unwrap();
/// let store = utfkit_datafusion::register_csv_in(&context, "cities", path, "windows-1252").await?;
/// let found = context.sql("SELECT city FROM cities WHERE id = 2").await?.to_string().await?;
/// assert!(found.contains("Zürich"));
/// assert_eq!(store.reports().len(), 1);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// An unknown encoding, no such file, and what `register_csv` gives as errors. Bytes that are ill-formed end the query
/// that reads them.
pub async fn register_csv_in(
    context: &SessionContext,
    name: impl Into<TableReference>,
    path: &str,
    encoding: &str,
) -> Result<Utf8Store> {
    let (table, store) = csv_in(context, &[path], CsvReadOptions::new(), options_of(encoding)?).await?;
    context.register_table(name, table)?;
    Ok(store)
}

/// The options of a label: a stated encoding, or detection for `auto`.
///
/// # Errors
///
/// The label of no encoding.
pub fn options_of(encoding: &str) -> Result<Options> {
    if encoding.eq_ignore_ascii_case("auto") {
        return Ok(Options::new().detect(Options::WINDOW));
    }
    match Encoding::for_label(encoding) {
        Some(encoding) => Ok(Options::new().encoding(encoding)),
        None => Err(DataFusionError::Plan(format!("unknown encoding: {encoding}"))),
    }
}

/// CSV files in any encoding as a table: files, folders and patterns of one object store, which the session knows.
///
/// `csv` are the options of [`register_csv`](SessionContext::register_csv), `text` those of the encoding, of errors
/// and of a fallback. The schema is inferred from the first files unless `csv` has one. Columns that a query does not
/// need are not parsed, and no more is read than a `LIMIT` needs. Each file is read by one thread, and several at
/// once.
///
/// The store says of each file that was read in which encoding it is.
///
/// ```
/// use datafusion::prelude::{CsvReadOptions, SessionContext};
/// use utfkit::{Policy, Practice};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("a.csv"), "id;city\n1;Łódź\n".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>())?;
/// std::fs::write(folder.path().join("b.csv"), b"id;city\n2;Lyon\xFF\n")?;
///
/// let context = SessionContext::new();
/// let csv = CsvReadOptions::new().delimiter(b';');
/// let text = utfkit_datafusion::options_of("auto")?.errors(Policy::Replace(Practice::MaximalSubpart));
/// let path = format!("{}/", folder.path().display());
/// let (table, store) = utfkit_datafusion::csv_in(&context, &[&path], csv, text).await?;
/// context.register_table("cities", table)?;
/// let found = context.sql("SELECT city FROM cities ORDER BY id").await?.to_string().await?;
/// assert!(found.contains("Łódź"));
/// assert_eq!(store.reports().len(), 2);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Paths of several object stores, or that name no file; an object store that the session does not know; what
/// inference gives as errors.
pub async fn csv_in(
    context: &SessionContext,
    paths: &[&str],
    csv: CsvReadOptions<'_>,
    text: Options,
) -> Result<(Arc<dyn TableProvider>, Utf8Store)> {
    let urls = paths.iter().map(ListingTableUrl::parse).collect::<Result<Vec<_>>>()?;
    let Some(first) = urls.first() else {
        return Err(DataFusionError::Plan("no path was given".to_owned()));
    };
    let place = first.object_store();
    if urls.iter().any(|url| url.object_store() != place) {
        return Err(DataFusionError::Plan(
            "the paths are of several object stores: register a table for each".to_owned(),
        ));
    }
    let files = context.runtime_env().object_store(&place)?;
    let store = Utf8Store::new(files, text).with_compression(csv.file_compression_type);
    // A store of its own, by whose name the table finds it.
    let scheme = format!("utfkit-{}", TABLES.fetch_add(1, Ordering::Relaxed));
    let urls = urls.iter().map(|url| renamed(url, &scheme)).collect::<Result<Vec<_>>>()?;
    let [url, ..] = &urls[..] else { return Err(DataFusionError::Plan("no path was given".to_owned())) };
    context.register_object_store(url.object_store().as_ref(), Arc::new(store.clone()));

    // The store decompresses. A range of a file cannot be read, so a file is not split.
    let mut options = csv
        .clone()
        .file_compression_type(FileCompressionType::UNCOMPRESSED)
        .newlines_in_values(true)
        .to_listing_options(&context.copied_config(), context.state().default_table_options());
    if urls.iter().all(|url| !url.is_collection()) {
        // A file that is named is read, whatever its name is.
        options = options.with_file_extension("");
    }
    let state = context.state();
    let schema = match csv.schema {
        Some(schema) => Arc::new(schema.clone()),
        None => {
            let mut schemas = Vec::with_capacity(urls.len());
            for (url, path) in urls.iter().zip(paths) {
                let inferred = options.infer_schema(&state, url).await?;
                if inferred.fields().is_empty() {
                    return Err(DataFusionError::Plan(format!("{path}: there is no CSV file, or only empty ones")));
                }
                schemas.push(inferred.as_ref().clone());
            }
            Arc::new(datafusion::arrow::datatypes::Schema::try_merge(schemas)?)
        }
    };
    let config = ListingTableConfig::new_with_multi_paths(urls).with_listing_options(options).with_schema(schema);
    Ok((Arc::new(ListingTable::try_new(config)?), store))
}

/// The URL in the store of a table.
fn renamed(url: &ListingTableUrl, scheme: &str) -> Result<ListingTableUrl> {
    let old = url.get_url();
    let address = format!("{scheme}://{}{}", old.authority(), old.path());
    let new = Url::parse(&address).map_err(|error| DataFusionError::External(Box::new(error)))?;
    ListingTableUrl::try_new(new, url.get_glob().clone())
}
