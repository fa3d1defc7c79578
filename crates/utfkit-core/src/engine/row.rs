//! The row of an encoding in the registry (`encoding.rs`): all that the rest of
//! the library has to know of it.

use crate::engine::codec::Codec;
use crate::engine::special::Special;
use utfkit_forms::ErrorKind;
use utfkit_forms::Standard;
use utfkit_forms::scalar::utf8;

/// See the [module](self). `..Row::BYTE` has what most encodings have.
#[derive(Debug)]
pub(crate) struct Row {
    /// The name that IANA prefers for MIME, or else the usual one.
    pub(crate) name: &'static str,
    /// IANA's aliases, and what programs call it.
    pub(crate) labels: &'static [&'static str],
    pub(crate) codec: Codec,
    /// The bytes of a code unit: 1, 2 or 4.
    pub(crate) unit: usize,
    pub(crate) lengths: Lengths,
    pub(crate) kernels: Kernels,
    pub(crate) clause: Clause,
    /// For sequences in the shape of UTF-8: the kind of an error, of which the
    /// bytes at hand are the beginning. The second argument is the codec's kind.
    pub(crate) kind_at_hand: Option<fn(&[u8], ErrorKind) -> ErrorKind>,
}

impl Row {
    /// Units of a byte, characters of one byte, and no kernels.
    pub(crate) const BYTE: Row = Row {
        name: "",
        labels: &[],
        codec: Codec::ascii::<utfkit_forms::scalar::latin1::Latin1>(),
        unit: 1,
        lengths: Lengths::BYTE,
        kernels: Kernels::None,
        clause: Clause::Of(""),
        kind_at_hand: None,
    };

    /// An encoding in the shape of UTF-8.
    pub(crate) const UTF8: Row =
        Row { lengths: Lengths::UTF8, kind_at_hand: Some(|bytes, _| utf8::forced_kind(bytes)), ..Row::BYTE };
}

/// The classes of characters in [`Lengths`]: up to U+007F, U+07FF, U+FFFF,
/// U+10FFFF, and 7FFFFFFF.
pub(crate) const CLASSES: usize = 5;

/// There is no character of the class.
pub(crate) const NONE: usize = usize::MAX;

/// The bytes of characters, by [class](CLASSES).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lengths {
    /// The least that are read.
    pub(crate) least: [usize; CLASSES],
    /// The most that are written, changes of state included.
    pub(crate) most: [usize; CLASSES],
    /// True if it has every scalar value.
    pub(crate) has_all: bool,
    /// True if it reads surrogates as characters.
    pub(crate) has_surrogates: bool,
}

impl Lengths {
    pub(crate) const fn new(least: [usize; CLASSES], most: [usize; CLASSES], has_all: bool) -> Lengths {
        Lengths { least, most, has_all, has_surrogates: false }
    }

    pub(crate) const BYTE: Lengths = Lengths::new([1, 1, 1, NONE, NONE], [1; CLASSES], false);
    pub(crate) const LATIN1: Lengths = Lengths::new([1, 1, NONE, NONE, NONE], [1; CLASSES], false);
    pub(crate) const ASCII: Lengths = Lengths::new([1, NONE, NONE, NONE, NONE], [1; CLASSES], false);
    pub(crate) const UTF8: Lengths = Lengths::new([1, 2, 3, 4, NONE], [1, 2, 3, 4, 4], true);
    pub(crate) const UTF8_WITH_GAPS: Lengths = Lengths { has_all: false, ..Lengths::UTF8 };
    pub(crate) const UTF8_OF_SIX: Lengths = Lengths::new([1, 2, 3, 4, 4], [1, 2, 3, 4, 6], true);
    pub(crate) const CESU8: Lengths = Lengths::new([1, 2, 3, 6, NONE], [1, 2, 3, 6, 6], true);
    pub(crate) const MUTF8: Lengths = Lengths::new([1, 2, 3, 6, NONE], [2, 2, 3, 6, 6], true);
    pub(crate) const UTF16: Lengths = Lengths::new([2, 2, 2, 4, NONE], [2, 2, 2, 4, 4], true);
    pub(crate) const UCS2: Lengths = Lengths::new([2, 2, 2, NONE, NONE], [2; CLASSES], false);
    pub(crate) const UTF32: Lengths = Lengths::new([4; CLASSES], [4; CLASSES], true);
    pub(crate) const UTF1: Lengths = Lengths::new([1, 1, 2, 3, 5], [1, 2, 3, 5, 5], true);
    /// In base64 a unit takes 16 of the 6 bits of each byte. The most is `+`, one
    /// unit or two, `-`.
    pub(crate) const UTF7: Lengths = Lengths::new([1, 2, 2, 5, NONE], [5, 5, 5, 8, 8], true);
    /// UTF-8 with the switches of three bytes before and after it.
    pub(crate) const ISO_2022: Lengths = Lengths::new([1, 1, 3, 4, NONE], [7, 8, 9, 10, 10], false);
    /// ISO-2022-UTF-8 around a legacy encoding.
    #[cfg(feature = "legacy")]
    pub(crate) const ISO_2022_IN: Lengths = Lengths::new(Lengths::LEGACY.least, [10; CLASSES], false);
    /// The fourth class takes two bytes in Big5.
    #[cfg(feature = "legacy")]
    pub(crate) const LEGACY: Lengths = Lengths::new([1, 1, 1, 2, NONE], [1, 4, 4, 4, 4], false);

    pub(crate) const fn with_surrogates(self) -> Lengths {
        Lengths { has_surrogates: true, ..self }
    }
}

/// The kernels that serve an encoding.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kernels {
    /// Those made for it.
    Own(Form, Order),
    /// The kernels of another encoding, which writes all but `Special` in the same way.
    /// It may hold less: a kernel stops there.
    Shared(Form, Order, Special),
    None,
}

/// A form that has kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Utf8,
    Utf16,
    Utf32,
    Latin1,
}

impl Form {
    /// The bytes of a unit.
    pub(crate) const fn size(self) -> u8 {
        match self {
            Form::Utf8 | Form::Latin1 => 1,
            Form::Utf16 => 2,
            Form::Utf32 => 4,
        }
    }
}

/// The byte order of units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Little,
    Big,
    /// That of the BOM: big-endian where none is read, little-endian where it is
    /// written.
    Bom,
}

/// Which clause of which standard an ill-formed sequence breaks.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Clause {
    Of(&'static str),
    /// That of UTF-8 by a standard, which depends on the kind of the error.
    Utf8(Standard),
    /// One for units, another for a part of a unit at the end.
    Units(&'static str, &'static str),
}

impl Clause {
    pub(crate) const fn of(self, kind: ErrorKind) -> &'static str {
        match (self, kind) {
            (Clause::Units(_, cut), ErrorKind::Truncated) => cut,
            (Clause::Of(clause) | Clause::Units(clause, _), _) => clause,
            (Clause::Utf8(standard), kind) => standard.clause(kind),
        }
    }
}
