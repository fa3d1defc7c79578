//! The legacy encodings that are guessed at, and their priors.

use crate::model::Script;
use utfkit_core::{Encoding, Legacy};

/// The negative log2-probability of an encoding, in bits, relative to the most common one.
///
/// The order and the steps among common encodings follow the shares of the Web: BuiltWith
/// (trends.builtwith.com/encoding, 13.6 million sites in ISO 8859, 4.3 in GB2312 and GBK, 1.1 in
/// Shift_JIS, 0.1 in Big5, 0.05 in windows-1256) and W3Techs (ISO-8859-1 1.3 % and windows-1252
/// 0.3 % of sites, read the same; windows-1251 0.3 %, EUC-JP, EUC-KR, Shift_JIS and GB2312 0.1 %
/// each, windows-1250 and the rest less). From 3 bits on they are about halved: language decides
/// more among those than use. Encodings of DOS and the Macintosh, which the Web hardly has, and
/// ISO 8859-2 have their places by their share of 191 old files in 53 packages of Debian: 90 in
/// windows-1252 or ISO-8859-1, 36 in ISO-8859-2, 13 in windows-1250, 11 in KOI8-R, 4 each in
/// ISO-8859-7 and -13, 1 each in IBM437, IBM850, IBM866 and macintosh.
///
/// `None` for encodings that are not guessed at: their escape sequences tell, or another
/// one reads the same.
pub(in crate::detect) fn prior(encoding: Encoding) -> Option<u32> {
    use Legacy as L;
    let legacy = match encoding {
        Encoding::Latin1 => return Some(1),
        Encoding::Ibm437 => return Some(6),
        Encoding::Legacy(legacy) => legacy,
        _ => return None,
    };
    Some(match legacy {
        L::Windows1252 => 0,
        L::Windows1251 | L::ShiftJis | L::Gbk => 3,
        L::EucJp | L::EucKr | L::Windows1250 => 3,
        L::Windows1253 | L::Windows1254 | L::Windows1255 | L::Windows1256 | L::Big5 => 4,
        L::Iso8859_2 | L::Iso8859_15 | L::Windows1257 | L::Windows874 | L::Koi8R => 4,
        L::Iso8859_9 | L::Iso8859_7 | L::Gb18030 => 5,
        L::Ibm866 | L::Ibm850 => 6,
        L::Windows1258 | L::Iso8859_5 | L::Iso8859_8 | L::Ibm852 | L::Koi8U => 6,
        L::Macintosh | L::Iso8859_6 => 7,
        L::Ibm858 | L::Ibm862 | L::Ibm737 | L::Ibm857 | L::XMacCyrillic | L::XMacCe => 8,
        L::Tis620 | L::Iso8859_11 => 8,
        L::Iso8859_13 | L::Iso8859_4 | L::Ibm855 | L::Ibm775 | L::Ibm865 | L::Iso8859_3 | L::XMacGreek => 9,
        L::Ibm720 | L::Viscii => 11,
        L::Koi8Ru | L::Koi8T => 14,
        // It has the letters of ISO-8859-6 at the same bytes.
        L::Ibm864 => 20,
        L::Ibm037 | L::Ibm500 | L::Ibm1047 => 8,
        L::Ibm860 | L::Ibm861 | L::Ibm863 | L::Ibm869 | L::Ibm1125 | L::Johab => 10,
        L::Iso8859_8I | L::Iso8859_10 | L::Iso8859_14 | L::Iso8859_16 => 10,
        L::XMacCroatian | L::XMacIcelandic | L::XMacRomanian | L::XMacTurkish => 10,
        _ => return None,
    })
}

/// True for EBCDIC, in which not even letters are US-ASCII.
pub(in crate::detect) fn is_ebcdic(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::Legacy(Legacy::Ibm037 | Legacy::Ibm500 | Legacy::Ibm1047))
}

/// False for encodings in which bytes below 80 are other characters than in US-ASCII.
pub(in crate::detect) fn is_ascii_based(encoding: Encoding) -> bool {
    !matches!(encoding, Encoding::Legacy(legacy) if !legacy.is_ascii_compatible())
}

/// True for the parts of ISO 8859, which have controls from 80 to 9F.
pub(super) fn is_iso_8859(encoding: Encoding) -> bool {
    encoding.name().starts_with("ISO-8859-")
}

/// The script that an encoding was made for, other than Latin.
pub(crate) fn own_script(encoding: Encoding) -> Option<Script> {
    use Legacy as L;
    let Encoding::Legacy(legacy) = encoding else { return None };
    match legacy {
        L::Windows1251 | L::Koi8R | L::Koi8U | L::Koi8Ru | L::Koi8T | L::Iso8859_5 => Some(Script::Cyrillic),
        L::Ibm855 | L::Ibm866 | L::Ibm1125 | L::XMacCyrillic => Some(Script::Cyrillic),
        L::Windows1253 | L::Iso8859_7 | L::Ibm737 | L::Ibm869 | L::XMacGreek => Some(Script::Greek),
        L::Windows1255 | L::Iso8859_8 | L::Iso8859_8I | L::Ibm862 => Some(Script::Hebrew),
        L::Windows1256 | L::Iso8859_6 | L::Ibm720 | L::Ibm864 => Some(Script::Arabic),
        L::Windows874 | L::Iso8859_11 | L::Tis620 => Some(Script::Thai),
        _ if legacy.is_single_byte() => None,
        _ => Some(Script::Wide),
    }
}

/// True for the encodings that were made for Japanese.
pub(super) fn is_of_japan(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::Legacy(Legacy::ShiftJis | Legacy::EucJp | Legacy::Iso2022Jp))
}

/// An encoding that is guessed at.
pub(in crate::detect) struct Guessable {
    pub(in crate::detect) encoding: Encoding,
    /// In bits; see [`prior`].
    pub(in crate::detect) prior: u32,
}

/// All encodings that are guessed at.
pub(in crate::detect) fn guessable() -> impl Iterator<Item = Guessable> {
    Encoding::ALL.iter().filter_map(|&encoding| Some(Guessable { encoding, prior: prior(encoding)? }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use utfkit_core::{Policy, Transcoder};

    /// A page that is added is not guessed at until [`prior`] has it, and is missed here until then.
    #[test]
    fn every_legacy_encoding_without_sequences_has_a_prior() {
        use Legacy::{Hz, Iso2022Jp, Iso2022Kr, XUserDefined};
        for &legacy in Legacy::ALL {
            let expected = !matches!(legacy, Iso2022Jp | Iso2022Kr | Hz | XUserDefined);
            assert_eq!(prior(Encoding::Legacy(legacy)).is_some(), expected, "{legacy:?}");
        }
    }

    /// The script of more than twenty of the page's letters, other than Latin. Pages for Latin have some of Greek.
    fn script_of_page(encoding: Encoding) -> Option<Script> {
        let mut counts = [0; 5];
        for byte in 0x80..=0xFF {
            let (mut transcoder, mut text) = (Transcoder::new(encoding, Encoding::Utf8, Policy::Skip), Vec::new());
            let _ = transcoder.transcode_to_vec(&[byte], &mut text, true);
            for c in core::str::from_utf8(&text).unwrap().chars() {
                match c {
                    'Ѐ'..='ԯ' => counts[0] += 1,
                    'Ͱ'..='Ͽ' => counts[1] += 1,
                    '\u{591}'..='\u{5F4}' => counts[2] += 1,
                    '\u{600}'..='\u{6FF}' | '\u{FE70}'..='\u{FEFC}' => counts[3] += 1,
                    '\u{E01}'..='\u{E5B}' => counts[4] += 1,
                    _ => {}
                }
            }
        }
        let scripts = [Script::Cyrillic, Script::Greek, Script::Hebrew, Script::Arabic, Script::Thai];
        let large = counts.into_iter().zip(scripts).find(|(count, _)| *count > 20);
        large.map(|(_, script)| script)
    }

    #[test]
    fn the_script_of_a_page_is_that_of_its_letters() {
        for &encoding in Encoding::ALL {
            if matches!(encoding, Encoding::Legacy(legacy) if legacy.is_single_byte()) {
                assert_eq!(own_script(encoding), script_of_page(encoding), "{encoding}");
            }
        }
    }
}
