import { expect, test } from "bun:test";
import { mkdirSync, rmSync, statfsSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { storageReader } from "../../../../engine/server/metrics/storage-figures.ts";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";

test("the figures of a data directory are those of its files now, by kind, and of the checkpoint in use", async () => {
  const directory = temporaryDirectory();
  const write = (name: string, bytes: number) => writeFileSync(join(directory, name), "x".repeat(bytes));
  let inUse: string | null = null;
  const read = storageReader(directory, () => inUse);
  expect(await read()).toMatchObject({ bytes: { journal: 0, checkpoint: 0, audit: 0 }, checkpoint: null });
  const sizes = { "journal.sqlite": 1, "journal.sqlite-wal": 20, "audit.sqlite": 300, "audit.sqlite-wal": 4_000 };
  for (const [name, bytes] of Object.entries(sizes)) write(name, bytes);
  write("storage.reserve", 50_000);
  mkdirSync(join(directory, "checkpoint-folder"));
  for (const [name, bytes] of [["checkpoint-5", 6], ["checkpoint-5.copy", 6], ["checkpoint-7", 70]] as const) {
    write(name, bytes);
  }
  const at = new Date("2026-03-02T15:00:00Z");
  utimesSync(join(directory, "checkpoint-5"), at, at);
  inUse = "checkpoint-5";
  const [one, other] = await Promise.all([read(), read()]);
  expect(other).toEqual(one);
  expect(one).toMatchObject({
    bytes: { journal: 21, checkpoint: 82, audit: 4_300 },
    checkpoint: { bytes: 6, writtenAtMs: at.getTime() },
  });
  inUse = "checkpoint-7";
  write("journal.sqlite", 2);
  rmSync(join(directory, "checkpoint-5"));
  const { mtimeMs } = statSync(join(directory, "checkpoint-7"));
  expect(await read()).toMatchObject({
    bytes: { journal: 22, checkpoint: 76, audit: 4_300 },
    checkpoint: { bytes: 70, writtenAtMs: mtimeMs },
  });
});

test("the free space is in bytes, and a directory that was moved has no figures until it is back", async () => {
  const directory = join(temporaryDirectory(), "data");
  const read = storageReader(directory, () => null);
  expect(await read()).toBeNull();
  mkdirSync(directory);
  const { bavail, bsize } = statfsSync(directory);
  // Other programs write meanwhile, but not half of the disk.
  expect((await read())!.freeBytes / (bavail * bsize)).toBeWithin(0.5, 2);
});
