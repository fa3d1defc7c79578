//! Reference codecs, generators and guarded memory for the tests of utfkit.
//!
//! Nothing here depends on utfkit or was derived from it: [`utf8`], [`utf16`]
//! and [`utf32`] are plain transcriptions of the standards, without regard for
//! speed. [`plan`] derives from them the result of a conversion into a
//! destination of any size.

pub mod ascii;
pub mod cesu8;
pub mod encoder;
pub mod guard;
pub mod hex;
pub mod ibm437;
pub mod iso2022;
pub mod latin1;
pub mod mutate;
pub mod patterns;
pub mod piece;
pub mod plan;
pub mod random;
pub mod scheme;
pub mod shared;
pub mod text;
pub mod transcription;
pub mod ucs;
pub mod utf1;
pub mod utf16;
pub mod utf32;
pub mod utf7;
pub mod utf8;
pub mod wtf8;
