//! Encoders with state.

/// An incremental encoder. Output is written as soon as it is determined.
pub trait Encoder {
    /// Appends the bytes of `value`, preceded by any pending state change. If
    /// the encoding lacks `value`, returns false and appends nothing.
    fn encode(&mut self, value: u32, out: &mut Vec<u8>) -> bool;

    /// Appends a value that is pending because the next one could join it, before an
    /// error is reported.
    fn flush(&mut self, _out: &mut Vec<u8>) {}

    /// Appends the bytes required at the end of a text and resets the encoder.
    fn finish(&mut self, out: &mut Vec<u8>);
}
