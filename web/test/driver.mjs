// Drives the page in a browser: Chromium by Playwright, and Firefox, which Playwright cannot drive as
// Debian builds it, by Puppeteer. What is done in the page is one function that both can call.
import { pathToFileURL } from "node:url";

const address = pathToFileURL(process.env.UTFKIT_PAGE).href;
const base64 = (bytes) => Buffer.from(bytes).toString("base64");

/** A browser by its name, and what is done with its pages. */
export async function launch(which) {
  const { browser, open } = await started(which);
  const until = (page, test, arg, timeout = 120_000) =>
    which === "chromium" ? page.waitForFunction(test, arg, { timeout }) : page.waitForFunction(test, { timeout }, arg);

  /** Opens the page anew, and remembers what it downloads. */
  async function begin(options) {
    const opened = await open(options);
    await opened.page.goto(address);
    await until(opened.page, () => "ready" in document.body.dataset);
    await opened.page.evaluate(() => {
      globalThis.made = [];
      const create = URL.createObjectURL;
      URL.createObjectURL = (blob) => {
        globalThis.made.push(blob);
        return create.call(URL, blob);
      };
      HTMLAnchorElement.prototype.click = function () {
        globalThis.lastName = this.download;
      };
    });
    return opened;
  }

  /** Drops files on the page, and waits until they are read. */
  async function drop(page, files, timeout) {
    await page.evaluate(
      (files) => {
        const transfer = new DataTransfer();
        for (const { name, data, repeat = 1 } of files) {
          const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
          const blob = new Blob([bytes]);
          transfer.items.add(new File(Array(repeat).fill(blob), name));
        }
        document
          .getElementById("drop")
          .dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
      },
      files.map(({ bytes, ...rest }) => ({ ...rest, data: base64(bytes) })),
    );
    await idle(page, timeout);
  }
  const idle = (page, timeout) =>
    until(page, () => /^\d+ files?[,:]/.test(document.getElementById("status").textContent), undefined, timeout);

  const rowsOf = (page) =>
    page.evaluate(() =>
      Array.from(document.querySelectorAll("#rows tr"), (row) =>
        Array.from(row.children, (cell) => Array.from(cell.childNodes, (node) => node.textContent).join("\n")),
      ),
    );

  /** Clicks a button and returns what it downloads. */
  async function downloaded(page, selector, timeout = 120_000) {
    const before = await page.evaluate(() => globalThis.made.length);
    await page.evaluate((selector) => document.querySelector(selector).click(), selector);
    await until(page, (count) => globalThis.made.length > count, before, timeout);
    const data = await page.evaluate(async () => {
      const bytes = new Uint8Array(await globalThis.made.at(-1).arrayBuffer());
      let string = "";
      for (let at = 0; at < bytes.length; at += 8192) string += String.fromCharCode(...bytes.subarray(at, at + 8192));
      return btoa(string);
    });
    return { bytes: Buffer.from(data, "base64"), name: await page.evaluate(() => globalThis.lastName) };
  }

  return { browser, until, begin, drop, idle, rowsOf, downloaded };
}

async function started(which) {
  if (which === "chromium") {
    const { chromium } = await import("playwright-core");
    const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
    const open = async ({ width = 1100, height = 800, dark = false } = {}) => {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? "dark" : "light" });
      const page = await context.newPage();
      const opened = watched(page);
      page.on("console", (message) => message.type() === "error" && opened.errors.push(message.text()));
      return opened;
    };
    return { browser, open };
  }
  const { launch } = await import("puppeteer-core");
  const browser = await launch({
    browser: "firefox",
    executablePath: "/usr/bin/firefox-esr",
    headless: true,
    // A wait may be as long as its own limit allows.
    protocolTimeout: 3_600_000,
  });
  const open = async ({ width = 1100, height = 800 } = {}) => {
    const page = await browser.newPage();
    await page.setViewport({ width, height });
    return watched(page);
  };
  return { browser, open };
}

/** A page, what it asks the network for, and its errors. */
function watched(page) {
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  return { page, requests, errors };
}
