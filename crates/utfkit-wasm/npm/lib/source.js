import { bytesOf } from "./engine.js";

/** Bytes of a Blob that are read at once. */
const PART = 1 << 18;

/** The bytes of a view, a Blob, a ReadableStream or anything iterable, chunk by chunk. */
export async function* chunks(source) {
  if (typeof Blob === "function" && source instanceof Blob) {
    // A stream takes longer to begin than a short file to read.
    if (source.size <= PART) yield new Uint8Array(await source.arrayBuffer());
    else yield* ofBlob(source);
  } else if (typeof ReadableStream === "function" && source instanceof ReadableStream) {
    yield* ofReader(source.getReader());
  } else if (source?.[Symbol.asyncIterator] || (source?.[Symbol.iterator] && !ArrayBuffer.isView(source))) {
    for await (const chunk of source) yield bytesOf(chunk);
  } else {
    yield bytesOf(source);
  }
}

/**
 * The chunks of a Blob. Where the platform can, all are read into one buffer, so a chunk is gone
 * when the next one is asked for: else a file of gigabytes leaves buffers that wait to be collected.
 */
function ofBlob(blob) {
  const stream = blob.stream();
  let reader;
  try {
    reader = stream.getReader({ mode: "byob" });
  } catch {
    return ofReader(stream.getReader());
  }
  return ofReader(reader, new ArrayBuffer(PART));
}

async function* ofReader(reader, buffer) {
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await reader.read(buffer && new Uint8Array(buffer));
      ended = done;
      if (done) return;
      yield bytesOf(value);
      if (buffer) ({ buffer } = value);
    }
  } finally {
    // Whoever stops early wants no more of it.
    if (!ended) await reader.cancel().catch(() => {});
    reader.releaseLock();
  }
}
