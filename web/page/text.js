// Text of files and names, so that nothing in it is markup, moves other text or hides.

/** Characters that are invisible or change what is around them. */
const SIGNS =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/u;
const hex = (c) => c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");

/** A name on one line, with such characters as escapes. A long one keeps its end. */
export function plain(text, limit = 80) {
  const all = Array.from(text.replace(/[\t\n]/g, " "), (c) => (SIGNS.test(c) ? `\\u{${hex(c)}}` : c));
  if (all.length <= limit) return all.join("");
  return `${all.slice(0, limit - 21).join("")}…${all.slice(-20).join("")}`;
}

/** An element with a class and children; strings are text. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === undefined) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return made;
}

/** Text with such characters as signs, which screen readers and the eye can tell from text. */
export function shown(text) {
  const parts = [];
  let run = "";
  for (const c of text) {
    if (SIGNS.test(c) && c !== "\r") {
      if (run) parts.push(run);
      run = "";
      parts.push(element("span", { class: "sign" }, `U+${hex(c)}`));
    } else if (c !== "\r") {
      run += c;
    }
  }
  if (run) parts.push(run);
  return parts;
}

export const spaced = (digits) => digits.toUpperCase().replace(/..(?=.)/g, "$& ");

const numbers = new Intl.NumberFormat("en");
export const number = (value) => numbers.format(value);
export const counted = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;

export function size(bytes) {
  if (bytes < 1024) return counted(bytes, "byte");
  const units = ["KiB", "MiB", "GiB", "TiB"];
  let at = -1;
  let value = bytes;
  do {
    value /= 1024;
    at++;
  } while (value >= 1024 && at < units.length - 1);
  return `${value.toFixed(value < 10 ? 1 : 0)} ${units[at]}`;
}
