// Compiled, not run: each function with the types that it promises.
import * as utfkit from "utfkit";
import * as legacy from "utfkit/legacy";
import { DetectingDecoderStream, detect, detectFrom, fixText, repair, unite, type Detection } from "utfkit/detect";
import { decode as inlined } from "utfkit/inline";
import { decode as inlinedLegacy } from "utfkit/inline/legacy";
import { detect as inlinedDetect } from "utfkit/inline/detect";
import iconv, { encodingExists } from "utfkit/compat/iconv-lite";
import jschardet from "utfkit/compat/jschardet";

import { Readable, Writable } from "node:stream";

const bytes = new Uint8Array(4);
const place: utfkit.Place | null = utfkit.validate(bytes.buffer);
const isValid: boolean = utfkit.isUtf8(new DataView(bytes.buffer));
const text: string = utfkit.decode(bytes, "gbk", { errors: "strict", bom: "keep" });
const encoded: Uint8Array = utfkit.encode(text, "gbk", { errors: "html" });
const converted: Uint8Array = utfkit.transcode(bytes, "gbk", "utf-8");
const stream: ReadableStream<string> = new Blob([]).stream().pipeThrough(new utfkit.DecoderStream("gbk"));
const back: ReadableStream<Uint8Array> = stream.pipeThrough(new utfkit.EncoderStream("big5"));
const both: ReadableStream<Uint8Array> = back.pipeThrough(new utfkit.TranscodeStream("big5", "utf-8"));
const decoder: string = new utfkit.TextDecoder("sjis", { fatal: true }).decode(bytes, { stream: true });
const into: { read: number; written: number } = new utfkit.TextEncoder().encodeInto(text, bytes);
const labels: string[] = utfkit.encodings().flatMap(({ labels }) => labels);
const name: string | undefined = legacy.encodingFor("latin1");
const found: Detection = detect(bytes, { only: ["utf-8"], language: "fr", candidates: 3 });
const probability: number | undefined = found.candidates[0]?.probability;
const later: Promise<Detection> = detectFrom(both);
const detecting = new Blob([]).stream().pipeThrough(new DetectingDecoderStream({ not: "utf-7" }));
const repaired: string = repair(bytes, { fallback: "windows-1252", undouble: true }).text + fixText(text);
const united: Uint8Array = unite(bytes).bytes;
const same: string = iconv.decode(bytes, "win1251") + inlined(bytes, "utf-8") + inlinedLegacy(bytes, "gbk");
const guess: string | null = jschardet.detect(bytes).encoding ?? inlinedDetect(bytes).encoding;
const guesses: (string | null)[] = jschardet.detectAll(bytes, { minimumThreshold: 0 }).map(({ language }) => language);
const universal = new jschardet.chardet.UniversalDetector({ includeEncodings: ["utf-8"] });
universal.feed(bytes);
const closed: number = universal.close().confidence;
const written: string | undefined = iconv.getDecoder("gbk", { stripBOM: () => {} }).end();
const chunk: Uint8Array = iconv.getEncoder("utf-32", { addBOM: true, defaultEncoding: "utf-32be" }).write(text);
// As with iconv-lite.
const piped: Writable = Readable.from([bytes])
  .pipe(iconv.decodeStream("win1251"))
  .pipe(iconv.encodeStream("utf8", { addBOM: true }))
  .pipe(new Writable());
iconv.decodeStream("gbk").collect((error, all) => console.log(error?.message ?? all.length));
async function each(): Promise<utfkit.Totals> {
  await legacy.load();
  const all = utfkit.check(new Blob([bytes]), { standard: "rfc2279" });
  for (;;) {
    const { done, value } = await all.next();
    if (done) return value;
    const kind: utfkit.Kind = value.kind;
    if (kind === "overlong") console.log(value.codePoint);
  }
}
try {
  utfkit.encode("€", "latin1");
} catch (error) {
  if (error instanceof utfkit.EncodingError) console.log(error.offset + error.length);
}
// @ts-expect-error: there is no such policy.
utfkit.decode(bytes, "gbk", { errors: "ignore" });
// @ts-expect-error: bytes are no string.
utfkit.decode("text", "gbk");
console.log(
  place,
  isValid,
  encoded,
  converted,
  decoder,
  into,
  labels,
  name,
  probability,
  later,
  detecting,
  repaired,
  united,
  same,
  guess,
  guesses,
  closed,
  written,
  chunk,
  piped,
  each,
  encodingExists("gbk"),
);
