import { bytesOf } from "./engine.js";

/** The bytes of a view, a Blob, a ReadableStream or anything iterable, chunk by chunk. */
export async function* chunks(source) {
  if (typeof Blob === "function" && source instanceof Blob) source = source.stream();
  if (typeof ReadableStream === "function" && source instanceof ReadableStream) {
    const reader = source.getReader();
    let ended = false;
    try {
      for (;;) {
        const { done, value } = await reader.read();
        ended = done;
        if (done) return;
        yield bytesOf(value);
      }
    } finally {
      // Whoever stops early wants no more of it.
      if (!ended) await reader.cancel().catch(() => {});
      reader.releaseLock();
    }
  } else if (source?.[Symbol.asyncIterator] || (source?.[Symbol.iterator] && !ArrayBuffer.isView(source))) {
    for await (const chunk of source) yield bytesOf(chunk);
  } else {
    yield bytesOf(source);
  }
}
