//! The table: for every pair of encodings the way that the certain prefix
//! takes.
//!
//! A pair works as soon as both encodings have a scalar codec. A kernel for a
//! pair is one line in [`fast_path()`]; an encoding that is compatible, for most
//! text, with one that has kernels is a line in [`compatible`].

use super::bulk::Bulk;
use super::special::{Special, search};
use crate::encoding::Encoding;
use crate::engine::fast_path::{self, Convert, FastPath};
use crate::engine::progress::OnError;
use crate::policy::{Policy, Practice};

/// An encoding that has a BOM.
pub(super) struct Signed {
    /// The same without one, in little-endian order.
    pub(super) little: Encoding,
    /// U+FEFF in little-endian order; backwards it is the big-endian one.
    pub(super) bom: &'static [u8],
}

/// What `encoding` is made of if it has a BOM.
pub(super) fn signed(encoding: Encoding) -> Option<Signed> {
    match encoding {
        Encoding::Utf16 => Some(Signed { little: Encoding::Utf16Le, bom: &[0xFF, 0xFE] }),
        Encoding::Utf32 => Some(Signed { little: Encoding::Utf32Le, bom: &[0xFF, 0xFE, 0, 0] }),
        _ => None,
    }
}

/// How the driver converts the bulk of `from` into `to`. [`Encoding::Utf16`]
/// and [`Encoding::Utf32`] stand for what they are where no BOM is: the
/// big-endian order as a source, and the little-endian one as a target, whose
/// BOM the driver writes.
pub(super) fn bulk(from: Encoding, to: Encoding, policy: Policy) -> Bulk {
    let on_error = match policy {
        Policy::Replace(Practice::MaximalSubpart) => OnError::Replace,
        _ => OnError::Stop,
    };
    let exact = fast_path(from, to, on_error).map(|path| Bulk::Exact { path, on_error });
    let bulk = exact.or_else(|| by_compatible(from, to));
    #[cfg(feature = "legacy")]
    let bulk = bulk.or_else(|| via_utf8(from, to, policy));
    bulk.unwrap_or(Bulk::ByValue)
}

/// The way by UTF-8, with a legacy encoding at one end or at both.
#[cfg(feature = "legacy")]
fn via_utf8(from: Encoding, to: Encoding, policy: Policy) -> Option<Bulk> {
    use super::bulk::Leg;
    use crate::engine::legacy::OnLacking;
    let first = match from {
        Encoding::Utf8 => None,
        Encoding::Legacy(legacy) => Some(Leg::FromLegacy(legacy)),
        _ => Some(Leg::Path(fast_path(from, Encoding::Utf8, OnError::Stop)?)),
    };
    let second = match to {
        Encoding::Utf8 => None,
        Encoding::Legacy(_) => Some(Leg::ToLegacy(match policy {
            Policy::Replace(_) => OnLacking::Replace,
            Policy::Skip => OnLacking::Skip,
            Policy::Strict | Policy::Escape => OnLacking::Stop,
        })),
        _ => Some(Leg::Path(fast_path(Encoding::Utf8, to, OnError::Stop)?)),
    };
    let legacy = matches!(first, Some(Leg::FromLegacy(_))) || matches!(second, Some(Leg::ToLegacy(_)));
    legacy.then_some(Bulk::Via { first, second })
}

/// The kernel of a pair that is the same for some of the text.
fn by_compatible(from: Encoding, to: Encoding) -> Option<Bulk> {
    let ((from, special), (to, also_special)) = (compatible(from)?, compatible(to)?);
    let special = special.or(also_special);
    if (from, to, special) == (Encoding::Utf8, Encoding::Utf8, Special::SUPPLEMENTARY) {
        let path = FastPath::new(fast_path::utf8_of_three_to_itself, (1, false), (1, false));
        return Some(Bulk::Compatible { search: None, path });
    }
    let path = fast_path(from, to, OnError::Stop)?;
    let search_in = |encoding| search(encoding, special);
    Some(match (from, search_in(from)?) {
        // Half as many bytes to look through, if it is US-ASCII.
        (Encoding::Utf16Le | Encoding::Utf16Be | Encoding::Utf16, Some(search)) if to == Encoding::Utf8 => {
            match search_in(Encoding::Utf8) {
                Some(Some(output)) => Bulk::Tried { search, output, path },
                _ => Bulk::Compatible { search: Some(search), path },
            }
        }
        (_, search) => Bulk::Compatible { search, path },
    })
}

/// The encoding with kernels that writes all but the special code points as
/// `encoding` does. It may hold less, as UTF-8 holds less than RFC 2279 has: a
/// kernel stops there.
fn compatible(encoding: Encoding) -> Option<(Encoding, Special)> {
    Some(match encoding {
        Encoding::Utf8
        | Encoding::Utf16Le
        | Encoding::Utf16Be
        | Encoding::Utf16
        | Encoding::Utf32Le
        | Encoding::Utf32Be
        | Encoding::Utf32
        | Encoding::Latin1 => (encoding, Special::NOTHING),
        Encoding::UsAscii => (Encoding::Utf8, Special::NON_ASCII),
        Encoding::Utf8Rfc2279 | Encoding::Utf8Rfc2044 | Encoding::Wtf8 => (Encoding::Utf8, Special::NOTHING),
        Encoding::Utf8Kuhn => (Encoding::Utf8, Special::KUHN),
        Encoding::Utf8NoNoncharacters => (Encoding::Utf8, Special::NONCHARACTERS),
        Encoding::Cesu8 => (Encoding::Utf8, Special::SUPPLEMENTARY),
        Encoding::Mutf8 => (Encoding::Utf8, Special::SUPPLEMENTARY.or(Special::NUL)),
        Encoding::Wtf16Le => (Encoding::Utf16Le, Special::NOTHING),
        Encoding::Wtf16Be => (Encoding::Utf16Be, Special::NOTHING),
        Encoding::Ucs2Le => (Encoding::Utf16Le, Special::SUPPLEMENTARY),
        Encoding::Ucs2Be => (Encoding::Utf16Be, Special::SUPPLEMENTARY),
        Encoding::Ucs4Le => (Encoding::Utf32Le, Special::NOTHING),
        Encoding::Ucs4Be => (Encoding::Utf32Be, Special::NOTHING),
        _ => return None,
    })
}

/// A form with kernels.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Utf8,
    Utf16,
    Utf32,
    Latin1,
}

impl Form {
    /// The bytes of a unit.
    fn size(self) -> u8 {
        match self {
            Form::Utf8 | Form::Latin1 => 1,
            Form::Utf16 => 2,
            Form::Utf32 => 4,
        }
    }
}

/// Which way round the units of a form are.
#[derive(Clone, Copy)]
enum Order {
    Little,
    Big,
    /// It is in a BOM, if there is one.
    Said,
}

/// The form of `encoding`, if it has kernels, and the order of its units. Without a
/// question that the compiler does not know the reply to, so that this is a table.
fn form(encoding: Encoding) -> Option<(Form, Order)> {
    Some(match encoding {
        Encoding::Utf8 => (Form::Utf8, Order::Little),
        Encoding::Latin1 => (Form::Latin1, Order::Little),
        Encoding::Utf16Le => (Form::Utf16, Order::Little),
        Encoding::Utf16Be => (Form::Utf16, Order::Big),
        Encoding::Utf16 => (Form::Utf16, Order::Said),
        Encoding::Utf32Le => (Form::Utf32, Order::Little),
        Encoding::Utf32Be => (Form::Utf32, Order::Big),
        Encoding::Utf32 => (Form::Utf32, Order::Said),
        _ => return None,
    })
}

/// The fast path of a pair, where it has one. [`Encoding::Utf16`] and
/// [`Encoding::Utf32`] are what [`bulk`] says.
///
/// With [`OnError::Replace`] only for targets that lack no character: what is
/// counted as lacking ([`Transcoder::unrepresentable_count`]) is counted by the
/// driver.
///
/// [`Transcoder::unrepresentable_count`]: crate::Transcoder::unrepresentable_count
fn fast_path(from: Encoding, to: Encoding, on_error: OnError) -> Option<FastPath> {
    let ((from, from_order), (to, to_order)) = (form(from)?, form(to)?);
    if on_error == OnError::Replace && to == Form::Latin1 && from != Form::Latin1 {
        return None;
    }
    // From UTF-8, UTF-16, UTF-32 and ISO-8859-1, to the same.
    const PATHS: [[Convert; 4]; 4] = [
        [fast_path::utf8_to_utf8, fast_path::utf8_to_utf16, fast_path::utf8_to_utf32, fast_path::utf8_to_latin1],
        [fast_path::utf16_to_utf8, fast_path::utf16_to_utf16, fast_path::utf16_to_utf32, fast_path::utf16_to_latin1],
        [fast_path::utf32_to_utf8, fast_path::utf32_to_utf16, fast_path::utf32_to_utf32, fast_path::utf32_to_latin1],
        [
            fast_path::latin1_to_utf8,
            fast_path::latin1_to_utf16,
            fast_path::latin1_to_utf32,
            fast_path::latin1_to_latin1,
        ],
    ];
    let convert = PATHS[from as usize][to as usize];
    let from_big = !matches!(from_order, Order::Little);
    let path = FastPath::new(convert, (from.size(), from_big), (to.size(), matches!(to_order, Order::Big)));
    Some(if from == Form::Latin1 || to == Form::Latin1 { path } else { path.of_utf() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use Encoding::*;

    fn way(from: Encoding, to: Encoding, policy: Policy) -> &'static str {
        match bulk(from, to, policy) {
            Bulk::Exact { .. } => "exact",
            Bulk::Compatible { search: None, .. } => "compatible",
            Bulk::Compatible { search: Some(_), .. } => "compatible, searched",
            Bulk::Tried { .. } => "tried",
            #[cfg(feature = "legacy")]
            Bulk::Via { first, second } => match (first, second) {
                (Some(_), Some(_)) => "by UTF-8",
                (Some(_), None) => "from a table",
                (None, Some(_)) => "to a table",
                (None, None) => "UTF-8",
            },
            Bulk::ByValue => "by value",
        }
    }

    /// With another way the results are the same, but not the time.
    #[test]
    fn every_pair_with_a_kernel_takes_it() {
        let all = [Utf8, Utf16, Utf16Le, Utf16Be, Utf32, Utf32Le, Utf32Be, Latin1];
        for from in all {
            for to in all {
                assert_eq!(way(from, to, Policy::Strict), "exact", "{from} to {to}");
                // What ISO-8859-1 lacks is counted.
                let replacing = if to == Latin1 && from != Latin1 { "compatible" } else { "exact" };
                assert_eq!(
                    way(from, to, Policy::Replace(Practice::MaximalSubpart)),
                    replacing,
                    "{from} to {to}, replacing"
                );
            }
        }
    }

    #[test]
    fn what_is_compatible_with_another_takes_its_way() {
        // From UTF-8, from UTF-16BE, into UTF-8, into UTF-16LE.
        for (encoding, ways) in [
            (Utf8Rfc2279, ["compatible", "compatible", "compatible", "compatible"]),
            (Utf8Rfc2044, ["compatible", "compatible", "compatible", "compatible"]),
            (Wtf8, ["compatible", "compatible", "compatible", "compatible"]),
            (Wtf16Le, ["compatible", "compatible", "compatible", "compatible"]),
            (Wtf16Be, ["compatible", "compatible", "compatible", "compatible"]),
            (Ucs4Le, ["compatible", "compatible", "compatible", "compatible"]),
            (Ucs4Be, ["compatible", "compatible", "compatible", "compatible"]),
            (Cesu8, ["compatible", "tried", "compatible", "compatible, searched"]),
            (UsAscii, ["compatible, searched", "tried", "compatible, searched", "compatible, searched"]),
            (Utf8Kuhn, ["compatible, searched", "tried", "compatible, searched", "compatible, searched"]),
            (Utf8NoNoncharacters, ["compatible, searched", "tried", "compatible, searched", "compatible, searched"]),
            (Mutf8, ["compatible, searched", "tried", "compatible, searched", "compatible, searched"]),
            (Ucs2Le, ["compatible, searched", "compatible, searched", "tried", "compatible, searched"]),
            (Ucs2Be, ["compatible, searched", "compatible, searched", "tried", "compatible, searched"]),
            (Utf7, ["by value", "by value", "by value", "by value"]),
            (Utf1, ["by value", "by value", "by value", "by value"]),
        ] {
            let taken = [(Utf8, encoding), (Utf16Be, encoding), (encoding, Utf8), (encoding, Utf16Le)]
                .map(|(from, to)| way(from, to, Policy::Strict));
            assert_eq!(taken, ways, "{encoding}");
        }
        // What cannot be looked for in units of 32 bits.
        assert_eq!(way(Utf32Le, UsAscii, Policy::Strict), "by value");
    }

    #[test]
    #[cfg(feature = "legacy")]
    fn tables_go_by_utf_8() {
        let (big5, koi8) = (Encoding::Legacy(crate::Legacy::Big5), Encoding::Legacy(crate::Legacy::Koi8R));
        for (from, to, expected) in [
            (big5, Utf8, "from a table"),
            (Utf8, big5, "to a table"),
            (big5, koi8, "by UTF-8"),
            (big5, Utf16Le, "by UTF-8"),
            (Utf32Be, koi8, "by UTF-8"),
            (big5, Utf7, "by value"),
            (Utf7, big5, "by value"),
        ] {
            assert_eq!(way(from, to, Policy::Strict), expected, "{from} to {to}");
        }
    }
}
