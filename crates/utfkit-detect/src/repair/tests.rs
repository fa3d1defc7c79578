use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::crossing::CROSSINGS;
use super::*;
use utfkit_core::{Encoding, Legacy};

fn windows1252() -> Fallback {
    Fallback::new(Encoding::Legacy(Legacy::Windows1252)).unwrap()
}

/// The text kept, the changes, and the repaired text.
type Pieces = (Vec<u8>, Vec<(u64, ChangeKind, Vec<u8>, String)>, Vec<u8>);

fn pieces(bytes: &[u8], options: &Options, cut: usize) -> Pieces {
    let mut survey = Survey::new(options);
    bytes.chunks(cut).for_each(|chunk| survey.feed(chunk));
    let mut repairer = Repairer::new(options.clone()).with_evidence(survey.finish());
    let (mut kept, mut changes, mut all) = (Vec::new(), Vec::new(), Vec::new());
    let mut take = |piece: Stretch<'_>| {
        all.extend_from_slice(piece.text());
        match piece {
            Stretch::Kept(text) => {
                assert!(from_utf8(text).is_ok(), "whole characters");
                kept.extend_from_slice(text);
            }
            Stretch::Changed(c) => changes.push((c.offset, c.kind, c.before.to_vec(), String::from(c.after))),
        }
    };
    bytes.chunks(cut).for_each(|chunk| repairer.feed(chunk, &mut take));
    repairer.finish(&mut take);
    (kept, changes, all)
}

fn all_options() -> Vec<Options> {
    let mut all = Vec::new();
    for bits in 0..8 {
        let options = Options::new().reinterpret(bits & 1 > 0).undouble(bits & 2 > 0);
        all.push(if bits & 4 > 0 { options.fallback(windows1252()) } else { options });
    }
    all
}

/// For any bytes: the result is well-formed, keeps everything well-formed, can be taken back,
/// and does not depend on the chunks.
fn check(bytes: &[u8], cuts: &[usize]) {
    for options in all_options() {
        let whole = pieces(bytes, &options, bytes.len().max(1));
        for cut in cuts {
            assert_eq!(pieces(bytes, &options, *cut), whole, "{bytes:02X?} {options:?} cut every {cut}");
        }
        let (kept, changes, all) = whole;
        assert!(from_utf8(&all).is_ok(), "{bytes:02X?} {options:?}");
        assert_eq!(repair(bytes, &options).as_bytes(), all);
        let (mut original, mut rest) = (Vec::new(), all.as_slice());
        for (offset, _, before, after) in &changes {
            let (front, later) = rest.split_at(*offset as usize - original.len());
            original.extend_from_slice(front);
            original.extend_from_slice(before);
            rest = later.strip_prefix(after.as_bytes()).expect("the change stands there");
        }
        original.extend_from_slice(rest);
        assert_eq!(original, bytes);
        if !options.undouble {
            let well_formed: Vec<u8> = bytes.utf8_chunks().flat_map(|chunk| chunk.valid().bytes()).collect();
            // A surrogate pair or an overlong form has nothing well-formed in it.
            assert_eq!(kept, well_formed, "{bytes:02X?}");
            if options.fallback.is_none() && !options.reinterpret {
                assert_eq!(all, String::from_utf8_lossy(bytes).as_bytes());
            }
        }
    }
}

#[test]
fn any_bytes_become_well_formed_and_can_be_taken_back() {
    const BYTES: [u8; 16] =
        [0x0A, 0x41, 0x80, 0x8F, 0x99, 0xA0, 0xA9, 0xBF, 0xC0, 0xC2, 0xC3, 0xE2, 0xED, 0xF0, 0xF4, 0xFC];
    let mut state = 1u64;
    for round in 0..400 {
        let len = round % 40;
        let bytes: Vec<u8> = (0..len)
            .map(|_| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                BYTES[(state >> 60) as usize]
            })
            .collect();
        check(&bytes, &[1, 2, 3, 7]);
        // As text of windows-1252: complete and broken sequences.
        let read: String = bytes.iter().map(|byte| windows1252().read(*byte)).collect();
        check(read.as_bytes(), &[1, 5]);
    }
}

#[test]
fn long_runs_are_cut_where_no_layer_is() {
    let twice = |text: &str| -> String {
        let read = |text: &str| -> String { text.bytes().map(|byte| windows1252().read(byte)).collect() };
        read(&read(text))
    };
    let options = Options::new().undouble(true);
    for text in ["日本語の文章", "🎉🚀", "Привет", "é"] {
        let text = text.repeat(1000);
        let bytes = twice(&text).into_bytes();
        let whole = pieces(&bytes, &options, bytes.len());
        assert!(whole.2 == text.as_bytes(), "{}", &text[..24]);
        assert!(pieces(&bytes, &options, 4093) == whole);
    }
    // Nothing but errors: changes stay small.
    let bytes = [0xFFu8; 100_000];
    let (_, changes, all) = pieces(&bytes, &Options::new(), 999);
    assert!(changes.iter().all(|change| change.2.len() <= 4096) && all.len() == 300_000);
    assert_eq!(pieces(&bytes, &Options::new(), 100_000).1, changes);
}

#[test]
fn forms_of_a_character_become_it() {
    let options = Options::new().reinterpret(true);
    for (bytes, text) in [
        (&b"\xC0\x80"[..], "\0"),
        (b"a\xE0\x80\xAFb", "a/b"),
        (b"\xF8\x80\x80\x80\xAF\xFC\x80\x80\x80\x80\xAF", "//"),
        (b"\xED\xA0\xBD\xED\xB8\x80", "😀"),
        (b"\xED\xA0\xBD", "\u{FFFD}\u{FFFD}\u{FFFD}"),
        (b"\xED\xB8\x80\xED\xA0\xBD", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        (b"\xF5\x80\x80\x80", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        (b"\xF8\x88\x80\x80\x80", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        (b"\xF0\x8D\xA0\xBD", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        (b"\xC0", "\u{FFFD}"),
    ] {
        assert_eq!(repair(bytes, &options), text, "{bytes:02X?}");
        check(bytes, &[1, 2, 5]);
    }
    assert_eq!(repair(b"\xC0\xAF\xE9", &options.fallback(windows1252())), "/é");
}

#[test]
fn neighbours_of_one_kind_are_one_change() {
    let options = Options::new().fallback(windows1252()).reinterpret(true);
    let (_, changes, _) = pieces(b"a\xE9\xE8b\xC0\xAF\xFF\xC0\xAF", &options, 1);
    let short: Vec<_> =
        changes.iter().map(|(at, kind, before, after)| (*at, kind.name(), before.len(), after.as_str())).collect();
    assert_eq!(
        short,
        [(1, "fallback", 2, "éè"), (4, "reinterpreted", 2, "/"), (6, "fallback", 1, "ÿ"), (7, "reinterpreted", 2, "/")]
    );
}

#[test]
fn what_can_be_meant_is_left() {
    let options = Options::new().undouble(true);
    let undone = |text: &str| repair(text.as_bytes(), &options).into_owned();
    assert_eq!(undone("NicolÃ¡s"), "Nicolás");
    assert_eq!(undone("NicolÃ¡s – ça"), "Nicolás – ça");
    assert_eq!(undone("NicolÃ¡s – ça, AndrÃ©"), "Nicolás – ça, André");
    assert_eq!(undone("AHÅ™, the sofa"), "AHÅ™, the sofa");
    assert_eq!(undone("AHÅ™: Å™eka tÅ™i pÅ™i"), "AHř: řeka tři při");
    for text in ["Brontë…”", "né\u{A0}»", "QUEM É¿", "dáš…”", "a lot of Ã’s", "AMANHÃ…", "5×£35"]
    {
        assert_eq!(undone(text), text);
    }
    // The result of one layer is not evidence for the next.
    assert_eq!(undone("QUEM Ã‰Â¿ nÃ£o"), "QUEM É¿ não");
    // All runs of a line, or none.
    assert_eq!(undone("Twice Ã© Ã¨ here"), "Twice é è here");
}

#[test]
fn utf_8_that_was_read_in_any_of_these_comes_back() {
    let text = "Žluťoučký kůň – „příliš“ Grüße, été: Съешь же ещё этих булок";
    for name in ["windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1254", "windows-1257"]
        .into_iter()
        .chain(["ISO-8859-1", "ISO-8859-2", "ISO-8859-15", "macintosh", "IBM437", "IBM850", "IBM866", "KOI8-R"])
    {
        let encoding = Encoding::for_label(name).unwrap();
        let table = Fallback::new(encoding).unwrap();
        // An unassigned byte is the control of that code.
        let read = |byte: u8| match table.read(byte) {
            char::REPLACEMENT_CHARACTER => char::from(byte),
            c => c,
        };
        let mut garbled = String::from(text);
        for times in 1..=4 {
            garbled = garbled.bytes().map(read).collect();
            let options = Options::new().undouble(true);
            assert_eq!(repair(garbled.as_bytes(), &options), text, "{name} {times}");
            let mut survey = Survey::new(&options);
            survey.feed(garbled.as_bytes());
            let mut repairer = Repairer::new(options).with_evidence(survey.finish());
            let mut take = |piece: Stretch<'_>| {
                if let Stretch::Changed(change) = piece {
                    assert_eq!((change.encoding(), change.layers()), (Some(encoding), times), "{name}");
                }
            };
            repairer.feed(garbled.as_bytes(), &mut take);
            repairer.finish(&mut take);
        }
    }
}

#[test]
fn what_lost_its_spaces_or_was_cesu_8_before_comes_back() {
    let options = Options::new().undouble(true);
    let undone = |text: &str| repair(text.as_bytes(), &options).into_owned();
    assert_eq!(undone("cafÃ© Ã la carte, voilÃ !"), "café à la carte, voilà!");
    assert_eq!(undone("dÃ©jÃ  vu Ã  la cafÃ©"), "déjà vu à la café");
    assert_eq!(undone("rire í\u{A0}½í¸\u{82} Ã©tÃ©"), "rire 😂 été");
}

#[test]
fn what_lost_a_byte_is_left() {
    let options = Options::new().undouble(true);
    for text in ["Ñ\u{FFFD}", "ÐºÑ\u{FFFD}", "ã†â€™ãƒâ"] {
        assert_eq!(repair(text.as_bytes(), &options), text);
    }
}

/// `text` as it looks after it was read in the encoding and saved.
fn misread(text: &str, encoding: &str) -> String {
    let table = Fallback::new(Encoding::for_label(encoding).unwrap()).unwrap();
    let read = |byte: u8| match table.read(byte) {
        char::REPLACEMENT_CHARACTER => char::from(byte),
        c => c,
    };
    text.bytes().map(read).collect()
}

#[test]
fn a_run_that_is_repeated_in_one_line_is_undone() {
    let options = Options::new().undouble(true);
    for (encoding, text) in [
        ("windows-1252", "{\"city\":\"Zürich\",\"zip\":8001},"),
        ("windows-1252", "(17,'Jäger','Bonn',NULL),"),
        ("windows-1252", "<td>Peña</td>"),
        ("windows-1252", "We don’t know yet. "),
        ("windows-1252", "Boil it at 90 °C and wait. "),
        ("windows-1252", "It costs 40 € today. "),
        ("windows-1252", "No.\u{A0}5 of 7, "),
        ("windows-1252", "Great work 👍 thanks. "),
        ("windows-1252", "Die Tür fällt zu, und Jörg läuft über die Straße. "),
        ("windows-1252", "Завтра утром поезд уходит в Казань. "),
        ("windows-1251", "Завтра утром поезд уходит в Казань. "),
        ("windows-1250", "Příští týden přijede můj bratr. "),
        // With the `å` of ISO-8859-2 it would be as likely a word, in Swedish.
        ("windows-1250", "Ungültiges Wort: es enthält nur Zeichen, die hier nicht erlaubt sind. "),
        ("windows-1250", "Ein ungültiges Wort enthält Zeichen, die hier nicht erlaubt sind. "),
        ("macintosh", "{\"city\":\"Málaga\"},"),
        ("IBM437", "Le garçon a mangé une pêche. "),
    ] {
        let once = misread(text, encoding);
        for times in [8, 15, 16, 17, 18, 33, 64, 65, 400] {
            let line = text.repeat(times);
            let front = format!("{{\"all\":[\n{line}\n]}}\n");
            for (garbled, whole) in [(misread(&line, encoding), &line), (misread(&front, encoding), &front)] {
                assert_eq!(&repair(garbled.as_bytes(), &options), whole, "{times} in {encoding}");
            }
            // Where a page mixes texts, only the defaults of programs are undone.
            if encoding == "windows-1252" {
                let half = [text, &once].concat().repeat(times);
                assert_eq!(repair(half.as_bytes(), &options), text.repeat(2 * times), "half of {times}");
            }
        }
    }
}

#[test]
fn text_that_is_repeated_in_one_line_and_may_be_meant_is_left() {
    let options = Options::new().undouble(true);
    for text in [
        "Brontë…” ",
        "QUEM É¿ ",
        "AMANHÃ… ",
        "a lot of Ã’s, ",
        "5×£35; ",
        "né\u{A0}», ",
        "Grüße aus Köln. ",
        "Съешь ещё булок. ",
        "«Été» – ça va. ",
    ] {
        for times in [2, 16, 17, 50, 400] {
            let line = text.repeat(times);
            assert_eq!(repair(line.as_bytes(), &options), line, "{times}");
        }
    }
}

/// `text`, written in one encoding, as it looks after it was read in another one and saved.
/// `None` if it cannot be written, or loses something.
fn crossed(text: &str, written: &str, read: &str) -> Option<String> {
    let [written, read] = [written, read].map(|name| Encoding::for_label(name).unwrap());
    let (bytes, is_lossy) = written.encode(text);
    if is_lossy {
        return None;
    }
    let read = match Fallback::new(read).filter(|_| crate::line::is_single_byte(read)) {
        Some(table) => {
            let c = |byte: &u8| match table.read(*byte) {
                char::REPLACEMENT_CHARACTER => char::from(*byte),
                c => c,
            };
            bytes.iter().map(c).collect()
        }
        None => match read.decode(&bytes) {
            (text, false) => text.into_owned(),
            _ => return None,
        },
    };
    Some(read)
}

/// Sentences, and the encodings that they are written in and misread in.
const CROSSED: [(&str, &[&str], &[&str]); 27] = [
    (
        "Завтра утром наш поезд уходит в Казань, а вечером мы вернёмся домой.",
        &["windows-1251", "KOI8-R", "IBM866"],
        &["windows-1252", "ISO-8859-1", "windows-1250", "windows-1251", "KOI8-R", "IBM866", "IBM437", "macintosh"],
    ),
    (
        "Сьогодні ввечері ми їдемо до бабусі, бо вона спекла пиріжки з вишнями.",
        &["windows-1251", "KOI8-U"],
        &["windows-1252", "ISO-8859-1", "windows-1251", "KOI8-R"],
    ),
    ("Утре сутринта влакът тръгва от централната гара за морето.", &["windows-1251"], &["windows-1252", "ISO-8859-1"]),
    (
        "Αύριο το πρωί το πλοίο φεύγει από το λιμάνι για το νησί.",
        &["windows-1253", "ISO-8859-7", "IBM737"],
        &["windows-1252", "IBM437", "macintosh"],
    ),
    ("מחר בבוקר הרכבת יוצאת מהתחנה המרכזית לחיפה", &["windows-1255"], &["windows-1252", "ISO-8859-1"]),
    ("غدا صباحا يغادر القطار المحطة إلى المدينة الكبيرة", &["windows-1256"], &["windows-1252", "ISO-8859-1"]),
    ("พรุ่งนี้เช้ารถไฟออกจากสถานีไปเชียงใหม่", &["windows-874"], &["windows-1252", "ISO-8859-1"]),
    (
        "Yarın sabah trenimiz kalkıyor, akşam çocuklarla birlikte eve döneceğiz, değil mi?",
        &["windows-1254", "ISO-8859-9"],
        &["windows-1252", "ISO-8859-1", "windows-1250"],
    ),
    (
        "Rytoj rytą traukinys išvažiuoja į Klaipėdą, o vakare grįšime namo su žuvimis ir šviežiais vaisiais.",
        &["windows-1257"],
        &["windows-1252", "ISO-8859-1"],
    ),
    (
        "Rīt no rīta vilciens dodas uz Liepāju, bet vakarā mēs atgriezīsimies mājās pie bērniem un kaķiem.",
        &["windows-1257"],
        &["windows-1252", "ISO-8859-1"],
    ),
    (
        "Jutro rano pociąg odjeżdża z dworca, a wieczorem wrócimy do domu, bo dzieci będą już głodne i śpiące.",
        &["windows-1250", "ISO-8859-2", "IBM852"],
        &["windows-1252", "ISO-8859-1"],
    ),
    (
        "Zítra ráno náš vlak odjíždí z nádraží a večer se vrátíme domů, protože děti budou mít hlad.",
        &["windows-1250", "ISO-8859-2"],
        &["windows-1252", "ISO-8859-1"],
    ),
    (
        "Zajtra ráno náš vlak odchádza zo stanice, večer sa vrátime domov, lebo deti budú unavené a šťastné ľudia čakajú.",
        &["windows-1250"],
        &["windows-1252"],
    ),
    (
        "Holnap reggel a vonatunk elindul, este pedig hazatérünk, mert a gyerekek éhesek és nagyon fáradtak lesznek.",
        &["IBM852"],
        &["windows-1252"],
    ),
    (
        "Demain matin notre train quitte la gare, et le soir nous rentrerons à la maison où les élèves fêtent Noël.",
        &["windows-1252"],
        &["macintosh", "IBM437", "IBM850", "windows-1251"],
    ),
    (
        "Mañana por la mañana el tren sale de la estación, y según el señor Núñez volverá también el próximo año.",
        &["windows-1252"],
        &["macintosh", "IBM850", "windows-1250"],
    ),
    (
        "Morgen früh fährt unser Zug ab, und am Abend müssen wir zurück, weil die Mädchen schöne Grüße ausrichten.",
        &["windows-1252"],
        &["macintosh", "IBM437", "IBM850", "windows-1251"],
    ),
    (
        "Demain matin notre train quitte la gare, et le soir nous rentrerons à la maison où les élèves fêtent Noël.",
        &["macintosh"],
        &["windows-1252"],
    ),
    (
        "Amanhã de manhã o comboio sai da estação, e à noite não voltaremos porque as crianças já estão lá.",
        &["windows-1252"],
        &["windows-1250", "windows-1251"],
    ),
    (
        "I morgon bitti går vårt tåg från stationen, och på kvällen är vi hemma hos många små katter på ön.",
        &["windows-1252"],
        &["windows-1250"],
    ),
    (
        "明日の朝、私たちの列車は駅を出て、夜には家に帰ります。",
        &["EUC-JP", "Shift_JIS"],
        &["windows-1252", "ISO-8859-1"],
    ),
    ("明天早上我们的火车从车站出发，晚上我们回家。", &["GBK"], &["windows-1252", "ISO-8859-1"]),
    ("明天早上我們的火車從車站出發，晚上我們回家吃飯。", &["Big5"], &["windows-1252", "ISO-8859-1"]),
    ("내일 아침 우리 기차는 역을 떠나고 저녁에는 집으로 돌아옵니다.", &["EUC-KR"], &["windows-1252", "ISO-8859-1"]),
    ("列車は駅を出て、夜には帰ります。", &["UTF-8"], &["Shift_JIS", "GBK"]),
    ("火车从车站出发了。", &["UTF-8"], &["GBK", "gb18030"]),
    ("기차는 역을 떠나고 저녁에는 집으로 돌아옵니다.", &["UTF-8"], &["EUC-KR"]),
];

#[test]
fn text_that_was_read_in_another_encoding_comes_back() {
    let options = Options::new().undouble(true);
    let mut tried = 0;
    for (text, writers, readers) in CROSSED {
        for (written, read) in writers.iter().flat_map(|written| readers.iter().map(move |read| (written, read))) {
            let pair = [written, read].map(|name| Encoding::for_label(name).unwrap());
            let is_customary = CROSSINGS.iter().any(|crossing| [crossing.written, crossing.read] == pair);
            let garbled = crossed(text, written, read).filter(|garbled| is_customary && garbled != text);
            let Some(garbled) = garbled else { continue };
            tried += 1;
            assert_eq!(repair(garbled.as_bytes(), &options), text, "{written} read as {read}: {garbled}");
            let lines = format!("# US-ASCII\n\n{garbled}\n{garbled}\n");
            let expected = format!("# US-ASCII\n\n{text}\n{text}\n");
            assert_eq!(repair(lines.as_bytes(), &options), expected, "{written} read as {read}");
            check(garbled.as_bytes(), &[1, 7]);
            // And once more, as UTF-8 read in windows-1252.
            let doubled = misread(&garbled, "windows-1252");
            assert_eq!(repair(doubled.as_bytes(), &options), text, "{written} read as {read}, encoded twice");
        }
    }
    assert!(tried > 60, "{tried}");
}

#[test]
fn what_was_misread_as_what_is_said() {
    for (text, written, read, layers) in [
        ("Добро пожаловать в наш город", "windows-1251", "windows-1252", 1),
        ("Добро пожаловать в наш город", "KOI8-R", "windows-1251", 1),
        ("欢迎来到我们的新城市", "UTF-8", "GBK", 1),
        ("我們的城市歡迎您來參觀", "Big5", "windows-1252", 1),
    ] {
        let garbled = crossed(text, written, read).unwrap();
        let options = Options::new().undouble(true);
        let mut survey = Survey::new(&options);
        survey.feed(garbled.as_bytes());
        let mut repairer = Repairer::new(options).with_evidence(survey.finish());
        let mut count = 0;
        let mut take = |piece: Stretch<'_>| {
            if let Stretch::Changed(change) = piece {
                count += 1;
                let names = [change.written(), change.encoding()].map(|encoding| encoding.unwrap().name());
                assert_eq!((change.kind, names, change.layers()), (ChangeKind::Undoubled, [written, read], layers));
            }
        };
        repairer.feed(garbled.as_bytes(), &mut take);
        repairer.finish(&mut take);
        assert!(count > 0, "{garbled}");
    }
}

#[test]
fn controls_become_the_punctuation_that_they_were() {
    let options = Options::new().undouble(true);
    let undone = |text: &str| repair(text.as_bytes(), &options).into_owned();
    assert_eq!(undone("It isn\u{92}t late"), "It isn’t late");
    assert_eq!(undone("pages 3\u{96}9"), "pages 3–9");
    assert_eq!(undone("\u{93}Wait\u{85}\u{94} \u{97} she said"), "“Wait…” — she said");
    // The rest of the text is right.
    assert_eq!(undone("Łódź \u{96} miasto, \u{84}złota\u{94} jesień"), "Łódź – miasto, „złota” jesień");
    assert_eq!(undone("Москва \u{97} столица"), "Москва — столица");
    for text in [
        // Escape sequences and line ends of ISO 6429.
        "\u{9B}31merror\u{9B}0m: 3 files",
        "first\u{85}Second\u{85}Third\u{85}",
        // Letters of another code page.
        "Nadie est\u{87} en casa",
        "un \u{87}tomo",
        "il y \u{88} cinq ans",
        // All of them: a table.
        "\u{80}\u{81}\u{82}\u{83}\u{84}\u{85}\u{86}\u{87}\u{88}\u{89}\u{8A}\u{8B}\u{8C}\u{8D}\u{8E}\u{8F}\u{90}",
    ] {
        assert_eq!(undone(text), text);
    }
}

#[test]
fn what_lost_a_character_in_another_encoding_is_left() {
    let options = Options::new().undouble(true);
    for (text, read, marks) in [
        ("网络连接失败，请稍后再试。", "GBK", ["\u{FFFD}", "?"]),
        ("ファイルを保存できませんでした", "Shift_JIS", ["\u{FFFD}", "?"]),
    ] {
        let read = Encoding::for_label(read).unwrap();
        for mark in marks {
            let (garbled, _) = read.decode(text.as_bytes());
            let garbled = garbled.replace('\u{FFFD}', mark);
            let undone = repair(garbled.as_bytes(), &options);
            // All that is there exactly is a part of the text; the rest is as it was.
            let lost = |c: char| !text.contains(c);
            assert!(undone.chars().filter(|c| !lost(*c)).count() * 2 > text.chars().count(), "{undone}");
            assert!(undone.chars().filter(|c| lost(*c)).all(|c| garbled.contains(c)), "{garbled} {undone}");
        }
    }
}

#[test]
fn lines_that_are_right_are_left_beside_those_that_were_misread() {
    let options = Options::new().undouble(true);
    let right = "Привет, это обычная строка.\nUne ligne où tout est déjà écrit.\n";
    for (text, written, read) in [
        ("Сегодня в городе идёт сильный дождь", "windows-1251", "windows-1252"),
        ("Σήμερα βρέχει πολύ στην πόλη", "windows-1253", "windows-1252"),
        ("今日は町で雨がたくさん降っています", "EUC-JP", "ISO-8859-1"),
        ("今天城里下着很大的雨", "UTF-8", "GBK"),
    ] {
        let garbled = crossed(text, written, read).unwrap();
        for times in [1, 5, 200] {
            let page = format!("{right}{garbled}\n").repeat(times);
            let expected = format!("{right}{text}\n").repeat(times);
            assert!(repair(page.as_bytes(), &options) == expected, "{written} read as {read}, {times}");
            let line = format!("{garbled} ").repeat(times);
            assert!(repair(line.as_bytes(), &options) == format!("{text} ").repeat(times), "{written} {times}");
        }
    }
}

/// Of many words some are others by chance, in each way in which text is misread.
#[test]
fn long_lists_of_words_are_left() {
    let options = Options::new().undouble(true);
    for letters in
        ["абвгдеёжзийклмнопрстуфхцчшщъыьэюяүө", "αβγδεζηθικλμνξοπρστυφχψωάέήίόύώς", "aáäčdďeéíkľmňoóôöprřsšťuúůüýž"]
    {
        let letters: Vec<char> = letters.chars().collect();
        let mut state = 11_u32;
        let mut random = |n: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as usize % n
        };
        let mut list = String::new();
        for _ in 0..60_000 {
            let (len, is_capital) = (2 + random(7), random(4) == 0);
            for _ in 0..len {
                let letter = letters[random(letters.len())];
                if is_capital { list.extend(letter.to_uppercase()) } else { list.push(letter) }
            }
            list.push_str(["\n", "/N00N\n", "/m1a0++\n"][random(3)]);
        }
        let (_, changes, _) = pieces(list.as_bytes(), &options, 1 << 16);
        assert!(changes.is_empty(), "{changes:?}");
    }
}

#[test]
fn a_few_lines_in_a_long_text_are_undone() {
    let options = Options::new().undouble(true);
    let clean = ["Der Zug fährt früh ab.\n", "Die Gäste warten schon.\n", "Es gibt Äpfel und Nüsse.\n"];
    let garbled = ["Größe und Länge der Tür\n", "Übung macht den Schüler müde\n", "schöne Grüße aus Köln\n"];
    for each in [100, 1000, 5000] {
        let (mut text, mut whole) = (String::new(), String::new());
        for n in 0..20_000 {
            let is_garbled = n % each == each - 1;
            let line = if is_garbled { garbled[n / each % 3] } else { clean[n % 3] };
            let line = format!("{n}: {line}");
            text.push_str(&if is_garbled { misread(&line, "windows-1252") } else { line.clone() });
            whole.push_str(&line);
        }
        assert_eq!(repair(text.as_bytes(), &options), whole, "each {each}th");
    }
}

#[test]
fn text_that_looks_as_if_it_was_misread_is_left() {
    let options = Options::new().undouble(true);
    let texts = [
        "Ñandú, Ñuñoa y ÑOÑO",
        "Ë\nó\n÷\n",
        "Ð ð Þ þ Æ æ Ö ö",
        "é è ê ë à â ù û ü ô ö î ï ÿ ç œ æ",
        "áéíóú ÁÉÍÓÚ äëïöü ÄËÏÖÜ àèìòù ÀÈÌÒÙ",
        "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞß",
        "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
        "alphabet=\"ABCDEFGHIJKLMNOPRSTUVZabcdefghijklmnoprstuvzÁÉÍÓÖÚÜáéíóöúüŐőŰű\",",
        "letters = 'aáäbcčdďeéfghiíjklĺľmnňoóôpqrŕsštťuúvwxyýzž';",
        "[A-ZÀÂÆÇÈÉÊËÎÏÔÙÛÜŸa-zàâæçèéêëîïôùûüÿ]+",
        "День РРРР-ММ-ДД ГГ:ХХ:СС",
        "Þórarinn fór út í búð og keypti þrjár ýsur, lýsi og ósýnilegan ís",
        "Føroyingar eta nógvan fisk, tá ið veðrið er gott",
        "Mae’r dŵr yn oer iawn yn Llŷn a’r cŵn yn cysgu",
        "An bhfuil an tÓglach agus an nÉireannach in Óige na hÉireann?",
        "Azərbaycan dilində çox gözəl sözlər var, şirin və ürəyəyatan",
        "Türkmenistanyň paýtagty Aşgabat şäheridir, ýagşy günler",
        "Μῆνιν ἄειδε, θεά, Πηληϊάδεω Ἀχιλῆος",
        "/ðə ˈkwɪk braʊn fɒks/ [ˈɪŋɡlɪʃ] /ɛ̃ ɔ̃ ɑ̃ œ̃/",
        "dharmakṣetre kurukṣetre samavetā yuyutsavaḥ",
        "Abū ʿAbd Allāh Muḥammad ibn Mūsā al-Khwārizmī",
        "Tiếng Việt là ngôn ngữ của người Việt Nam",
        "∀x∈ℝ: ⌈x⌉ = −⌊−x⌋, α ∧ ¬β; Δx·Δp ≥ ħ/2",
        "5×3÷2±1, 25 µm, 10²³ m³, ½ £5 ¥500 €3",
        "║ Über ║ Schließen ║\n╚══════╝\n",
        "│ Größe       │\n├─────────────┤\n",
        "ƒµñ†î¢ø‡ £33t ñ00b $ŧřăņğė",
        "[!!! Ŧħïš ïš ä ţëšť šţřïñğ !!!]",
        "XÉ-2000 ÄÖÜ-4711 Ø12×30",
        "iPhone™ McDonald’s® µTorrent eBay© „Gänsefüßchen“ 3€50",
        "Jugoslоvenska",
        "test(\"TΔTΔ oﬃce\" => \"TΔTΔ\");",
        "ХҮҮХДҮҮДИЙГ СУРГУУЛЬД ЯВУУЛЦГААЖ БАЙГААГ МЭДЭЭД ГЭРТЭЭ ТЭМДЭГЛЭЛЦГЭЭВ",
        "США, СССР, НАТО и ООН; ПРОГРАММА ДЛЯ ЭВМ «УЧЁТ»",
        "ΕΛΛΗΝΙΚΗ ΔΗΜΟΚΡΑΤΙΑ ΥΠΟΥΡΓΕΙΟ",
        "Dvořák & Brontë: Ångström, Škoda, Łódź, Çelik, Ñuñoa, Gøteborg",
        "Français Español Čeština Magyar Türkçe Íslenska Română Polski Norsk bokmål",
        "龘靐齉齾爩鱻麤 囧囍 縺は稀な字です",
        "ｶﾀｶﾅ ﾊﾝｶｸ ﾃﾞｰﾀ",
        "a1ﬂó a1bá a1csó",
        "¤ § ¶ ¢ £ ¥ ¤¤¤",
    ];
    for text in texts {
        assert_eq!(repair(text.as_bytes(), &options), text);
        for times in [2, 40] {
            let page = format!("{text}\n").repeat(times);
            assert_eq!(repair(page.as_bytes(), &options), page);
        }
    }
    let page = texts.join("\n");
    assert_eq!(repair(page.as_bytes(), &options), page);
}

#[test]
fn a_replacement_character_or_a_ligature_that_was_encoded_twice_is_no_other_script() {
    let options = Options::new().undouble(true);
    for (garbled, text) in [
        ("the ï¿½ of a page that was read twice", "the \u{FFFD} of a page that was read twice"),
        ("an ofп¬Ѓce in the city", "an of\u{FB01}ce in the city"),
    ] {
        assert_eq!(repair(garbled.as_bytes(), &options), text);
    }
    // One doubled control may be meant.
    assert_eq!(repair("( o¬ô )".as_bytes(), &options), "( o¬ô )");
}

#[test]
fn a_capital_before_a_space_is_no_rare_letter() {
    let options = Options::new().undouble(true);
    for space in [' ', '\u{A0}'] {
        for (capital, doubled, text) in [("È", "un'unitÃ\u{A0}", "un'unità"), ("Ü", "die KÃ¼che", "die Küche")] {
            let of = |text: &str| format!("{text}. {capital}{space}invece. ").repeat(4);
            assert_eq!(repair(of(doubled).as_bytes(), &options), of(text));
        }
    }
}

#[test]
fn letters_of_languages_without_a_model_come_back_with_the_rest() {
    let options = Options::new().undouble(true);
    for text in [
        "Şəhərin mərkəzində yeni kitabxana açıldı",
        "Gəncə şəhəri",
        "Kitobxona shahar markazida, uning eshigi doimo ochiq — keliboʻqing",
        "Diné bizaad shił yáʼátʼééh, nizhóní",
        "Hawaiʻi nei — mālama ʻāina, aloha",
    ] {
        for encoding in ["windows-1252", "iso-8859-1"] {
            let garbled = misread(text, encoding);
            assert_eq!(repair(garbled.as_bytes(), &options), text, "{garbled}");
        }
    }
}

#[test]
fn the_code_page_of_windows_is_likelier_than_its_standard() {
    let options = Options::new().undouble(true);
    for text in ["Südliches Afrika", "Straßenbahn", "Güterzug", "Küstenstraße"] {
        let garbled = misread(text, "windows-1250");
        assert_eq!(repair(garbled.as_bytes(), &options), text, "{garbled}");
    }
}

/// The repaired lines of a text of which a survey was made.
fn undone(text: &str) -> String {
    String::from_utf8(pieces(text.as_bytes(), &Options::new().undouble(true), text.len()).2).unwrap()
}

#[test]
fn encodings_that_undo_the_same_elsewhere_are_told_apart_by_the_text() {
    // The letter whose bytes the two read in another way comes late.
    for (read, lines) in [
        (
            "IBM850",
            "šuma i rječica\nIlić, šta će biti\nnatašte čitati\npriključnica škole\nuzeo što će\ndrživ i složen\nnajvažniji život",
        ),
        ("IBM437", "año económico\nSebastián, dígame\nLas más rápidas\nchimpancé y café\nla montaña está aquí\n"),
    ] {
        for text in [lines.into(), lines.replace('\n', " ")] {
            assert_eq!(undone(&misread(&text, read)), text, "{read}");
        }
    }
}

#[test]
fn a_word_is_undone_whole_or_not_at_all() {
    // The second letter cannot be read in the encoding of the first one.
    let text = format!(
        "{} {} G\u{251C}\u{2310}r\u{251C}\u{2524}me\n",
        misread("Größe für Bücher", "IBM850"),
        misread("Übung, schön", "IBM850")
    );
    let after = undone(&text);
    assert!(after.contains("Gérôme") || after.contains("G\u{251C}\u{2310}r\u{251C}\u{2524}me"), "{after}");
}

#[test]
fn a_letter_before_a_space_that_does_not_break_was_meant() {
    let text = format!(
        "{}\nTRÍ\u{A0}NHỚ\n{}\n",
        misread("Đường phố và bầu trời", "windows-1252"),
        misread("những người bạn", "windows-1252")
    );
    assert!(undone(&text).contains("TRÍ\u{A0}NHỚ"), "{}", undone(&text));
    let text = format!("{}\nВ\u{A0}начале было слово\n", misread("Правда ли, что трава зеленее?", "windows-1251"));
    assert!(undone(&text).contains("В\u{A0}начале"), "{}", undone(&text));
}

/// Most lines are the same in both encodings; a few letters tell them apart.
#[test]
fn the_lines_of_a_text_were_misread_in_one_encoding() {
    let croatian =
        "Pomičite kursor gore.\nPlaža je čista.\nSada znate kako doći do sljedeće lekcije.\nVježbajte češće.\n";
    for (text, written, read) in [
        // `Ά` is B6, which is `¶` in windows-1253.
        (
            "Το βιβλίο είναι στο τραπέζι.\nΆλλη φορά θα έρθω νωρίς.\nΗ πόρτα έμεινε ανοιχτή.\n",
            "ISO-8859-7",
            "ISO-8859-1",
        ),
        // `š` and `ž` are C1 controls, which windows-1252 has too.
        (
            "Všechny změny se uloží průběžně.\npříklad; později začneme\nZítřejší běh začne dříve.\nNíže je věta.\n",
            "windows-1250",
            "ISO-8859-1",
        ),
        // The last byte of `ž` is another one in IBM437.
        (&croatian.repeat(6), "UTF-8", "IBM850"),
        (&[croatian.repeat(6), croatian.replace('\n', " ")].concat(), "UTF-8", "IBM850"),
    ] {
        assert_eq!(undone(&crossed(text, written, read).unwrap()), text, "{written} as {read}");
    }
}

/// Letters of the Macintosh that are punctuation in windows-1252.
#[test]
fn controls_that_may_be_letters_are_left() {
    for text in ["no hay garant\u{92}as de ello", "las \u{97}rdenes internas", "la redirecci\u{97}n de salida"] {
        assert_eq!(undone(text), text);
    }
    for (text, right) in [
        ("We don\u{92}t know", "We don’t know"),
        ("c\u{92}est l\u{92}heure", "c’est l’heure"),
        ("nell\u{92}ultima riga", "nell’ultima riga"),
        ("wait \u{97} no", "wait — no"),
    ] {
        assert_eq!(undone(text), right);
    }
}

#[test]
fn letters_with_signs_are_not_undone() {
    for text in [
        "V = 160 Å³\nV=161Å³\nU=0.02Å²\n",
        "1.9 Å resolution; 1250 Å²; 310 Å³\n",
        "area_Å²,vol_Å³,sd_Å²\n",
        "{\"area\":\"Å²\",\"volume\":\"Å³\",\"density\":\"e/Å³\"}\n",
        "Buchstaben –Ä–, –Ö– und –Ü–\n",
        "Literele «Ă», «Â» și «Î»\n",
        "B-factor (Å²),volume (Å³)\nB-factor (Å²),volume (Å³)\n",
        "»Ä«, »Ö«, »Ü«\n",
        "Die Umlaute »Ä«, »Ö« und »Ü« gibt es im Englischen nicht.\n",
        "The letters ‘Æ’, ‘Ø’ and ‘Å’ come after Z.\n",
        "As letras “á”, “é”, “ã” e “õ”.\n",
        "“ß”, “ä”, “ö”, “ü”\n",
        "Τάξεις: Α΄, Β΄, Γ΄, Δ΄, Ε΄\n",
        "Β΄ Γ΄ Δ΄\n",
        "Bohrung Ø±0,05 mm; Ø²; Ø³\n",
        "RÅ® hundefoder\nPÅ® dig\nBLÅ®\n",
        "“Đ”, “đ”, Đ…\n",
        "├Äpfel\n├Öl\n├Übung\n",
        "─Æble─\n─Øl─\n─År─\n─Ærlig─\n",
    ] {
        for text in [text.into(), text.repeat(10)] {
            assert_eq!(undone(&text), text);
        }
    }
}
