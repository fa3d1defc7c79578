// Encodings by their labels. A module knows an encoding by its index.
import { engine, isReady, ready } from "./engine.js";

const TIERS = ["convert", "legacy"];

function find(engine, label, web) {
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
    /** The form of UTF-16 in which strings hold its text, and whether it has lone surrogates. */
    this.form = engine.x.text_form(index);
    this.hasAscii = Boolean(engine.x.is_ascii_transparent(index));
    this.isLoose = this.form !== engine.x.text_form(0);
  }
  /** The bytes of its BOM. */
  get bom() {
    return (this.#bom ??= this.engine.output(this.engine.x.bom(this.index)).slice());
  }
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

const pairs = new Map();

/** The indexes of two encodings in a module that has both. */
export function pair(from, to) {
  const key = `${from}\n${to}`;
  let found = pairs.get(key);
  if (!found) {
    const [a, b] = [lookUp(from), lookUp(to)];
    const engine = a.engine === b.engine || b.engine.tier === "convert" ? a.engine : b.engine;
    found = { engine, from: within(engine, a, from), to: within(engine, b, to) };
    pairs.set(key, found);
  }
  return found;
}

/** The index of an encoding in a module, whichever it was found in. */
export const within = (engine, found, label) =>
  (found.engine === engine ? found : find(engine, String(label), false)).index;

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
