//! Labels in the attributes of tags: XML, HTML, XSLT, JSP, ASP, ColdFusion.

use std::ops::Range;

use super::label::Spelling::{AsWritten, CodePage, Lower, Upper};
use super::label::{Label, Spelling, name_at, position};

/// A tag that may have a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    Xml,
    Meta,
    /// `<xsl:output …>`
    Output,
    /// `<%@ … %>`, `<jsp:directive.page …>`, `<cfprocessingdirective …>`
    Directive,
}

/// The labels in the attributes of a tag. `text[at..]` begins after its name.
pub(super) fn attributes(text: &[u8], mut at: usize, tag: Tag) -> Vec<Label> {
    let closing: &[u8] = match tag {
        Tag::Xml => b"?>",
        Tag::Directive if text[..at].ends_with(b"@") => b"%>",
        Tag::Meta | Tag::Output | Tag::Directive => b">",
    };
    let end = at + position(&text[at..], closing).unwrap_or(text.len() - at);
    let whole = text;
    let text = &text[..end];
    let mut labels = Vec::new();
    let mut add = |at: usize, shown: String, spelling: Spelling| {
        labels.extend(name_at(whole, at).map(|at| {
            let quote = if tag == Tag::Xml { "\"" } else { "" };
            Label::new(whole, at, spelling, |name| format!("{shown}{quote}{name}{quote}"))
        }));
    };
    let (mut content, mut is_pragma) = (None, false);
    loop {
        at += text[at..].iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == b'/').count();
        let name = at;
        at += text[at..].iter().take_while(|byte| !byte.is_ascii_whitespace() && !b"=/".contains(byte)).count();
        let name = &text[name..at];
        if name.is_empty() && at >= end {
            break;
        }
        let spaces = text[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if text.get(at + spaces) != Some(&b'=') {
            at += usize::from(name.is_empty());
            continue;
        }
        at += spaces + 1;
        at += text[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let (start, stop) = match text.get(at) {
            Some(quote @ (b'"' | b'\'')) => {
                let Some(len) = text[at + 1..].iter().position(|byte| byte == quote) else { break };
                (at + 1, at + 1 + len)
            }
            _ => (at, at + text[at..].iter().take_while(|byte| !byte.is_ascii_whitespace()).count()),
        };
        let value = &text[start..stop];
        match (tag, name.to_ascii_lowercase().as_slice()) {
            (Tag::Xml, _) if name == b"encoding" => add(start, "encoding=".to_owned(), Upper),
            (Tag::Output, b"encoding") => add(start, "xsl:output encoding=".to_owned(), Upper),
            (Tag::Directive, b"pageencoding") => add(start, "pageEncoding=".to_owned(), AsWritten),
            (Tag::Directive, b"codepage") => add(start, "codePage=".to_owned(), CodePage),
            (Tag::Directive, b"responseencoding") => add(start, "ResponseEncoding=".to_owned(), AsWritten),
            (Tag::Directive, b"contenttype") => {
                if let Some(at) = charset(text, start..stop) {
                    add(at, "charset=".to_owned(), AsWritten);
                }
            }
            (Tag::Meta, b"charset") => add(start, "charset=".to_owned(), Lower),
            (Tag::Meta, b"content") => content = Some(start..stop),
            // Pages that name it so are common, although browsers ignore that.
            (Tag::Meta, b"http-equiv" | b"name") => is_pragma |= value.eq_ignore_ascii_case(b"content-type"),
            _ => {}
        }
        at = (stop + 1).min(end);
    }
    if let Some(at) = content.filter(|_| is_pragma).and_then(|content| charset(text, content)) {
        add(at, "charset=".to_owned(), Lower);
    }
    labels
}

/// The place after `charset=` in a range.
pub(super) fn charset(text: &[u8], within: Range<usize>) -> Option<usize> {
    let value = &text[within.clone()];
    let found = value.windows(7).position(|word| word.eq_ignore_ascii_case(b"charset"))?;
    let mut at = within.start + found + 7;
    let blanks = |at: usize| text[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    at += blanks(at);
    if text.get(at) != Some(&b'=') {
        return None;
    }
    at += 1;
    at += blanks(at);
    Some(at + usize::from(text.get(at).is_some_and(|byte| b"\"'".contains(byte))))
}
