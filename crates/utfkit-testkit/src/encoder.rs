//! Encoders that may carry something from one value to the next.

use crate::iso2022::Iso2022Encoder;
use crate::scheme::Scheme;
use crate::utf7::{Kind, Utf7Encoder};
use crate::wtf8::Wtf8Encoder;

/// Writes an encoding, value by value. What is decided is written at once.
pub trait Encoder {
    /// Appends what stands for `value`, with what has to come before it, or
    /// answers false and appends nothing if the encoding lacks it.
    fn encode(&mut self, value: u32, out: &mut Vec<u8>) -> bool;

    /// Appends what has to follow the last value. The encoder is then as it
    /// was at the beginning.
    fn finish(&mut self, out: &mut Vec<u8>);
}

/// An encoding that carries nothing.
struct Stateless(Scheme);

impl Encoder for Stateless {
    fn encode(&mut self, value: u32, out: &mut Vec<u8>) -> bool {
        self.0.encode(value, out)
    }

    fn finish(&mut self, _out: &mut Vec<u8>) {}
}

impl Scheme {
    /// The encoder at the beginning of a text; BOMs are not its concern.
    pub fn encoder(self) -> Box<dyn Encoder> {
        match self {
            Scheme::Utf7 => Box::new(Utf7Encoder::new(Kind::Rfc2152)),
            Scheme::Utf7Optional => Box::new(Utf7Encoder::new(Kind::Optional)),
            Scheme::ImapUtf7 => Box::new(Utf7Encoder::new(Kind::Mailbox)),
            Scheme::Wtf8 => Box::new(Wtf8Encoder::default()),
            Scheme::Iso2022Utf8 => Box::new(Iso2022Encoder::default()),
            _ => Box::new(Stateless(self)),
        }
    }

    /// `values` as a text, without a BOM; `None` if the encoding lacks
    /// one of them.
    pub fn encode_all(self, values: &[u32]) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        let mut encoder = self.encoder();
        let all = values.iter().all(|value| encoder.encode(*value, &mut out));
        encoder.finish(&mut out);
        all.then_some(out)
    }
}
