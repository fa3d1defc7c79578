//! Short and unusual texts in one encoding, one for each kind of file in public reports, with
//! other texts. Also binary data that resembles text in some encoding.

use crate::common::shards::is_in_share;
use utfkit::Encoding;
use utfkit::detect::{Certainty, Detection, detect};

use utfkit_testkit::random::Random;

fn encoded(text: &str, label: &str) -> Vec<u8> {
    let encoding = Encoding::for_label(label).unwrap();
    let bytes = encoding.encode(text).0.into_owned();
    assert_eq!(encoding.decode(&bytes).0, text, "{label} lacks a character");
    bytes
}

/// Asserts that the text is detected in the encoding with at least this certainty.
#[track_caller]
fn is_found(text: &str, label: &str, at_least: Certainty) -> Detection {
    let found = detect(&encoded(text, label));
    let reads_alike = found.encoding().is_some_and(|found| found.decode(&encoded(text, label)).0 == text);
    assert!(reads_alike && found.certainty() >= at_least, "{label}: {found}: {text:.60}");
    found
}

/// Asserts that no encoding is likely.
#[track_caller]
fn is_no_text(bytes: &[u8]) {
    let found = detect(bytes);
    assert!(found.encoding().is_none() || found.certainty() == Certainty::Guess, "{found}: {:02X?}", &bytes[..24]);
}

#[test]
fn half_width_katakana_are_japanese() {
    let names = ["ﾏﾂﾓﾄ", "ﾅｶｼﾞﾏ", "ﾋﾗﾔﾏ", "ｵｶﾞﾜ", "ﾐﾔｻﾞｷ", "ﾌｼﾞﾜﾗ", "ｷｸﾁ", "ﾀﾑﾗ"];
    let given = ["ﾖｼｵ", "ｹｲｺ", "ﾏｻﾙ", "ﾕﾐ", "ﾄｼﾋﾛ", "ｶｽﾞｴ", "ｼﾝｼﾞ", "ﾁｻﾄ"];
    let table = |rows: usize| -> String {
        (0..rows)
            .map(|row| format!("{},{},{},{}\r\n", 2000 + row, names[row % 8], given[row / 8 % 8], 37 * row))
            .collect()
    };
    // Records of fixed length, as banks exchange them.
    let records = |rows: usize| -> String {
        let record = |row: usize| {
            let (name, place) = (names[row % 8], given[(row + 3) % 8]);
            let gap = |text: &str, width: usize| " ".repeat(width - text.chars().count());
            format!(
                "2{:04}{name}{}{:03}{place}{}1{:07}{:010}0\r\n",
                31 + row,
                gap(name, 15),
                row,
                gap(place, 15),
                77 * row,
                900 * row
            )
        };
        (0..rows).map(record).collect()
    };
    // Postal codes with kana readings and ideographs.
    let places = |rows: usize| -> String {
        let place = |row: usize| {
            let (ward, kana) = [("中野区", "ﾅｶﾉｸ"), ("青葉区", "ｱｵﾊﾞｸ"), ("港北区", "ｺｳﾎｸｸ")][row % 3];
            format!(
                "{:05},\"{:07}\",\"ﾄｳｷｮｳﾄ\",\"{kana}\",\"{}\",\"東京都\",\"{ward}\",0,0,1\r\n",
                13101 + row,
                1640001 + 7 * row,
                names[row % 8]
            )
        };
        (0..rows).map(place).collect()
    };
    for label in ["Shift_JIS", "EUC-JP"] {
        for rows in [8, 80] {
            for text in [table(rows), records(rows), places(rows)] {
                is_found(&text, label, Certainty::Likely);
            }
        }
        is_found("ﾀﾞｲｺﾝ ﾆﾝｼﾞﾝ ｷｭｳﾘ ｼｲﾀｹ ﾎｳﾚﾝｿｳ", label, Certainty::Likely);
        is_found("ﾏﾂﾓﾄ ﾖｼｵ, ﾋﾗﾔﾏ ﾕﾐ", label, Certainty::Likely);
    }
    let seven_bits = b"\x1B(I6_@\x1B(B,\x1B(I?\x1B(B\r\n";
    assert_eq!(detect(seven_bits).name(), Some("ISO-2022-JP"), "{}", detect(seven_bits));
}

/// English has the letter of neither reading.
#[test]
fn a_german_word_in_english_text_is_in_windows_1252() {
    for word in ["Übung", "Ütze", "Ärger", "Über-Ich", "Überlingen", "Ärzte", "Öland"] {
        for text in [
            format!("The lake near {word} is said to be very deep, and the water is cold all year.\n"),
            format!("You will find the road at the end of the village.\nAsk for {word} when you are there.\n"),
        ] {
            is_found(&text, "windows-1252", Certainty::Guess);
        }
    }
}

#[test]
fn a_lone_sign_or_letter_is_most_likely_windows_1252() {
    let lines = [
        "We couldn´t find your order",
        "l´école n´ouvre qu´à midi",
        "´so called´ friends",
        "Velcro® straps",
        "(®)",
        "© 2001 Anna Smith",
        "garden of 300 m²",
        "flow 2 m³/h",
        "x² + 1",
        "layer of 15 µm",
        "4.7 µF",
        "see § 12",
        "§ 433 BGB",
        "5\u{A0}000 pieces",
        "Vol.\u{A0}2",
        "open 8–12",
        "1939–1945",
        "yes – indeed",
        "we don’t know",
        "’tis so",
        "and then…",
        "“Fine,” he said",
        "‘quoted’",
        "€ 7,50",
        "from 20 €",
        "-4 °C",
        "30°",
        "9 ÷ 3",
        "¥250",
        "¥ 80 000",
        "¶ 4",
        "0.5 ‰",
        "Ø 8 mm",
        "Ø: 60 cm",
        "½ pint",
        "¼",
        "3¾ inches",
        "± 2 %",
        "£12",
        "75¢",
        "© by the editors",
        "résumé",
        "Ångström",
        "jalapeño",
        "Gruß aus Köln",
        "crème caramel",
        "São Tomé",
        "Málaga",
        "smørrebrød",
        "¿Cómo?",
        "¡Ay!",
        "«voilà»",
        "• item",
        "Nº 3",
        "640×480",
    ];
    let mut likely = 0;
    for line in lines {
        let found = is_found(line, "windows-1252", Certainty::Guess);
        assert!(found.name() == Some("windows-1252") && found.certainty() <= Certainty::Likely, "{line}: {found}");
        likely += usize::from(found.certainty() == Certainty::Likely);
        let code = format!("/* {line} */\nstatic int last(void)\n{{\n    return 7;\n}}\n");
        is_found(&code, "windows-1252", Certainty::Guess);
    }
    assert!(4 * likely > 3 * lines.len(), "{likely} of {}", lines.len());
}

#[test]
fn a_word_of_few_letters_is_likely() {
    for word in ["Årø", "à côté", "Æbler", "naïf", "süß", "fünf", "más", "Düne", "fête", "año"] {
        is_found(word, "windows-1252", Certainty::Likely);
    }
}

#[test]
fn letters_that_speak_against_windows_1252_are_heard() {
    for (text, label) in [
        ("Świąteczny łańcuch", "windows-1250"),
        ("příští čtvrtek", "windows-1250"),
        ("Добро пожаловать", "windows-1251"),
        ("Καλώς ήρθατε", "windows-1253"),
        ("gelecek yıl görüşürüz", "windows-1254"),
        ("ברוכים הבאים", "windows-1255"),
        ("أهلا وسهلا بكم", "windows-1256"),
        ("Добро пожаловать домой", "KOI8-R"),
        ("Добро пожаловать домой", "IBM866"),
    ] {
        is_found(text, label, Certainty::Likely);
    }
}

#[test]
fn colours_and_other_controls_of_terminals_are_no_letters() {
    let lines: [(&str, &[&str]); 6] = [
        (
            "windows-1252",
            &["Verknüpfung zu „Bücher“ gelöscht", "Übertragung läuft, bitte später prüfen", "Prüfsumme ungültig"],
        ),
        ("windows-1251", &["Подключение установлено", "Ошибка чтения файла", "Проверка завершена успешно"]),
        ("windows-1250", &["Połączenie zostało przerwane", "Błąd odczytu pliku źródłowego", "Zakończono pomyślnie"]),
        ("KOI8-R", &["Подключение установлено", "Ошибка чтения файла", "Проверка завершена успешно"]),
        ("EUC-KR", &["연결이 끊어졌습니다", "파일을 읽을 수 없습니다", "검사가 끝났습니다"]),
        ("Shift_JIS", &["接続が切断されました", "ファイルを読み込めません", "検査が終了しました"]),
    ];
    for (label, lines) in lines {
        let each = |form: &dyn Fn(&str) -> String| lines.iter().map(|line| form(line)).collect::<String>();
        for text in [
            each(&|line| format!("\x1b[31m{line}\x1b[0m\n")),
            each(&|line| format!("\x1b[1;34m==>\x1b[0m {line}\x1b[K\r\n")),
            each(&|line| format!("\x1b]0;job\x07{line}\x1b(B\n")),
            each(&|line| format!("8=FIX.4.2\x0135=B\x0149=EXCH\x0158={line}\x0110=113\x01\n")),
            each(&|line| format!("7\x1f{line}\x1fok\x1e")),
            each(&|line| format!("{line}\n\x0c")),
        ] {
            is_found(&text, label, Certainty::Likely);
        }
    }
    // Bold and underlined by overstriking, as in printer manuals.
    let manual = "\
        O\x08OP\x08PÇ\x08ÇÕ\x08ÕE\x08ES\x08S\n\
        \x20   -v  imprime a _\x08v_\x08e_\x08r_\x08s_\x08ã_\x08o do programa e termina\n\
        D\x08DE\x08ES\x08SC\x08CR\x08RI\x08IÇ\x08ÇÃ\x08ÃO\x08O\n\
        \x20   As opções são lidas também da configuração do usuário.\n";
    is_found(manual, "windows-1252", Certainty::Likely);
}

#[test]
fn spelled_out_line_breaks_are_no_letters() {
    for text in [
        "menu.help\t\"Premi un tasto\\nper tornare al menù principale\\noppure attendi\\nperché il gioco è in pausa.\\n\"\n",
        "MSG12 = Das Gerät antwortet nicht.\\nBitte prüfen\\tSie das Kabel\\nund starten Sie das Gerät neu.\\n\n",
    ] {
        is_found(text, "windows-1252", Certainty::Likely);
    }
}

#[test]
fn tables_of_characters_are_texts_in_the_most_common_encoding() {
    let accents: String = "àâçèéêëîïôùûüÀÂÇÈÉÊËÎÔÙÛ".chars().map(|c| format!("map <Leader>{c} {c}\n")).collect();
    let latin: String =
        ('¡'..='ÿ').filter(|&c| c != '\u{AD}').map(|c| format!("{}\t{:02X}\t{c}\n", c as u32, c as u32)).collect();
    let compose: String = [("'", "áéíóúý"), ("`", "àèìòù"), ("^", "âêîôû"), ("~", "ãñõ")]
        .iter()
        .flat_map(|(mark, letters)| letters.chars().map(move |c| format!("compose '{mark}' to '{c}'\n")))
        .collect();
    for text in [&accents, &latin, &compose] {
        let found = detect(&encoded(text, "windows-1252"));
        assert!(found.name() == Some("windows-1252"), "{found}: {text:.60}");
    }
}

#[test]
fn lists_and_patterns_without_sentences_are_texts() {
    for (text, label) in [
        (".ab1é\n1ba\nb2lé\n.dé3s2a\n1fé\n2gré\n.mé2s1e\nné1o\n.pré1e\n3té\nu2é\n1vé\n", "windows-1252"),
        ("SET X\nTRY esirtanáé\n\nSFX A Y 3\nSFX A  0  né  [^é]\nSFX A  á  ák  á\nSFX A  é  ék  é\n", "windows-1252"),
    ] {
        let found = detect(&encoded(text, label));
        assert_eq!(found.name(), Some(label), "{found}: {text:.60}");
    }
    for (label, words) in [
        ("windows-1251", "абажур\nбагаж\nвагон\nгазета\nдача\nежевика\nжажда\nзавод\nиволга\n"),
        ("ISO-8859-2", "żaba\nźdźbło\nświeca\nłąka\nćma\nósemka\nńutka\nęsi\n"),
        ("windows-1252", "äpple\nbjörk\ncykel\ndörr\nfönster\ngård\nhäst\nö\n"),
    ] {
        is_found(words, label, Certainty::Guess);
    }
}

#[test]
fn box_drawing_is_from_dos() {
    for (label, names) in
        [("IBM437", ["Setup", "Network", "Quit to DOS"]), ("IBM866", ["Файл", "Правка", "Выход в систему"])]
    {
        let line = |name: &str| format!("│ {name}{}│\r\n", " ".repeat(30 - name.chars().count()));
        let page = format!("┌{0}┐\r\n{1}└{0}┘\r\n", "─".repeat(31), names.map(line).concat());
        is_found(&page, label, Certainty::Likely);
        let tree = names.map(|name| format!("├── {name}\r\n│   └── {name}\r\n")).concat();
        is_found(&tree, label, Certainty::Likely);
        let shades = names.map(|name| format!("░▒▓█ {name} █▓▒░\r\n")).concat();
        is_found(&shades, label, Certainty::Likely);
    }
    // Box drawing in string literals of US-ASCII code.
    let code = "begin\r\n  Write('│ Name:   │');\r\n  Write('│ Street: │');\r\n  Write('└─────────┘');\r\nend.\r\n";
    is_found(code, "IBM437", Certainty::Likely);
}

#[test]
fn names_in_ideographs_make_a_page_of_markup() {
    let links = |names: &[&str]| -> String {
        names.iter().map(|name| format!("<li><a href=\"../list.html\" class=\"entry\">{name}</a> | </li>")).collect()
    };
    is_found(&links(&["사용자", "설정 파일", "자주 묻는 질문", "목차"]), "EUC-KR", Certainty::Likely);
    is_found(&links(&["索引", "設定ファイル", "よくある質問", "目次"]), "EUC-JP", Certainty::Likely);
    is_found(&links(&["目录", "配置文件", "常见问题", "用户手册"]), "GBK", Certainty::Likely);
}

/// 8-bit sound: a tone with an envelope, and noise.
fn sound(random: &mut Random, len: usize) -> Vec<u8> {
    let (pitch, loudness) = (0.02 + random.below(40) as f64 / 100.0, 4.0 + random.below(100) as f64);
    let (beat, noise) = (0.0005 + random.below(50) as f64 / 10_000.0, random.below(8));
    let sample = |at: usize| {
        let at = at as f64;
        let value = 128.0 + loudness * (at * pitch).sin() * (at * beat).sin().powi(2);
        (value + random.below(noise + 1) as f64 - noise as f64 / 2.0).clamp(0.0, 255.0) as u8
    };
    (0..len).map(sample).collect()
}

#[test]
fn sound_is_no_text() {
    let mut random = Random::new(34);
    for len in [60, 300, 1877, 4000] {
        let no_text = (0..50).filter(|_| {
            let found = detect(&sound(&mut random, len));
            found.encoding().is_none() || found.certainty() == Certainty::Guess
        });
        // Few samples of a slow tone look like katakana or letters.
        assert!(no_text.count() >= if len < 100 { 48 } else { 50 }, "{len}");
    }
    is_no_text(&[&[0x80; 500][..], b"\x7F\x81\x80\x80\x82", &[0x80; 200]].concat());
}

#[test]
fn bytes_without_words_are_no_text() {
    let mut random = Random::new(35);
    for len in [100, 400, 4000] {
        for number in 0..50 {
            let bytes: Vec<u8> = (0..len).map(|_| random.below(256) as u8).collect();
            let no_controls: Vec<u8> = (0..len).map(|_| (0x20 + random.below(0xE0)) as u8).collect();
            if is_in_share(number) {
                is_no_text(&bytes);
                is_no_text(&no_controls);
            }
        }
    }
    // 32-bit addresses and lengths, with the high bit of each byte inverted: as units of 16
    // bits, half of them are rare ideographs.
    for _ in 0..50 {
        let words = (0..60).map(|_| random.below(1 << 14) as u32);
        let bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).map(|byte| byte ^ 0x80).collect();
        is_no_text(&bytes);
    }
}

#[test]
fn hiragana_without_a_line_end_are_japanese() {
    for text in [
        "ごめんなさい、きょうはいけません",
        "あしたはいそがしいので、きょうのうちにやっておきます",
        "おはようございます",
        "いいえ、わたしはいきません。いえにいます",
        "ひらがな\tあいうえお\nかたかな\tアイウエオ\n",
    ] {
        for label in ["euc-jp", "shift_jis"] {
            let found = is_found(text, label, Certainty::Likely);
            assert_eq!(found.encoding(), Encoding::for_label(label), "{found}: {text}");
        }
    }
}

#[test]
fn a_long_word_is_a_text() {
    for (label, word) in [
        ("windows-1252", "Donaudampfschifffahrtsgesellschaftskapitän"),
        ("windows-1252", "järjestelmällistyttämättömyydellänsäkäänköhän"),
        ("windows-1250", "megszentségteleníthetetlenségeskedéseitekért"),
        ("windows-1251", "превысокомногорассмотрительствующий"),
        ("koi8-r", "рентгеноэлектрокардиографического"),
        ("windows-1253", "ηλεκτροεγκεφαλογραφήματος"),
        ("windows-1252", "Überprüfungsergebniszusammenfassung: keine"),
    ] {
        is_found(word, label, Certainty::Likely);
    }
}

#[test]
fn characters_that_are_sequences_of_utf_8_by_chance_are_no_mixture() {
    let characters = [
        (
            "euc-jp",
            "聞無予必物担典足東京都内の図書館では毎週土曜日午後に子供たち読み聞かせ会が開れる参加費料で要ない冬間暖か飲用意親楽\
             しめ時となって者本習慣身につけるきっかほ話場古絵珍辞並大人止見入",
        ),
        (
            "gbk",
            "图每为也要预约准母一时说希习停馆周六下午都会孩子们举办故事参加者不用付费需冬天还热饮让父和起度过愉快的光负责人望\
             大家借此养成读书里摆放着旧画册少见辞典许多脚步观看",
        ),
        (
            "big5",
            "覺聽議讀職簡羅啥警簽翻禮圖書館每週六下午都會為孩子們舉辦故事參加者不用付費也需要預約冬天還準備熱飲讓父母和一起\
             度過愉快的時光負責人說希望大家藉此養成習慣場裡擺放著舊畫冊少見辭典許多停腳步觀看",
        ),
    ];
    let with_code =
        |c: char, code: &[u8], row: usize| format!("{:02x} {:02x}  {c}  {}\n", code[0], code[1], 3000 - row);
    let with_rank = |c: char, code: &[u8], row: usize| format!("{row}\t{c}\t{}%\t0x{:02x}\r\n", row % 89, code[1]);
    let threefold = |c: char, _: &[u8], _: usize| format!("{c}{c}{c}\n");
    for (label, characters) in characters {
        for row in [&with_code as &dyn Fn(char, &[u8], usize) -> String, &with_rank, &threefold] {
            let rows = characters.chars().enumerate().map(|(at, c)| row(c, &encoded(&c.to_string(), label), at));
            let table: String = rows.collect();
            let found = is_found(&table, label, Certainty::Likely);
            assert!(!found.is_mixed(), "{label}: {found}");
        }
    }
}

/// Vowel signs of Thai before consonants are lead bytes of three-byte sequences.
#[test]
fn a_few_lines_of_thai_in_a_file_of_ascii_are_no_mixture_with_utf_8() {
    let lines = [
        "เอกสารฉบับนี้แก้ไขล่าสุดเมื่อวานนี้",
        "โปรดตรวจสอบชื่อผู้ใช้และรหัสผ่านอีกครั้ง",
        "แผนกบัญชีเปิดทำการทุกวันจันทร์ถึงวันศุกร์",
        "ไม่สามารถเชื่อมต่อกับเครื่องพิมพ์ได้",
        "ห้องประชุมชั้นสองว่างตลอดช่วงบ่าย",
        "น้ำตาลและเกลือ เก็บในที่แห้ง",
    ];
    for line in lines {
        for around in [
            "[Strings]\r\nIDS_42=#\r\n",
            "/* # */\nint main(void) { return 0; }\n",
            "BEGIN:VCARD\r\nVERSION:2.1\r\nNOTE:#\r\nEND:VCARD\r\n",
            "#EXTM3U\n#EXTINF:200,@\n",
            "INSERT INTO notes VALUES (1, '#', NULL);\n",
        ] {
            let text = around.replace('@', line).replacen('#', line, usize::from(!around.contains('@')));
            let found = is_found(&text, "windows-874", Certainty::Likely);
            assert!(!found.is_mixed(), "{found}");
        }
    }
}

#[test]
fn a_symbol_in_utf_8_is_not_read_in_the_encoding_of_the_rest() {
    let texts = [
        ("windows-1251", "Новая версия программы выйдет осенью, следите за новостями.\n"),
        ("x-mac-cyrillic", "Все билеты на пятницу проданы.\n"),
        ("IBM866", "Не забудьте выключить свет и закрыть окна.\n"),
        ("IBM852", "Dokončili jsme opravu střechy a nátěr plotu.\n"),
        ("windows-1255", "החנות פתוחה בימי חול עד הערב.\n"),
        ("windows-1253", "Το κατάστημα θα παραμείνει κλειστό την Παρασκευή.\n"),
        ("windows-1252", "Die Prüfung fällt wegen schönen Wetters aus.\n"),
        ("windows-1256", "المتجر مغلق اليوم بسبب العطلة الرسمية.\n"),
    ];
    for (label, text) in texts {
        let text = encoded(text, label);
        assert!(detect(&text).certainty() > Certainty::Guess, "{label}");
        for symbol in ["✓", "→", "👍", "☎", "✂", "😀"] {
            let all = [&text, symbol.as_bytes(), b"\n", &text].concat();
            let found = detect(&all);
            assert!(
                found.certainty() == Certainty::Guess || found.encoding() == Some(Encoding::Utf8),
                "{label} {symbol}: {found}"
            );
        }
    }
}

#[test]
fn the_first_nul_is_said() {
    let found = detect(b"id;name\n7;Eva\0\0\0\0\n8;Jan\n");
    assert_eq!((found.nulls(), found.first_null()), (4, Some(13)), "{found}");
    assert!(found.to_string().contains("4 NUL bytes from byte 13 on"), "{found}");
    assert_eq!(detect(b"id;name\n").first_null(), None);
}

/// A dictionary with its letters in byte order, small and capital, as in affix files of spelling
/// checkers.
fn with_letters(label: &str, small: [u8; 2], words: &str) -> Vec<u8> {
    let list = |from: u8, to: u8| (from..=to).collect::<Vec<u8>>();
    let capital = list(small[0] - 0x20, small[1] - 0x20);
    let small = list(small[0], small[1]);
    let mut text = [b"LOW ", &*small, b"\nUPP ", &*capital, b"\nFOL ", &*small, b"\n"].concat();
    for (number, word) in words.split(' ').enumerate() {
        text.extend(encoded(&format!("{word}/{}\n", ["ABY", "K", "YZ"][number % 3]), label));
    }
    text
}

#[test]
fn lists_of_all_letters_are_no_words() {
    let texts = [
        (
            "ISO-8859-2",
            "vítězný nepřátelský žluťásek dědictví přístřeší řeřicha měsíční čtvrtletí úžeh šílenství říšský běžkařský žížala příčina křižník sněžný děravý",
        ),
        (
            "ISO-8859-2",
            "źrebię świadectwo wężowisko żółtaczka łańcuszek późniejszy książęcy śmiałość wątłość mężny gałąź ćwierćwiecze zażółcić rzężenie błąkać ściągać",
        ),
        (
            "windows-1250",
            "őszintétlen fűrészpor gyűjtő tükröződik erdőség művészi kőműves hűvösség szőlő gyönyörű ötödik hűtőszekrény sűrűség összefüggő bőröndök tűzoltóság köszörűkő üdülőhely",
        ),
        ("ISO-8859-5", "подсолнечник зеркальный учительница берёзовый дорожка молочный тетрадь чернильница"),
        (
            "windows-1254",
            "şekerleme çiçekçi ağaçlık gölgelik yağmurluk küçücük özgürlük düşünce ışıklı güneşli çalışkan böğürtlen kırlangıç şömine sığırcık çığlık üzüntü",
        ),
    ];
    for (label, words) in texts {
        let text = with_letters(label, [0xE0, 0xFE], words);
        let found = detect(&text);
        let is_right = |found: Encoding| found.decode(&text).0.contains(&words[..words.find(' ').unwrap()]);
        let is_sure = found.certainty() >= Certainty::NearlyCertain;
        assert!(found.encoding().is_some_and(is_right) && is_sure, "{label}: {found}");
    }
}

#[test]
fn a_list_of_letters_alone_is_at_most_a_guess() {
    for range in [0xA1..=0xFEu8, 0xC0..=0xFF, 0xE0..=0xFE, 0x80..=0xFF] {
        let list: Vec<u8> = range.clone().collect();
        is_no_text(&list);
        let lines: Vec<u8> = range.flat_map(|byte| [b'"', byte, b'"', b',', b'\n']).collect();
        is_no_text(&lines);
    }
}

#[test]
fn kana_are_in_an_encoding_of_japan() {
    // Tables of input methods: the kana have the same bytes in GBK, the symbols do not.
    let vowels = ["a", "i", "u", "e", "o"];
    let rows = ["かきくけこ", "さしすせそ", "たちつてと", "なにぬねの", "はひふへほ", "まみむめも", "らりるれろ"];
    let kana = rows.iter().zip("kstnhmr".chars()).flat_map(|(row, c)| {
        row.chars().zip(vowels).map(move |(kana, vowel)| format!("{c}{vowel}\t{kana}\n{c}{c}{vowel}\tっ{kana}\n"))
    });
    let table: String = kana.collect();
    let signs = "va\tう゛ぁ\nvi\tう゛ぃ\nvo\tう゛ぉ\n-\tー\n[\t「\n]\t」\n/\t・\n.\t。\n,\t、\n";
    for text in [format!("{table}{signs}"), format!("{signs}{table}")] {
        is_found(&text, "EUC-JP", Certainty::Guess);
        is_found(&text, "Shift_JIS", Certainty::Guess);
    }
    let hiragana = format!("; かなのひょう\n{table}{signs}");
    is_found(&hiragana, "EUC-JP", Certainty::Likely);
    // Read as Thai, each has only eight letters.
    for name in ["(UNKNOWN_POS (うにゃ詞))\n", "(DEFAULT_TAG (ほげ語))\n", "(WORD_CLASS (うさ文))\n"] {
        is_found(name, "EUC-JP", Certainty::Guess);
    }
}

#[test]
fn a_manual_with_frames_is_a_text() {
    let frame = "┌─────────┐┌─────────┐\n│  前候補   ││  次候補   │\n│ ─────── ││ ─────── │\n│  取消     ││  実行     │\n└─────────┘└─────────┘\n";
    let prose = "この表では、それぞれのキーの役割を示します。文字を消すときは左のキーを押します。\n";
    is_found(&format!("{}{prose}{prose}", frame.repeat(4)), "EUC-JP", Certainty::Likely);
    is_found(&format!("{}{prose}{prose}", frame.repeat(4)), "Shift_JIS", Certainty::Likely);
}

#[test]
fn an_ordinal_of_a_latin_text_is_no_semicolon_of_arabic() {
    let rows: String = (1..40).map(|row| format!("{row} nº Spécifiez le numéro nº {row}\n")).collect();
    is_found(&rows, "windows-1252", Certainty::Likely);
}

#[test]
fn letters_by_themselves_do_not_speak_against_a_declaration() {
    for (label, letters) in [("windows-1252", "ÄÏÖÜŸÅàëïôüÿ"), ("ISO-8859-1", "ÀÎØÝäçñøþ"), ("ISO-8859-2", "ŁŚąčěů")]
    {
        for letter in letters.chars() {
            let page = format!(
                "<html><head><meta http-equiv=\"Content-Type\" content=\"text/html; charset={label}\">\n\
                <title>Index of names: {letter}</title></head>\n<body><h2>3.{} {letter}</h2>\n\
                <p>Names that begin with this letter (<a href=\"names.html\">{letter}</a>).</p></body></html>\n",
                u32::from(letter) % 40
            );
            let found = is_found(&page, label, Certainty::Likely);
            assert!(found.declaration().is_some(), "{letter}: {found}");
        }
    }
}

#[test]
fn signs_in_words_are_letters_of_another_encoding() {
    // The T1 (Cork) encoding of TeX, for Polish and Czech, which utfkit lacks.
    let cork = |text: &str| -> Vec<u8> {
        let letters = "ąćęłńóśźżčďěňřšťůážéíúý".chars().zip([
            0xA1, 0xA2, 0xA6, 0xAA, 0xAB, 0xF3, 0xB1, 0xB9, 0xBB, 0xA3, 0xA4, 0xA5, 0xAC, 0xB0, 0xB2, 0xB4, 0xB7, 0xE1,
            0xBA, 0xE9, 0xED, 0xFA, 0xFD,
        ]);
        let byte = |c: char| letters.clone().find(|(letter, _)| *letter == c).map_or(c as u8, |(_, byte)| byte);
        text.chars().map(byte).collect()
    };
    is_no_text(&cork("podejrzany mężczyzna zdążył później wejść do łodzi i pękł łańcuch, gdyż wszyscy się śmiali\n"));
    is_no_text(&cork("starý dědeček přišel pozdě večer k řece a zapomněl, že čluny jsou už dávno na druhém břehu\n"));
    // A line of all characters, repeated.
    is_no_text(&b"let all = \"[]^_`xyz{|}~\\u0090\xA6\xB1\xBC\xC7\xD3\xE9\"\n".repeat(12));
}
