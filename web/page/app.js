// The page: a row for each file.
import { distinct } from "./paths.js";
import { chosen, dropped, unhex } from "./sources.js";
import { counted, element, number, plain, size } from "./text.js";
import { isUtf8, planned } from "./plan.js";
import { ask, start } from "./work.js";
import { certainty, encodingName, outcome, problems } from "./words.js";
import { view } from "./view.js";

const at = (id) => document.getElementById(id);
/** Rows that are drawn; a folder may have more files than a page should. */
const DRAWN = 1000;
/** From this size on a file is saved as it is made, where the browser can. */
const LARGE = 64 << 20;
/** Up to this size a file is read at once. */
const SMALL = 1 << 18;

const rows = [];
const waiting = [];
let encodings = [];
let current = null;

const say = (text) => (at("status").textContent = text);

class Row {
  constructor(file, path) {
    this.file = file;
    this.path = path;
    this.choice = {};
    this.state = "waiting";
    this.element = element("tr");
  }

  plan() {
    return planned(this.found, this.choice);
  }

  async examine() {
    this.state = "reading";
    // What is read at once needs no bar: to draw it takes longer.
    if (this.file.size > SMALL) this.draw();
    const bar = this.element.querySelector("progress");
    this.task = ask("examine", { file: this.file }, { onProgress: (part) => bar && (bar.value = part) });
    try {
      this.found = await this.task;
      this.state = "done";
    } catch (error) {
      this.state = "failed";
      this.error = error.message;
    }
    this.task = undefined;
    this.draw();
  }

  draw() {
    if (!this.element.isConnected && this.state !== "waiting") return;
    const name = element("bdi", {}, plain(this.path));
    const detail = element("div", { class: "size" }, size(this.file.size));
    if (this.state !== "done") {
      const what = this.state === "failed" ? element("span", { class: "bad" }, this.error) : this.state;
      const bar =
        this.state === "reading" &&
        element("progress", { max: 1, value: 0, "aria-label": `Reading ${plain(this.path)}` });
      this.element.replaceChildren(
        element("td", { class: "file" }, name, detail),
        element("td", { colspan: 3 }, what, " ", bar),
      );
      return;
    }
    const { found } = this;
    const how = this.plan().how;
    this.element.replaceChildren(
      element(
        "td",
        { class: "file" },
        element("button", { type: "button", class: "name", onclick: () => view(this, encodings, save) }, name),
        detail,
      ),
      element(
        "td",
        { "data-label": "Encoding" },
        encodingName(found),
        element("div", { class: "size" }, certainty(found)),
      ),
      element(
        "td",
        { "data-label": "Findings" },
        problems(found).map(([kind, text]) => element("div", { class: kind }, text)),
      ),
      element(
        "td",
        { "data-label": "Result" },
        element("div", { class: "size" }, outcome(found, this.choice)),
        how !== "none" &&
          how !== "keep" &&
          element(
            "button",
            { type: "button", onclick: () => save(this), "aria-label": `Download ${plain(this.path)} as UTF-8` },
            "Download",
          ),
      ),
    );
  }
}

function add({ file, path }) {
  const row = new Row(file, path);
  rows.push(row);
  waiting.push(row);
  at("results").hidden = false;
  if (rows.length <= DRAWN) {
    at("rows").append(row.element);
    row.draw();
  }
  at("more").textContent =
    rows.length > DRAWN ? `${counted(rows.length - DRAWN, "more file")} are in the .zip, and not listed here.` : "";
}

/** Examines what is waiting, one after another. */
async function work() {
  if (current) return;
  let said = 0;
  while (waiting.length) {
    current = waiting.shift();
    // Screen readers read all of it out.
    if (Date.now() - said >= 1000) {
      said = Date.now();
      say(`Reading ${plain(current.path, 60)}; ${number(waiting.length)} more to read.`);
    }
    await current.examine();
  }
  current = null;
  const read = rows.filter(({ found }) => found);
  const other = read.filter(({ found }) => !isUtf8(found.detection.encoding)).length;
  const bad = read.filter(({ found }) => problems(found)[0][0] !== "good").length;
  say(
    rows.length ? `${counted(rows.length, "file")}: ${number(other)} not in UTF-8, ${number(bad)} with findings.` : "",
  );
  buttons();
}

function buttons() {
  at("stop").disabled = !current && !saving;
  at("zip").disabled = Boolean(saving) || !rows.some(({ state }) => state === "done");
}

/** How often everything was stopped. */
let stops = 0;

async function addAll(files) {
  const before = stops;
  for await (const one of files) {
    if (stops !== before) return;
    add(one);
    if (rows.length % 50 === 0) await new Promise((resolve) => setTimeout(resolve));
    work();
  }
  if (!rows.length) say("There was no file in it.");
  buttons();
}

let saving = null;

/** Asks where to write, where the browser can and it is worth it. */
async function target(name, bytes) {
  if (bytes < LARGE || typeof window.showSaveFilePicker !== "function") return undefined;
  const handle = await window.showSaveFilePicker({ suggestedName: name });
  return handle.createWritable();
}

/** Runs an operation that makes a file, and saves that under a name. */
async function make(operation, values, name, bytes) {
  if (saving) return say("Another download is being made: stop it first.");
  let writable;
  try {
    writable = await target(name, bytes);
  } catch {
    return say("Nothing was saved.");
  }
  const onProgress = (part) => say(`Making ${plain(name, 60)}: ${Math.floor(100 * part)} %`);
  saving = ask(operation, values, { onProgress, onChunk: writable && ((chunk) => writable.write(chunk)) });
  buttons();
  try {
    const { blob } = await saving;
    if (writable) await writable.close();
    else download(blob, name);
    say(`${plain(name, 60)} is made.`);
  } catch (error) {
    await writable?.abort().catch(() => {});
    say(error.message === "stopped" ? "Stopped: nothing was saved." : `This did not work: ${error.message}`);
  } finally {
    saving = null;
    buttons();
  }
}

function download(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  // Long after the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

function save({ file, path, found, choice }) {
  return make("convert", { file, found, choice }, path.split("/").pop(), file.size);
}

function saveAll() {
  const done = rows.filter(({ state }) => state === "done");
  const names = distinct(done.map(({ path }) => path));
  const files = done.map(({ file, found, choice }, index) => ({ file, path: names[index], found, choice }));
  return make(
    "zip",
    { files },
    "utf-8.zip",
    done.reduce((sum, { file }) => sum + file.size, 0),
  );
}

function stopAll() {
  stops++;
  for (const row of waiting.splice(0)) {
    row.state = "failed";
    row.error = "not read";
    row.draw();
  }
  current?.task?.stop();
  saving?.stop();
}

function paste(event) {
  event.preventDefault();
  const value = at("pasted").value;
  const isHex = new FormData(event.target).get("kind") === "hex";
  const bytes = isHex ? unhex(value) : new TextEncoder().encode(value);
  at("paste-error").textContent = bytes?.length
    ? ""
    : isHex
      ? "These are not pairs of hexadecimal digits."
      : "There is no text.";
  if (!bytes?.length) return;
  addAll([{ file: new File([bytes], isHex ? "bytes.txt" : "pasted.txt"), path: isHex ? "bytes.txt" : "pasted.txt" }]);
}

function listen() {
  const drop = at("drop");
  for (const name of ["dragenter", "dragover"]) {
    document.addEventListener(name, (event) => {
      event.preventDefault();
      drop.classList.add("over");
    });
  }
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) drop.classList.remove("over");
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    addAll(dropped(event.dataTransfer));
  });
  for (const name of ["files", "folder"]) {
    at(`choose-${name === "files" ? "files" : "folder"}`).addEventListener("click", () => at(name).click());
    at(name).addEventListener("change", () => {
      const all = [...chosen(at(name))];
      at(name).value = "";
      addAll(all);
    });
  }
  at("paste-form").addEventListener("submit", paste);
  at("zip").addEventListener("click", saveAll);
  at("stop").addEventListener("click", stopAll);
  at("clear").addEventListener("click", () => {
    stopAll();
    rows.length = 0;
    at("rows").replaceChildren();
    at("results").hidden = true;
    at("more").textContent = "";
    say("");
  });
}

// Files are taken when the engine can read them.
say("Starting…");
start((message) => say(`This did not work: ${message}`)).then(
  (begun) => {
    encodings = begun.encodings;
    listen();
    document.body.dataset.ready = "";
    say("");
  },
  (error) => say(`This browser cannot run the page: ${error.message}`),
);
