// Damage to a file of a data directory, drawn from a seed.

import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OWNER_FILE } from "../../../engine/journal/owner-file.ts";
import { RESERVE_FILE } from "../../../engine/journal/storage-reserve.ts";
import type { SeededRandom } from "../../../sim/random/seeded-random.ts";

/** What changes the bytes of a file, and what happens to the file itself. */
const CHANGES = ["flip", "flips", "cut", "cut to a page", "zero", "zero all", "swap", "empty"] as const;
const HARMS = [...CHANGES, "delete", "older copy"] as const;

const PAGE = 4096;
/** Header of a frame of the write-ahead log. */
const FRAME = PAGE + 24;
const LOG_HEADER = 32;

/** Damages one file that is not empty. `older` is an earlier copy of the same directory. `detail` is for a failure message. */
export function harmOneFile(directory: string, older: string, random: SeededRandom) {
  // The reserve file has no content, so it is chosen less often. Nobody reads the owner's file at a start.
  const mayBeReserve = random.next() < 0.1;
  const files = readdirSync(directory)
    .filter((name) =>
      isHarmable(join(directory, name)) && name !== OWNER_FILE && (mayBeReserve || name !== RESERVE_FILE)
    )
    .sort();
  const file = pick(random, files);
  const harm = pick(random, HARMS);
  const path = join(directory, file);
  if (harm === "delete" || harm === "older copy") {
    // The older directory may have another checkpoint.
    if (harm === "older copy" && existsSync(join(older, file))) copyFileSync(join(older, file), path);
    else rmSync(path);
    return { harm, file, detail: "" };
  }
  const { changed, detail } = harmed(readFileSync(path), harm, random, file.endsWith("-wal"));
  writeFileSync(path, changed);
  return { harm, file, detail };
}

/** The content of each file of a directory, by file name. */
export function contentOf(directory: string): Map<string, string> {
  const names = readdirSync(directory).filter((name) => statSync(join(directory, name)).isFile());
  return new Map(names.map((name) => [name, String(Bun.hash(readFileSync(join(directory, name))))]));
}

function harmed(bytes: Buffer, harm: (typeof CHANGES)[number], random: SeededRandom, isLog: boolean) {
  const within = (length: number) => random.integer(0, Math.max(0, length - 1));
  switch (harm) {
    case "flip":
    case "flips": {
      const places = Array.from({ length: harm === "flip" ? 1 : random.integer(2, 50) }, () => within(bytes.length));
      for (const at of places) bytes[at] = (bytes[at] ?? 0) ^ (1 << random.integer(0, 7));
      return { changed: bytes, detail: `at ${places}` };
    }
    case "cut": {
      const length = within(bytes.length);
      return { changed: bytes.subarray(0, length), detail: `to ${length} of ${bytes.length}` };
    }
    case "cut to a page": {
      const [unit, first] = isLog ? [FRAME, LOG_HEADER] : [PAGE, 0];
      const length = first + unit * within((bytes.length - first) / unit);
      return { changed: bytes.subarray(0, length), detail: `to ${length} of ${bytes.length}` };
    }
    case "zero": {
      const length = pick(random, [16, 512, PAGE, 4 * PAGE]);
      const at = Math.floor(within(bytes.length) / 512) * 512;
      bytes.fill(0, at, Math.min(at + length, bytes.length));
      return { changed: bytes, detail: `${length} at ${at}` };
    }
    case "zero all":
      return { changed: bytes.fill(0), detail: "" };
    case "swap": {
      const pages = Math.floor(bytes.length / PAGE);
      const [from, to] = [within(pages), within(pages)];
      const one = Buffer.from(bytes.subarray(from * PAGE, (from + 1) * PAGE));
      bytes.copyWithin(from * PAGE, to * PAGE, (to + 1) * PAGE);
      bytes.set(one, to * PAGE);
      return { changed: bytes, detail: `pages ${from} and ${to}` };
    }
    case "empty":
      return { changed: bytes.subarray(0, 0), detail: "" };
  }
}

function isHarmable(path: string): boolean {
  return existsSync(path) && statSync(path).isFile() && statSync(path).size > 0;
}

function pick<Value>(random: SeededRandom, values: readonly Value[]): Value {
  const value = values[random.integer(0, values.length - 1)];
  if (value === undefined) throw new Error("nothing to choose from");
  return value;
}
