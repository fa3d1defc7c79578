//! The functions that C calls.
//!
//! `iconv_open` allocates some bytes, `iconv` nothing. Two threads may convert at the same time, each with its
//! own conversion, as in POSIX. They share only the tables of [`learned`](crate::learned), which are atomic.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr;
use core::slice;

use crate::charset::{Charset, charset};
use crate::conversion::{Conversion, End, Step};
use crate::count;
use crate::handle::{Kind, Owner, create, owner, release};
use crate::learned::{Answer, Learned};
use crate::system::{Descriptor, FAILED, System, errno, set_errno, system, the_libiconv};

/// Sets `errno` and returns `value`.
fn fail<T>(errno: c_int, value: T) -> T {
    set_errno(errno);
    value
}

/// `iconv_open(3)`: opens a conversion, here or by the system's function.
///
/// # Errors
///
/// `(iconv_t)-1`, and `errno` is `EINVAL` for an unknown pair or a null name, `ENOMEM` if memory is exhausted.
///
/// # Safety
///
/// - `to` is null or points to a null-terminated string.
/// - `from` is null or points to a null-terminated string.
/// - Nothing writes to the strings during the call.
/// - If one is empty, no other thread changes the locale during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iconv_open(to: *const c_char, from: *const c_char) -> Descriptor {
    // SAFETY: the caller promises it.
    unsafe { open(to, from, system()) }
}

/// `iconv_open` of GNU libiconv: opens a conversion, here or by that library, or else by the system's function.
///
/// # Errors
///
/// The errors of [`iconv_open`].
///
/// # Safety
///
/// - `to` is null or points to a null-terminated string.
/// - `from` is null or points to a null-terminated string.
/// - Nothing writes to the strings during the call.
/// - If one is empty, no other thread changes the locale during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn libiconv_open(to: *const c_char, from: *const c_char) -> Descriptor {
    // SAFETY: the caller promises it.
    unsafe { open(to, from, the_libiconv().or_else(system)) }
}

/// # Safety
///
/// The preconditions of [`iconv_open`].
unsafe fn open(to: *const c_char, from: *const c_char, others: Option<&'static System>) -> Descriptor {
    if to.is_null() || from.is_null() {
        return fail(libc::EINVAL, FAILED);
    }
    // SAFETY: it is not null, and the caller promises a null-terminated string that does not change.
    let to_name = unsafe { CStr::from_ptr(to) };
    // SAFETY: it is not null, and the caller promises a null-terminated string that does not change.
    let from_name = unsafe { CStr::from_ptr(from) };
    // glibc has no conversion of its internal form into itself.
    let ours = named(to_name).zip(named(from_name)).filter(|(to, from)| !(to.is_internal && from.is_internal));
    count::opened(ours.is_some());
    let kind = match (ours, others) {
        (Some((to, from)), _) => Kind::Ours(Conversion::new(from, to), from == to),
        (None, Some(others)) => {
            // SAFETY: the caller promises for both names what `iconv_open` asks for.
            let descriptor = unsafe { (others.open)(to, from) };
            if descriptor == FAILED {
                return FAILED;
            }
            // SAFETY: these functions have opened the descriptor above, and no other thread has it.
            let ask = |src: &[u8], dst: &mut [u8]| unsafe { others.ask(descriptor, src, dst) };
            let is_the_systems = system().is_some_and(|system| ptr::eq(system, others));
            match Learned::new(from_name.to_bytes(), to_name.to_bytes(), ask) {
                Some(learned) if is_the_systems => Kind::Learned(others, descriptor, learned),
                _ => Kind::System(others, descriptor),
            }
        }
        (None, None) => return fail(libc::EINVAL, FAILED),
    };
    let Some(descriptor) = create(kind) else {
        if let Kind::System(others, descriptor) | Kind::Learned(others, descriptor, _) = kind {
            // SAFETY: these functions have opened it above, and nothing else has it.
            unsafe { (others.close)(descriptor) };
        }
        return fail(libc::ENOMEM, FAILED);
    };
    descriptor
}

/// Returns the encoding called `name`; the empty name is that of the locale.
fn named(name: &CStr) -> Option<Charset> {
    if !name.is_empty() {
        return charset(name.to_bytes());
    }
    // SAFETY: `CODESET` is an item of `nl_langinfo`.
    let codeset = unsafe { libc::nl_langinfo(libc::CODESET) };
    if codeset.is_null() {
        return None;
    }
    // SAFETY: it is not null, `nl_langinfo` returns a null-terminated string, and it stays until the locale changes.
    charset(unsafe { CStr::from_ptr(codeset) }.to_bytes())
}

/// `iconv(3)`: converts the `*inleft` bytes at `*inbuf`, as far as they fit into the `*outleft` bytes at `*outbuf`,
/// and advances all four. If `inbuf` or `*inbuf` is null, resets the conversion to its initial state.
///
/// Returns the number of irreversible conversions, which is 0 for a conversion of this library.
///
/// # Errors
///
/// `(size_t)-1`, and `errno` is `E2BIG` before a character that does not fit, `EILSEQ` before an ill-formed
/// sequence or a character that the target lacks, `EINVAL` before an incomplete character at the end of the source,
/// `EBADF` if `cd` is null or -1, `EFAULT` if another pointer is null that must not be.
///
/// # Safety
///
/// - `cd` is null, -1, or comes from an `iconv_open` and is not closed.
/// - No other thread uses it during the call.
/// - Each other pointer is null, or aligned and points to an initialised value that can be read and written.
/// - Nothing else uses those four values during the call.
/// - `*inbuf` is null or points to `*inleft` bytes that can be read.
/// - `*outbuf` is null or points to `*outleft` bytes that can be written. If `*outleft` exceeds `isize::MAX` or the
///   address space after `*outbuf`, the bytes of the result are enough.
/// - Nothing else reads or writes those bytes during the call. They may overlap with the source.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iconv(
    cd: Descriptor,
    inbuf: *mut *mut c_char,
    inleft: *mut usize,
    outbuf: *mut *mut c_char,
    outleft: *mut usize,
) -> usize {
    // SAFETY: the caller promises it.
    match unsafe { owner(cd) } {
        Owner::Nobody => fail(libc::EBADF, usize::MAX),
        Owner::System => match system() {
            // SAFETY: the system's `iconv_open` has opened it, and the caller promises the rest.
            Some(system) => unsafe { (system.convert)(cd, inbuf, inleft, outbuf, outleft) },
            None => fail(libc::EBADF, usize::MAX),
        },
        Owner::Ours(handle) => {
            // SAFETY: the caller promises it.
            let arguments = unsafe { Arguments::new(inbuf, inleft, outbuf, outleft) };
            match (&mut handle.kind, arguments) {
                (Kind::Ours(conversion, _), arguments) => {
                    // SAFETY: the caller promises it.
                    unsafe { convert(conversion, arguments) }
                }
                (Kind::Learned(system, descriptor, learned), Arguments::Buffers(buffers)) if buffers.are_slices() => {
                    // SAFETY: the system's functions have opened it, and the caller promises that no thread uses it.
                    let ask = |src: &[u8], dst: &mut [u8]| unsafe { system.ask(*descriptor, src, dst) };
                    // SAFETY: the caller promises it.
                    unsafe { convert_learned(*learned, buffers, ask) }
                }
                (Kind::System(system, descriptor) | Kind::Learned(system, descriptor, _), _) => {
                    count::passed_on();
                    // SAFETY: these functions have opened it, and the caller promises the rest.
                    unsafe { (system.convert)(*descriptor, inbuf, inleft, outbuf, outleft) }
                }
            }
        }
    }
}

/// `iconv` of GNU libiconv.
///
/// # Errors
///
/// The errors of [`iconv`].
///
/// # Safety
///
/// The preconditions of [`iconv`], each of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn libiconv(
    cd: Descriptor,
    inbuf: *mut *mut c_char,
    inleft: *mut usize,
    outbuf: *mut *mut c_char,
    outleft: *mut usize,
) -> usize {
    // SAFETY: the caller promises it.
    unsafe { iconv(cd, inbuf, inleft, outbuf, outleft) }
}

/// # Safety
///
/// `arguments` come from a call of [`iconv`], whose preconditions hold.
unsafe fn convert(conversion: &mut Conversion, arguments: Arguments) -> usize {
    let buffers = match arguments {
        Arguments::Reset => {
            conversion.reset();
            return 0;
        }
        Arguments::Fault => return fail(libc::EFAULT, usize::MAX),
        Arguments::Buffers(buffers) => buffers,
    };
    let step = if buffers.are_slices() {
        // SAFETY: the caller promises it, and they are slices.
        let (src, dst) = unsafe { buffers.slices() };
        conversion.convert(src, dst)
    } else {
        // SAFETY: the caller promises it.
        unsafe { convert_on_stack(conversion, &buffers) }
    };
    count::converted(step.read);
    // SAFETY: the caller promises it.
    unsafe { buffers.advance(step.read, step.written) };
    match step.end {
        End::Done => 0,
        End::Full => fail(libc::E2BIG, usize::MAX),
        End::IllFormed => fail(libc::EILSEQ, usize::MAX),
        End::Incomplete => fail(libc::EINVAL, usize::MAX),
    }
}

/// # Safety
///
/// - `buffers` come from a call of [`iconv`], whose preconditions hold.
/// - They are [slices](Buffers::are_slices).
unsafe fn convert_learned(learned: Learned, buffers: Buffers, ask: impl FnMut(&[u8], &mut [u8]) -> Answer) -> usize {
    let before = errno();
    // SAFETY: the caller promises it.
    let (src, dst) = unsafe { buffers.slices() };
    let answer = learned.convert(src, dst, ask);
    count::converted(answer.read);
    // SAFETY: the caller promises it.
    unsafe { buffers.advance(answer.read, answer.written) };
    match answer.returned {
        // Asking changes `errno`, and some programs look at that alone.
        Ok(count) => fail(before, count),
        Err(errno) => fail(errno, usize::MAX),
    }
}

/// The arguments of a call of [`iconv`].
enum Arguments {
    /// There is no source: the conversion returns to its initial state.
    Reset,
    /// A pointer is null that must not be.
    Fault,
    Buffers(Buffers),
}

/// The source and the target of a call. The four pointers are not null.
struct Buffers {
    inbuf: *mut *mut c_char,
    inleft: *mut usize,
    outbuf: *mut *mut c_char,
    outleft: *mut usize,
    source: *mut c_char,
    source_len: usize,
    target: *mut c_char,
    target_len: usize,
}

impl Arguments {
    /// # Safety
    ///
    /// The preconditions of [`iconv`].
    unsafe fn new(
        inbuf: *mut *mut c_char,
        inleft: *mut usize,
        outbuf: *mut *mut c_char,
        outleft: *mut usize,
    ) -> Arguments {
        // SAFETY: the caller promises that it is null or points to an initialised pointer.
        let source = unsafe { inbuf.as_ref() }.map_or(ptr::null_mut(), |source| *source);
        if source.is_null() {
            return Arguments::Reset;
        }
        // SAFETY: the caller promises that it is null or points to an initialised count.
        let source_len = unsafe { inleft.as_ref() }.copied();
        // SAFETY: the caller promises that it is null or points to an initialised pointer.
        let target = unsafe { outbuf.as_ref() }.copied().filter(|target| !target.is_null());
        // SAFETY: the caller promises that it is null or points to an initialised count.
        let target_len = unsafe { outleft.as_ref() }.copied();
        let (Some(source_len), Some(target), Some(target_len)) = (source_len, target, target_len) else {
            return Arguments::Fault;
        };
        Arguments::Buffers(Buffers { inbuf, inleft, outbuf, outleft, source, source_len, target, target_len })
    }
}

impl Buffers {
    /// True if both can be slices: they share no byte, and neither length is a number beyond memory, by which some
    /// programs say that the target has no limit.
    fn are_slices(&self) -> bool {
        let end = |start: *mut c_char, len: usize| start.addr().checked_add(len).filter(|_| len <= isize::MAX as usize);
        let ends = end(self.source, self.source_len).zip(end(self.target, self.target_len));
        ends.is_some_and(|(source, target)| self.source.addr() >= target || self.target.addr() >= source)
    }

    /// # Safety
    ///
    /// - The buffers come from a call of [`iconv`], whose preconditions hold for `'a`.
    /// - They are [slices](Buffers::are_slices).
    unsafe fn slices<'a>(&self) -> (&'a [u8], &'a mut [u8]) {
        // SAFETY: it is not null; the caller of `iconv` promises `source_len` bytes that can be read, and they do not
        // overlap with the target, so nothing writes to them.
        let src = unsafe { slice::from_raw_parts(self.source.cast::<u8>(), self.source_len) };
        // SAFETY: it is not null and not longer than `isize::MAX`; the caller of `iconv` promises `target_len` bytes that
        // can be written and that nothing else uses. This library is object code to its callers, so every byte of theirs
        // has a value, written or not.
        let dst = unsafe { slice::from_raw_parts_mut(self.target.cast::<u8>(), self.target_len) };
        (src, dst)
    }

    /// Advances the caller's pointers and counts.
    ///
    /// # Safety
    ///
    /// - The buffers come from a call of [`iconv`], whose preconditions hold.
    /// - `read` is at most the length of the source, `written` at most that of the target.
    unsafe fn advance(&self, read: usize, written: usize) {
        // SAFETY: it is not null, and the caller of `iconv` promises that it can be written.
        unsafe { self.inbuf.write(self.source.wrapping_add(read)) };
        // SAFETY: it is not null, and the caller of `iconv` promises that it can be written.
        unsafe { self.inleft.write(self.source_len - read) };
        // SAFETY: it is not null, and the caller of `iconv` promises that it can be written.
        unsafe { self.outbuf.write(self.target.wrapping_add(written)) };
        // SAFETY: it is not null, and the caller of `iconv` promises that it can be written.
        unsafe { self.outleft.write(self.target_len - written) };
    }
}

/// Converts through buffers on the stack, a piece at a time. Where source and target overlap, this is right as long
/// as the result is not longer than the source read so far.
///
/// # Safety
///
/// `buffers` come from a call of [`iconv`], whose preconditions hold.
unsafe fn convert_on_stack(conversion: &mut Conversion, buffers: &Buffers) -> Step {
    let (source, target) = (buffers.source.cast::<u8>(), buffers.target.cast::<u8>());
    let (mut piece, mut made) = ([0; 256], [0; 2048]);
    let mut done = Step { read: 0, written: 0, end: End::Done };
    loop {
        let len = (buffers.source_len - done.read).min(piece.len());
        // SAFETY: the source has `len` bytes after the `read` ones, and the array is not shorter and our own.
        unsafe { ptr::copy_nonoverlapping(source.wrapping_add(done.read), piece.as_mut_ptr(), len) };
        let space = (buffers.target_len - done.written).min(made.len());
        let step = conversion.convert(&piece[..len], &mut made[..space]);
        // SAFETY: the caller promises the bytes of the result, and the array is not shorter and our own.
        unsafe { ptr::copy_nonoverlapping(made.as_ptr(), target.wrapping_add(done.written), step.written) };
        done = Step { read: done.read + step.read, written: done.written + step.written, end: step.end };
        let has_more = done.read < buffers.source_len && len == piece.len() && step.read > 0;
        if !(has_more && matches!(step.end, End::Done | End::Incomplete)) {
            return done;
        }
    }
}

/// `iconv_close(3)`.
///
/// # Errors
///
/// -1, and `errno` is `EBADF` if `cd` is null or -1.
///
/// # Safety
///
/// - `cd` is null, -1, or comes from an `iconv_open` and is not closed.
/// - No other thread uses it during the call, and it is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iconv_close(cd: Descriptor) -> c_int {
    // SAFETY: the caller promises it.
    let kind = match unsafe { owner(cd) } {
        Owner::Nobody => return fail(libc::EBADF, -1),
        Owner::System => {
            return match system() {
                // SAFETY: the system's `iconv_open` has opened it, and the caller promises that it is not used again.
                Some(system) => unsafe { (system.close)(cd) },
                None => fail(libc::EBADF, -1),
            };
        }
        Owner::Ours(handle) => handle.kind,
    };
    // SAFETY: it is ours, and the caller promises that it is not used again.
    unsafe { release(cd) };
    match kind {
        Kind::Ours(..) => 0,
        Kind::System(system, descriptor) | Kind::Learned(system, descriptor, _) => {
            // SAFETY: these functions have opened it, and nothing else has it.
            unsafe { (system.close)(descriptor) }
        }
    }
}

/// `iconv_close` of GNU libiconv.
///
/// # Errors
///
/// The errors of [`iconv_close`].
///
/// # Safety
///
/// - `cd` is null, -1, or comes from an `iconv_open` and is not closed.
/// - No other thread uses it during the call, and it is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn libiconv_close(cd: Descriptor) -> c_int {
    // SAFETY: the caller promises it.
    unsafe { iconv_close(cd) }
}

/// Requests of `iconvctl`, with libiconv's numbers.
const TRIVIALP: c_int = 0;
const GET_TRANSLITERATE: c_int = 1;
const SET_TRANSLITERATE: c_int = 2;
const GET_DISCARD_ILSEQ: c_int = 3;
const SET_DISCARD_ILSEQ: c_int = 4;

/// `iconvctl(3)` of GNU libiconv. A conversion of this library never transliterates or discards.
///
/// # Errors
///
/// -1, and `errno` is `EBADF` if `cd` is null or -1, `EFAULT` if `argument` is null, `EINVAL` for any other request.
///
/// # Safety
///
/// - `cd` is null, -1, or comes from an `iconv_open` and is not closed.
/// - No other thread uses it during the call.
/// - `argument` is null, or points to an aligned object of the type that the request takes, an initialised `int`
///   in those that are answered here.
/// - Nothing else uses that object during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iconvctl(cd: Descriptor, request: c_int, argument: *mut c_void) -> c_int {
    // SAFETY: the caller promises it.
    let same = match unsafe { owner(cd) } {
        Owner::Nobody => return fail(libc::EBADF, -1),
        Owner::System => return fail(libc::EINVAL, -1),
        Owner::Ours(handle) => match handle.kind {
            Kind::Ours(_, same) => same,
            Kind::System(system, descriptor) | Kind::Learned(system, descriptor, _) => {
                return match system.control {
                    // SAFETY: its library has opened the descriptor, and the caller promises the rest.
                    Some(iconvctl) => unsafe { iconvctl(descriptor, request, argument) },
                    None => fail(libc::EINVAL, -1),
                };
            }
        },
    };
    let argument = argument.cast::<c_int>();
    if argument.is_null() {
        return fail(libc::EFAULT, -1);
    }
    match request {
        TRIVIALP | GET_TRANSLITERATE | GET_DISCARD_ILSEQ => {
            // SAFETY: it is not null, and the caller promises an `int` that can be written.
            unsafe { argument.write(c_int::from(request == TRIVIALP && same)) };
            0
        }
        SET_TRANSLITERATE | SET_DISCARD_ILSEQ => {
            // SAFETY: it is not null, and the caller promises an initialised `int`.
            let wanted = unsafe { argument.read() };
            if wanted == 0 { 0 } else { fail(libc::EINVAL, -1) }
        }
        _ => fail(libc::EINVAL, -1),
    }
}

/// `iconvctl` under its second name in GNU libiconv.
///
/// # Errors
///
/// The errors of [`iconvctl`].
///
/// # Safety
///
/// The preconditions of [`iconvctl`], each of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn libiconvctl(cd: Descriptor, request: c_int, argument: *mut c_void) -> c_int {
    // SAFETY: the caller promises it.
    unsafe { iconvctl(cd, request, argument) }
}
