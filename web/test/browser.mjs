// The package in a browser, by URL and inline: the README's example, and TextDecoder over all labels
// of the Encoding Standard beside the browser's own.
//
//     node web/test/browser.mjs chromium|firefox
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { build } from "esbuild";
import { encodings } from "utfkit/legacy";

const which = process.argv[2];
const package_ = process.env.UTFKIT_PACKAGE;
const folder = mkdtempSync(join(tmpdir(), "utfkit-"));
// Labels that anybody might try, and all of the Encoding Standard, from the table that is under test.
const table = readFileSync(new URL("../../crates/utfkit-core/src/text/label/web.rs", import.meta.url), "utf8");
const ofStandard = table
  .slice(table.indexOf("const ROWS"))
  .match(/"[^"]+"/g)
  .map((label) => label.slice(1, -1));
const labels = [...new Set([...encodings().flatMap(({ name, labels }) => [name, ...labels]), ...ofStandard])];

// The bundle that has all inside, and the package as files for a browser that resolves nothing.
await build({
  stdin: {
    contents: `import * as utfkit from "utfkit/inline/detect"; import * as decoders from "./decoders.mjs"; Object.assign(globalThis, { utfkit, decoders });`,
    resolveDir: import.meta.dirname,
  },
  bundle: true,
  format: "iife",
  outfile: join(folder, "inline.js"),
  logLevel: "error",
});
const own = { "#binary": "binary-url", "#pipe": "pipe-web", "#strings": "strings-web" };
const importMap = {
  imports: Object.fromEntries(Object.entries(own).map(([name, file]) => [name, `/utfkit/lib/${file}.js`])),
};
const pages = {
  "/": `<!doctype html><meta charset=utf-8><title>by URL</title><script type="importmap">${JSON.stringify(importMap)}</script>`,
  "/inline": `<!doctype html><meta charset=utf-8><title>inline</title><script src="/inline.js"></script>`,
};
const types = { ".js": "text/javascript", ".wasm": "application/wasm" };
const served = [];
const server = createServer((request, response) => {
  const path = normalize(new URL(request.url, "http://localhost").pathname);
  served.push(path);
  // So that there is shared memory.
  response.setHeader("cross-origin-opener-policy", "same-origin");
  response.setHeader("cross-origin-embedder-policy", "require-corp");
  try {
    if (pages[path]) return response.setHeader("content-type", "text/html").end(pages[path]);
    const file = path.startsWith("/utfkit/") ? join(package_, path.slice(8)) : join(folder, path);
    response.setHeader("content-type", types[extname(path)] ?? "text/plain").end(readFileSync(file));
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${server.address().port}`;

const browser =
  which === "chromium"
    ? await (
        await import("playwright-core")
      ).chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] })
    : await (
        await import("puppeteer-core")
      ).launch({ browser: "firefox", executablePath: "/usr/bin/firefox-esr", headless: true });
try {
  const page = await browser.newPage();
  await page.goto(`${origin}/`);
  const byUrl = await page.evaluate(async () => {
    const { decode, check, load, validate } = await import("/utfkit/legacy.js");
    let early = "";
    try {
      decode(Uint8Array.of(0xcf), "windows-1251");
    } catch (error) {
      early = error.message;
    }
    await load();
    const found = [];
    for await (const { message } of check(new Blob([Uint8Array.of(0x61, 0xc0, 0xaf)]))) found.push(message);
    return {
      early,
      text: decode(Uint8Array.of(0xcf, 0xf0), "windows-1251"),
      found,
      valid: validate(Uint8Array.of(0x61)),
    };
  });
  assert.match(byUrl.early, /await load\("convert"\)/);
  assert.deepEqual([byUrl.text, byUrl.found.length, byUrl.valid], ["Пр", 1, null]);
  // One module serves all of it.
  assert.deepEqual(
    served.filter((path) => path.endsWith(".wasm")),
    ["/utfkit/wasm/legacy.wasm"],
  );
  console.log(`${which}: by URL`);

  await page.goto(`${origin}/inline`);
  const result = await page.evaluate((labels) => {
    const { utfkit, decoders } = globalThis;
    const web = [...new Set(labels)].filter((label) => {
      try {
        return new TextDecoder(label) && true;
      } catch {
        return false;
      }
    });
    const names = [...new Set(web.map((label) => new TextDecoder(label).encoding))];
    return {
      text: utfkit.decode(Uint8Array.of(0x83, 0x65, 0x83, 0x58, 0x83, 0x67), "shift_jis"),
      // The browser's TextDecoder refuses these.
      buffers: [
        new SharedArrayBuffer(3),
        new ArrayBuffer(3, { maxByteLength: 9 }),
        new SharedArrayBuffer(3, { maxByteLength: 9 }),
      ].flatMap((buffer) => {
        new Uint8Array(buffer).set([0x61, 0xc3, 0xa9]);
        return [utfkit.decode(buffer, "utf-8"), new utfkit.TextDecoder().decode(buffer), utfkit.validate(buffer)];
      }),
      names: names.length,
      labels: web.length,
      label: decoders.labelDifferences(
        utfkit.TextDecoder,
        TextDecoder,
        labels.flatMap((label) => [label, ` ${label.toUpperCase()}\n`]),
      ),
      encoders: decoders.encoderDifferences(utfkit.TextEncoder, TextEncoder, 200),
      decoders: decoders.differences(utfkit.TextDecoder, TextDecoder, names, 60),
    };
  }, labels);
  assert.equal(result.text, "テスト");
  assert.deepEqual(result.buffers, Array(3).fill(["aé", "aé", null]).flat());
  assert.deepEqual(result.label, []);
  assert.deepEqual(result.encoders, []);
  assert.deepEqual(result.decoders.found, []);
  assert.ok(result.names >= 38 && result.labels > 220, `${result.names} encodings, ${result.labels} labels`);
  console.log(
    `${which}: inline; TextDecoder as the browser's over ${result.labels} labels, ${result.names} encodings, ${result.decoders.compared} cuts`,
  );
} finally {
  await browser.close();
  server.close();
  rmSync(folder, { recursive: true });
}
