// The functions of iconv-lite. The README lists what differs.
import { pipe } from "#pipe";
import { bytesOf } from "../lib/engine.js";
import { decode as decodeAny, encode as encodeAny } from "../lib/convert.js";
import { encodingFor } from "../lib/labels.js";
import { DecoderStream, EncoderStream } from "../lib/streams.js";

/** Names that mean something else here, or that only iconv-lite has. */
const NAMES = {
  binary: "iso-8859-1",
  latin1: "iso-8859-1",
  ascii8bit: "us-ascii",
  ucs2: "utf-16le",
  ucs2le: "utf-16le",
  utf16le: "utf-16le",
  utf16be: "utf-16be",
  utf32le: "utf-32le",
  utf32be: "utf-32be",
  ucs4: "utf-32",
  ucs4le: "utf-32le",
  ucs4be: "utf-32be",
  utf7imap: "imap-utf-7",
  unicode11utf8: "utf-8",
  sjis: "shift_jis",
  gb2312: "gbk",
  eucjp: "euc-jp",
  euckr: "euc-kr",
  big5hkscs: "big5",
};

/** The label of an encoding of iconv-lite: case and signs do not count, nor a year. */
function labelOf(name) {
  const canonical = String(name)
    .toLowerCase()
    .replace(/:\d{4}$|[^0-9a-z]/g, "");
  if (NAMES[canonical]) return NAMES[canonical];
  const exact = encodingFor(name) ?? encodingFor(canonical);
  if (exact) return exact;
  const digits = /^(?:cp|win|windows|ibm|oem)?(\d{3,5})$/.exec(canonical);
  if (digits) return encodingFor(`cp${digits[1]}`);
  const iso = /^iso(?:ir)?8859(\d{1,2})$/.exec(canonical);
  if (iso) return encodingFor(`iso-8859-${iso[1]}`);
  const koi = /^koi8(ru|r|u|t)$/.exec(canonical);
  if (koi) return encodingFor(`koi8-${koi[1]}`);
  return undefined;
}

function known(name) {
  const label = labelOf(name);
  if (!label) throw new Error(`Encoding not recognized: '${name}' (searched as: '${String(name).toLowerCase()}')`);
  return label;
}

/** UTF-16 and UTF-32 without a stated order have a BOM here. */
const HAS_BOM = /^utf-(16|32)$/i;

function withOrder(label, bytes, { defaultEncoding }) {
  if (!HAS_BOM.test(label)) return label;
  const [a, b, c, d] = bytes;
  const isLittle = a === 0xff && b === 0xfe;
  const isBig = /16/.test(label) ? a === 0xfe && b === 0xff : !a && !b && c === 0xfe && d === 0xff;
  return isLittle || isBig ? label : known(defaultEncoding ?? `${label}le`);
}

export const defaultCharUnicode = "�";
export const defaultCharSingleByte = "?";

/** Bytes to a string. */
export function decode(source, encoding, options = {}) {
  const bytes = typeof source === "string" ? encodeAny(source, "iso-8859-1", { errors: "replace" }) : bytesOf(source);
  const { stripBOM = true } = options;
  const label = withOrder(known(encoding), bytes, options);
  const string = decodeAny(bytes, label, { bom: "keep" });
  if (string.charCodeAt(0) !== 0xfeff || stripBOM === false) return string;
  if (typeof stripBOM === "function") stripBOM();
  return string.slice(1);
}

/** A string to bytes. */
export function encode(string, encoding, { addBOM } = {}) {
  const label = known(encoding);
  const isSigned = HAS_BOM.test(label);
  const target = isSigned ? `${label}le` : label;
  const text = String(string ?? "");
  return encodeAny((addBOM ?? isSigned) ? `\ufeff${text}` : text, target, { errors: "replace" });
}

/** True if the encoding is known. */
export const encodingExists = (name) => labelOf(name) !== undefined;

/** `.collect` as iconv-lite's streams have it. */
function collecting(stream, join) {
  if (typeof stream.on !== "function") return stream;
  stream.collect = (callback) => {
    const parts = [];
    stream.on("error", callback);
    stream.on("data", (part) => parts.push(part));
    stream.on("end", () => callback(null, join(parts)));
    return stream;
  };
  return stream;
}

const joinedBytes = (parts) => {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};

/** A stream of bytes to strings. */
export function decodeStream(encoding, { stripBOM = true } = {}) {
  const label = known(encoding);
  const pair = new DecoderStream(label, { bom: stripBOM === false ? "keep" : "strip" });
  return collecting(pipe(pair, { readableObjectMode: true, encoding: "utf8", decodeStrings: true }), (parts) =>
    parts.join(""),
  );
}

/** A stream of strings to bytes. */
export function encodeStream(encoding) {
  const label = known(encoding);
  const pair = new EncoderStream(HAS_BOM.test(label) ? `${label}le` : label, { errors: "replace" });
  return collecting(pipe(pair, { writableObjectMode: true, decodeStrings: false }), joinedBytes);
}

export default {
  decode,
  encode,
  encodingExists,
  decodeStream,
  encodeStream,
  defaultCharUnicode,
  defaultCharSingleByte,
};
