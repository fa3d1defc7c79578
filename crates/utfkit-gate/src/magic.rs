//! Formats with magic numbers.

/// The number of bytes at the front that are needed. The magic number of tar is at
/// offset 257.
pub const FRONT: usize = 4096;

/// Formats that the crate `infer` lacks, or knows only in part.
const MORE: &[(&[u8], &str)] = &[
    (b"RIFF", "RIFF (WAV, AVI, WebP)"),
    (b"RIFX", "RIFF (WAV, AVI, WebP)"),
    (b"\xDE\x12\x04\x95", "a gettext catalogue"),
    (b"\x95\x04\x12\xDE", "a gettext catalogue"),
    (b"PACK\0", "a git pack"),
    (b"DIRC\0", "a git index"),
    (b"MIME-Magic\0", "a table of media types"),
    (b"MIME-TreeMagic\0", "a table of media types"),
    (b"TZif", "a time zone"),
    (b"\x78\x9C", "zlib"),
    (b"\x78\xDA", "zlib"),
    (b"\x99\x01", "OpenPGP"),
    (b";ELC", "Emacs bytecode"),
];

/// A format, and whether its magic number alone proves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// A name for people, or the media type.
    pub name: &'static str,
    /// Text can begin with it: `BM`, `MZ`, `GIF`.
    pub is_weak: bool,
}

/// The format of a file that begins with `front`, unless it is text.
pub fn format(front: &[u8]) -> Option<Format> {
    if let Some((_, name)) = MORE.iter().find(|(magic, _)| front.starts_with(magic)) {
        return Some(Format { name, is_weak: false });
    }
    // PNM with binary pixels: `P6`, white space, a number or a comment.
    if let [b'P', b'4'..=b'6', space, next, ..] = front
        && space.is_ascii_whitespace()
        && (next.is_ascii_digit() || *next == b'#')
    {
        return Some(Format { name: "an image (PNM)", is_weak: false });
    }
    // A segment of ASCII of six bytes' header, which begins a font.
    if let [0x80, 1, _, _, _, _, b'%', b'!', ..] = front {
        return Some(Format { name: "a PostScript font (PFB)", is_weak: false });
    }
    // Flags, which are small, follow the number of the version.
    if let [_, 0x0D, b'\r', b'\n', 0..=3, 0, 0, 0, ..] = front {
        return Some(Format { name: "Python bytecode", is_weak: false });
    }
    let kind = infer::get(front)?;
    if kind.matcher_type() == infer::MatcherType::Text || kind.extension() == "pem" {
        return None;
    }
    let is_weak = match kind.extension() {
        "bmp" | "exe" | "dll" | "swf" | "gif" | "bz2" | "ps" => true,
        "mp3" => front.starts_with(b"ID3"),
        _ => false,
    };
    Some(Format { name: kind.mime_type(), is_weak })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_and_texts_that_begin_like_them() {
        let named = |front: &[u8]| format(front).map(|format| (format.name, format.is_weak));
        assert_eq!(named(b"\x89PNG\r\n\x1A\n"), Some(("image/png", false)));
        assert_eq!(named(b"RIFF\x24\0\0\0WAVE").map(|n| n.1), Some(false));
        assert_eq!(named(b"P6\n2 2\n255\n").map(|n| n.1), Some(false));
        assert_eq!(named(b"\x80\x01\x5E\x12\x01\x01%!PS-AdobeFont").map(|n| n.1), Some(false));
        assert_eq!(named(b";ELC\x17\0\0\0\n;;; Compiled").map(|n| n.1), Some(false));
        assert_eq!(named(b"\xA7\r\r\n\0\0\0\0\xE2\x1C\xEEf"), Some(("Python bytecode", false)));
        assert_eq!(named(b"\xE9\r\r\nde la mer\r\n"), None);
        assert_eq!(named(b"BMW f\xE4hrt").map(|n| n.1), Some(true));
        assert_eq!(named(b"<?xml version='1.0'?>"), None);
        assert_eq!(named(b"<!DOCTYPE html>"), None);
        assert_eq!(named(b"#!/bin/sh\n"), None);
        assert_eq!(named(b"-----BEGIN CERTIFICATE-----\n"), None);
        assert_eq!(named(b"P6 is the sixth point"), None);
        assert_eq!(named(b"Gr\xFC\xDFe"), None);
    }
}
