// What is said about a file.
import { counted } from "./text.js";
import { isJoined, planned } from "./plan.js";

/** The encoding, or what it is instead. */
export function encodingName({ detection }) {
  if (isJoined(detection)) return "several encodings";
  if (detection.encoding) return detection.encoding;
  return detection.isBinary ? "no text" : detection.bytes === 0 ? "empty" : "none that is known";
}

/** How surely. */
export function certainty({ detection }) {
  if (detection.encoding === null && !detection.pieces.length) return "";
  return detection.certainty;
}

const KINDS = {
  "unexpected-continuation": ["stray continuation byte"],
  "missing-continuation": ["cut character"],
  overlong: ["overlong form"],
  surrogate: ["encoded surrogate"],
  "too-large": ["value above U+10FFFF", "values above U+10FFFF"],
  "invalid-byte": ["byte that is no character", "bytes that are no characters"],
  truncated: ["character cut by the end", "characters cut by the end"],
  noncharacter: ["noncharacter"],
  "unpaired-surrogate": ["unpaired surrogate"],
  "invalid-sequence": ["sequence without a character", "sequences without a character"],
};

/** Lines about what is wrong, each with a class. */
export function problems({ detection, totals, isDoubled }) {
  const said = [];
  if (detection.encoding === null && !detection.pieces.length) return [["quiet", detection.reason]];
  for (const [kind, count] of Object.entries(totals.kinds)) {
    if (isJoined(detection)) break;
    said.push(["bad", counted(count, ...(KINDS[kind] ?? [kind, kind]))]);
  }
  if (isJoined(detection))
    said.push(["warn", `joined of ${counted(detection.pieces.length, "piece")}`]);
  if (isDoubled) said.push(["warn", "text that was encoded twice"]);
  if (detection.isContradicted) said.push(["warn", `says that it is in ${detection.declared}`]);
  if (detection.nulls && !detection.isBinary && /^UTF-8|US-ASCII/.test(detection.encoding ?? ""))
    said.push(["warn", counted(detection.nulls, "NUL byte")]);
  return said.length ? said : [["good", "none"]];
}

/** What the download will be. */
export function outcome(found, choice) {
  const plan = planned(found, choice);
  if (plan.how === "keep") return "is UTF-8 already";
  if (plan.how === "none") return "choose an encoding to convert it";
  if (plan.how === "unite") return "each piece is converted";
  if (plan.how === "convert") {
    const lost = choice?.encoding ? choice.totals?.findings : found.ends.findings;
    return `converted from ${plan.from}${lost ? `; ${counted(lost, "ill-formed sequence")} ${lost === 1 ? "becomes" : "become"} U+FFFD` : ""}`;
  }
  const parts = [];
  if (plan.options.fallback) parts.push(`bytes that are not UTF-8 are read as ${plan.options.fallback}`);
  else if (found.ends.findings || choice?.encoding) parts.push("ill-formed bytes become U+FFFD");
  if (plan.options.undouble) parts.push("double encoding is undone");
  return parts.join("; ");
}
