//! The system's `iconv`: the one that would have been called without this
//! library.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::mem::transmute;
use std::sync::OnceLock;

use crate::learned::Answer;

/// A conversion of the system's, `iconv_t`.
pub type Descriptor = *mut c_void;

/// The value of `iconv_open` that says that it failed, `(iconv_t)-1`.
pub const FAILED: Descriptor = usize::MAX as Descriptor;

type Open = unsafe extern "C" fn(*const c_char, *const c_char) -> Descriptor;
type Convert = unsafe extern "C" fn(Descriptor, *mut *mut c_char, *mut usize, *mut *mut c_char, *mut usize) -> usize;
type Close = unsafe extern "C" fn(Descriptor) -> c_int;
type Control = unsafe extern "C" fn(Descriptor, c_int, *mut c_void) -> c_int;

/// Its functions.
#[derive(Clone, Copy)]
pub struct System {
    /// `iconv_open`.
    pub open: Open,
    /// `iconv`.
    pub convert: Convert,
    /// `iconv_close`.
    pub close: Close,
    /// `iconvctl`, which glibc does not have.
    pub control: Option<Control>,
}

/// The functions that come after those of this library. `None` where there are
/// none.
pub fn system() -> Option<&'static System> {
    static SYSTEM: OnceLock<Option<System>> = OnceLock::new();
    SYSTEM.get_or_init(|| System::named([c"iconv_open", c"iconv", c"iconv_close", c"iconvctl"])).as_ref()
}

/// The same functions under the names that GNU libiconv has for them.
pub fn the_libiconv() -> Option<&'static System> {
    static LIBICONV: OnceLock<Option<System>> = OnceLock::new();
    let names = [c"libiconv_open", c"libiconv", c"libiconv_close", c"libiconvctl"];
    LIBICONV.get_or_init(|| System::named(names)).as_ref()
}

impl System {
    /// Converts as much of `src` as `dst` has space for.
    ///
    /// # Safety
    ///
    /// `descriptor` was opened by these functions, is not closed, and no other thread uses it.
    pub unsafe fn ask(&self, descriptor: Descriptor, src: &[u8], dst: &mut [u8]) -> Answer {
        let (mut input, mut input_left) = (src.as_ptr().cast_mut().cast::<c_char>(), src.len());
        let (mut output, mut output_left) = (dst.as_mut_ptr().cast::<c_char>(), dst.len());
        // SAFETY: the descriptor is as the caller promises; the pointers are those of two slices with their
        // lengths, and nobody writes to a source.
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
            // SAFETY: the next `iconv_open` is that of POSIX, whose type this is.
            open: unsafe { transmute::<*mut c_void, Open>(open) },
            // SAFETY: the next `iconv` is that of POSIX, whose type this is.
            convert: unsafe { transmute::<*mut c_void, Convert>(convert) },
            // SAFETY: the next `iconv_close` is that of POSIX, whose type this is.
            close: unsafe { transmute::<*mut c_void, Close>(close) },
            // SAFETY: an `iconvctl` that is there is that of libiconv, whose type this is.
            control: next(control).map(|control| unsafe { transmute::<*mut c_void, Control>(control) }),
        })
    }
}

/// What `errno` is.
pub fn errno() -> c_int {
    // SAFETY: it is the address of this thread's `errno`, which is always there.
    let place = unsafe { libc::__errno_location() };
    // SAFETY: the address is valid and aligned for an `int`, and no other thread writes to it.
    unsafe { place.read() }
}

/// The address of the function `name` in the libraries after this one.
fn next(name: &CStr) -> Option<*mut c_void> {
    // SAFETY: `name` ends with a null, and `dlsym` keeps no pointer to it.
    let address = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) };
    (!address.is_null()).then_some(address)
}
