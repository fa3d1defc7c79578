//! Characters that an encoding lacks, within a run.

use crate::engine::progress::OnLacking;

/// How far a run came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) read: usize,
    pub(super) written: usize,
    /// The number of characters replaced or skipped, because the encoding lacks them.
    pub(super) lacking: u64,
    /// The character that it stopped before, if the encoding lacks it.
    pub(super) stopped_by: Option<u32>,
}

impl Run {
    /// Skips or replaces `c`; false if the run has to stop before it. `mark` is the
    /// encoding's question mark.
    pub(super) fn pass(&mut self, c: char, mark: u8, dst: &mut [u8], on_lacking: OnLacking) -> bool {
        match (on_lacking, dst.get_mut(self.written)) {
            (OnLacking::Stop, _) => {
                self.stopped_by = Some(c.into());
                return false;
            }
            (OnLacking::Skip, _) => {}
            (OnLacking::Replace, None) => return false,
            (OnLacking::Replace, Some(to)) => {
                *to = mark;
                self.written += 1;
            }
        }
        self.read += c.len_utf8();
        self.lacking += 1;
        true
    }
}
