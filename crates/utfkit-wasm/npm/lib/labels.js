// Encodings by their labels. A module knows an encoding by its index.
import { engine, isReady, ready } from "./engine.js";

const TIERS = ["convert", "legacy"];
/** No label is longer, but for white space around it. */
export const LONGEST = 100;
/** Labels that are remembered: who chooses them may choose many that mean the same. */
const REMEMBERED = 1000;
/** Its index in every module: the first. */
export const UTF8_INDEX = 0;

const isSpace = (unit) => unit === 0x20 || (unit >= 0x09 && unit <= 0x0d && unit !== 0x0b);

/** A label without the white space of US-ASCII around it. */
function trimmed(label) {
  let [start, end] = [0, label.length];
  while (start < end && isSpace(label.charCodeAt(start))) start++;
  while (end > start && isSpace(label.charCodeAt(end - 1))) end--;
  return label.slice(start, end);
}

function find(engine, label, web) {
  if (label.length > LONGEST && (label = trimmed(label)).length > LONGEST) return undefined;
  const length = engine.giveText(label);
  const index = engine.x.label(length, web);
  return index < 0 ? undefined : new Encoding(engine, index);
}

/** An encoding in a module. */
class Encoding {
  #bom;
  constructor(engine, index) {
    this.engine = engine;
    this.index = index;
    this.isUtf8 = index === UTF8_INDEX;
    /** The form of UTF-16 in which strings hold its text, and whether it has lone surrogates. */
    this.form = engine.x.text_form(index);
    this.hasAscii = Boolean(engine.x.is_ascii_transparent(index));
    this.isLoose = this.form !== engine.x.text_form(0);
  }
  /** The bytes of its BOM. */
  get bom() {
    return (this.#bom ??= this.engine.output(this.engine.x.bom(this.index)).slice());
  }
  /** True if bytes begin with its BOM. */
  begins(bytes) {
    const { bom } = this;
    if (bom.length === 0 || bytes[0] !== bom[0]) return false;
    return bom.every((byte, at) => bytes[at] === byte);
  }
}

/** A label for a message. */
export const quoted = (label) => JSON.stringify(label.length > LONGEST ? `${label.slice(0, LONGEST)}…` : label);
const unknown = (label) => new RangeError(`utfkit: no encoding is called ${quoted(label)}`);

/** Encodings by label, as they are meant here and on the web, and the modules that have them. */
const known = [new Map(), new Map()];

function keep(map, key, found) {
  if (map.size >= REMEMBERED) map.clear();
  if (key.length <= LONGEST) map.set(key, found);
  return found;
}

/** The encoding of a label, and the smallest module that has it. */
export function lookUp(label, web = false) {
  const map = known[Number(web)];
  const found = map.get(label);
  if (found) return found;
  const name = String(label);
  for (const tier of TIERS) {
    if (tier === "legacy" && web && !webName(name)) break;
    const found = find(engine(tier), name, web);
    if (found) return keep(map, name, found);
  }
  throw unknown(name);
}

/** As `lookUp`, but loads the modules. */
export async function load(label, web = false) {
  const name = String(label);
  for (const tier of TIERS) {
    const found = find(await ready(tier), name, web);
    if (found) return found;
  }
  throw unknown(name);
}

const pairs = new Map();

/** The indexes of two encodings in a module that has both. */
export function pair(source, target) {
  const [from, to] = [String(source), String(target)];
  const key = `${from}\n${to}`;
  let found = pairs.get(key);
  if (!found) {
    const [a, b] = [lookUp(from), lookUp(to)];
    const engine = a.engine === b.engine || b.engine.tier === "convert" ? a.engine : b.engine;
    found = { engine, from: within(engine, a, from), to: within(engine, b, to) };
    keep(pairs, key, found);
  }
  return found;
}

/** The index of an encoding in a module, whichever it was found in. */
export const within = (engine, found, label) =>
  (found.engine === engine ? found : find(engine, String(label), false)).index;

/** The name by which the Encoding Standard knows a label, or an empty string. */
export function webName(label) {
  const one = engine("convert");
  const name = trimmed(String(label));
  if (name.length > LONGEST) return "";
  one.x.web_name(one.giveText(name));
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
