//! Counts of scripts and line ends.

use std::sync::LazyLock;

use unicode_script::{Script, UnicodeScript};

/// Counts UTF-8 that is fed in pieces of whole characters.
#[derive(Clone, Debug)]
pub(crate) struct Census {
    scripts: [u64; 256],
    line_ends: LineEnds,
    /// The last character was U+000D.
    after_cr: bool,
}

/// The number of lines that end in each way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineEnds {
    pub(crate) lf: u64,
    pub(crate) crlf: u64,
    /// CR alone, as on old systems.
    pub(crate) cr: u64,
}

impl LineEnds {
    /// One name for all lines.
    pub(crate) fn name(self) -> &'static str {
        match (self.lf, self.crlf, self.cr) {
            (0, 0, 0) => "no line end",
            (_, 0, 0) => "LF",
            (0, _, 0) => "CRLF",
            (0, 0, _) => "CR",
            _ => "mixed",
        }
    }
}

/// The script of each code point of the first four planes, and the names of scripts.
struct Table {
    scripts: Vec<u8>,
    names: [&'static str; 256],
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table { scripts: vec![Script::Unknown as u8; 0x4_0000], names: [""; 256] };
    for (value, place) in table.scripts.iter_mut().enumerate() {
        if let Some(c) = char::from_u32(value as u32) {
            let script = c.script();
            *place = script as u8;
            table.names[usize::from(*place)] = script.full_name();
        }
    }
    // A later Unicode may assign every code point.
    table.names[Script::Unknown as usize] = "Unknown";
    table
});

impl Census {
    pub(crate) fn new() -> Census {
        Census { scripts: [0; 256], line_ends: LineEnds::default(), after_cr: false }
    }

    pub(crate) fn feed(&mut self, text: &[u8]) {
        for chunk in text.utf8_chunks() {
            let mut rest = chunk.valid();
            while !rest.is_empty() {
                let ascii = rest.bytes().position(|byte| byte >= 0x80).unwrap_or(rest.len());
                self.ascii(&rest.as_bytes()[..ascii]);
                rest = &rest[ascii..];
                let other = rest.bytes().position(|byte| byte < 0x80).unwrap_or(rest.len());
                self.others(&rest[..other]);
                rest = &rest[other..];
            }
        }
    }

    fn ascii(&mut self, run: &[u8]) {
        let letters = run.iter().filter(|byte| byte.is_ascii_alphabetic()).count() as u64;
        self.scripts[Script::Latin as usize] += letters;
        self.scripts[Script::Common as usize] += run.len() as u64 - letters;
        if !self.after_cr && !run.contains(&b'\r') {
            self.line_ends.lf += run.iter().filter(|&&byte| byte == b'\n').count() as u64;
            return;
        }
        for &byte in run {
            match (byte, self.after_cr) {
                (b'\n', true) => {
                    self.line_ends.cr -= 1;
                    self.line_ends.crlf += 1;
                }
                (b'\n', false) => self.line_ends.lf += 1,
                // A line feed turns it into CRLF.
                (b'\r', _) => self.line_ends.cr += 1,
                _ => {}
            }
            self.after_cr = byte == b'\r';
        }
    }

    fn others(&mut self, run: &str) {
        if run.is_empty() {
            return;
        }
        self.after_cr = false;
        let table = &*TABLE;
        for c in run.chars() {
            let script = match table.scripts.get(c as usize) {
                Some(&script) => script,
                None => c.script() as u8,
            };
            self.scripts[usize::from(script)] += 1;
        }
    }

    pub(crate) fn line_ends(&self) -> LineEnds {
        self.line_ends
    }

    /// The scripts in the text, with the number of characters of each. `Common` is
    /// shared by scripts, `Inherited` are marks.
    pub(crate) fn scripts(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let named = self.scripts.iter().enumerate().filter(|&(_, &count)| count > 0);
        // The scripts above the fourth plane occur below it, too: `Inherited` and
        // `Unknown`.
        named.map(|(script, &count)| (TABLE.names[script], count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_and_line_ends_do_not_depend_on_the_pieces() {
        let text = "abc, Ελλ жук\r\n日本\u{20000}\u{378}\u{301}\r\r\n1\n\r";
        let mut whole = Census::new();
        whole.feed(text.as_bytes());
        let scripts: Vec<_> = whole.scripts().collect();
        for expected in [("Latin", 3), ("Greek", 3), ("Cyrillic", 3), ("Han", 3), ("Inherited", 1), ("Unknown", 1)] {
            assert!(scripts.contains(&expected), "{scripts:?}");
        }
        assert_eq!(scripts.iter().map(|(_, count)| count).sum::<u64>(), text.chars().count() as u64);
        assert_eq!(whole.line_ends(), LineEnds { lf: 1, crlf: 2, cr: 2 });
        let mut pieces = Census::new();
        text.chars().for_each(|c| pieces.feed(c.encode_utf8(&mut [0; 4]).as_bytes()));
        assert_eq!(pieces.scripts().collect::<Vec<_>>(), scripts);
        assert_eq!(pieces.line_ends(), whole.line_ends());
    }

    #[test]
    fn every_script_above_the_table_has_a_name() {
        for value in (0x4_0000..=0x10_FFFF).filter_map(char::from_u32) {
            let script = value.script();
            assert_eq!(TABLE.names[script as usize], script.full_name(), "U+{:04X}", u32::from(value));
        }
    }

    #[test]
    fn line_ends_in_a_word() {
        for (text, name) in [("", "no line end"), ("a\n", "LF"), ("\r\n", "CRLF"), ("\r", "CR"), ("\r\n\n", "mixed")] {
            let mut census = Census::new();
            census.feed(text.as_bytes());
            assert_eq!(census.line_ends().name(), name);
        }
    }
}
