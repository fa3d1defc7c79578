// Detection and repair, and all of `utfkit`.
export * from "./index.js";
export { detect, detectFrom, DetectingDecoderStream } from "./lib/detect.js";
export { repair, fixText, unite } from "./lib/repair.js";
import { ready } from "./lib/engine.js";

export async function load(tier = "detect") {
  await ready(tier);
}
