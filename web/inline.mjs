// Writes the modules as JavaScript, for programs that are one file: `utfkit/inline`.
//
//     node web/inline.mjs PACKAGE
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = process.argv[2];
const bytes = (name) => readFileSync(join(root, "wasm", `${name}.wasm`)).toString("base64");

writeFileSync(
  join(root, "inline/base64.js"),
  `/** The bytes of base64. */
export const bytesOf = (base64) => () => {
  const string = atob(base64);
  const bytes = new Uint8Array(string.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = string.charCodeAt(at);
  return bytes;
};
`,
);
for (const name of ["validate", "check", "convert", "legacy", "detect"]) {
  writeFileSync(
    join(root, `inline/${name}.js`),
    `import { bytesOf } from "./base64.js";
import { inline } from "../lib/engine.js";

inline("${name}", true, bytesOf("${bytes(name)}"));
inline("${name}", false, bytesOf("${bytes(`${name}.scalar`)}"));

export * from "../${name === "detect" ? "detect" : "index"}.js";
`,
  );
}
