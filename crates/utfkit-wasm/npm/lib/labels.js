// Encodings by their labels. A module knows an encoding by its index.
import { engine, isReady, ready } from "./engine.js";

const TIERS = ["convert", "legacy"];

function find(engine, label, web) {
  const length = engine.giveText(label);
  const index = engine.x.label(length, web);
  return index < 0 ? undefined : { engine, index };
}

function unknown(label) {
  return new RangeError(`utfkit: no encoding is called ${JSON.stringify(label)}`);
}

/** Encodings by label and meaning, and the modules that have them. */
const known = new Map();
const keep = (key, found) => (known.set(key, found), found);

/** The encoding of a label, and the smallest module that has it. */
export function lookUp(label, web = false) {
  const key = `${web ? "web " : ""}${label}`;
  const found = known.get(key);
  if (found) return found;
  for (const tier of TIERS) {
    if (tier === "legacy" && web && !webName(label)) break;
    const found = find(engine(tier), String(label), web);
    if (found) return keep(key, found);
  }
  throw unknown(label);
}

/** As `lookUp`, but loads the modules. */
export async function load(label, web = false) {
  for (const tier of TIERS) {
    const found = find(await ready(tier), String(label), web);
    if (found) return found;
  }
  throw unknown(label);
}

/** The indexes of two encodings in a module that has both. */
export function pair(from, to) {
  const [a, b] = [lookUp(from), lookUp(to)];
  if (a.engine === b.engine) return { engine: a.engine, from: a.index, to: b.index };
  const larger = a.engine.tier === "convert" ? b.engine : a.engine;
  return { engine: larger, from: find(larger, from).index, to: find(larger, to).index };
}

/** The name by which the Encoding Standard knows a label, or an empty string. */
export function webName(label) {
  const one = engine("convert");
  one.x.web_name(one.giveText(String(label)));
  return one.note();
}

/** All encodings of the largest module at hand, with their labels. */
export function encodings() {
  const one = engine(isReady("legacy") ? "legacy" : "convert");
  one.x.encodings();
  return JSON.parse(one.note());
}

/** The name of the encoding that a label names, or `undefined`. */
export function encodingFor(label) {
  try {
    const { engine, index } = lookUp(label);
    const names = (engine.names ??= (engine.x.encodings(), JSON.parse(engine.note()).map(({ name }) => name)));
    return names[index];
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
