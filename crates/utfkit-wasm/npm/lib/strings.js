// Strings from code units in the memory of a module, and back.
const decoder = new TextDecoder("utf-16le", { ignoreBOM: true });

/** A string of little-endian code units. `loose` if some may be lone surrogates. */
export function stringOf(bytes, loose = false) {
  if (!loose) return decoder.decode(bytes);
  const units = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1);
  let string = "";
  for (let at = 0; at < units.length; at += 4096)
    string += String.fromCharCode.apply(null, units.subarray(at, at + 4096));
  return string;
}

/** Writes the code units of `string` from `start` to `end` to the input of a module. */
export function giveUnits(engine, string, start, end) {
  let to = engine.x.input(2 * (end - start)) >> 1;
  const { units } = engine;
  for (let from = start; from < end; from++, to++) units[to] = string.charCodeAt(from);
  return 2 * (end - start);
}
