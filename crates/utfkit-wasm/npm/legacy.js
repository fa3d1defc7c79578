// As `utfkit`, where `load` loads the older encodings, too.
export * from "./index.js";
import { ready } from "./lib/engine.js";

export async function load(tier = "legacy") {
  await ready(tier);
}
