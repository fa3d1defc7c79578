// The memory of the page while it reads and converts a large file:
//
//     node web/test/memory.mjs chromium|firefox [MiB [ENCODING]]
//
// The page must not need more than LIMIT. Without a size there is one file, of 160 MiB.
import assert from "node:assert/strict";
import { closeSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encode } from "utfkit";
import { launch } from "./driver.mjs";
import { texts } from "./samples.mjs";

const [which, size, only = size ? undefined : "windows-1252"] = process.argv.slice(2);
const mebibytes = Number(size ?? 160);
/** In MB, beyond the memory of the page before it reads: less than a small file has. */
const LIMIT = Math.min(200, mebibytes);
const PART = 1 << 20;

/** The files: text of a language in an encoding. In UTF-8 a byte of each MiB is ill-formed. */
const FILES = [
  ["Russian", "windows-1251"],
  ["French", "windows-1252"],
  ["Japanese", "Shift_JIS"],
  ["Russian", "UTF-8"],
];

/** Writes text over and over, about a MiB at once. Returns the number of bytes that it has in UTF-8 at last. */
function write(path, text, label, length) {
  const whole = text.repeat(Math.ceil(PART / encode(text, label).length));
  const part = encode(whole, label);
  // U+FFFD has three bytes.
  const more = label === "UTF-8" ? 2 : 0;
  if (more) part[part.indexOf(0x20, PART / 2)] = 0xff;
  const file = openSync(path, "w");
  let count = 0;
  for (; count * part.length < length; count++) writeSync(file, part);
  closeSync(file);
  return count * (encode(whole, "utf-8").length + more);
}

/** The anonymous memory of the processes that show pages, and of the rest of the browser, in MB. */
function memory() {
  const processes = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, "utf8");
        const number = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
        const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
        return [{ pid: Number(pid), parent: number("PPid"), kilobytes: number("RssAnon"), words }];
      } catch {
        // It ended meanwhile.
        return [];
      }
    });
  const own = new Set([process.pid]);
  // A parent may be listed after its child.
  for (let before = 0; before < own.size; ) {
    before = own.size;
    for (const { pid, parent } of processes) if (own.has(parent)) own.add(pid);
  }
  own.delete(process.pid);
  const sums = { page: 0, rest: 0 };
  for (const { pid, kilobytes, words } of processes) {
    if (!own.has(pid)) continue;
    const isPage = which === "chromium" ? / --type=renderer /.test(words) : /-contentproc .*\btab\b/.test(words);
    sums[isPage ? "page" : "rest"] += kilobytes / 1024;
  }
  return sums;
}

/** Runs `work`; returns the largest values meanwhile, and the seconds. */
async function watched(work) {
  const most = { page: 0, rest: 0 };
  const look = () => Object.entries(memory()).forEach(([name, value]) => (most[name] = Math.max(most[name], value)));
  const timer = setInterval(look, 50);
  const start = Date.now();
  try {
    await work();
  } finally {
    clearInterval(timer);
    look();
  }
  return { ...most, seconds: (Date.now() - start) / 1000 };
}

const { browser, until, begin, idle, rowsOf } = await launch(which);
const folder = mkdtempSync(join(tmpdir(), "utfkit-"));
try {
  for (const [language, label] of FILES.filter(([, label]) => !only || label === only)) {
    const path = join(folder, "large.txt");
    const expected = write(path, texts[language], label, mebibytes * (1 << 20));
    const { page } = await begin();
    const before = memory();
    const reading = await watched(async () => {
      if (which === "chromium") await page.setInputFiles("#files", path);
      else await (await page.$("#files")).uploadFile(path);
      await idle(page, 600_000);
    });
    const say = (what, { page, rest, seconds }) => {
      const [more, elsewhere] = [page - before.page, rest - before.rest].map(Math.round);
      const speed = `${what} ${mebibytes} MiB in ${seconds.toFixed(1)} s`;
      console.log(`${which}: ${label}: ${speed}; ${more} MB more in the page, ${elsewhere} in the rest of the browser`);
    };
    say("read", reading);
    assert.ok(reading.page - before.page < LIMIT, `${label}: read`);
    const [row] = await rowsOf(page);
    assert.ok(row[1].startsWith(label), row.join("; "));
    // Saved as it is made, by a dialog and a disk that the test stands in for; as a Blob, which browsers
    // without that dialog save; and in an archive.
    for (const [what, button, hasDialog] of [
      ["saved", "#rows td:last-child button", true],
      ["made a Blob of", "#rows td:last-child button", false],
      ["zipped", "#zip", true],
    ]) {
      const made = await watched(async () => {
        await page.evaluate(
          ([button, hasDialog]) => {
            globalThis.made.length = 0;
            globalThis.isClosed = false;
            globalThis.saved = 0;
            const write = async (chunk) => (globalThis.saved += chunk.length);
            const file = { write, close: async () => (globalThis.isClosed = true), abort: async () => {} };
            window.showSaveFilePicker = hasDialog && (async () => ({ createWritable: async () => file }));
            document.querySelector(button).click();
          },
          [button, hasDialog],
        );
        await until(page, () => globalThis.isClosed || globalThis.made.length > 0, undefined, 600_000);
        await until(page, () => !document.getElementById("zip").disabled);
      });
      say(what, made);
      const length = await page.evaluate(() => globalThis.made[0]?.size ?? globalThis.saved);
      const most = button === "#zip" ? 1000 : 0;
      assert.ok(length >= expected && length <= expected + most, `${label}: ${what}: ${length}, not ${expected}`);
      assert.ok(made.page - before.page < LIMIT, `${label}: ${what}`);
    }
    await page.close();
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
