//! Readers and streams in front of common parsers.

use std::error::Error;
use std::io::{BufReader, Read};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use utfkit::io::{Options, Utf8Stream};
use utfkit::{Encoding, Legacy, Policy, Transcoder};

/// Encodings, with words in them.
const TEXTS: [(Encoding, [&str; 3]); 6] = [
    (Encoding::Utf8, ["Zürich", "東京", "Łódź"]),
    (Encoding::Utf16Le, ["Zürich", "東京", "Łódź"]),
    (Encoding::Legacy(Legacy::Windows1252), ["Málaga año señor", "Genève où déjà", "Köln über schön"]),
    (Encoding::Legacy(Legacy::Windows1251), ["Москва столица", "Санкт-Петербург", "Нижний Новгород"]),
    (Encoding::Legacy(Legacy::ShiftJis), ["東京の天気", "大阪のたこ焼き", "名古屋の人たち"]),
    (Encoding::Legacy(Legacy::Gbk), ["北京的天气很好", "上海的人们", "我们在广州"]),
];

fn encoded(encoding: Encoding, text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ =
        Transcoder::new(Encoding::Utf8, encoding, Policy::Strict).transcode_to_vec(text.as_bytes(), &mut bytes, true);
    bytes
}

fn detecting() -> Options {
    Options::new().detect(Options::WINDOW)
}

#[test]
fn csv() -> Result<(), Box<dyn Error>> {
    for (encoding, words) in TEXTS {
        let file = encoded(encoding, &format!("id,city\n1,{}\n2,\"{}\"\n3,{}\n", words[0], words[1], words[2]));
        let mut parser = csv::Reader::from_reader(detecting().reader(&file[..]));
        let cities =
            parser.records().map(|record| Ok(record?[1].to_owned())).collect::<Result<Vec<_>, csv::Error>>()?;
        assert_eq!(cities, words, "{encoding}");
    }
    Ok(())
}

#[test]
fn quick_xml() -> Result<(), Box<dyn Error>> {
    use quick_xml::events::Event;

    for (encoding, words) in TEXTS {
        let file = encoded(encoding, &format!("<a><b>{}</b><b>{}</b><b>{}</b></a>", words[0], words[1], words[2]));
        // The reader is `BufRead`, so no second buffer is needed.
        let mut parser = quick_xml::Reader::from_reader(detecting().reader(&file[..]));
        let (mut buffer, mut found) = (Vec::new(), Vec::new());
        loop {
            match parser.read_event_into(&mut buffer)? {
                Event::Text(text) => found.push(text.xml10_content().into_owned()),
                Event::Eof => break,
                _ => {}
            }
            buffer.clear();
        }
        assert_eq!(found, words, "{encoding}");
    }
    Ok(())
}

#[test]
fn serde_json() -> Result<(), Box<dyn Error>> {
    for (encoding, words) in TEXTS {
        let file = encoded(encoding, &serde_json::to_string(&words)?);
        let found: Vec<String> = serde_json::from_reader(BufReader::new(detecting().reader(&file[..])))?;
        assert_eq!(found, words, "{encoding}");
    }
    Ok(())
}

/// Reads all of `source` as text.
async fn read_all(mut source: impl AsyncRead + Unpin, mut stream: Utf8Stream) -> Result<String, Box<dyn Error>> {
    let (mut chunk, mut text) = (vec![0; 16 << 10], String::new());
    loop {
        let len = source.read(&mut chunk).await?;
        if len == 0 {
            text += stream.finish()?;
            return Ok(text);
        }
        text += stream.push(&chunk[..len])?;
    }
}

#[test]
fn tokio() -> Result<(), Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    for (encoding, words) in TEXTS {
        let file = encoded(encoding, &words.join("\n"));
        // A pipe with a capacity of seven bytes.
        let (mut writer, reader) = tokio::io::duplex(7);
        let written = runtime.spawn(async move { writer.write_all(&file).await });
        let text = runtime.block_on(read_all(reader, detecting().stream()))?;
        runtime.block_on(written)??;
        assert_eq!(text, words.join("\n"), "{encoding}");
    }
    Ok(())
}

/// The parser's error contains that of the reader, with its offset.
#[test]
fn an_error_comes_through_the_parser() {
    let mut parser = csv::Reader::from_reader(Options::new().reader(&b"id,city\n1,K\xF6ln\n"[..]));
    let error = parser.records().find_map(Result::err).unwrap();
    let csv::ErrorKind::Io(error) = error.into_kind() else { panic!() };
    assert_eq!(error.to_string(), "missing continuation byte at offset 11");
    let mut rest = String::new();
    assert!(parser.into_inner().read_to_string(&mut rest).is_err());
}
