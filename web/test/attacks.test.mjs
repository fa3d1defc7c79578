// What somebody may do to the package who means it no good.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as utfkit from "utfkit/detect";

// The modules of the package, which are those that its functions use.
const { engine } = await import(new URL("lib/engine.js", import.meta.resolve("utfkit")));
const memory = (tier) => engine(tier).x.memory.buffer.byteLength;
const detach = ({ buffer }) => structuredClone(buffer, { transfer: [buffer] });

test("bytes that are transferred or cut off while findings are asked for are no end of the text", async () => {
  for (const change of [detach, ({ buffer }) => buffer.resize(1000)]) {
    const buffer = change === detach ? new ArrayBuffer(300_000) : new ArrayBuffer(300_000, { maxByteLength: 400_000 });
    const bytes = new Uint8Array(buffer).fill(0x61);
    bytes[10] = bytes[200_000] = 0xff;
    const found = [];
    await assert.rejects(async () => {
      for await (const { offset } of utfkit.check(bytes)) {
        found.push(offset);
        change(bytes);
      }
    }, /transferred or resized/);
    assert.deepEqual(found, [10]);
  }
});

test("a label or an option that takes the bytes away makes an error, not an empty text", () => {
  const taking = (bytes, value) => ({ toString: () => (detach(bytes), value) });
  const options = (bytes, name, value) => Object.defineProperty({}, name, { get: () => (detach(bytes), value) });
  for (const call of [
    (bytes) => utfkit.decode(bytes, taking(bytes, "utf-8")),
    (bytes) => utfkit.decode(bytes, "latin1", options(bytes, "errors", "replace")),
    (bytes) => utfkit.transcode(bytes, taking(bytes, "utf-8"), "latin1"),
    (bytes) => utfkit.transcode(bytes, "utf-8", "latin1", options(bytes, "errors", "replace")),
    (bytes) => utfkit.detect(bytes, options(bytes, "only", ["utf-8"])),
    (bytes) => utfkit.repair(bytes, options(bytes, "undouble", true)),
    (bytes) => utfkit.findings(bytes, options(bytes, "encoding", "utf-8")),
  ]) {
    assert.throws(() => call(new Uint8Array(10).fill(0x61)), TypeError, String(call));
  }
});

test("long labels cost no memory, and labels that mean the same are not all remembered", () => {
  utfkit.decode(new Uint8Array(1), "latin1");
  const before = memory("convert");
  const long = "x".repeat(10_000_000);
  for (const call of [
    () => utfkit.decode(new Uint8Array(1), long),
    () => new utfkit.TextDecoder(long),
    () => utfkit.repair(new Uint8Array(1), { fallback: long }),
    () => utfkit.encode("a", long),
  ]) {
    assert.throws(call, (error) => error instanceof RangeError && error.message.length < 300);
  }
  assert.equal(utfkit.encodingFor(long), undefined);
  // The standard takes white space off, however much.
  assert.equal(new utfkit.TextDecoder(`${" ".repeat(1_000_000)}utf-8\t`).encoding, "utf-8");
  for (const space of ["\u00a0", "\u000b", "\ufeff"]) assert.throws(() => new utfkit.TextDecoder(`${space}utf-8`), RangeError);
  assert.equal(memory("convert"), before);
  const name = "windows-1251";
  for (let round = 0; round < 3000; round++) {
    const label = Array.from(name, (c, at) => (round >> at) & 1 ? c.toUpperCase() : c).join("");
    assert.equal(utfkit.decode(Uint8Array.of(0xcf), label), "П", label);
  }
});

test("what would need more memory than there is, is refused, and the next call works", () => {
  assert.throws(() => utfkit.unite(new Uint8Array((64 << 20) + 1)), RangeError);
  assert.throws(() => utfkit.repair(Uint8Array.of(0xff), { replacement: "x".repeat(1001) }), RangeError);
  assert.equal(utfkit.repair(Uint8Array.of(0xff), { replacement: "x".repeat(1000) }).text.length, 1000);
  assert.throws(() => engine("convert").input(2 ** 31), /no memory/);
  assert.throws(() => engine("convert").input(2 ** 33), /no memory/);
  assert.equal(utfkit.decode(Uint8Array.of(0xcf), "windows-1251"), "П");
});

test("many detections in one loop do not fill the memory, and answer later", () => {
  const text = utfkit.encode("Все счастливые семьи похожи друг на друга.\n".repeat(3100), "koi8-r");
  const first = utfkit.detect(text);
  const before = memory("detect");
  // 17 KiB of each are kept until they are collected, which they are not within a loop.
  for (let round = 0; round < 3000; round++) utfkit.detect(text);
  const more = (memory("detect") - before) / (1 << 20);
  assert.ok(more < 40, `${more} MiB`);
  assert.equal(first.language, "ru");
  assert.equal(first.candidates[0].encoding, "KOI8-R");
  // Of short ones nothing is kept there, and what the caller does with the bytes afterwards does not matter.
  const line = utfkit.encode("Все счастливые семьи похожи друг на друга.\n", "koi8-r");
  const short = utfkit.detect(line, { candidates: 2 });
  line.fill(0x20);
  assert.equal(short.language, "ru");
  assert.deepEqual(short.candidates.map((one) => one.encoding).slice(0, 1), ["KOI8-R"]);
  const between = memory("detect");
  for (let round = 0; round < 6000; round++) utfkit.detect(line);
  assert.equal(memory("detect"), between);
  // The last one and others answer in any order.
  const texts = ["Größe", "Łódź", "Москва", "日本語の文章です"].map((text, at) =>
    utfkit.detect(utfkit.encode(`${text} ${text}\n`, ["windows-1252", "windows-1250", "koi8-r", "shift_jis"][at])),
  );
  const answers = texts.map((found) => JSON.stringify(found));
  assert.deepEqual(texts.toReversed().map((found) => JSON.stringify(found)), answers.toReversed());
});

test("a stream that is cancelled in the middle, and a hundred at once", async () => {
  const text = "Съешь ещё этих мягких французских булок ".repeat(400);
  const whole = async (label) => {
    let read = "";
    const bytes = utfkit.encode(text, label);
    for await (const part of new Blob([bytes]).stream().pipeThrough(new utfkit.DecoderStream(label))) read += part;
    return read === text;
  };
  const cancelled = async (pair) => {
    const writer = pair.writable.getWriter();
    const reader = pair.readable.getReader();
    writer.write(Uint8Array.of(0xd0)).catch(() => {});
    await reader.cancel("enough");
  };
  const labels = ["windows-1251", "koi8-r", "utf-16le", "ibm866", "iso-8859-5", "utf-7", "utf-8", "gb18030"];
  const all = Array.from({ length: 100 }, (_, at) => whole(labels[at % labels.length]));
  for (let round = 0; round < 100; round++) {
    await cancelled(new utfkit.DecoderStream("utf-16le"));
    await cancelled(new utfkit.TranscodeStream("utf-8", "utf-16le"));
    await cancelled(new utfkit.DetectingDecoderStream());
  }
  assert.ok((await Promise.all(all)).every(Boolean));
});

test("windows of any size, and sources of any kind", async () => {
  const read = async (window) => {
    let length = 0;
    const bytes = utfkit.encode("счастье ".repeat(100), "koi8-r");
    const stream = new Blob([bytes]).stream().pipeThrough(new utfkit.DetectingDecoderStream({ window }));
    for await (const part of stream) length += part.length;
    return length;
  };
  for (const window of [undefined, 0, -1, NaN, 1e12, Infinity, "x", {}]) assert.equal(await read(window), 800, String(window));
  const all = async (source) => {
    let count = 0;
    for await (const finding of utfkit.check(source)) count += finding.length;
    return count;
  };
  for (const value of [null, undefined, 1, "text", {}, [1], { length: 5 }, new Date(), Symbol("a"), () => 1, [null]]) {
    assert.throws(() => utfkit.decode(value, "utf-8"), TypeError);
    assert.throws(() => utfkit.detect(value), TypeError);
    assert.throws(() => utfkit.validate(value), TypeError);
    await assert.rejects(all(value), TypeError);
    await assert.rejects(utfkit.detectFrom(value), TypeError);
  }
});

// The module `check` is another build of the diagnosis than the larger ones.
const vectors = join(process.env.UTFKIT_SHARED ?? "../../shared", "vectors/field");
test("the module `check` alone finds what the largest module finds", { skip: !existsSync(vectors) && "no shared vectors" }, () => {
  const files = readdirSync(vectors, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const standards = ["rfc3629", "rfc2279", "rfc2044", "kuhn", "no-noncharacters"];
  const script = `
    import { findings } from "utfkit";
    import { readFileSync } from "node:fs";
    const { engine } = await import(new URL("lib/engine.js", import.meta.resolve("utfkit")));
    const [tier, files, standards] = JSON.parse(readFileSync(0, "utf8"));
    engine(tier);
    for (const path of files)
      for (const standard of standards) console.log(JSON.stringify(findings(readFileSync(path), { standard, limit: 200 })));
    if (engine("check").tier !== tier) console.log(engine("check").tier);`;
  const found = (tier) =>
    execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
      input: JSON.stringify([tier, files.map(({ parentPath, path, name }) => join(parentPath ?? path, name)), standards]),
      encoding: "utf8",
      maxBuffer: 1 << 30,
    });
  const check = found("check");
  assert.equal(check.trim().split("\n").length, files.length * standards.length);
  assert.ok(check.includes('"kind":"overlong"'));
  assert.equal(check, found("detect"));
});
