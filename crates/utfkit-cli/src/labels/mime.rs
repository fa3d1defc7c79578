//! The headers of mails: of a message, of its parts, of each message of an mbox.

/// A block of header fields.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// Its body is encoded in US-ASCII, so that its bytes keep the encoding that it declares.
    pub(super) is_encoded: bool,
}

/// A piece of a text that may be a mail.
pub(super) struct Text<'a> {
    pub(super) bytes: &'a [u8],
    /// The length of the BOM.
    pub(super) begin: usize,
    /// The piece is the front of the text.
    pub(super) is_begin: bool,
    /// The boundaries that headers before have declared.
    pub(super) boundaries: &'a [Vec<u8>],
}

impl Text<'_> {
    /// The block of header fields around `at`, the begin of a line, if it is one. `known` is what
    /// was found of an earlier line: whatever reaches back to it is part of the same.
    pub(super) fn block(&self, at: usize, known: Option<(usize, Option<Block>)>) -> Option<Block> {
        let text = self.bytes;
        let mut start = at;
        let opens = loop {
            if let Some((line, block)) = known.filter(|(line, _)| *line >= start) {
                debug_assert!(line <= at);
                return block;
            }
            if start <= self.begin {
                break self.is_begin;
            }
            let before = line_before(text, start).max(self.begin);
            let line = trimmed(&text[before..start]);
            if is_boundary(line, self.boundaries) {
                break true;
            }
            if line.starts_with(b"From ") {
                break before == self.begin || trimmed(&text[line_before(text, before)..before]).is_empty();
            }
            if line.is_empty() {
                // White space in front of a file, or a message in a message.
                let is_front = self.is_begin && text[self.begin..start].trim_ascii().is_empty();
                break is_front || is_after_message(text, before);
            }
            if !is_field(line) && !line.starts_with(b" ") && !line.starts_with(b"\t") {
                return None;
            }
            start = before;
        };
        if !opens {
            return None;
        }
        let mut end = at;
        while end < text.len() {
            let next = line_after(text, end);
            if trimmed(&text[end..next]).is_empty() {
                break;
            }
            end = next;
        }
        let value = field(&text[start..end], b"content-transfer-encoding").unwrap_or_default();
        let is_encoded = [&b"quoted-printable"[..], b"base64", b"uuencode", b"x-uuencode"]
            .iter()
            .any(|encoding| value.eq_ignore_ascii_case(encoding));
        Some(Block { is_encoded })
    }
}

/// The value of a field of a block, without a comment.
fn field<'a>(block: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    block.split(|byte| *byte == b'\n').find_map(|line| {
        let (front, rest) = line.split_at_checked(name.len())?;
        let value = rest.trim_ascii_start().strip_prefix(b":")?;
        let value = value.split(|byte| matches!(byte, b';' | b'(')).next().unwrap_or_default();
        front.eq_ignore_ascii_case(name).then(|| value.trim_ascii().trim_ascii())
    })
}

/// The boundary that a field declares, in a line or its continuation.
pub(super) fn boundary(rest: &[u8]) -> Option<&[u8]> {
    let rest = rest.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let value = match rest.strip_prefix(b"\"") {
        Some(rest) => &rest[..rest.iter().position(|byte| *byte == b'"')?],
        None => rest.split(|byte| byte.is_ascii_whitespace() || *byte == b';').next().unwrap_or_default(),
    };
    (1..=70).contains(&value.len()).then_some(value)
}

/// The end of a field at `at`, with the lines that continue it.
pub(super) fn end_of_field(text: &[u8], at: usize) -> usize {
    let mut end = line_after(text, at);
    while text.get(end).is_some_and(|byte| matches!(byte, b' ' | b'\t')) {
        end = line_after(text, end);
    }
    end
}

fn is_boundary(line: &[u8], boundaries: &[Vec<u8>]) -> bool {
    let Some(rest) = line.strip_prefix(b"--") else { return false };
    boundaries.iter().any(|boundary| rest.trim_ascii_end() == boundary.as_slice())
}

/// True if the block that ends at `at` says that a message follows.
fn is_after_message(text: &[u8], at: usize) -> bool {
    let mut start = at;
    while start > 0 {
        let before = line_before(text, start);
        if trimmed(&text[before..start]).is_empty() {
            break;
        }
        start = before;
    }
    field(&text[start..at], b"content-type").is_some_and(|value| value.eq_ignore_ascii_case(b"message/rfc822"))
}

fn is_field(line: &[u8]) -> bool {
    let name = line.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte)).count();
    name > 0 && line[name..].trim_ascii_start().starts_with(b":")
}

fn trimmed(line: &[u8]) -> &[u8] {
    line.trim_ascii_end()
}

/// The begin of the line before the one that begins at `at`.
fn line_before(text: &[u8], at: usize) -> usize {
    text[..at - 1].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1)
}

fn line_after(text: &[u8], at: usize) -> usize {
    text[at..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |end| at + end + 1)
}
