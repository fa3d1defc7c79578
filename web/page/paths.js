// Paths for an archive.

/** Names that a system may take for the same: without regard to case and composition. */
const folded = (path) => path.normalize("NFC").toLowerCase();

/** A path within an archive, on any system. */
function within(path) {
  const steps = path.replace(/[\\\0]/g, "_").split("/");
  return steps.filter((step) => step && step !== "." && step !== "..").join("/") || "unnamed";
}

/** Paths within an archive, of which no two are the same file on any system, and none is a folder of another. */
export function distinct(paths) {
  const all = paths.map(within);
  const taken = new Set();
  for (const path of all) {
    const steps = folded(path).split("/");
    for (let depth = 1; depth < steps.length; depth++) taken.add(steps.slice(0, depth).join("/"));
  }
  /** The last number that was added to a path. */
  const counts = new Map();
  return all.map((path) => {
    const key = folded(path);
    let one = path;
    let count = counts.get(key) ?? 1;
    while (taken.has(folded(one))) one = path.replace(/(?<=[^/])(\.[^./]*)?$/, ` (${++count})$1`);
    counts.set(key, count);
    taken.add(folded(one));
    return one;
  });
}
