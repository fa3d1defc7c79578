import { ready } from "./engine.js";

export { hasSimd } from "./engine.js";

/** Loads a module, where functions that do not wait need it. */
export async function load(tier = "convert") {
  await ready(tier);
}
