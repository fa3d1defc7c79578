// What is downloaded, compressed by brotli.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

const size = (bytes) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } })
    .length;
const root = new URL(".", import.meta.resolve("utfkit"));

/** In bytes. With vector instructions, which make them larger. The same code in another order has up to 1 kB more. */
const LIMITS = { validate: 9_000, check: 35_000, convert: 80_000, legacy: 260_000, detect: 463_500 };

for (const [name, limit] of Object.entries(LIMITS)) {
  test(`${name}.wasm has at most ${limit} bytes`, (context) => {
    const is = size(readFileSync(new URL(`wasm/${name}.wasm`, root)));
    context.diagnostic(`${is} bytes`);
    assert.ok(is <= limit, `${is} bytes`);
    const lengths = [name, `${name}.scalar`].map((file) => readFileSync(new URL(`wasm/${file}.wasm`, root)).length);
    assert.ok(lengths[1] < lengths[0]);
  });
}

test("no module names a folder of the machine that built it", () => {
  for (const name of Object.keys(LIMITS)) {
    const text = readFileSync(fileURLToPath(new URL(`wasm/${name}.wasm`, root)), "latin1");
    assert.doesNotMatch(text, /\/(?:home|root|tmp|work|build)\//);
  }
});
