//! Labels: none means two encodings, and all of the Encoding Standard's are there.

use super::*;
use crate::encoding::Encoding;
use crate::label::{WEB_ROWS, same_label};
use alloc::vec::Vec;

/// The labels that IANA gives to one encoding and browsers to a larger one, with
/// their encoding here.
const OTHERS_ON_THE_WEB: &[(&str, &[&str])] = &[
    (
        "ISO-8859-1",
        &[
            "cp819",
            "csisolatin1",
            "ibm819",
            "iso-8859-1",
            "iso-ir-100",
            "iso8859-1",
            "iso88591",
            "iso_8859-1",
            "iso_8859-1:1987",
            "l1",
            "latin1",
        ],
    ),
    ("US-ASCII", &["ansi_x3.4-1968", "ascii", "us-ascii"]),
    (
        "ISO-8859-9",
        &[
            "csisolatin5",
            "iso-8859-9",
            "iso-ir-148",
            "iso8859-9",
            "iso88599",
            "iso_8859-9",
            "iso_8859-9:1989",
            "l5",
            "latin5",
        ],
    ),
    ("ISO-8859-11", &["iso-8859-11", "iso8859-11", "iso885911"]),
    ("TIS-620", &["tis-620"]),
    ("KOI8-RU", &["koi8-ru"]),
];

#[test]
fn no_label_means_two_encodings() {
    let mut seen: Vec<(&str, Encoding)> = Vec::new();
    for &encoding in Encoding::ALL {
        for label in [encoding.name()].into_iter().chain(encoding.labels()) {
            for (other, of) in &seen {
                assert!(*of == encoding || !same_label(other, label), "{encoding} {label}, {of} {other}");
            }
            seen.push((label, encoding));
            assert_eq!(Encoding::for_label(label), Some(encoding), "{label}");
        }
    }
}

#[test]
fn every_label_of_the_web_is_there() {
    for legacy in Legacy::ALL {
        assert!(legacy.web().is_none_or(|codec| codec.name() == legacy.name()), "{legacy}");
    }
    for (name, labels) in WEB_ROWS {
        if ["UTF-8", "UTF-16LE", "UTF-16BE", "replacement"].contains(name) {
            continue;
        }
        for label in *labels {
            let other = OTHERS_ON_THE_WEB.iter().find(|(_, labels)| labels.contains(label));
            let expected = other.map_or(*name, |(name, _)| name);
            assert_eq!(Encoding::for_label(label).map(Encoding::name), Some(expected), "{label}");
            assert_eq!(Encoding::for_web_label(label).map(Encoding::name), Some(*name), "{label}");
        }
    }
}
