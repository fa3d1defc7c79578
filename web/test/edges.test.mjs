// What a caller might not expect: cuts, states, and arguments of every kind.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import * as utfkit from "utfkit/detect";
import { bytesFor, random } from "./random.mjs";

const utf8 = (text) => new TextEncoder().encode(text);
const hex = (digits) => Uint8Array.from(Buffer.from(digits, "hex"));
const ERRORS = ["strict", "replace", "replace-unit", "replace-sequence", "skip", "escape", "escape-hex", "xml", "html"];

/** A text or its bytes in pieces, some of them empty. */
function pieces(next, whole) {
  const all = [];
  for (let at = 0; at < whole.length; ) {
    const length = next(5);
    all.push(whole.slice(at, at + length));
    at += length;
  }
  return [...all, whole.slice(0, 0)];
}

/** What a stream makes of chunks, or its error. */
async function streamed(chunks, pair) {
  const parts = [];
  try {
    for await (const part of ReadableStream.from(chunks).pipeThrough(pair)) parts.push(part);
  } catch (error) {
    return error;
  }
  return typeof parts[0] === "string" || !parts.length ? parts.join("") : Buffer.concat(parts).toString("hex");
}

/** What a function returns, or its error. */
function atOnce(work) {
  try {
    const result = work();
    return typeof result === "string" ? result : Buffer.from(result).toString("hex");
  } catch (error) {
    return error;
  }
}

/** The same result; the kind of an error may depend on how much is known of what comes next. */
function same(piecewise, whole, message) {
  if (!(whole instanceof Error)) return assert.equal(piecewise, whole, message);
  const place = ({ name, offset, length }) => [name, offset, length];
  assert.deepEqual(place(piecewise), place(whole), `${message}: ${piecewise?.message ?? piecewise}`);
}

/** Bytes with the escape sequences of encodings with states. */
function withStates(next) {
  const sequences = "1b2442 1b2842 1b284a 1b2849 1b242843 1b242943 0e 0f 7e7b 7e7d 7e7e 7e0a 2b 2d 26 1b2f45".split(" ");
  const some = () => (next(2) ? [...hex(sequences[next(sequences.length)])] : [...bytesFor(next, 1 + next(6))]);
  return Uint8Array.from(Array.from({ length: 3 + next(6) }, some).flat());
}

const CHARACTERS = ["a", "é", "Я", "漢", "カ", "한", "😀", "\ud83d", "\ude00", "€", "~", "+", "\\", "¥", "\r\n", "\ufeff", "\0"];

test("every encoding, policy and cut: chunks give what the whole gives, and errors are in the same place", async () => {
  const next = random(39);
  const all = utfkit.encodings().map(({ name }) => name);
  for (const name of all) {
    const hasStates = /2022|HZ|UTF-7|UTF-1$/.test(name);
    for (let round = 0; round < (hasStates ? 6 : 2); round++) {
      const bytes = hasStates || round ? withStates(next) : bytesFor(next, 1 + next(30));
      const text = Array.from({ length: next(20) }, () => CHARACTERS[next(CHARACTERS.length)]).join("");
      const to = all[next(all.length)];
      for (const errors of ERRORS) {
        const about = `${name} ${errors} ${Buffer.from(bytes).toString("hex")}`;
        const bom = ["keep", "strip"][next(2)];
        same(
          await streamed(pieces(next, bytes), new utfkit.DecoderStream(name, { errors, bom })),
          atOnce(() => utfkit.decode(bytes, name, { errors, bom })),
          about,
        );
        same(
          await streamed(pieces(next, bytes), new utfkit.TranscodeStream(name, to, { errors })),
          atOnce(() => utfkit.transcode(bytes, name, to, { errors })),
          `${about} to ${to}`,
        );
        same(
          await streamed(pieces(next, text), new utfkit.EncoderStream(name, { errors })),
          atOnce(() => utfkit.encode(text, name, { errors })),
          `${name} ${errors} ${JSON.stringify(text)}`,
        );
      }
    }
  }
});

test("an error is where it is, although the decoder has looked at what comes after it", async () => {
  const bytes = hex("f0b8dad2a65f7e0a2b");
  const expected = { name: "EncodingError", offset: 2, length: 2, kind: "unpaired-surrogate" };
  assert.throws(() => utfkit.decode(bytes, "utf-16be", { errors: "strict" }), expected);
  for (let cut = 0; cut < bytes.length; cut++) {
    const error = await streamed(
      [bytes.slice(0, cut), bytes.slice(cut)],
      new utfkit.DecoderStream("utf-16be", { errors: "strict" }),
    );
    assert.deepEqual([error.name, error.offset], ["EncodingError", 2], `cut at ${cut}`);
  }
  // In a string, in code units.
  const error = await streamed(["€ü", "😀", "ab\ud83d"], new utfkit.EncoderStream("utf-8"));
  assert.deepEqual([error.offset, error.length], [6, 1]);
});

test("TextDecoder: chunks give what the whole gives, in every encoding, and after an error it begins anew", () => {
  const next = random(40);
  const labels = utfkit.encodings().flatMap(({ name, labels }) => [name, ...labels]);
  const known = labels.filter((label) => !(atOnce(() => [new utfkit.TextDecoder(label) && 0]) instanceof Error));
  const names = [...new Set(known.map((label) => new utfkit.TextDecoder(label).encoding))];
  assert.equal(names.length, 39);
  for (const name of names) {
    for (const fatal of [false, true]) {
      for (const ignoreBOM of [false, true]) {
        const decoder = new utfkit.TextDecoder(name, { fatal, ignoreBOM });
        for (let round = 0; round < 12; round++) {
          const bytes = round % 2 ? withStates(next) : bytesFor(next, next(24));
          const whole = atOnce(() => new utfkit.TextDecoder(name, { fatal, ignoreBOM }).decode(bytes));
          const parts = atOnce(() => {
            let text = "";
            for (const piece of pieces(next, bytes)) text += decoder.decode(piece, { stream: true });
            return text + decoder.decode();
          });
          same(parts, whole, `${name} ${fatal} ${ignoreBOM} ${Buffer.from(bytes).toString("hex")}`);
        }
      }
    }
  }
});

test("what is no string is not encoded", async () => {
  for (const value of [undefined, null, 42, {}, [1], Uint8Array.of(0x61), Symbol("a")]) {
    assert.throws(() => utfkit.encode(value, "utf-8"), TypeError);
    assert.throws(() => utfkit.encode(value, "shift_jis"), TypeError);
    assert.ok((await streamed([value ?? 0], new utfkit.EncoderStream("latin1"))) instanceof TypeError);
  }
});

test("options that do not exist are refused", () => {
  const bytes = Uint8Array.of(0xff);
  for (const errors of ["ignore", "toString", "__proto__", "", 1]) {
    assert.throws(() => utfkit.decode(bytes, "latin1", { errors }), RangeError);
    assert.throws(() => new utfkit.TranscodeStream("latin1", "utf-8", { errors }), RangeError);
  }
  assert.throws(() => utfkit.decode(bytes, "latin1", { bom: "ignore" }), RangeError);
  assert.throws(() => new utfkit.DecoderStream("latin1", { bom: "ignore" }), RangeError);
  // A line break would begin the next option.
  assert.throws(() => utfkit.detect(bytes, { only: ["latin1\nutf-8"] }), RangeError);
  assert.throws(() => utfkit.repair(bytes, { fallback: "latin1\n?" }), RangeError);
});

test("there is no limit beyond all", () => {
  const bytes = Uint8Array.of(0xff, 0xff, 0xff);
  for (const limit of [undefined, Infinity, 1e12]) {
    assert.equal(utfkit.findings(bytes, { limit }).findings.length, 3);
    assert.equal(utfkit.repair(bytes, { limit }).changes.length, 1);
    assert.ok(utfkit.detect(Uint8Array.of(0x63, 0xe9), { candidates: limit }).candidates.length > 2);
  }
  for (const limit of [0, -1]) assert.equal(utfkit.findings(bytes, { limit }).findings.length, 0);
});

test("shared, growing and transferred buffers", () => {
  const text = "déjà vu";
  const fill = (buffer) => (new Uint8Array(buffer).set(utf8(text)), buffer);
  const length = utf8(text).length;
  for (const buffer of [
    fill(new SharedArrayBuffer(length)),
    fill(new ArrayBuffer(length, { maxByteLength: 100 })),
    fill(new SharedArrayBuffer(length, { maxByteLength: 100 })),
  ]) {
    for (const source of [buffer, new DataView(buffer), new Uint8Array(buffer)]) {
      assert.equal(utfkit.decode(source, "utf-8"), text);
      assert.equal(new utfkit.TextDecoder().decode(source), text);
      assert.equal(utfkit.validate(source), null);
      assert.equal(utfkit.detect(source).encoding, "UTF-8");
      assert.equal(utfkit.transcode(source, "utf-8", "utf-16le").length, 2 * text.length);
    }
  }
  const bytes = utf8(text);
  const view = new DataView(bytes.buffer);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  for (const source of [bytes, bytes.buffer, view]) {
    // They are gone: not empty, and not well-formed.
    for (const label of ["utf-8", "latin1"]) assert.throws(() => utfkit.decode(source, label), TypeError);
    assert.throws(() => utfkit.validate(source), TypeError);
    assert.throws(() => utfkit.detect(source), TypeError);
    // As the standard has it.
    assert.equal(new utfkit.TextDecoder().decode(source), "");
    assert.equal(new utfkit.TextDecoder("shift_jis").decode(source), "");
  }
});

test("sources that are asked for chunks may use a buffer again", async () => {
  const whole = utf8("é€😀 ".repeat(1000));
  whole[8_001] = 0xff;
  async function* reusing() {
    const buffer = new Uint8Array(7);
    for (let at = 0; at < whole.length; at += 7) {
      const part = whole.subarray(at, at + 7);
      buffer.set(part);
      yield buffer.subarray(0, part.length);
    }
  }
  const expected = utfkit.findings(whole).findings.map(({ offset }) => offset);
  const found = [];
  for await (const { offset } of utfkit.check(reusing())) found.push(offset);
  assert.deepEqual(found, expected);
  assert.equal((await utfkit.detectFrom(reusing())).illFormed, utfkit.detect(whole).illFormed);
  assert.equal((await utfkit.detectFrom(new Blob([whole]))).illFormed, utfkit.detect(whole).illFormed);
});

test("a worker and CommonJS have the same functions", async () => {
  const answer = await new Promise((resolve, reject) => {
    const code = `import("utfkit/legacy").then(({ decode }) => require("node:worker_threads").parentPort.postMessage(decode(Uint8Array.of(0xcf), "windows-1251")))`;
    const worker = new Worker(code, { eval: true });
    worker.on("message", resolve);
    worker.on("error", reject);
  });
  assert.equal(answer, "П");
  const code = `const { decode } = require("utfkit"); const iconv = require("utfkit/compat/iconv-lite");
    console.log(decode(Uint8Array.of(0x83, 0x65), "sjis"), iconv.encode("П", "win1251").toString("hex"), require("utfkit/compat/jschardet").detect("abc").encoding)`;
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) {
    const printed = execFileSync(process.execPath, ["--no-warnings", "--input-type=commonjs", "--eval", code], {
      encoding: "utf8",
    });
    assert.equal(printed, "テ cf ascii\n");
  }
});
