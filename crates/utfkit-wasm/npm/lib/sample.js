/** Code units that are looked at. */
const SAMPLES = 32;

/** About how much of a string is beyond US-ASCII, from 0 to 1, by some of its units. */
export function partBeyondAscii(string) {
  const step = Math.max(1, Math.floor(string.length / SAMPLES));
  let [seen, beyond] = [0, 0];
  for (let at = 0; at < string.length; at += step) {
    seen++;
    if (string.charCodeAt(at) >= 0x80) beyond++;
  }
  return seen && beyond / seen;
}
