//! Node's own functions, for the bench as a WebAssembly program in Node;
//! `wasm.mjs` provides them.
//!
//! Their strings are JavaScript's: decoding creates one, and encoding starts
//! from an existing one. This costs work that other competitors do not have and
//! saves work that they do.

/// The length returned on failure.
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

/// Drops Node's cached sources. Must be called before their memory is reused.
pub(crate) fn forget() {
    from_node::forget();
}

fn decode(src: &[u8], dst: &mut [u16], fatal: bool) -> Option<usize> {
    // SAFETY: both pointers come from live slices that do not overlap, and the
    // function respects their lengths.
    let written = unsafe { from_node::decode(src.as_ptr(), src.len(), dst.as_mut_ptr(), dst.len(), fatal.into()) };
    (written != FAILED).then_some(written)
}

/// `TextDecoder` with `fatal`.
pub(crate) fn utf8_to_utf16(src: &[u8], dst: &mut [u16]) -> Option<usize> {
    decode(src, dst, true)
}

/// `TextDecoder` with replacement.
pub(crate) fn utf8_to_utf16_lossy(src: &[u8], dst: &mut [u16]) -> Option<usize> {
    decode(src, dst, false)
}

/// `TextEncoder.encodeInto`.
pub(crate) fn utf16_to_utf8(src: &[u16], dst: &mut [u8]) -> Option<usize> {
    // SAFETY: as above.
    let written = unsafe { from_node::encode(src.as_ptr(), src.len(), dst.as_mut_ptr(), dst.len()) };
    (written != FAILED).then_some(written)
}
