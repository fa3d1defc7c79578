// The memory of the page while it reads and converts a large file:
//
//     node web/test/memory.mjs chromium|firefox [MiB [ENCODING]]
//
// Without a number the file has 256 MiB. The page must not need more than LIMIT for any of the files,
// which are larger than that.
import assert from "node:assert/strict";
import { closeSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encode } from "utfkit";
import { launch } from "./driver.mjs";
import { texts } from "./samples.mjs";

const [which, mebibytes = 256, only] = process.argv.slice(2);
/** In MB, beyond the memory of the page before it reads. */
const LIMIT = 200;
const PART = 1 << 20;

/** The files: text of a language in an encoding. In UTF-8 a byte of each MiB is ill-formed. */
const FILES = [
  ["Russian", "windows-1251"],
  ["French", "windows-1252"],
  ["Japanese", "Shift_JIS"],
  ["Russian", "UTF-8"],
];

/** Writes text over and over, about a MiB at once. Returns the number of bytes. */
function write(path, text, label, length) {
  const part = encode(text.repeat(Math.ceil(PART / encode(text, label).length)), label);
  if (label === "UTF-8") part[part.indexOf(0x20, PART / 2)] = 0xff;
  const file = openSync(path, "w");
  let count = 0;
  for (; count * part.length < length; count++) writeSync(file, part);
  closeSync(file);
  return count * part.length;
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
        return [{ pid: Number(pid), parent: number("PPid"), kilobytes: number("RssAnon"), shared: number("RssShmem"), words }];
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
  const sums = { page: 0, rest: 0, shared: 0 };
  for (const { pid, kilobytes, shared, words } of processes) {
    if (!own.has(pid)) continue;
    const isPage = which === "chromium" ? / --type=renderer /.test(words) : /-contentproc .*\btab\b/.test(words);
    sums[isPage ? "page" : "rest"] += kilobytes / 1024;
    sums.shared = Math.max(sums.shared, shared / 1024);
  }
  return sums;
}

/** Runs `work`; returns the largest values meanwhile, and the seconds. */
async function watched(work) {
  const most = { page: 0, rest: 0, shared: 0 };
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
    const length = write(path, texts[language], label, mebibytes * (1 << 20));
    const { page } = await begin();
    const before = memory();
    const reading = await watched(async () => {
      if (which === "chromium") await page.setInputFiles("#files", path);
      else await (await page.$("#files")).uploadFile(path);
      await idle(page, 600_000);
    });
    const say = (what, { page, rest, shared, seconds }) =>
      console.log(
        `${which}: ${label}: ${what} ${(length / (1 << 20)).toFixed(0)} MiB: ${seconds.toFixed(1)} s; the page ${page.toFixed(0)} MB, ${(page - before.page).toFixed(0)} more than before; the rest of the browser ${(rest - before.rest).toFixed(0)} more; shared ${shared.toFixed(0)}`,
      );
    say("read", reading);
    const [row] = await rowsOf(page);
    assert.ok(row[1].startsWith(label), row.join("; "));
    const save = () => page.evaluate(() => document.querySelector("#rows td:last-child button").click());
    const converting = [];
    for (const picker of [true, false]) {
      const made = await watched(async () => {
        await page.evaluate((picker) => {
          globalThis.made.length = 0;
          globalThis.saved = 0;
          globalThis.isClosed = false;
          // Stands in for the dialog, and for the disk.
          window.showSaveFilePicker = picker && (async () => ({
            createWritable: async () => ({
              write: async (chunk) => (globalThis.saved += chunk.length),
              close: async () => (globalThis.isClosed = true),
              abort: async () => {},
            }),
          }));
        }, picker);
        await save();
        if (picker) await until(page, () => globalThis.isClosed, undefined, 600_000);
        else await until(page, () => globalThis.made.length > 0, undefined, 600_000);
      });
      say(picker ? "saved as it was made," : "made a Blob of", made);
      converting.push(made);
    }
    await page.close();
    for (const { page } of [reading, converting[0]]) assert.ok(page - before.page < LIMIT, label);
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
