//! Calls every public function that takes a slice with every length from 0 to 300, with the
//! slice at the end and at the start of its pages and at every alignment from 0 to 64. The
//! result must not depend on the address. Other tests check that it is right.
#![cfg(all(
    feature = "std",
    feature = "detect",
    feature = "legacy",
    feature = "normalization",
    feature = "repair",
    feature = "search",
    feature = "width"
))]

use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Read, Write};
use std::num::NonZeroUsize;

use utfkit::bom::{Bom, BomPolicy, BomTreatment};
use utfkit::diagnose::{Checker, Diagnosis, Locator, Pieces, lenient_reading};
use utfkit::repair::{Options, Repairer, Survey, repair, unite};
use utfkit::{
    Encoding, NormalizationForm, NormalizeReader, NormalizeWriter, Policy, Standard, TranscodeReader, TranscodeWriter,
    Transcoder, conversion,
};
use utfkit_testkit::guard::{Guarded, PLACES, Place, Plain};
use utfkit_testkit::mutate;
use utfkit_testkit::random::Random;
use utfkit_testkit::text::MIXTURES;

use crate::common::every_isa::for_each_isa;
use crate::common::shards::in_share;

/// Hashes the results of a function.
#[derive(Default)]
struct Answers(DefaultHasher);

impl Answers {
    fn add(&mut self, answer: impl Hash) {
        answer.hash(&mut self.0);
    }

    fn show(&mut self, answer: impl Debug) {
        format!("{answer:?}").hash(&mut self.0);
    }
}

/// The names of functions, and a call that hashes their results.
type Function<U> = (&'static str, fn(&[U], &mut Answers));

const STANDARDS: [Standard; 5] =
    [Standard::Rfc3629, Standard::Rfc2279, Standard::Rfc2044, Standard::Kuhn, Standard::NoNoncharacters];

const ENCODINGS: [Encoding; 4] = [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf32Be, Encoding::Cesu8];

#[cfg(feature = "parallel")]
fn threads() -> NonZeroUsize {
    NonZeroUsize::new(2).expect("two")
}

/// The longest well-formed prefix.
fn text(src: &[u8]) -> &str {
    utfkit::from_utf8(src)
        .unwrap_or_else(|e| std::str::from_utf8(&src[..e.valid_up_to()]).expect("it is well-formed up to there"))
}

/// Functions with kernels: on every instruction set, at every length and alignment.
const OF_BYTES: &[Function<u8>] = &[
    ("from_utf8", |src, out| out.add(utfkit::from_utf8(src))),
    ("from_utf8_lossy", |src, out| out.add(utfkit::from_utf8_lossy(src))),
    ("validate", |src, out| STANDARDS.iter().for_each(|&standard| out.add(utfkit::validate(src, standard)))),
    ("errors, sequence", |src, out| {
        for standard in STANDARDS {
            utfkit::errors(src, standard).for_each(|error| out.add((error, error.sequence(src))));
            out.add(utfkit::errors(src, standard).count());
        }
    }),
    ("count_code_points", |src, out| out.add(utfkit::count_code_points(src))),
    ("count_code_points_and_highest", |src, out| out.add(utfkit::count_code_points_and_highest(src))),
    ("utf16_len_from_utf8", |src, out| out.add(utfkit::utf16_len_from_utf8(src))),
    ("utf8_len_from_latin1", |src, out| out.add(utfkit::utf8_len_from_latin1(src))),
    ("UTF8_TO_UTF16.to_vec", |src, out| out.add(conversion::UTF8_TO_UTF16.to_vec(src))),
    ("UTF8_TO_UTF32.to_vec", |src, out| out.add(conversion::UTF8_TO_UTF32.to_vec(src))),
    ("UTF8_TO_LATIN1.to_vec", |src, out| out.add(conversion::UTF8_TO_LATIN1.to_vec(src))),
    ("UTF8_TO_UTF16_LOSSY.to_vec", |src, out| out.add(conversion::UTF8_TO_UTF16_LOSSY.to_vec(src))),
    ("UTF8_TO_UTF8_LOSSY.to_vec", |src, out| out.add(conversion::UTF8_TO_UTF8_LOSSY.to_vec(src))),
    ("LATIN1_TO_UTF8.to_vec", |src, out| out.add(conversion::LATIN1_TO_UTF8.to_vec(src))),
    ("LATIN1_TO_UTF16.to_vec", |src, out| out.add(conversion::LATIN1_TO_UTF16.to_vec(src))),
    ("LATIN1_TO_UTF32.to_vec", |src, out| out.add(conversion::LATIN1_TO_UTF32.to_vec(src))),
    ("latin1_to_string", |src, out| out.add(utfkit::latin1_to_string(src))),
    ("compare_utf16_le, compare_utf16_be", |src, out| {
        let half = &src[src.len() / 2..];
        out.add((utfkit::compare_utf16_le(src, src), utfkit::compare_utf16_be(src, src)));
        out.add((utfkit::compare_utf16_le(src, half), utfkit::compare_utf16_be(half, src)));
    }),
    ("is_boundary, next_boundary, previous_boundary, resynchronize", |src, out| {
        for at in [0, src.len() / 3, src.len() / 2, src.len().saturating_sub(1), src.len()] {
            out.add((utfkit::is_boundary(src, at), utfkit::resynchronize(src, at)));
            out.add((utfkit::next_boundary(src, at), utfkit::previous_boundary(src, at)));
        }
    }),
    ("find, rfind, matches", |src, out| {
        for needle in ["e", "\u{E9}", "\u{20AC}\u{20AC}"] {
            out.add((utfkit::search::find(src, needle), utfkit::search::rfind(src, needle)));
            utfkit::search::matches(src, needle).for_each(|found| out.show(found));
        }
    }),
    ("recognize", |src, out| out.show(utfkit::recognize(src))),
    ("of, split, apply", |src, out| {
        out.show(Bom::of(src));
        out.show(BomPolicy::Unlabelled.split(src));
        for treatment in [BomTreatment::Keep, BomTreatment::Strip, BomTreatment::Add] {
            out.add(BomPolicy::Unlabelled.apply(treatment, Bom::Utf8, src));
        }
    }),
    ("charset_of_html, label_of_html, encoding_of_xml", |src, out| {
        out.add((utfkit::label::charset_of_html(src), utfkit::label::encoding_of_xml(src)));
        out.add(utfkit_core::internal::label_of_html(src, |label| (!label.is_empty()).then_some(label)));
    }),
    ("charset_of_content_type, web_label, for_label, for_web_label", |src, out| {
        let text = text(src);
        out.add((utfkit::label::charset_of_content_type(text), utfkit::label::web_label(text)));
        out.show((Encoding::for_label(text), Encoding::for_web_label(text), NormalizationForm::for_label(text)));
    }),
    ("transcode_to_vec", |src, out| {
        for (from, to) in [(Encoding::Utf8, Encoding::Utf16Be), (Encoding::Utf16Le, Encoding::Utf8)] {
            let mut dst = Vec::new();
            let step = Transcoder::new(from, to, Policy::Escape).transcode_to_vec(src, &mut dst, true);
            out.show(step);
            out.add(dst);
        }
    }),
    #[cfg(feature = "parallel")]
    ("validate, utf8_to_utf16, utf8_to_utf32 in parallel", |src, out| {
        let (mut units, mut values) = (vec![0; src.len()], vec![0; src.len()]);
        out.add(utfkit::validate_parallel(src, threads()));
        out.add(conversion::UTF8_TO_UTF16.convert_parallel(src, &mut units, threads()));
        out.add(conversion::UTF8_TO_UTF32.convert_parallel(src, &mut values, threads()));
    }),
];

/// Functions that take microseconds: every length, and every alignment for some lengths.
const SLOW: &[Function<u8>] = &[
    ("Detector::feed, detect", |src, out| out.show(utfkit::detect::detect(src))),
    ("display_width, display_width_of_bytes", |src, out| {
        out.add((utfkit::display_width(text(src)), utfkit::display_width_of_bytes(src)));
    }),
    ("is_normalized, normalize, normalized_eq", |src, out| {
        let text = text(src);
        out.add(utfkit::normalize(text, NormalizationForm::Nfd));
        out.add((utfkit::is_normalized(text, NormalizationForm::Nfc), utfkit::normalized_eq(text, text)));
    }),
    ("unite", |src, out| unite(src, utfkit::detect::detect(src).pieces(), |piece| out.show(piece))),
    ("repair", |src, out| out.add(repair(src, &Options::new().reinterpret(true).undouble(true)))),
    ("Repairer::feed, Survey::feed", |src, out| {
        let options = Options::new().undouble(true);
        let mut survey = Survey::new(&options);
        survey.feed(src);
        let mut repairer = Repairer::new(options).with_evidence(survey.finish());
        repairer.feed(src, |piece| out.show(piece));
        repairer.finish(|piece| out.show(piece));
    }),
    ("Utf8Stream::push, Window::fill", |src, out| {
        let options = utfkit::io::Options::new().errors(Policy::Skip);
        out.show(utfkit::io::Window::new().fill(src, &options));
        for options in [options.clone(), options.encoding(Encoding::Utf16Le)] {
            let mut stream = options.stream();
            out.add(stream.push(src).map(str::len).ok());
            out.add(stream.finish().map(str::len).ok());
        }
    }),
    ("Checker::feed, Ahead::feed", |src, out| {
        for encoding in ENCODINGS {
            let mut checker = Checker::new(encoding, Standard::Rfc3629);
            if let Some(mut ahead) = checker.ahead() {
                out.add(ahead.feed(src));
            }
            checker.feed(src, |finding| out.add(finding.to_string()));
            checker.finish(|finding| out.add(finding.to_string()));
            out.show(checker.totals());
        }
    }),
    ("findings, findings_in", |src, out| {
        utfkit::diagnose::findings(src).for_each(|finding| out.show(finding));
        for encoding in ENCODINGS {
            utfkit::diagnose::findings_in(src, encoding).for_each(|finding| out.show(finding));
        }
    }),
    ("chars, chars_lossy", |src, out| {
        utfkit::chars(src).for_each(|result| out.show(result));
        utfkit::chars_lossy(src).for_each(|result| out.show(result));
    }),
    ("Pieces::settle, read", |src, out| {
        for encoding in ENCODINGS {
            let mut pieces = Pieces::new(encoding, Standard::Rfc3629);
            pieces.settle(&src[..src.len().min(4)]);
            let mut at = 0;
            while let Some(piece) = pieces.read(&src[at..], true) {
                out.show(piece);
                at += piece.bytes().len();
            }
        }
    }),
    ("Diagnosis::of, Locator::pass, skip, locate, lenient_reading", |src, out| {
        out.show(Diagnosis::of(src, Encoding::Utf8, Standard::Rfc3629));
        out.add(lenient_reading(src));
        let mut locator = Locator::new(Encoding::Utf8, Encoding::Utf16Le);
        let (front, rest) = src.split_at(src.len() / 2);
        locator.skip(&front[..front.len() / 2]);
        locator.pass(&front[front.len() / 2..]);
        if let Err(error) = utfkit::validate(rest, Standard::Rfc3629) {
            out.add(locator.locate(&error, rest).to_string());
        }
    }),
    ("decode", |src, out| {
        for encoding in ENCODINGS {
            out.add((Encoding::for_bom(src), encoding.decode(src), encoding.decode_with_bom_removal(src)));
            out.add(encoding.decode_without_bom_handling(src));
            out.add(encoding.decode_strict(src));
        }
    }),
    ("convert", |src, out| {
        let mut dst = vec![0; 3 * src.len()];
        for encoding in ENCODINGS {
            out.add((encoding.convert(Encoding::Utf8, src, &mut dst), &dst));
            out.add((Encoding::Utf8.convert_lossy(encoding, src, &mut dst), &dst));
        }
    }),
    ("encode", |src, out| ENCODINGS.iter().for_each(|encoding| out.add(encoding.encode(text(src))))),
    ("validate, utf8_len, count_code_points", |src, out| {
        for encoding in ENCODINGS {
            out.add((encoding.validate(src), encoding.utf8_len(src), encoding.count_code_points(src)));
        }
    }),
    ("transcode_to_string, transcode_to_utf16", |src, out| {
        let (mut string, mut units) = (String::new(), vec![0; src.len()]);
        let mut to_utf8 = Transcoder::new(Encoding::Latin1, Encoding::Utf8, Policy::Strict);
        out.show((to_utf8.transcode_to_string(src, &mut string, true), &string));
        let mut to_utf16 = Transcoder::new(Encoding::Utf8, Encoding::UTF16_NATIVE, Policy::Skip);
        out.show((to_utf16.transcode_to_utf16(src, &mut units, true), &units));
    }),
    ("encoding_of_program, without_line_end", |src, out| {
        let name = text(src);
        out.add((utfkit::detect::encoding_of_program(name), utfkit::detect::without_line_end(name)));
    }),
    ("utf8_chunks, char_indices, Utf8Validator", |src, out| {
        utfkit::utf8_chunks(src).for_each(|chunk| out.add((chunk.valid(), chunk.invalid())));
        out.add(utfkit::char_indices(src).rev().collect::<Vec<_>>());
        let mut validator = utfkit::Utf8Validator::new();
        src.chunks(5).for_each(|piece| out.add(validator.push(piece)));
        out.add(validator.finish());
    }),
    ("validate_ascii, trim_partial_utf8, detect_encodings", |src, out| {
        out.add((utfkit::validate_ascii(src), utfkit::trim_partial_utf8(src)));
        out.add(utfkit::detect_encodings(src).collect::<Vec<_>>());
    }),
    ("TranscodeReader, TranscodeWriter", |src, out| {
        let transcoder = || Transcoder::new(Encoding::Utf8, Encoding::Utf16Le, Policy::Skip);
        let mut all = Vec::new();
        out.add(TranscodeReader::new(src, transcoder()).read_to_end(&mut all).is_ok());
        out.add(&all);
        let mut writer = TranscodeWriter::new(Vec::new(), transcoder());
        out.add(writer.write_all(src).is_ok());
        out.add(writer.finish().ok());
    }),
    ("NormalizeReader, NormalizeWriter", |src, out| {
        let mut all = Vec::new();
        out.add(NormalizeReader::new(src, NormalizationForm::Nfc).read_to_end(&mut all).is_ok());
        out.add(&all);
        let mut writer = NormalizeWriter::new(Vec::new(), NormalizationForm::Nfd);
        out.add(writer.write_all(src).is_ok());
        out.add(writer.finish().ok());
    }),
];

const OF_UNITS: &[Function<u16>] = &[
    ("validate_utf16", |src, out| out.add(utfkit::validate_utf16(src))),
    ("utf8_len_from_utf16", |src, out| out.add(utfkit::utf8_len_from_utf16(src))),
    ("utf32_len_from_utf16, count_utf16, trim_partial_utf16", |src, out| {
        out.add((utfkit::utf32_len_from_utf16(src), utfkit::count_utf16(src), utfkit::trim_partial_utf16(src)));
    }),
    ("to_well_formed_utf16, swap_utf16_bytes", |src, out| {
        let mut units = src.to_vec();
        out.add(utfkit::to_well_formed_utf16(&mut units));
        utfkit::swap_utf16_bytes(&mut units);
        out.add(units);
    }),
    ("compare_utf16", |src, out| {
        out.add((utfkit::compare_utf16(src, src), utfkit::compare_utf16(src, &src[src.len() / 2..])));
    }),
    ("UTF16_TO_UTF8.to_vec", |src, out| out.add(conversion::UTF16_TO_UTF8.to_vec(src))),
    ("UTF16_TO_UTF32.to_vec", |src, out| out.add(conversion::UTF16_TO_UTF32.to_vec(src))),
    ("UTF16_TO_LATIN1.to_vec", |src, out| out.add(conversion::UTF16_TO_LATIN1.to_vec(src))),
    ("UTF16_TO_UTF8_LOSSY.to_vec", |src, out| out.add(conversion::UTF16_TO_UTF8_LOSSY.to_vec(src))),
    ("ucs2_to_utf8", |src, out| {
        let mut dst = vec![0; 3 * src.len()];
        out.add((utfkit::ucs2_to_utf8(src, &mut dst), dst));
    }),
    ("utf16_to_string, utf16_to_string_lossy", |src, out| {
        out.add((utfkit::utf16_to_string(src), utfkit::utf16_to_string_lossy(src)));
    }),
    #[cfg(feature = "parallel")]
    ("utf16_to_utf8, utf16_to_utf8_lossy in parallel", |src, out| {
        let mut dst = vec![0; 3 * src.len()];
        out.add(conversion::UTF16_TO_UTF8.convert_parallel(src, &mut dst, threads()));
        out.add(conversion::UTF16_TO_UTF8_LOSSY.convert_parallel(src, &mut dst, threads()));
    }),
];

const OF_VALUES: &[Function<u32>] = &[
    ("validate_utf32", |src, out| out.add(utfkit::validate_utf32(src))),
    ("utf8_len_from_utf32", |src, out| out.add(utfkit::utf8_len_from_utf32(src))),
    ("utf16_len_from_utf32", |src, out| out.add(utfkit::utf16_len_from_utf32(src))),
    ("UTF32_TO_UTF8.to_vec", |src, out| out.add(conversion::UTF32_TO_UTF8.to_vec(src))),
    ("UTF32_TO_UTF16.to_vec", |src, out| out.add(conversion::UTF32_TO_UTF16.to_vec(src))),
    ("UTF32_TO_LATIN1.to_vec", |src, out| out.add(conversion::UTF32_TO_LATIN1.to_vec(src))),
    ("utf32_to_string", |src, out| out.add(utfkit::utf32_to_string(src))),
    ("utf32_to_utf8", |src, out| {
        let mut dst = vec![0; 4 * src.len()];
        out.add((utfkit::utf32_to_utf8(src, &mut dst), dst));
    }),
    #[cfg(feature = "parallel")]
    ("utf32_to_utf8 in parallel", |src, out| {
        let mut dst = vec![0; 4 * src.len()];
        out.add(conversion::UTF32_TO_UTF8.convert_parallel(src, &mut dst, threads()));
    }),
];

/// Compares the results for `src` in ordinary memory with those at both page borders and at
/// `alignments`, in units.
fn same_wherever<U: Plain>(functions: &[Function<U>], src: &[U], memory: &mut Guarded, alignments: &[usize]) {
    for (name, function) in functions {
        let ask = |src: &[U]| {
            let mut answers = Answers::default();
            function(src, &mut answers);
            answers.0.finish()
        };
        let expected = ask(src);
        for place in PLACES {
            assert_eq!(ask(memory.copy(place, src)), expected, "{name}, {} units at the {place:?}", src.len());
        }
        for &at in alignments {
            let slice = &mut memory.slice::<U>(Place::Start, at + src.len())[at..];
            slice.copy_from_slice(src);
            assert_eq!(ask(slice), expected, "{name}, {} units, alignment {at}", src.len());
        }
    }
}

#[test]
fn every_function_wherever_the_slice_lies() {
    let mut memory = Guarded::new(1 << 13);
    let all: Vec<usize> = (0..=64).collect();
    for_each_isa(|isa| {
        for len in in_share(0..=300) {
            println!("{isa}, {len} units");
            let mixture = &MIXTURES[len % MIXTURES.len()];
            let mut random = Random::new(len as u64);
            let mut bytes = mixture.text(&mut random, len).into_bytes();
            bytes.truncate(len);
            if len % 2 == 0 {
                mutate::bytes(&mut bytes, &mut random);
                bytes.resize(len, b'.');
            }
            same_wherever(OF_BYTES, &bytes, &mut memory, &all);
            same_wherever(SLOW, &bytes, &mut memory, if len % 50 == 1 { &all } else { &[] });
            let mut units: Vec<u16> = mixture.text(&mut random, len).encode_utf16().collect();
            units.truncate(len);
            if len % 2 == 0 {
                mutate::units16(&mut units, &mut random);
                units.resize(len, 0xD800);
            }
            same_wherever(OF_UNITS, &units, &mut memory, &all);
            let mut values: Vec<u32> = mixture.text(&mut random, len).chars().map(u32::from).collect();
            if len % 2 == 0 {
                mutate::units32(&mut values, &mut random);
                values.resize(len, 0xD800);
            }
            same_wherever(OF_VALUES, &values, &mut memory, &all);
        }
    });
}

/// Fails if a public function with a slice among its parameters is missing from the tables. It
/// reads the sources of the library.
#[test]
fn no_function_is_missing() {
    let tables = [
        include_str!("every_function.rs"),
        // These call the typed conversions and `Transcoder::transcode`.
        include_str!("../common/conversions.rs"),
        include_str!("main.rs"),
    ]
    .concat();
    let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders = ["utfkit-core", "utfkit-detect", "utfkit-diagnose", "utfkit-forms", "utfkit-io", "utfkit-text"]
        .map(|name| crates.join(name).join("src"))
        .to_vec();
    let mut functions = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|extension| extension != "rs") {
                continue;
            }
            // Not public; only called by the functions of the tables.
            if ["internal.rs", "engine", "scalar"].iter().any(|name| path.ends_with(name)) {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let source = std::fs::read_to_string(&path).expect("a source");
            for (_, declaration) in source.match_indices("pub fn ").map(|(at, it)| (at, &source[at + it.len()..])) {
                let head = &declaration[..declaration.find([';', '{']).unwrap_or(declaration.len())];
                let parameters = &head[..head.find("->").unwrap_or(head.len())];
                let name = &head[..head.find(['(', '<']).unwrap_or(head.len())];
                // The name comes from a macro; `face/byte_order.rs` calls all of those.
                let is_named = !name.starts_with('$');
                if is_named && ["[u8]", "[u16]", "[u32]", "&str"].iter().any(|slice| parameters.contains(slice)) {
                    functions += 1;
                    let named = tables.match_indices(name).any(|(at, _)| {
                        let is_part = |c: char| c.is_alphanumeric() || c == '_';
                        !tables[..at].ends_with(is_part) && !tables[at + name.len()..].starts_with(is_part)
                    });
                    assert!(named, "{name} of {} is in no table", path.display());
                }
            }
        }
    }
    assert!(functions > 60, "only {functions} functions were found");
}
