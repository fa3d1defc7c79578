import { Handle, bytesOf, engine, parts, ready } from "./engine.js";
import { chunks } from "./source.js";

const list = (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]);

/** The options as a module reads them. */
function optionsOf({ only, not, language, candidates = 0 }) {
  const lines = [only, not, language].map((value) => list(value).join(","));
  return { text: new TextEncoder().encode(lines.join("\n")), candidates };
}

const unknown = (engine) => new RangeError(`utfkit: no encoding or language is called ${JSON.stringify(engine.note())}`);

function at_once(one, options, bytes) {
  const { text, candidates } = optionsOf(options);
  const at = one.x.input(text.length + bytes.length);
  one.bytes.set(text, at);
  one.bytes.set(bytes, at + text.length);
  if (one.x.detect(text.length, bytes.length, candidates)) throw unknown(one);
  return JSON.parse(one.note());
}

/** Above this length a text is fed in parts. */
const LONG = 1 << 20;

class Detector {
  constructor(engine, options) {
    const { text, candidates } = optionsOf(options);
    const number = engine.x.detector(engine.give(text));
    if (number < 0) throw unknown(engine);
    this.engine = engine;
    this.candidates = candidates;
    this.handle = new Handle(engine, number, this);
  }
  push(bytes) {
    for (const part of parts(bytes)) this.engine.x.detector_push(this.handle.number, this.engine.give(part));
  }
  end() {
    const mayBeSplit = this.engine.x.detector_end(this.handle.number, this.candidates);
    const found = JSON.parse(this.engine.note());
    this.handle.free();
    return { found, mayBeSplit: Boolean(mayBeSplit) };
  }
}

/** The encoding of bytes, how surely it is that, and why. */
export function detect(source, options = {}) {
  const bytes = bytesOf(source);
  const one = engine("detect");
  if (bytes.length <= LONG) return at_once(one, options, bytes);
  const detector = new Detector(one, options);
  detector.push(bytes);
  const { found, mayBeSplit } = detector.end();
  return mayBeSplit ? at_once(one, options, bytes) : found;
}

/** As `detect`, of a source that is read chunk by chunk, in bounded memory. */
export async function detectFrom(source, options = {}) {
  const one = await ready("detect");
  const detector = new Detector(one, options);
  // The beginning is kept: the pieces of a short text are found in the whole of it.
  let kept = [];
  let length = 0;
  try {
    for await (const chunk of chunks(source)) {
      detector.push(chunk);
      length += chunk.length;
      if (length <= LONG) kept.push(chunk.slice());
      else kept = [];
    }
    const { found, mayBeSplit } = detector.end();
    if (!mayBeSplit || !kept.length) return found;
    const bytes = new Uint8Array(await new Blob(kept).arrayBuffer());
    return at_once(one, options, bytes);
  } finally {
    detector.handle.free();
  }
}

/** Bytes in an encoding that is detected to strings. */
export class DetectingDecoderStream {
  #report = null;
  constructor({ window = 1 << 16, ...options } = {}) {
    const { text } = optionsOf(options);
    let engine;
    let handle;
    const push = (bytes, last, controller) => {
      const failed = engine.x.reader_push(handle.number, engine.give(bytes), last);
      const string = new TextDecoder("utf-8", { ignoreBOM: true }).decode(engine.output(engine.number(1)));
      if (string) controller.enqueue(string);
      if (failed) throw new TypeError(`utfkit: ${engine.note()}`);
      this.#report = JSON.parse(engine.note());
    };
    const stream = new TransformStream({
      start: async () => {
        engine = await ready("detect");
        const number = engine.x.reader(engine.give(text), window);
        if (number < 0) throw unknown(engine);
        handle = new Handle(engine, number, this);
      },
      transform(chunk, controller) {
        for (const part of parts(bytesOf(chunk))) push(part, false, controller);
      },
      flush(controller) {
        push(new Uint8Array(0), true, controller);
        handle.free();
      },
    });
    this.readable = stream.readable;
    this.writable = stream.writable;
  }
  /** The encoding and the number of errors so far. */
  get report() {
    return this.#report;
  }
}
