//! The kinds of UTF-7: what each writes as it is, its shift, and its base64.

/// A kind of UTF-7.
pub(crate) trait Variant: Clone {
    /// Begins a run of base64.
    const SHIFT: u8;
    /// The last digit of base64.
    const DIGIT_63: u8;
    /// The digits of base64, in their order.
    const ALPHABET: &'static [u8; 64] = &alphabet(Self::DIGIT_63);
    /// The value of each byte as a digit; [`NO_DIGIT`] for all others.
    const NUMBERS: &'static [u8; 256] = &numbers(&alphabet(Self::DIGIT_63));
    /// True if each text is written in one way: a run is closed by `-`, has no
    /// character that is written directly, and does not follow another run.
    const ONE_WAY: bool;

    /// True if `byte`, outside of a run, is read as itself.
    fn reads(byte: u8) -> bool;

    /// True if `byte` is written as itself.
    fn writes(byte: u8) -> bool;
}

/// UTF-7 of RFC 2152. Set O is written in base64, which gets through wherever
/// UTF-7 does.
#[derive(Clone, Debug)]
pub(crate) enum Rfc2152 {}

/// UTF-7 of RFC 2152 with set O written directly, which is easier to read.
#[derive(Clone, Debug)]
pub(crate) enum Rfc2152Optional {}

/// Names of mailboxes, RFC 3501 section 5.1.3.
#[derive(Clone, Debug)]
pub(crate) enum Imap {}

/// Set D of RFC 2152, and what rule 3 adds to rule 1.
const fn is_set_d(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'\'' | b'(' | b')' | b',' | b'-' | b'.' | b'/' | b':' | b'?')
        || matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// Set O of RFC 2152: the other printable characters of US-ASCII without `+`,
/// which is the shift, and without `\` and `~`, which national
/// variants of US-ASCII replace.
const fn is_set_o(byte: u8) -> bool {
    byte.is_ascii_graphic() && !is_set_d(byte) && !matches!(byte, b'+' | b'\\' | b'~')
}

/// Both as tables.
static IN_SET_D: [bool; 256] = in_sets(false);
static IN_SET_D_OR_O: [bool; 256] = in_sets(true);

const fn in_sets(and_o: bool) -> [bool; 256] {
    let mut is_in = [false; 256];
    let mut byte = 0;
    while byte < is_in.len() {
        is_in[byte] = is_set_d(byte as u8) || and_o && is_set_o(byte as u8);
        byte += 1;
    }
    is_in
}

/// True for the characters that a mailbox name has unencoded.
pub(super) const fn is_printable(value: u32) -> bool {
    matches!(value, 0x20..=0x7E)
}

impl Variant for Rfc2152 {
    const SHIFT: u8 = b'+';
    const DIGIT_63: u8 = b'/';
    const ONE_WAY: bool = false;

    #[inline(always)]
    fn reads(byte: u8) -> bool {
        IN_SET_D_OR_O[usize::from(byte)]
    }

    #[inline(always)]
    fn writes(byte: u8) -> bool {
        IN_SET_D[usize::from(byte)]
    }
}

impl Variant for Rfc2152Optional {
    const SHIFT: u8 = Rfc2152::SHIFT;
    const DIGIT_63: u8 = Rfc2152::DIGIT_63;
    const ONE_WAY: bool = Rfc2152::ONE_WAY;

    #[inline(always)]
    fn reads(byte: u8) -> bool {
        Rfc2152::reads(byte)
    }

    #[inline(always)]
    fn writes(byte: u8) -> bool {
        Rfc2152::reads(byte)
    }
}

impl Variant for Imap {
    const SHIFT: u8 = b'&';
    const DIGIT_63: u8 = b',';
    const ONE_WAY: bool = true;

    #[inline(always)]
    fn reads(byte: u8) -> bool {
        is_printable(byte.into()) && byte != Self::SHIFT
    }

    #[inline(always)]
    fn writes(byte: u8) -> bool {
        Self::reads(byte)
    }
}

/// The alphabet of base64 (RFC 2045 section 6.8), with another last digit perhaps.
const fn alphabet(digit_63: u8) -> [u8; 64] {
    let mut digits = [digit_63; 64];
    let mut i = 0;
    while i < 26 {
        digits[i] = b'A' + i as u8;
        digits[i + 26] = b'a' + i as u8;
        if i < 10 {
            digits[i + 52] = b'0' + i as u8;
        }
        i += 1;
    }
    digits[62] = b'+';
    digits
}

const NO_DIGIT: u8 = 0xFF;

const fn numbers(alphabet: &[u8; 64]) -> [u8; 256] {
    let mut numbers = [NO_DIGIT; 256];
    let mut i = 0;
    while i < alphabet.len() {
        numbers[alphabet[i] as usize] = i as u8;
        i += 1;
    }
    numbers
}

/// The value of the base64 digit `byte`, 0 to 63.
#[inline(always)]
pub(super) fn digit<V: Variant>(byte: u8) -> Option<u32> {
    let number = V::NUMBERS[usize::from(byte)];
    (number != NO_DIGIT).then_some(number.into())
}

/// The digit of `number`, of which the last six bits count.
#[inline(always)]
pub(super) fn digit_of<V: Variant>(number: u64) -> u8 {
    V::ALPHABET[(number & 0x3F) as usize]
}
