// The functions of iconv-lite. The README lists what differs.
import { asBytes, transform } from "#pipe";
import { bytesOf } from "../lib/engine.js";
import { ChunkDecoder, ChunkEncoder } from "../lib/chunked.js";
import { decode as decodeAny, encode as encodeAny, joined } from "../lib/convert.js";
import { labelOf } from "./iconv-names.js";

function known(name) {
  const label = labelOf(name);
  if (!label) throw new Error(`Encoding not recognized: '${name}' (searched as: '${String(name).toLowerCase()}')`);
  return label;
}

/** Encodings in which a BOM is taken off and may be added. */
const IS_UNICODE = /^(?:utf-?(?:8|16|32)|ucs-|iso-10646-ucs|cesu-8)/i;
/** Those without a stated order of bytes: the bytes of a unit. */
const unitOf = (label) => Number(/^utf-(16|32)$/i.exec(label)?.[1] ?? 0) / 8;

/** Units that are looked at to find their order, and as many chunks of a stream are kept for it. */
const LOOKED_AT = 100;
const KEPT = 8;

/** `le` or `be` by a BOM or the units that are characters of US-ASCII, or else of Unicode; or `undefined`. */
function orderOf(bytes, unit) {
  const end = Math.min(bytes.length - (bytes.length % unit), LOOKED_AT * unit);
  const count = { le: 0, be: 0 };
  for (let at = 0; at < end; at += unit) {
    for (const order of ["le", "be"]) {
      const digits = Array.from(bytes.subarray(at, at + unit));
      if (order === "le") digits.reverse();
      const value = digits.reduce((value, byte) => value * 256 + byte, 0);
      if (at === 0 && value === 0xfeff) return order;
      const isLikely = unit === 2 ? value > 0 && value < 0x100 : value < 0x110000;
      if (isLikely) count[order]++;
    }
  }
  return count.le === count.be ? undefined : count.le > count.be ? "le" : "be";
}

function withOrder(label, bytes, { defaultEncoding }) {
  const unit = unitOf(label);
  if (!unit) return label;
  const order = orderOf(bytes, unit);
  return order ? `${label}${order}` : known(defaultEncoding ?? `${label}le`);
}

/** Takes off a BOM, once. */
function withoutBom(string, label, { stripBOM = true }) {
  if (string.charCodeAt(0) !== 0xfeff || stripBOM === false || !IS_UNICODE.test(label)) return string;
  if (typeof stripBOM === "function") stripBOM();
  return string.slice(1);
}

/** The encoding into which is written, and the BOM. */
function target(encoding, { addBOM, defaultEncoding } = {}) {
  const label = known(encoding);
  const unit = unitOf(label);
  const isSigned = (addBOM ?? unit > 0) && IS_UNICODE.test(label);
  const stated = unit === 4 && defaultEncoding ? known(defaultEncoding) : `${label}le`;
  return { label: unit ? stated : label, bom: isSigned ? "\ufeff" : "" };
}

export const defaultCharUnicode = "\ufffd";
export const defaultCharSingleByte = "?";

/** Bytes to a string. */
export function decode(source, encoding, options) {
  const bytes = typeof source === "string" ? encodeAny(source, "iso-8859-1", { errors: "replace" }) : bytesOf(source);
  const label = withOrder(known(encoding), bytes, options ?? {});
  return withoutBom(decodeAny(bytes, label, { bom: "keep" }), label, options ?? {});
}

/** A string to bytes. */
export function encode(string, encoding, options) {
  const { label, bom } = target(encoding, options ?? {});
  return asBytes(encodeAny(`${bom}${string || ""}`, label, { errors: "replace" }));
}

/** True if the encoding is known. */
export const encodingExists = (name) => labelOf(name) !== undefined;

/** What decodes chunks: `write` returns a string, and `end` what is left. */
class Decoder {
  #label;
  #options;
  #kept = [];
  #decoder;
  #isStart = true;
  constructor(encoding, options) {
    this.#label = known(encoding);
    this.#options = options ?? {};
  }
  write(source) {
    const bytes = bytesOf(source);
    if (this.#decoder) return this.#out(this.#decoder.write(bytes));
    // The order of bytes shows in some units.
    this.#kept.push(bytes.slice());
    const length = this.#kept.reduce((sum, { length }) => sum + length, 0);
    return length < KEPT * unitOf(this.#label) ? "" : this.#begin();
  }
  end() {
    const begun = this.#decoder ? "" : this.#begin();
    const string = begun + this.#out(this.#decoder.end());
    this.#decoder = undefined;
    this.#isStart = true;
    return string || undefined;
  }
  #begin() {
    const bytes = joined(this.#kept);
    this.#kept = [];
    const label = withOrder(this.#label, bytes, this.#options);
    this.#decoder = new ChunkDecoder(label);
    return this.#out(this.#decoder.write(bytes));
  }
  #out(string) {
    if (!this.#isStart || !string) return string;
    this.#isStart = false;
    return withoutBom(string, this.#label, this.#options);
  }
}

/** What encodes chunks: `write` returns bytes, and `end` what is left. */
class Encoder {
  #encoder;
  #bom;
  constructor(encoding, options) {
    const { label, bom } = target(encoding, options ?? {});
    this.#encoder = new ChunkEncoder(label);
    this.#bom = bom;
  }
  write(string) {
    const chunks = [];
    this.#encoder.write(this.#bom + string, (bytes) => chunks.push(bytes.slice()));
    this.#bom = "";
    return asBytes(joined(chunks));
  }
  end() {
    const chunks = [];
    this.#encoder.end((bytes) => chunks.push(bytes.slice()));
    return chunks.length ? asBytes(joined(chunks)) : undefined;
  }
}

export const getDecoder = (encoding, options) => new Decoder(encoding, options);
export const getEncoder = (encoding, options) => new Encoder(encoding, options);

/** A stream of bytes to strings. */
export function decodeStream(encoding, options) {
  const stream = transform(getDecoder(encoding, options), { ...options, encoding: "utf8" });
  return collecting(stream, (parts) => parts.join(""));
}

/** A stream of strings to bytes. */
export function encodeStream(encoding, options) {
  const encoder = getEncoder(encoding, options);
  const write = (chunk) => {
    if (typeof chunk !== "string") throw new Error("Iconv encoding stream needs strings as its input.");
    return encoder.write(chunk);
  };
  const stream = transform({ write, end: () => encoder.end() }, { ...options, decodeStrings: false });
  return collecting(stream, (parts) => asBytes(joined(parts)));
}

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

export { decode as fromEncoding, encode as toEncoding };
export const supportsStreams = true;

export default {
  decode,
  encode,
  encodingExists,
  getDecoder,
  getEncoder,
  decodeStream,
  encodeStream,
  fromEncoding: decode,
  toEncoding: encode,
  supportsStreams,
  defaultCharUnicode,
  defaultCharSingleByte,
};
