import { Handle, bytesOf, engine, limitOf, parts, ready } from "./engine.js";
import { load, lookUp } from "./labels.js";
import { chunks } from "./source.js";

const STANDARDS = ["rfc3629", "rfc2279", "rfc2044", "kuhn", "no-noncharacters"];
const ALL = limitOf();

function standardOf({ standard = "rfc3629" }) {
  const index = STANDARDS.indexOf(standard);
  if (index < 0) throw new RangeError(`utfkit: standard is one of ${STANDARDS.join(", ")}`);
  return index;
}

const isUtf8 = (encoding) => encoding === undefined || /^utf-?8$/i.test(encoding);

function withCodePoint(finding) {
  const { value, message, ...rest } = finding;
  const codePoint = value === null ? null : `U+${value.toString(16).toUpperCase().padStart(4, "0")}`;
  return { ...rest, codePoint, message };
}

class Checker {
  constructor(engine, encoding, options) {
    this.engine = engine;
    this.handle = new Handle(engine, engine.x.checker(encoding, standardOf(options)), this);
  }
  push(bytes, last, limit) {
    this.engine.x.checker_push(this.handle.number, this.engine.give(bytes), last, limit);
    return limit ? JSON.parse(this.engine.note()).map(withCodePoint) : [];
  }
  totals() {
    this.engine.x.checker_totals(this.handle.number);
    return JSON.parse(this.engine.note());
  }
  free() {
    this.handle.free();
  }
}

async function checkerFor(options) {
  if (isUtf8(options.encoding)) {
    const engine = await ready("check");
    return new Checker(engine, 0, options);
  }
  const { engine, index } = await load(options.encoding);
  return new Checker(engine, index, options);
}

/** The findings of a text, one after another, however long it is. */
export async function* check(source, options = {}) {
  const checker = await checkerFor(options);
  try {
    for await (const chunk of chunks(source)) {
      for (const part of parts(chunk)) yield* checker.push(part, false, ALL);
    }
    yield* checker.push(new Uint8Array(0), true, ALL);
    return checker.totals();
  } finally {
    checker.free();
  }
}

/** All findings of bytes, or the first `limit`, and the counts. */
export function findings(source, options = {}) {
  const bytes = bytesOf(source);
  const { engine: one, index } = isUtf8(options.encoding)
    ? { engine: engine("check"), index: 0 }
    : lookUp(options.encoding);
  const checker = new Checker(one, index, options);
  const limit = limitOf(options.limit);
  const found = [];
  try {
    for (const part of parts(bytes)) found.push(...checker.push(part, false, Math.max(0, limit - found.length)));
    found.push(...checker.push(new Uint8Array(0), true, Math.max(0, limit - found.length)));
    return { findings: found, totals: checker.totals() };
  } finally {
    checker.free();
  }
}
