import type { Bytes, Source } from "./index.js";
export * from "./index.js";

/** How surely a detection is right. */
export type Certainty = "certain" | "nearly certain" | "likely" | "a guess";

export interface DetectOptions {
  /** The encoding is one of these. */
  only?: string | string[];
  /** The encoding is none of these. */
  not?: string | string[];
  /** The text is probably in one of these languages: codes such as `fr` or `zh-Hans`. */
  language?: string | string[];
  /** The most candidates. */
  candidates?: number;
}

/** A part of a text that is joined of texts in several encodings. */
export interface Piece {
  offset: number;
  length: number;
  firstLine: number;
  lastLine: number;
  encoding: string | null;
  certainty: Certainty;
  isCut: boolean;
}

export interface Candidate {
  encoding: string;
  /** Encodings in which the bytes are the same text. */
  alike: string[];
  /** From 0 to 1. */
  probability: number;
  language: string | null;
}

export interface Detection {
  /** `null` if it is none that is known, or no text. */
  readonly encoding: string | null;
  readonly certainty: Certainty;
  /** True if the certainty is `certain` or `nearly certain`. */
  readonly isCertain: boolean;
  readonly reason: string;
  readonly bom: string | null;
  /** The encoding that the text says it is in. */
  readonly declared: string | null;
  readonly declaredBy: "xml" | "html" | "css" | "cookie" | "modeline" | "line" | null;
  /** True if the text is not in the encoding that it declares. */
  readonly isContradicted: boolean;
  readonly isBinary: boolean;
  readonly isMixed: boolean;
  readonly bytes: number;
  /** The number of well-formed sequences of several bytes, in UTF-8. */
  readonly sequences: number;
  /** The number of ill-formed sequences, if it is UTF-8. */
  readonly illFormed: number | null;
  readonly nulls: number;
  /** The text would be well-formed UTF-8 by chance once in 2 to this power. */
  readonly bits: number;
  /** Another encoding in which the bytes are the same text. */
  readonly equivalent: string | null;
  /** The encoding of ill-formed bytes in UTF-8, and how surely it is that. */
  readonly foreign: string | null;
  readonly foreignCertainty: Certainty | null;
  readonly pieces: Piece[];
  readonly morePieces: number;
  /** The probability that this is right, from 0 to 1. Found when it is asked for. */
  readonly confidence: number;
  /** The code of the language. Found when it is asked for. */
  readonly language: string | null;
  /** The likeliest first. Found when they are asked for. */
  readonly candidates: Candidate[];
  toJSON(): object;
}

/** The encoding of bytes. Module: `detect`. */
export function detect(source: Bytes, options?: DetectOptions): Detection;
/** The encoding of a source that is read chunk by chunk. Loads the module. */
export function detectFrom(source: Source, options?: DetectOptions): Promise<Detection>;

/** Bytes in an encoding that is detected in their first `window` bytes, to strings. Loads the module. */
export class DetectingDecoderStream implements ReadableWritablePair<string, Bytes> {
  constructor(options?: DetectOptions & { window?: number });
  /** The encoding, as soon as it is known, and the number of errors so far. */
  readonly report: { encoding: string | null; bom: string | null; certainty: Certainty | null; errors: number } | null;
  readonly readable: ReadableStream<string>;
  readonly writable: WritableStream<Bytes>;
}

export interface RepairOptions {
  /** Ill-formed bytes are read in this encoding. */
  fallback?: string;
  /** Well-formed sequences beside ill-formed bytes are, too, where that makes the likelier text. */
  byLine?: boolean;
  /** What replaces ill-formed bytes: U+FFFD unless stated. */
  replacement?: string;
  /** Overlong forms and surrogate pairs become their characters. */
  reinterpret?: boolean;
  /** Characters that a line break parts are joined. */
  rejoin?: boolean;
  /** Text that was encoded twice, or read in another encoding, is restored. */
  undouble?: boolean;
  /** The most changes that are returned. */
  limit?: number;
}

export interface Change {
  offset: number;
  kind: "replaced" | "fallback" | "reinterpreted" | "undoubled" | "rejoined";
  /** In hexadecimal. */
  before: string;
  after: string;
  count: number;
  encoding: string | null;
  written: string | null;
  layers: number;
}

/** UTF-8 as a well-formed string, and what was changed. Module: `detect`. */
export function repair(
  source: Bytes | string,
  options?: RepairOptions,
): { text: string; changes: Change[]; count: number };
/** A string with mojibake undone. Module: `detect`. */
export function fixText(string: string): string;
/** One text in UTF-8 of bytes that are joined of texts in several encodings; a RangeError for others. Module: `detect`. */
export function unite(
  source: Bytes,
  options?: { limit?: number },
): { bytes: Uint8Array; count: number; changes: Change[] };
