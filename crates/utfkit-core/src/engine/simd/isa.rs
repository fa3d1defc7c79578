//! Which instruction set the kernels use: for tests, benchmarks and bug
//! reports. Every set gives the same results.
//!
//! With the `std` feature the best one is found at run time, once. Without it
//! only what the program was compiled for is used.
//!
//! ```
//! use utfkit::isa::{self, Isa};
//!
//! let best = isa::active();
//! for isa in isa::available() {
//!     isa::set(isa).unwrap();
//!     assert!(utfkit::from_utf8("Grüße".as_bytes()).is_ok());
//! }
//! isa::set(best).unwrap();
//! ```

use core::fmt;
use core::str::FromStr;
use core::sync::atomic::{AtomicU8, Ordering};

use super::sets::{self as detected, sets};

/// [`Isa`], from the rows of the instruction sets.
macro_rules! isa {
    ($($(#[$doc:meta])* $set:ident, $module:ident, $bytes:literal, [$($target:tt)*], [$($feature:tt)*];)*) => {
        /// An instruction set for which there are kernels.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Isa {
            /// No vector instructions: the scalar codecs alone.
            Scalar,
            $($(#[$doc])* $set,)*
        }

        impl Isa {
            /// All instruction sets, whether this machine has them or not, in ascending order of speed.
            ///
            /// ```
            /// use utfkit::isa::{self, Isa};
            ///
            /// let missing: Vec<&Isa> = Isa::ALL.iter().filter(|isa| isa::available().all(|other| other != **isa)).collect();
            /// assert!(missing.len() >= 2, "no machine has both NEON and simd128: {missing:?}");
            /// ```
            // A set is kept as a number, which is its place here.
            pub const ALL: &'static [Isa] = &[Isa::Scalar, $(Isa::$set),*];

            const fn name(self) -> &'static str {
                match self {
                    Isa::Scalar => "scalar",
                    $(Isa::$set => stringify!($module),)*
                }
            }

            /// True if this processor has the set and this build has kernels for it.
            fn is_available(self) -> bool {
                match self {
                    Isa::Scalar => true,
                    // A build that tests the scalar codecs.
                    _ if cfg!(utfkit_scalar) => false,
                    $(#[cfg($($target)*)] Isa::$set => detected::$module::is_there(),)*
                    _ => false,
                }
            }
        }
    };
}
sets!(isa);

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The word names no instruction set that this library knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownIsa;

impl fmt::Display for UnknownIsa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown instruction set (known: ")?;
        for (i, isa) in Isa::ALL.iter().enumerate() {
            write!(f, "{}{isa}", if i == 0 { "" } else { ", " })?;
        }
        f.write_str(")")
    }
}

impl core::error::Error for UnknownIsa {}

impl FromStr for Isa {
    type Err = UnknownIsa;

    fn from_str(name: &str) -> Result<Isa, UnknownIsa> {
        Isa::ALL.iter().copied().find(|isa| isa.name().eq_ignore_ascii_case(name)).ok_or(UnknownIsa)
    }
}

/// This processor lacks the instruction set, or this build has no kernels for
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnavailableIsa(pub Isa);

impl fmt::Display for UnavailableIsa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the instruction set {} is not available here", self.0)
    }
}

impl core::error::Error for UnavailableIsa {}

/// The instruction sets that can be used here, the best one last.
pub fn available() -> impl Iterator<Item = Isa> {
    Isa::ALL.iter().copied().filter(|isa| isa.is_available())
}

/// One more than the index of the active set in [`Isa::ALL`]; 0 before the first use.
static ACTIVE: AtomicU8 = AtomicU8::new(0);

/// The instruction set that every function of this library uses now.
#[inline(always)]
pub fn active() -> Isa {
    // Relaxed: the value is all there is to see, and every value is right.
    let index = usize::from(ACTIVE.load(Ordering::Relaxed)).wrapping_sub(1);
    Isa::ALL.get(index).copied().unwrap_or_else(choose)
}

/// True if `isa` is the active set; false before the first use.
// Only x86 has several instruction sets to choose from.
#[cfg_attr(not(any(target_arch = "x86_64", target_arch = "x86")), allow(dead_code))]
#[inline(always)]
pub(crate) fn is_active(isa: Isa) -> bool {
    ACTIVE.load(Ordering::Relaxed) == isa as u8 + 1
}

/// True if `isa` is the active set or none was chosen yet.
#[cfg_attr(not(any(target_arch = "x86_64", target_arch = "x86")), allow(dead_code))]
#[inline(always)]
pub(crate) fn may_be_active(isa: Isa) -> bool {
    let active = ACTIVE.load(Ordering::Relaxed);
    active == 0 || active == isa as u8 + 1
}

#[cold]
fn choose() -> Isa {
    let best = available().last().unwrap_or(Isa::Scalar);
    ACTIVE.store(best as u8 + 1, Ordering::Relaxed);
    best
}

/// Makes every function of this library use `isa` from now on, **in the whole
/// process**: every thread, and every other crate that depends on this one, is
/// meant too. It is for tests, benchmarks and bug reports; a library that calls
/// it decides for programs that it does not know. A call that runs meanwhile on
/// another thread uses either set, with the same result.
///
/// # Errors
///
/// The processor lacks it, or this build has no kernels for it; then nothing
/// changes.
pub fn set(isa: Isa) -> Result<(), UnavailableIsa> {
    if !isa.is_available() {
        return Err(UnavailableIsa(isa));
    }
    ACTIVE.store(isa as u8 + 1, Ordering::Relaxed);
    Ok(())
}
