// The WebAssembly modules: which there are, how they are loaded, and their memory.
//
// A module has the functions of those before it in TIERS, so the smallest one that is
// loaded and has what a call needs serves the call.
import { read, readSync } from "#binary";

export const TIERS = ["validate", "check", "convert", "legacy", "detect"];

/** Bytes that go into a module at once: they stay in the caches. */
export const CHUNK = 1 << 16;
/** The most bytes of an input. A module has at most 4 GiB of memory. */
const MOST = 1 << 30;

// A module of one function whose body needs the instructions: i8x16.splat.
const SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11,
]);
let simd;
/** True if this machine runs the modules with vector instructions. */
export const hasSimd = () => (simd ??= WebAssembly.validate(SIMD));
const file = (tier) => (hasSimd() ? tier : `${tier}.scalar`);

const loaded = [];
const loading = [];
/** Bytes of modules that came with the program, by the name of their file. */
const inlined = new Map();

/** Registers a module that is part of the program: `utfkit/inline`. */
export function inline(tier, simd, bytes) {
  inlined.set(simd ? tier : `${tier}.scalar`, bytes);
}

const text = new TextDecoder();
const utf8 = new TextEncoder();

class Engine {
  #bytes;
  #units;
  #numbers;
  constructor(tier, instance) {
    this.tier = tier;
    this.x = instance.exports;
    /** Streams that are kept for the next one of their kind. */
    this.idle = new Map();
    this.#view();
  }

  #view() {
    const { buffer } = this.x.memory;
    this.#bytes = new Uint8Array(buffer);
    this.#units = new Uint16Array(buffer);
    this.#numbers = new Float64Array(buffer, this.x.numbers(), 8);
  }

  /** The memory. A call into the module may move it, which leaves a view empty. */
  get bytes() {
    if (this.#bytes.length === 0) this.#view();
    return this.#bytes;
  }

  /** The memory by units of two bytes. */
  get units() {
    if (this.#units.length === 0) this.#view();
    return this.#units;
  }

  number(index) {
    if (this.#numbers.length === 0) this.#view();
    return this.#numbers[index];
  }

  /** The address of the input, which has at least `length` bytes. */
  input(length) {
    // Addresses above 2 GiB come as negative numbers.
    const at = length > MOST ? 0 : this.x.input(length) >>> 0;
    if (at === 0) throw new RangeError(`utfkit: there is no memory for ${length} bytes`);
    return at;
  }

  /** Writes `chunk` to the front of the input. */
  give(chunk) {
    const at = this.input(chunk.length);
    this.bytes.set(chunk, at);
    return chunk.length;
  }

  /** The first bytes of the input. */
  given(length) {
    const at = this.input(length);
    return this.bytes.subarray(at, at + length);
  }

  /** Writes a string to the front of the input, as UTF-8. Lone surrogates become U+FFFD. */
  giveText(string) {
    const at = this.input(3 * string.length);
    return utf8.encodeInto(string, this.bytes.subarray(at, at + 3 * string.length)).written;
  }

  output(length) {
    const at = this.x.output() >>> 0;
    return this.bytes.subarray(at, at + length);
  }

  note() {
    const at = this.x.note() >>> 0;
    return text.decode(this.bytes.subarray(at, at + this.x.note_len()));
  }
}

function add(tier, module) {
  const at = TIERS.indexOf(tier);
  return (loaded[at] ??= new Engine(tier, new WebAssembly.Instance(module)));
}

/** The smallest loaded module that has the functions of `tier`. */
function find(tier) {
  for (let at = TIERS.indexOf(tier); at < TIERS.length; at++) if (loaded[at]) return loaded[at];
  // Not loaded, but here.
  for (let at = TIERS.indexOf(tier); at < TIERS.length; at++) {
    const bytes = inlined.get(file(TIERS[at]));
    if (bytes) return add(TIERS[at], new WebAssembly.Module(bytes()));
  }
}

/** The module with the functions of `tier`, without waiting. */
export function engine(tier) {
  const found = find(tier);
  if (found) return found;
  if (readSync) return add(tier, new WebAssembly.Module(readSync(file(tier))));
  const more = tier === "convert" ? "" : `/${tier}`;
  throw new Error(`utfkit: call \`await load("${tier}")\` first, or import "utfkit/inline${more}"`);
}

/** True if `engine` would not throw. */
export const isReady = (tier) => Boolean(readSync || find(tier));

/** Loads the module with the functions of `tier`. */
export async function ready(tier) {
  const at = TIERS.indexOf(tier);
  if (at < 0) throw new RangeError(`utfkit: there is no module ${tier}: there are ${TIERS.join(", ")}`);
  return find(tier) ?? (await (loading[at] ??= fetched(tier, at)));
}

async function fetched(tier, at) {
  try {
    return add(tier, await WebAssembly.compile(await read(file(tier))));
  } catch (error) {
    loading[at] = undefined;
    throw error;
  }
}

const streams = new FinalizationRegistry(({ engine, number }) => engine.x.free(number));

/** A stream in a module. Freed at the latest when `owner` is. */
export class Handle {
  constructor(engine, number, owner) {
    this.engine = engine;
    this.number = number;
    if (owner) streams.register(owner, { engine, number }, this);
  }

  /** The number, for another owner. */
  keep() {
    const { number } = this;
    streams.unregister(this);
    this.number = undefined;
    return number;
  }

  free() {
    if (this.number === undefined) return;
    streams.unregister(this);
    this.engine.x.free(this.number);
    this.number = undefined;
  }
}

/** The bytes of a buffer or a view, without a copy. Throws if they were transferred elsewhere. */
export function bytesOf(source) {
  const bytes = viewOf(source);
  // Not "no bytes", which would be well-formed: this throws for a buffer that is detached.
  if (bytes.length === 0) new Uint8Array(bytes.buffer);
  return bytes;
}

function viewOf(source) {
  if (source instanceof Uint8Array) return source;
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (typeof SharedArrayBuffer === "function" && source instanceof SharedArrayBuffer) return new Uint8Array(source);
  // From another realm.
  if (Object.prototype.toString.call(source) === "[object ArrayBuffer]") return new Uint8Array(source);
  throw new TypeError("utfkit: bytes are an ArrayBuffer or a view of one");
}

/** The largest number of results that a module counts to: all of them. */
const ALL = 0xffff_ffff;

/** The most results that a caller wants, all unless stated, as a module reads it. */
export const limitOf = (limit = ALL) => Math.min(Math.max(0, limit), ALL);

/** Refuses bytes that were transferred elsewhere, or became fewer, since they were `length`. */
function checkLength(bytes, length) {
  if (bytes.length !== length) throw new TypeError("utfkit: the buffer was transferred or resized while it was read");
}

/** Calls `each` with parts of at most CHUNK bytes, and whether it is the last: one for no bytes. */
export function inParts(bytes, each) {
  if (bytes.length <= CHUNK) return each(bytes, true);
  for (let at = 0; at < bytes.length; at += CHUNK) each(bytes.subarray(at, at + CHUNK), at + CHUNK >= bytes.length);
}

/** The same parts, to iterate over. Between them, other code may run. */
export function* parts(bytes) {
  const { length } = bytes;
  let at = 0;
  do {
    checkLength(bytes, length);
    yield bytes.subarray(at, at + CHUNK);
    at += CHUNK;
  } while (at < length);
  checkLength(bytes, length);
}
