import { CHUNK, bytesOf, parts } from "./engine.js";
import { lookUp, pair } from "./labels.js";
import { giveUnits, stringOf } from "./strings.js";
import { Transcoder, policy } from "./transcoder.js";

/** Code units that go into a module at once. */
const UNITS = CHUNK / 2;

/** The text of bytes in an encoding. */
export function decode(source, label, { errors = "replace", bom = "strip" } = {}) {
  let bytes = bytesOf(source);
  const { engine, index } = lookUp(label);
  if (bom === "strip") bytes = bytes.subarray(engine.x.bom(engine.give(bytes.subarray(0, 8)), index));
  const form = engine.x.text_form(index);
  const loose = form !== (engine.utf16 ??= engine.x.text_form(0));
  const transcoder = new Transcoder(engine, index, form, policy(errors), label);
  let string = "";
  const take = (units) => {
    string += stringOf(units, loose);
  };
  try {
    for (const part of parts(bytes)) transcoder.run(engine.give(part), false, take);
    transcoder.run(0, true, take);
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

/** The bytes of a string in an encoding. */
export function encode(string, label, { errors = "strict" } = {}) {
  const { engine, index } = lookUp(label);
  const transcoder = new Transcoder(engine, engine.x.text_form(index), index, policy(errors), label);
  const chunks = [];
  const take = (bytes) => chunks.push(bytes.slice());
  try {
    for (let at = 0; at < string.length; at += UNITS) {
      transcoder.run(giveUnits(engine, string, at, Math.min(at + UNITS, string.length)), false, take);
    }
    transcoder.run(0, true, take);
    return joined(chunks);
  } catch (error) {
    // Offsets in a string count code units.
    if (error.offset !== undefined) {
      error.offset /= 2;
      error.length /= 2;
      error.message = `${error.kind} at index ${error.offset}, in ${label}`;
    }
    throw error;
  } finally {
    transcoder.end();
  }
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
    for (const part of parts(bytes)) transcoder.run(engine.give(part), false, take);
    transcoder.run(0, true, take);
    return joined(chunks);
  } finally {
    transcoder.end();
  }
}
