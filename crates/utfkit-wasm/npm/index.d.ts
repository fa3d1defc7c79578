/** Bytes: a view, or a buffer. */
export type Bytes = ArrayBufferView | ArrayBuffer | SharedArrayBuffer;
/** Bytes, or something that is read chunk by chunk. */
export type Source = Bytes | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** A module: each has what the ones before it have. */
export type Module = "validate" | "check" | "convert" | "legacy" | "detect";

/**
 * Loads a module. Needed in browsers before the first call of a function that does not return a
 * promise. In Node and Deno, and with `utfkit/inline`, modules load when they are needed.
 */
export function load(module?: Module): Promise<void>;
/** True if this machine runs the modules with vector instructions. */
export function hasSimd(): boolean;

/**
 * What becomes of ill-formed sequences and of characters that an encoding lacks:
 * - `strict`: an `EncodingError`
 * - `replace`: U+FFFD for each maximal subpart, or `?`
 * - `replace-unit`: for each code unit
 * - `replace-sequence`: for each sequence as a person would delimit it
 * - `skip`: nothing
 * - `escape`: `\xNN` and `\u{20AC}`; `escape-hex`: `\x{20AC}`
 * - `xml`: `&#x20AC;`; `html`: `&#8364;`, as browsers write it into forms
 */
export type Errors =
  "strict" | "replace" | "replace-unit" | "replace-sequence" | "skip" | "escape" | "escape-hex" | "xml" | "html";

/** What is wrong with a sequence. */
export type Kind =
  | "unexpected-continuation"
  | "missing-continuation"
  | "overlong"
  | "surrogate"
  | "too-large"
  | "invalid-byte"
  | "truncated"
  | "unpaired-surrogate"
  | "noncharacter"
  | "invalid-sequence"
  | "empty-shift"
  | "partial-unit"
  | "padding-bits"
  | "unclosed-shift"
  | "needless-shift"
  | "unrepresentable";

/** Where an ill-formed sequence is. */
export interface Place {
  /** In bytes, from the beginning. */
  offset: number;
  /** In bytes. */
  length: number;
  kind: Kind;
}

/** Bytes that are ill-formed in an encoding, or a character that an encoding lacks. */
export class EncodingError extends TypeError implements Place {
  /** In bytes; in code units where the source is a string. */
  offset: number;
  length: number;
  kind: Kind;
  /** The label of the encoding. */
  encoding: string;
}

/** The first ill-formed sequence of UTF-8, or `null`. Module: `validate`. */
export function validate(source: Bytes): Place | null;
/** True if the bytes are well-formed UTF-8. Module: `validate`. */
export function isUtf8(source: Bytes): boolean;

export interface CheckOptions {
  /** The encoding, UTF-8 unless stated. */
  encoding?: string;
  /** The definition of UTF-8: RFC 3629 unless stated. */
  standard?: "rfc3629" | "rfc2279" | "rfc2044" | "kuhn" | "no-noncharacters";
}

/** An ill-formed sequence, for people. */
export interface Finding extends Place {
  /** From 1. */
  line: number;
  /** In code points, from 1. */
  column: number;
  /** In hexadecimal. */
  bytes: string;
  /** The code point that the bits spell, as `U+002F`. */
  codePoint: string | null;
  message: string;
}

/** The counts of a text. */
export interface Totals {
  bytes: number;
  codePoints: number;
  lines: number;
  findings: number;
  kinds: Partial<Record<Kind, number>>;
}

/** The findings of a text, one after another, however long it is; at the end its totals. */
export function check(source: Source, options?: CheckOptions): AsyncGenerator<Finding, Totals, undefined>;
/** The findings of bytes, or the first `limit` of them, and the totals. Module: `check`. */
export function findings(
  source: Bytes,
  options?: CheckOptions & { limit?: number },
): { findings: Finding[]; totals: Totals };

export interface DecodeOptions {
  /** `replace` unless stated. */
  errors?: Errors;
  /** `strip` takes off the BOM of the encoding, `keep` does not. `strip` unless stated. */
  bom?: "strip" | "keep";
}
export interface EncodeOptions {
  /** `strict` unless stated. */
  errors?: Errors;
}

/** The text of bytes. Module: `convert`, or `legacy` for older encodings. */
export function decode(source: Bytes, label: string, options?: DecodeOptions): string;
/** The bytes of a text. Module: `convert`, or `legacy` for older encodings. */
export function encode(string: string, label: string, options?: EncodeOptions): Uint8Array;
/** Bytes in one encoding as bytes in another. Module: `convert`, or `legacy` for older encodings. */
export function transcode(source: Bytes, from: string, to: string, options?: EncodeOptions): Uint8Array;

/** An encoding and the names by which it is known. */
export interface Encoding {
  name: string;
  labels: string[];
  /** The bytes of a code unit. */
  unitSize: number;
  /** True if a BOM is part of it: UTF-16 and UTF-32 without a stated order. */
  hasBom: boolean;
  /** Its number on Windows. */
  codePage: number | null;
}
/** All encodings of the modules at hand. */
export function encodings(): Encoding[];
/** The name of the encoding that a label names. */
export function encodingFor(label: string): string | undefined;

/** Bytes in an encoding to strings. Loads its module. */
export class DecoderStream implements ReadableWritablePair<string, Bytes> {
  constructor(label: string, options?: DecodeOptions);
  readonly encoding: string;
  readonly readable: ReadableStream<string>;
  readonly writable: WritableStream<Bytes>;
}
/** Strings to bytes in an encoding. Loads its module. */
export class EncoderStream implements ReadableWritablePair<Uint8Array, string> {
  constructor(label: string, options?: EncodeOptions);
  readonly encoding: string;
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<string>;
}
/** Bytes in one encoding to bytes in another. Loads its module. */
export class TranscodeStream implements ReadableWritablePair<Uint8Array, Bytes> {
  constructor(from: string, to: string, options?: EncodeOptions);
  readonly encoding: string;
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Bytes>;
}

export interface TextDecoderOptions {
  fatal?: boolean;
  ignoreBOM?: boolean;
}
/** As the Encoding Standard describes it. Module: `convert`, or `legacy` for older encodings. */
export class TextDecoder {
  constructor(label?: string, options?: TextDecoderOptions);
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  decode(input?: Bytes, options?: { stream?: boolean }): string;
}
/** As the Encoding Standard describes it. Module: `convert`. */
export class TextEncoder {
  readonly encoding: "utf-8";
  encode(input?: string): Uint8Array;
  encodeInto(source: string, destination: Uint8Array): { read: number; written: number };
}
/** As the Encoding Standard describes it. Module: `convert`, or `legacy` for older encodings. */
export class TextDecoderStream implements ReadableWritablePair<string, Bytes> {
  constructor(label?: string, options?: TextDecoderOptions);
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  readonly readable: ReadableStream<string>;
  readonly writable: WritableStream<Bytes>;
}
/** As the Encoding Standard describes it. Module: `convert`. */
export class TextEncoderStream implements ReadableWritablePair<Uint8Array, string> {
  constructor();
  readonly encoding: "utf-8";
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<string>;
}
