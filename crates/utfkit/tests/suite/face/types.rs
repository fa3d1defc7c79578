//! Traits of the public types.

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
