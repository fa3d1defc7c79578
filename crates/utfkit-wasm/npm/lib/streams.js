// Streams with the interface of TextDecoderStream.
import { checkString, inUnits, stringInParts } from "./convert.js";
import { bytesOf, parts } from "./engine.js";
import { EncodingError } from "./error.js";
import { load, within } from "./labels.js";
import { stringOf } from "#strings";
import { Transcoder, policy, strips } from "./transcoder.js";

/**
 * A pair of streams around a transcoder. `begin` makes it for its owner, `feed` gives it a chunk, `take`
 * makes of a controller what gets views of the output, and `explain` changes an error for the caller.
 */
export class Pair {
  constructor(begin, feed, take, explain = (error) => error) {
    let transcoder;
    const explained = (work) => {
      try {
        work();
      } catch (error) {
        throw error instanceof EncodingError ? explain(error) : error;
      }
    };
    const stream = new TransformStream({
      async start() {
        transcoder = await begin(this);
      },
      transform(chunk, controller) {
        explained(() => feed(transcoder, chunk, take(controller)));
      },
      flush(controller) {
        explained(() => transcoder.run(0, true, take(controller)));
        transcoder.free();
      },
      // Where streams call it; elsewhere the transcoder is freed with its owner.
      cancel() {
        transcoder?.free();
      },
    });
    this.readable = stream.readable;
    this.writable = stream.writable;
  }
}

function feedBytes(transcoder, chunk, take) {
  for (const part of parts(bytesOf(chunk))) transcoder.run(transcoder.engine.give(part), false, take);
}

export function feedString(transcoder, string, take) {
  stringInParts(transcoder.engine, string, false, (length) => transcoder.run(length, false, take));
}

export const takeBytes = (controller) => (bytes) => controller.enqueue(bytes.slice());

/** Bytes in an encoding to strings. */
export class DecoderStream extends Pair {
  constructor(label, { errors = "replace", bom = "strip" } = {}) {
    const number = policy(errors);
    let loose = false;
    let isStart = strips(bom);
    const begin = async (owner) => {
      const { engine, index, form, isLoose } = await load(label);
      loose = isLoose;
      return new Transcoder(engine, index, form, number, label, owner);
    };
    const take = (controller) => (units) => {
      let string = stringOf(units, loose);
      if (isStart && string) {
        isStart = false;
        if (string.charCodeAt(0) === 0xfeff) string = string.slice(1);
      }
      if (string) controller.enqueue(string);
    };
    super(begin, feedBytes, take);
    this.encoding = label;
  }
}

/** Strings to bytes in an encoding. */
export class EncoderStream extends Pair {
  constructor(label, { errors = "strict" } = {}) {
    const number = policy(errors);
    const begin = async (owner) => {
      const { engine, index, form } = await load(label);
      return new Transcoder(engine, form, index, number, label, owner);
    };
    const feed = (transcoder, chunk, take) => {
      checkString(chunk);
      feedString(transcoder, chunk, take);
    };
    super(begin, feed, takeBytes, (error) => inUnits(error, error.offset / 2, error.length / 2));
    this.encoding = label;
  }
}

/** Bytes in one encoding to bytes in another. */
export class TranscodeStream extends Pair {
  constructor(from, to, { errors = "strict" } = {}) {
    const number = policy(errors);
    const begin = async (owner) => {
      const [a, b] = [await load(from), await load(to)];
      const { engine } = a.engine.tier === "convert" ? b : a;
      return new Transcoder(engine, within(engine, a, from), within(engine, b, to), number, from, owner);
    };
    super(begin, feedBytes, takeBytes);
    this.encoding = to;
  }
}
