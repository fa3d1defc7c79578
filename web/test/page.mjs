// Tries the page in a browser:
//
//     node web/test/page.mjs chromium|firefox [--pictures FOLDER]
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encode } from "utfkit";
import { launch } from "./driver.mjs";
import { samples, texts } from "./samples.mjs";

const which = process.argv[2];
const pictures = process.argv.includes("--pictures") ? process.argv[process.argv.indexOf("--pictures") + 1] : undefined;
const base64 = (bytes) => Buffer.from(bytes).toString("base64");
const axe = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

const { browser, until, begin, drop, idle, rowsOf, downloaded } = await launch(which);
const steps = [];
const step = async (name, work) => {
  const start = Date.now();
  await work();
  steps.push(name);
  console.log(`${which}: ${name}: ${((Date.now() - start) / 1000).toFixed(1)} s`);
};
const picture = async (page, name, fullPage = false) => {
  if (!pictures) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${which}-${name}.png`), fullPage });
};
const accessible = async ({ page }, what) => {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  assert.deepEqual(
    violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
    [],
    what,
  );
};

try {
  await step("files of many encodings", async () => {
    const opened = await begin();
    const { page, requests, errors } = opened;
    const files = samples();
    await drop(page, files);
    const rows = await rowsOf(page);
    assert.equal(rows.length, files.length);
    for (const [at, { label, text, name }] of files.entries()) {
      const selector = `#rows tr:nth-child(${at + 1}) td:last-child button`;
      const isUtf8 = label === "UTF-8";
      assert.equal(
        await page.evaluate((selector) => Boolean(document.querySelector(selector)), selector),
        !isUtf8,
        `${name}: ${rows[at]}`,
      );
      if (isUtf8) continue;
      const made = await downloaded(page, selector);
      assert.equal(made.bytes.toString(), text, `${name}: ${rows[at]}`);
      assert.equal(made.name, name);
    }
    await accessible(opened, "the list");
    await picture(page, "list", true);
    // All of them, in an archive that another program reads.
    const { bytes, name } = await downloaded(page, "#zip");
    assert.equal(name, "utf-8.zip");
    const folder = mkdtempSync(join(tmpdir(), "utfkit-"));
    writeFileSync(join(folder, name), bytes);
    execFileSync("python3", ["-m", "zipfile", "-e", join(folder, name), folder]);
    for (const { name, text } of files) assert.equal(readFileSync(join(folder, name), "utf8"), text, name);
    rmSync(folder, { recursive: true });
    assert.deepEqual(errors, []);
    assert.deepEqual(
      requests.filter((url) => !/^(?:file|blob|data):/.test(url)),
      [],
    );
    await page.close();
  });

  await step("a file, opened", async () => {
    const opened = await begin();
    const { page, errors } = opened;
    await drop(page, [{ name: "arabic.txt", bytes: encode(texts.Arabic.repeat(3), "windows-1256") }]);
    // By the keyboard alone.
    await page.evaluate(() => document.querySelector("#rows button.name").focus());
    await page.keyboard.press("Enter");
    await until(page, () => document.getElementById("preview")?.textContent.startsWith("يولد"));
    assert.ok(await page.evaluate(() => document.getElementById("view").contains(document.activeElement)));
    await accessible(opened, "a file");
    await picture(page, "arabic");
    // Another encoding, chosen from all.
    await page.evaluate(() => {
      const select = document.getElementById("encoding");
      select.value = "KOI8-R";
      select.dispatchEvent(new Event("change", { bubbles: true }));
    });
    await until(page, () => /[а-я]{3}/i.test(document.getElementById("preview").textContent));
    const { bytes } = await downloaded(page, "#view button.first");
    assert.match(bytes.toString(), /[а-я]{3}/i);
    await page.keyboard.press("Escape");
    await until(
      page,
      () => !document.getElementById("view").open && document.activeElement.classList.contains("name"),
      undefined,
      5000,
    );
    assert.deepEqual(errors, []);
    await page.close();
  });

  await step("mojibake, damaged and joined text", async () => {
    const opened = await begin();
    const { page, errors } = opened;
    const original = "Das Café „Zur Post“ hat wieder geöffnet; schöne Grüße aus Köln!\n";
    const doubled = new TextEncoder().encode(
      new TextDecoder("windows-1252").decode(new TextEncoder().encode(original)),
    );
    const damaged = new TextEncoder().encode(original.repeat(4));
    damaged[9] = 0xff;
    const joined = Buffer.concat([Buffer.from("*.log\nbuild/\n"), Buffer.from("\ufeffdist/\r\n", "utf16le")]);
    const latin = Buffer.concat([
      Buffer.from(original.repeat(6)),
      Buffer.from("Stra\xdfe und Gr\xfc\xdfe aus M\xfcnchen\n", "latin1"),
    ]);
    await drop(page, [
      { name: "doubled.txt", bytes: doubled },
      { name: "damaged.txt", bytes: damaged },
      { name: ".gitignore", bytes: joined },
      { name: "two.txt", bytes: latin },
    ]);
    const rows = await rowsOf(page);
    assert.match(rows[0][2], /encoded twice/);
    assert.match(rows[1][2], /\d/);
    assert.match(rows[2][2], /joined of 2 pieces/);
    const made = [];
    for (const at of [1, 2, 3, 4])
      made.push((await downloaded(page, `#rows tr:nth-child(${at}) td:last-child button`)).bytes.toString());
    assert.equal(made[0], original);
    assert.equal(made[2], "*.log\nbuild/\ndist/\r\n");
    assert.equal(made[3], `${original.repeat(6)}Straße und Grüße aus München\n`);
    assert.ok(!made[1].includes("\xff") && made[1].startsWith("Das Caf"));
    await page.evaluate(() => document.querySelector("#rows button.name").click());
    await until(page, () => document.querySelectorAll(".changes tbody tr").length > 3);
    await accessible(opened, "before and after");
    await picture(page, "mojibake");
    // Not undone, if that is not wanted.
    await page.evaluate(() => document.querySelector("#view input[type=checkbox]").click());
    assert.match(
      await page.evaluate(() => document.querySelector("#view .quiet ~ .quiet").textContent),
      /UTF-8 already/,
    );
    await page.keyboard.press("Escape");
    await page.evaluate(() => document.querySelectorAll("#rows button.name")[1].click());
    await until(page, () => document.querySelectorAll("#view mark").length > 0);
    await picture(page, "damaged");
    assert.deepEqual(errors, []);
    await page.close();
  });

  await step("pasted text and bytes", async () => {
    const opened = await begin();
    const { page } = opened;
    const paste = async (kind, value) => {
      await page.evaluate(
        ({ kind, value }) => {
          document.getElementById("paste").open = true;
          document.getElementById("pasted").value = value;
          document.querySelector(`input[name=kind][value=${kind}]`).checked = true;
          document.querySelector("#paste-form button").click();
        },
        { kind, value },
      );
    };
    await paste("hex", "43 61 66 e9 20 61 75 20 6c 61 69 74");
    await idle(page);
    await paste("hex", "4");
    assert.match(await page.evaluate(() => document.getElementById("paste-error").textContent), /pairs/);
    await paste("text", "NicolÃ¡s, itâ€™s");
    await until(page, () => document.querySelectorAll("#rows button.name").length === 2);
    const rows = await rowsOf(page);
    assert.match(rows[0][1], /^windows-1252/);
    assert.match(rows[1][2], /encoded twice/);
    await accessible(opened, "the form");
    await page.close();
  });

  await step("hostile files", async () => {
    const opened = await begin();
    const { page, errors } = opened;
    const markup =
      '<img src=x onerror="globalThis.hit=1"><script>globalThis.hit=1</script>\u202etxt.exe\u202c\x1b[31m &lt; \0 ';
    const name = `<b onclick=alert(1)>\u202e${"\u0301\ufffd\u0007</td>".repeat(24)}`.slice(0, 255);
    const broken = Buffer.from("h\u00e9llo w\u00f6rld \u20ac ?\n".repeat(1_000_000)).map((byte) =>
      byte === 0x3f ? 0xff : byte,
    );
    await drop(page, [
      { name, bytes: Buffer.from(`${markup}é\n`.repeat(20)) },
      { name: "million.txt", bytes: broken.subarray(0, broken.length / 1000), repeat: 1000 },
      { name: "control.txt", bytes: Buffer.concat([Buffer.from(markup.repeat(4)), Buffer.from([0xc0, 0xaf])]) },
      { name: "empty.txt", bytes: new Uint8Array(0) },
    ]);
    assert.equal(await page.evaluate(() => globalThis.hit), undefined);
    const shown = await page.evaluate(() => ({
      markup: document.querySelectorAll("#rows img, #rows script, #rows b").length,
      text: document.getElementById("rows").textContent,
    }));
    assert.equal(shown.markup, 0);
    assert.ok(!/[\u202e\u0007]/.test(shown.text) && shown.text.includes("<b onclick"));
    for (const at of [0, 2]) {
      await page.evaluate((at) => document.querySelectorAll("#rows button.name")[at].click(), at);
      await until(page, () => document.getElementById("preview")?.textContent.includes("onerror"));
      const seen = await page.evaluate(() => ({
        hit: globalThis.hit,
        markup: document.querySelectorAll("#view img, #view script").length,
        text: document.getElementById("view").textContent,
      }));
      assert.equal(seen.hit, undefined);
      assert.equal(seen.markup, 0);
      assert.ok(!/[\u202e\u001b\0]/.test(seen.text));
      await accessible(opened, "a hostile file");
      await page.keyboard.press("Escape");
    }
    await picture(page, "hostile");
    assert.match((await rowsOf(page))[1][2], /1,000,000/);
    const start = Date.now();
    await page.evaluate(() => document.querySelectorAll("#rows button.name")[1].click());
    await until(page, () => document.querySelectorAll("#view mark").length === 100);
    assert.ok(Date.now() - start < 5000);
    await page.keyboard.press("Escape");
    assert.deepEqual(errors, []);
    await page.close();
  });

  await step("one line of a gigabyte, stopped and read", async () => {
    const { page } = await begin();
    const line = Buffer.from("é".repeat(1 << 19));
    // Synthetic: a thousand times the same megabyte.
    await page.evaluate((data) => {
      const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File(Array(1024).fill(new Blob([bytes])), "line.txt"));
      document
        .getElementById("drop")
        .dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }, base64(line));
    await until(page, () => document.querySelector("#rows progress")?.value > 0.01);
    await page.evaluate(() => document.getElementById("stop").click());
    await until(page, () => document.getElementById("rows").textContent.includes("stopped"), undefined, 20_000);
    await page.close();
  });

  await step("a folder", async () => {
    const folder = mkdtempSync(join(tmpdir(), "utfkit-"));
    mkdirSync(join(folder, "texts/inner"), { recursive: true });
    writeFileSync(join(folder, "texts/a.txt"), encode(texts.Russian, "koi8-r"));
    writeFileSync(join(folder, "texts/inner/a.txt"), encode(texts.Czech, "windows-1250"));
    writeFileSync(join(folder, "texts/inner/b.bin"), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0]));
    const { page } = await begin();
    if (which === "chromium") {
      await page.setInputFiles("#folder", join(folder, "texts"));
    } else {
      // WebDriver cannot choose a folder: the files get their paths as a folder would give them.
      await page.evaluate(
        (files) => {
          const input = document.getElementById("folder");
          const list = files.map(({ path, data }) =>
            Object.defineProperty(
              new File([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], path.split("/").pop()),
              "webkitRelativePath",
              { value: path },
            ),
          );
          Object.defineProperty(input, "files", { value: list });
          input.dispatchEvent(new Event("change"));
        },
        ["texts/a.txt", "texts/inner/a.txt", "texts/inner/b.bin"].map((path) => ({
          path,
          data: base64(readFileSync(join(folder, path))),
        })),
      );
    }
    await idle(page);
    const rows = await rowsOf(page);
    assert.deepEqual(rows.map(([file]) => file.split("\n")[0]).sort(), [
      "texts/a.txt",
      "texts/inner/a.txt",
      "texts/inner/b.bin",
    ]);
    const { bytes } = await downloaded(page, "#zip");
    writeFileSync(join(folder, "all.zip"), bytes);
    execFileSync("python3", ["-m", "zipfile", "-e", join(folder, "all.zip"), join(folder, "out")]);
    assert.equal(readFileSync(join(folder, "out/texts/a.txt"), "utf8"), texts.Russian);
    assert.equal(readFileSync(join(folder, "out/texts/inner/a.txt"), "utf8"), texts.Czech);
    assert.equal(readFileSync(join(folder, "out/texts/inner/b.bin")).length, 11);
    rmSync(folder, { recursive: true });
    await page.close();
  });

  if (pictures) {
    for (const [name, options] of [
      ["light", {}],
      ["dark", { dark: true }],
      ["narrow", { width: 390, height: 800 }],
    ]) {
      const opened = await begin(options);
      await drop(opened.page, [
        ...samples().slice(0, 5),
        { name: "mojibake.txt", bytes: Buffer.from("NicolÃ¡s, itâ€™s") },
        {
          name: "damaged.txt",
          bytes: Buffer.from([...Buffer.from("Grüße aus Köln und größere Städte\n"), 0xff, 0xc3]),
        },
      ]);
      await accessible(opened, name);
      await picture(opened.page, name);
      await opened.page.evaluate(() => document.querySelectorAll("#rows button.name")[1].click());
      await until(opened.page, () => document.getElementById("preview")?.textContent.length > 10);
      await accessible(opened, name);
      await picture(opened.page, `${name}-file`);
      await opened.page.close();
    }
  }
} finally {
  await browser.close();
}
console.log(`${which}: ${steps.length} steps passed`);
