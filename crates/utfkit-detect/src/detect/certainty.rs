use core::fmt;

/// How sure a detection is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Certainty {
    /// Another encoding is as likely, or nearly.
    Guess,
    /// Wrong once in a hundred times.
    Likely,
    /// By chance once in thousands of times.
    NearlyCertain,
    /// Proved, or by chance once in a million times.
    Certain,
}

impl Certainty {
    /// `certain`, `nearly certain`, `likely`, `a guess`.
    pub const fn name(self) -> &'static str {
        match self {
            Certainty::Guess => "a guess",
            Certainty::Likely => "likely",
            Certainty::NearlyCertain => "nearly certain",
            Certainty::Certain => "certain",
        }
    }

    /// The next lower certainty.
    pub(super) fn lower(self) -> Certainty {
        match self {
            Certainty::Certain => Certainty::NearlyCertain,
            Certainty::NearlyCertain => Certainty::Likely,
            _ => Certainty::Guess,
        }
    }
}

impl fmt::Display for Certainty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
