// Runs a WASI program in Node, as Cargo's runner:
//
//     node --no-warnings --no-turbo-fast-api-calls ci/wasi.mjs PROGRAM.wasm ARGUMENT...
//
// The program gets the arguments, environment and standard streams of this
// process, and its status becomes the exit status. It can access the repository
// and the folder named by UTFKIT_SHARED, under their own paths.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { WASI } from "node:wasi";

const repository = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");

// There are no threads. A newer C library for WASI reports that by itself; an
// older one lacks these functions.
const OK = 0;
const NOT_SUPPORTED = 58;
const never = () => {
  throw new Error("there is no thread to wait for");
};
const noThreads = {
  pthread_create: () => NOT_SUPPORTED,
  pthread_attr_init: () => OK,
  pthread_attr_setstacksize: () => OK,
  pthread_attr_destroy: () => OK,
  pthread_join: never,
  pthread_detach: never,
};

// Runs a program and returns its status. `more` takes a function that returns
// the program's memory, and returns further imports by module.
export async function run([program, ...args], more = () => ({})) {
  const folders = [repository, process.env.UTFKIT_SHARED].filter(Boolean);
  const wasi = new WASI({
    version: "preview1",
    args: [program, ...args],
    env: process.env,
    preopens: Object.fromEntries(folders.map((folder) => [folder, folder])),
    returnOnExit: true,
  });
  const module = await WebAssembly.compile(await readFile(program));
  let instance;
  const imports = { ...wasi.getImportObject(), env: noThreads, ...more(() => instance.exports.memory) };
  instance = await WebAssembly.instantiate(module, imports);
  // Traps, such as panics, are thrown here.
  return wasi.start(instance);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = await run(process.argv.slice(2));
}
