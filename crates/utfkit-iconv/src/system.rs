//! The system's `iconv`: the functions that a program would call without this library.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::mem::transmute;
use std::sync::OnceLock;

use crate::learned::Answer;

/// `iconv_t`.
pub type Descriptor = *mut c_void;

/// `(iconv_t)-1`, which `iconv_open` returns for an error.
pub const FAILED: Descriptor = usize::MAX as Descriptor;

type Open = unsafe extern "C" fn(*const c_char, *const c_char) -> Descriptor;
type Convert = unsafe extern "C" fn(Descriptor, *mut *mut c_char, *mut usize, *mut *mut c_char, *mut usize) -> usize;
type Close = unsafe extern "C" fn(Descriptor) -> c_int;
type Control = unsafe extern "C" fn(Descriptor, c_int, *mut c_void) -> c_int;

/// An implementation of `iconv(3)`.
#[derive(Clone, Copy)]
pub struct System {
    /// `iconv_open`.
    pub open: Open,
    /// `iconv`.
    pub convert: Convert,
    /// `iconv_close`.
    pub close: Close,
    /// `iconvctl`, which glibc lacks.
    pub control: Option<Control>,
}

/// The functions after this library's in the order of lookup, if there are any.
pub fn system() -> Option<&'static System> {
    static SYSTEM: OnceLock<Option<System>> = OnceLock::new();
    SYSTEM.get_or_init(|| System::named([c"iconv_open", c"iconv", c"iconv_close", c"iconvctl"])).as_ref()
}

/// The functions of GNU libiconv under its own names, if it is loaded.
pub fn the_libiconv() -> Option<&'static System> {
    static LIBICONV: OnceLock<Option<System>> = OnceLock::new();
    let names = [c"libiconv_open", c"libiconv", c"libiconv_close", c"libiconvctl"];
    LIBICONV.get_or_init(|| System::named(names)).as_ref()
}

impl System {
    /// Calls `iconv` on slices.
    ///
    /// # Safety
    ///
    /// - `descriptor` was opened by these functions and is not closed.
    /// - No other thread uses it during the call.
    pub unsafe fn ask(&self, descriptor: Descriptor, src: &[u8], dst: &mut [u8]) -> Answer {
        let (mut input, mut input_left) = (src.as_ptr().cast_mut().cast::<c_char>(), src.len());
        let (mut output, mut output_left) = (dst.as_mut_ptr().cast::<c_char>(), dst.len());
        // SAFETY: the caller promises the descriptor. The pointers and lengths come from two slices, and `iconv`
        // does not write to its source.
        let returned =
            unsafe { (self.convert)(descriptor, &mut input, &mut input_left, &mut output, &mut output_left) };
        Answer {
            returned: if returned == usize::MAX { Err(errno()) } else { Ok(returned) },
            read: src.len() - input_left,
            written: dst.len() - output_left,
        }
    }

    fn named([open, convert, close, control]: [&CStr; 4]) -> Option<System> {
        let (open, convert, close) = (next(open)?, next(convert)?, next(close)?);
        Some(System {
            // SAFETY: a function of this name has the type that POSIX gives to `iconv_open`.
            open: unsafe { transmute::<*mut c_void, Open>(open) },
            // SAFETY: a function of this name has the type that POSIX gives to `iconv`.
            convert: unsafe { transmute::<*mut c_void, Convert>(convert) },
            // SAFETY: a function of this name has the type that POSIX gives to `iconv_close`.
            close: unsafe { transmute::<*mut c_void, Close>(close) },
            // SAFETY: a function of this name has the type that GNU libiconv gives to `iconvctl`.
            control: next(control).map(|control| unsafe { transmute::<*mut c_void, Control>(control) }),
        })
    }
}

/// Returns `errno`.
pub fn errno() -> c_int {
    // SAFETY: it has no preconditions.
    let place = unsafe { libc::__errno_location() };
    // SAFETY: it is this thread's `errno`: an initialised `int` that no other thread writes.
    unsafe { place.read() }
}

/// Sets `errno`.
pub fn set_errno(errno: c_int) {
    // SAFETY: it has no preconditions.
    let place = unsafe { libc::__errno_location() };
    // SAFETY: it is this thread's `errno`: an `int` that no other thread uses.
    unsafe { place.write(errno) };
}

/// Returns the address of the next function `name` in the order of lookup.
fn next(name: &CStr) -> Option<*mut c_void> {
    // SAFETY: `name` is null-terminated and lives until `dlsym` returns.
    let address = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) };
    (!address.is_null()).then_some(address)
}
