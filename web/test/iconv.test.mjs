// The functions for programs that use iconv-lite, beside iconv-lite.
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { test } from "node:test";
import theirs from "iconv-lite";
import ours from "utfkit/compat/iconv-lite";

theirs.encodingExists("utf8");
const names = Object.keys(theirs.encodings).filter((name) => !name.startsWith("_"));

/** What iconv-lite calls an encoding, whatever the alias. */
function canonical(name) {
  while (typeof theirs.encodings[name] === "string") name = theirs.encodings[name];
  return name;
}

/** Encodings that only iconv-lite has; base64 and hex are none. */
const MISSING = (
  "base64 hex cp808 cp856 cp922 cp1046 cp1124 cp1129 cp1133 cp1161 cp1162 cp1163 mik iso646cn iso646jp " +
  "hproman8 macthai armscii8 rk1048 tcvn georgianacademy georgianps pt154"
).split(" ");

test("all names of iconv-lite are known, except of encodings that only it has", () => {
  assert.ok(names.length > 400);
  const unknown = names.filter((name) => !ours.encodingExists(name)).map(canonical);
  assert.deepEqual([...new Set(unknown)].sort(), MISSING.toSorted());
});

/** Bytes that are other characters: the Encoding Standard, or the table of its maker, differs from iconv-lite's. */
const OTHER = {
  macroman: [0xbd, 0xdb, 0xf0],
  macintosh: [0xbd, 0xdb, 0xf0],
  maciceland: [0xbd, 0xdb, 0xf0],
  macgreek: [0x9c, 0xaf, 0xff],
  macukraine: [0xff],
  maccyrillic: [0xa2, 0xb6, 0xff],
  maccroatian: [0xbd, 0xd8, 0xdb],
  macromania: [0xaf, 0xbd, 0xbf, 0xdb, 0xde, 0xdf, 0xf0],
  macturkish: [0xbd, 0xf0, 0xf5],
  koi8u: [0xae, 0xbe],
  koi8ru: [0x93, 0x96, 0x97, 0x98, 0x99, 0x9b, 0x9c, 0x9d, 0x9f],
};

test("encodings with a byte a character decode and encode as iconv-lite's", () => {
  let count = 0;
  for (const name of new Set(names.map(canonical))) {
    if (theirs.encodings[name].type !== "_sbcs" || !ours.encodingExists(name)) continue;
    count++;
    const differs = [];
    let alike = "";
    for (let byte = 0; byte < 256; byte++) {
      const [a, b] = [ours, theirs].map((iconv) => iconv.decode(Buffer.of(byte), name));
      if (a !== b && b !== "\ufffd" && b !== String.fromCharCode(byte)) differs.push(byte);
      // What both read alike both write alike.
      if (a === b && a !== "\ufffd") alike += a;
    }
    assert.deepEqual(ours.encode(alike, name), theirs.encode(alike, name), name);
    const allowed = OTHER[name] ?? [];
    assert.deepEqual(
      differs.filter((byte) => !allowed.includes(byte)),
      [],
      name,
    );
  }
  assert.ok(count > 50, `${count} encodings`);
});

test("encodings with several bytes a character read text as iconv-lite does", () => {
  const texts = {
    cp932: "吾輩は猫である。テスト",
    cp936: "学而时习之，不亦说乎？",
    gb18030: "学而时习之 😀 ₧",
    cp949: "모든 인간은 태어날 때부터",
    cp950: "學而時習之，不亦說乎？",
    big5hkscs: "學而時習之，不亦說乎？",
    shiftjis: "吾輩は猫である。ﾃｽﾄ",
    eucjp: "吾輩は猫である。テスト",
    utf7: "Grüße, 漢字 + 1",
    utf7imap: "Grüße, 漢字 & 1",
    cesu8: "Grüße 😀",
    utf32: "Grüße 😀",
    utf16: "Grüße 😀",
    utf16be: "Grüße 😀",
    ucs2: "Grüße 😀",
    utf8: "Grüße 😀",
  };
  for (const [name, text] of Object.entries(texts)) {
    const bytes = theirs.encode(text, name);
    assert.equal(ours.decode(bytes, name), text, name);
    const encoded = ours.encode(text, name);
    // UTF-7 may end its base64 with a minus sign.
    if (name === "utf7") assert.equal(theirs.decode(encoded, name), text);
    else assert.deepEqual(encoded, bytes, name);
    // Byte by byte.
    const decoder = ours.getDecoder(name);
    let string = "";
    for (const byte of bytes) string += decoder.write(Buffer.of(byte));
    assert.equal(string + (decoder.end() ?? ""), text, name);
    const encoder = ours.getEncoder(name);
    const chunks = Array.from({ length: text.length }, (_, at) => encoder.write(text[at]));
    assert.deepEqual(Buffer.concat([...chunks, encoder.end() ?? Buffer.alloc(0)]), encoded, name);
  }
});

test("BOMs and the order of bytes, with every option", () => {
  const text = "Hello, Grün";
  for (const name of ["utf8", "utf16", "utf16le", "utf16be", "ucs2", "utf32", "utf-32le", "utf-32be", "win1252", "cesu8"]) {
    for (const addBOM of [undefined, true, false]) {
      for (const defaultEncoding of [undefined, name.includes("32") ? "utf-32be" : "utf-16be"]) {
        const options = { addBOM, defaultEncoding };
        const [a, b] = [ours, theirs].map((iconv) => iconv.encode(text, name, { ...options }));
        assert.deepEqual(a, b, `${name} ${JSON.stringify(options)}`);
        const encoder = ours.getEncoder(name, options);
        assert.deepEqual(Buffer.concat([encoder.write("Hell"), encoder.write("o, Grün")]), b);
      }
    }
    for (const stored of ["utf8", "utf16le", "utf16be", "utf-32le", "utf-32be"]) {
      for (const addBOM of [true, false]) {
        // Also where there is nothing to tell the order by.
        for (const content of [text, "漢字", ""]) {
          const bytes = theirs.encode(content, stored, { addBOM });
          for (const stripBOM of [undefined, true, false, "called"]) {
            for (const defaultEncoding of [undefined, name.includes("32") ? "utf-32be" : "utf-16be"]) {
              // Units of another size are no text.
              if (!sameUnits(name, stored)) continue;
              const results = [ours, theirs].map((iconv) => {
                let calls = 0;
                const options = { stripBOM: stripBOM === "called" ? () => calls++ : stripBOM, defaultEncoding };
                return [iconv.decode(bytes, name, options), calls];
              });
              assert.deepEqual(results[0], results[1], `${name} ${stored} ${content} ${addBOM} ${stripBOM} ${defaultEncoding}`);
            }
          }
        }
      }
    }
  }
});

/** True if bytes that are stored in an encoding are read in another one with units of the same size. */
function sameUnits(name, stored) {
  const size = (label) => (/32/.test(label) ? 4 : /16|ucs2/.test(label) ? 2 : 1);
  return size(name) === size(stored);
}

test("streams are Node's", async () => {
  const source = () => Readable.from([Buffer.from([0x83]), Buffer.from([0x65, 0x83, 0x58])], { objectMode: false });
  const collected = (stream) =>
    new Promise((resolve, reject) => stream.collect((error, all) => (error ? reject(error) : resolve(all))));
  for (const iconv of [ours, theirs]) {
    assert.equal(await collected(source().pipe(iconv.decodeStream("shift_jis"))), "テス");
    const bytes = await collected(source().pipe(iconv.decodeStream("shift_jis")).pipe(iconv.encodeStream("utf16")));
    assert.ok(Buffer.isBuffer(bytes));
    assert.equal(bytes.toString("hex"), "fffec630b930");
    assert.equal((await collected(Readable.from([]).pipe(iconv.encodeStream("utf8")))).length, 0);
    // Options of streams are handed on, and so is `addBOM`.
    const stream = iconv.encodeStream("utf8", { addBOM: true, highWaterMark: 7 });
    assert.equal(stream.writableHighWaterMark, 7);
    stream.end("a");
    assert.equal((await collected(stream)).toString("hex"), "efbbbf61");
    const signed = Buffer.from("\ufeffab", "utf16le").swap16();
    const kept = iconv.decodeStream("utf16", { stripBOM: false });
    kept.end(signed);
    assert.equal(await collected(kept), "\ufeffab");
    // Bytes are no text.
    const wrong = iconv.encodeStream("utf8");
    wrong.write(Buffer.from("a"));
    await assert.rejects(collected(wrong), /needs strings/);
  }
  const parts = [];
  await pipeline(source(), ours.decodeStream("sjis"), ours.encodeStream("utf8"), async (chunks) => {
    for await (const part of chunks) parts.push(part);
  });
  assert.equal(Buffer.concat(parts).toString(), "テス");
});

test("bytes are Buffers, and other arguments are treated alike", () => {
  assert.equal(ours.encode("é", "utf8").toString("hex"), "c3a9");
  for (const value of [undefined, null, "", 12]) assert.deepEqual(ours.encode(value, "latin1"), theirs.encode(value, "latin1"));
  for (const iconv of [ours, theirs]) {
    assert.throws(() => iconv.decode(Buffer.of(1), "klingon"), /Encoding not recognized: 'klingon'/);
    assert.throws(() => iconv.getDecoder("__proto__"), /Encoding not recognized/);
    assert.ok(!iconv.encodingExists("constructor"));
    assert.equal(iconv.fromEncoding(iconv.toEncoding("é", "cp850"), "cp850"), "é");
  }
});
