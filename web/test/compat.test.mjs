// What the documentation of iconv-lite and of jschardet says.
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { test } from "node:test";
import iconv from "utfkit/compat/iconv-lite";
import jschardet from "utfkit/compat/jschardet";

test("iconv-lite: strings and bytes", () => {
  assert.equal(iconv.decode(Buffer.from([0x68, 0x65, 0x6c, 0x6c, 0x6f]), "win1251"), "hello");
  assert.deepEqual([...iconv.encode("Привет", "win1251")], [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);
  assert.ok(iconv.encodingExists("us-ascii"));
  assert.ok(!iconv.encodingExists("klingon"));
  assert.throws(() => iconv.decode(Buffer.alloc(1), "klingon"), /Encoding not recognized/);
  for (const name of [
    "utf8",
    "UTF-8",
    "ucs2",
    "utf16le",
    "ascii",
    "binary",
    "utf16",
    "utf-16be",
    "utf-7",
    "utf-7-imap",
    "utf32",
    "utf32le",
    "utf-32be",
    "cp1252",
    "windows1252",
    "1252",
    "win1252",
    "iso88591",
    "ISO-8859-1",
    "latin1",
    "ISO_8859-5:1988",
    "koi8-r",
    "koi8u",
    "cp866",
    "ibm866",
    "866",
    "macintosh",
    "maccyrillic",
    "CP932",
    "cp936",
    "cp949",
    "cp950",
    "GB2312",
    "gbk",
    "GB18030",
    "big5",
    "big5-hkscs",
    "Shift_JIS",
    "sjis",
    "EUC-JP",
    "eucjp",
    "euckr",
    "cesu8",
    "tis620",
    "viscii",
  ]) {
    assert.ok(iconv.encodingExists(name), name);
  }
});

test("iconv-lite: BOMs", () => {
  const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x61]);
  assert.equal(iconv.decode(bytes, "utf8"), "a");
  assert.equal(iconv.decode(bytes, "utf8", { stripBOM: false }), "\ufeffa");
  let called = 0;
  assert.equal(iconv.decode(bytes, "utf8", { stripBOM: () => called++ }), "a");
  assert.equal(called, 1);
  assert.deepEqual([...iconv.encode("a", "utf8", { addBOM: true })], [0xef, 0xbb, 0xbf, 0x61]);
  assert.deepEqual([...iconv.encode("a", "utf16")], [0xff, 0xfe, 0x61, 0]);
  assert.deepEqual([...iconv.encode("a", "utf16", { addBOM: false })], [0x61, 0]);
  assert.deepEqual([...iconv.encode("a", "utf-16le")], [0x61, 0]);
  assert.equal(iconv.decode(Buffer.from([0x61, 0]), "utf-16"), "a");
  assert.equal(iconv.decode(Buffer.from([0, 0x61]), "utf-16", { defaultEncoding: "utf-16be" }), "a");
  assert.equal(iconv.decode(Buffer.from([0xfe, 0xff, 0, 0x61]), "utf-16"), "a");
});

test("iconv-lite: what an encoding lacks", () => {
  assert.equal(iconv.defaultCharUnicode, "\ufffd");
  assert.deepEqual([...iconv.encode("a€", "latin1")], [0x61, 0x3f]);
  assert.equal(iconv.decode(Buffer.from([0xff, 0x61]), "utf8"), "\ufffda");
});

test("iconv-lite: streams", async () => {
  const text = await new Promise((resolve, reject) => {
    Readable.from([Buffer.from([0x83]), Buffer.from([0x65, 0x83, 0x58])])
      .pipe(iconv.decodeStream("shift_jis"))
      .collect((error, body) => (error ? reject(error) : resolve(body)));
  });
  assert.equal(text, "テス");
  const parts = [];
  await pipeline(
    Readable.from([Buffer.from([0xcf, 0xf0])]),
    iconv.decodeStream("win1251"),
    iconv.encodeStream("ucs2"),
    async (source) => {
      for await (const part of source) parts.push(...part);
    },
  );
  assert.deepEqual(parts, [0x1f, 0x04, 0x40, 0x04]);
});

test("jschardet", () => {
  assert.equal(
    jschardet.detect("Python is a great programming language for beginners and experts alike.").encoding,
    "ascii",
  );
  assert.equal(jschardet.detect("\xc3\xa0\xc3\xad\xc3\xa0\xc3\xa7\xc3\xa3").encoding, "utf-8");
  const japanese = iconv.encode("吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。", "euc-jp");
  const found = jschardet.detect(japanese);
  assert.deepEqual([found.encoding, found.language, found.mimeType], ["EUC-JP", "ja", "text/plain"]);
  assert.ok(found.confidence > 0.9);
  assert.equal(jschardet.detectAll(japanese, { minimumThreshold: 0 })[0].encoding, "EUC-JP");
  assert.equal(jschardet.detect(japanese, { detectEncodings: ["UTF-8", "EUC-JP"] }).encoding, "EUC-JP");
  assert.equal(jschardet.detect(japanese, { excludeEncodings: ["EUC-JP"] }).encoding === "EUC-JP", false);
  assert.deepEqual(jschardet.detect(Uint8Array.of(0, 1, 2, 3, 255, 254, 1, 0)), {
    encoding: null,
    confidence: 0,
    language: null,
    mimeType: null,
  });
});

test("jschardet: chunks, and encodings that only it knows", () => {
  const bytes = iconv.encode("吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。", "euc-jp");
  const detector = new jschardet.chardet.UniversalDetector();
  for (const byte of bytes) detector.feed(Uint8Array.of(byte));
  assert.equal(detector.done, false);
  assert.equal(detector.close().encoding, "EUC-JP");
  assert.deepEqual(detector.close(), detector.result);
  assert.equal(detector.done, true);
  detector.reset();
  detector.feed(new TextEncoder().encode("naïve"));
  assert.equal(detector.close().encoding, "utf-8");
  const names = ["euc-jp", "utf-8", "mac-roman", "utf-16-le", "hz-gb-2312", "HP-Roman8", "cp1140", "kz-1048"];
  assert.equal(jschardet.detect(bytes, { detectEncodings: names }).encoding, "EUC-JP");
  assert.equal(jschardet.detect(bytes, { detectEncodings: ["cp1140"] }).encoding, null);
  assert.deepEqual(jschardet.detectAll(bytes, { detectEncodings: ["cp1140"] }).length, 1);
  assert.throws(() => jschardet.detect(bytes, { detectEncodings: ["klingon"] }), RangeError);
});
