//! Encoders that may carry something from one value to the next.

/// Writes an encoding, value by value. What is decided is written at once.
pub trait Encoder {
    /// Appends what stands for `value`, with what has to come before it, or
    /// returns false and appends nothing if the encoding lacks it.
    fn encode(&mut self, value: u32, out: &mut Vec<u8>) -> bool;

    /// Appends what has to follow the last value. The encoder is then as it
    /// was at the beginning.
    fn finish(&mut self, out: &mut Vec<u8>);
}
