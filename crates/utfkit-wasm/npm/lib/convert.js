import { CHUNK, bytesOf, inParts } from "./engine.js";
import { lookUp, pair } from "./labels.js";
import { giveUnits, stringOf } from "./strings.js";
import { Transcoder, policy } from "./transcoder.js";

/** Code units that go into a module at once. */
const UNITS = CHUNK / 4;

/** The platform's codec of UTF-8, where it gives the same. */
const native = new TextDecoder("utf-8", { ignoreBOM: true });
const nativeEncoder = new TextEncoder();
const UTF8 = /^utf-?8$/i;
/** Its index in every module: the first. */
const UTF8_INDEX = 0;
/** Up to this length the platform is faster than the way through a module. */
const SHORT = 512;

const startsWith = (bytes, start) => start.length > 0 && start.every((byte, at) => bytes[at] === byte);

/** The text of bytes in an encoding. */
export function decode(source, label, { errors = "replace", bom = "strip" } = {}) {
  let bytes = bytesOf(source);
  const isUtf8 = UTF8.test(label);
  const found = lookUp(label);
  const { engine } = found;
  if (bom === "strip" && startsWith(bytes, found.bom)) bytes = bytes.subarray(found.bom.length);
  const number = policy(errors);
  if (isUtf8 && errors === "replace" && bytes.length <= SHORT) return native.decode(bytes);
  const transcoder = new Transcoder(engine, found.index, found.form, number, label);
  let string = "";
  const take = (units) => {
    string += stringOf(units, found.isLoose);
  };
  try {
    inParts(bytes, (part, last) => {
      const length = engine.give(part);
      // US-ASCII needs no conversion, unless the part before it ends within a character.
      if (found.hasAscii && !transcoder.isCut && engine.x.is_ascii(length)) {
        string += native.decode(part);
        transcoder.skipped += length;
      } else {
        transcoder.run(length, last, take);
      }
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

/** The bytes of a string in an encoding. */
export function encode(string, label, { errors = "strict" } = {}) {
  const found = lookUp(label);
  const { engine } = found;
  const number = policy(errors);
  // Strings of the platform become UTF-8 fast. With lone surrogates it would lose them.
  const isWellFormed = !found.isLoose && (string.isWellFormed?.() ?? false);
  if (isWellFormed && UTF8.test(label)) return nativeEncoder.encode(string);
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
    if (error.offset === undefined) throw error;
    // Offsets in a string count code units.
    if (isWellFormed) error.offset = unitsBefore(string, error.offset);
    else [error.offset, error.length] = [error.offset / 2, error.length / 2];
    if (isWellFormed) error.length = error.length === 4 ? 2 : 1;
    error.message = `${error.kind} at index ${error.offset}, in ${label}`;
    throw error;
  }
}

/** The number of code units in the first `length` bytes of a string's UTF-8. */
function unitsBefore(string, length) {
  return native.decode(nativeEncoder.encode(string).subarray(0, length)).length;
}

/** Bytes in one encoding as bytes in another. */
export function transcode(source, from, to, { errors = "strict" } = {}) {
  const bytes = bytesOf(source);
  const both = pair(from, to);
  const { engine } = both;
  const transcoder = new Transcoder(engine, both.from, both.to, policy(errors), from);
  const chunks = [];
  const take = (part) => chunks.push(part.slice());
  try {
    inParts(bytes, (part, last) => transcoder.run(engine.give(part), last, take));
    return joined(chunks);
  } finally {
    transcoder.end();
  }
}
