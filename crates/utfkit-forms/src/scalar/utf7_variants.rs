//! The kinds of UTF-7: what each writes as it is, its shift, and its base64.

/// A kind of UTF-7.
#[derive(Debug)]
pub struct Variant {
    /// Begins a run of base64.
    pub(crate) shift: u8,
    /// True if each text is written in one way: a run is closed by `-`, has no
    /// character that is written directly, and does not follow another run.
    pub(crate) one_way: bool,
    /// The number of characters from SP on that must not be in base64.
    needless: u32,
    /// The digits of base64, in their order.
    alphabet: [u8; 64],
    /// The value of each byte as a digit; [`NO_DIGIT`] for all others.
    pub(crate) numbers: [u8; 256],
    /// [`reads`](Self::reads) and [`writes`](Self::writes) of each byte.
    reads: [bool; 256],
    writes: [bool; 256],
}

/// UTF-7 of RFC 2152. Set O is written in base64, which gets through wherever
/// UTF-7 does.
pub static RFC_2152: Variant = Variant {
    shift: b'+',
    one_way: false,
    needless: 0,
    alphabet: alphabet(b'/'),
    numbers: numbers(&alphabet(b'/')),
    reads: set(Set::DOrO),
    writes: set(Set::D),
};

/// UTF-7 of RFC 2152 with set O written directly, which is easier to read.
pub static RFC_2152_OPTIONAL: Variant = Variant { writes: set(Set::DOrO), ..RFC_2152 };

/// Names of mailboxes, RFC 3501 section 5.1.3.
pub static IMAP: Variant = Variant {
    shift: b'&',
    one_way: true,
    needless: 0x7F - 0x20,
    alphabet: alphabet(b','),
    numbers: numbers(&alphabet(b',')),
    reads: set(Set::Printable),
    writes: set(Set::Printable),
};

/// Bytes that a variant reads or writes as they are.
#[derive(Clone, Copy)]
enum Set {
    D,
    DOrO,
    /// The characters of a mailbox name, but for the shift.
    Printable,
}

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

const fn set(set: Set) -> [bool; 256] {
    let mut is_in = [false; 256];
    let mut i = 0;
    while i < is_in.len() {
        let byte = i as u8;
        is_in[i] = match set {
            Set::D => is_set_d(byte),
            Set::DOrO => is_set_d(byte) || is_set_o(byte),
            Set::Printable => is_printable(byte) && byte != b'&',
        };
        i += 1;
    }
    is_in
}

/// True for the characters that a mailbox name has unencoded.
const fn is_printable(byte: u8) -> bool {
    matches!(byte, 0x20..=0x7E)
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

impl Variant {
    /// True if `byte`, outside of a run, is read as itself.
    #[inline(always)]
    pub(crate) fn reads(&self, byte: u8) -> bool {
        self.reads[usize::from(byte)]
    }

    /// True if `byte` is written as itself.
    #[inline(always)]
    pub(crate) fn writes(&self, byte: u8) -> bool {
        self.writes[usize::from(byte)]
    }

    /// True for a character that must not be in base64.
    #[inline(always)]
    pub(crate) fn is_needless(&self, value: u32) -> bool {
        value.wrapping_sub(0x20) < self.needless
    }

    /// The value of the base64 digit `byte`, 0 to 63.
    #[inline(always)]
    pub(crate) fn digit(&self, byte: u8) -> Option<u32> {
        let number = self.numbers[usize::from(byte)];
        (number != NO_DIGIT).then_some(number.into())
    }

    /// True if `byte` is a digit of base64.
    #[inline(always)]
    pub(crate) fn is_digit(&self, byte: u8) -> bool {
        self.numbers[usize::from(byte)] != NO_DIGIT
    }

    /// The digit of `number`, of which the last six bits count.
    #[inline(always)]
    pub(crate) fn digit_of(&self, number: u64) -> u8 {
        self.alphabet[(number & 0x3F) as usize]
    }

    /// The digits of `all`, of which each has the six bits from there on.
    // Not by `map`, which is a dozen functions to compile for each number of digits.
    #[inline(always)]
    pub(crate) fn digits_of<const N: usize>(&self, all: u64, from: [u32; N]) -> [u8; N] {
        let mut digits = [0; N];
        for (digit, from) in digits.iter_mut().zip(&from) {
            *digit = self.digit_of(all >> from);
        }
        digits
    }
}
