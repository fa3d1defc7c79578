//! Text that the long help of several subcommands shares.

/// The part of `--help` about names of encodings.
const NAMES: &str = "\
Names of encodings:
  Names are those registered with IANA; `utfkit list` prints them all. Only
  letters and digits count, in either case: utf_16be is UTF-16BE. The prefix
  web: selects the encoding that browsers use under a name (WHATWG Encoding
  Standard). In ISO-8859-1, byte 93 is a control character, but web:ISO-8859-1
  is windows-1252, where it is a quotation mark. US-ASCII ends at 7F, but
  web:US-ASCII is windows-1252 as well. web:UTF-16 is UTF-16LE.

  ISO-2022-UTF-8 is ISO-8859-1 in which ESC % G switches to UTF-8 and ESC % @
  back, see utf-8(7). ISO-2022-UTF-8+KOI8-R uses KOI8-R in place of ISO-8859-1.
  Any legacy encoding that contains US-ASCII unchanged can follow the +, so not
  EBCDIC, VISCII, IBM864, HZ, ISO-2022-JP or ISO-2022-KR.

  Other implementations map some characters differently under the same name;
  `utfkit list --notes` lists them.

  UTF-8-RFC2044 accepts overlong forms and surrogates, as the first definition
  of UTF-8 did. It is unsafe, because a slash or NUL can pass a byte-level
  filter in an overlong form. Use it to read old data, not to validate input.";

/// The examples alone, so that `-h` fits a screen.
pub(super) fn brief(help: &str) -> String {
    help.split("\n\n").next().unwrap_or_default().to_owned()
}

/// The examples, followed by [`NAMES`].
pub(super) fn with_names(examples: &str) -> String {
    format!("{examples}\n\n{NAMES}")
}
