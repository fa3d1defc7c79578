//! A value: a part of a `byte[]`, copied in slices.

use std::cell::Cell;

use crate::env::{Bytes, Env, Thrown};

/// Up to this many bytes are copied to the stack.
const SHORT: usize = 512;
/// The bytes of a slice: slice and result fit into the L2 cache.
pub(crate) const SLICE: usize = 64 << 10;

thread_local! {
    /// Memory for slices, so that a value does not cost an allocation.
    static SPARE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

#[derive(Clone, Copy)]
pub(crate) struct Value<'a> {
    env: Env<'a>,
    array: Bytes<'a>,
    start: usize,
    len: usize,
}

impl<'a> Value<'a> {
    /// `len` bytes of an array from `start` on.
    pub(crate) fn new(env: Env<'a>, array: Bytes<'a>, start: i32, len: i32) -> Result<Value<'a>, Thrown> {
        let outside = || Thrown::New(c"java/lang/IndexOutOfBoundsException", format!("{len} bytes from {start} on"));
        let (Ok(at), Ok(size)) = (usize::try_from(start), usize::try_from(len)) else { return Err(outside()) };
        // A copy checks its bounds. Before there is memory for a large one, they are checked here.
        if size > SLICE && at + size > env.len(array) {
            return Err(outside());
        }
        Ok(Value { env, array, start: at, len: size })
    }

    pub(crate) fn env(&self) -> Env<'a> {
        self.env
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn is_short(&self) -> bool {
        self.len <= SLICE
    }

    /// The bytes from `start` on, at most `len` and what the value has.
    pub(crate) fn window(&self, start: usize, len: usize) -> Result<Vec<u8>, Thrown> {
        let start = start.min(self.len);
        let mut bytes = memory(len.min(self.len - start))?;
        self.env.read(self.array, self.start + start, &mut bytes)?;
        Ok(bytes)
    }

    /// All bytes at once.
    pub(crate) fn whole<R>(&self, work: impl FnOnce(&[u8]) -> Result<R, Thrown>) -> Result<R, Thrown> {
        if self.is_short() {
            return self.with_slice(self.len, |slice| {
                self.env.read(self.array, self.start, slice)?;
                work(slice)
            });
        }
        work(&self.window(0, self.len)?)
    }

    /// Calls `work` with one slice after another, and true with the last one, which is empty if the value is. It
    /// ends early if `work` returns false.
    pub(crate) fn slices(&self, mut work: impl FnMut(&[u8], bool) -> Result<bool, Thrown>) -> Result<(), Thrown> {
        self.with_slice(self.len.min(SLICE), |slice| {
            let mut at = 0;
            loop {
                let len = slice.len().min(self.len - at);
                self.env.read(self.array, self.start + at, &mut slice[..len])?;
                at += len;
                if !work(&slice[..len], at == self.len)? || at == self.len {
                    return Ok(());
                }
            }
        })
    }

    fn with_slice<R>(&self, len: usize, work: impl FnOnce(&mut [u8]) -> R) -> R {
        if len <= SHORT {
            return work(&mut [0; SHORT][..len]);
        }
        // A second value in the meantime would find nothing, and allocate.
        let mut spare = SPARE.take();
        if spare.len() < len {
            spare.resize(SLICE, 0);
        }
        let made = work(&mut spare[..len]);
        SPARE.set(spare);
        made
    }
}

/// Memory, or Java's error that there is none.
pub(crate) fn memory(len: usize) -> Result<Vec<u8>, Thrown> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(len).map_err(|_| Thrown::out_of_memory(format!("no memory for {len} bytes")))?;
    bytes.resize(len, 0);
    Ok(bytes)
}
