//! The fast path of every pair of encodings.
//!
//! A pair works as soon as both encodings have a scalar codec. Which kernels an
//! encoding has, or shares with another one for most text, is in its
//! [row](crate::engine::row::Row::kernels).

use super::bulk::{Bulk, Leg};
use super::special::search;
use crate::encoding::Encoding;
use crate::engine::fast_path::{self, Convert, FastPath};
use crate::engine::progress::{OnError, OnLacking};
use crate::engine::row::{Form, Kernels, Order};
use crate::engine::special::Special;
use crate::policy::{Policy, Practice};

/// An encoding that has a BOM.
pub(super) struct Signed {
    /// The encoding without a BOM, little-endian.
    pub(super) little: Encoding,
    /// U+FEFF in little-endian order; backwards it is the big-endian one.
    pub(super) bom: &'static [u8],
}

/// The parts of `encoding`, if it has a BOM.
pub(super) fn signed(encoding: Encoding) -> Option<Signed> {
    match encoding {
        Encoding::Utf16 => Some(Signed { little: Encoding::Utf16Le, bom: &[0xFF, 0xFE] }),
        Encoding::Utf32 => Some(Signed { little: Encoding::Utf32Le, bom: &[0xFF, 0xFE, 0, 0] }),
        _ => None,
    }
}

/// How the driver converts the bulk of `from` into `to`. [`Encoding::Utf16`]
/// and [`Encoding::Utf32`] are meant without a BOM: big-endian as a source, and
/// little-endian as a target, whose BOM the driver writes.
pub(super) fn bulk(from: Encoding, to: Encoding, policy: Policy) -> Bulk {
    let on_error = match policy {
        Policy::Replace(Practice::MaximalSubpart) => OnError::Replace,
        _ => OnError::Stop,
    };
    let exact = fast_path(from, to, on_error).map(|path| Bulk::Exact { path, on_error });
    let bulk = exact.or_else(|| by_compatible(from, to)).or_else(|| via_utf8(from, to, policy));
    bulk.unwrap_or(Bulk::ByValue)
}

/// The way by UTF-8, with a legacy encoding or one with states at one end or at both.
fn via_utf8(from: Encoding, to: Encoding, policy: Policy) -> Option<Bulk> {
    let on_lacking = match policy {
        Policy::Replace(_) => OnLacking::Replace,
        Policy::Skip => OnLacking::Skip,
        Policy::Strict | Policy::Escape => OnLacking::Stop,
    };
    let (source, target) = (from.source(), to.target());
    if !source.has_states() && !target.has_states() || !source.reads_utf8() || !target.writes_utf8() {
        return None;
    }
    let at_once = match (from, to) {
        (_, Encoding::Utf16Le) if source.reads_utf16() => Some(Leg::ReadUtf16),
        (Encoding::Utf16Le, _) if target.writes_utf16() => Some(Leg::WriteUtf16(on_lacking)),
        _ => None,
    };
    if at_once.is_some() {
        return Some(Bulk::Via { first: at_once, second: None });
    }
    let path = |from, to| fast_path(from, to, OnError::Stop).map(Leg::Path);
    let first = path(from, Encoding::Utf8).or(Some(Leg::ReadUtf8)).filter(|_| from != Encoding::Utf8);
    let second = path(Encoding::Utf8, to).or(Some(Leg::WriteUtf8(on_lacking))).filter(|_| to != Encoding::Utf8);
    Some(Bulk::Via { first, second })
}

/// The kernel of a pair that is the same for some of the text.
fn by_compatible(from: Encoding, to: Encoding) -> Option<Bulk> {
    let shared = |encoding: Encoding| match encoding.row().kernels {
        Kernels::Own(form, order) => Some((form, order, Special::NOTHING)),
        Kernels::Shared(form, order, special) => Some((form, order, special)),
        Kernels::None => None,
    };
    let ((from, from_order, special), (to, to_order, also_special)) = (shared(from)?, shared(to)?);
    let special = special.or(also_special);
    if (from, to, special) == (Form::Utf8, Form::Utf8, Special::SUPPLEMENTARY) {
        let path = FastPath::new(fast_path::utf8_of_three_to_itself, (1, false), (1, false));
        return Some(Bulk::Compatible { search: None, path });
    }
    let path = path((from, from_order), (to, to_order));
    Some(match (from, search(from, from_order, special)?) {
        // The result is half as long, if it is US-ASCII.
        (Form::Utf16, Some(search_in)) if to == Form::Utf8 => match search(Form::Utf8, Order::Little, special) {
            Some(Some(output)) => Bulk::Tried { search: search_in, output, path },
            _ => Bulk::Compatible { search: Some(search_in), path },
        },
        (_, search) => Bulk::Compatible { search, path },
    })
}

/// The fast path of two encodings that have kernels of their own.
/// [`Encoding::Utf16`] and [`Encoding::Utf32`] are as in [`bulk`].
///
/// With [`OnError::Replace`] there is none for targets that lack characters, which
/// the driver counts ([`Transcoder::unrepresentable_count`]).
///
/// [`Transcoder::unrepresentable_count`]: crate::Transcoder::unrepresentable_count
fn fast_path(from: Encoding, to: Encoding, on_error: OnError) -> Option<FastPath> {
    let (Kernels::Own(from, from_order), Kernels::Own(to, to_order)) = (from.row().kernels, to.row().kernels) else {
        return None;
    };
    if on_error == OnError::Replace && to == Form::Latin1 && from != Form::Latin1 {
        return None;
    }
    Some(path((from, from_order), (to, to_order)))
}

fn path((from, from_order): (Form, Order), (to, to_order): (Form, Order)) -> FastPath {
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
    if from == Form::Latin1 || to == Form::Latin1 { path } else { path.of_utf() }
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
            Bulk::Via { first, second } => match (first, second) {
                (Some(_), Some(_)) => "by UTF-8",
                (Some(_), None) => "read",
                (None, Some(_)) => "written",
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
                // Characters that ISO-8859-1 lacks are counted.
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
            (Utf7, ["written", "by UTF-8", "read", "read"]),
            (Utf1, ["by value", "by value", "by value", "by value"]),
        ] {
            let taken = [(Utf8, encoding), (Utf16Be, encoding), (encoding, Utf8), (encoding, Utf16Le)]
                .map(|(from, to)| way(from, to, Policy::Strict));
            assert_eq!(taken, ways, "{encoding}");
        }
        // There is no search in units of 32 bits.
        assert_eq!(way(Utf32Le, UsAscii, Policy::Strict), "by value");
    }

    #[test]
    #[cfg(feature = "legacy")]
    fn tables_go_by_utf_8() {
        let (big5, koi8) = (Encoding::Legacy(crate::Legacy::Big5), Encoding::Legacy(crate::Legacy::Koi8R));
        // Tables that are learned have UTF-16.
        let learned = cfg!(not(feature = "legacy-tables"));
        for (from, to, expected) in [
            (big5, Utf8, "read"),
            (Utf8, big5, "written"),
            (big5, koi8, "by UTF-8"),
            (koi8, Utf16Le, "read"),
            (big5, Utf16Le, if learned { "read" } else { "by UTF-8" }),
            (Utf16Le, big5, if learned { "read" } else { "by UTF-8" }),
            (Utf16Be, big5, "by UTF-8"),
            (Utf32Be, koi8, "by UTF-8"),
            (big5, Utf7, "by UTF-8"),
            (Utf7, big5, "by UTF-8"),
            (big5, Wtf8, "by value"),
            (Wtf8, big5, "by value"),
        ] {
            assert_eq!(way(from, to, Policy::Strict), expected, "{from} to {to}");
        }
    }
}
