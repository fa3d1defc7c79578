// Files from a drop, a dialog or the clipboard.

/** The files of a drop, with those of folders. Yields `{ file, path }`. */
export async function* dropped(transfer) {
  // The list is empty once the handler has returned: entries first.
  const entries = [];
  const files = [];
  for (const item of transfer.items) {
    if (item.kind !== "file") continue;
    const entry = item.webkitGetAsEntry?.();
    if (entry) entries.push(entry);
    else files.push(item.getAsFile());
  }
  for (const file of files) if (file) yield { file, path: file.name };
  for (const entry of entries) yield* within(entry, "");
}

async function* within(entry, folder) {
  const path = folder + entry.name;
  if (entry.isFile) {
    const file = await new Promise((resolve) => entry.file(resolve, () => resolve(null)));
    if (file) yield { file, path };
    return;
  }
  if (!entry.isDirectory) return;
  const reader = entry.createReader();
  // A reader gives some entries at a time.
  for (;;) {
    const some = await new Promise((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (!some.length) return;
    some.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const one of some) yield* within(one, `${path}/`);
  }
}

/** The files of an input. */
export function* chosen(input) {
  for (const file of input.files) yield { file, path: file.webkitRelativePath || file.name };
}

/** The bytes of hexadecimal digits, or `null`. */
export function unhex(text) {
  const digits = text.replace(/0x|\\x|[\s,;:{}[\]]/gi, "");
  if (!digits || digits.length % 2 || /[^0-9a-f]/i.test(digits)) return null;
  return Uint8Array.from(digits.match(/../g), (pair) => parseInt(pair, 16));
}
