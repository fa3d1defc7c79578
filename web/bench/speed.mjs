// The speed of the package beside what programs use now, in Node and in browsers.
//
// `measure` gets the libraries, so that a bundle of this file runs in a page, too.

/**
 * Repeats `work` for about `budget` ms, in rounds so short that another process seldom interrupts
 * all of them. Returns the MB/s of the best round.
 */
function rate(bytes, work, budget) {
  let best = Infinity;
  const until = performance.now() + budget;
  let runs = 1;
  do {
    const start = performance.now();
    for (let run = 0; run < runs; run++) work();
    const took = performance.now() - start;
    if (took < 0.5) runs *= 2;
    else best = Math.min(best, took / runs);
  } while (performance.now() < until || best === Infinity);
  return bytes / best / 1000;
}

/** Texts of `length` characters, by the language of their words. */
export const WORDS = {
  English: "Texts have to be read, and a program that reads one should know its encoding before it begins. ",
  French: "Le cœur a ses raisons que la raison ne connaît point ; déjà vu à Orléans, l'été dernier, près du château. ",
  Russian: "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему. ",
  Japanese:
    "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした所で泣いていた。",
  Chinese: "学而时习之，不亦说乎？有朋自远方来，不亦乐乎？人不知而不愠，不亦君子乎？",
  Korean: "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. ",
};
const textOf = (language, length) =>
  WORDS[language].repeat(Math.ceil(length / WORDS[language].length)).slice(0, length);

export async function measure(lib, { budget = 150, lengths = [64, 1024, 16384, 1 << 20] } = {}) {
  const { utfkit, iconv, inline } = lib;
  const rows = [];
  const utf8 = new TextEncoder();
  const row = (operation, language, bytes, contestants) => {
    const figures = {};
    for (const [name, work] of Object.entries(contestants)) {
      if (!work) continue;
      try {
        work();
      } catch {
        continue;
      }
      figures[name] = rate(bytes, work, budget);
    }
    rows.push({ operation, language, bytes, figures });
  };
  const old = (language) =>
    ({
      English: "windows-1252",
      French: "windows-1252",
      Russian: "windows-1251",
      Japanese: "shift_jis",
      Chinese: "gbk",
      Korean: "euc-kr",
    })[language];

  const native = new TextDecoder();
  const fatal = new TextDecoder("utf-8", { fatal: true });
  const isBuffer = typeof Buffer === "function" && !lib.isBrowser;
  for (const language of Object.keys(WORDS)) {
    for (const length of lengths) {
      const text = textOf(language, length);
      const bytes = utf8.encode(text);
      row("validate", language, bytes.length, {
        utfkit: () => utfkit.isUtf8(bytes),
        isutf8: lib.isutf8 && (() => lib.isutf8(bytes)),
        TextDecoder: () => fatal.decode(bytes),
        "Buffer (isUtf8)": lib.isUtf8 && (() => lib.isUtf8(bytes)),
      });
      row("decode UTF-8", language, bytes.length, {
        utfkit: () => utfkit.decode(bytes, "utf-8"),
        TextDecoder: () => native.decode(bytes),
        Buffer: isBuffer && (() => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()),
        "iconv-lite": iconv && (() => iconv.decode(bytes, "utf8")),
        "text-encoding": lib.textEncoding && (() => new lib.textEncoding.TextDecoder().decode(bytes)),
      });
      row("encode UTF-8", language, bytes.length, {
        utfkit: () => utfkit.encode(text, "utf-8"),
        TextEncoder: () => utf8.encode(text),
        Buffer: isBuffer && (() => Buffer.from(text)),
        "iconv-lite": iconv && (() => iconv.encode(text, "utf8")),
      });
      const label = old(language);
      const older = utfkit.encode(text, label, { errors: "replace" });
      const platform = new TextDecoder(label);
      row(`decode ${label}`, language, older.length, {
        utfkit: () => utfkit.decode(older, label),
        TextDecoder: () => platform.decode(older),
        "iconv-lite": iconv && (() => iconv.decode(older, label)),
        "text-encoding": lib.textEncoding && (() => new lib.textEncoding.TextDecoder(label).decode(older)),
        "encoding-japanese":
          lib.japanese &&
          language === "Japanese" &&
          (() => lib.japanese.convert(older, { to: "UNICODE", from: "SJIS", type: "string" })),
      });
      row(`encode ${label}`, language, older.length, {
        utfkit: () => utfkit.encode(text, label, { errors: "replace" }),
        "iconv-lite": iconv && (() => iconv.encode(text, label)),
        "text-encoding":
          lib.textEncoding &&
          (() => new lib.textEncoding.TextEncoder(label, { NONSTANDARD_allowLegacyEncoding: true }).encode(text)),
        "encoding-japanese":
          lib.japanese &&
          language === "Japanese" &&
          (() => lib.japanese.convert(text, { to: "SJIS", from: "UNICODE", type: "array" })),
      });
      row(`${label} to UTF-8`, language, older.length, {
        utfkit: () => utfkit.transcode(older, label, "utf-8"),
        "TextDecoder, TextEncoder": () => utf8.encode(platform.decode(older)),
        "iconv-lite, TextEncoder": iconv && (() => utf8.encode(iconv.decode(older, label))),
      });
      if (length <= 65536) {
        row(`detect ${label}`, language, older.length, {
          utfkit: () => utfkit.detect(older),
          jschardet: lib.jschardet && (() => lib.jschardet.detect(older)),
          chardet: lib.chardet && (() => lib.chardet.detect(older)),
          "encoding-japanese": lib.japanese && language === "Japanese" && (() => lib.japanese.detect(older)),
        });
      }
    }
  }
  return rows;
}

/** A table of the figures: MB/s of the source, and how many times as fast utfkit is. */
export function table(rows) {
  const lines = [];
  for (const { operation, language, bytes, figures } of rows) {
    const others = Object.entries(figures).filter(([name]) => name !== "utfkit");
    const cells = others.map(
      ([name, figure]) => `${name} ${Math.round(figure)} (${(figures.utfkit / figure).toFixed(2)})`,
    );
    lines.push(`${operation} · ${language} · ${bytes}: utfkit ${Math.round(figures.utfkit)} · ${cells.join(" · ")}`);
  }
  return lines.join("\n");
}
