//! Compares every function with a row by row computation, in every layout: with nulls,
//! slices, characters cut between rows, and bytes that belong to no row.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, GenericBinaryArray, Int32Array, LargeBinaryArray, OffsetSizeTrait,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer};
use arrow_schema::{ArrowError, DataType};
use utfkit::{Encoding, Practice, Standard};
use utfkit_arrow::Decoding;

/// A generator with a fixed seed.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % end
    }
}

const PIECES: &[&[u8]] = &[
    b"a",
    b"tea and biscuits",
    "é".as_bytes(),
    "naïve café".as_bytes(),
    "日本語".as_bytes(),
    "😀".as_bytes(),
    "Ã©tÃ©".as_bytes(),
    b"\xC3",
    b"\xA9",
    b"\xE2\x82",
    b"\xAC",
    b"\xF0\x9F\x98",
    b"\x80",
    b"\xFF",
    b"\xED\xA0\x80",
    b"\xC0\xAF",
    b"caf\xE9",
    b"",
];

/// Rows with few or many errors. Some end inside a character that the next row completes.
fn rows(random: &mut Random) -> Vec<Option<Vec<u8>>> {
    let count = random.below(40);
    let damaged = [7, 12, PIECES.len()][random.below(3)];
    (0..count)
        .map(|_| {
            let pieces = random.below(4);
            let row: Vec<u8> = (0..pieces).flat_map(|_| PIECES[random.below(damaged)]).copied().collect();
            (random.below(6) != 0).then_some(row)
        })
        .collect()
}

/// An array whose buffer has other bytes before and after the rows, and for null rows.
fn with_offsets<O: OffsetSizeTrait>(rows: &[Option<Vec<u8>>], random: &mut Random) -> GenericBinaryArray<O> {
    let mut values = b"\xFF\x80before"[..random.below(9)].to_vec();
    let mut offsets = vec![O::usize_as(values.len())];
    for row in rows {
        match row {
            Some(row) => values.extend(row),
            None => values.extend(&b"\xE2\x82x"[..random.below(4)]),
        }
        offsets.push(O::usize_as(values.len()));
    }
    values.extend(b"\xE2\xFF after");
    let nulls = NullBuffer::from(rows.iter().map(Option::is_some).collect::<Vec<_>>());
    GenericBinaryArray::new(OffsetBuffer::new(offsets.into()), Buffer::from_vec(values), Some(nulls))
}

/// The rows in every layout. The string arrays may hold ill-formed bytes, as arrays from another program may.
fn layouts(rows: &[Option<Vec<u8>>], random: &mut Random) -> Vec<ArrayRef> {
    let small = with_offsets::<i32>(rows, random);
    let large = with_offsets::<i64>(rows, random);
    let view: BinaryViewArray = rows.iter().map(Option::as_deref).collect();
    let as_type = |array: &dyn Array, data_type: DataType| {
        let data = array.to_data().into_builder().data_type(data_type);
        // SAFETY: this may not be a valid string array, but no method that makes a `str` is called on it.
        arrow_array::make_array(unsafe { data.build_unchecked() })
    };
    vec![
        as_type(&small, DataType::Utf8),
        as_type(&large, DataType::LargeUtf8),
        as_type(&view, DataType::Utf8View),
        Arc::new(small),
        Arc::new(large),
        Arc::new(view),
    ]
}

/// The rows of a string array, after validation by Arrow.
fn strings(array: &dyn Array) -> Vec<Option<String>> {
    array.to_data().validate_full().expect("a string array has UTF-8 only");
    match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().iter().map(|row| row.map(str::to_string)).collect(),
        DataType::LargeUtf8 => array.as_string::<i64>().iter().map(|row| row.map(str::to_string)).collect(),
        DataType::Utf8View => array.as_string_view().iter().map(|row| row.map(str::to_string)).collect(),
        other => panic!("{other} holds no strings"),
    }
}

fn expected_type(given: &DataType) -> DataType {
    match given {
        DataType::Binary | DataType::Utf8 => DataType::Utf8,
        DataType::LargeBinary | DataType::LargeUtf8 => DataType::LargeUtf8,
        _ => DataType::Utf8View,
    }
}

fn check(array: &dyn Array, rows: &[Option<Vec<u8>>]) {
    let each = |f: &dyn Fn(&[u8]) -> Option<String>| -> Vec<Option<String>> {
        rows.iter().map(|row| row.as_deref().and_then(f)).collect()
    };
    let kind = array.data_type();

    let valid: Vec<Option<bool>> = utfkit_arrow::is_valid_utf8(array).unwrap().iter().collect();
    let by_row: Vec<_> = rows.iter().map(|row| row.as_ref().map(|row| std::str::from_utf8(row).is_ok())).collect();
    assert_eq!(valid, by_row, "{kind}: {rows:x?}");

    let made = utfkit_arrow::make_valid_utf8(array, Practice::MaximalSubpart).unwrap();
    assert_eq!(made.data_type(), &expected_type(kind));
    assert_eq!(strings(&made), each(&|row| Some(String::from_utf8_lossy(row).into())), "{kind}: {rows:x?}");

    let tried = utfkit_arrow::try_validate_utf8(array).unwrap();
    assert_eq!(strings(&tried), each(&|row| Some(std::str::from_utf8(row).ok()?.into())), "{kind}: {rows:x?}");

    let first_bad = rows.iter().position(|row| row.as_ref().is_some_and(|row| std::str::from_utf8(row).is_err()));
    match (utfkit_arrow::validate_utf8(array), first_bad) {
        (Ok(text), None) => assert_eq!(strings(&text), strings(&tried)),
        (Err(error), Some(row)) => assert!(error.to_string().contains(&format!("row {row}: ")), "{error}"),
        (got, bad) => panic!("{kind}: {got:?}, the first row that is not UTF-8 is {bad:?}: {rows:x?}"),
    }

    let first = utfkit_arrow::first_error(array).unwrap();
    let all = utfkit_arrow::errors(array).unwrap();
    for (at, row) in rows.iter().enumerate() {
        let expected: Vec<_> = row.iter().flat_map(|row| utfkit::errors(row, Standard::Rfc3629)).collect();
        assert_eq!(all.is_null(at), row.is_none());
        let table = all.value(at);
        let read = |table: &arrow_array::StructArray, at: usize| {
            (
                table.column(0).as_primitive::<arrow_array::types::Int64Type>().value(at) as usize,
                table.column(1).as_primitive::<arrow_array::types::Int64Type>().value(at) as usize,
                table.column(2).as_string::<i32>().value(at).to_string(),
            )
        };
        let said = |error: &utfkit::Error| (error.offset(), error.len(), error.kind().name().to_string());
        let got: Vec<_> = (0..table.len()).map(|at| read(table.as_struct(), at)).collect();
        assert_eq!(got, expected.iter().map(said).collect::<Vec<_>>(), "{kind}: {row:x?}");
        assert_eq!(first.is_null(at), expected.is_empty());
        if let Some(error) = expected.first() {
            assert_eq!(read(&first, at), said(error));
        }
    }

    let counts: Vec<_> = utfkit_arrow::code_points(array).unwrap().iter().collect();
    let by_row = |row: &Vec<u8>| String::from_utf8_lossy(row).chars().count() as i64;
    assert_eq!(counts, rows.iter().map(|row| row.as_ref().map(by_row)).collect::<Vec<_>>(), "{kind}: {rows:x?}");

    for encoding in [Encoding::Latin1, Encoding::Utf16, Encoding::Cesu8, Encoding::Utf8] {
        let read = utfkit_arrow::decode(array, Decoding::As(encoding)).unwrap();
        let by_row = |row: &[u8]| match encoding {
            Encoding::Utf8 => Some(String::from_utf8_lossy(row).into()),
            _ => Some(encoding.decode_without_bom_handling(row).0.into()),
        };
        assert_eq!(strings(&read), each(&by_row), "{kind}, {encoding}: {rows:x?}");
    }

    let undoubled = utfkit_arrow::undouble(array).unwrap();
    let options = utfkit::repair::Options::new().undouble(true);
    let by_row = |row: &[u8]| Some(utfkit::repair::repair(row, &options).into());
    assert_eq!(strings(&undoubled), each(&by_row), "{kind}: {rows:x?}");

    let found = utfkit_arrow::detect(array).unwrap();
    for (at, row) in rows.iter().enumerate() {
        assert_eq!(found.is_null(at), row.is_none());
        let name = row.as_ref().and_then(|row| utfkit::detect::detect(row).name());
        let encodings = found.column(0).as_string::<i32>();
        assert_eq!((!encodings.is_null(at)).then(|| encodings.value(at)), name);
    }
}

#[test]
fn every_layout_matches_the_row_by_row_results() {
    let mut random = Random(7);
    for _ in 0..400 {
        let rows = rows(&mut random);
        for array in layouts(&rows, &mut random) {
            check(&array, &rows);
            let from = random.below(rows.len() + 1);
            let len = random.below(rows.len() - from + 1);
            check(&array.slice(from, len), &rows[from..from + len]);
        }
    }
}

#[test]
fn a_character_cut_between_two_rows_spoils_both() {
    let raw = BinaryArray::from(vec![&b"a\xE2\x82"[..], b"\xAC", b"", b"ok"]);
    let valid: Vec<_> = utfkit_arrow::is_valid_utf8(&raw).unwrap().iter().flatten().collect();
    assert_eq!(valid, [false, false, true, true]);
}

#[test]
fn rows_of_more_than_one_block_are_cut_anywhere() {
    let mut random = Random(11);
    for one_in in [2, 50, 5000] {
        // Text cut at any byte, with errors.
        let mut rest: Vec<u8> = (0..80_000).flat_map(|_| PIECES[random.below(7)]).copied().collect();
        let mut rows = Vec::new();
        while !rest.is_empty() {
            let mut row = rest.split_off(rest.len().saturating_sub(random.below(400)));
            if random.below(one_in) == 0 {
                row.push(0xFF);
            }
            rows.push(Some(row));
        }
        for array in [&with_offsets::<i32>(&rows, &mut random) as &dyn Array, &with_offsets::<i64>(&rows, &mut random)]
        {
            check(array, &rows);
        }
    }
}

#[test]
fn an_error_at_the_beginning_of_a_row_leaves_the_row_before_alone() {
    let raw = LargeBinaryArray::from(vec![&b"abc"[..], b"\x80", "é".as_bytes()]);
    let valid: Vec<_> = utfkit_arrow::is_valid_utf8(&raw).unwrap().iter().flatten().collect();
    assert_eq!(valid, [true, false, true]);
}

#[test]
fn a_clean_column_comes_back_without_a_copy() {
    let raw = BinaryArray::from(vec![&b"tea"[..], "é".as_bytes()]);
    let text = utfkit_arrow::make_valid_utf8(&raw, Practice::MaximalSubpart).unwrap();
    assert_eq!(text.as_string::<i32>().values().as_ptr(), raw.values().as_ptr());
    let slice = raw.slice(1, 1);
    let text = utfkit_arrow::validate_utf8(&slice).unwrap();
    assert_eq!(text.as_string::<i32>().values().as_ptr(), raw.values()[3..].as_ptr());

    let long = "far more than twelve bytes, so that it lies in a buffer";
    let raw = BinaryViewArray::from(vec![long.as_bytes(), b"\xFF and so does this one, which is damaged"]);
    let text = utfkit_arrow::make_valid_utf8(&raw, Practice::MaximalSubpart).unwrap();
    let text = text.as_string_view();
    assert_eq!(text.data_buffers()[0].as_ptr(), raw.data_buffers()[0].as_ptr());
    assert_eq!(text.value(1), "\u{FFFD} and so does this one, which is damaged");
}

#[test]
fn an_empty_slice_whose_offset_lies_in_no_buffer_is_read() {
    let offsets = OffsetBuffer::new(vec![18].into());
    // SAFETY: there are no rows to read. The C data interface produces such arrays.
    let raw = unsafe { BinaryArray::new_unchecked(offsets, Buffer::default(), None) };
    check(&raw, &[]);
}

#[test]
fn a_column_beyond_two_gibibytes_is_read() {
    let len = (1_usize << 31) + 100;
    let mut values = vec![0_u8; len];
    values[len - 3] = 0xE9;
    let half = 1_i64 << 31;
    let raw =
        LargeBinaryArray::new(OffsetBuffer::new(vec![0, half, len as i64].into()), Buffer::from_vec(values), None);
    let first = utfkit_arrow::first_error(&raw).unwrap();
    assert!(first.is_null(0));
    assert_eq!(first.column(0).as_primitive::<arrow_array::types::Int64Type>().value(1), 97);
}

#[test]
fn an_array_of_another_type_is_an_error_that_names_it() {
    let numbers = Int32Array::from(vec![1]);
    let error = utfkit_arrow::is_valid_utf8(&numbers).unwrap_err();
    assert!(matches!(&error, ArrowError::InvalidArgumentError(text) if text.ends_with("not Int32")), "{error}");
}

#[test]
fn empty_arrays_stay_empty() {
    for data_type in [
        DataType::Binary,
        DataType::LargeBinary,
        DataType::BinaryView,
        DataType::Utf8,
        DataType::LargeUtf8,
        DataType::Utf8View,
    ] {
        let empty = arrow_array::new_empty_array(&data_type);
        check(&empty, &[]);
    }
}
