// Streams and bytes as programs for Node expect them.
import { Buffer } from "node:buffer";
import { Transform } from "node:stream";

/** Bytes as a Buffer, without a copy. */
export const asBytes = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

/** A stream of what `write` and `end` of a codec return. */
export function transform(codec, options) {
  const pass = (stream, work, done) => {
    try {
      const result = work();
      if (result?.length) stream.push(result, options.encoding);
    } catch (error) {
      return done(error);
    }
    done();
  };
  return new Transform({
    ...options,
    transform(chunk, _, done) {
      pass(this, () => codec.write(chunk), done);
    },
    flush(done) {
      pass(this, () => codec.end(), done);
    },
  });
}
