// Compares two TextDecoders: of the package and of the platform. Runs in Node and in browsers.
import { bytesFor, random } from "./random.mjs";

const outcome = (work) => {
  try {
    return work();
  } catch (error) {
    return `${error.name}`;
  }
};

/** The result of a text in two pieces. */
const inPieces = (Decoder, label, options, bytes, cut) =>
  outcome(() => {
    const decoder = new Decoder(label, options);
    return decoder.decode(bytes.subarray(0, cut), { stream: true }) + decoder.decode(bytes.subarray(cut));
  });

/** The differences over `rounds` texts of random bytes, at every cut, for each of the labels. */
export function differences(ours, theirs, labels, rounds) {
  const found = [];
  let compared = 0;
  for (const label of labels) {
    const next = random(label.length * 7919 + label.charCodeAt(0));
    for (let round = 0; round < rounds; round++) {
      const bytes = bytesFor(next, next(24));
      for (const options of [{}, { fatal: true }, { ignoreBOM: true }]) {
        const whole = [ours, theirs].map((Decoder) => outcome(() => new Decoder(label, options).decode(bytes)));
        if (whole[0] !== whole[1]) found.push({ label, options, bytes: [...bytes], ours: whole[0], theirs: whole[1] });
        for (let cut = 0; cut <= bytes.length; cut++) {
          compared++;
          // Cut or not, the text is the same.
          const pieces = inPieces(ours, label, options, bytes, cut);
          const expected = inPieces(theirs, label, options, bytes, cut);
          if (pieces !== expected)
            found.push({ label, options, cut, bytes: [...bytes], ours: pieces, theirs: expected });
        }
      }
      if (found.length > 20) return { found, compared };
    }
  }
  return { found, compared };
}

/** Labels that one of the two does not know, or calls by another name. */
export function labelDifferences(ours, theirs, labels) {
  const name = (Decoder, label) => outcome(() => new Decoder(label).encoding);
  return labels
    .filter((label) => name(ours, label) !== name(theirs, label))
    .map((label) => [label, name(ours, label), name(theirs, label)]);
}

/** Differences of the encoders over strings with and without surrogates. */
export function encoderDifferences(Ours, Theirs, rounds) {
  const found = [];
  const next = random(5);
  const ours = new Ours();
  const theirs = new Theirs();
  for (let round = 0; round < rounds; round++) {
    const units = Array.from(
      { length: next(12) },
      () => [next(0x80), 0x80 + next(0x780), 0x800 + next(0xd000), 0xd800 + next(0x400), 0xdc00 + next(0x400)][next(5)],
    );
    const string = String.fromCharCode(...units);
    if (`${ours.encode(string)}` !== `${theirs.encode(string)}`) found.push({ units });
    for (let space = 0; space <= 3 * units.length; space++) {
      const [a, b] = [new Uint8Array(space), new Uint8Array(space)];
      const results = [ours.encodeInto(string, a), theirs.encodeInto(string, b)].map(
        ({ read, written }) => `${read} ${written}`,
      );
      const [end] = [ours.encodeInto(string, a).written];
      if (results[0] !== results[1] || `${a.subarray(0, end)}` !== `${b.subarray(0, end)}`)
        found.push({ units, space, results });
    }
  }
  return found;
}
