// TextDecoder, TextEncoder and their streams, as the Encoding Standard describes them.
import { joined, stringInParts } from "./convert.js";
import { CHUNK, bytesOf, engine, inParts } from "./engine.js";
import { EncodingError } from "./error.js";
import { lookUp, quoted, webName } from "./labels.js";
import { Pair, feedString, takeBytes } from "./streams.js";
import { giveUnits, stringOf } from "#strings";
import { Transcoder } from "./transcoder.js";

const STRICT = 0;
const REPLACE = 1;
/** The encodings whose BOM a decoder takes off. */
const HAVE_BOM = new Set(["utf-8", "utf-16le", "utf-16be"]);

/** The bytes of an argument. The standard reads what is detached as no bytes. */
function given(input) {
  const buffer = ArrayBuffer.isView(input) ? input.buffer : input;
  const isEmpty = buffer === undefined || (buffer instanceof ArrayBuffer && buffer.byteLength === 0);
  return isEmpty ? new Uint8Array(0) : bytesOf(input);
}

export class TextDecoder {
  #encoding;
  #fatal;
  #ignoreBOM;
  #found;
  #transcoder;
  #isStart = true;

  constructor(label = "utf-8", options = {}) {
    const name = webName(label);
    if (!name || name === "replacement") {
      throw new RangeError(`The encoding label provided (${quoted(String(label))}) is invalid.`);
    }
    this.#found = lookUp(label, true);
    this.#encoding = name.toLowerCase();
    this.#fatal = Boolean(options?.fatal);
    this.#ignoreBOM = Boolean(options?.ignoreBOM);
  }

  get encoding() {
    return this.#encoding;
  }
  get fatal() {
    return this.#fatal;
  }
  get ignoreBOM() {
    return this.#ignoreBOM;
  }

  decode(input, options = {}) {
    const bytes = given(input);
    const more = Boolean(options?.stream);
    const { engine, index, form } = this.#found;
    const isNew = this.#transcoder === undefined;
    if (isNew) this.#isStart = true;
    const policy = this.#fatal ? STRICT : REPLACE;
    const transcoder = (this.#transcoder ??= new Transcoder(
      engine,
      index,
      form,
      policy,
      this.#encoding,
      more ? this : undefined,
    ));
    let string = "";
    const take = (units) => {
      string += stringOf(units);
    };
    let done = false;
    try {
      inParts(bytes, (part, last) => transcoder.run(engine.give(part), last && !more, take));
      done = more;
    } catch (error) {
      if (!(error instanceof EncodingError)) throw error;
      // The standard's error, with what is known of it.
      throw new TypeError(`The encoded data was not valid: ${error.message}`, { cause: error });
    } finally {
      if (!done) {
        this.#transcoder = undefined;
        if (isNew && !more) transcoder.end();
        else transcoder.free();
      }
    }
    if (this.#isStart && string) {
      this.#isStart = false;
      if (!this.#ignoreBOM && HAVE_BOM.has(this.#encoding) && string.charCodeAt(0) === 0xfeff) return string.slice(1);
    }
    return string;
  }

  get [Symbol.toStringTag]() {
    return "TextDecoder";
  }
}

const toUtf8 = (owner) => {
  const one = engine("convert");
  return new Transcoder(one, one.x.text_form(0), 0, REPLACE, "utf-8", owner);
};

export class TextEncoder {
  get encoding() {
    return "utf-8";
  }

  encode(input = "") {
    const string = String(input);
    const transcoder = toUtf8();
    const chunks = [];
    const take = (bytes) => chunks.push(bytes.slice());
    try {
      stringInParts(transcoder.engine, string, false, (length, last) => transcoder.run(length, last, take));
    } finally {
      transcoder.end();
    }
    return joined(chunks);
  }

  encodeInto(source, destination) {
    if (!(destination instanceof Uint8Array)) throw new TypeError("encodeInto: the destination is not a Uint8Array");
    const string = String(source);
    const one = engine("convert");
    const transcoder = toUtf8();
    let read = 0;
    let written = 0;
    try {
      while (read < string.length && written < destination.length) {
        let end = Math.min(read + CHUNK / 2, string.length);
        // A part ends with a character.
        if (end < string.length && (string.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--;
        const came = transcoder.once(giveUnits(one, string, read, end), destination.length - written);
        const whole = one.x.whole(came);
        destination.set(one.output(whole), written);
        written += whole;
        const units = one.number(0);
        const isFull = units < end - read;
        read += units;
        if (isFull) break;
      }
      return { read, written };
    } finally {
      transcoder.end();
    }
  }

  get [Symbol.toStringTag]() {
    return "TextEncoder";
  }
}

export class TextDecoderStream {
  #decoder;
  constructor(label = "utf-8", options = {}) {
    this.#decoder = new TextDecoder(label, options);
    const decoder = this.#decoder;
    const stream = new TransformStream({
      transform(chunk, controller) {
        const string = decoder.decode(bytesOf(chunk), { stream: true });
        if (string) controller.enqueue(string);
      },
      flush(controller) {
        const string = decoder.decode();
        if (string) controller.enqueue(string);
      },
    });
    this.readable = stream.readable;
    this.writable = stream.writable;
  }
  get encoding() {
    return this.#decoder.encoding;
  }
  get fatal() {
    return this.#decoder.fatal;
  }
  get ignoreBOM() {
    return this.#decoder.ignoreBOM;
  }
}

export class TextEncoderStream extends Pair {
  constructor() {
    const feed = (transcoder, chunk, take) => feedString(transcoder, String(chunk), take);
    super(toUtf8, feed, takeBytes);
  }
  get encoding() {
    return "utf-8";
  }
}
