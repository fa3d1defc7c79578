//! The interface to the virtual machine (JNI), in one place.
//!
//! A call that would fail on a wrong argument checks it here or lets the virtual machine check it: the `Get` and
//! `Set` functions for regions of arrays throw an exception for a region outside of the array.

use std::ffi::{CStr, CString};
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};

use jni_sys::{JNIEnv, jarray, jboolean, jbyte, jbyteArray, jchar, jcharArray, jint, jintArray, jlong, jsize, jstring};

/// The environment of a thread, during a call from Java.
#[derive(Clone, Copy)]
pub(crate) struct Env<'a> {
    raw: *mut JNIEnv,
    call: PhantomData<&'a ()>,
}

/// The reason why a method ends without a result.
pub(crate) enum Thrown {
    /// The virtual machine has an exception already.
    Pending,
    /// An exception of this class (`java/lang/Name`).
    New(&'static CStr, String),
}

impl Thrown {
    pub(crate) fn illegal_argument(message: impl Into<String>) -> Thrown {
        Thrown::New(c"java/lang/IllegalArgumentException", message.into())
    }

    /// A result that no array of Java holds, or that memory does not.
    pub(crate) fn out_of_memory(message: impl Into<String>) -> Thrown {
        Thrown::New(c"java/lang/OutOfMemoryError", message.into())
    }
}

/// A reference to an array of Java, not null.
macro_rules! array {
    ($(#[$doc:meta])* $name:ident, $raw:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $name<'a> {
            raw: $raw,
            call: PhantomData<&'a ()>,
        }
    };
}

array!(
    /// A `byte[]`.
    Bytes,
    jbyteArray
);
array!(
    /// A `char[]`.
    Chars,
    jcharArray
);
array!(
    /// An `int[]`.
    Ints,
    jintArray
);

/// The most bytes that one call of the virtual machine copies: it cannot stop the thread meanwhile.
const PIECE: usize = 1 << 20;

/// Calls a function of the JNI that version 1.2 has.
macro_rules! call {
    ($env:expr, $name:ident $(, $argument:expr)*) => {{
        let raw = $env.raw;
        // SAFETY: `raw` is the pointer that the virtual machine passed to this call, which points to its table.
        let table = unsafe { *raw };
        // SAFETY: the table lives as long as the virtual machine, and every one has the functions of version 1.2.
        let function = unsafe { (*table).v1_2.$name };
        // SAFETY: the environment is that of this thread. References to arrays are live local references of the type
        // that the function asks for (`Argument::of`). Pointers are those of slices, of at least the length given.
        unsafe { function(raw $(, $argument)*) }
    }};
}

/// A length as Java has it.
fn int(len: usize) -> Result<jsize, Thrown> {
    jsize::try_from(len).map_err(|_| Thrown::out_of_memory(format!("an array of Java does not hold {len} elements")))
}

impl<'a> Env<'a> {
    /// Ends with the exception that the last call left, if it did.
    fn checked(self) -> Result<(), Thrown> {
        if call!(self, ExceptionCheck) { Err(Thrown::Pending) } else { Ok(()) }
    }

    fn length(self, array: jarray) -> usize {
        usize::try_from(call!(self, GetArrayLength, array)).unwrap_or(0)
    }

    /// The number of bytes of an array.
    pub(crate) fn len(self, array: Bytes<'a>) -> usize {
        self.length(array.raw)
    }

    /// Copies bytes from `start` on.
    pub(crate) fn read(self, array: Bytes<'a>, start: usize, into: &mut [u8]) -> Result<(), Thrown> {
        for (number, piece) in into.chunks_mut(PIECE).enumerate() {
            let (start, len) = (int(start + number * PIECE)?, int(piece.len())?);
            call!(self, GetByteArrayRegion, array.raw, start, len, piece.as_mut_ptr().cast::<jbyte>());
            self.checked()?;
        }
        Ok(())
    }

    /// Copies units from `start` on.
    pub(crate) fn read_chars(self, array: Chars<'a>, start: usize, into: &mut [u16]) -> Result<(), Thrown> {
        for (number, piece) in into.chunks_mut(PIECE).enumerate() {
            let (start, len) = (int(start + number * PIECE)?, int(piece.len())?);
            call!(self, GetCharArrayRegion, array.raw, start, len, piece.as_mut_ptr().cast::<jchar>());
            self.checked()?;
        }
        Ok(())
    }

    /// Copies bytes to `start`.
    pub(crate) fn write(self, array: Bytes<'a>, start: usize, from: &[u8]) -> Result<(), Thrown> {
        for (number, piece) in from.chunks(PIECE).enumerate() {
            let (start, len) = (int(start + number * PIECE)?, int(piece.len())?);
            call!(self, SetByteArrayRegion, array.raw, start, len, piece.as_ptr().cast::<jbyte>());
            self.checked()?;
        }
        Ok(())
    }

    /// Copies units to `start`.
    pub(crate) fn write_chars(self, array: Chars<'a>, start: usize, from: &[u16]) -> Result<(), Thrown> {
        for (number, piece) in from.chunks(PIECE).enumerate() {
            let (start, len) = (int(start + number * PIECE)?, int(piece.len())?);
            call!(self, SetCharArrayRegion, array.raw, start, len, piece.as_ptr().cast::<jchar>());
            self.checked()?;
        }
        Ok(())
    }

    /// Copies numbers to the front of an array.
    pub(crate) fn write_ints(self, array: Ints<'a>, from: &[jint]) -> Result<(), Thrown> {
        call!(self, SetIntArrayRegion, array.raw, 0, int(from.len())?, from.as_ptr());
        self.checked()
    }

    /// A new `byte[]`.
    pub(crate) fn bytes(self, from: &[u8]) -> Result<Option<Bytes<'a>>, Thrown> {
        let raw = call!(self, NewByteArray, int(from.len())?);
        if raw.is_null() {
            return Err(Thrown::Pending);
        }
        let array = Bytes { raw, call: PhantomData };
        self.write(array, 0, from)?;
        Ok(Some(array))
    }

    /// A new `String`.
    pub(crate) fn string(self, units: &[u16]) -> Result<Str<'a>, Thrown> {
        let raw = call!(self, NewString, units.as_ptr().cast::<jchar>(), int(units.len())?);
        if raw.is_null() { Err(Thrown::Pending) } else { Ok(Str { raw, call: PhantomData }) }
    }

    /// Throws an exception, unless there is one already.
    fn throw(self, thrown: Thrown) {
        let Thrown::New(class, message) = thrown else { return };
        // JNI has its own form of UTF-8, which US-ASCII is not different in.
        let message = CString::new(message.escape_debug().to_string()).unwrap_or_default();
        let class = call!(self, FindClass, class.as_ptr());
        // There is an exception if there is no class.
        if !class.is_null() {
            call!(self, ThrowNew, class, message.as_ptr());
        }
    }
}

/// A reference to a new `String`.
pub(crate) struct Str<'a> {
    raw: jstring,
    call: PhantomData<&'a ()>,
}

/// An argument of a native method.
pub(crate) trait Argument: Sized {
    type Raw;

    /// # Safety
    ///
    /// `raw` is an argument of the call that `env` belongs to, of the type that the method declares in Java.
    unsafe fn of(raw: Self::Raw) -> Result<Self, Thrown>;
}

macro_rules! argument {
    ($name:ident, $raw:ty) => {
        impl Argument for $name<'_> {
            type Raw = $raw;

            unsafe fn of(raw: $raw) -> Result<Self, Thrown> {
                if raw.is_null() {
                    return Err(Thrown::New(c"java/lang/NullPointerException", "an array is null".to_owned()));
                }
                Ok($name { raw, call: PhantomData })
            }
        }
    };
}

argument!(Bytes, jbyteArray);
argument!(Chars, jcharArray);
argument!(Ints, jintArray);

impl Argument for i32 {
    type Raw = jint;

    unsafe fn of(raw: jint) -> Result<i32, Thrown> {
        Ok(raw)
    }
}

impl Argument for i64 {
    type Raw = jlong;

    unsafe fn of(raw: jlong) -> Result<i64, Thrown> {
        Ok(raw)
    }
}

impl Argument for bool {
    type Raw = jboolean;

    unsafe fn of(raw: jboolean) -> Result<bool, Thrown> {
        Ok(raw)
    }
}

/// A result of a native method.
pub(crate) trait Returned {
    type Raw;
    /// The value with an exception, which Java does not see.
    const NOTHING: Self::Raw;

    fn raw(self) -> Self::Raw;
}

/// Null or a `byte[]`.
impl Returned for Option<Bytes<'_>> {
    type Raw = jbyteArray;
    const NOTHING: jbyteArray = std::ptr::null_mut();

    fn raw(self) -> jbyteArray {
        self.map_or(Self::NOTHING, |array| array.raw)
    }
}

impl Returned for Str<'_> {
    type Raw = jstring;
    const NOTHING: jstring = std::ptr::null_mut();

    fn raw(self) -> jstring {
        self.raw
    }
}

impl Returned for bool {
    type Raw = jboolean;
    const NOTHING: jboolean = false;

    fn raw(self) -> jboolean {
        self
    }
}

impl Returned for i32 {
    type Raw = jint;
    const NOTHING: jint = 0;

    fn raw(self) -> jint {
        self
    }
}

impl Returned for i64 {
    type Raw = jlong;
    const NOTHING: jlong = 0;

    fn raw(self) -> jlong {
        self
    }
}

impl Returned for () {
    type Raw = ();
    const NOTHING: () = ();

    fn raw(self) {}
}

/// Runs a native method. Errors and panics become exceptions.
///
/// # Safety
///
/// `raw` is the environment that the virtual machine passed to this call.
pub(crate) unsafe fn enter<'a, R: Returned>(
    raw: *mut JNIEnv,
    method: impl FnOnce(Env<'a>) -> Result<R, Thrown>,
) -> R::Raw {
    let env = Env { raw, call: PhantomData };
    // Nothing uses state that a panic left behind: handles are locked, and a poisoned lock is refused.
    let thrown = match catch_unwind(AssertUnwindSafe(|| method(env))) {
        Ok(Ok(made)) => return made.raw(),
        Ok(Err(thrown)) => thrown,
        Err(_) => Thrown::New(c"java/lang/IllegalStateException", "a bug in utfkit: see standard error".to_owned()),
    };
    env.throw(thrown);
    R::NOTHING
}
