//! The functions that C calls: pointers become slices, and how a call ended
//! becomes `errno`.
//!
//! `iconv_open` allocates some bytes, `iconv` nothing. Two threads may convert at
//! the same time, each with a conversion of its own, as POSIX has it; what two of them
//! share is what was [`learned`](crate::learned), which is the same for both.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr;
use core::slice;
use std::alloc::{Layout, alloc};

use crate::charset::{Charset, charset};
use crate::conversion::{Conversion, End, Step};
use crate::count;
use crate::learned::Learned;
use crate::system::{Descriptor, FAILED, System, errno, system, the_libiconv};

/// What stands at the front of every conversion that was opened here.
const MARK: u64 = u64::from_ne_bytes(*b"utfkit\0i");

/// What an `iconv_t` points to. The mark is at its address, where it is looked for.
#[repr(C)]
struct Handle {
    mark: u64,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    /// By this library; and whether it is an encoding into itself.
    Ours(Conversion, bool),
    /// By the system's functions, in its own conversion.
    System(&'static System, Descriptor),
    /// The same, except for what was learned of it.
    Learned(&'static System, Descriptor, Learned),
}

/// Sets `errno` and returns `value`.
fn fail<T>(errno: c_int, value: T) -> T {
    // SAFETY: it is the address of this thread's `errno`, which is always there.
    let place = unsafe { libc::__errno_location() };
    // SAFETY: the address is valid and aligned for an `int`, and no other thread has it.
    unsafe { place.write(errno) };
    value
}

/// `iconv_open(3)`: a conversion of `from` into `to`, to be given to [`iconv`] and
/// [`iconv_close`]. What is not ours is opened by the system's.
///
/// # Errors
///
/// `(iconv_t)-1`, and `errno` is `EINVAL` if nobody knows the pair or a name is
/// null, `ENOMEM` if there is no memory.
///
/// # Safety
///
/// `to` and `from` are null or end with a null byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iconv_open(to: *const c_char, from: *const c_char) -> Descriptor {
    // SAFETY: as the caller promises.
    unsafe { open(to, from, system()) }
}

/// The same under the name that GNU libiconv has for it; what is not ours is opened by
/// that library if it is there.
///
/// # Safety
///
/// That of [`iconv_open`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn libiconv_open(to: *const c_char, from: *const c_char) -> Descriptor {
    // SAFETY: as the caller promises.
    unsafe { open(to, from, the_libiconv().or_else(system)) }
}

/// # Safety
///
/// That of [`iconv_open`].
unsafe fn open(to: *const c_char, from: *const c_char, others: Option<&'static System>) -> Descriptor {
    if to.is_null() || from.is_null() {
        return fail(libc::EINVAL, FAILED);
    }
    // SAFETY: it is not null, and the caller promises that it ends.
    let to_name = unsafe { CStr::from_ptr(to) };
    // SAFETY: it is not null, and the caller promises that it ends.
    let from_name = unsafe { CStr::from_ptr(from) };
    // From what glibc goes by way of into itself is not a conversion there.
    let ours = named(to_name).zip(named(from_name)).filter(|(to, from)| !(to.is_internal && from.is_internal));
    count::opened(ours.is_some());
    let kind = match (ours, others) {
        (Some((to, from)), _) => Kind::Ours(Conversion::new(from, to), from == to),
        (None, Some(others)) => {
            // SAFETY: both names are those of the caller, who promises what `iconv_open` asks for.
            let descriptor = unsafe { (others.open)(to, from) };
            if descriptor == FAILED {
                return FAILED;
            }
            // SAFETY: it was opened above.
            let ask = |src: &[u8], dst: &mut [u8]| unsafe { others.ask(descriptor, src, dst) };
            let is_the_systems = system().is_some_and(|system| ptr::eq(system, others));
            match Learned::new(from_name.to_bytes(), to_name.to_bytes(), ask) {
                Some(learned) if is_the_systems => Kind::Learned(others, descriptor, learned),
                _ => Kind::System(others, descriptor),
            }
        }
        (None, None) => return fail(libc::EINVAL, FAILED),
    };
    // SAFETY: a handle is not of size zero.
    let place = unsafe { alloc(Layout::new::<Handle>()) }.cast::<Handle>();
    if place.is_null() {
        if let Kind::System(others, descriptor) | Kind::Learned(others, descriptor, _) = kind {
            // SAFETY: it was opened by these functions above and nobody else has it.
            unsafe { (others.close)(descriptor) };
        }
        return fail(libc::ENOMEM, FAILED);
    }
    // SAFETY: the memory is fresh, of the size and alignment of a handle.
    unsafe { place.write(Handle { mark: MARK, kind }) };
    place.cast()
}

/// What `name` names; the empty one is that of the locale.
fn named(name: &CStr) -> Option<Charset> {
    if !name.is_empty() {
        return charset(name.to_bytes());
    }
    // SAFETY: `CODESET` is one of the items that it knows.
    let codeset = unsafe { libc::nl_langinfo(libc::CODESET) };
    if codeset.is_null() {
        return None;
    }
    // SAFETY: it is not null, ends with a null byte, and is read before anybody can change the locale here.
    charset(unsafe { CStr::from_ptr(codeset) }.to_bytes())
}

/// Whose the conversion at `cd` is.
enum Owner<'a> {
    Nobody,
    Ours(&'a mut Handle),
    /// It was opened past this library: it is the system's.
    Stranger,
}

/// # Safety
///
/// `cd` is null, -1, or comes from an `iconv_open` and is not closed.
unsafe fn owner<'a>(cd: Descriptor) -> Owner<'a> {
    if cd.is_null() || cd == FAILED {
        return Owner::Nobody;
    }
    // SAFETY: what an `iconv_open` returns is the address of an object of the heap, ours or
    // that of another implementation, aligned as `malloc` does it and of eight bytes at least.
    if unsafe { cd.cast::<u64>().read() } != MARK {
        return Owner::Stranger;
    }
    // SAFETY: the mark says that it is a handle, and POSIX that no two threads use it at once.
    Owner::Ours(unsafe { &mut *cd.cast::<Handle>() })
}

/// `iconv(3)`: converts as much of the `*inleft` bytes at `*inbuf` as the
/// `*outleft` bytes at `*outbuf` have space for, and moves all four on. With
/// `inbuf` or `*inbuf` null it goes back to the beginning of a text.
///
/// Returns the number of irreversible conversions, which is 0 for what is ours.
///
/// # Errors
///
/// `(size_t)-1`, and `errno` is `E2BIG` if there is no space, `EILSEQ` before what
/// is ill-formed or lacking in the target, `EINVAL` before a character that the
/// source ends inside of; `EBADF` if `cd` is null or -1, `EFAULT` if another
/// pointer is null that must not be.
///
/// # Safety
///
/// That of POSIX: `cd` is open; the pointers are null or point to what they are said to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iconv(
    cd: Descriptor,
    inbuf: *mut *mut c_char,
    inleft: *mut usize,
    outbuf: *mut *mut c_char,
    outleft: *mut usize,
) -> usize {
    // SAFETY: as the caller promises.
    match unsafe { owner(cd) } {
        Owner::Nobody => fail(libc::EBADF, usize::MAX),
        Owner::Stranger => match system() {
            // SAFETY: it is the system's conversion, with the caller's pointers.
            Some(system) => unsafe { (system.convert)(cd, inbuf, inleft, outbuf, outleft) },
            None => fail(libc::EBADF, usize::MAX),
        },
        Owner::Ours(handle) => match &mut handle.kind {
            Kind::System(system, descriptor) => {
                count::passed_on();
                // SAFETY: it was opened by these functions, with the caller's pointers.
                unsafe { (system.convert)(*descriptor, inbuf, inleft, outbuf, outleft) }
            }
            Kind::Learned(system, descriptor, learned) => {
                // SAFETY: as the caller promises.
                let buffers = unsafe { Buffers::of(inbuf, inleft, outbuf, outleft) };
                let Ok(buffers) = buffers.and_then(|buffers| if buffers.overlap() { Err(0) } else { Ok(buffers) })
                else {
                    count::passed_on();
                    // SAFETY: it was opened by these functions, with the caller's pointers.
                    return unsafe { (system.convert)(*descriptor, inbuf, inleft, outbuf, outleft) };
                };
                let before = errno();
                // SAFETY: it was opened by these functions.
                let ask = |src: &[u8], dst: &mut [u8]| unsafe { system.ask(*descriptor, src, dst) };
                // SAFETY: as the caller promises, and they do not overlap.
                let (src, dst) = unsafe { buffers.slices() };
                let answer = learned.convert(src, dst, ask);
                count::converted(answer.read);
                // SAFETY: the pointers are those that the buffers are from.
                unsafe { buffers.move_on(inbuf, inleft, outbuf, outleft, answer.read, answer.written) };
                match answer.returned {
                    // Programs look at `errno` alone, which asking changes.
                    Ok(count) => fail(before, count),
                    Err(errno) => fail(errno, usize::MAX),
                }
            }
            // SAFETY: as the caller promises.
            Kind::Ours(conversion, _) => unsafe { convert(conversion, inbuf, inleft, outbuf, outleft) },
        },
    }
}

/// `iconv` of GNU libiconv.
///
/// # Safety
///
/// That of [`iconv`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn libiconv(
    cd: Descriptor,
    inbuf: *mut *mut c_char,
    inleft: *mut usize,
    outbuf: *mut *mut c_char,
    outleft: *mut usize,
) -> usize {
    // SAFETY: as the caller promises.
    unsafe { iconv(cd, inbuf, inleft, outbuf, outleft) }
}

/// # Safety
///
/// That of [`iconv`].
unsafe fn convert(
    conversion: &mut Conversion,
    inbuf: *mut *mut c_char,
    inleft: *mut usize,
    outbuf: *mut *mut c_char,
    outleft: *mut usize,
) -> usize {
    // SAFETY: as the caller promises.
    let buffers = match unsafe { Buffers::of(inbuf, inleft, outbuf, outleft) } {
        Ok(buffers) => buffers,
        Err(0) => {
            conversion.reset();
            return 0;
        }
        Err(errno) => return fail(errno, usize::MAX),
    };
    let step = if buffers.overlap() {
        let Buffers { source, src_len, target, dst_len, .. } = buffers;
        // SAFETY: as the caller promises, with no more than what is there.
        unsafe { convert_overlapping(conversion, source.cast(), src_len, target.cast(), dst_len) }
    } else {
        // SAFETY: as the caller promises, and they do not overlap.
        let (src, dst) = unsafe { buffers.slices() };
        conversion.convert(src, dst)
    };
    count::converted(step.read);
    // SAFETY: the pointers are those that the buffers are from.
    unsafe { buffers.move_on(inbuf, inleft, outbuf, outleft, step.read, step.written) };
    match step.end {
        End::Done => 0,
        End::Full => fail(libc::E2BIG, usize::MAX),
        End::IllFormed => fail(libc::EILSEQ, usize::MAX),
        End::Incomplete => fail(libc::EINVAL, usize::MAX),
    }
}

/// Where a call reads and writes.
#[derive(Clone, Copy)]
struct Buffers {
    source: *mut c_char,
    source_len: usize,
    /// As many of them as there can be.
    src_len: usize,
    target: *mut c_char,
    target_len: usize,
    dst_len: usize,
}

impl Buffers {
    /// Those of a call; an error number if a pointer is null, 0 if it is that of the source.
    ///
    /// # Safety
    ///
    /// That of [`iconv`].
    unsafe fn of(
        inbuf: *mut *mut c_char,
        inleft: *mut usize,
        outbuf: *mut *mut c_char,
        outleft: *mut usize,
    ) -> Result<Buffers, c_int> {
        // SAFETY: null, or a pointer to the pointer that POSIX asks for.
        let source = unsafe { inbuf.as_ref() }.map_or(ptr::null_mut(), |source| *source);
        if source.is_null() {
            return Err(0);
        }
        // SAFETY: null, or a pointer to a count.
        let source_len = unsafe { inleft.as_ref() }.copied().ok_or(libc::EFAULT)?;
        // SAFETY: null, or a pointer to a pointer.
        let target = unsafe { outbuf.as_ref() }.map_or(ptr::null_mut(), |target| *target);
        // SAFETY: null, or a pointer to a count.
        let target_len = unsafe { outleft.as_ref() }.copied().filter(|_| !target.is_null()).ok_or(libc::EFAULT)?;
        let (src_len, dst_len) = (within(source, source_len), within(target, target_len));
        Ok(Buffers { source, source_len, src_len, target, target_len, dst_len })
    }

    fn overlap(&self) -> bool {
        self.source.addr() < self.target.addr() + self.dst_len && self.target.addr() < self.source.addr() + self.src_len
    }

    /// # Safety
    ///
    /// That of [`iconv`], from which they are, and they do not [`overlap`](Buffers::overlap).
    unsafe fn slices<'a>(&self) -> (&'a [u8], &'a mut [u8]) {
        // SAFETY: the caller of `iconv` promises as many bytes that can be read, and they do not overlap with the target.
        let src = unsafe { slice::from_raw_parts(self.source.cast::<u8>(), self.src_len) };
        // SAFETY: the caller of `iconv` promises as many bytes that can be written, and they do not overlap with the source.
        let dst = unsafe { slice::from_raw_parts_mut(self.target.cast::<u8>(), self.dst_len) };
        (src, dst)
    }

    /// Says how far a call came.
    ///
    /// # Safety
    ///
    /// The pointers are those of [`Buffers::of`].
    unsafe fn move_on(
        &self,
        inbuf: *mut *mut c_char,
        inleft: *mut usize,
        outbuf: *mut *mut c_char,
        outleft: *mut usize,
        read: usize,
        written: usize,
    ) {
        // SAFETY: it is not null, and was read before.
        unsafe { inbuf.write(self.source.wrapping_add(read)) };
        // SAFETY: it is not null, and was read before.
        unsafe { inleft.write(self.source_len - read) };
        // SAFETY: it is not null, and was read before.
        unsafe { outbuf.write(self.target.wrapping_add(written)) };
        // SAFETY: it is not null, and was read before.
        unsafe { outleft.write(self.target_len - written) };
    }
}

/// As many of `len` bytes at `start` as there can be: "without a limit" is said
/// by numbers that reach beyond the end of memory.
fn within(start: *mut c_char, len: usize) -> usize {
    len.min(usize::MAX - start.addr()).min(isize::MAX as usize)
}

/// Converts by way of the stack, a piece at a time: a text over itself, which is
/// right where the result is no longer than what was read.
///
/// # Safety
///
/// `src` bytes at `source` can be read, and `dst` bytes at `target` written.
unsafe fn convert_overlapping(
    conversion: &mut Conversion,
    source: *const u8,
    src: usize,
    target: *mut u8,
    dst: usize,
) -> Step {
    let (mut piece, mut made) = ([0; 256], [0; 2048]);
    let mut done = Step { read: 0, written: 0, end: End::Done };
    loop {
        let len = (src - done.read).min(piece.len());
        // SAFETY: `read + len` is at most `src`, and the piece is the stack's.
        unsafe { ptr::copy_nonoverlapping(source.wrapping_add(done.read), piece.as_mut_ptr(), len) };
        let space = (dst - done.written).min(made.len());
        let step = conversion.convert(&piece[..len], &mut made[..space]);
        // SAFETY: `written` and what comes to it are at most `dst`, and what was made is the stack's.
        unsafe { ptr::copy_nonoverlapping(made.as_ptr(), target.wrapping_add(done.written), step.written) };
        done = Step { read: done.read + step.read, written: done.written + step.written, end: step.end };
        let cut = done.read < src && len == piece.len() && step.read > 0;
        if !(cut && matches!(step.end, End::Done | End::Incomplete)) {
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
/// `cd` is null, -1, or open, and is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iconv_close(cd: Descriptor) -> c_int {
    // SAFETY: as the caller promises.
    match unsafe { owner(cd) } {
        Owner::Nobody => fail(libc::EBADF, -1),
        Owner::Stranger => match system() {
            // SAFETY: it is the system's.
            Some(system) => unsafe { (system.close)(cd) },
            None => fail(libc::EBADF, -1),
        },
        Owner::Ours(handle) => {
            handle.mark = 0;
            let kind = handle.kind;
            // SAFETY: it was allocated with this layout by `open`, and the caller promises not to use it any more.
            unsafe { std::alloc::dealloc(cd.cast(), Layout::new::<Handle>()) };
            match kind {
                Kind::Ours(..) => 0,
                // SAFETY: it was opened by these functions and nobody else has it.
                Kind::System(system, descriptor) | Kind::Learned(system, descriptor, _) => unsafe {
                    (system.close)(descriptor)
                },
            }
        }
    }
}

/// `iconv_close` of GNU libiconv.
///
/// # Safety
///
/// That of [`iconv_close`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn libiconv_close(cd: Descriptor) -> c_int {
    // SAFETY: as the caller promises.
    unsafe { iconv_close(cd) }
}

/// The requests of `iconvctl` that are answered; their numbers are libiconv's.
const TRIVIALP: c_int = 0;
const GET_TRANSLITERATE: c_int = 1;
const SET_TRANSLITERATE: c_int = 2;
const GET_DISCARD_ILSEQ: c_int = 3;
const SET_DISCARD_ILSEQ: c_int = 4;

/// `iconvctl(3)` of GNU libiconv: whether `cd` is from an encoding into itself,
/// transliterates, discards. A conversion of ours does neither of the last two and cannot
/// be made to.
///
/// # Errors
///
/// -1, and `errno` is `EBADF` if `cd` is null or -1, `EFAULT` if `argument` is null,
/// `EINVAL` for everything else.
///
/// # Safety
///
/// `cd` is null, -1 or open; `argument` is null or what the request asks for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iconvctl(cd: Descriptor, request: c_int, argument: *mut c_void) -> c_int {
    // SAFETY: as the caller promises.
    let kind = match unsafe { owner(cd) } {
        Owner::Nobody => return fail(libc::EBADF, -1),
        Owner::Stranger => None,
        Owner::Ours(handle) => Some(handle.kind),
    };
    let same = match kind {
        Some(Kind::Ours(_, same)) => same,
        Some(Kind::System(system, descriptor) | Kind::Learned(system, descriptor, _)) => {
            return match system.control {
                // SAFETY: it was opened by the library that this function is of, with the caller's argument.
                Some(iconvctl) => unsafe { iconvctl(descriptor, request, argument) },
                None => fail(libc::EINVAL, -1),
            };
        }
        None => return fail(libc::EINVAL, -1),
    };
    let argument = argument.cast::<c_int>();
    if argument.is_null() {
        return fail(libc::EFAULT, -1);
    }
    match request {
        TRIVIALP | GET_TRANSLITERATE | GET_DISCARD_ILSEQ => {
            // SAFETY: it is not null, and these requests ask for a place for an `int`.
            unsafe { argument.write(c_int::from(request == TRIVIALP && same)) };
            0
        }
        SET_TRANSLITERATE | SET_DISCARD_ILSEQ => {
            // SAFETY: it is not null, and these requests ask for an `int`.
            let wanted = unsafe { argument.read() };
            if wanted == 0 { 0 } else { fail(libc::EINVAL, -1) }
        }
        _ => fail(libc::EINVAL, -1),
    }
}

/// `iconvctl` under the name of GNU libiconv.
///
/// # Safety
///
/// That of [`iconvctl`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn libiconvctl(cd: Descriptor, request: c_int, argument: *mut c_void) -> c_int {
    // SAFETY: as the caller promises.
    unsafe { iconvctl(cd, request, argument) }
}
