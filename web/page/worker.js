// The work, in a worker: files are read chunk by chunk, and no page waits.
import { downloadZip } from "client-zip";
import { CHUNK, engine, hasSimd, inline, ready } from "utfkit-lib/engine.js";
import { Detection, Kept, detection as detectionOf, optionsOf } from "utfkit-lib/detect.js";
import { decode } from "utfkit-lib/convert.js";
import { EncodingError } from "utfkit-lib/error.js";
import { encodings } from "utfkit-lib/labels.js";
import { Repair, unite } from "utfkit-lib/repair.js";
import { chunks } from "utfkit-lib/source.js";
import { Transcoder } from "utfkit-lib/transcoder.js";
import { isUtf8, planned } from "./plan.js";

/** Findings and changes that are kept to be shown; all are counted. */
const SHOWN = 500;
/** Bytes of a preview. */
const PREVIEW = 16384;
/** Texts that are joined of several are read whole, up to this length. */
const WHOLE = 64 << 20;
/** Ill-formed bytes are errors, or become U+FFFD. */
const STRICT = 0;
const REPLACE = 1;

const stopped = new Set();
class Stopped extends Error {}
/** Some browsers read on when a file changes, and others fail. */
class Changed extends Error {
  constructor() {
    super("the file changed while it was read: add it again");
  }
}

/** The parts of a file, with reports of the progress. */
async function* read(file, id, done = { bytes: 0 }, total = file.size) {
  let reported = performance.now();
  let length = 0;
  for await (const chunk of chunks(file)) {
    for (let at = 0; at < chunk.length; at += CHUNK) {
      if (stopped.has(id)) throw new Stopped();
      yield chunk.subarray(at, at + CHUNK);
    }
    done.bytes += chunk.length;
    length += chunk.length;
    const now = performance.now();
    if (now - reported > 100) {
      reported = now;
      postMessage({ id, progress: total ? Math.min(1, done.bytes / total) : 1 });
      // Lets a message in that stops this.
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
  if (length !== file.size) throw new Changed();
}

/** All bytes of a file. */
async function whole(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes.length !== file.size) throw new Changed();
  return bytes;
}

/** The findings of a file in an encoding. */
class Check {
  constructor(one, encoding) {
    this.x = one.x;
    this.engine = one;
    this.number = one.x.checker(encoding, 0);
    this.findings = [];
  }
  /** True if more may have been found than are kept. */
  get isFull() {
    return this.findings.length >= SHOWN;
  }
  /** Takes the first `length` bytes of the input. */
  take(length, last) {
    this.x.checker_push(this.number, length, last, SHOWN - this.findings.length);
    if (!this.isFull) this.findings.push(...JSON.parse(this.engine.note()));
  }
  end() {
    this.take(0, true);
    this.x.checker_totals(this.number);
    const totals = JSON.parse(this.engine.note());
    this.free();
    return { findings: this.findings, totals };
  }
  free() {
    this.x.free(this.number);
  }
}

/** What `work` makes of a check, which is freed if it is stopped or fails. */
async function freeing(check, work) {
  try {
    return await work(check);
  } catch (error) {
    check.free();
    throw error;
  }
}

/** What is found of a text that is UTF-8: its findings, and whether it was encoded twice. */
class Utf8 {
  constructor(one) {
    this.x = one.x;
    this.check = new Check(one, 0);
    this.repair = one.x.repairer(1, one.giveText("\n"));
  }
  /** Takes the first `length` bytes of the input. */
  take(length) {
    this.check.take(length, false);
    this.x.survey_push(this.repair, length);
  }
  end() {
    const { findings, totals } = this.check.end();
    const isDoubled = Boolean(this.x.survey_end(this.repair));
    this.x.free(this.repair);
    return { findings, totals, isDoubled };
  }
  free() {
    this.check.free();
    this.x.free(this.repair);
  }
}

/** Reads a file once: its encoding, and what is found of it as UTF-8. Mostly that is enough. */
async function examine({ id, file }) {
  const one = await ready("detect");
  const { x } = one;
  const options = optionsOf({});
  const detector = x.detector(one.give(options));
  let utf8 = new Utf8(one);
  try {
    for await (const part of read(file, id)) {
      const length = one.give(part);
      x.detector_push(detector, length);
      if (utf8) utf8.take(length);
      // A text with so many findings is hardly UTF-8, and is checked again if it is.
      if (utf8?.check.isFull) utf8 = utf8.end() && undefined;
    }
  } catch (error) {
    x.free(detector);
    utf8?.free();
    throw error;
  }
  const mayBeSplit = x.detector_end(detector) && file.size <= WHOLE;
  const detected = (number) => {
    const facts = JSON.parse(one.note());
    return new Detection(new Kept(one, number, SHOWN, facts.bytes), facts).toJSON();
  };
  let detection = detected(detector);
  if (mayBeSplit) {
    detection = detected(detectionOf(one, options, await whole(file)));
  }
  let found = utf8?.end();
  if (detection.encoding !== null && !isUtf8(detection.encoding)) {
    found = { ...(await checked(one, file, detection.encoding, id)), isDoubled: false };
  } else if (!found) {
    found = await freeing(new Utf8(one), async (again) => {
      for await (const part of read(file, id)) again.take(one.give(part));
      return again.end();
    });
  }
  const { findings, totals, isDoubled } = found;
  const ends = { findings: totals.findings, kinds: totals.kinds };
  return { detection, findings, totals, isDoubled: isDoubled && isUtf8(detection.encoding), ends, size: file.size };
}

/** True if a conversion, which is several times as fast as a check, meets no error. */
async function isWellFormed(one, file, index, id) {
  const transcoder = new Transcoder(one, index, 0, STRICT, "");
  const ignore = () => {};
  try {
    for await (const part of read(file, id)) transcoder.run(one.give(part), false, ignore);
    transcoder.run(0, true, ignore);
    return true;
  } catch (error) {
    if (error instanceof EncodingError) return false;
    throw error;
  } finally {
    transcoder.free();
  }
}

async function checked(one, file, encoding, id) {
  const index = one.x.label(one.giveText(encoding), false);
  if (await isWellFormed(one, file, index, id)) return { findings: [], totals: { findings: 0, kinds: {} } };
  return freeing(new Check(one, index), async (check) => {
    for await (const part of read(file, id)) check.take(one.give(part), false);
    return check.end();
  });
}

/** The findings of a file in another encoding than was detected. */
async function recheck({ id, file, encoding }) {
  const one = await ready("detect");
  const { findings, totals } = await checked(one, file, encoding, id);
  return { findings, totals };
}

/** The beginning of the text. */
async function preview({ file, encoding }) {
  await ready("detect");
  const bytes = new Uint8Array(await file.slice(0, PREVIEW).arrayBuffer());
  return { text: decode(bytes, encoding, { errors: "replace" }), isCut: PREVIEW < file.size };
}

/** The first changes that undoing would make, of a text that was surveyed whole. */
async function doubled({ id, file }) {
  const one = await ready("detect");
  const repair = new Repair(one, { undouble: true });
  const changes = [];
  let count = 0;
  try {
    for await (const part of read(file, id)) repair.survey(part);
    for await (const part of read(file, id)) {
      repair.push(part, false, SHOWN - changes.length);
      count += repair.count;
      changes.push(...repair.changes);
    }
    repair.push(new Uint8Array(0), true, SHOWN - changes.length);
    changes.push(...repair.changes);
    return { count: count + repair.count, changes };
  } finally {
    repair.free();
  }
}

/** The result, chunk by chunk. A chunk is gone when the next one is asked for. */
async function* result(file, plan, id, done) {
  const one = await ready("detect");
  const total = file.size;
  if (plan.how === "keep" || plan.how === "none") {
    yield* read(file, id, done, total);
  } else if (plan.how === "unite") {
    yield unite(await whole(file), { limit: 0 }).bytes;
  } else if (plan.how === "repair") {
    const repair = new Repair(one, plan.options);
    const made = new Made();
    try {
      if (plan.options.undouble) for await (const part of read(file, id, done, 2 * total)) repair.survey(part);
      for await (const part of read(file, id, done, plan.options.undouble ? 2 * total : total)) {
        made.add(repair.push(part, false, 0));
        yield made.taken();
      }
      made.add(repair.push(new Uint8Array(0), true, 0));
      yield made.taken();
    } finally {
      repair.free();
    }
  } else {
    const from = one.x.label(one.giveText(plan.from), false);
    const transcoder = new Transcoder(one, from, 0, plan.isClean ? STRICT : REPLACE, plan.from);
    const made = new Made();
    const take = (bytes) => made.add(bytes);
    let isStart = true;
    const text = () => {
      const bytes = made.taken();
      if (!isStart || !bytes.length) return bytes;
      isStart = false;
      return withoutBom(bytes);
    };
    try {
      for await (const part of read(file, id, done, total)) {
        transcoder.run(one.give(part), false, take);
        yield text();
      }
      transcoder.run(0, true, take);
      yield text();
    } catch (error) {
      throw error instanceof EncodingError ? new Changed() : error;
    } finally {
      transcoder.free();
    }
  }
}

/** Bytes out of the memory of the module, in one buffer that every chunk uses again. */
class Made {
  #bytes = new Uint8Array(4 * CHUNK);
  #length = 0;
  add(bytes) {
    const length = this.#length + bytes.length;
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(2 * length);
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length = length;
  }
  taken() {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return taken;
  }
}

/** What had a BOM in UTF-16 needs none in UTF-8. */
const withoutBom = (bytes) => (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes);

/** What goes on when the page has written a chunk, by the number of the operation. */
const written = new Map();

/** Bytes that are handed on at once. */
const BATCH = 1 << 20;

/** Gives the result to the page in batches, all in one buffer, which the page gives back. */
async function hand(id, source) {
  let batch = new Uint8Array(BATCH);
  let length = 0;
  const pass = async () => {
    if (stopped.has(id)) throw new Stopped();
    const returned = new Promise((resolve) => written.set(id, resolve));
    const chunk = batch.subarray(0, length);
    postMessage({ id, chunk }, [batch.buffer]);
    const buffer = await returned;
    if (stopped.has(id)) throw new Stopped();
    batch = new Uint8Array(buffer);
    length = 0;
  };
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; ) {
      const some = chunk.subarray(at, at + BATCH - length);
      batch.set(some, length);
      length += some.length;
      at += some.length;
      if (length === BATCH) await pass();
    }
  }
  if (length) await pass();
  return {};
}

/** Collects the result in a Blob. Browsers write a long body of a Response to the disk, but not a long `new Blob`. */
async function collect(source) {
  let failure;
  const body = streamOf(
    (async function* () {
      try {
        for await (const chunk of source) if (chunk.length) yield chunk.slice();
      } catch (error) {
        failure = error;
        throw error;
      }
    })(),
  );
  try {
    return { blob: await new Response(body).blob() };
  } catch (error) {
    throw failure ?? error;
  }
}

const deliver = (id, source, toPage) => (toPage ? hand(id, source) : collect(source));

const convert = ({ id, file, found, choice, toPage }) => deliver(id, result(file, planned(found, choice), id), toPage);

/** An archive of the results of all files, without compression. */
function zip({ id, files, toPage }) {
  const done = { bytes: 0 };
  async function* chunksOf({ file, path, found, choice }) {
    try {
      for await (const chunk of result(file, planned(found, choice), id, done)) if (chunk.length) yield chunk.slice();
    } catch (error) {
      throw error instanceof Stopped ? error : new Error(`${path}: ${error.message}`);
    }
  }
  async function* entries() {
    for (const one of files) {
      yield { name: one.path, lastModified: new Date(one.file.lastModified ?? 0), input: streamOf(chunksOf(one)) };
    }
  }
  return deliver(id, chunks(downloadZip(entries()).body), toPage);
}

/** A stream of what a generator makes. */
function streamOf(generator) {
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await generator.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => generator.return(),
    },
    { highWaterMark: 0 },
  );
}

async function begin({ module, simd }) {
  inline("detect", simd, () => new Uint8Array(module));
  await ready("detect").catch(() => {});
  engine("detect");
  return { encodings: encodings().map(({ name }) => name), simd: hasSimd() };
}

const operations = { begin, examine, recheck, preview, doubled, convert, zip };

onmessage = async ({ data }) => {
  const { id, operation } = data;
  if (operation === "stop") {
    stopped.add(id);
    written.get(id)?.();
    return;
  }
  if (operation === "written") return written.get(id)?.(data.buffer);
  try {
    postMessage({ id, done: await operations[operation](data) });
  } catch (error) {
    postMessage({ id, failed: error instanceof Stopped ? "stopped" : String(error?.message ?? error) });
  } finally {
    stopped.delete(id);
    written.delete(id);
  }
};
