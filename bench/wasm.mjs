// Runs the bench as WebAssembly under Node, with what Node has itself: see
// src/peer/node.rs. Called by wasm.sh.
import { run } from "../ci/wasi.mjs";

const FAILED = 0xffffffff;

function peers(memory) {
  const decoders = [false, true].map((fatal) => new TextDecoder("utf-8", { fatal, ignoreBOM: true }));
  const encoder = new TextEncoder();
  // The sources that were seen, and of UTF-16 the string that each is.
  let seen = new Map();
  const first = (key, make) => {
    let value = seen.get(key);
    if (value === undefined) seen.set(key, (value = make()));
    return value;
  };
  return {
    forget: () => {
      seen = new Map();
    },
    // The units of UTF-16 in the string that the bytes become. What they are is
    // written too, but only the first time.
    decode: (source, length, units, capacity, fatal) => {
      const { buffer } = memory();
      let text;
      try {
        text = decoders[fatal].decode(new Uint8Array(buffer, source, length));
      } catch {
        return FAILED;
      }
      first(`${fatal} ${source} ${length}`, () => {
        if (text.length > capacity) return FAILED;
        const to = new Uint16Array(buffer, units, text.length);
        for (let i = 0; i < text.length; i++) to[i] = text.charCodeAt(i);
        return text;
      });
      return text.length;
    },
    // The bytes of UTF-8 that are written. The source was made a string the first time.
    encode: (source, length, bytes, capacity) => {
      const { buffer } = memory();
      const text = first(`${source} ${length}`, () => new TextDecoder("utf-16le", { ignoreBOM: true }).decode(new Uint8Array(buffer, source, 2 * length)));
      const { read, written } = encoder.encodeInto(text, new Uint8Array(buffer, bytes, capacity));
      return read === length ? written : FAILED;
    },
  };
}

process.exitCode = await run(process.argv.slice(2), (memory) => ({ node: peers(memory) }));
