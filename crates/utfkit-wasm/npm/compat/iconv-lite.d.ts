import type { Bytes } from "../index.js";

export interface DecodeOptions {
  stripBOM?: boolean | (() => void);
  defaultEncoding?: string;
}
export interface EncodeOptions {
  addBOM?: boolean;
  /** The order of UTF-32. */
  defaultEncoding?: string;
}

/** What decodes chunks. */
export interface Decoder {
  write(source: Bytes): string;
  end(): string | undefined;
}
/** What encodes chunks. */
export interface Encoder {
  write(string: string): Uint8Array;
  end(): Uint8Array | undefined;
}

declare global {
  namespace NodeJS {
    // Merged with that of @types/node, if it is there.
    interface ReadWriteStream {}
  }
}
/** In Node a `stream.Transform`, elsewhere a `TransformStream` without `collect`. */
export type Converter<T> = NodeJS.ReadWriteStream & {
  collect(callback: (error: Error | null, result: T) => void): Converter<T>;
};

export const defaultCharUnicode: string;
export const defaultCharSingleByte: string;
export function decode(source: Bytes | string, encoding: string, options?: DecodeOptions): string;
/** In Node the bytes are a Buffer. */
export function encode(string: string, encoding: string, options?: EncodeOptions): Uint8Array;
export function encodingExists(encoding: string): boolean;
export function getDecoder(encoding: string, options?: DecodeOptions): Decoder;
export function getEncoder(encoding: string, options?: EncodeOptions): Encoder;
export function decodeStream(encoding: string, options?: DecodeOptions): Converter<string>;
export function encodeStream(encoding: string, options?: EncodeOptions): Converter<Uint8Array>;

export { decode as fromEncoding, encode as toEncoding };
export const supportsStreams: boolean;

declare const iconv: {
  decode: typeof decode;
  encode: typeof encode;
  encodingExists: typeof encodingExists;
  getDecoder: typeof getDecoder;
  getEncoder: typeof getEncoder;
  decodeStream: typeof decodeStream;
  encodeStream: typeof encodeStream;
  fromEncoding: typeof decode;
  toEncoding: typeof encode;
  supportsStreams: boolean;
  defaultCharUnicode: string;
  defaultCharSingleByte: string;
};
export default iconv;
