// The conversion of chunks without waiting.
import { stringInParts } from "./convert.js";
import { parts } from "./engine.js";
import { lookUp } from "./labels.js";
import { stringOf } from "#strings";
import { Transcoder, policy } from "./transcoder.js";

/** Bytes in an encoding to strings. Ill-formed sequences become U+FFFD. */
export class ChunkDecoder {
  #transcoder;
  #loose;
  constructor(label) {
    const { engine, index, form, isLoose } = lookUp(label);
    this.#loose = isLoose;
    this.#transcoder = new Transcoder(engine, index, form, policy("replace"), label, this);
  }
  write(bytes) {
    let string = "";
    for (const part of parts(bytes)) {
      this.#transcoder.run(this.#transcoder.engine.give(part), false, (units) => (string += stringOf(units, this.#loose)));
    }
    return string;
  }
  /** What was left open. The next chunk begins a text. */
  end() {
    let string = "";
    this.#transcoder.run(0, true, (units) => (string += stringOf(units, this.#loose)));
    return string;
  }
}

/** Strings to bytes in an encoding. What it lacks becomes a question mark. */
export class ChunkEncoder {
  #transcoder;
  constructor(label) {
    const { engine, index, form } = lookUp(label);
    this.#transcoder = new Transcoder(engine, form, index, policy("replace"), label, this);
  }
  /** Calls `take` with views of the bytes. */
  write(string, take) {
    const transcoder = this.#transcoder;
    stringInParts(transcoder.engine, string, false, (length) => transcoder.run(length, false, take));
  }
  end(take) {
    this.#transcoder.run(0, true, take);
  }
}
