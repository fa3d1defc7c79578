// Writes the examples of a README as programs, and what their comments say that they print:
//
//     node web/examples.mjs README FOLDER
//
// Those that await `load` are for browsers; Node runs them, too.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [readme, folder] = process.argv.slice(2);
const blocks = [...readFileSync(readme, "utf8").matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, block]) => block);
if (blocks.length < 4) throw new Error(`${readme} has ${blocks.length} examples`);

/** What `check` says in the first example, which has no comment. */
const SAID = 'two-byte form of U+002F "/", which must be 2F (RFC 3629 section 3)';
for (const [at, block] of blocks.entries()) {
  const name = block.includes("utfkit/inline") ? "inline" : String(at + 1);
  const lines = block.split("\n").flatMap((line) => {
    if (line.includes("finding.message")) return [SAID];
    const said = /console\.log\(.*\); \/\/ (.*)$/.exec(line);
    return said ? [said[1]] : [];
  });
  writeFileSync(join(folder, `example-${name}.mjs`), block);
  writeFileSync(join(folder, `example-${name}.expected`), `${lines.join("\n")}\n`);
}
