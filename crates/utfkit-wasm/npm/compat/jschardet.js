// The functions of jschardet. The README lists what differs.
import { bytesOf } from "../lib/engine.js";
import { detect as detectAny } from "../lib/detect.js";

const CANDIDATES = 40;

/** The names of jschardet, where they are others. */
const NAMES = {
  "US-ASCII": "ascii",
  Shift_JIS: "SHIFT_JIS",
  macintosh: "MacRoman",
  "x-mac-cyrillic": "MacCyrillic",
  "windows-874": "TIS-620",
  GBK: "GB2312",
  "UTF-16": "UTF-16LE",
};
const nameOf = (encoding) => (encoding === null ? null : (NAMES[encoding] ?? encoding));

/** A string of jschardet has a byte in each unit. */
function bytes(source) {
  return typeof source === "string" ? Uint8Array.from(source, (unit) => unit.charCodeAt(0)) : bytesOf(source);
}

function candidates(source, { minimumThreshold = 0.2, detectEncodings } = {}) {
  const found = detectAny(bytes(source), { only: detectEncodings, candidates: CANDIDATES });
  let all = found.candidates.map(({ encoding, probability }) => ({ encoding, confidence: probability }));
  // What is certain has no rivals.
  if (all[0]?.encoding !== found.encoding && found.encoding !== null) {
    all = [{ encoding: found.encoding, confidence: found.confidence }, ...all.filter(({ encoding }) => encoding !== found.encoding)];
  }
  if (found.encoding === null) all = [];
  return all
    .filter(({ confidence }) => confidence >= minimumThreshold)
    .map(({ encoding, confidence }) => ({ encoding: nameOf(encoding), confidence }));
}

/** The likeliest encoding. */
export function detect(source, options) {
  return candidates(source, options)[0] ?? { encoding: null, confidence: 0 };
}

/** All likely encodings, the likeliest first. */
export const detectAll = (source, options) => candidates(source, { minimumThreshold: 0, ...options });

export default { detect, detectAll };
