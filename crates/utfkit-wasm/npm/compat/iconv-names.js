// The names of iconv-lite.
import { encodingFor } from "../lib/labels.js";

/** Names that mean something else here, or that only iconv-lite has, without case and signs. */
const NAMES = {
  binary: "iso-8859-1",
  latin1: "iso-8859-1",
  ascii8bit: "us-ascii",
  ansix34: "us-ascii",
  iso646irv: "us-ascii",
  ucs2: "utf-16le",
  ucs2le: "utf-16le",
  utf16le: "utf-16le",
  utf16be: "utf-16be",
  utf32le: "utf-32le",
  utf32be: "utf-32be",
  ucs4: "utf-32",
  ucs4le: "utf-32le",
  ucs4be: "utf-32be",
  utf7imap: "utf-7-imap",
  unicode11utf7: "utf-7",
  unicode11utf8: "utf-8",
  sjis: "shift_jis",
  ms31j: "shift_jis",
  gb2312: "gbk",
  gb23121980: "gbk",
  eucjp: "euc-jp",
  euckr: "euc-kr",
  big5hkscs: "big5",
  arabic8: "iso-8859-6",
  hebrew8: "iso-8859-8",
  turkish: "iso-8859-9",
  turkish8: "iso-8859-9",
  thai8: "iso-8859-11",
  celtic: "iso-8859-14",
  celtic8: "iso-8859-14",
  ibm878: "koi8-r",
  ibm1168: "koi8-u",
  maccenteuro: "x-mac-ce",
  macukraine: "x-mac-cyrillic",
};

/** The label of an encoding of iconv-lite, or `undefined`: case and signs do not count, nor a year. */
export function labelOf(name) {
  const canonical = String(name)
    .toLowerCase()
    .replace(/:\d{4}$|[^0-9a-z]/g, "");
  if (Object.hasOwn(NAMES, canonical)) return NAMES[canonical];
  const exact = encodingFor(String(name)) ?? encodingFor(canonical);
  if (exact) return exact;
  const iso = /^iso(?:ir)?8859(\d{1,2})$/.exec(canonical);
  if (iso) return encodingFor(`iso-8859-${iso[1]}`);
  const koi = /^koi8(ru|r|u|t)$/.exec(canonical);
  if (koi) return encodingFor(`koi8-${koi[1]}`);
  const digits = /^(?:cp|win|windows|ibm|oem|csibm)?(\d{3,5})$/.exec(canonical)?.[1];
  if (!digits) return undefined;
  // ISO-8859-n has the code page 28590 + n.
  const part = Number(digits) - 28590;
  return encodingFor(part > 0 && part <= 16 ? `iso-8859-${part}` : `cp${digits}`);
}
