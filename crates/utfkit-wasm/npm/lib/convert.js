import { CHUNK, bytesOf, inParts } from "./engine.js";
import { EncodingError } from "./error.js";
import { UTF8_INDEX, lookUp, pair } from "./labels.js";
import { asciiBytesOf, asciiOf, giveUnits, prefersPlatform, prefersUnits, stringOf } from "#strings";
import { REPLACE, Transcoder, policy, strips } from "./transcoder.js";

/** Code units that go into a module at once. */
const UNITS = CHUNK / 4;

/** The platform's codec of UTF-8, where it gives the same. */
const native = new TextDecoder("utf-8", { ignoreBOM: true });
const nativeEncoder = new TextEncoder();

/** The text of bytes in an encoding. */
export function decode(source, label, { errors = "replace", bom = "strip" } = {}) {
  const found = lookUp(label);
  const { engine } = found;
  const number = policy(errors);
  const isStripped = strips(bom);
  // After everything that may run code of the caller.
  let bytes = bytesOf(source);
  if (isStripped && found.begins(bytes)) bytes = bytes.subarray(found.bom.length);
  if (found.isUtf8 && number === REPLACE && prefersPlatform(bytes)) return native.decode(bytes);
  const isShort = bytes.length <= CHUNK;
  // US-ASCII needs no conversion.
  if (isShort && found.hasAscii) {
    const ascii = asciiOf(engine, bytes);
    if (ascii !== undefined) return ascii;
  }
  const transcoder = new Transcoder(engine, found.index, found.form, number, label);
  let string = "";
  const take = (units) => {
    string += stringOf(units, found.isLoose);
  };
  try {
    inParts(bytes, (part, last) => {
      // Nor does a part, unless the one before it ends within a character.
      const ascii = !isShort && found.hasAscii && !transcoder.isCut ? asciiOf(engine, part) : undefined;
      if (ascii === undefined) return transcoder.run(engine.give(part), last, take);
      string += ascii;
      transcoder.skipped += part.length;
    });
    if (transcoder.isOpen) transcoder.run(0, true, take);
    return string;
  } finally {
    transcoder.end();
  }
}

/** Joins chunks. */
export function joined(chunks) {
  if (chunks.length === 1) return chunks[0];
  const all = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/** True if the first half of a surrogate pair is before `at`. */
const cutsPair = (string, at) => at < string.length && (string.charCodeAt(at - 1) & 0xfc00) === 0xd800;

/**
 * Calls `each` with parts of a string in the input of a module: where they end, and how many
 * bytes they are. `asUtf8` if there are no lone surrogates, or they may become U+FFFD.
 */
export function stringInParts(engine, string, asUtf8, each) {
  let at = 0;
  do {
    let end = Math.min(at + UNITS, string.length);
    if (cutsPair(string, end)) end--;
    const isWhole = at === 0 && end === string.length;
    const length = asUtf8
      ? engine.giveText(isWhole ? string : string.slice(at, end))
      : giveUnits(engine, string, at, end);
    each(length, end === string.length);
    at = end;
  } while (at < string.length);
}

/** Refuses what is no string. Bytes, as text, would be their numbers. */
export function checkString(value) {
  if (typeof value !== "string") throw new TypeError("utfkit: what is encoded is a string");
}

/** The bytes of a string in an encoding. */
export function encode(string, label, { errors = "strict" } = {}) {
  checkString(string);
  const found = lookUp(label);
  const { engine } = found;
  const number = policy(errors);
  const ascii = found.hasAscii ? asciiBytesOf(string) : undefined;
  if (ascii !== undefined) return ascii;
  const { isUtf8 } = found;
  // Strings of the platform become UTF-8 fast. With lone surrogates it would lose them.
  const isWellFormed = (isUtf8 || !prefersUnits(string)) && !found.isLoose && (string.isWellFormed?.() ?? false);
  if (isWellFormed && isUtf8) return nativeEncoder.encode(string);
  const run = (asUtf8) => {
    const transcoder = new Transcoder(engine, asUtf8 ? UTF8_INDEX : found.form, found.index, number, label);
    const chunks = [];
    const take = (bytes) => chunks.push(bytes.slice());
    try {
      stringInParts(engine, string, asUtf8, (length, last) => transcoder.run(length, last, take));
      return joined(chunks);
    } finally {
      transcoder.end();
    }
  };
  try {
    return run(isWellFormed);
  } catch (error) {
    if (!(error instanceof EncodingError)) throw error;
    throw isWellFormed
      ? inUnits(error, unitsBefore(string, error.offset), error.length === 4 ? 2 : 1)
      : inUnits(error, error.offset / 2, error.length / 2);
  }
}

/** The error of a string, whose offset counts code units. */
export function inUnits({ kind, encoding }, offset, length) {
  const error = new EncodingError({ offset, length, kind, encoding });
  error.message = `${kind} at index ${offset}, in ${encoding}`;
  return error;
}

/** The number of code units in the first `length` bytes of a string's UTF-8. */
function unitsBefore(string, length) {
  return native.decode(nativeEncoder.encode(string).subarray(0, length)).length;
}

/** Bytes in one encoding as bytes in another. */
export function transcode(source, from, to, { errors = "strict" } = {}) {
  const both = pair(from, to);
  const { engine } = both;
  const number = policy(errors);
  const bytes = bytesOf(source);
  const transcoder = new Transcoder(engine, both.from, both.to, number, from);
  const chunks = [];
  const take = (part) => chunks.push(part.slice());
  try {
    inParts(bytes, (part, last) => transcoder.run(engine.give(part), last, take));
    return joined(chunks);
  } finally {
    transcoder.end();
  }
}
