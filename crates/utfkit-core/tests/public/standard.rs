//! The noncharacters that a standard refuses.

use utfkit_core::Standard;
use utfkit_core::internal::refuses;

#[test]
fn there_are_66_noncharacters() {
    let refused = |standard: Standard| (0..0x12_0000).filter(|&value| refuses(standard, value)).count();
    assert_eq!(refused(Standard::NoNoncharacters), 66);
    assert_eq!(refused(Standard::Kuhn), 2);
    for standard in [Standard::Rfc3629, Standard::Rfc2279, Standard::Rfc2044] {
        assert_eq!(refused(standard), 0);
    }
    for value in [0xFDCF, 0xFDF0, 0xFEFF, 0xFFFD, 0x1_0000, 0x1_FFFD, 0x11_FFFE] {
        assert!(!refuses(Standard::NoNoncharacters, value), "{value:X}");
    }
}
