//! The measurement.

#[path = "../../tests/glibc/judge.rs"]
#[allow(dead_code)]
mod judge;

use std::time::{Duration, Instant};

use judge::{Conversion, OURS, glibc};

const RUSSIAN: &str = "Все люди рождаются свободными и равными в своём достоинстве и правах. ";
const GERMAN: &str = "Alle Menschen sind frei und gleich an Würde und Rechten geboren – „überall“. ";
const CHINESE: &str = "人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心。";
const EMOJI: &str = "🎉 party 🥳, cake 🎂 and ☕! ";
const ENGLISH: &str = "All human beings are born free and equal in dignity and rights. ";

fn texts(name: &str) -> &'static [(&'static str, &'static str)] {
    match name {
        "KOI8-R" | "WINDOWS-1251" | "ISO-8859-5" | "IBM866" | "UHC" => &[("Russian", RUSSIAN), ("English", ENGLISH)],
        "EUC-JP" | "SHIFT_JIS" | "GBK" | "BIG5" | "GB18030" => &[("Chinese", CHINESE)],
        "UTF" => {
            &[("English", ENGLISH), ("German", GERMAN), ("Russian", RUSSIAN), ("Chinese", CHINESE), ("emoji", EMOJI)]
        }
        _ => &[("German", GERMAN), ("English", ENGLISH)],
    }
}

fn timed(conversion: &mut Conversion, src: &[u8], dst: &mut [u8], piece: usize) -> Duration {
    let begin = Instant::now();
    let (mut at, mut written) = (0, 0);
    while at < src.len() {
        let end = src.len().min(at + piece);
        let called = conversion.convert(&src[at..end], &mut dst[written..]);
        at += called.read;
        written += called.written;
        if called.read == 0 {
            break;
        }
    }
    let time = begin.elapsed();
    // A text that cannot be converted is not measured.
    if at + 8 > src.len() { time } else { Duration::MAX }
}

pub(crate) fn all() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let unicode = ["UTF-8", "UTF-16LE", "UTF-16BE", "UTF-16", "UTF-32LE", "UTF-32BE", "WCHAR_T", "UCS-2LE"];
    let legacy = [
        "ISO-8859-1",
        "ISO-8859-15",
        "ISO-8859-2",
        "WINDOWS-1252",
        "WINDOWS-1250",
        "WINDOWS-1251",
        "KOI8-R",
        "ISO-8859-5",
        "IBM866",
        "CP437",
        "US-ASCII",
        "SHIFT_JIS",
        "EUC-JP",
        "GBK",
        "BIG5",
        "GB18030",
        "UHC",
    ];
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    for from in unicode {
        pairs.extend(unicode.iter().filter(|&&to| from != to || from == "UTF-8").map(|&to| (from, to)));
    }
    for bytes in legacy {
        pairs.extend([
            (bytes, "UTF-8"),
            ("UTF-8", bytes),
            (bytes, "UTF-16LE"),
            ("UTF-16LE", bytes),
            (bytes, "WCHAR_T"),
            ("WCHAR_T", bytes),
        ]);
    }
    pairs.extend([("KOI8-R", "WINDOWS-1251"), ("WINDOWS-1252", "ISO-8859-15"), ("ISO-8859-1", "ISO-8859-1")]);
    println!(
        "{:<14} {:<14} {:<8} {:>9} {:>9} {:>9} {:>9}",
        "from", "to", "text", "64 KiB", "GB/s", "100 bytes", "ns a call"
    );
    for (from, to) in pairs {
        let name = format!("{from} {to}");
        if !wanted.is_empty() && !wanted.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        let of = if legacy.contains(&from) {
            from
        } else if legacy.contains(&to) {
            to
        } else {
            "UTF"
        };
        for (language, text) in texts(of) {
            let mut src = text.repeat(65536 / text.len() + 1).into_bytes();
            if of != "UTF" {
                // Only the characters that the legacy encoding has.
                let text: String = String::from_utf8(src).unwrap();
                let mut some = vec![0; 4 * text.len()];
                let mut there = glibc().open("UTF-8", of).unwrap();
                let kept: String = text
                    .chars()
                    .take(80)
                    .filter(|c| there.convert(c.to_string().as_bytes(), &mut some).errno == 0)
                    .collect();
                src = kept.repeat(65536 / kept.len() + 1).into_bytes();
            }
            let mut encoded = vec![0; 4 * src.len() + 16];
            let made = glibc().open("UTF-8", from).unwrap().convert(&src, &mut encoded);
            if made.returned != 0 {
                continue;
            }
            let len = made.written.min(65536);
            let src = &encoded[..len - len % 4];
            let mut dst = vec![0; 4 * src.len() + 16];
            let (Some(mut ours), Some(mut theirs)) = (OURS.open(from, to), glibc().open(from, to)) else { continue };
            let mut best = [[Duration::MAX; 2]; 2];
            for _ in 0..40 {
                for (best, conversion) in best.iter_mut().zip([&mut ours, &mut theirs]) {
                    for (best, piece) in best.iter_mut().zip([src.len(), 100]) {
                        *best = (*best).min(timed(conversion, src, &mut dst, piece));
                    }
                }
            }
            if best[0][0] == Duration::MAX {
                continue;
            }
            let ratio = |i: usize| best[1][i].as_secs_f64() / best[0][i].as_secs_f64();
            println!(
                "{from:<14} {to:<14} {language:<8} {:>9.2} {:>9.2} {:>9.2} {:>9.0}",
                ratio(0),
                src.len() as f64 / best[0][0].as_nanos() as f64,
                ratio(1),
                best[0][1].as_nanos() as f64 / (src.len() as f64 / 100.0),
            );
        }
    }
}
