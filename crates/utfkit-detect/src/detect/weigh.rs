//! Encodings from before Unicode: a guess, by the likelihood of the text that
//! the bytes would be.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cell::RefCell;

use super::candidates::{is_ebcdic, is_single_byte, prior};
use super::controls::count;
use super::guess::{Guess, Seen, Stream, guess};
use super::longer::least_ill_formed;
use super::sample::Sample;
use encoding_rs::DecoderResult;
use utfkit_core::Encoding;
use utfkit_core::Legacy;
use utfkit_core::Policy;
use utfkit_core::{Status, Transcoder};

/// So many sequences that are ill-formed, beside one in so many characters, and
/// the stream is in another encoding.
const FEW: u64 = 8;
const SHARE: u64 = 64;

/// A stream as legacy text.
pub(super) struct Weigher {
    sample: Sample,
    /// Which bytes were met, from the first window on in which the stream was known
    /// not to be UTF-8; what came before is in the sample.
    seen: Seen,
    /// The encodings with longer characters, from a character on.
    checkers: Checkers,
    /// How many bytes these were given.
    checked: u64,
    /// The best ones by the front of the sample were chosen.
    chosen: bool,
    /// Bytes of the front that are letters of EBCDIC, and of US-ASCII; all of them.
    front: Option<bool>,
}

impl Default for Weigher {
    fn default() -> Weigher {
        Weigher {
            sample: Sample::default(),
            seen: Seen::none(),
            checkers: Checkers::None,
            checked: 0,
            chosen: false,
            front: None,
        }
    }
}

impl Weigher {
    /// Takes a window. `has_above`: it has bytes above 7F. `is_weighed`: some bytes
    /// in it or before it are not UTF-8, and it looks like text.
    pub(super) fn window(&mut self, window: &[u8], has_above: bool, is_weighed: bool) {
        self.front.get_or_insert_with(|| looks_like_ebcdic(window));
        if !self.chosen && self.sample.is_full() {
            self.chosen = true;
            self.choose();
        }
        if has_above {
            self.sample.window(window);
        } else {
            self.sample.skip();
        }
        if !is_weighed {
            return;
        }
        self.seen.add(window);
        let mut rest = window;
        if matches!(self.checkers, Checkers::None) {
            // Here a character may be cut, but not after white space.
            if self.sample.is_cut() || self.sample.bytes().len() > window.len() {
                let white = window.iter().position(|&byte| byte <= b' ').unwrap_or(0);
                rest = &window[white..];
            }
            self.checkers = match self.chosen {
                true => Checkers::Chosen(longer().map(Check::new).collect()),
                false => Checkers::Waiting(Waiting::default()),
            };
        }
        self.checked += rest.len() as u64;
        let most = FEW + self.checked / SHARE;
        match &mut self.checkers {
            Checkers::None => {}
            Checkers::Waiting(waiting) => waiting.add(rest, most),
            Checkers::Chosen(checkers) => {
                let mut out = [0; 8 << 10];
                // GBK is decoded as gb18030 is.
                let mut of_gbk: Option<(u64, u64, bool)> = None;
                checkers.retain_mut(|check| {
                    let before = check.ill_formed;
                    if let Some((_, after, goes_on)) = of_gbk.filter(|of| is_gbk(check.encoding) && of.0 == before) {
                        check.ill_formed = after;
                        return goes_on;
                    }
                    // Of those that were chosen hardly one will be out.
                    let goes_on = check.feed(rest, most, false, &mut out);
                    if is_gbk(check.encoding) {
                        of_gbk = Some((before, check.ill_formed, goes_on));
                    }
                    goes_on
                });
            }
        }
    }

    /// Keeps the checkers that the front of the sample speaks for.
    fn choose(&mut self) {
        let Checkers::Waiting(waiting) = &self.checkers else { return };
        let checkers = waiting.check_all();
        let is_none = checkers.is_empty();
        self.checkers = Checkers::Chosen(checkers);
        if is_none {
            return;
        }
        let Some(guess) = self.guess(None) else { return };
        let wanted =
            |encoding| guess.encoding == encoding || guess.next == Some(encoding) || guess.alike.contains(&encoding);
        if let Checkers::Chosen(checkers) = &mut self.checkers {
            checkers.retain(|check| wanted(check.encoding));
        }
    }

    /// Whether it looks like EBCDIC, in which line ends are controls of US-ASCII.
    pub(super) fn may_be_ebcdic(&self) -> bool {
        self.front == Some(true)
    }

    /// The guess, with an encoding for which something else speaks. There is one for
    /// all bytes above 7F.
    pub(super) fn guess(&self, declared: Option<Encoding>) -> Option<Guess> {
        let mut seen = self.seen.clone();
        seen.add(self.sample.bytes());
        let known: RefCell<Vec<(Encoding, Option<u64>)>> = RefCell::default();
        let ill_formed = |encoding| match &self.checkers {
            _ if is_single_byte(encoding) => Some(0),
            Checkers::None => Some(0),
            Checkers::Waiting(waiting) => {
                let encoding = decoded_as(encoding);
                let is_known = known.borrow().iter().find(|(other, _)| *other == encoding).copied();
                let (_, count) = is_known.unwrap_or_else(|| {
                    let now = (encoding, waiting.check(encoding).map(|check| check.ill_formed));
                    known.borrow_mut().push(now);
                    now
                });
                count
            }
            Checkers::Chosen(checkers) => {
                checkers.iter().find(|check| check.encoding == encoding).map(|check| check.ill_formed)
            }
        };
        let may_be = |encoding| match &self.checkers {
            Checkers::Waiting(waiting) if waiting.is_long(self.checked) => waiting.is_possible(encoding),
            _ => ill_formed(encoding).is_some(),
        };
        let stream = Stream {
            seen: &seen,
            may_be: &may_be,
            is_cut: self.sample.is_cut(),
            may_be_ebcdic: self.may_be_ebcdic() || declared.is_some_and(is_ebcdic),
            ill_formed: &ill_formed,
            declared,
        };
        guess(self.sample.bytes(), &stream)
    }

    /// Whether a byte of 80 to 9F was met.
    pub(super) fn has_c1(&self) -> bool {
        self.seen.has(0x80..=0x9F) || self.sample.bytes().iter().any(|byte| (0x80..=0x9F).contains(byte))
    }
}

/// What is known of the encodings with longer characters.
enum Checkers {
    /// Nothing was to be checked yet.
    None,
    /// The first windows, for those that the sample does not speak against.
    Waiting(Waiting),
    /// Those that are possible, of some.
    Chosen(Vec<Check>),
}

/// So many bytes take long.
const LONG: usize = 2 << 10;

/// The encodings with longer characters.
fn longer() -> impl Iterator<Item = Encoding> {
    let longer = Encoding::ALL.iter().filter(|&&encoding| !is_single_byte(encoding) && prior(encoding).is_some());
    longer.copied()
}

fn is_gbk(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::Legacy(Legacy::Gbk | Legacy::Gb18030))
}

/// GBK is decoded as gb18030 is.
fn decoded_as(encoding: Encoding) -> Encoding {
    if is_gbk(encoding) { Encoding::Legacy(Legacy::Gb18030) } else { encoding }
}

/// Windows that are checked when somebody asks. There are so few until the sample is full
/// that they can be kept.
#[derive(Default)]
struct Waiting {
    /// What counts of the windows.
    bytes: Vec<u8>,
    /// Where each ends, and how much may be ill-formed until there.
    windows: Vec<(usize, u64)>,
}

impl Waiting {
    fn add(&mut self, window: &[u8], most: u64) {
        self.bytes.extend_from_slice(&condensed(window));
        self.windows.push((self.bytes.len(), most));
    }

    /// Whether checking takes longer than reading the sample. Where most of the text is
    /// US-ASCII, of so many bytes, little of it counts.
    fn is_long(&self, of: u64) -> bool {
        self.bytes.len() > LONG && 2 * self.bytes.len() as u64 > of
    }

    /// Whether an encoding is possible at a glance.
    fn is_possible(&self, encoding: Encoding) -> bool {
        let Some(&(to, most)) = self.windows.first() else { return true };
        let window = &self.bytes[..to];
        let white = window.iter().position(|&byte| byte <= b' ').unwrap_or(to);
        least_ill_formed(encoding, &window[white..], most) <= most
    }

    /// A checker that was given all windows, if the encoding is possible.
    fn check(&self, encoding: Encoding) -> Option<Check> {
        let mut check = Check::new(encoding);
        let mut out = alloc::vec![0; (3 * self.bytes.len()).clamp(64, 8 << 10)];
        let mut from = 0;
        for &(to, most) in &self.windows {
            if !check.feed(&self.bytes[from..to], most, true, &mut out) {
                return None;
            }
            from = to;
        }
        Some(check)
    }

    /// Those for all encodings that are possible.
    fn check_all(&self) -> Vec<Check> {
        let mut checks: Vec<Check> = Vec::new();
        let mut of_gbk = None;
        for encoding in longer() {
            // One that is decoded as another one begins where that one is.
            let check = match of_gbk.filter(|_| is_gbk(encoding)) {
                Some(count) => Option::map(count, |ill_formed| Check { ill_formed, ..Check::new(encoding) }),
                None => self.check(encoding),
            };
            if is_gbk(encoding) {
                of_gbk = Some(check.as_ref().map(|check| check.ill_formed));
            }
            checks.extend(check);
        }
        checks
    }
}

/// Whether a stream is well-formed in an encoding: as the conversion has it, which
/// is many times as fast as naming what is wrong.
struct Check {
    encoding: Encoding,
    decoder: Decoder,
    /// Without a character that the end cuts.
    ill_formed: u64,
}

/// What decodes, from one error to the next.
enum Decoder {
    Web(encoding_rs::Decoder),
    Other(Box<Transcoder>),
}

impl Check {
    fn new(encoding: Encoding) -> Check {
        let web = match encoding {
            Encoding::Legacy(legacy) => legacy.web(),
            _ => None,
        };
        let decoder = match web {
            Some(web) => Decoder::Web(web.new_decoder_without_bom_handling()),
            None => Decoder::Other(Box::new(Transcoder::new(encoding, Encoding::Utf8, Policy::Strict))),
        };
        Check { encoding, decoder, ill_formed: 0 }
    }

    /// Takes what counts of a window; returns whether no more than `most` is ill-formed.
    fn feed(&mut self, mut src: &[u8], most: u64, glances: bool, out: &mut [u8]) -> bool {
        // Most that are out are so by what is seen at a glance. A character of the
        // last window may go on in this one, but not past white space.
        let white = src.iter().position(|&byte| byte <= b' ').unwrap_or(src.len());
        if glances && least_ill_formed(self.encoding, &src[white..], most - self.ill_formed) > most - self.ill_formed {
            return false;
        }
        loop {
            let is_done = match &mut self.decoder {
                Decoder::Web(decoder) => {
                    let (result, read, _) = decoder.decode_to_utf8_without_replacement(src, out, false);
                    src = &src[read..];
                    match result {
                        DecoderResult::OutputFull => continue,
                        DecoderResult::InputEmpty => true,
                        DecoderResult::Malformed(..) => false,
                    }
                }
                Decoder::Other(decoder) => {
                    let step = decoder.transcode(src, out, false);
                    src = &src[step.read..];
                    match step.status {
                        Status::OutputFull => continue,
                        Status::InputEmpty => true,
                        Status::IllFormed(_) => false,
                    }
                }
            };
            if is_done {
                return true;
            }
            self.ill_formed += 1;
            if self.ill_formed > most {
                return false;
            }
        }
    }
}

/// What of a window counts for encodings with longer characters: bytes above 7F, those
/// after them that may belong to them, and the front, which may belong to what was
/// before. White space stands for the rest.
fn condensed(window: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(window.len());
    let (mut from, mut to) = (0, AFTER.min(window.len()));
    let mut looked = 0;
    loop {
        // Goes on until there is US-ASCII that none above 7F reaches.
        while let Some(last) = window[looked..to].iter().rposition(|byte| !byte.is_ascii()) {
            looked += last + 1;
            to = window.len().min(looked + AFTER);
        }
        kept.extend_from_slice(&window[from..to]);
        let Some(next) = window[to..].iter().position(|byte| !byte.is_ascii()) else { break };
        if next > 0 {
            kept.push(b' ');
        }
        (from, looked) = (to + next, to + next);
        to = window.len().min(from + 1);
    }
    if to < window.len() {
        kept.push(b' ');
    }
    kept
}

/// No character has more bytes than one and so many.
const AFTER: usize = 3;

/// Whether most bytes are those of small letters and the space in EBCDIC, and few
/// those in US-ASCII.
fn looks_like_ebcdic(window: &[u8]) -> bool {
    let front = &window[..window.len().min(4096)];
    // One after the other by `|`: by a table of bits they would be looked up one by one.
    let in_ebcdic = |byte: u8| {
        (byte == 0x40) | (byte.wrapping_sub(0x81) < 9) | (byte.wrapping_sub(0x91) < 9) | (byte.wrapping_sub(0xA2) < 8)
    };
    let in_ascii =
        |byte: u8| [b' ', b'e', b'i', b'r', b's', b't'].iter().fold(false, |is_any, letter| is_any | (byte == *letter));
    count(front, in_ebcdic) * 5 > front.len() * 2 && count(front, in_ascii) * 20 < front.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn us_ascii_that_belongs_to_nothing_is_left_out() {
        assert_eq!(condensed(b"plain text"), b"pla ");
        assert_eq!(condensed(b"pl"), b"pl");
        assert_eq!(condensed(b"ab\xE9cdef"), b"ab\xE9cde ");
        assert_eq!(condensed(b"a window of caf\xE9 and th\xE9\x81s"), b"a w \xE9 an \xE9\x81s");
        assert_eq!(condensed(b"\x81\x30\x81\x30abc\xE9xyz\xE9"), b"\x81\x30\x81\x30ab \xE9xyz\xE9");
        assert_eq!(condensed(b"\xE9.\xE9abcd\xE9"), b"\xE9.\xE9abc \xE9");
    }

    fn weighed(bytes: &[u8]) -> Guess {
        let mut weigher = Weigher::default();
        for window in bytes.chunks(16 << 10) {
            weigher.window(window, !window.is_ascii(), true);
        }
        weigher.guess(None).unwrap()
    }

    #[test]
    fn a_byte_far_from_the_sample_still_excludes() {
        let russian = "Все люди рождаются свободными и равными в своём достоинстве. ".repeat(2000);
        let koi8_r = Encoding::for_label("KOI8-R").unwrap();
        let (bytes, _) = koi8_r.encode(&russian);
        assert_eq!(weighed(&bytes).encoding, koi8_r);
        // ISO-8859-6 has nothing at most places.
        let arabic = "يولد جميع الناس أحراراً ومتساوين في الكرامة والحقوق. ".repeat(2000);
        let iso = Encoding::for_label("ISO-8859-6").unwrap();
        let mut bytes = iso.encode(&arabic).0.into_owned();
        assert_eq!(weighed(&bytes).encoding, iso);
        let at = bytes.len() - 20_000;
        bytes[at] = 0xFF;
        assert_ne!(weighed(&bytes).encoding, iso);
    }

    #[test]
    fn what_is_ill_formed_far_from_the_sample_is_told() {
        let japanese =
            "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。\n".repeat(1500);
        let shift_jis = Encoding::for_label("Shift_JIS").unwrap();
        let mut bytes = shift_jis.encode(&japanese).0.into_owned();
        let found = weighed(&bytes);
        assert!(found.encoding == shift_jis && found.fits, "{found:?}");
        let at = bytes.len() - 30_001;
        bytes[at] = 0xFF;
        let found = weighed(&bytes);
        assert!(found.encoding == shift_jis && !found.fits, "{found:?}");
    }

    #[test]
    fn koi8_r_and_koi8_u_are_alike_where_there_is_no_ukrainian() {
        let koi8_r = Encoding::for_label("KOI8-R").unwrap();
        let found = weighed(&koi8_r.encode("Все люди рождаются свободными и равными").0);
        assert_eq!(found.encoding, koi8_r);
        assert!(found.alike.contains(&Encoding::for_label("KOI8-U").unwrap()));
        let koi8_u = Encoding::for_label("KOI8-U").unwrap();
        let found = weighed(&koi8_u.encode("Всі люди народжуються вільними і рівними у своїй гідності").0);
        assert_eq!(found.encoding, koi8_u);
        assert!(!found.alike.contains(&koi8_r));
    }
}
