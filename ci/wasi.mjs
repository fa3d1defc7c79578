// Runs a program for WASI under Node, as Cargo's runner:
//
//     node --no-warnings --no-turbo-fast-api-calls ci/wasi.mjs PROGRAM.wasm ARGUMENT...
//
// It has the arguments, the environment and the standard streams of this
// process, and ends with its status. Of the file system it sees the repository
// and the folder named by UTFKIT_SHARED, both by their own names.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { WASI } from "node:wasi";

const repository = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");

// There are no threads. A C library for WASI that knows threads says so itself;
// one of before has none of these functions.
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

// Runs a program and returns its status. `more` makes of a function that returns the
// program's memory what else the program may call, module by module.
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
  // A trap, which is what a panic becomes, is thrown from here.
  return wasi.start(instance);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = await run(process.argv.slice(2));
}
