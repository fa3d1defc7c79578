//! Where the strings of SQL are: what is in them is data, which may speak of encodings.

/// The state of a text of SQL at a place in it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sql {
    state: State,
    is_escaped: bool,
    /// The byte before.
    before: u8,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Statement,
    String(u8),
    /// Up to the end of the line.
    Comment,
}

/// The beginnings of lines that are hardly data. After such a line, an apostrophe in a comment or
/// in the rows of a COPY is forgotten.
const STATEMENTS: [&str; 12] =
    ["set ", "create ", "alter ", "drop ", "insert ", "/*!", "--", ")", "lock ", "unlock ", "\\.", "copy "];

impl Sql {
    /// Passes `text`, which is followed by `rest`.
    pub(super) fn pass(&mut self, text: &[u8], rest: &[u8]) {
        let mut at = 0;
        if self.before == 0 || self.before == b'\n' {
            self.line(text, rest);
        }
        while at < text.len() {
            let byte = text[at];
            match self.state {
                State::String(_) if self.is_escaped => self.is_escaped = false,
                State::String(_) if byte == b'\\' => self.is_escaped = true,
                State::String(quote) if byte == quote => self.state = State::Statement,
                State::Statement if matches!(byte, b'\'' | b'"') => self.state = State::String(byte),
                State::Statement if byte == b'-' && self.before == b'-' => self.state = State::Comment,
                _ => {}
            }
            self.before = byte;
            at += 1;
            if byte == b'\n' {
                if self.state == State::Comment {
                    self.state = State::Statement;
                }
                self.line(&text[at..], rest);
            }
        }
    }

    /// True outside of strings and of comments up to the end of a line. MySQL executes the other
    /// comments.
    pub(super) fn is_statement(&self) -> bool {
        self.state == State::Statement
    }

    /// At the begin of a line.
    fn line(&mut self, text: &[u8], rest: &[u8]) {
        let begins = |word: &str| {
            let mut front = text.iter().chain(rest).map(u8::to_ascii_lowercase);
            word.bytes().all(|byte| front.next() == Some(byte))
        };
        if STATEMENTS.iter().any(|word| begins(word)) {
            (self.state, self.is_escaped) = (State::Statement, false);
        }
        if self.state == State::Statement && begins("#") {
            self.state = State::Comment;
        }
    }
}
