// The same verdicts as the command's, over the shared vectors, and the files of the folder UTFKIT_CASES.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import * as utfkit from "utfkit/detect";

const vectors = join(process.env.UTFKIT_SHARED ?? "../../shared", "vectors");
const command = process.env.UTFKIT_COMMAND ?? "";
const skip = !existsSync(vectors)
  ? "no shared vectors"
  : !existsSync(command)
    ? "no command: cargo build -p utfkit-cli"
    : false;
const folder = mkdtempSync(join(tmpdir(), "utfkit-"));
after(() => rmSync(folder, { recursive: true }));

/** The files of a folder and below. */
const files = (folder) =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const is = statSync(path);
    return is.isDirectory() ? files(path) : is.isFile() ? [path] : [];
  });

/** The strings of hexadecimal digits in the vectors, which are cases of all kinds, as files. */
function cases() {
  const found = new Set();
  const look = (value) => {
    if (typeof value === "string") {
      if (/^(?:[0-9a-f]{2}){1,400}$/i.test(value)) found.add(value.toLowerCase());
    } else if (value && typeof value === "object") Object.values(value).forEach(look);
  };
  for (const name of readdirSync(vectors)) {
    if (name.endsWith(".json")) look(JSON.parse(readFileSync(join(vectors, name), "utf8")));
  }
  return [...found].map((digits, index) => {
    const path = join(folder, `${index}.txt`);
    writeFileSync(path, Buffer.from(digits, "hex"));
    return path;
  });
}

/** The lines that the command prints. */
function lines(...args) {
  const options = { encoding: "utf8", maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "ignore"] };
  let printed;
  try {
    printed = execFileSync(command, args, options);
  } catch (error) {
    // 1 says that there were findings.
    assert.equal(error.status, 1);
    printed = error.stdout;
  }
  return printed
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

const batches = (all) =>
  Array.from({ length: Math.ceil(all.length / 500) }, (_, at) => all.slice(500 * at, 500 * at + 500));

let paths = [];
test("the vectors are there", { skip }, () => {
  paths = [...cases(), ...files(join(vectors, "field")), join(vectors, "UTF-8-test.txt")];
  if (process.env.UTFKIT_CASES) paths.push(...files(process.env.UTFKIT_CASES));
  assert.ok(paths.length > 1000, `${paths.length} files`);
});

test("the same findings and totals", { skip }, (context) => {
  let count = 0;
  for (const batch of batches(paths)) {
    const found = new Map(batch.map((path) => [path, { findings: [] }]));
    for (const { path, ...line } of lines(
      "check",
      "--encoding",
      "UTF-8",
      "--format",
      "jsonl",
      "--max-errors",
      "0",
      ...batch,
    )) {
      if (line.summary) found.get(path).summary = line;
      else found.get(path).findings.push(line);
    }
    for (const [path, { findings, summary }] of found) {
      const ours = utfkit.findings(readFileSync(path));
      const expected = findings.map(({ code_point: codePoint, ...rest }) => ({ ...rest, codePoint }));
      const sorted = (finding) => Object.entries(finding).sort();
      assert.deepEqual(ours.findings.map(sorted), expected.map(sorted), path);
      assert.equal(ours.totals.bytes, summary.bytes);
      assert.equal(ours.totals.codePoints, summary.code_points);
      assert.equal(ours.totals.findings, summary.findings);
      const first = utfkit.validate(readFileSync(path));
      assert.equal(first?.offset, findings[0]?.offset, path);
      count += findings.length;
    }
  }
  context.diagnostic(`${paths.length} files, ${count} findings`);
});

test("the same encodings, as surely, for the same reason", { skip }, () => {
  for (const batch of batches(paths)) {
    const found = new Map(
      lines("detect", "--format", "jsonl", "--candidates", "3", ...batch).map((line) => [line.path, line]),
    );
    for (const path of batch) {
      const theirs = found.get(path);
      const ours = utfkit.detect(readFileSync(path), { candidates: 3 });
      for (const [name, value] of Object.entries({
        encoding: ours.encoding,
        certainty: ours.certainty,
        confidence: ours.confidence,
        language: ours.language,
        reason: ours.reason,
        bom: ours.bom,
        declared: ours.declared,
        contradicted: ours.isContradicted,
        bytes: ours.bytes,
        ill_formed: ours.illFormed,
        bits: ours.bits,
      })) {
        assert.deepEqual(value, theirs[name], `${path}: ${name}`);
      }
      assert.deepEqual(
        ours.candidates.map(({ encoding, probability }) => [encoding, probability]),
        theirs.candidates.map(({ encoding, probability }) => [encoding, probability]),
        path,
      );
      assert.deepEqual(
        ours.pieces.map(({ offset, length, encoding }) => [offset, length, encoding]),
        (theirs.pieces ?? []).map(({ offset, length, encoding }) => [offset, length, encoding]),
        path,
      );
    }
  }
});
