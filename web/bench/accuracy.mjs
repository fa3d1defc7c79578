// How often detection is right, beside jschardet 4, over files whose encoding is known:
//
//     python3 bench/detect/packages.py FOLDER --list | node web/bench/accuracy.mjs
//
// A line of the list is the path of a file and its encodings, of which one is right. An answer is right
// if the bytes are the same text in it. Each file is detected whole, and 200 bytes of it from the line
// with the first byte beyond US-ASCII.
//
// After `bash web/test.sh` and, in web/bench, `npm ci`.
import { readFileSync } from "node:fs";
import jschardet from "jschardet";
import { decode, detect, encodingFor } from "utfkit/detect";

const SHORT = 200;

/** Names of Python and of jschardet, and larger encodings of which ours is the part in use. */
const NAMES = {
  "euc-jis-2004": "euc-jp",
  "shift_jis_2004": "shift_jis",
  "iso2022-jp-2": "iso-2022-jp",
  "iso2022-jp-2004": "iso-2022-jp",
  "iso2022-jp-ext": "iso-2022-jp",
  "utf-16-le": "utf-16le",
  "utf-16-be": "utf-16be",
  "utf-32-le": "utf-32le",
  "utf-32-be": "utf-32be",
  "mac-roman": "macintosh",
  "hz-gb-2312": "hz",
};
const ours = (name) => NAMES[name.toLowerCase()] ?? encodingFor(name);

/** Characters that tables of one encoding read as one or the other. */
const TWINS = { "～": "〜", "∥": "‖", "－": "−", "￠": "¢", "￡": "£", "￢": "¬", "―": "—", "·": "・" };
function text(bytes, label) {
  if (label === undefined) return undefined;
  // What a cut has cut is no difference.
  const string = decode(bytes, label).replace(/\ufffd{1,3}$/, "");
  return string.replace(/[～∥－￠￡￢―·]/g, (character) => TWINS[character]);
}

/** The detectors: each returns a name, or `null`. */
const DETECTORS = {
  utfkit: (bytes) => detect(bytes).encoding,
  jschardet: (bytes) => jschardet.detect(bytes).encoding,
};

const kinds = new Map();
for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const [path, encodings] = line.split("\t");
  const whole = readFileSync(path);
  const first = Math.max(
    0,
    whole.findIndex((byte) => byte >= 0x80),
  );
  const start = /utf-16/.test(encodings) ? 0 : whole.lastIndexOf(0x0a, first) + 1;
  const kind = /^(?:UTF-8|US-ASCII)$/.test(encodings) ? encodings : "older encodings";
  const samples = { whole, [`${SHORT} bytes`]: whole.subarray(start, start + SHORT) };
  for (const [size, bytes] of Object.entries(samples)) {
    const right = encodings.split(",").map((name) => text(bytes, ours(name)));
    const row = kinds.get(`${kind}, ${size}`) ?? { files: 0 };
    kinds.set(`${kind}, ${size}`, row);
    row.files++;
    for (const [name, look] of Object.entries(DETECTORS)) {
      const begun = performance.now();
      const answer = look(bytes);
      row[`${name}, ms`] = (row[`${name}, ms`] ?? 0) + performance.now() - begun;
      const read = answer === null ? undefined : text(bytes, ours(answer));
      row[name] = (row[name] ?? 0) + Number(read !== undefined && right.includes(read));
    }
  }
}
for (const row of kinds.values()) for (const name in row) row[name] = Math.round(row[name]);
console.table(Object.fromEntries(kinds));
