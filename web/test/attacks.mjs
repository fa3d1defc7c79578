// What somebody may do to the page who means it no good, and what somebody does who has only a keyboard:
//
//     node web/test/attacks.mjs chromium|firefox
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { encode } from "utfkit";
import { launch } from "./driver.mjs";
import { texts } from "./samples.mjs";

const which = process.argv[2];
const { browser, until, begin, drop, idle, rowsOf, downloaded } = await launch(which);
const folder = mkdtempSync(join(tmpdir(), "utfkit-"));
const axe = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");
let steps = 0;
async function step(name, work) {
  const start = Date.now();
  const { page, errors } = await begin();
  await work(page);
  // Firefox reports that a stream failed, although the page deals with it.
  assert.deepEqual(
    errors.filter((error) => !error.startsWith("Failed to read data from the ReadableStream")),
    [],
    name,
  );
  await page.close();
  steps++;
  console.log(`${which}: ${name}: ${((Date.now() - start) / 1000).toFixed(1)} s`);
}

const click = (page, selector) => page.evaluate((selector) => document.querySelector(selector).click(), selector);
async function choose(page, path) {
  if (which === "chromium") await page.setInputFiles("#files", path);
  else await (await page.$("#files")).uploadFile(path);
}
/** Waits until the page says what became of a download. */
const said = (page, pattern) =>
  until(page, (source) => new RegExp(source).test(document.getElementById("status").textContent), pattern.source, 120_000);
/** Stands in for the dialog in which a place is chosen: `write` is what the disk does. */
const withDisk = (page, write) =>
  page.evaluate((write) => {
    globalThis.disk = { written: 0, isClosed: false, isAborted: false };
    const file = {
      write: async (chunk) => {
        if (write === "full") throw new Error("the disk is full");
        if (write === "slow") await new Promise((resolve) => setTimeout(resolve, 50));
        globalThis.disk.written += chunk.length;
      },
      close: async () => (globalThis.disk.isClosed = true),
      abort: async () => (globalThis.disk.isAborted = true),
    };
    window.showSaveFilePicker = async () => ({ createWritable: async () => file });
  }, write);
/** A file of so many MiB of text in windows-1251, made in the page. */
async function large(page, mebibytes) {
  const text = texts.Russian.repeat(Math.ceil((1 << 20) / texts.Russian.length));
  await drop(page, [{ name: "large.txt", bytes: encode(text, "windows-1251"), repeat: mebibytes }]);
}

try {
  await step("a file that changes after it was read is not converted as what it was", async (page) => {
    for (const [name, change] of [
      ["grows.txt", (path) => appendFileSync(path, encode(texts.Russian, "utf-8"))],
      ["shrinks.txt", (path) => truncateSync(path, 40)],
      ["goes.txt", (path) => rmSync(path)],
      // As long as before: bytes that are no characters where there were none.
      ["japanese.txt", (path, bytes) => writeFileSync(path, Buffer.alloc(bytes.length, "\x80\xff", "latin1"))],
    ]) {
      const path = join(folder, name);
      const bytes = name === "japanese.txt" ? encode(texts.Japanese.repeat(9), "shift_jis") : encode(texts.Russian.repeat(9), "koi8-r");
      writeFileSync(path, bytes);
      await choose(page, path);
      await idle(page);
      change(path, bytes);
      const at = (await rowsOf(page)).length;
      await click(page, `#rows tr:nth-child(${at}) td:last-child button`);
      await said(page, /^This did not work: ./);
      assert.equal(await page.evaluate(() => globalThis.made.length), 0, name);
      // The dialog says what was found, and that the text cannot be read.
      await click(page, `#rows tr:nth-child(${at}) button.name`);
      await until(page, () => document.getElementById("view").open);
      await page.keyboard.press("Escape");
    }
    await click(page, "#zip");
    await said(page, /^This did not work: (?:grows|shrinks|goes|japanese)\.txt: ./);
  });

  await step("a disk that is full, and a download that is stopped", async (page) => {
    await large(page, 80);
    const save = "#rows td:last-child button";
    await withDisk(page, "full");
    await click(page, save);
    await said(page, /^This did not work: the disk is full$/);
    assert.deepEqual(await page.evaluate(() => globalThis.disk), { written: 0, isClosed: false, isAborted: true });
    await withDisk(page, "slow");
    await click(page, save);
    await until(page, () => globalThis.disk.written > 0);
    await click(page, "#stop");
    await said(page, /^Stopped: nothing was saved\.$/);
    assert.ok(await page.evaluate(() => globalThis.disk.isAborted && !globalThis.disk.isClosed));
    // The next one is whole.
    await drop(page, [{ name: "small.txt", bytes: encode(texts.Russian, "windows-1251") }]);
    assert.equal((await downloaded(page, "#rows tr:nth-child(2) td:last-child button")).bytes.toString(), texts.Russian);
  });

  await step("a zip bomb is a file that is no text", async (page) => {
    // 64 MiB of zeros: what is in an archive is not unpacked.
    const bomb = deflateRawSync(Buffer.alloc(64 << 20), { level: 9 });
    const header = Buffer.alloc(30);
    header.write("PK\x03\x04", "latin1");
    header.writeUInt16LE(20, 4);
    header.writeUInt16LE(8, 8);
    header.writeUInt32LE(bomb.length, 18);
    header.writeUInt32LE(64 << 20, 22);
    await drop(page, [{ name: "bomb.zip", bytes: Buffer.concat([header, bomb]) }]);
    const [row] = await rowsOf(page);
    assert.match(row[1], /^no text/);
    assert.equal(await page.evaluate(() => document.querySelector("#rows td:last-child button")), null);
  });

  await step("names that are one on some system, and paths out of the archive", async (page) => {
    const names = ["a.txt", "A.TXT", "a.txt", "é.txt", "e\u0301.txt", "..\\..\\evil.txt", "CON\u{e0041}\u00ad.txt", "x".repeat(255)];
    await drop(page, names.map((name, at) => ({ name, bytes: Buffer.from(`${at}\n`) })));
    const shown = await page.evaluate(() => document.getElementById("rows").textContent);
    assert.ok(!/[\u{e0000}-\u{e007f}\u00ad]/u.test(shown) && shown.includes("\\u{E0041}"));
    const { bytes } = await downloaded(page, "#zip");
    const path = join(folder, "names.zip");
    writeFileSync(path, bytes);
    const list = "import json, sys, zipfile\narchive = zipfile.ZipFile(sys.argv[1])\nprint(json.dumps([[one.filename, archive.read(one).decode()] for one in archive.infolist()]))";
    const entries = JSON.parse(execFileSync("python3", ["-c", list, path], { encoding: "utf8" }));
    assert.deepEqual(entries.map(([, text]) => text), names.map((_, at) => `${at}\n`));
    const folded = entries.map(([name]) => name.normalize("NFC").toLowerCase());
    assert.equal(new Set(folded).size, names.length);
    assert.ok(folded.every((name) => !name.includes("\\") && !name.split("/").includes("..")), folded.join());
  });

  await step("three hundred files, and the list cleared in the middle", async (page) => {
    const many = (count) =>
      page.evaluate((count) => {
        const transfer = new DataTransfer();
        for (let at = 0; at < count; at++) transfer.items.add(new File([`${at} é`], `${at}.txt`));
        document
          .getElementById("drop")
          .dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
      }, count);
    await many(300);
    await said(page, /^300 files: 0 not in UTF-8/);
    assert.equal(await page.evaluate(() => document.querySelectorAll("#rows tr").length), 300);
    await many(300);
    await until(page, () => document.getElementById("status").textContent.startsWith("Reading"));
    await click(page, "#clear");
    assert.equal(await page.evaluate(() => document.querySelectorAll("#rows tr").length), 0);
    await drop(page, [{ name: "after.txt", bytes: encode(texts.Russian, "koi8-r") }]);
    await until(page, () => /KOI8-R/.test(document.getElementById("rows").textContent));
  });

  await step("the keyboard alone", async (page) => {
    const press = async (...keys) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const focused = () =>
      page.evaluate(() => {
        const { activeElement: element } = document;
        return `${element.id || element.value || element.textContent}`.trim();
      });
    /** Goes on to an element, as a reader of the page does. */
    const tabTo = async (pattern) => {
      const seen = [];
      for (let count = 0; count < 40; count++) {
        await press("Tab");
        seen.push(await focused());
        if (pattern.test(seen.at(-1))) return;
      }
      assert.fail(`${pattern} is not reached by Tab: ${seen.join(" | ")}`);
    };
    await tabTo(/^choose-files$/);
    await tabTo(/^choose-folder$/);
    await tabTo(/^Paste text or bytes$/);
    await press("Enter");
    await tabTo(/^pasted$/);
    await page.keyboard.type("d7 d3 c5 20 d3 de c1 d3 d4 cc c9 d7 d9 c5 20 d3 c5 cd d8 c9 20 d0 cf c8 cf d6 c9 0a");
    await tabTo(/^text$/);
    await press("ArrowDown");
    await tabTo(/^Look at it$/);
    await press("Enter");
    await idle(page);
    await tabTo(/^zip$/);
    await tabTo(/^bytes\.txt$/);
    await press("Enter");
    await until(page, () => document.getElementById("preview")?.textContent.startsWith("все счастливые"));
    // What opens has the focus, and keeps it.
    const inside = () => page.evaluate(() => document.getElementById("view").contains(document.activeElement));
    assert.ok(await inside());
    await tabTo(/^KOI8-R$/);
    await tabTo(/^encoding$/);
    await tabTo(/^preview$/);
    assert.ok(await inside());
    await press("Escape");
    await until(page, () => document.activeElement.classList.contains("name"), undefined, 5000);
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    assert.deepEqual(violations.map(({ id }) => id), []);
    await tabTo(/^Download$/);
    await press("Enter");
    await until(page, () => globalThis.made.length > 0);
    assert.equal(await page.evaluate(() => globalThis.made[0].text()), "все счастливые семьи похожи\n");
  });
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
console.log(`${which}: ${steps} attacks withstood`);
