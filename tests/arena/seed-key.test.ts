import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { readSeedKey } from "../../arena/scenario/seed-key.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

test("a seed key gives each number a seed that follows from the secret, and says only the secret's digest", async () => {
  const folder = temporaryDirectory();
  const [one, other] = [join(folder, "one"), join(folder, "other")];
  await Bun.write(one, "a secret of some bytes");
  await Bun.write(other, "another secret of some bytes");
  const key = readSeedKey(one);
  expect(key.digest).toBe(createHash("sha256").update("a secret of some bytes").digest("hex"));
  const seeds = [1, 2, 3].map(key.seedOf);
  expect(new Set(seeds).size).toBe(3);
  expect([1, 2, 3].map(readSeedKey(one).seedOf)).toEqual(seeds);
  expect([1, 2, 3].map(readSeedKey(other).seedOf)).not.toEqual(seeds);
});

test("a seed key that is missing, or too short to be a secret, is refused", async () => {
  const path = join(temporaryDirectory(), "short");
  expect(() => readSeedKey(path)).toThrow(`${path}: no such file or folder`);
  await Bun.write(path, "123456789012345");
  expect(() => readSeedKey(path)).toThrow(`${path}: a secret needs at least 16 bytes`);
});
