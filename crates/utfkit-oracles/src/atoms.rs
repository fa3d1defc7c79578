//! The atoms of scripts: characters at boundaries, the testkit's ill-formed
//! sequences, and special bytes of other encodings.

use std::sync::OnceLock;

use utfkit_testkit::patterns::{BOUNDARY_BYTES, ill_formed};

/// Characters at the boundaries of encoding forms, of classes that matter to
/// repair and detection, and of the repertoires of legacy encodings.
const CHARACTERS: &str = "é\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}€ßÿ\u{FF}\u{100}\u{7F}\0\
    \u{D7FF}\u{E000}\u{FEFF}\u{FFFE}\u{FFFD}\u{FDD0}\u{FDEF}\u{1FFFE}\u{A0}\u{85}\u{2028}\
    日本語한글가힣АяΩא‾¥\\~ｱﾝ①彁\u{3402}\u{AC00}\u{E5E5}\u{20087}\u{9FB4}\u{1E3F}😀𝄞𠀀\
    ÂÃâÅ\u{92}\u{9D}™œŽ\u{2013}\u{201D}\u{20AC}\u{303}\u{3099}\u{1100}\u{1161}\u{11A8}ﬁ№İı";

/// Byte sequences that switch, shift, escape, declare or end something.
const BYTES: [&[u8]; 52] = [
    b"+AGE-",
    b"+",
    b"-",
    b"+-",
    b"&",
    b"&-",
    b"&AOk-",
    b"+2D3eAA-",
    b"+AGEAYg",
    b"+/v8-",
    b"+AA",
    b"&2D3eAA-",
    b"\x1B%G",
    b"\x1B%@",
    b"\x1B(B",
    b"\x1B(J",
    b"\x1B$B",
    b"\x1B$@",
    b"\x1B(I",
    b"\x1B",
    b"\x0E",
    b"\x0F",
    b"\x81\x30\x81\x30",
    b"\x84\x31\xA4\x37",
    b"\x81\x35\xF4\x37",
    b"\xE3\x32\x9A\x35",
    b"\x90\x30\x81\x30",
    b"\xFE\x30",
    b"\x8F\xA2\xB7",
    b"\x8E\xDF",
    b"\x82\xA0",
    b"\xA1\xA1",
    b"\x81\x40",
    b"\x88\x62",
    b"\x88\xA3\x88\x66",
    b"\xFF\xFE",
    b"\xFE\xFF",
    b"\xEF\xBB\xBF",
    b"\xFF\xFE\0\0",
    b"\0\0\xFE\xFF",
    b"\0a",
    b"a\0",
    b"\x00\xD8",
    b"\xD8\x00",
    b"\x00\xDC",
    b"\xDC\x00",
    b"\r\n",
    b"\xC3\x83\xC2\xA9",
    b"\xC3\xA2\xE2\x82\xAC\xE2\x84\xA2",
    b"\xC3\x82\xC2\xA9",
    b"\xA0\xA0\xA0",
    b"\xF7\xF6\xF5\x21\x80",
];

pub(crate) fn bytes() -> &'static [Vec<u8>] {
    static ATOMS: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    ATOMS.get_or_init(|| {
        let characters = CHARACTERS.chars().map(|c| c.to_string().into_bytes());
        let single = BOUNDARY_BYTES.iter().map(|byte| vec![*byte]);
        let patterns = ill_formed().into_iter().map(|pattern| pattern.bytes);
        characters.chain(single).chain(BYTES.iter().map(|bytes| bytes.to_vec())).chain(patterns).collect()
    })
}

pub(crate) fn units16() -> &'static [Vec<u16>] {
    const UNITS: [&[u16]; 16] = [
        &[0xD800],
        &[0xDBFF],
        &[0xDC00],
        &[0xDFFF],
        &[0xD800, 0xD800],
        &[0xDC00, 0xD800],
        &[0xD800, 0xDC00],
        &[0xDBFF, 0xDFFF],
        &[0xD83D, 0xDE00, 0xDE00],
        &[0xD800, 0x61],
        &[0x61, 0xDC00],
        &[0xDBFF, 0xE000],
        &[0xD7FF, 0xDC00],
        &[0xFFFE],
        &[0xFEFF],
        &[0x00D8],
    ];
    static ATOMS: OnceLock<Vec<Vec<u16>>> = OnceLock::new();
    ATOMS.get_or_init(|| {
        let characters = CHARACTERS.chars().map(|c| c.encode_utf16(&mut [0; 2]).to_vec());
        characters.chain(UNITS.iter().map(|units| units.to_vec())).collect()
    })
}

pub(crate) fn units32() -> &'static [Vec<u32>] {
    const VALUES: [u32; 12] = [
        0xD800,
        0xDBFF,
        0xDC00,
        0xDFFF,
        0x11_0000,
        0x7FFF_FFFF,
        0x8000_0000,
        0x8000_0041,
        0xFFFF_FFFF,
        0x001F_FFFF,
        0xFFFE_0000,
        0x0001_D800,
    ];
    static ATOMS: OnceLock<Vec<Vec<u32>>> = OnceLock::new();
    ATOMS.get_or_init(|| {
        let characters = CHARACTERS.chars().map(|c| vec![u32::from(c)]);
        characters.chain(VALUES.map(|value| vec![value])).collect()
    })
}
