//! Sets of code points that one encoding writes in another way than another
//! encoding, or lacks.

/// A set of code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Special(u8);

impl Special {
    pub(crate) const NOTHING: Special = Special(0);
    /// U+0000.
    pub(crate) const NUL: Special = Special(1);
    /// Everything above U+FFFF.
    pub(crate) const SUPPLEMENTARY: Special = Special(2);
    /// Everything above U+007F.
    pub(crate) const NON_ASCII: Special = Special(4);

    /// The noncharacters that [`Standard::Kuhn`] refuses.
    pub(crate) const KUHN: Special = Special(8);

    /// All noncharacters.
    pub(crate) const NONCHARACTERS: Special = Special(16);

    /// The union of both.
    pub(crate) const fn or(self, other: Special) -> Special {
        match Special(self.0 | other.0) {
            // Supplementary characters are not US-ASCII.
            all if all.has(Special::NON_ASCII) => Special(all.0 & !Special::SUPPLEMENTARY.0),
            all => all,
        }
    }

    /// True if the sets have a code point in common.
    pub(crate) const fn has(self, other: Special) -> bool {
        self.0 & other.0 != 0
    }
}
