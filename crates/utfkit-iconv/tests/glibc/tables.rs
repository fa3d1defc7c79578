//! Every byte sequence of every name that both have, and every code point.

use utfkit::Encoding;
use utfkit_iconv::charset::Charset;

use crate::judge::{Called, Conversion, Iconv, OURS, glibc, shared_names};

/// Converts `src` by both.
fn both(ours: &mut Conversion, theirs: &mut Conversion, src: &[u8]) -> [(Called, [u8; 16]); 2] {
    [ours, theirs].map(|conversion| {
        let mut dst = [0; 16];
        let called = conversion.convert(src, &mut dst);
        dst[called.written..].fill(0);
        (called, dst)
    })
}

/// Returns the sequences of `sources` that the two convert differently.
fn differences(from: &str, to: &str, theirs: Iconv, sources: impl Iterator<Item = Vec<u8>>) -> Vec<Vec<u8>> {
    let Some(mut judge) = theirs.open(from, to) else { return vec![b"glibc cannot open it".to_vec()] };
    let mut ours = OURS.open(from, to).unwrap();
    sources
        .filter(|src| {
            let [a, b] = both(&mut ours, &mut judge, src);
            a != b
        })
        .collect()
}

/// Returns all sequences of one and two bytes, and those of three and four bytes that a legacy encoding may have.
fn sequences(charset: Charset) -> Box<dyn Iterator<Item = Vec<u8>>> {
    let ones = (0..=0xFF).map(|a| vec![a]);
    if charset.is_single_byte() {
        return Box::new(ones);
    }
    let twos = (0x80..=0xFF_u8).flat_map(|a| (0..=0xFF).map(move |b| vec![a, b]));
    let threes = (0xA1..=0xFE_u8).flat_map(|b| (0xA1..=0xFE).map(move |c| vec![0x8F, b, c]));
    let fours = (0..126 * 10 * 126 * 10_u32).map(|i| {
        let (i, d) = (i / 10, i % 10);
        let (i, c) = (i / 126, i % 126);
        let (a, b) = (i / 10, i % 10);
        vec![0x81 + a as u8, 0x30 + b as u8, 0x81 + c as u8, 0x30 + d as u8]
    });
    let fours = fours.filter(move |_| charset.encoding.name() == "gb18030");
    Box::new(ones.chain(twos).chain(threes).chain(fours))
}

#[test]
fn every_name_means_what_glibc_means() {
    let (all, first) = shared_names();
    let mut found = Vec::new();
    for (name, charset) in &all {
        if charset.encoding.unit_size() > 1 || charset.encoding == Encoding::Utf8 {
            continue; // `pairs` compares them.
        }
        let different = differences(name, "UCS-4BE", glibc(), sequences(*charset));
        if !different.is_empty() {
            let some: Vec<_> = different.iter().take(8).map(|s| format!("{s:02X?}")).collect();
            found.push(format!(
                "{name} is not {}: reads {} otherwise: {}",
                charset.encoding,
                different.len(),
                some.join(" ")
            ));
        }
    }
    for (name, charset) in &first {
        // No byte is a character outside the BMP: a sample and the tags are enough.
        let is_bytes = charset.is_single_byte();
        let values = (0..0x11_0000_u32).filter(|value| {
            let is_asked = *value < 0x1_0000 || !is_bytes || value % 251 == 0 || value >> 8 == 0xE00;
            is_asked && !(0xD800..0xE000).contains(value)
        });
        let different = differences("UCS-4BE", name, glibc(), values.map(|value| value.to_be_bytes().to_vec()));
        if !different.is_empty() {
            let some: Vec<_> = different.iter().take(12).map(|s| format!("{s:02X?}")).collect();
            found.push(format!(
                "{name} is not {}: writes {} otherwise: {}",
                charset.encoding,
                different.len(),
                some.join(" ")
            ));
        }
    }
    println!("{} names, {} encodings", all.len(), first.len());
    assert!(found.is_empty(), "{}", found.join("\n"));
}
