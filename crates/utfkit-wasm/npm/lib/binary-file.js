// The modules as files, for Node and its like: they are read when they are needed.
import { readFileSync } from "node:fs";

export const readSync = (name) => readFileSync(new URL(`../wasm/${name}.wasm`, import.meta.url));
export const read = async (name) => readSync(name);
