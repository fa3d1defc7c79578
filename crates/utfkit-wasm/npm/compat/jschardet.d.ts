import type { Bytes } from "../index.js";

export interface Options {
  minimumThreshold?: number;
  detectEncodings?: string[];
  excludeEncodings?: string[];
}
export interface Result {
  encoding: string | null;
  confidence: number;
  language: string | null;
  mimeType: string | null;
}

export function detect(source: Bytes | string, options?: Options): Result;
export function detectAll(source: Bytes | string, options?: Options): Result[];

/** Detects the encoding of chunks; the result is there when `close` was called. */
declare class UniversalDetector {
  constructor(options?: { includeEncodings?: string[]; excludeEncodings?: string[] });
  feed(source: Bytes): void;
  readonly done: boolean;
  readonly result: Result;
  close(): Result;
  reset(): void;
}
export declare const chardet: { UniversalDetector: typeof UniversalDetector };

declare const jschardet: { detect: typeof detect; detectAll: typeof detectAll; chardet: typeof chardet };
export default jschardet;
