// One file: its findings, its text in any encoding, and what is undone.
import { counted, element, number, plain, shown, size, spaced } from "./text.js";
import { ask } from "./work.js";
import { encodingName, outcome } from "./words.js";

const CONTEXT = 24;
/** Rows of a table that are shown at first. */
const FIRST = 100;

const dialog = () => document.getElementById("view");

/** Opens the dialog with a file. `save` downloads it. */
export function view(row, encodings, save) {
  const { found } = row;
  const close = element("button", { type: "button", onclick: () => dialog().close() }, "Close");
  const download = element("button", { type: "button", class: "first", onclick: () => save(row) }, "Download as UTF-8");
  const result = element("p", { class: "quiet" }, outcome(found, row.choice));
  const changed = () => {
    result.textContent = outcome(found, row.choice);
    download.disabled = row.plan().how === "none";
    row.draw();
  };
  download.disabled = row.plan().how === "none";
  dialog().replaceChildren(
    element("h2", { id: "view-title" }, element("bdi", {}, plain(row.path, 300))),
    element("p", { class: "quiet" }, `${size(row.file.size)} · ${encodingName(found)}: ${found.detection.reason}`),
    element("p", { class: "buttons" }, download, close),
    result,
    ...doubledPart(row, changed),
    ...textPart(row, encodings, changed),
    ...findingsPart(row),
  );
  // The row may have been drawn anew meanwhile.
  dialog().addEventListener("close", () => row.element.querySelector("button.name")?.focus(), { once: true });
  dialog().showModal();
}

/** Before and after of text that was encoded twice. */
function doubledPart(row, changed) {
  const { found } = row;
  if (!found.isDoubled) return [];
  const box = element("input", { type: "checkbox", checked: row.choice.undouble ?? true });
  box.addEventListener("change", () => {
    row.choice.undouble = box.checked;
    changed();
  });
  const body = element("tbody");
  const note = element("p", { class: "quiet" }, "Looking for what would change…");
  const table = element(
    "table",
    { class: "changes" },
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        element("th", { scope: "col" }, "Before"),
        element("th", { scope: "col" }, "After"),
        element("th", { scope: "col" }, "Read by mistake as"),
      ),
    ),
    body,
  );
  const looking = ask("doubled", { file: row.file });
  dialog().addEventListener("close", () => looking.stop(), { once: true });
  looking.then(
    ({ count, changes }) => {
      const undone = changes.filter(({ kind }) => kind === "undoubled");
      note.textContent =
        counted(count, "change") +
        (count > undone.length ? `, of which the first ${number(undone.length)} are here` : "");
      body.append(
        ...undone
          .slice(0, FIRST)
          .map(({ before, after, encoding }) =>
            element(
              "tr",
              {},
              element("td", { dir: "auto" }, shown(utf8(before))),
              element("td", { dir: "auto" }, shown(after)),
              element("td", {}, encoding ?? ""),
            ),
          ),
      );
    },
    (error) => (note.textContent = `This did not work: ${error.message}`),
  );
  return [
    element("h3", {}, "Text that was encoded twice"),
    element("p", {}, element("label", {}, box, " Undo it in the download")),
    note,
    element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Before and after" }, table),
  ];
}

const utf8 = (digits) =>
  new TextDecoder().decode(Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16)));

/** The candidates, all other encodings, and the text in the chosen one. */
function textPart(row, encodings, changed) {
  const { detection } = row.found;
  const text = element("pre", { id: "preview", dir: "auto", tabindex: 0, "aria-label": "The beginning of the text" });
  const note = element("p", { class: "quiet", role: "status" });
  let asked = 0;
  const draw = (encoding) => {
    const turn = ++asked;
    ask("preview", { file: row.file, encoding }).then(
      (seen) => {
        if (turn !== asked) return;
        text.replaceChildren(...shown(seen.text));
        note.textContent = seen.isCut ? "The first 16 KiB." : "";
      },
      (error) => (note.textContent = error.message),
    );
  };
  let checking;
  const choose = (encoding) => {
    checking?.stop();
    row.choice.encoding = encoding === detection.encoding ? undefined : encoding;
    row.choice.totals = undefined;
    draw(encoding);
    changed();
    if (!row.choice.encoding) return;
    checking = ask("recheck", { file: row.file, encoding });
    checking.then(
      ({ totals }) => {
        if (row.choice.encoding === encoding) {
          row.choice.totals = totals;
          changed();
        }
      },
      () => {},
    );
  };
  const current = row.choice.encoding ?? detection.encoding;
  const names = detection.candidates.slice(0, 6);
  const radios = names.map((candidate) => {
    const { encoding, probability, language, alike } = candidate;
    const radio = element("input", {
      type: "radio",
      name: "candidate",
      value: encoding,
      checked: encoding === current,
    });
    radio.addEventListener("change", () => {
      select.value = encoding;
      choose(encoding);
    });
    const percent = probability >= 0.999 ? "> 99.9" : probability < 0.001 ? "< 0.1" : (100 * probability).toFixed(1);
    const more = [
      language && `language ${language}`,
      alike.length > 0 && `${alike.slice(0, 3).join(", ")} read${alike.length === 1 ? "s" : ""} it alike`,
    ];
    return element(
      "li",
      {},
      element(
        "label",
        {},
        radio,
        encoding,
        element("span", { class: "quiet" }, [`${percent} %`, ...more.filter(Boolean)].join(" · ")),
      ),
    );
  });
  const select = element(
    "select",
    { id: "encoding" },
    current === null && element("option", { value: "", selected: true }, "choose one"),
    encodings.map((name) => element("option", { value: name, selected: name === current }, name)),
  );
  select.addEventListener("change", () => {
    for (const radio of dialog().querySelectorAll("input[name=candidate]"))
      radio.checked = radio.value === select.value;
    if (select.value) choose(select.value);
  });
  draw(current ?? "ISO-8859-1");
  return [
    element("h3", {}, "The text"),
    radios.length > 0 &&
      element(
        "fieldset",
        {},
        element("legend", {}, "It is probably in"),
        element("ul", { class: "candidates" }, radios),
      ),
    element("label", { for: "encoding" }, "Read it in"),
    select,
    note,
    text,
  ].filter(Boolean);
}

/** The findings with their bytes and what is around them. */
function findingsPart(row) {
  const { findings, totals } = row.found;
  if (!findings.length || row.found.detection.encoding === null) return [];
  const body = element("tbody");
  const table = element(
    "table",
    {},
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        ["Line", "Column", "Offset", "Bytes", "In its text", "What it is"].map((title) =>
          element("th", { scope: "col" }, title),
        ),
      ),
    ),
    body,
  );
  const more = element("button", { type: "button" });
  let at = 0;
  const show = async () => {
    const some = findings.slice(at, at + FIRST);
    at += some.length;
    more.hidden = at >= findings.length;
    more.textContent = `Show ${number(Math.min(FIRST, findings.length - at))} more`;
    for (const finding of some) body.append(await findingRow(row, finding));
  };
  more.addEventListener("click", show);
  show();
  const rest = totals.findings - findings.length;
  return [
    element("h3", {}, `Findings: ${number(totals.findings)}`),
    rest > 0 && element("p", { class: "quiet" }, `The first ${number(findings.length)} are listed.`),
    element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Findings" }, table),
    more,
  ].filter(Boolean);
}

async function findingRow(row, finding) {
  const { offset, length, line, column, bytes, message } = finding;
  const start = Math.max(0, offset - CONTEXT);
  const around = new Uint8Array(
    await row.file
      .slice(start, offset + length + CONTEXT)
      .arrayBuffer()
      // The file is gone, or has changed: the finding stays.
      .catch(() => new ArrayBuffer(0)),
  );
  const before = around.subarray(0, offset - start);
  const after = around.subarray(offset - start + length);
  const text = (part, isStart) => {
    // What the cut cut is left out.
    let at = 0;
    if (isStart) while (at < Math.min(3, part.length) && (part[at] & 0xc0) === 0x80) at++;
    return shown(new TextDecoder().decode(part.subarray(at), { stream: true }).replace(/\n/g, " "));
  };
  const context = element(
    "td",
    { dir: "auto" },
    text(before, start > 0),
    element("mark", {}, spaced(bytes)),
    text(after, false),
  );
  const cells = [number(line), number(column), number(offset)].map((value) => element("td", {}, value));
  return element(
    "tr",
    {},
    ...cells,
    element("td", { class: "bytes" }, spaced(bytes)),
    context,
    element("td", {}, message),
  );
}
