// What the README says of the functions.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as utfkit from "utfkit/detect";
import { bytesFor, random } from "./random.mjs";

const utf8 = (text) => new TextEncoder().encode(text);

test("validation returns the first error of a text of any length", () => {
  assert.equal(utfkit.validate(utf8("déjà vu")), null);
  assert.deepEqual(utfkit.validate(Uint8Array.of(0x61, 0xc0, 0xaf)), { offset: 1, length: 1, kind: "overlong" });
  const fatal = new TextDecoder("utf-8", { fatal: true });
  const long = utf8("é".repeat(100_000));
  for (const at of [0, 65535, 65536, 131072, 199_999]) {
    const broken = long.slice();
    broken[at] = 0xff;
    assert.throws(() => fatal.decode(broken));
    const { offset } = utfkit.validate(broken);
    assert.ok(offset === at || offset === at - 1, `${offset} for ${at}`);
  }
  assert.equal(utfkit.isUtf8(long.subarray(0, long.length - 1)), false);
  assert.deepEqual(utfkit.validate(long.subarray(0, long.length - 1)), {
    offset: 199_998,
    length: 1,
    kind: "truncated",
  });
});

test("findings do not depend on the source and its chunks", async () => {
  const bytes = utf8("ab\ncd€");
  bytes[1] = 0xff;
  const all = async (source) => {
    const found = [];
    for await (const finding of utfkit.check(source)) found.push(finding);
    return found;
  };
  const { findings, totals } = utfkit.findings(bytes);
  assert.deepEqual(totals, { bytes: 8, codePoints: 5, lines: 1, findings: 1, kinds: { "invalid-byte": 1 } });
  assert.deepEqual(await all(bytes), findings);
  assert.deepEqual(await all(new Blob([bytes])), findings);
  assert.deepEqual(await all(ReadableStream.from(Array.from(bytes, (byte) => Uint8Array.of(byte)))), findings);
  assert.equal(findings[0].line, 1);
  assert.equal(findings[0].codePoint, null);
});

test("who stops checking early frees the source", async () => {
  let canceled = false;
  const source = new ReadableStream({
    pull: (controller) => controller.enqueue(Uint8Array.of(0xff, 0xff)),
    cancel: () => (canceled = true),
  });
  for await (const finding of utfkit.check(source)) {
    assert.equal(finding.offset, 0);
    break;
  }
  assert.ok(canceled);
});

test("every encoding decodes what it encoded, whole and in a stream cut everywhere", async () => {
  const all = utfkit.encodings();
  assert.ok(all.length > 95);
  for (const { name } of all) {
    const text = ["abc é", "abc Я", "abc 漢字", "abc 가", "abc €", "abc"].find((text) => {
      try {
        return utfkit.encode(text, name) && true;
      } catch (error) {
        assert.equal(error.kind, "unrepresentable", `${name}: ${error.message}`);
        return false;
      }
    });
    if (text === undefined) continue;
    const bytes = utfkit.encode(text, name);
    assert.equal(utfkit.decode(bytes, name), text, name);
    assert.equal(utfkit.decode(bytes, name, { errors: "strict" }), text, name);
    assert.deepEqual(utfkit.transcode(utf8(text), "utf-8", name), bytes, name);
    assert.deepEqual(utfkit.transcode(bytes, name, "utf-8"), utf8(text), name);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const chunks = [bytes.slice(0, cut), bytes.slice(cut)].filter(({ length }) => length);
      let decoded = "";
      for await (const part of ReadableStream.from(chunks).pipeThrough(
        new utfkit.DecoderStream(name, { errors: "strict" }),
      ))
        decoded += part;
      assert.equal(decoded, text, `${name} cut at ${cut}`);
    }
    const encoded = [];
    for await (const part of ReadableStream.from([...text]).pipeThrough(new utfkit.EncoderStream(name)))
      encoded.push(...part);
    assert.deepEqual(Uint8Array.from(encoded), bytes, name);
  }
});

test("random bytes are decoded alike whole, in a stream and by way of UTF-8", async () => {
  const next = random(1);
  for (const { name } of utfkit.encodings()) {
    for (let round = 0; round < 6; round++) {
      const bytes = bytesFor(next, 1 + next(40));
      const whole = utfkit.decode(bytes, name, { bom: "keep" });
      let pieces = "";
      const chunks = Array.from(bytes, (byte) => Uint8Array.of(byte));
      for await (const part of ReadableStream.from(chunks).pipeThrough(new utfkit.DecoderStream(name, { bom: "keep" })))
        pieces += part;
      assert.equal(pieces, whole, `${name} ${bytes}`);
      if (whole.isWellFormed()) {
        const via = new TextDecoder("utf-8", { ignoreBOM: true }).decode(
          utfkit.transcode(bytes, name, "utf-8", { errors: "replace" }),
        );
        assert.equal(via, whole, `${name} ${bytes}`);
      }
    }
  }
});

test("long texts are the same as short ones", () => {
  for (const [label, word] of [
    ["windows-1251", "слово "],
    ["shift_jis", "言葉です"],
    ["gbk", "文字a"],
    ["utf-16be", "wörd😀"],
    ["iso-2022-jp", "言a葉"],
    ["utf-7", "wörd"],
  ]) {
    const text = word.repeat(40_000);
    const bytes = utfkit.encode(text, label);
    assert.equal(utfkit.decode(bytes, label), text, label);
    assert.deepEqual(utfkit.transcode(bytes, label, "utf-8"), utf8(text), label);
  }
  // US-ASCII and other text by turns, across the parts.
  const mixed = `${"a".repeat(70_000)}é${"b".repeat(140_000)}ü`;
  assert.equal(utfkit.decode(utf8(mixed), "utf-8"), mixed);
  assert.equal(utfkit.decode(utfkit.encode(mixed, "windows-1252"), "windows-1252"), mixed);
  const broken = utf8(`${"a".repeat(200_000)}é`).subarray(0, 200_001);
  assert.throws(() => utfkit.decode(broken, "utf-8", { errors: "strict" }), {
    offset: 200_000,
    length: 1,
    kind: "truncated",
  });
});

test("errors say where they are", () => {
  assert.throws(() => utfkit.decode(Uint8Array.of(0x61, 0x81), "shift_jis", { errors: "strict" }), {
    name: "EncodingError",
    offset: 1,
    length: 1,
    kind: "truncated",
  });
  assert.throws(() => utfkit.encode("naïve 😀!", "latin1"), { offset: 6, length: 2, kind: "unrepresentable" });
  assert.throws(() => utfkit.encode("a\ud800", "utf-8"), { offset: 1, length: 1 });
  assert.throws(() => utfkit.encode("😀😀\ud800", "utf-16le"), { offset: 4, length: 1 });
  assert.throws(() => utfkit.decode(new Uint8Array(1), "klingon"), RangeError);
  assert.throws(() => utfkit.decode(new Uint8Array(1), "utf-8", { errors: "ignore" }), RangeError);
});

test("policies", () => {
  const encoded = (errors) => new TextDecoder("latin1").decode(utfkit.encode("5 €", "latin1", { errors }));
  assert.equal(encoded("replace"), "5 ?");
  assert.equal(encoded("skip"), "5 ");
  assert.equal(encoded("escape"), "5 \\u{20AC}");
  assert.equal(encoded("escape-hex"), "5 \\x{20AC}");
  assert.equal(encoded("xml"), "5 &#x20AC;");
  assert.equal(encoded("html"), "5 &#8364;");
  const bytes = Uint8Array.of(0x61, 0xed, 0xa0, 0x80, 0xff);
  assert.equal(utfkit.decode(bytes, "utf-8"), "a\ufffd\ufffd\ufffd\ufffd");
  assert.equal(utfkit.decode(bytes, "utf-8", { errors: "replace-sequence" }), "a\ufffd\ufffd");
  assert.equal(utfkit.decode(bytes, "utf-8", { errors: "escape" }), "a\\xED\\xA0\\x80\\xFF");
});

test("a BOM is taken off its own encoding alone", () => {
  const bytes = Uint8Array.of(0xef, 0xbb, 0xbf, 0x61);
  assert.equal(utfkit.decode(bytes, "utf-8"), "a");
  assert.equal(utfkit.decode(bytes, "utf-8", { bom: "keep" }), "\ufeffa");
  assert.equal(utfkit.decode(bytes, "windows-1252"), "ï»¿a");
  assert.equal(utfkit.decode(Uint8Array.of(0xff, 0xfe, 0x61, 0), "utf-16"), "a");
});

test("lone surrogates live in the encodings that have them", () => {
  assert.equal(utfkit.decode(utfkit.encode("\udc00a\ud800", "wtf-8"), "wtf-8"), "\udc00a\ud800");
  assert.equal(utfkit.decode(utfkit.encode("\udc00", "wtf-16le"), "wtf-16le"), "\udc00");
});

test("detection says how surely, and finds the rest when it is asked for", async () => {
  const bytes = utfkit.encode("Все счастливые семьи похожи друг на друга", "koi8-r");
  const found = utfkit.detect(bytes);
  assert.equal(found.encoding, "KOI8-R");
  assert.ok(found.isCertain);
  assert.equal(found.language, "ru");
  assert.equal(found.candidates[0].encoding, "KOI8-R");
  assert.equal(JSON.parse(JSON.stringify(found)).confidence, found.confidence);
  assert.equal((await utfkit.detectFrom(new Blob([bytes]))).encoding, "KOI8-R");
  assert.equal(utfkit.detect(bytes, { only: ["utf-16", "utf-8"] }).encoding, null);
  assert.equal(utfkit.detect(Uint8Array.of(0xca, 0xe1, 0xeb, 0xe7), { language: "el" }).encoding, "windows-1253");
  assert.equal(utfkit.detect(Uint8Array.of(0xca, 0xe1, 0xeb, 0xe7), { candidates: 2 }).candidates.length, 2);
  assert.throws(() => utfkit.detect(bytes, { only: ["klingon"] }), RangeError);
  assert.throws(() => utfkit.detect(bytes, { language: "tlh" }), RangeError);
  const mixed = Uint8Array.from([...utf8("node_modules/\n"), ...utfkit.encode("coverage/\r\n", "utf-16le")]);
  assert.equal(utfkit.detect(mixed).pieces.length, 2);
  assert.equal((await utfkit.detectFrom(new Blob([mixed]))).pieces.length, 2);
  assert.equal(new TextDecoder().decode(utfkit.unite(mixed).bytes), "node_modules/\ncoverage/\r\n");
});

test("a stream detects its encoding on the way", async () => {
  const bytes = utfkit.encode("吾輩は猫である。名前はまだ無い。", "euc-jp");
  const stream = new utfkit.DetectingDecoderStream();
  let text = "";
  for await (const part of ReadableStream.from(Array.from(bytes, (byte) => Uint8Array.of(byte))).pipeThrough(stream))
    text += part;
  assert.equal(text, "吾輩は猫である。名前はまだ無い。");
  assert.equal(stream.report.encoding, "EUC-JP");
});

test("repair", () => {
  assert.equal(utfkit.fixText("NicolÃ¡s, itâ€™s"), "Nicolás, it’s");
  assert.equal(utfkit.fixText("Nicolás"), "Nicolás");
  const { text, changes } = utfkit.repair(Uint8Array.of(0x63, 0xe9, 0x20, 0xe2, 0x82, 0xac), {
    fallback: "windows-1252",
  });
  assert.equal(text, "cé €");
  assert.deepEqual(
    changes.map(({ offset, before, after }) => [offset, before, after]),
    [[1, "e9", "é"]],
  );
  assert.equal(utfkit.repair(Uint8Array.of(0xff), { replacement: "" }).text, "");
  assert.throws(() => utfkit.repair("", { fallback: "utf-7" }), RangeError);
  const long = `${"x".repeat(65_530)} 😀 `.repeat(3);
  assert.equal(utfkit.repair(utf8(long)).text, long);
});

test("streams that are abandoned are freed", async () => {
  for (let round = 0; round < 2000; round++)
    new utfkit.TextDecoder("utf-8").decode(Uint8Array.of(0xe2), { stream: true });
  assert.equal(utfkit.decode(utf8("ok"), "utf-8"), "ok");
});

test("languages, encodings and labels", () => {
  assert.equal(utfkit.encodingFor("sjis"), "Shift_JIS");
  assert.equal(utfkit.encodingFor("klingon"), undefined);
  const names = utfkit.encodings().map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
});
