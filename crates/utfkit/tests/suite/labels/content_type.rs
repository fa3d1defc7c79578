//! The charset of a media type.

use utfkit::label::*;

fn charset(value: &str) -> Option<String> {
    charset_of_content_type(value).map(|label| label.into_owned())
}

#[test]
fn as_in_the_standards() {
    for (value, expected) in [
        // RFC 2045 section 5.1: these two are equivalent.
        ("text/plain; charset=us-ascii (Plain text)", Some("us-ascii")),
        ("text/plain; charset=\"us-ascii\"", Some("us-ascii")),
        // RFC 9110 section 8.3.1: these four are equivalent.
        ("text/html;charset=utf-8", Some("utf-8")),
        ("Text/HTML;Charset=\"utf-8\"", Some("utf-8")),
        ("text/html; charset=\"utf-8\"", Some("utf-8")),
        ("text/html;charset=UTF-8", Some("UTF-8")),
        ("text/plain", None),
        ("text/plain;", None),
        ("text/plain; format=flowed", None),
        ("multipart/mixed; boundary=\"a; charset=b\"; charset=c", Some("c")),
    ] {
        assert_eq!(charset(value).as_deref(), expected, "{value}");
    }
}

#[test]
fn what_is_passed_over() {
    for value in [
        "text/html;test;charset=gbk",
        "text/html;test=;charset=gbk",
        "text/html;';charset=gbk",
        "text/html;\";charset=gbk",
        "text/html ; ; charset=gbk",
        "text/html;;;;charset=gbk",
        "text/html;charset= \"gbk\"",
        "text/html;charset =gbk",
        "text/html;charset\r\n =\t(is) gbk",
        "text/html;charset=;charset=gbk",
        "text/html;charset;charset=gbk",
        "text/html;charset=gbk;charset=windows-1255",
        "text/html;x=(foo;charset=bar)gbk;charset=gbk",
        "text/html;charset=\"gbk\"windows-1255",
        "text/html;charset=\"gbk",
        "text/html;x=\"\\\"; charset=a\";charset=gbk",
        "text/html;charset=\"\\g\\b\\k\"",
        " text / html ; charset = gbk",
        "(a (nested) \\( comment) text/(;)html; (;charset=x) charset=gbk",
        "text/html;xcharset=a;charsets=b;charset=gbk",
    ] {
        assert_eq!(charset(value).as_deref(), Some("gbk"), "{value}");
    }
}

#[test]
fn values_that_are_no_label_are_given_as_they_are() {
    for (value, expected) in [
        ("a/b;charset=\"\"", ""),
        ("a/b;charset=\"\\", "\\"),
        ("a/b;charset=\"\\\" shift_jis\\\"\"", "\" shift_jis\""),
        ("a/b;charset='gbk'", "'gbk'"),
        ("a/b;charset=ISO_8859-1:1987", "ISO_8859-1:1987"),
        ("a/b;charset=\"é\\é\"", "éé"),
    ] {
        assert_eq!(charset(value).as_deref(), Some(expected), "{value}");
    }
}

#[test]
fn no_media_type_no_charset() {
    for value in [
        "",
        ";charset=gbk",
        "charset=gbk",
        "text;charset=gbk",
        "text/;charset=gbk",
        "/html;charset=gbk",
        "text html;charset=gbk",
        "te?t/html;charset=gbk",
        "text/html(;charset=gbk",
        "tèxt/html;charset=gbk",
    ] {
        assert_eq!(charset(value), None, "{value}");
    }
}

#[test]
fn nothing_is_too_long_or_too_deep() {
    for piece in ["(", ")", "\"", "\\", ";", ";charset", ";charset=", ";(", ";x=\"", "é", "(\\"] {
        let long = piece.repeat(1 << 18);
        for front in ["", "text/html", "text/html;", "text/html;charset=", "text/html;charset=\""] {
            let _ = charset(&std::format!("{front}{long}"));
        }
    }
}
