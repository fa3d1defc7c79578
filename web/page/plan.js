// What becomes of a file, by what was found in it.

/**
 * `how` is `keep` for bytes that are UTF-8 as they are, `convert` from `from`, in which nothing is
 * ill-formed if `isClean`, `repair` with `options`, `unite` for a text that is joined of several, or `none`.
 */
export function planned(found, choice = {}) {
  const { detection, isDoubled, ends } = found;
  const encoding = choice.encoding ?? detection.encoding;
  const undouble = choice.undouble ?? isDoubled;
  if (choice.encoding && choice.encoding !== detection.encoding) return converted(choice.encoding);
  if (isJoined(detection)) return { how: "unite" };
  if (encoding === null) return { how: "none" };
  if (!isUtf8(encoding)) return { ...converted(encoding), isClean: ends.findings === 0 };
  const damaged = ends.findings > 0;
  if (!damaged && !undouble) return { how: "keep" };
  // What would be a guess is replaced, which can be seen.
  const fallback = damaged && detection.foreignCertainty !== "a guess" ? (detection.foreign ?? undefined) : undefined;
  return { how: "repair", options: { undouble, rejoin: true, fallback, byLine: Boolean(fallback) } };
}

/** True if the text is joined of pieces that are all listed. */
export function isJoined({ isMixed, pieces, morePieces, bytes }) {
  const last = pieces.at(-1);
  return isMixed && pieces.length > 1 && morePieces === 0 && last.offset + last.length === bytes;
}

export const isUtf8 = (encoding) => encoding === "UTF-8" || encoding === "US-ASCII";
const converted = (from) => (isUtf8(from) ? { how: "repair", options: {} } : { how: "convert", from });
