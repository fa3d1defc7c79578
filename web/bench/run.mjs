// Measures in Node and in the browsers that are installed, and prints a table as CSV:
//
//     node web/bench/run.mjs [MILLISECONDS PER FIGURE] >web/bench/results.csv
//
// After `bash web/test.sh` and, in web/bench, `npm ci`.
import { createServer } from "node:http";
import { isUtf8 } from "node:buffer";
import { existsSync } from "node:fs";
import { build } from "esbuild";
import chardet from "chardet";
import japanese from "encoding-japanese";
import iconv from "iconv-lite";
import isutf8 from "isutf8";
import jschardet from "jschardet";
import textEncoding from "text-encoding";
import * as utfkit from "utfkit/detect";
import { measure } from "./speed.mjs";

const budget = Number(process.argv[2] ?? 100);
const lengths = [64, 1024, 65536];
/** How often everything is measured: the best figures count, because other programs run, too. */
const ROUNDS = 3;
const results = [];

/** The best figures of several runs of `measure`. */
async function best(run) {
  const rows = await run();
  for (let round = 1; round < ROUNDS; round++) {
    for (const [at, { figures }] of (await run()).entries()) {
      for (const [name, figure] of Object.entries(figures)) {
        rows[at].figures[name] = Math.max(figure, rows[at].figures[name] ?? 0);
      }
    }
  }
  return rows;
}

const libraries = { utfkit, iconv, jschardet, chardet, isutf8, japanese, textEncoding, isUtf8 };
results.push(["Node", await best(() => measure(libraries, { budget, lengths }))]);

// iconv-lite, chardet and text-encoding need a Buffer, or Node's modules, in a browser.
const { outputFiles } = await build({
  stdin: {
    contents: `
      import * as utfkit from "utfkit/inline/detect";
      import japanese from "encoding-japanese";
      import isutf8 from "isutf8";
      import jschardet from "jschardet";
      import { measure } from "./speed.mjs";
      globalThis.run = (options) => measure({ utfkit, japanese, isutf8, jschardet, isBrowser: true }, options);`,
    resolveDir: import.meta.dirname,
  },
  bundle: true,
  write: false,
  format: "iife",
  mainFields: ["module", "browser", "main"],
  conditions: ["browser"],
  logLevel: "error",
});
const server = createServer((request, response) => {
  if (request.url === "/bench.js") response.setHeader("content-type", "text/javascript").end(outputFiles[0].text);
  else
    response
      .setHeader("content-type", "text/html")
      .end('<!doctype html><meta charset=utf-8><script src="/bench.js"></script>');
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${server.address().port}/`;
for (const name of ["chromium", "firefox"]) {
  const executablePath = name === "chromium" ? "/usr/bin/chromium" : "/usr/bin/firefox-esr";
  if (!existsSync(executablePath)) continue;
  const browser =
    name === "chromium"
      ? await (await import("playwright-core")).chromium.launch({ executablePath, args: ["--no-sandbox"] })
      : await (
          await import("puppeteer-core")
        ).launch({ browser: "firefox", executablePath, headless: true, protocolTimeout: 3_600_000 });
  const page = await browser.newPage();
  await page.goto(address);
  const run = () => page.evaluate((options) => globalThis.run(options), { budget, lengths });
  results.push([name === "chromium" ? "Chromium" : "Firefox", await best(run)]);
  await browser.close();
}
server.close();

console.log("engine,operation,language,bytes,program,MB/s,utfkit is so many times as fast");
for (const [engine, rows] of results) {
  for (const { operation, language, bytes, figures } of rows) {
    for (const [program, figure] of Object.entries(figures)) {
      console.log(
        [
          engine,
          operation,
          language,
          bytes,
          `"${program}"`,
          figure.toFixed(figure < 10 ? 2 : 0),
          (figures.utfkit / figure).toFixed(2),
        ].join(","),
      );
    }
  }
}
