//! The charset of a web page.

use utfkit::label::charset_of_html;

fn check(cases: &[(&str, Option<&str>)]) {
    for (html, expected) in cases {
        assert_eq!(charset_of_html(html.as_bytes()), *expected, "{html}");
    }
}

#[test]
fn meta_elements() {
    check(&[
        ("<meta charset=utf-8>", Some("UTF-8")),
        ("<META CHARSET='UTF8'>", Some("UTF-8")),
        ("<meta charset=\"koi8-r\">", Some("KOI8-R")),
        ("<meta/charset=koi8-r>", Some("KOI8-R")),
        ("<meta\n\tcharset\n=\r\x0C koi8-r >", Some("KOI8-R")),
        ("<meta charset=koi8-r/>", None),
        ("<meta charset=koi8-r />", Some("KOI8-R")),
        ("<meta name=x charset=koi8-r>", Some("KOI8-R")),
        ("<meta name='charset=x' charset=koi8-r>", Some("KOI8-R")),
        ("<meta =charset=koi8-r>", None),
        ("<meta charset>", None),
        ("<meta charset=>", None),
        ("<meta charset=bogus><meta charset=koi8-r>", Some("KOI8-R")),
        ("<meta charset=bogus charset=koi8-r>", None),
        ("<metacharset=koi8-r>", None),
        ("<metax charset=koi8-r>", None),
        ("<meta>charset=koi8-r", None),
        ("a<b>c<i>d<<meta charset=koi8-r>", Some("KOI8-R")),
        // The tag is not closed.
        ("<meta charset=koi8-r", None),
        ("<meta charset='koi8-r", None),
        ("<meta charset='koi8-r'", None),
        ("<meta charset='koi8-r'>", Some("KOI8-R")),
        ("<meta charset='koi8-r'x>", Some("KOI8-R")),
    ]);
}

#[test]
fn pragmas() {
    check(&[
        ("<meta http-equiv=Content-Type content='text/html; charset=euc-kr'>", Some("EUC-KR")),
        ("<meta content='text/html; charset=euc-kr' http-equiv='content-type'>", Some("EUC-KR")),
        ("<meta content='text/html; charset=euc-kr'>", None),
        ("<meta http-equiv=refresh content='text/html; charset=euc-kr'>", None),
        ("<meta http-equiv=content-type content='text/html'>", None),
        ("<meta http-equiv=content-type content='charset charset = euc-kr;x'>", Some("EUC-KR")),
        ("<meta http-equiv=content-type content='xCHARSET=euc-kr x'>", Some("EUC-KR")),
        ("<meta http-equiv=content-type content='charset=\"euc-kr\"x'>", Some("EUC-KR")),
        ("<meta http-equiv=content-type content='charset=\"euc-kr'>", None),
        ("<meta http-equiv=content-type content='charset=bogus;charset=euc-kr'>", None),
        ("<meta http-equiv=content-type content=charset=euc-kr>", Some("EUC-KR")),
        // `charset` needs no pragma and takes precedence over `content`.
        ("<meta content='charset=euc-kr' charset=koi8-r>", Some("KOI8-R")),
        ("<meta charset=koi8-r content='charset=euc-kr'>", Some("KOI8-R")),
        ("<meta charset=koi8-r content='charset=euc-kr' http-equiv=content-type>", Some("KOI8-R")),
        ("<meta charset=bogus content='charset=euc-kr' http-equiv=content-type>", None),
        ("<meta http-equiv=x http-equiv=content-type content='charset=euc-kr'>", None),
    ]);
}

#[test]
fn what_is_passed_over() {
    check(&[
        ("<!--><meta charset=koi8-r>", Some("KOI8-R")),
        ("<!---><meta charset=koi8-r>", Some("KOI8-R")),
        ("<!-- > <meta charset=koi8-r> --><meta charset=euc-kr>", Some("EUC-KR")),
        ("<!-- <meta charset=koi8-r>", None),
        ("<!x <meta charset=koi8-r><meta charset=euc-kr>", Some("EUC-KR")),
        ("<? <meta charset=koi8-r><meta charset=euc-kr>", Some("EUC-KR")),
        ("</ <meta charset=koi8-r><meta charset=euc-kr>", Some("EUC-KR")),
        ("<a title='<meta charset=koi8-r>'><meta charset=euc-kr>", Some("EUC-KR")),
        ("</a title=\"<meta charset=koi8-r>\"><meta charset=euc-kr>", Some("EUC-KR")),
        ("<a title=<meta charset=koi8-r><meta charset=euc-kr>", Some("EUC-KR")),
        ("<a/<meta charset=koi8-r><meta charset=euc-kr>", Some("EUC-KR")),
        // The prescan does not parse scripts.
        ("<script>'<meta charset=koi8-r>'</script>", Some("KOI8-R")),
        ("</meta charset=koi8-r>", None),
        ("< meta charset=koi8-r>", None),
    ]);
}

#[test]
fn names_that_cannot_be_true() {
    check(&[
        ("<meta charset=utf-16>", Some("UTF-8")),
        ("<meta charset=utf-16be>", Some("UTF-8")),
        ("<meta charset=x-user-defined>", Some("windows-1252")),
        ("<meta charset=iso-2022-kr>", Some("replacement")),
        ("<?xml encoding='utf-16'?>", Some("UTF-8")),
        ("<?xml encoding='x-user-defined'?>", Some("x-user-defined")),
    ]);
    assert_eq!(charset_of_html(b"<\0?\0x\0"), Some("UTF-16LE"));
    assert_eq!(charset_of_html(b"\0<\0?\0x"), Some("UTF-16BE"));
    assert_eq!(charset_of_html(b"<\0?\0"), None);
}

#[test]
fn xml_declarations() {
    check(&[
        ("<?xml version='1.0' encoding='windows-1251'?><p>", Some("windows-1251")),
        ("<?xml version='1.0' encoding='windows-1251'?><meta charset=koi8-r>", Some("KOI8-R")),
        ("<?xml encoding\x01=\0\"koi8-r\">", Some("KOI8-R")),
        ("<?xml><encoding='koi8-r'", Some("KOI8-R")),
        ("<?xmlencoding='koi8-r'>", Some("KOI8-R")),
        ("<?xml encoding='koi8-r'", None),
        ("<?xml encoding=koi8-r?>", None),
        ("<?xml encoding=' koi8-r'?>", None),
        ("<?xml encoding encoding='koi8-r'?>", None),
        ("<?xml Encoding='koi8-r'?>", None),
        (" <?xml encoding='koi8-r'?>", None),
    ]);
}

#[test]
fn only_the_first_1024_bytes_count() {
    let meta = "<meta charset=koi8-r>";
    for (spaces, expected) in [(1024 - meta.len(), Some("KOI8-R")), (1025 - meta.len(), None)] {
        let html = std::format!("{}{meta}", " ".repeat(spaces));
        assert_eq!(charset_of_html(html.as_bytes()), expected);
    }
}

/// All prefixes, and random concatenations.
#[test]
fn hostile() {
    let pieces =
        ["<", "meta", "<!--", "-->", " ", "=", "'", "\"", "/", ">", "charset", "content", "<?xml", "utf-8", "\0", "é"];
    let mut state = 1_u64;
    for _ in 0..20_000 {
        let mut html = std::string::String::new();
        for _ in 0..40 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            html.push_str(pieces[(state >> 60) as usize]);
        }
        let _ = charset_of_html(html.as_bytes());
    }
    let whole = b"<?xml a?><!-- --><a b=c/d='e'><meta http-equiv=content-type content='charset=utf-8'>";
    for len in 0..whole.len() {
        assert_eq!(charset_of_html(&whole[..len]), None);
    }
    assert_eq!(charset_of_html(whole), Some("UTF-8"));
}
