//! Guarantees of the functions other than their results.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::common::every_isa::for_each_isa;
use crate::common::transcoding::SCHEMES;
use utfkit::isa::{self, Isa};
use utfkit::{Encoding, Error, ErrorKind, Standard};

#[test]
fn well_formed_text_is_borrowed() {
    for_each_isa(|isa| {
        for text in ["", "a", "Grüße aus Köln, 日本語 und 😀, lang genug für jeden Vektor: ja."] {
            let got = utfkit::from_utf8(text.as_bytes()).unwrap_or_else(|e| panic!("{isa}: {text}: {e}"));
            assert!(std::ptr::eq(got, text), "{isa} from_utf8 copied {text:?}");
            match utfkit::from_utf8_lossy(text.as_bytes()) {
                Cow::Borrowed(got) => assert!(std::ptr::eq(got, text), "{isa} from_utf8_lossy moved {text:?}"),
                Cow::Owned(got) => panic!("{isa} from_utf8_lossy copied {text:?} to {got:?}"),
            }
        }
    });
}

#[test]
fn nothing_becomes_nothing() {
    for_each_isa(|isa| {
        assert_eq!(utfkit::validate(&[], Standard::Rfc3629), Ok(()), "{isa}");
        assert_eq!(utfkit::validate_utf16(&[]), Ok(()), "{isa}");
        assert_eq!(utfkit::validate_utf32(&[]), Ok(()), "{isa}");
        assert_eq!(utfkit::errors(&[], Standard::Rfc3629).count(), 0, "{isa}");
        assert_eq!(utfkit::count_code_points(&[]), 0, "{isa}");
        assert_eq!(utfkit::utf8_to_utf16(&[], &mut []), Ok(0), "{isa}");
        assert_eq!(utfkit::utf16_to_utf8(&[], &mut []), Ok(0), "{isa}");
        assert_eq!(utfkit::utf8_to_utf32(&[], &mut []), Ok(0), "{isa}");
        assert_eq!(utfkit::latin1_to_utf8(&[], &mut []), Ok(0), "{isa}");
    });
}

#[test]
fn errors_speak() {
    let e = utfkit::from_utf8(b"caf\xE9 au lait").unwrap_err();
    assert_eq!(e.to_string(), "missing continuation byte at offset 3");
    let e = utfkit::utf8_to_utf16(b"abc", &mut [0; 2]).unwrap_err();
    assert_eq!(e.to_string(), "output too small at offset 2 (2 units written)");
    // `?` converts the errors in a function of any error type.
    fn boxed() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        utfkit::from_utf8(b"\xFF")?;
        Ok(())
    }
    assert!(boxed().unwrap_err().is::<Error>());
}

#[test]
fn kinds_have_names_of_their_own() {
    use ErrorKind::*;
    let kinds = [
        UnexpectedContinuation,
        MissingContinuation,
        Overlong,
        Surrogate,
        TooLarge,
        InvalidByte,
        Truncated,
        UnpairedSurrogate,
        Noncharacter,
        Unrepresentable,
        OutputTooSmall,
    ];
    let names: HashSet<_> = kinds.iter().map(|kind| kind.name()).collect();
    assert_eq!(names.len(), kinds.len(), "{names:?}");
    for kind in kinds {
        assert_eq!(kind.to_string(), kind.name());
        assert!(kind.name().bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{kind}");
    }
}

#[test]
fn instruction_sets_have_names_that_come_back() {
    for &isa in Isa::ALL {
        assert_eq!(isa.to_string().parse(), Ok(isa));
        assert_eq!(isa.to_string().to_ascii_uppercase().parse(), Ok(isa));
        assert_eq!(isa.to_string(), isa.to_string().to_ascii_lowercase());
    }
    let unknown = "sse9".parse::<Isa>().unwrap_err().to_string();
    assert!(unknown.starts_with("unknown instruction set (known: scalar, ssse3, "), "{unknown}");
    assert!(Isa::ALL.iter().all(|isa| unknown.contains(&isa.to_string())), "{unknown}");
    assert!("".parse::<Isa>().is_err());
}

#[test]
fn only_what_is_there_can_be_chosen() {
    for_each_isa(|active| {
        let available: HashSet<Isa> = isa::available().collect();
        assert!(available.contains(&active));
        for &isa in Isa::ALL {
            if !available.contains(&isa) {
                assert!(isa::set(isa).is_err(), "{isa} is not available and was chosen");
                assert_eq!(isa::active(), active, "a refused choice changes nothing");
            }
        }
    });
}

/// Every encoding has a reference in the testkit: the tests of all pairs, policies and cuts
/// depend on it.
#[test]
fn every_encoding_has_a_reference() {
    for &encoding in Encoding::ALL {
        match (encoding, SCHEMES.iter().find(|row| row.0 == encoding)) {
            (_, Some((_, scheme))) => {
                assert_eq!(encoding.unit_size(), scheme.unit(), "{encoding}");
                assert_eq!(encoding.has_bom(), !scheme.bom().is_empty(), "{encoding}");
            }
            // `legacy.rs` compares these with encoding_rs.
            #[cfg(feature = "legacy")]
            (Encoding::Legacy(_), None) => {}
            // Compared with UTF-8 and the table of its Hangul.
            (Encoding::Unicode11Utf8, None) => {}
            (_, None) => panic!("{encoding} has no reference in the testkit"),
        }
    }
}

#[test]
fn labels_find_their_encoding() {
    for &encoding in Encoding::ALL {
        assert_eq!(Encoding::for_label(encoding.name()), Some(encoding));
        assert_eq!(encoding.to_string(), encoding.name());
        for label in encoding.labels() {
            assert_eq!(Encoding::for_label(label), Some(encoding), "{label}");
            assert_eq!(Encoding::for_label(&label.to_ascii_uppercase()), Some(encoding), "{label}");
        }
    }
    assert_eq!(Encoding::for_label(" utf_8\n"), Some(Encoding::Utf8));
    assert_eq!(Encoding::for_label("utf16le"), Some(Encoding::Utf16Le));
    assert_ne!(Encoding::for_label("windows-1252"), Some(Encoding::Latin1));
    assert_eq!(Encoding::for_label("no such thing"), None);
    assert_eq!(Encoding::for_label(""), None);
}

/// The example in the crate's README.md is a documentation test.
#[test]
fn both_readmes_show_the_same_example() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let example = |path| {
        let text = std::fs::read_to_string(folder.join(path)).unwrap();
        let (_, example) = text.split_once("```rust\n").unwrap();
        example.split_once("```").unwrap().0.to_owned()
    };
    assert_eq!(example("README.md"), example("../../README.md"));
}
