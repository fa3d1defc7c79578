/** Bytes that are ill-formed in an encoding, or a character that an encoding lacks. */
export class EncodingError extends TypeError {
  constructor({ offset, length, kind, encoding }) {
    super(`${kind} at offset ${offset}, in ${encoding}`);
    this.name = "EncodingError";
    this.offset = offset;
    this.length = length;
    this.kind = kind;
    this.encoding = encoding;
  }
}

export const place = (engine) => ({ offset: engine.number(2), length: engine.number(3), kind: engine.note() });
