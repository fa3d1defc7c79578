// Streams with the interface of TextDecoderStream.
import { stringInParts } from "./convert.js";
import { bytesOf, parts } from "./engine.js";
import { load, within } from "./labels.js";
import { stringOf } from "./strings.js";
import { Transcoder, policy } from "./transcoder.js";

class Pair {
  constructor(transformer) {
    const stream = new TransformStream(transformer);
    this.readable = stream.readable;
    this.writable = stream.writable;
  }
}

/** Bytes in an encoding to strings. */
export class DecoderStream extends Pair {
  constructor(label, { errors = "replace", bom = "strip" } = {}) {
    const number = policy(errors);
    let transcoder;
    let loose = false;
    let isStart = bom === "strip";
    const pass = (controller) => (units) => {
      let string = stringOf(units, loose);
      if (isStart && string) {
        isStart = false;
        if (string.charCodeAt(0) === 0xfeff) string = string.slice(1);
      }
      if (string) controller.enqueue(string);
    };
    super({
      async start() {
        const { engine, index, form, isLoose } = await load(label);
        loose = isLoose;
        transcoder = new Transcoder(engine, index, form, number, label, this);
      },
      transform(chunk, controller) {
        for (const part of parts(bytesOf(chunk))) {
          transcoder.run(transcoder.engine.give(part), false, pass(controller));
        }
      },
      flush(controller) {
        transcoder.run(0, true, pass(controller));
        transcoder.free();
      },
    });
    this.encoding = label;
  }
}

/** Strings to bytes in an encoding. */
export class EncoderStream extends Pair {
  constructor(label, { errors = "strict" } = {}) {
    const number = policy(errors);
    let transcoder;
    const pass = (controller) => (bytes) => controller.enqueue(bytes.slice());
    super({
      async start() {
        const { engine, index, form } = await load(label);
        transcoder = new Transcoder(engine, form, index, number, label, this);
      },
      transform(chunk, controller) {
        const string = String(chunk);
        stringInParts(transcoder.engine, string, false, (length) => transcoder.run(length, false, pass(controller)));
      },
      flush(controller) {
        transcoder.run(0, true, pass(controller));
        transcoder.free();
      },
    });
    this.encoding = label;
  }
}

/** Bytes in one encoding to bytes in another. */
export class TranscodeStream extends Pair {
  constructor(from, to, { errors = "strict" } = {}) {
    const number = policy(errors);
    let transcoder;
    const pass = (controller) => (bytes) => controller.enqueue(bytes.slice());
    super({
      async start() {
        const [a, b] = [await load(from), await load(to)];
        const { engine } = a.engine.tier === "convert" ? b : a;
        transcoder = new Transcoder(engine, within(engine, a, from), within(engine, b, to), number, from, this);
      },
      transform(chunk, controller) {
        for (const part of parts(bytesOf(chunk))) {
          transcoder.run(transcoder.engine.give(part), false, pass(controller));
        }
      },
      flush(controller) {
        transcoder.run(0, true, pass(controller));
        transcoder.free();
      },
    });
    this.encoding = to;
  }
}
