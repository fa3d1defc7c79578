//! What Node has itself, where the bench is a program for WebAssembly that Node
//! runs: `wasm.mjs` has these functions.
//!
//! Their strings are JavaScript's: decoding makes one, and encoding begins with
//! one that is there. So each is given what the others need not do, and spared what
//! they do.

/// What stands for a length where something went wrong.
const FAILED: usize = usize::MAX;

mod from_node {
    // SAFETY: these are the types of the functions in `wasm.mjs`.
    #[link(wasm_import_module = "node")]
    unsafe extern "C" {
        pub(super) safe fn forget();
        pub(super) fn decode(src: *const u8, len: usize, units: *mut u16, capacity: usize, fatal: usize) -> usize;
        pub(super) fn encode(src: *const u16, len: usize, bytes: *mut u8, capacity: usize) -> usize;
    }
}

/// Has the sources of before forgotten. To be called before others are in their places.
pub(crate) fn forget() {
    from_node::forget();
}

fn decode(src: &[u8], dst: &mut [u16], fatal: bool) -> Option<usize> {
    // SAFETY: both pointers come from live slices that do not overlap, and the
    // function keeps to their lengths.
    let written = unsafe { from_node::decode(src.as_ptr(), src.len(), dst.as_mut_ptr(), dst.len(), fatal.into()) };
    (written != FAILED).then_some(written)
}

/// By a `TextDecoder` that throws at what is ill-formed.
pub(crate) fn utf8_to_utf16(src: &[u8], dst: &mut [u16]) -> Option<usize> {
    decode(src, dst, true)
}

/// By one that replaces it.
pub(crate) fn utf8_to_utf16_lossy(src: &[u8], dst: &mut [u16]) -> Option<usize> {
    decode(src, dst, false)
}

/// By `TextEncoder.encodeInto`.
pub(crate) fn utf16_to_utf8(src: &[u16], dst: &mut [u8]) -> Option<usize> {
    // SAFETY: as above.
    let written = unsafe { from_node::encode(src.as_ptr(), src.len(), dst.as_mut_ptr(), dst.len()) };
    (written != FAILED).then_some(written)
}
