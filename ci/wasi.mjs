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

const [program, ...args] = process.argv.slice(2);
const repository = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const folders = [repository, process.env.UTFKIT_SHARED].filter(Boolean);

const wasi = new WASI({
  version: "preview1",
  args: [program, ...args],
  env: process.env,
  preopens: Object.fromEntries(folders.map((folder) => [folder, folder])),
  returnOnExit: true,
});
// There are no threads. A C library for WASI that knows threads says so itself;
// one of before has none of these functions.
const OK = 0;
const NOT_SUPPORTED = 58;
const never = () => {
  throw new Error("there is no thread to wait for");
};
const env = {
  pthread_create: () => NOT_SUPPORTED,
  pthread_attr_init: () => OK,
  pthread_attr_setstacksize: () => OK,
  pthread_attr_destroy: () => OK,
  pthread_join: never,
  pthread_detach: never,
};

const module = await WebAssembly.compile(await readFile(program));
const instance = await WebAssembly.instantiate(module, { ...wasi.getImportObject(), env });
// A trap, which is what a panic becomes, is thrown from here.
process.exitCode = wasi.start(instance);
