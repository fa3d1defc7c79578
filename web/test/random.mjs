// The same bytes in every run.

/** Numbers from 0 to `limit - 1` (mulberry32). */
export function random(seed) {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** Bytes that are often those of characters, and often not. */
export function bytesFor(next, length) {
  const kinds = [
    () => next(256),
    () => 0x20 + next(0x5f),
    () => 0x80 + next(0x80),
    () => 0xa1 + next(0x5e),
    () => [0x1b, 0x24, 0x28, 0x42, 0x4a, 0x0e, 0x0f, 0x7e, 0x7b][next(9)],
    () => [0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80, 0xed, 0xa0, 0xc3][next(10)],
  ];
  return Uint8Array.from({ length }, () => kinds[next(kinds.length)]());
}
