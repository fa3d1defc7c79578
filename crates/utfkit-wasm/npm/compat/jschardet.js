// The functions of jschardet 4. The README lists what differs.
import { bytesOf, engine } from "../lib/engine.js";
import { Detector, detect as detectAny } from "../lib/detect.js";

/** The names of jschardet, where they are others. */
const NAMES = {
  "US-ASCII": "ascii",
  "UTF-8": "utf-8",
  macintosh: "MacRoman",
  "x-mac-cyrillic": "MacCyrillic",
  HZ: "HZ-GB-2312",
  "UTF-16LE": "utf-16-le",
  "UTF-16BE": "utf-16-be",
  "UTF-32LE": "utf-32-le",
  "UTF-32BE": "utf-32-be",
};
const THRESHOLD = 0.2;

/** Encodings of jschardet that are not known here. */
const LACKING = new Set(
  (
    "cp856 cp875 cp1006 cp1026 cp1140 cp273 cp424 euc-jis-2004 hp-roman8 iso2022-jp-2 iso2022-jp-2004 " +
    "iso2022-jp-ext kz-1048 ptcp154 shift_jis_2004"
  ).split(" "),
);
/** The encodings of a list that are known here. */
const known = (names) => names?.filter((name) => !LACKING.has(name.toLowerCase()));

/** A string of jschardet has a byte in each unit. */
function bytes(source) {
  return typeof source === "string" ? Uint8Array.from(source, (unit) => unit.charCodeAt(0)) : bytesOf(source);
}

const result = (encoding, confidence, language) => ({
  encoding: encoding === null ? null : (NAMES[encoding] ?? encoding),
  confidence,
  language: language?.split("-")[0] ?? null,
  mimeType: encoding === null ? null : "text/plain",
});

const NOTHING = { encoding: null, confidence: 0, language: null };

function look(source, { detectEncodings, excludeEncodings } = {}) {
  const only = known(detectEncodings);
  // An empty list would be all of them.
  if (detectEncodings?.length && !only.length) return NOTHING;
  return detectAny(bytes(source), { only, not: known(excludeEncodings) });
}

const best = ({ encoding, confidence, language }) =>
  encoding === null ? result(null, 0, null) : result(encoding, confidence, language);

/** The likeliest encoding. */
export const detect = (source, options) => best(look(source, options));

/** All likely encodings, the likeliest first. */
export function detectAll(source, options = {}) {
  const found = look(source, options);
  if (found.encoding === null) return [result(null, 0, null)];
  const rest = found.candidates.filter(({ encoding }) => encoding !== found.encoding);
  const all = [
    result(found.encoding, found.confidence, found.language),
    ...rest.map(({ encoding, probability, language }) => result(encoding, probability, language)),
  ];
  const { minimumThreshold = THRESHOLD } = options;
  return all.filter(({ confidence }, at) => at === 0 || confidence >= minimumThreshold);
}

/** Detects the encoding of chunks. The result is there when all of them were. */
class UniversalDetector {
  #only;
  #not;
  #detector;
  #result;
  constructor({ includeEncodings, excludeEncodings } = {}) {
    this.#only = known(includeEncodings);
    this.#not = known(excludeEncodings);
    this.reset();
  }
  feed(source) {
    if (!this.done) this.#detector.push(bytesOf(source));
  }
  get done() {
    return this.#detector === undefined;
  }
  get result() {
    return this.#result;
  }
  close() {
    if (!this.done) {
      this.#result = best(this.#detector.end().found);
      this.#detector = undefined;
    }
    return this.#result;
  }
  reset() {
    this.#detector?.free();
    this.#detector = new Detector(engine("detect"), { only: this.#only, not: this.#not });
    this.#result = result(null, 0, null);
  }
}

export const chardet = { UniversalDetector };
export default { detect, detectAll, chardet };
