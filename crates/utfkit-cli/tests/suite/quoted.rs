//! Text about misread text and labels, such as tests, tables and answers to questions: `fix`
//! leaves it as it was meant.

use crate::common::Place;

/// The line of the plan for a file of this name and text, and what `fix --yes` made of it.
fn planned(name: &str, text: &str) -> (String, String) {
    let place = Place::new();
    place.file(name, text);
    let plan = place.run(&["fix", "--all", "."]);
    let line = plan.out().lines().find(|line| line.contains(name)).unwrap_or_default().to_owned();
    place.run(&["fix", "--yes", "."]);
    (line, String::from_utf8(place.read(name)).unwrap())
}

#[test]
fn misread_words_in_strings_of_a_program_were_undone_nearly_certain() {
    for (name, text) in [
        ("names_test.go", "\tcases := []string{\"BjÃ¶rn\", \"RenÃ©e\", \"FranÃ§ois\", \"ZoÃ«\"}\n"),
        ("spec.rb", "expect(mend('pÃ¢tÃ©')).to eq good\nexpect(mend('crÃ¨me brÃ»lÃ©e')).to eq good2\n"),
        ("mend.ts", "/** `GÃ¶teborg` and `MalmÃ¶` and `NykÃ¶ping` come out of the old API. */\n"),
        ("README.md", "The export has `KrÃ¤hwinkel` and \"SchÃ¶nefeld\" and \"JÃ¼terbog\" in it.\n"),
    ] {
        let (line, after) = planned(name, text);
        assert!(line.contains("likely read as windows-1252 and encoded again"), "{name}: {line}");
        assert_eq!(after, text);
    }
}

#[test]
fn misread_words_that_the_text_has_right_as_well_were_undone_nearly_certain() {
    let text = "Ticket 77\nShould be: Kroměříž, Třeboň, Kadaň\nLooks like: KromÄ›Å™Ã\u{AD}Å¾, TÅ™eboÅˆ, KadaÅˆ\n";
    for name in ["ticket.md", "ticket.txt"] {
        let (line, after) = planned(name, text);
        assert!(line.contains("likely read as windows-1252 and encoded again"), "{line}");
        assert_eq!(after, text);
    }
}

#[test]
fn misread_comments_and_data_are_undone() {
    for (name, before, after) in [
        (
            "kern.c",
            "/* NÃ¤chster Knoten fÃ¼r den SchlÃ¼ssel */\nint a;\n",
            "/* Nächster Knoten für den Schlüssel */\nint a;\n",
        ),
        ("orte.csv", "1;\"MÃ¼nchen\"\n2;\"KÃ¶ln\"\n3;\"FÃ¼rth\"\n", "1;\"München\"\n2;\"Köln\"\n3;\"Fürth\"\n"),
        ("orte.json", "[\"MÃ¼nchen\", \"KÃ¶ln\", \"FÃ¼rth\"]\n", "[\"München\", \"Köln\", \"Fürth\"]\n"),
        (
            "städte.sql",
            "INSERT INTO t VALUES ('Lübeck'),('Nürnberg'),('LÃ¼beck'),('NÃ¼rnberg'),('LÃ¼beck'),('LÃ¼beck'),('NÃ¼rnberg'),('LÃ¼beck'),('LÃ¼beck'),('NÃ¼rnberg'),('LÃ¼beck'),('LÃ¼beck'),('NÃ¼rnberg'),('LÃ¼beck');\n",
            "INSERT INTO t VALUES ('Lübeck'),('Nürnberg'),('Lübeck'),('Nürnberg'),('Lübeck'),('Lübeck'),('Nürnberg'),('Lübeck'),('Lübeck'),('Nürnberg'),('Lübeck'),('Lübeck'),('Nürnberg'),('Lübeck');\n",
        ),
        // Of the words that were misread, the text has one that is right.
        (
            "brief.txt",
            "Wir haben für Sie geöffnet.\nFÃ¼r Sie: fÃ¼nf TÃ¼ren, schÃ¶ne RÃ¤ume, groÃŸe GÃ¤rten.\n",
            "Wir haben für Sie geöffnet.\nFür Sie: fünf Türen, schöne Räume, große Gärten.\n",
        ),
    ] {
        let (line, became) = planned(name, before);
        assert_eq!(became, after, "{name}: {line}");
    }
}

#[test]
fn a_label_in_a_string_of_a_program_in_utf_8_was_rewritten() {
    for (name, text) in [
        (
            "page.js",
            "// Größe\nconst head = '<meta http-equiv=\"Content-Type\" content=\"text/html; charset=koi8-r\">';\n",
        ),
        ("card.rs", "// Grüße\nlet card = \"BEGIN:VCARD\\r\\nN;CHARSET=iso-8859-1:a\\r\\n\";\n"),
        ("mail.cs", "// Grüße\nvar head = @\"\nSubject: a\nContent-Type: text/plain; charset=us-ascii\n\nb\";\n"),
    ] {
        let (_, after) = planned(name, text);
        assert_eq!(after, text, "{name}");
    }
    // The editor reads this one.
    let (_, after) =
        planned("old.el", ";;; old.el --- it's old -*- coding: latin-1 -*-\n;; Grüße, schöne Öfen, größere Mühe\n");
    assert!(after.contains("coding: utf-8"), "{after}");
}
