// TextDecoder, TextEncoder and their streams, as the Encoding Standard describes them.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import * as utfkit from "utfkit";
import { differences, encoderDifferences, labelDifferences } from "./decoders.mjs";

const shared = process.env.UTFKIT_SHARED ?? "../../shared";
const hex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));

test("the platform's decoder and ours know the same labels", () => {
  const labels = utfkit.encodings().flatMap(({ name, labels }) => [name, ...labels]);
  assert.ok(labels.length > 400);
  const padded = labels.flatMap((label) => [label, `\t ${label.toUpperCase()}\n`, `\u00a0${label}`]);
  const different = labelDifferences(utfkit.TextDecoder, TextDecoder, padded);
  // Node lacks encodings of the standard, and calls others by older names.
  const known = different.filter(([, ours, theirs]) => theirs !== "RangeError" || ours === "RangeError");
  assert.deepEqual(known, []);
});

test("UTF-8 and UTF-16 are decoded as the platform does it, at every cut", () => {
  const { found, compared } = differences(utfkit.TextDecoder, TextDecoder, ["utf-8", "utf-16le", "utf-16be"], 150);
  assert.deepEqual(found, []);
  assert.ok(compared > 4000);
});

test("encoders agree, also where there is too little space", () => {
  assert.deepEqual(encoderDifferences(utfkit.TextEncoder, TextEncoder, 300), []);
});

test("long strings are encoded whole, whatever the parts cut", () => {
  for (const length of [16383, 16384, 16385, 40000]) {
    const string = `${"a".repeat(length)}😀é`;
    assert.deepEqual(new utfkit.TextEncoder().encode(string), new TextEncoder().encode(string));
    const space = new Uint8Array(length + 5);
    assert.deepEqual(new utfkit.TextEncoder().encodeInto(string, space), { read: length + 2, written: length + 4 });
  }
});

test("a decoder is used again after an error and after an end", () => {
  const decoder = new utfkit.TextDecoder("utf-8", { fatal: true });
  assert.throws(() => decoder.decode(hex("c328")), TypeError);
  assert.equal(decoder.decode(hex("efbbbf61")), "a");
  assert.equal(decoder.decode(hex("efbb"), { stream: true }), "");
  assert.throws(() => decoder.decode(), TypeError);
  assert.equal(decoder.decode(hex("62")), "b");
  assert.equal(decoder.decode(), "");
  assert.throws(() => new utfkit.TextDecoder("utf-7"), RangeError);
  assert.throws(() => new utfkit.TextDecoder("iso-2022-kr"), RangeError);
  assert.equal(Object.prototype.toString.call(decoder), "[object TextDecoder]");
});

test("sources are buffers and views of any kind", () => {
  const decoder = new utfkit.TextDecoder();
  const { buffer } = Uint8Array.from([0, 0xe2, 0x82, 0xac, 0]);
  assert.equal(decoder.decode(new DataView(buffer, 1, 3)), "€");
  assert.equal(decoder.decode(buffer.slice(1, 4)), "€");
  assert.equal(decoder.decode(new Uint16Array(hex("c3a9").buffer)), "é");
  assert.throws(() => decoder.decode("text"), TypeError);
  assert.throws(() => decoder.decode([1, 2]), TypeError);
});

test("streams decode and encode across chunks", async () => {
  const chunks = ["f0", "9f", "98", "80ef", "bbbf"].map(hex);
  const source = new Blob(chunks).stream();
  let text = "";
  for await (const part of ReadableStream.from(chunks).pipeThrough(new utfkit.TextDecoderStream())) text += part;
  assert.equal(text, "😀\ufeff");
  await source.cancel();
  const bytes = [];
  for await (const part of ReadableStream.from(["a\ud83d", "\ude00", "\udc00", "\ud800"]).pipeThrough(
    new utfkit.TextEncoderStream(),
  ))
    bytes.push(...part);
  assert.deepEqual(Uint8Array.from(bytes), new TextEncoder().encode("a😀\ufffd\ufffd"));
  const fatal = ReadableStream.from([hex("ff")]).pipeThrough(new utfkit.TextDecoderStream("utf-8", { fatal: true }));
  await assert.rejects(async () => {
    for await (const part of fatal) assert.fail(part);
  }, TypeError);
});

const calls = `${shared}/vectors/wpt_encoding_calls.json`;
test("the calls of the web-platform tests", { skip: !existsSync(calls) && "no shared vectors" }, () => {
  let count = 0;
  for (const record of JSON.parse(readFileSync(calls, "utf8"))) {
    if (record.op === "encode") {
      assert.deepEqual(
        new utfkit.TextEncoder().encode(String.fromCharCode(...record.utf16)),
        hex(record.expect_hex),
        record.note,
      );
      count++;
      continue;
    }
    if (record.op === "encodeInto") {
      const space = new Uint8Array(record.dest_len);
      const { read, written } = new utfkit.TextEncoder().encodeInto(String.fromCharCode(...record.utf16), space);
      assert.deepEqual(
        [read, Buffer.from(space.subarray(0, written)).toString("hex")],
        [record.read_units, record.expect_hex],
      );
      count++;
      continue;
    }
    const decoder = new utfkit.TextDecoder(record.enc, { fatal: record.fatal, ignoreBOM: record.ignoreBOM });
    let total = "";
    for (const { hex: digits, stream, expect, throws } of record.calls) {
      const call = () => decoder.decode(hex(digits), { stream });
      if (throws) {
        assert.throws(call, TypeError, record.note);
      } else {
        const text = call();
        if (expect !== undefined) assert.equal(text, expect, `${record.file}: ${record.note}`);
        total += text;
      }
      count++;
    }
    if (record.expect_total !== undefined) assert.equal(total, record.expect_total, record.note);
  }
  assert.ok(count > 130, `${count} calls`);
});
