//! The state that calls share.

use std::cell::RefCell;

use utfkit_core::Utf8Validator;

/// The number of elements of [`State::numbers`].
pub(crate) const NUMBERS: usize = 8;

/// The memory that JavaScript reads and writes, and the objects.
#[derive(Default)]
pub(crate) struct State {
    /// Bytes that JavaScript wrote.
    pub(crate) input: Vec<u8>,
    /// Bytes for JavaScript.
    pub(crate) output: Vec<u8>,
    /// Text or JSON for JavaScript.
    pub(crate) note: String,
    /// Numbers for JavaScript, whose only type of number this is.
    pub(crate) numbers: [f64; NUMBERS],
    objects: Vec<Option<Object>>,
    /// The numbers of places without an object.
    free: Vec<usize>,
}

/// A stream.
pub(crate) enum Object {
    Validator(Box<Utf8Validator>),
    #[cfg(feature = "check")]
    Checker(Box<utfkit_diagnose::Checker>),
    #[cfg(feature = "convert")]
    Conversion(Box<crate::converting::Conversion>),
    #[cfg(feature = "detect")]
    Detector(Box<utfkit_detect::detect::Detector>),
    #[cfg(feature = "detect")]
    Detection(Box<utfkit_detect::detect::Detection>),
    #[cfg(feature = "detect")]
    Repair(Box<crate::repairing::Repair>),
    #[cfg(feature = "detect")]
    Reader(Box<utfkit_io::Utf8Stream>),
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

pub(crate) fn with<T>(work: impl FnOnce(&mut State) -> T) -> T {
    STATE.with_borrow_mut(work)
}

impl State {
    /// Makes `input` at least `len` bytes long, and returns its address, or 0 if there is no memory
    /// for it.
    pub(crate) fn reserve(&mut self, len: usize) -> usize {
        if self.input.len() < len {
            self.input = Vec::new();
            // An allocation that fails would end the module in the middle of a call.
            if self.input.try_reserve_exact(len).is_err() {
                return 0;
            }
            self.input.resize(len, 0);
        }
        self.input.as_ptr().addr()
    }

    /// The first bytes of `input`.
    pub(crate) fn given(&self, len: usize) -> &[u8] {
        &self.input[..len.min(self.input.len())]
    }

    /// Keeps an object, and returns its number.
    pub(crate) fn keep(&mut self, object: Object) -> usize {
        match self.free.pop() {
            Some(free) => {
                self.objects[free] = Some(object);
                free
            }
            None => {
                self.objects.push(Some(object));
                self.objects.len() - 1
            }
        }
    }

    /// Takes an object away. Its number is that of the next one.
    pub(crate) fn remove(&mut self, number: usize) -> Option<Object> {
        let object = self.take(number)?;
        self.free.push(number);
        Some(object)
    }

    /// Takes an object out of its place, which another call has to fill.
    pub(crate) fn take(&mut self, number: usize) -> Option<Object> {
        self.objects.get_mut(number)?.take()
    }

    pub(crate) fn put_back(&mut self, number: usize, object: Object) {
        if let Some(place) = self.objects.get_mut(number) {
            *place = Some(object);
        }
    }

    /// Leaves the place and the name of an error.
    pub(crate) fn fail(&mut self, offset: u64, len: usize, kind: utfkit_core::ErrorKind) {
        self.numbers[2] = offset as f64;
        self.numbers[3] = len as f64;
        self.note.clear();
        self.note.push_str(kind.name());
    }
}
