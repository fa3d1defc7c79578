// The functions of jschardet 4. The README lists what differs.
import { bytesOf } from "../lib/engine.js";
import { detect as detectAny } from "../lib/detect.js";

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

const look = (source, { detectEncodings, excludeEncodings } = {}) =>
  detectAny(bytes(source), { only: detectEncodings, not: excludeEncodings });

/** The likeliest encoding. */
export function detect(source, options) {
  const { encoding, confidence, language } = look(source, options);
  return result(encoding, encoding === null ? 0 : confidence, encoding === null ? null : language);
}

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

export default { detect, detectAll };
