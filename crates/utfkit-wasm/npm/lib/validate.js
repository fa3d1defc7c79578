import { CHUNK, bytesOf, engine, parts } from "./engine.js";
import { place } from "./error.js";

/** The first ill-formed sequence of UTF-8, or `null`. */
export function validate(source) {
  const bytes = bytesOf(source);
  const one = engine("validate");
  if (bytes.length <= CHUNK) return one.x.validate(one.give(bytes)) ? place(one) : null;
  const number = one.x.validator();
  for (const part of parts(bytes)) {
    if (one.x.validator_push(number, one.give(part))) {
      const found = place(one);
      one.x.free(number);
      return found;
    }
  }
  return one.x.validator_end(number) ? place(one) : null;
}

/** True if the bytes are well-formed UTF-8. */
export const isUtf8 = (source) => validate(source) === null;
