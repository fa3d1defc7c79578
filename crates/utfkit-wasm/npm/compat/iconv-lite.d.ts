import type { Bytes } from "../index.js";

export interface DecodeOptions {
  stripBOM?: boolean | (() => void);
  defaultEncoding?: string;
}
export interface EncodeOptions {
  addBOM?: boolean;
}

/** In Node a `stream.Duplex`, elsewhere a pair of streams of the web. */
export interface Converter {
  pipe<T>(destination: T, options?: { end?: boolean }): T;
  on(event: string, listener: (...values: any[]) => void): this;
  write(chunk: any): boolean;
  end(chunk?: any): this;
  collect(callback: (error: Error | null, result: any) => void): this;
}

export const defaultCharUnicode: string;
export const defaultCharSingleByte: string;
export function decode(source: Bytes | string, encoding: string, options?: DecodeOptions): string;
export function encode(string: string, encoding: string, options?: EncodeOptions): Uint8Array;
export function encodingExists(encoding: string): boolean;
export function decodeStream(encoding: string, options?: DecodeOptions): Converter;
export function encodeStream(encoding: string, options?: EncodeOptions): Converter;

declare const iconv: {
  decode: typeof decode;
  encode: typeof encode;
  encodingExists: typeof encodingExists;
  decodeStream: typeof decodeStream;
  encodeStream: typeof encodeStream;
  defaultCharUnicode: string;
  defaultCharSingleByte: string;
};
export default iconv;
