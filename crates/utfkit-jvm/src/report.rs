//! Findings and detections.

use std::fmt::Write;

use engine::detect::Detection;
use engine::diagnose::{Checker, Finding};
use engine::{Encoding, Standard};

use crate::decode::encoding;
use crate::env::{Bytes, Thrown};
use crate::packed::Packed;
use crate::value::Value;

/// The findings of a value in an encoding, or null without one.
pub(crate) fn findings(value: Value<'_>, number: i32) -> Result<Option<Bytes<'_>>, Thrown> {
    let encoding = encoding(number)?;
    let mut packed = Packed::default();
    let (mut count, mut message) = (0_u64, String::new());
    let mut push = |packed: &mut Packed, found: &Finding| {
        count += 1;
        packed.number(found.offset());
        packed.number(found.line());
        packed.number(found.column());
        // No value has the highest bit.
        packed.number(found.diagnosis().value().map_or(u64::MAX, u64::from));
        packed.text(found.bytes());
        packed.text(found.kind().name().as_bytes());
        message.clear();
        // Writing to a string cannot fail.
        let _ = write!(message, "{}", found.diagnosis());
        packed.text(message.as_bytes());
    };
    let mut checker = Checker::new(encoding, Standard::Rfc3629);
    value.slices(|slice, is_last| {
        // A finding takes ten times its bytes, so the limit is looked at often.
        for part in slice.chunks(4096) {
            checker.feed(part, |found| push(&mut packed, found));
            packed.check()?;
        }
        if is_last {
            checker.finish(|found| push(&mut packed, found));
        }
        Ok(true)
    })?;
    if count == 0 { Ok(None) } else { packed.to_java(value.env()) }
}

/// A detection: name (or nothing), certainty, and the reason.
pub(crate) fn pack(found: &Detection) -> Packed {
    let mut packed = Packed::default();
    packed.text(found.name().unwrap_or_default().as_bytes());
    packed.text(found.certainty().name().as_bytes());
    packed.text(found.reason().to_string().as_bytes());
    // The reader's name of the encoding, which differs from the detection's if it cannot be decoded.
    packed.text(found.encoding().map(Encoding::name).unwrap_or_default().as_bytes());
    packed
}

pub(crate) fn detect(value: Value<'_>) -> Result<Option<Bytes<'_>>, Thrown> {
    value.whole(|bytes| pack(&engine::detect::detect(bytes)).to_java(value.env()))
}
