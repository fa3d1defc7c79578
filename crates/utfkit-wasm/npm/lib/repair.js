import { LONGEST, quoted } from "./labels.js";
import { Handle, bytesOf, engine, limitOf, parts } from "./engine.js";

const FLAGS = { undouble: 1, reinterpret: 2, rejoin: 4, byLine: 8 };
const REPLACEMENT = 16;
/** Texts that are joined of several are read whole, up to this length. */
const WHOLE = 64 << 20;

/** It may be written for every byte. */
const LONGEST_REPLACEMENT = 1000;

/** A repair in two passes: `survey` gets the whole text first, then `push` does. */
export class Repair {
  #handle;
  constructor(engine, { fallback: label = "", replacement, ...flags } = {}) {
    const fallback = String(label);
    const written = String(replacement ?? "");
    if (written.length > LONGEST_REPLACEMENT) {
      throw new RangeError(`utfkit: a replacement has at most ${LONGEST_REPLACEMENT} code units`);
    }
    let bits = replacement === undefined ? 0 : REPLACEMENT;
    for (const [name, bit] of Object.entries(FLAGS)) if (flags[name]) bits |= bit;
    // A line ends the label.
    const isLabel = fallback.length <= LONGEST && !fallback.includes("\n");
    const number = isLabel ? engine.x.repairer(bits, engine.giveText(`${fallback}\n${written}`)) : -1;
    if (number < 0) {
      throw new RangeError(`utfkit: ${quoted(fallback)} is no encoding to fall back to`);
    }
    this.engine = engine;
    this.#handle = new Handle(engine, number, this);
    /** Of the last call of `push`: the number of changes, and the first ones. */
    this.count = 0;
    this.changes = [];
  }
  survey(bytes) {
    for (const part of parts(bytes)) this.engine.x.survey_push(this.#handle.number, this.engine.give(part));
  }
  /** Ends the first pass. True if the second one is likely to restore text. */
  surveyed() {
    return Boolean(this.engine.x.survey_end(this.#handle.number));
  }
  /** The repaired text of at most CHUNK bytes, as a view of memory. */
  push(bytes, last, limit = limitOf()) {
    const { x } = this.engine;
    x.repairer_push(this.#handle.number, this.engine.give(bytes), last, limit);
    this.count = this.engine.number(2);
    this.changes = this.count && limit ? JSON.parse(this.engine.note()) : [];
    return this.engine.output(this.engine.number(1));
  }
  free() {
    this.#handle.free();
  }
}

/** UTF-8 as a well-formed string, and what was changed. */
export function repair(source, options = {}) {
  const bytes = typeof source === "string" ? new TextEncoder().encode(source) : bytesOf(source);
  const one = engine("detect");
  const repairer = new Repair(one, options);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const limit = limitOf(options.limit);
  let text = "";
  let count = 0;
  const changes = [];
  const take = (part, last) => {
    text += decoder.decode(repairer.push(part, last, Math.max(0, limit - changes.length)), { stream: !last });
    count += repairer.count;
    for (const change of repairer.changes) changes.push(change);
  };
  try {
    if (options.undouble) repairer.survey(bytes);
    for (const part of parts(bytes)) take(part, false);
    take(new Uint8Array(0), true);
    return { text, changes, count };
  } finally {
    repairer.free();
  }
}

/** A string with mojibake undone. */
export const fixText = (string) => repair(string, { undouble: true, limit: 0 }).text;

/** One text of bytes that are joined of texts in several encodings. */
export function unite(source, { limit } = {}) {
  const bytes = bytesOf(source);
  if (bytes.length > WHOLE) throw new RangeError("utfkit: a text that is joined of several has at most 64 MiB");
  const one = engine("detect");
  if (one.x.unite(one.give(bytes), limitOf(limit))) {
    throw new RangeError("utfkit: the bytes are not joined of texts in several encodings, or of too many");
  }
  const count = one.number(2);
  return { bytes: one.output(one.number(1)).slice(), count, changes: JSON.parse(one.note()) };
}
