// Checks, converts and decodes. `utfkit/detect` has what needs the language model.
export { load, hasSimd } from "./lib/load.js";
export { EncodingError } from "./lib/error.js";
export { encodings, encodingFor } from "./lib/labels.js";
export { validate, isUtf8 } from "./lib/validate.js";
export { check, findings } from "./lib/check.js";
export { decode, encode, transcode } from "./lib/convert.js";
export { DecoderStream, EncoderStream, TranscodeStream } from "./lib/streams.js";
export { TextDecoder, TextEncoder, TextDecoderStream, TextEncoderStream } from "./lib/web.js";
