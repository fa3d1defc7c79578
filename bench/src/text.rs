//! The texts: files if present, generated texts otherwise.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::random::Random;

/// The kind of a text, as far as goals differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// At least 98 % of the bytes are ASCII.
    Ascii,
    /// One character in ten takes four bytes.
    Emoji,
    /// Everything else.
    Other,
}

#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) name: String,
    pub(crate) class: Class,
    /// Well-formed UTF-8 in pieces, each converted by one call. Only mixed
    /// short inputs have more than one piece.
    pub(crate) pieces: Vec<String>,
    /// Number of repetitions of a piece in the input.
    pub(crate) times: usize,
}

impl Text {
    pub(crate) fn new(name: &str, text: String) -> Text {
        let class = classify(&text);
        Text { name: name.to_owned(), class, pieces: vec![text], times: 1 }
    }

    /// Repeats it up to at least `size` bytes.
    pub(crate) fn grown(mut self, size: usize) -> Text {
        self.times = size.div_ceil(self.pieces[0].len().max(1));
        self
    }
}

fn classify(text: &str) -> Class {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    let characters = text.chars().count();
    let four = text.chars().filter(|c| c.len_utf8() == 4).count();
    if ascii * 100 >= text.len() * 98 {
        Class::Ascii
    } else if four * 20 >= characters {
        Class::Emoji
    } else {
        Class::Other
    }
}

/// The files, or the generated texts if there are none.
pub(crate) fn all(made_too: bool) -> Vec<Text> {
    let mut texts = Vec::new();
    if let Some(data) = data_folder() {
        for (folder, prefix) in [("lipsum", ""), ("wikipedia_mars", "wiki-")] {
            texts.extend(files(&data.join(folder), prefix));
        }
    }
    if texts.is_empty() || made_too {
        texts.extend(made());
    }
    texts
}

fn data_folder() -> Option<PathBuf> {
    let shared = match env::var_os("UTFKIT_SHARED") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"),
    };
    let data = shared.join("data");
    data.is_dir().then_some(data)
}

fn files(folder: &Path, prefix: &str) -> Vec<Text> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut texts: Vec<Text> = entries
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let name = path.file_name()?.to_str()?.strip_suffix(".utf8.txt")?;
            let name = name.strip_suffix("-Lipsum").unwrap_or(name);
            let text = fs::read_to_string(&path).ok()?;
            Some(Text::new(&format!("{prefix}{name}"), text))
        })
        .collect();
    texts.sort_by(|a, b| a.name.cmp(&b.name));
    texts
}

/// The next character of a generated text.
type Draw = fn(&mut Random) -> char;

/// About 96 KiB each, the same on every machine.
fn made() -> Vec<Text> {
    const SIZE: usize = 96 << 10;
    let kinds: [(&str, Draw); 5] = [
        ("made-ascii", ascii),
        ("made-latin", |r| if r.below(120) == 0 { within(r, 0xE0..0x100) } else { ascii(r) }),
        ("made-two", |r| if r.below(6) == 0 { ' ' } else { within(r, 0x410..0x450) }),
        ("made-three", |r| if r.below(12) == 0 { '\u{3002}' } else { within(r, 0x4E00..0x9000) }),
        ("made-emoji", |r| match r.below(10) {
            0 => within(r, 0x1F300..0x1F650),
            1..3 => within(r, 0x4E00..0x9000),
            3..5 => within(r, 0x410..0x450),
            _ => ascii(r),
        }),
    ];
    kinds.into_iter().map(|(name, next)| Text::new(name, fill(SIZE, next))).collect()
}

fn fill(size: usize, next: Draw) -> String {
    let mut random = Random::new(1);
    let mut text = String::with_capacity(size + 4);
    while text.len() < size {
        text.push(next(&mut random));
    }
    text
}

fn ascii(random: &mut Random) -> char {
    if random.below(6) == 0 { ' ' } else { within(random, 0x61..0x7B) }
}

fn within(random: &mut Random, range: core::ops::Range<u32>) -> char {
    char::from_u32(range.start + random.below(range.end - range.start)).unwrap_or(' ')
}

/// Short inputs: one text per length and per size of character (one to four
/// bytes), and one of mixed lengths in random order.
pub(crate) fn short() -> Vec<Text> {
    const LENGTHS: [usize; 19] = [0, 1, 4, 8, 12, 16, 24, 31, 32, 48, 63, 64, 80, 96, 127, 128, 160, 192, 256];
    let mut texts = Vec::new();
    for (kind, character, class) in [
        ("1-byte", 'e', Class::Ascii),
        ("2-byte", 'ж', Class::Other),
        ("3-byte", '語', Class::Other),
        ("4-byte", '🦀', Class::Emoji),
    ] {
        let width = character.len_utf8();
        let piece = |length: usize| character.to_string().repeat(length / width);
        let mut last = None;
        for length in LENGTHS.map(|length| length / width * width) {
            if last != Some(length) {
                texts.push(Text { name: format!("{kind} {length:3}"), class, pieces: vec![piece(length)], times: 1 });
            }
            last = Some(length);
        }
        let mut random = Random::new(7);
        let pieces = (0..4096).map(|_| piece(random.below(65) as usize)).collect();
        texts.push(Text { name: format!("{kind} mix"), class, pieces, times: 1 });
    }
    texts
}
