// Makes the page, which is one file:
//
//     node web/page.mjs PACKAGE FOLDER
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const [root, out] = process.argv.slice(2).map((path) => resolve(path));
const page = join(import.meta.dirname, "page");
const read = (name) => readFileSync(join(page, name), "utf8");

/** One script of a file and what it imports. The worker's engine is handed to it. */
async function bundle(name) {
  const { outputFiles } = await build({
    entryPoints: [join(page, name)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    alias: { "utfkit-lib": join(root, "lib") },
    plugins: [
      {
        name: "no modules to load",
        setup(build) {
          build.onResolve({ filter: /^#binary$/ }, () => ({ path: "none", namespace: "none" }));
          build.onLoad({ filter: /.*/, namespace: "none" }, () => ({
            contents:
              'export const readSync = undefined; export const read = async () => { throw new Error("no module"); };',
          }));
        },
      },
    ],
  });
  return outputFiles[0].text;
}

const packed = (bytes) => gzipSync(bytes, { level: 9 }).toString("base64");
const digest = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const style = read("style.css");
const script = (await bundle("app.js")).replaceAll("</script", "<\\/script");
const worker = await bundle("worker.js");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
// Scripts of this page alone, the worker that it makes, and nothing from or to anywhere.
const policy = [
  "default-src 'none'",
  `script-src ${digest(script)} 'wasm-unsafe-eval'`,
  `style-src ${digest(style)}`,
  "worker-src blob:",
  "connect-src 'none'",
  "img-src 'none'",
  "form-action 'none'",
  "base-uri 'none'",
].join("; ");

const parts = {
  POLICY: policy,
  STYLE: style,
  VERSION: version,
  WORKER: packed(worker),
  ENGINE: packed(readFileSync(join(root, "wasm/detect.wasm"))),
  SCALAR: packed(readFileSync(join(root, "wasm/detect.scalar.wasm"))),
  SCRIPT: script,
};
const html = read("index.html").replace(/@([A-Z]+)@/g, (_, name) => parts[name]);
mkdirSync(out, { recursive: true });
writeFileSync(join(out, "index.html"), html);
