// Strings from code units in the memory of a module, and back, where there is no Buffer.
import { partBeyondAscii } from "./sample.js";

const units = new TextDecoder("utf-16le", { ignoreBOM: true });
const ascii = new TextDecoder();

/** A string of little-endian code units. `loose` if some may be lone surrogates. */
export function stringOf(bytes, loose = false) {
  if (!loose) return units.decode(bytes);
  const all = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1);
  let string = "";
  for (let at = 0; at < all.length; at += 4096) string += String.fromCharCode.apply(null, all.subarray(at, at + 4096));
  return string;
}

/** The string of at most CHUNK bytes if they are US-ASCII, or `undefined`. Overwrites the input. */
export function asciiOf(engine, bytes) {
  const length = engine.give(bytes);
  return engine.x.is_ascii(length) ? ascii.decode(engine.given(length)) : undefined;
}

/** The bytes of a string, if it is known to be US-ASCII at once. */
export const asciiBytesOf = () => undefined;

/** Writes the code units of `string` from `start` to `end` to the input of a module. */
export function giveUnits(engine, string, start, end) {
  let to = engine.input(2 * (end - start)) >> 1;
  const { units } = engine;
  for (let from = start; from < end; from++, to++) units[to] = string.charCodeAt(from);
  return 2 * (end - start);
}

/**
 * True if the platform decodes these bytes of UTF-8 as fast as a module, or faster. So browsers do, but
 * they refuse buffers that are shared or change their size.
 */
export const prefersPlatform = ({ buffer }) => buffer instanceof ArrayBuffer && !buffer.resizable;

/**
 * True if code units are the faster way into a module: if many of them are beyond US-ASCII, which the
 * platform writes fast as UTF-8.
 */
export const prefersUnits = (string) => partBeyondAscii(string) > 0.5;
