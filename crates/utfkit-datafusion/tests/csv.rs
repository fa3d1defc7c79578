//! CSV files in any encoding as tables: every encoding, several files, projection, limits, damage.
#![cfg(feature = "csv")]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::prelude::{CsvReadOptions, SessionConfig, SessionContext};
use object_store::memory::InMemory;
use object_store::path::Path as Place;
use object_store::{ObjectStore, ObjectStoreExt};
use utfkit::io::Options;
use utfkit::repair::Fallback;
use utfkit::{Encoding, Legacy, Policy, Practice, Transcoder};
use utfkit_datafusion::{csv_in, options_of, register_csv_in};

const TEXT: &str = "id,name,city\n1,Zoë,Köln\n2,\"Łukasz, Š\",Łódź\n3,Дмитрий,Москва\n4,花子,東京\n5,철수,서울\n";

fn encoded(text: &str, encoding: Encoding) -> Vec<u8> {
    let mut out = Vec::new();
    let mut transcoder = Transcoder::new(Encoding::Utf8, encoding, Policy::Skip);
    let _ = transcoder.transcode_to_vec(text.as_bytes(), &mut out, true);
    out
}

/// The text that an encoding can hold, as it is read back.
fn readable(encoding: Encoding) -> (Vec<u8>, String) {
    let bytes = encoded(TEXT, encoding);
    let mut text = Vec::new();
    let mut back = Transcoder::new(encoding, Encoding::Utf8, Policy::Replace(Practice::MaximalSubpart));
    let _ = back.transcode_to_vec(&bytes, &mut text, true);
    let text = String::from_utf8(text).unwrap();
    (bytes, text.trim_start_matches('\u{FEFF}').to_owned())
}

async fn shown(context: &SessionContext, sql: &str) -> String {
    let found = context.sql(sql).await.unwrap().collect().await.unwrap();
    pretty_format_batches(&found).unwrap().to_string()
}

async fn error_of(context: &SessionContext, sql: &str) -> String {
    match context.sql(sql).await {
        Ok(frame) => frame.collect().await.expect_err(sql).to_string(),
        Err(error) => error.to_string(),
    }
}

#[tokio::test]
async fn every_encoding_gives_the_table_of_its_text() {
    let folder = tempfile::tempdir().unwrap();
    let context = SessionContext::new();
    let mut read = 0;
    for &encoding in Encoding::ALL {
        let (bytes, text) = readable(encoding);
        if !text.starts_with("id,name,city\n1,") {
            continue;
        }
        let (ours, plain) = (folder.path().join(format!("{read}.csv")), folder.path().join(format!("{read}.utf8.csv")));
        fs::write(&ours, &bytes).unwrap();
        fs::write(&plain, &text).unwrap();
        let (table, name) = (format!("t{read}"), encoding.name());
        register_csv_in(&context, table.as_str(), ours.to_str().unwrap(), name).await.unwrap();
        let clean = format!("u{read}");
        context.register_csv(clean.as_str(), plain.to_str().unwrap(), CsvReadOptions::new()).await.unwrap();
        for columns in ["*", "city, id", "count(*)"] {
            let expected = shown(&context, &format!("SELECT {columns} FROM {clean}")).await;
            assert_eq!(shown(&context, &format!("SELECT {columns} FROM {table}")).await, expected, "{name}");
        }
        read += 1;
    }
    assert!(read > 80, "{read}");
}

#[tokio::test]
async fn a_folder_is_read_file_by_file() {
    let folder = tempfile::tempdir().unwrap();
    let text = |word: &str, n: usize| format!("id,city\n{}", format!("{n},{word}\n").repeat(200));
    let words = [
        ("utf16", Encoding::Utf16Le, "Łódź"),
        ("cyrillic", Encoding::Legacy(Legacy::Windows1251), "Нижний Новгород на Волге"),
        ("japanese", Encoding::Legacy(Legacy::ShiftJis), "名古屋の人たち"),
        ("utf8", Encoding::Utf8, "Zürich"),
    ];
    for (n, (name, encoding, word)) in words.iter().enumerate() {
        fs::write(folder.path().join(format!("{name}.csv")), encoded(&text(word, n), *encoding)).unwrap();
    }
    fs::write(folder.path().join("notes.txt"), "no table").unwrap();
    let context = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(4));
    let path = format!("{}/", folder.path().display());
    let store = register_csv_in(&context, "t", &path, "auto").await.unwrap();
    let found = shown(&context, "SELECT city, count(*) AS n FROM t GROUP BY city ORDER BY city").await;
    for (_, _, word) in words {
        assert!(found.contains(&format!("{word} ")), "{found}");
    }
    assert_eq!(found.matches("| 200 |").count(), 4, "{found}");
    let reports = store.reports();
    for (name, encoding, _) in words {
        let report = reports.iter().find(|(place, _)| place.as_ref().contains(name)).unwrap().1;
        assert_eq!(report.encoding(), Some(encoding), "{name}");
    }
    // A pattern, and several paths.
    let pattern = format!("{}/*16.csv", folder.path().display());
    register_csv_in(&context, "p", &pattern, "auto").await.unwrap();
    assert!(shown(&context, "SELECT count(*) FROM p").await.contains("| 200 "));
    let paths = ["utf16", "japanese"].map(|name| format!("{}/{name}.csv", folder.path().display()));
    let paths: Vec<_> = paths.iter().map(String::as_str).collect();
    let (table, _) = csv_in(&context, &paths, CsvReadOptions::new(), options_of("auto").unwrap()).await.unwrap();
    context.register_table("two", table).unwrap();
    assert!(shown(&context, "SELECT count(*) FROM two").await.contains("| 400 "));
}

#[tokio::test]
async fn a_limit_reads_no_more_than_it_needs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.csv");
    let mut text =
        encoded(&format!("id,city\n{}", "1,Köln\n".repeat(3_000_000)), Encoding::Legacy(Legacy::Windows1252));
    // An error at the end, which is not reached.
    text.extend_from_slice(b"2,\x81\n");
    fs::write(&path, &text).unwrap();
    let context = SessionContext::new();
    let store = register_csv_in(&context, "t", path.to_str().unwrap(), "windows-1252").await.unwrap();
    let found = shown(&context, "SELECT city FROM t LIMIT 3").await;
    assert_eq!(found.matches("Köln").count(), 3);
    let read = store.reports().into_values().next().unwrap().bytes();
    assert!(read < 4 << 20, "{read} bytes of {}", text.len());
    let plan = shown(&context, "EXPLAIN SELECT city FROM t LIMIT 3").await;
    assert!(plan.contains("projection=[city]") && plan.contains("limit=3"), "{plan}");
}

#[tokio::test]
async fn damage_is_an_error_with_path_and_offset_or_as_the_policy_says() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.csv");
    let front = format!("id,city\n{}", "1,Köln\n".repeat(100_000));
    fs::write(&path, [front.as_bytes(), b"2,M\xFCnchen\n3,"].concat()).unwrap();
    let path = path.to_str().unwrap();
    let context = SessionContext::new();
    register_csv_in(&context, "strict", path, "utf-8").await.unwrap();
    let error = error_of(&context, "SELECT count(*) FROM strict WHERE city <> ''").await;
    assert!(error.contains("bad.csv") && error.contains(&format!("{}", front.len() + 3)), "{error}");

    let lossy = Options::new().errors(Policy::Replace(Practice::MaximalSubpart));
    let western = Fallback::new(Encoding::Legacy(Legacy::Windows1252)).unwrap();
    for (n, (text, expected)) in
        [(lossy, "M\u{FFFD}nchen"), (Options::new().fallback(western), "München")].into_iter().enumerate()
    {
        let (table, store) = csv_in(&context, &[path], CsvReadOptions::new(), text).await.unwrap();
        let name = format!("t{n}");
        context.register_table(name.as_str(), table).unwrap();
        let found = shown(&context, &format!("SELECT city FROM {name} WHERE id = 2")).await;
        assert!(found.contains(expected), "{found}");
        let report = store.reports().into_values().next().unwrap();
        assert_eq!(report.errors() + report.in_fallback(), 1);
    }
    // A file that ends inside a character.
    let cut = folder.path().join("cut.csv");
    fs::write(&cut, b"id,city\n1,K\xC3").unwrap();
    let error = register_csv_in(&context, "cut", cut.to_str().unwrap(), "utf-8").await.unwrap_err().to_string();
    assert!(error.contains("cut.csv") && error.contains("11"), "{error}");
}

#[tokio::test]
async fn bad_arguments_are_errors() {
    let context = SessionContext::new();
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let refused = async |path: String, encoding: &str| {
        register_csv_in(&context, "t", &path, encoding).await.unwrap_err().to_string()
    };
    assert!(refused(at("x.csv"), "klingon").await.contains("unknown encoding: klingon"));
    let missing = refused(at("missing.csv"), "auto").await;
    assert!(missing.contains("missing.csv"), "{missing}");
    fs::write(at("empty.csv"), "").unwrap();
    assert!(refused(at("empty.csv"), "auto").await.contains("there is no CSV file"));
    let unknown = refused("s3://bucket/x.csv".to_owned(), "auto").await;
    assert!(unknown.contains("s3://bucket"), "{unknown}");
    fs::write(at("noise.csv"), (0..5000u32).map(|n| (n.wrapping_mul(2654435761) >> 13) as u8).collect::<Vec<_>>())
        .unwrap();
    let noise = refused(at("noise.csv"), "auto").await;
    assert!(noise.contains("noise.csv"), "{noise}");
}

#[tokio::test]
async fn files_are_read_from_any_store_and_decompressed_first() {
    let context = SessionContext::new();
    let files = Arc::new(InMemory::new());
    context
        .register_object_store(&url::Url::parse("memory://files").unwrap(), Arc::clone(&files) as Arc<dyn ObjectStore>);
    let text = encoded("id;city\n1;Łódź\n2;Kraków\n", Encoding::Legacy(Legacy::Windows1250));
    files.put(&Place::from("a/x.csv"), text.clone().into()).await.unwrap();
    register_csv_in(&context, "plain", "memory://files/a/x.csv", "windows-1250").await.unwrap();
    assert!(shown(&context, "SELECT * FROM plain").await.contains("Kraków"));

    let folder = tempfile::tempdir().unwrap();
    let Some(packed) = gzipped(&text, folder.path()) else { return };
    files.put(&Place::from("a/x.csv.gz"), packed.clone().into()).await.unwrap();
    files.put(&Place::from("a/cut.csv.gz"), packed[..packed.len() - 9].to_vec().into()).await.unwrap();
    let csv = CsvReadOptions::new().delimiter(b';').file_compression_type(FileCompressionType::GZIP);
    let windows = options_of("windows-1250").unwrap();
    let (table, _) = csv_in(&context, &["memory://files/a/x.csv.gz"], csv.clone(), windows.clone()).await.unwrap();
    context.register_table("packed", table).unwrap();
    assert!(shown(&context, "SELECT city FROM packed WHERE id = 1").await.contains("Łódź"));
    let cut = csv_in(&context, &["memory://files/a/cut.csv.gz"], csv, windows).await.err().unwrap().to_string();
    assert!(cut.contains("cut.csv.gz"), "{cut}");
}

fn gzipped(bytes: &[u8], folder: &Path) -> Option<Vec<u8>> {
    let path = folder.join("x");
    fs::write(&path, bytes).unwrap();
    match std::process::Command::new("gzip").args(["-c"]).arg(&path).output() {
        Ok(output) => Some(output.stdout),
        Err(error) => {
            eprintln!("skipped: there is no gzip: {error}");
            None
        }
    }
}
