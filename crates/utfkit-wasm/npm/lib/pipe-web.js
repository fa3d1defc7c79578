export const asBytes = (bytes) => bytes;

/** A stream of what `write` and `end` of a codec return. */
export function transform(codec) {
  const pass = (result, controller) => {
    if (result?.length) controller.enqueue(result);
  };
  return new TransformStream({
    transform(chunk, controller) {
      pass(codec.write(chunk), controller);
    },
    flush(controller) {
      pass(codec.end(), controller);
    },
  });
}
