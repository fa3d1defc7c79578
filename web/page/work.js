// The worker, and what is asked of it.

let worker;
let last = 0;
const open = new Map();

const decoded = async (id) => {
  const string = atob(document.getElementById(id).textContent.trim());
  const bytes = Uint8Array.from(string, (c) => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
};

// A module of one function that needs vector instructions.
const SIMD = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11];

/** Starts the worker, from within this page: so it may from a file. */
export async function start(onError) {
  const simd = WebAssembly.validate(new Uint8Array(SIMD));
  const script = await decoded("worker");
  const module = await decoded(simd ? "engine" : "engine-scalar");
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  worker = new Worker(address);
  worker.onmessage = ({ data: { id, ...message } }) => {
    const task = open.get(id);
    if (!task) return;
    if ("progress" in message) task.onProgress?.(message.progress);
    else if ("chunk" in message)
      task.onChunk(message.chunk).then(
        // Back to where the next one is made.
        () => worker.postMessage({ id, operation: "written", buffer: message.chunk.buffer }, [message.chunk.buffer]),
        (error) => {
          // Such as a disk that is full.
          task.failure = error;
          task.stop();
        },
      );
    else {
      open.delete(id);
      if ("failed" in message) task.reject(task.failure ?? new Error(message.failed));
      else task.resolve(message.done);
    }
  };
  worker.onerror = (event) => {
    const message = event.message || "the worker stopped";
    for (const { reject } of open.values()) reject(new Error(message));
    open.clear();
    onError(message);
  };
  return ask("begin", { module, simd });
}

/** Asks for an operation. The promise has a function `stop`. */
export function ask(operation, values = {}, { onProgress, onChunk } = {}) {
  const id = ++last;
  const stop = () => worker.postMessage({ id, operation: "stop" });
  const promise = new Promise((resolve, reject) => open.set(id, { resolve, reject, onProgress, onChunk, stop }));
  worker.postMessage({ ...values, id, operation, toPage: Boolean(onChunk) });
  return Object.assign(promise, { stop });
}
