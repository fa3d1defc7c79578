//! The table of the Hangul syllables of Unicode 1.1 is what its generator
//! makes of the list in the folder `shared`. Without that this says so and
//! passes.

use utfkit_testkit::hangul11;
use utfkit_testkit::shared::{say, vectors};

#[test]
fn the_table_is_what_the_list_says() {
    let Some(folder) = vectors() else {
        say("hangul11_table: skipped, there is no list of syllables");
        return;
    };
    let list = std::fs::read_to_string(folder.join("hangul_unicode11_to_unicode20.tsv")).expect("the list can be read");
    let syllables = hangul11::read(&list).unwrap_or_else(|e| panic!("{e}"));
    let table = include_str!("../../../utfkit-core/src/engine/scalar/hangul11_table.rs");
    assert_eq!(hangul11::file(&syllables), table, "the command in the table's first lines writes it anew");
}
