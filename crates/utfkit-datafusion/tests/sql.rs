//! Tests every function through SQL: the examples of its documentation, test vectors of other projects in every
//! layout, nulls, scalars, an encoding for each row, and errors.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, BooleanArray, DictionaryArray, FixedSizeBinaryArray, Int32Array,
    Int64Array, LargeBinaryArray, RecordBatch, StringArray, StringViewArray,
};
use arrow_schema::DataType;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::prelude::SessionContext;
use utfkit::Encoding;

fn context() -> SessionContext {
    let mut context = SessionContext::new();
    utfkit_datafusion::register(&mut context).unwrap();
    context
}

async fn batch(context: &SessionContext, sql: &str) -> RecordBatch {
    let frame = context.sql(sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
    let schema = Arc::new(frame.schema().as_arrow().clone());
    let batches = frame.collect().await.unwrap_or_else(|error| panic!("{sql}: {error}"));
    datafusion::arrow::compute::concat_batches(&schema, &batches).unwrap()
}

async fn column(context: &SessionContext, sql: &str) -> ArrayRef {
    Arc::clone(batch(context, sql).await.column(0))
}

/// The error of a query, from planning or execution.
async fn refused(sql: &str) -> String {
    let error = match context().sql(sql).await {
        Ok(frame) => frame.collect().await.expect_err(sql),
        Err(error) => error,
    };
    error.to_string()
}

fn strings(array: &ArrayRef) -> Vec<Option<String>> {
    array.to_data().validate_full().unwrap();
    let array = datafusion::arrow::compute::cast(array, &DataType::LargeUtf8).unwrap();
    array.as_string::<i64>().iter().map(|row| row.map(str::to_owned)).collect()
}

/// Registers the rows in every binary layout, as tables of these names.
fn tables(context: &SessionContext, rows: &[Option<&[u8]>]) -> Vec<(&'static str, DataType)> {
    let arrays: Vec<(&str, DataType, ArrayRef)> = vec![
        ("small", DataType::Utf8, Arc::new(BinaryArray::from(rows.to_vec()))),
        ("large", DataType::LargeUtf8, Arc::new(LargeBinaryArray::from(rows.to_vec()))),
        ("views", DataType::Utf8View, Arc::new(BinaryViewArray::from(rows.to_vec()))),
    ];
    let mut tables = Vec::new();
    for (name, text, array) in arrays {
        let order: ArrayRef = Arc::new((0..rows.len() as i64).collect::<Int64Array>());
        let batch = RecordBatch::try_from_iter([("raw", array), ("at", order)]).unwrap();
        context.register_batch(name, batch).unwrap();
        tables.push((name, text));
    }
    tables
}

#[tokio::test]
async fn the_examples_in_the_documentation_are_true() {
    let context = context();
    for function in utfkit_datafusion::functions() {
        let documentation = function.documentation().unwrap();
        assert!(documentation.syntax_example.starts_with(function.name()));
        let example = documentation.sql_example.as_deref().unwrap();
        let example = example.strip_prefix("```sql\n> ").and_then(|text| text.strip_suffix("\n```")).unwrap();
        let (sql, shown) = example.split_once(";\n").unwrap();
        let got = pretty_format_batches(&[batch(&context, sql).await]).unwrap().to_string();
        assert_eq!(got, shown, "{sql}");
    }
}

/// Compares with the standard library, in every layout, on the test vectors of other projects and some of our own.
#[tokio::test]
async fn test_vectors_give_the_results_of_std() {
    let folder = std::env::var_os("UTFKIT_SHARED")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")), PathBuf::from);
    let mut cases: Vec<Vec<u8>> =
        vec![b"".into(), b"tea".into(), "é日本語😀".into(), b"\xE2\x82".into(), b"\xAC".into()];
    for (file, count) in [
        ("bstr_utf8.json", 40),
        ("jsontestsuite.json", 117),
        ("kuhn_utf8_test.json", 80),
        ("perl_utf8decode.json", 142),
        ("toml_test_encoding.json", 17),
        ("unicode_core_spec_fffd.json", 5),
        ("utf8tests_flenniken.json", 216),
    ] {
        let path = folder.join("vectors").join(file);
        let Ok(text) = std::fs::read_to_string(&path) else {
            eprintln!("left out: {} is not there (UTFKIT_SHARED says where)", path.display());
            continue;
        };
        let rows: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
        assert_eq!(rows.len(), count, "{file}");
        for row in &rows {
            let hex = row["hex"].as_str().unwrap();
            let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
            cases.push((0..hex.len()).step_by(2).map(byte).collect());
        }
    }
    let rows: Vec<Option<&[u8]>> = cases.iter().flat_map(|case| [Some(&case[..]), None]).collect();
    let context = context();
    for (table, text_type) in tables(&context, &rows) {
        let sql = "SELECT is_valid_utf8(raw), make_valid_utf8(raw), try_validate_utf8(raw), decode_text(raw, 'UTF-8'), \
                   code_points(raw), first_error_utf8(raw), errors_utf8(raw), make_valid_utf8(raw, 'per-byte') FROM ";
        let got = batch(&context, &format!("{sql}{table} ORDER BY at")).await;
        let each = |f: &dyn Fn(&[u8]) -> Option<String>| -> Vec<Option<String>> {
            rows.iter().map(|row| row.and_then(f)).collect()
        };
        let lossy = each(&|row| Some(String::from_utf8_lossy(row).into()));
        let valid: Vec<_> = rows.iter().map(|row| row.map(|row| std::str::from_utf8(row).is_ok())).collect();
        assert_eq!(got.column(0).as_boolean().iter().collect::<Vec<_>>(), valid, "{table}");
        assert_eq!(got.column(1).data_type(), &text_type);
        assert_eq!(strings(got.column(1)), lossy, "{table}");
        let tried = each(&|row| Some(std::str::from_utf8(row).ok()?.into()));
        assert_eq!(strings(got.column(2)), tried, "{table}");
        assert_eq!(strings(got.column(3)), lossy, "{table}");
        let counts = lossy.iter().map(|row| row.as_ref().map(|row| row.chars().count() as i64)).collect::<Vec<_>>();
        assert_eq!(got.column(4).as_primitive::<Int64Type>().iter().collect::<Vec<_>>(), counts, "{table}");
        let first = got.column(5).as_struct();
        let errors = got.column(6).as_list::<i32>();
        for (at, row) in rows.iter().enumerate() {
            let error = row.and_then(|row| std::str::from_utf8(row).err());
            assert_eq!(first.is_null(at), error.is_none(), "{table}: {row:x?}");
            assert_eq!(errors.is_null(at), row.is_none(), "{table}: {row:x?}");
            if let Some(error) = error {
                let offset = first.column(0).as_primitive::<Int64Type>().value(at);
                assert_eq!(offset, error.valid_up_to() as i64, "{table}: {row:x?}");
                let found = row.unwrap().utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count();
                assert_eq!(errors.value_length(at) as usize, found, "{table}: {row:x?}");
            }
        }
        // One U+FFFD for each byte of an ill-formed sequence.
        let per_byte = each(&|row| {
            let chunks = row.utf8_chunks();
            Some(chunks.flat_map(|chunk| [chunk.valid().into(), "\u{FFFD}".repeat(chunk.invalid().len())]).collect())
        });
        assert_eq!(strings(got.column(7)), per_byte, "{table}");
    }
}

#[tokio::test]
async fn strings_dictionaries_and_bytes_of_one_length_are_read() {
    let context = context();
    let views: ArrayRef = Arc::new(StringViewArray::from(vec![Some("Ã©tÃ© Ã©crit"), None]));
    let fixed = FixedSizeBinaryArray::try_from_sparse_iter_with_size([Some(b"ab"), Some(b"\xC3\xA9")].into_iter(), 2);
    let keys = Int32Array::from(vec![Some(1), None]);
    let values: ArrayRef = Arc::new(BinaryArray::from(vec![&b"tea"[..], b"caf\xE9"]));
    let dictionary: ArrayRef = Arc::new(DictionaryArray::<Int32Type>::new(keys, values));
    let fixed: ArrayRef = Arc::new(fixed.unwrap());
    let batch = RecordBatch::try_from_iter([("views", views), ("fixed", fixed), ("dictionary", dictionary)]).unwrap();
    context.register_batch("t", batch).unwrap();
    let text = |text: &str| Some(text.to_owned());
    let undoubled = column(&context, "SELECT undouble(views) FROM t").await;
    assert_eq!(undoubled.data_type(), &DataType::Utf8View);
    assert_eq!(strings(&undoubled), [text("été écrit"), None]);
    let fixed = column(&context, "SELECT validate_utf8(fixed) FROM t").await;
    assert_eq!(strings(&fixed), [text("ab"), text("é")]);
    let made = column(&context, "SELECT make_valid_utf8(dictionary) FROM t").await;
    assert_eq!(strings(&made), [text("caf\u{FFFD}"), None]);
}

#[tokio::test]
async fn each_row_is_decoded_by_its_own_encoding() {
    let context = context();
    let raw: ArrayRef = Arc::new(BinaryArray::from(vec![
        Some(&b"caf\xE9"[..]),
        Some(b"caf\xC3\xA9"),
        None,
        Some(b"\xEF\xE5"),
        Some(b"\xE9"),
        Some(b"caf\xC3\xA9"),
    ]));
    let names = ["latin-1", "UTF-8", "latin-1", "cp1251", "", "auto"];
    let names: StringArray = names.iter().map(|name| Some(*name).filter(|name| !name.is_empty())).collect();
    let at: ArrayRef = Arc::new((0..6).collect::<Int64Array>());
    let batch = RecordBatch::try_from_iter([("raw", raw), ("name", Arc::new(names) as ArrayRef), ("at", at)]).unwrap();
    context.register_batch("t", batch).unwrap();
    let read = column(&context, "SELECT decode_text(raw, name) FROM t ORDER BY at").await;
    let expected = [Some("café"), Some("café"), None, Some("пе"), None, Some("café")];
    assert_eq!(strings(&read), expected.map(|row| row.map(str::to_owned)));
    // A constant with a column of names, and a name that is always null.
    let read = column(&context, "SELECT decode_text(x'E9', name) FROM t WHERE at IN (0, 3, 4) ORDER BY at").await;
    assert_eq!(strings(&read), [Some("é".to_owned()), Some("й".to_owned()), None]);
    for sql in ["decode_text(raw, NULL)", "decode_text(raw, CASE WHEN at < 0 THEN 'UTF-8' END)"] {
        let read = column(&context, &format!("SELECT {sql} FROM t")).await;
        assert_eq!((read.data_type(), read.null_count()), (&DataType::Utf8, 6), "{sql}");
    }
}

/// Every encoding, by the library's own conversion: whole texts, damaged ones and bytes of other encodings.
#[tokio::test]
async fn every_encoding_is_decoded_as_by_the_library() {
    let texts = ["", "tea ~+&\\\n", "Grüße €", "日本語 中文", "한글 ㉾", "Съешь ещё", "\u{1F600}\u{20000}"];
    let pieces: [&[u8]; 12] = [
        b"\xFF",
        b"\x1B$B",
        b"\x1B(B",
        b"\x0E",
        b"~{",
        b"~}",
        b"+AOk",
        b"&AOk-",
        b"\xED\xA0\xBD",
        b"\xF0\x9F\x98",
        b"\x81\x30",
        b"\0\xD8",
    ];
    let (mut rows, mut names, mut expected) = (Vec::new(), Vec::new(), Vec::new());
    for encoding in Encoding::ALL {
        for (number, text) in texts.iter().enumerate() {
            let whole = encoding.encode(text).0.into_owned();
            let damaged = [&whole[..], pieces[(number + encoding.name().len()) % pieces.len()], &whole].concat();
            for row in [whole, damaged, pieces.concat()] {
                expected.push(Some(encoding.decode_without_bom_handling(&row).0.into_owned()));
                names.push(encoding.name());
                rows.push(row);
            }
        }
    }
    let raw: ArrayRef = Arc::new(BinaryArray::from_iter_values(&rows));
    let names: ArrayRef = Arc::new(StringArray::from(names));
    let at: ArrayRef = Arc::new((0..rows.len() as i64).collect::<Int64Array>());
    let context = context();
    context
        .register_batch("t", RecordBatch::try_from_iter([("raw", raw), ("name", names), ("at", at)]).unwrap())
        .unwrap();
    let read = strings(&column(&context, "SELECT decode_text(raw, name) FROM t ORDER BY at").await);
    for (at, (read, expected)) in read.iter().zip(&expected).enumerate() {
        assert_eq!(read, expected, "{:02X?}", rows[at]);
    }
}

#[tokio::test]
async fn repair_takes_a_fallback_and_undouble_another_name() {
    let context = context();
    tables(&context, &[Some(b"caf\xE9"), None, Some(b"\xC3\x83\xC2\xA9t\xC3\x83\xC2\xA9")]);
    for table in ["small", "large", "views"] {
        let got = batch(
            &context,
            &format!("SELECT repair_utf8(raw, 'cp1252'), fix_encoding(raw), undouble(raw) FROM {table} ORDER BY at"),
        )
        .await;
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(strings(got.column(0)), [text("café"), None, text("Ã©tÃ©")], "{table}");
        assert_eq!(strings(got.column(1)), [text("caf\u{FFFD}"), None, text("été")], "{table}");
        assert_eq!(strings(got.column(1)), strings(got.column(2)), "{table}");
    }
}

#[tokio::test]
async fn a_null_gives_null_of_the_type_that_is_declared() {
    let context = context();
    for function in utfkit_datafusion::functions() {
        let second = match function.name() {
            "decode_text" => ", 'UTF-8'",
            "repair_utf8" => ", 'windows-1252'",
            _ => "",
        };
        let got = column(&context, &format!("SELECT {}(NULL{second})", function.name())).await;
        assert_eq!((got.len(), got.null_count()), (1, 1), "{}", function.name());
        let declared = function.return_type(&[DataType::Binary]).unwrap();
        assert_eq!(got.data_type(), &declared, "{}", function.name());
    }
}

#[tokio::test]
async fn functions_work_in_a_where_clause() {
    let context = context();
    tables(&context, &[Some(b"tea"), Some(b"caf\xE9"), None]);
    let found = column(&context, "SELECT at FROM small WHERE NOT is_valid_utf8(raw)").await;
    assert_eq!(found.as_primitive::<Int64Type>().values(), &[1]);
    let valid = column(&context, "SELECT is_valid_utf8(raw) FROM views WHERE at < 0").await;
    assert_eq!(valid.as_any().downcast_ref::<BooleanArray>().unwrap().len(), 0);
}

#[tokio::test]
async fn errors_name_the_function_and_the_reason() {
    for (sql, said) in [
        ("SELECT validate_utf8(x'74E9')", "row 0: truncated sequence at offset 1"),
        ("SELECT decode_text(x'E9', 'nonsense')", "decode_text: unknown encoding: nonsense"),
        ("SELECT make_valid_utf8(x'E9', 'nonsense')", "make_valid_utf8: unknown practice: nonsense"),
        ("SELECT is_valid_utf8(1)", "is_valid_utf8 takes bytes or strings, not Int64"),
        ("SELECT is_valid_utf8()", "is_valid_utf8"),
        ("SELECT is_valid_utf8('a', 'b')", "is_valid_utf8 takes 1 arguments, not 2"),
        ("SELECT repair_utf8('\u{E9}', 'UTF-7')", "repair_utf8: UTF-7 cannot be a fallback"),
        ("SELECT repair_utf8('\u{E9}', 'nonsense')", "repair_utf8: unknown encoding: nonsense"),
        ("SELECT decode_text('a')", "decode_text takes 2 arguments, not 1"),
        ("SELECT decode_text('a', 1)", "the second argument of decode_text is a string, not Int64"),
    ] {
        let got = refused(sql).await;
        assert!(got.contains(said), "{sql}: {got}");
    }
}
