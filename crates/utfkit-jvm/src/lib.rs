//! utfkit for Java: the native methods of `utfkit.Native`.
//!
//! Java's arrays become slices ([`env`]), errors become exceptions, and the library (here `engine`) does the work.
//! [`exports`] has a line for each native method.
//!
//! No call can crash the virtual machine:
//!
//! - Memory of Java is copied, never borrowed. Each copy is one JNI call, which checks its bounds against the array
//!   itself. So another thread that changes the array cannot change a slice, and the garbage collector is never held.
//!   Long values are copied in slices that fit into the cache.
//! - A panic becomes an exception.
//! - Objects that live longer than a call are numbers to Java, and looked up in a table ([`handles`]).
#![deny(unsafe_code)]

mod coders;
mod decode;
#[allow(unsafe_code)]
mod env;
#[allow(unsafe_code)]
mod exports;
mod handles;
mod output;
mod packed;
mod repair;
mod report;
mod utf8;
mod value;
