// The modules by their addresses, for browsers. Bundlers find a file by an address that is
// written in full.
const addresses = {
  validate: () => new URL("../wasm/validate.wasm", import.meta.url),
  check: () => new URL("../wasm/check.wasm", import.meta.url),
  convert: () => new URL("../wasm/convert.wasm", import.meta.url),
  legacy: () => new URL("../wasm/legacy.wasm", import.meta.url),
  detect: () => new URL("../wasm/detect.wasm", import.meta.url),
  "validate.scalar": () => new URL("../wasm/validate.scalar.wasm", import.meta.url),
  "check.scalar": () => new URL("../wasm/check.scalar.wasm", import.meta.url),
  "convert.scalar": () => new URL("../wasm/convert.scalar.wasm", import.meta.url),
  "legacy.scalar": () => new URL("../wasm/legacy.scalar.wasm", import.meta.url),
  "detect.scalar": () => new URL("../wasm/detect.scalar.wasm", import.meta.url),
};

export const readSync = undefined;
export async function read(name) {
  const address = addresses[name]();
  const response = await fetch(address);
  if (!response.ok) throw new Error(`utfkit: ${address}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
