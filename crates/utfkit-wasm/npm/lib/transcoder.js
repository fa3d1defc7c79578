// The conversion of a stream, by the transcoder of a module.
import { CHUNK, Handle } from "./engine.js";
import { EncodingError, place } from "./error.js";

/** How errors are dealt with, as the modules number it. */
const POLICIES = new Map(
  ["strict", "replace", "replace-unit", "replace-sequence", "skip", "escape", "escape-hex", "xml", "html"].map(
    (name, number) => [name, number],
  ),
);
export const REPLACE = POLICIES.get("replace");

export function policy(errors) {
  const number = POLICIES.get(errors);
  if (number === undefined) throw new RangeError(`utfkit: errors is one of ${[...POLICIES.keys()].join(", ")}`);
  return number;
}

/** True if a BOM is taken off. */
export function strips(bom) {
  if (bom !== "strip" && bom !== "keep") throw new RangeError("utfkit: bom is one of strip, keep");
  return bom === "strip";
}

/** Bytes of output at a time: a byte may become a unit of UTF-16 or more. */
const SPACE = 4 * CHUNK;

export class Transcoder {
  #key;
  #handle;
  /** `owner` is what the stream belongs to, if no one frees it. */
  constructor(engine, from, to, policy, encoding, owner) {
    this.engine = engine;
    this.encoding = encoding;
    this.#key = (from * 1024 + to) * 16 + policy;
    const idle = !owner && engine.idle.get(this.#key)?.pop();
    /** True within a text. */
    this.isOpen = false;
    /** True within a character. */
    this.isCut = false;
    /** Bytes that are converted in another way. */
    this.skipped = 0;
    this.#handle = idle || new Handle(engine, engine.x.transcoder(from, to, policy), owner);
  }

  /** Converts the first `length` bytes of the input. `take` gets views of the output. */
  run(length, last, take) {
    const { engine } = this;
    let at = 0;
    for (;;) {
      const status = engine.x.transcode(this.#handle.number, at, length, SPACE, last);
      this.isOpen = !last || status !== 0;
      this.isCut = this.isOpen && engine.number(5) > 0;
      const written = engine.number(1);
      if (written) {
        const start = engine.number(7);
        take(engine.bytes.subarray(start, start + written));
      }
      if (status === 0) return;
      at += engine.number(0);
      if (status === 2) {
        const { offset, ...error } = place(engine);
        throw new EncodingError({ offset: offset + this.skipped, ...error, encoding: this.encoding });
      }
    }
  }

  /**
   * Converts the first `length` bytes of the input, all of a text, into at most `space` bytes,
   * and begins anew. Returns the number of bytes written.
   */
  once(length, space) {
    const { x } = this.engine;
    const status = x.transcode(this.#handle.number, 0, length, Math.min(space, SPACE), true);
    if (status) x.transcoder_reset(this.#handle.number);
    return this.engine.number(1);
  }

  /** The number of characters that the target lacked. */
  get lacking() {
    return this.engine.number(4);
  }

  /** Ends the stream; the next one of its kind takes its place. */
  end() {
    if (this.isOpen) this.engine.x.transcoder_reset(this.#handle.number);
    const idle = this.engine.idle.get(this.#key) ?? [];
    this.engine.idle.set(this.#key, idle);
    if (idle.length < 4) idle.push(this.#handle);
    else this.#handle.free();
  }

  free() {
    this.#handle.free();
  }
}
