//! What the types promise.

#[cfg(feature = "std")]
#[test]
fn errors_go_where_those_of_io_go() {
    use std::error::Error as _;
    use std::io;
    use utfkit::ErrorKind;

    fn read() -> io::Result<()> {
        utfkit::from_utf8(b"ab\xFF")?;
        Ok(())
    }
    let e = read().unwrap_err();
    assert_eq!(e.kind(), io::ErrorKind::InvalidData);
    let inner = e.get_ref().and_then(|inner| inner.downcast_ref::<utfkit::Error>()).expect("it holds ours");
    assert_eq!((inner.offset(), inner.kind()), (2, ErrorKind::InvalidByte));
    assert!(inner.source().is_none());
    let e: io::Error = utfkit::utf8_to_utf16(b"ab", &mut [0]).unwrap_err().into();
    assert_eq!(e.kind(), io::ErrorKind::WriteZero);
}

#[test]
#[allow(deprecated)]
fn old_names_are_the_new_functions() {
    let text = "aé🎉".as_bytes();
    assert_eq!(utfkit::utf8_to_utf16_to_vec(text), utfkit::owned::utf8_to_utf16(text));
    assert_eq!(utfkit::utf8_to_utf16_lossy_to_vec(b"a\xFF"), [0x61, 0xFFFD]);
    assert_eq!(utfkit::latin1_to_utf8_to_vec(b"\xE9"), "é".as_bytes());
}
