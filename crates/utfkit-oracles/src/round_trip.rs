//! Round trips in every encoding.
//!
//! Only characters reported as unrepresentable are missing. In encodings with
//! one way to write each text, bytes that decode without error are encoded
//! identically.

use crate::common::converted::converted;
use utfkit::{Encoding, ErrorKind, Policy};

use crate::input::Input;
use crate::isas::choose;
use crate::transcode::{any, source};

/// See the [module](self).
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let [operation, which, isa, _] = input.choices;
    choose(isa);
    if operation % 2 == 0 {
        let text = input.text();
        comes_back(any(which), &text);
    } else {
        let (encoding, through) = UNIQUE[usize::from(which) % UNIQUE.len()];
        let src = source(&mut input, operation, encoding);
        is_the_only_way(encoding, through, &src);
    }
}

/// Converts `src`; returns the output and the reported errors.
fn convert(from: Encoding, to: Encoding, src: &[u8]) -> (Vec<u8>, Vec<utfkit::Error>) {
    converted(from, to, Policy::Strict, &[src])
}

fn comes_back(encoding: Encoding, text: &str) {
    let (bytes, lacking) = convert(Encoding::Utf8, encoding, text.as_bytes());
    let mut left = text.to_owned();
    for error in lacking.iter().rev() {
        assert_eq!(error.kind(), ErrorKind::Unrepresentable, "{encoding}: {text:?}");
        left.replace_range(error.offset()..error.offset() + error.len(), "");
    }
    let (back, errors) = convert(encoding, Encoding::Utf8, &bytes);
    assert!(
        back == left.as_bytes() && errors.is_empty(),
        "{encoding} of {text:?}\n bytes {bytes:02X?}\n back  {:?}\n but   {left:?}\n {errors:?}",
        String::from_utf8_lossy(&back),
    );
}

/// Encodings with one way to write each text, each with an encoding that can
/// represent all of it.
const UNIQUE: &[(Encoding, Encoding)] = &[
    (Encoding::Utf8, Encoding::Utf16Le),
    (Encoding::Utf8, Encoding::Utf32Be),
    (Encoding::Utf16Le, Encoding::Utf8),
    (Encoding::Utf16Be, Encoding::Utf8),
    (Encoding::Utf16Be, Encoding::Utf32Le),
    (Encoding::Utf32Le, Encoding::Utf8),
    (Encoding::Utf32Be, Encoding::Utf16Be),
    (Encoding::Latin1, Encoding::Utf8),
    (Encoding::UsAscii, Encoding::Utf16Be),
    (Encoding::Ibm437, Encoding::Utf8),
    (Encoding::ImapUtf7, Encoding::Utf8),
    (Encoding::Ucs2Le, Encoding::Utf8),
    (Encoding::Ucs2Be, Encoding::Utf16Le),
    (Encoding::Ucs4Le, Encoding::Utf8Rfc2279),
    (Encoding::Ucs4Be, Encoding::Utf8Rfc2279),
    (Encoding::Utf8Rfc2279, Encoding::Ucs4Be),
    (Encoding::Utf8Kuhn, Encoding::Utf8),
    (Encoding::Utf8NoNoncharacters, Encoding::Utf16Le),
    (Encoding::Unicode11Utf8, Encoding::Utf8),
    (Encoding::Cesu8, Encoding::Utf8),
    (Encoding::Mutf8, Encoding::Utf16Be),
    (Encoding::Wtf8, Encoding::Wtf16Le),
    (Encoding::Wtf16Le, Encoding::Wtf8),
    (Encoding::Wtf16Be, Encoding::Wtf8),
];

fn is_the_only_way(encoding: Encoding, through: Encoding, src: &[u8]) {
    let (between, errors) = convert(encoding, through, src);
    if !errors.is_empty() {
        // The remaining text is well-formed in the other encoding.
        let (_, errors) = convert(through, Encoding::Utf8Rfc2044, &between);
        assert!(errors.is_empty(), "{encoding} {src:02X?} by {through} {between:02X?}: {errors:?}");
        return;
    }
    let (back, errors) = convert(through, encoding, &between);
    assert!(
        back == src && errors.is_empty(),
        "{encoding} by {through}\n bytes {src:02X?}\n through {between:02X?}\n back  {back:02X?}\n {errors:?}"
    );
}
