//! An encoding as text: `FromStr`, `TryFrom<&str>` and, with the feature `serde`,
//! `Serialize` and `Deserialize`.

use core::fmt;
use core::str::FromStr;

use crate::encoding::Encoding;

/// No encoding of this library has the label. Most need the feature `legacy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownEncoding;

impl fmt::Display for UnknownEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown encoding")
    }
}

impl core::error::Error for UnknownEncoding {}

/// As [`Encoding::for_label`]: IANA's reading of the label. Cost: a search through all
/// labels, some microseconds.
///
/// ```
/// use utfkit::{Encoding, UnknownEncoding};
///
/// assert_eq!("latin1".parse(), Ok(Encoding::Latin1));
/// assert_eq!("latin-42".parse::<Encoding>(), Err(UnknownEncoding));
/// // What `Display` writes is read.
/// assert_eq!(Encoding::Utf16Be.to_string().parse(), Ok(Encoding::Utf16Be));
/// ```
impl FromStr for Encoding {
    type Err = UnknownEncoding;

    fn from_str(label: &str) -> Result<Encoding, UnknownEncoding> {
        Encoding::for_label(label).ok_or(UnknownEncoding)
    }
}

/// As [`FromStr`].
///
/// ```
/// use utfkit::Encoding;
///
/// assert_eq!(Encoding::try_from("utf-16be"), Ok(Encoding::Utf16Be));
/// ```
impl TryFrom<&str> for Encoding {
    type Error = UnknownEncoding;

    fn try_from(label: &str) -> Result<Encoding, UnknownEncoding> {
        label.parse()
    }
}

/// As a string: what `Display` writes.
///
/// ```
/// use utfkit::Encoding;
///
/// assert_eq!(serde_json::to_string(&Encoding::Utf16Be)?, r#""UTF-16BE""#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[cfg(feature = "serde")]
impl serde_core::Serialize for Encoding {
    fn serialize<S: serde_core::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// From a string, by any label, as [`FromStr`].
///
/// ```
/// use utfkit::Encoding;
///
/// assert_eq!(serde_json::from_str::<Encoding>(r#""latin1""#)?, Encoding::Latin1);
/// let e = serde_json::from_str::<Encoding>(r#""latin0""#).unwrap_err();
/// assert!(e.to_string().starts_with(r#"invalid value: string "latin0", expected the label of an encoding"#));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[cfg(feature = "serde")]
impl<'de> serde_core::Deserialize<'de> for Encoding {
    fn deserialize<D: serde_core::Deserializer<'de>>(deserializer: D) -> Result<Encoding, D::Error> {
        struct Label;

        impl serde_core::de::Visitor<'_> for Label {
            type Value = Encoding;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the label of an encoding")
            }

            fn visit_str<E: serde_core::de::Error>(self, label: &str) -> Result<Encoding, E> {
                label.parse().map_err(|_| E::invalid_value(serde_core::de::Unexpected::Str(label), &self))
            }
        }

        deserializer.deserialize_str(Label)
    }
}
