//! Checks that run ahead of their findings.

use utfkit::diagnose::*;
use utfkit::*;

fn sequential(encoding: Encoding, standard: Standard, src: &[u8]) -> (Vec<String>, Totals) {
    let mut lines = Vec::new();
    let mut checker = Checker::new(encoding, standard);
    checker.feed(src, |f| lines.push(f.to_string()));
    checker.finish(|f| lines.push(f.to_string()));
    (lines, checker.totals())
}

/// The findings over parts of `stretch` bytes, each fed in chunks of `piece` bytes.
fn joined(encoding: Encoding, standard: Standard, src: &[u8], stretch: usize, piece: usize) -> (Vec<String>, Totals) {
    let mut lines = Vec::new();
    let mut push = |f: &Finding| lines.push(f.to_string());
    let mut checker = Checker::new(encoding, standard);
    for bytes in src.chunks(stretch) {
        let mut ahead = checker.ahead().expect("an encoding without states");
        let _ = bytes.chunks(piece).all(|chunk| ahead.feed(chunk));
        assert!(ahead.taken() <= bytes.len());
        let taken = checker.join(&ahead, &mut push);
        checker.feed(&bytes[taken..], &mut push);
    }
    checker.finish(&mut push);
    (lines, checker.totals())
}

#[test]
fn stretches_joined_are_the_stream() {
    let pieces: [&[u8]; 12] = [
        "aß€🎉\n".as_bytes(),
        b"\n",
        b"\x80\x80\x80\x80\x80\x80\x80\x80",
        b"\xC0\xAF",
        b"\xED\xA0\xBD\xED\xB8\x80",
        b"\xED\xA0\xBD",
        b"\xED\xB8\x80",
        b"\xFD\xBF\xBF\xBF\xBF\xBF",
        b"\xFC\x80",
        b"\xF0\x9F\x8E",
        b"\x3D\xD8\x00\xDE",
        b"\0\0\xDE\xD8\0",
    ];
    let mut seed = 7u32;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as usize % below
    };
    for round in 0..60 {
        let mut src = Vec::new();
        while src.len() < 90 {
            let dirty = random(4) < round % 4;
            src.extend_from_slice(pieces[if dirty { random(12) } else { random(2) }]);
        }
        for encoding in [
            Encoding::Utf8,
            Encoding::UsAscii,
            Encoding::Latin1,
            Encoding::Utf16Le,
            Encoding::Utf16Be,
            Encoding::Utf32Le,
            Encoding::Utf32Be,
        ] {
            let standards = [Standard::Rfc3629, Standard::Rfc2279, Standard::Rfc2044, Standard::Kuhn];
            for standard in standards.into_iter().take(if encoding == Encoding::Utf8 { 4 } else { 1 }) {
                let whole = sequential(encoding, standard, &src);
                for stretch in (4..44).step_by(4).chain([5, 7, 9].into_iter().filter(|_| encoding.unit_size() == 1)) {
                    for piece in [1, 3, 4, stretch] {
                        let parts = joined(encoding, standard, &src, stretch, piece);
                        assert_eq!(parts, whole, "{encoding} {standard:?} {src:02X?} in {stretch}, {piece}");
                    }
                }
            }
        }
    }
}

/// The head can be fed in chunks.
#[test]
fn a_head_in_pieces_is_taken() {
    let text = "🎉 1\n2";
    for (encoding, src, cut) in [
        (Encoding::Utf8, text.as_bytes().to_vec(), 1),
        (Encoding::Utf16Le, text.encode_utf16().flat_map(u16::to_le_bytes).collect(), 2),
        (Encoding::Utf16Be, text.encode_utf16().flat_map(u16::to_be_bytes).collect(), 2),
    ] {
        let (front, back) = src.split_at(cut);
        let mut checker = Checker::new(encoding, Standard::Rfc3629);
        checker.feed(front, |f| panic!("{f}"));
        let mut ahead = checker.ahead().expect("an encoding without states");
        assert!(back.chunks(cut).all(|chunk| ahead.feed(chunk)), "{encoding}");
        assert_eq!((ahead.taken(), checker.join(&ahead, |f| panic!("{f}"))), (back.len(), back.len()), "{encoding}");
        checker.finish(|f| panic!("{f}"));
        assert_eq!((checker.totals().lines(), checker.totals().code_points()), (1, 5), "{encoding}");
    }
}

#[test]
fn what_depends_on_what_stands_before_has_no_ahead() {
    for encoding in [Encoding::Utf16, Encoding::Utf32, Encoding::Utf7, Encoding::Cesu8] {
        assert!(Checker::new(encoding, Standard::Rfc3629).ahead().is_none(), "{encoding}");
    }
    let mut checker = Checker::new(Encoding::Utf16, Standard::Rfc3629);
    checker.feed(b"\xFF\xFEa\0", |_| ());
    let mut ahead = checker.ahead().expect("the byte order is decided");
    assert!(ahead.feed(b"\n\0b\0"));
    assert_eq!(checker.join(&ahead, |_| ()), 4);
    assert_eq!((checker.totals().bytes(), checker.totals().lines(), checker.totals().code_points()), (8, 1, 3));
}
