//! Encodings to strings and back.

use utfkit::{Encoding, UnknownEncoding};

use crate::splits::encodings;

#[test]
fn what_is_written_is_read() {
    for encoding in encodings() {
        assert_eq!(encoding.to_string().parse(), Ok(encoding));
        assert_eq!(Encoding::try_from(encoding.to_string().as_str()), Ok(encoding));
        for label in encoding.labels() {
            assert_eq!(label.parse::<Encoding>().ok(), Encoding::for_label(label), "{label}");
        }
    }
    for unknown in ["", "utf-9", "utf-8é", "ISO-2022-UTF-8+", "ISO-2022-UTF-8+UTF-16"] {
        assert_eq!(unknown.parse::<Encoding>(), Err(UnknownEncoding), "{unknown:?}");
    }
    assert_eq!(UnknownEncoding.to_string(), "unknown encoding");
}

#[cfg(feature = "serde")]
#[test]
fn what_is_serialized_is_deserialized() {
    for encoding in encodings() {
        let json = serde_json::to_string(&encoding).unwrap();
        assert_eq!(json, format!("\"{encoding}\""));
        assert_eq!(serde_json::from_str::<Encoding>(&json).unwrap(), encoding);
        // Deserializers that cannot lend a `&str`.
        let value = serde_json::to_value(encoding).unwrap();
        assert_eq!(serde_json::from_value::<Encoding>(value).unwrap(), encoding);
        assert_eq!(serde_json::from_reader::<_, Encoding>(json.as_bytes()).unwrap(), encoding);
        for label in encoding.labels() {
            let read: Encoding = serde_json::from_value(label.into()).unwrap();
            assert_eq!(Some(read), Encoding::for_label(label));
        }
    }
    for wrong in ["\"utf-9\"", "8", "null", "[]"] {
        let e = serde_json::from_str::<Encoding>(wrong).unwrap_err().to_string();
        assert!(e.contains("expected the label of an encoding"), "{e}");
    }
}
