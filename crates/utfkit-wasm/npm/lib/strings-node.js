// Strings from code units in the memory of a module, and back, by Buffer, which copies them.
import { Buffer, isAscii } from "node:buffer";
import { partBeyondAscii } from "./sample.js";

const buffer = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

/** A string of little-endian code units. */
export const stringOf = (bytes) => buffer(bytes).toString("utf16le");

/** The string of bytes if they are US-ASCII, or `undefined`. */
export const asciiOf = (engine, bytes) => (isAscii(bytes) ? buffer(bytes).toString("latin1") : undefined);

/** The bytes of a string, if it is US-ASCII. */
export function asciiBytesOf(string) {
  // To count the bytes takes as long as to convert them, so a look comes first.
  if (partBeyondAscii(string) > 0 || Buffer.byteLength(string) !== string.length) return undefined;
  const bytes = new Uint8Array(string.length);
  buffer(bytes).write(string, "latin1");
  return bytes;
}

/** Writes the code units of `string` from `start` to `end` to the input of a module. */
export function giveUnits(engine, string, start, end) {
  const length = 2 * (end - start);
  const at = engine.input(length);
  const part = start === 0 && end === string.length ? string : string.slice(start, end);
  buffer(engine.bytes.subarray(at, at + length)).write(part, "utf16le");
  return length;
}

/** Up to the first length the platform is faster than the way through a module, and to the second for US-ASCII. */
const SHORT = 512;
const SHORT_ASCII = 1 << 14;
/** Bytes that are looked at. */
const SAMPLES = 8;

/** True if the platform probably decodes these bytes of UTF-8 faster than a module. */
export function prefersPlatform(bytes) {
  const { length } = bytes;
  if (length <= SHORT) return true;
  if (length > SHORT_ASCII) return false;
  const step = length >> 3;
  let all = 0;
  for (let at = 0, place = 0; at < SAMPLES; at++, place += step) all |= bytes[place];
  return all < 0x80;
}

/** Code units are the fastest way into a module. */
export const prefersUnits = () => true;
