//! The legacy encodings that files are in, and how common each is.

use crate::likelihood::Script;
use utfkit_core::Encoding;
use utfkit_core::Legacy;

/// What an encoding costs in advance, in bits: files in the ones of Windows and
/// in the large ones of East Asia are the most, those of the Macintosh and of DOS
/// fewer. Two bits are a factor of four; a word of text outweighs most of it.
/// `None` where it is not guessed at: escape sequences tell, or it reads as
/// another one does.
pub(super) fn prior(encoding: Encoding) -> Option<u32> {
    use Legacy as L;
    let legacy = match encoding {
        Encoding::Latin1 => return Some(1),
        Encoding::Ibm437 => return Some(3),
        Encoding::Legacy(legacy) => legacy,
        _ => return None,
    };
    Some(match legacy {
        L::Iso2022Jp | L::Iso2022Kr | L::Hz | L::XUserDefined => return None,
        L::Windows1252 | L::Windows1251 | L::ShiftJis | L::Gbk => 0,
        L::Windows1250 | L::Windows1253 | L::Windows1254 | L::Windows1255 | L::Windows1256 => 1,
        L::Windows1257 | L::Windows874 | L::Big5 | L::EucJp | L::EucKr | L::Koi8R => 1,
        L::Windows1258 | L::Iso8859_2 | L::Iso8859_5 | L::Iso8859_7 | L::Iso8859_15 => 2,
        L::Ibm866 | L::Gb18030 | L::Iso8859_8 => 2,
        L::Ibm850 | L::Ibm852 | L::Macintosh | L::Iso8859_9 | L::Iso8859_6 | L::Iso8859_13 => 3,
        L::Koi8U | L::Ibm858 | L::Ibm862 | L::Ibm737 | L::Ibm857 | L::XMacCyrillic | L::XMacCe | L::Iso8859_4 => 4,
        L::Ibm855 | L::Ibm720 | L::Ibm775 | L::Ibm865 | L::Iso8859_3 | L::Viscii | L::Tis620 => 5,
        L::Iso8859_11 | L::XMacGreek | L::XMacTurkish => 5,
        L::Koi8Ru | L::Koi8T => 10,
        // It has the letters of ISO-8859-6 at their places.
        L::Ibm864 => 16,
        L::Ibm037 | L::Ibm500 | L::Ibm1047 => 8,
        _ => 6,
    })
}

/// Whether an encoding is EBCDIC, in which text is not US-ASCII in any letter.
pub(super) fn is_ebcdic(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::Legacy(Legacy::Ibm037 | Legacy::Ibm500 | Legacy::Ibm1047))
}

/// The script that an encoding was made for, if it is not Latin.
pub(super) fn own_script(encoding: Encoding) -> Option<Script> {
    use Legacy as L;
    let Encoding::Legacy(legacy) = encoding else { return None };
    match legacy {
        L::Windows1251 | L::Koi8R | L::Koi8U | L::Koi8Ru | L::Koi8T | L::Iso8859_5 => Some(Script::Cyrillic),
        L::Ibm855 | L::Ibm866 | L::Ibm1125 | L::XMacCyrillic => Some(Script::Cyrillic),
        L::Windows1253 | L::Iso8859_7 | L::Ibm737 | L::Ibm869 | L::XMacGreek => Some(Script::Greek),
        L::Windows1255 | L::Iso8859_8 | L::Ibm862 => Some(Script::Hebrew),
        L::Windows1256 | L::Iso8859_6 | L::Ibm720 | L::Ibm864 => Some(Script::Arabic),
        L::Windows874 | L::Iso8859_11 | L::Tis620 => Some(Script::Thai),
        _ if legacy.is_single_byte() => None,
        _ => Some(Script::Wide),
    }
}

/// Whether an encoding has a byte a character.
pub(super) fn is_single_byte(encoding: Encoding) -> bool {
    match encoding {
        Encoding::Latin1 | Encoding::Ibm437 => true,
        Encoding::Legacy(legacy) => legacy.is_single_byte(),
        _ => false,
    }
}

/// All of those that are guessed at.
pub(super) fn all() -> impl Iterator<Item = (Encoding, u32)> {
    Encoding::ALL.iter().filter_map(|&encoding| Some((encoding, prior(encoding)?)))
}
