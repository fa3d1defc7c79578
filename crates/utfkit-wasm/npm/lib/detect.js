import { joined } from "./convert.js";
import { Handle, bytesOf, engine, limitOf, parts, ready } from "./engine.js";
import { quoted } from "./labels.js";
import { chunks } from "./source.js";

const list = (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]);

/** The options as a module reads them. */
export function optionsOf({ only, not, language }) {
  const lines = [only, not, language].map((value) => list(value).join(","));
  const odd = lines.find((line) => line.includes("\n"));
  if (odd !== undefined) throw unknown(odd);
  return new TextEncoder().encode(lines.join("\n"));
}

const unknown = (name) => new RangeError(`utfkit: no encoding or language is called ${quoted(name)}`);

/**
 * How many detections a module keeps for questions that may come, and of how many bytes: what is not
 * collected until a loop ends would fill its memory.
 */
const KEPT = 4096;
const KEPT_BYTES = 64 << 20;
/** A detection keeps up to so many bytes of its text, and facts. */
const SAMPLE = 40 << 10;
const FACTS = 2 << 10;

/** What a module keeps of a detection. */
export class Kept {
  #engine;
  #number;
  #limit;
  #note;
  constructor(engine, number, limit, bytes) {
    this.#engine = engine;
    this.#number = number;
    this.#limit = limit;
    this.size = FACTS + Math.min(2 * bytes, SAMPLE);
    const all = (engine.detections ??= { each: new Set(), size: 0 });
    all.each.add(this);
    all.size += this.size;
    while (all.each.size > KEPT || all.size > KEPT_BYTES) {
      const [oldest] = all.each;
      oldest.found();
    }
  }
  /** What takes as long to find as the encoding, in JSON. */
  found() {
    if (this.#note === undefined) {
      this.#engine.x.detection_more(this.#number, this.#limit);
      this.#note = this.#engine.note();
      this.free();
    }
    return this.#note;
  }
  free() {
    const all = this.#engine.detections;
    if (!all.each.delete(this)) return;
    all.size -= this.size;
    this.#engine.x.free(this.#number);
  }
}

const collected = new FinalizationRegistry((kept) => kept.free());

/** Up to this length the text is copied, so that the module keeps only the last one. */
const SHORT = 128 << 10;

/** A text and the options, to be detected again. */
class Copy {
  #engine;
  #options;
  #bytes;
  #limit;
  #number;
  constructor(engine, options, bytes, limit, number) {
    this.#engine = engine;
    this.#options = options;
    this.#bytes = bytes.slice();
    this.#limit = limit;
    this.#number = number;
    engine.latest?.free();
    engine.latest = this;
  }
  found() {
    const engine = this.#engine;
    const number = this.#number ?? detection(engine, this.#options, this.#bytes);
    engine.x.detection_more(number, this.#limit);
    const note = engine.note();
    if (this.#number === undefined) engine.x.free(number);
    else this.free();
    return note;
  }
  free() {
    if (this.#number !== undefined) this.#engine.x.free(this.#number);
    this.#number = undefined;
    if (this.#engine.latest === this) this.#engine.latest = undefined;
  }
}

/** The number of a new detection. */
export function detection(engine, options, bytes) {
  const at = engine.input(options.length + bytes.length);
  engine.bytes.set(options, at);
  engine.bytes.set(bytes, at + options.length);
  const number = engine.x.detect(options.length, bytes.length);
  if (number < 0) throw unknown(engine.note());
  return number;
}

/** What was detected. What takes as long to find as the encoding is found when it is asked for. */
export class Detection {
  #kept;
  #more;
  constructor(kept, facts) {
    this.#kept = kept;
    if (kept instanceof Kept) collected.register(this, kept);
    Object.assign(this, facts);
  }
  #found() {
    return (this.#more ??= JSON.parse(this.#kept.found()));
  }
  get confidence() {
    return this.#found().confidence;
  }
  get language() {
    return this.#found().language;
  }
  get candidates() {
    return this.#found().candidates;
  }
  toJSON() {
    return { ...this, ...this.#found() };
  }
}

function atOnce(engine, options, bytes) {
  const text = optionsOf(options);
  const limit = limitOf(options.candidates);
  const number = detection(engine, text, bytes);
  const facts = JSON.parse(engine.note());
  const isShort = bytes.length <= SHORT;
  const kept = isShort ? new Copy(engine, text, bytes, limit, number) : new Kept(engine, number, limit, bytes.length);
  return new Detection(kept, facts);
}

/** Above this length a text is fed in parts. */
const LONG = 1 << 20;

/** Detects the encoding of chunks. */
export class Detector {
  #handle;
  constructor(engine, options) {
    const text = optionsOf(options);
    const number = engine.x.detector(engine.give(text));
    if (number < 0) throw unknown(engine.note());
    this.engine = engine;
    this.limit = limitOf(options.candidates);
    this.#handle = new Handle(engine, number, this);
  }
  push(bytes) {
    for (const part of parts(bytes)) this.engine.x.detector_push(this.#handle.number, this.engine.give(part));
  }
  end() {
    const { engine } = this;
    const mayBeSplit = Boolean(engine.x.detector_end(this.#handle.number));
    const facts = JSON.parse(engine.note());
    const found = new Detection(new Kept(engine, this.#handle.keep(), this.limit, facts.bytes), facts);
    return { found, mayBeSplit };
  }
  free() {
    this.#handle.free();
  }
}

/** The encoding of bytes, how surely it is that, and why. */
export function detect(source, options = {}) {
  const bytes = bytesOf(source);
  const one = engine("detect");
  if (bytes.length <= LONG) return atOnce(one, options, bytes);
  const detector = new Detector(one, options);
  detector.push(bytes);
  const { found, mayBeSplit } = detector.end();
  return mayBeSplit ? atOnce(one, options, bytes) : found;
}

/**
 * As `detect`, of a source that is read chunk by chunk. What looks as if it were joined of texts in
 * several encodings, and is no longer than 64 MiB, is read once more whole: a Blob again, and of
 * a stream the first MiB is kept for that.
 */
export async function detectFrom(source, options = {}) {
  const detector = new Detector(await ready("detect"), options);
  const isBlob = typeof Blob === "function" && source instanceof Blob;
  let kept = [];
  let length = 0;
  try {
    for await (const chunk of chunks(source)) {
      detector.push(chunk);
      length += chunk.length;
      if (!isBlob && length <= LONG) kept.push(chunk.slice());
      else kept = [];
    }
    const { found, mayBeSplit } = detector.end();
    if (mayBeSplit && isBlob) return atOnce(detector.engine, options, new Uint8Array(await source.arrayBuffer()));
    if (!mayBeSplit || !kept.length) return found;
    return atOnce(detector.engine, options, joined(kept));
  } finally {
    detector.free();
  }
}

/** The most bytes that are held back until the encoding is detected. */
const LONGEST_WINDOW = 1 << 26;

/** Bytes in an encoding that is detected to strings. */
export class DetectingDecoderStream {
  #report = null;
  constructor({ window = 1 << 16, ...options } = {}) {
    const text = optionsOf(options);
    const size = Math.min(Math.max(1, Math.floor(Number(window)) || 1), LONGEST_WINDOW);
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
        const number = engine.x.reader(engine.give(text), size);
        if (number < 0) throw unknown(engine.note());
        handle = new Handle(engine, number, this);
      },
      transform(chunk, controller) {
        for (const part of parts(bytesOf(chunk))) push(part, false, controller);
      },
      flush(controller) {
        push(new Uint8Array(0), true, controller);
        handle.free();
      },
      cancel() {
        handle?.free();
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
