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

declare const jschardet: { detect: typeof detect; detectAll: typeof detectAll };
export default jschardet;
