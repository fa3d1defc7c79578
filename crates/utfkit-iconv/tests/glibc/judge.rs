//! Calls of both implementations.

use std::collections::BTreeMap;
use std::ffi::{CString, c_char, c_int, c_void};
use std::process::Command;
use std::sync::OnceLock;

use utfkit_iconv::boundary;
use utfkit_iconv::charset::{Charset, charset};

type Descriptor = *mut c_void;
type Open = unsafe extern "C" fn(*const c_char, *const c_char) -> Descriptor;
type Convert = unsafe extern "C" fn(Descriptor, *mut *mut c_char, *mut usize, *mut *mut c_char, *mut usize) -> usize;
type Close = unsafe extern "C" fn(Descriptor) -> c_int;

/// An implementation of `iconv(3)`.
#[derive(Clone, Copy)]
pub(crate) struct Iconv {
    open: Open,
    convert: Convert,
    close: Close,
}

/// This library's `iconv`.
pub(crate) const OURS: Iconv =
    Iconv { open: boundary::iconv_open, convert: boundary::iconv, close: boundary::iconv_close };

/// glibc's `iconv`, looked up in its library, since the names in this program are those of utfkit.
pub(crate) fn glibc() -> Iconv {
    static GLIBC: OnceLock<Iconv> = OnceLock::new();
    *GLIBC.get_or_init(find_glibc)
}

fn find_glibc() -> Iconv {
    // SAFETY: the C library is loaded already, so nothing is initialised.
    let libc = unsafe { libc::dlopen(c"libc.so.6".as_ptr(), libc::RTLD_NOW) };
    assert!(!libc.is_null());
    let find = |name: &std::ffi::CStr| {
        // SAFETY: `dlopen` has returned the handle, and the name is null-terminated.
        let address = unsafe { libc::dlsym(libc, name.as_ptr()) };
        assert!(!address.is_null());
        address
    };
    Iconv {
        // SAFETY: a function of this name has the type that POSIX gives it.
        open: unsafe { std::mem::transmute::<*mut c_void, Open>(find(c"iconv_open")) },
        // SAFETY: a function of this name has the type that POSIX gives it.
        convert: unsafe { std::mem::transmute::<*mut c_void, Convert>(find(c"iconv")) },
        // SAFETY: a function of this name has the type that POSIX gives it.
        close: unsafe { std::mem::transmute::<*mut c_void, Close>(find(c"iconv_close")) },
    }
}

/// The result of a call: the value returned, `errno` if that is -1, bytes read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Called {
    pub(crate) returned: isize,
    pub(crate) errno: i32,
    pub(crate) read: usize,
    pub(crate) written: usize,
}

/// An open conversion.
pub(crate) struct Conversion(Iconv, Descriptor);

impl Iconv {
    /// Opens a conversion; `None` for an unknown pair.
    pub(crate) fn open(self, from: &str, to: &str) -> Option<Conversion> {
        let (from, to) = (CString::new(from).unwrap(), CString::new(to).unwrap());
        // SAFETY: both are null-terminated.
        let descriptor = unsafe { (self.open)(to.as_ptr(), from.as_ptr()) };
        (descriptor as isize != -1).then(|| Conversion(self, descriptor))
    }
}

impl Conversion {
    pub(crate) fn convert(&mut self, src: &[u8], dst: &mut [u8]) -> Called {
        let (mut input, mut input_left) = (src.as_ptr().cast_mut().cast::<c_char>(), src.len());
        let (mut output, mut output_left) = (dst.as_mut_ptr().cast::<c_char>(), dst.len());
        // SAFETY: the conversion is open; the pointers and lengths come from two slices, and the source is not written.
        let returned =
            unsafe { (self.0.convert)(self.1, &mut input, &mut input_left, &mut output, &mut output_left) } as isize;
        let errno = if returned == -1 { std::io::Error::last_os_error().raw_os_error().unwrap() } else { 0 };
        let (read, written) = (src.len() - input_left, dst.len() - output_left);
        assert_eq!(input.cast_const().cast(), src[read..].as_ptr());
        assert_eq!(output.cast_const().cast(), dst[written..].as_ptr());
        Called { returned, errno, read, written }
    }

    /// Calls `iconv` without a source, and perhaps without a target.
    pub(crate) fn reset(&mut self, dst: Option<&mut [u8]>) -> Called {
        use std::ptr::null_mut;
        let Some(dst) = dst else {
            // SAFETY: the conversion is open, and POSIX allows null for all four.
            let returned = unsafe { (self.0.convert)(self.1, null_mut(), null_mut(), null_mut(), null_mut()) } as isize;
            return Called { returned, errno: 0, read: 0, written: 0 };
        };
        let (mut output, mut output_left) = (dst.as_mut_ptr().cast::<c_char>(), dst.len());
        // SAFETY: the conversion is open; POSIX allows null for the source, and the target is a slice.
        let returned =
            unsafe { (self.0.convert)(self.1, null_mut(), null_mut(), &mut output, &mut output_left) } as isize;
        let errno = if returned == -1 { std::io::Error::last_os_error().raw_os_error().unwrap() } else { 0 };
        Called { returned, errno, read: 0, written: dst.len() - output_left }
    }
}

impl Drop for Conversion {
    fn drop(&mut self) {
        // SAFETY: the conversion is open, and is not used again.
        assert_eq!(unsafe { (self.0.close)(self.1) }, 0);
    }
}

/// Returns all names of glibc.
pub(crate) fn glibc_names() -> Vec<String> {
    let Ok(listed) = Command::new("iconv").arg("-l").output() else {
        println!("left out: there is no program iconv, whose -l lists glibc's names");
        return Vec::new();
    };
    // Into a pipe, it writes one name per line, followed by two slashes.
    let listed = String::from_utf8(listed.stdout).unwrap();
    let mut names: Vec<String> = listed.lines().map(|name| name.trim_end_matches('/').to_owned()).collect();
    names.extend(["WCHAR_T", "INTERNAL"].map(str::to_owned));
    names.sort();
    names.dedup();
    names
}

/// A name and its meaning.
type Named = (String, Charset);

/// Returns the names of glibc that utfkit converts, and one name for each meaning.
pub(crate) fn shared_names() -> (Vec<Named>, Vec<Named>) {
    let all: Vec<Named> =
        glibc_names().into_iter().filter_map(|name| charset(name.as_bytes()).map(|charset| (name, charset))).collect();
    let mut first = BTreeMap::new();
    for (name, charset) in &all {
        first.entry(format!("{charset:?}")).or_insert_with(|| (name.clone(), *charset));
    }
    (all, first.into_values().collect())
}
