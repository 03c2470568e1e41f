import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BackupFile } from "../../../engine/backup/backup-file.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const [FIRST, SECOND] = [Buffer.from("first"), Buffer.from("second")];

// On Windows a file that a process writes can't be replaced.
test.skipIf(process.platform === "win32")("a backup never finishes the file of another one", async () => {
  const folder = temporaryDirectory();
  const path = join(folder, "out");
  const [first, second, third] = [
    new BackupFile(path, { replace: false }),
    new BackupFile(path, { replace: false }),
    new BackupFile(path, { replace: false }),
  ];
  await first.write(FIRST);
  await second.write(SECOND);
  const failure = await first.finish(async () => {}).catch((error) => error);
  expect(failure.message).toBe(`another mkt backup writes ${path}.part: give each its own file`);
  for (const each of [first, third]) await each.discard();
  expect(readdirSync(folder)).toEqual(["out.part"]);
  await second.finish(async () => {});
  expect(readFileSync(path)).toEqual(SECOND);
});

test.skipIf(process.platform === "win32")("a backup never replaces a pipe or a device, and needs a name", () => {
  const path = join(temporaryDirectory(), "pipe");
  Bun.spawnSync(["mkfifo", path]);
  for (const [name, force] of [[path, false], [path, true], ["/dev/null", true]] as const) {
    expect(() => new BackupFile(name, { replace: force })).toThrow(
      `${name} is not a regular file: name another, or - for stdout`,
    );
  }
  expect(() => new BackupFile("", { replace: true })).toThrow("out: is empty: name a file");
});

test("a backup only replaces the one before after its check, which sees all of it", async () => {
  const folder = temporaryDirectory();
  const path = join(folder, "out");
  writeFileSync(path, FIRST);
  const seen: string[] = [];
  const finished = async (fault: Error | null) => {
    const file = new BackupFile(path, { replace: true });
    await file.write(SECOND);
    const failure = await file.finish((checked) => {
      seen.push(readFileSync(checked, "utf8"), readFileSync(path, "utf8"));
      return fault === null ? Promise.resolve() : Promise.reject(fault);
    }).catch((error: Error) => error.message);
    if (failure !== undefined) await file.discard();
    return [failure, readFileSync(path, "utf8"), readdirSync(folder)];
  };
  expect(await finished(new Error("it is damaged"))).toEqual(["it is damaged", "first", ["out"]]);
  expect(await finished(null)).toEqual([undefined, "second", ["out"]]);
  expect(seen).toEqual(["second", "first", "second", "first"]);
});

test("a backup replaces no file that came while it was written", async () => {
  const path = join(temporaryDirectory(), "out");
  const file = new BackupFile(path, { replace: false });
  await file.write(SECOND);
  const finished = file.finish(() => {
    writeFileSync(path, FIRST);
    return Promise.resolve();
  });
  await expect(finished).rejects.toThrow(`${path} exists already: choose another name, or add --force`);
  expect(readFileSync(path, "utf8")).toBe("first");
  await file.discard();
});

test("a backup replaces what one that was killed has left, and deletes its own file if it is discarded", async () => {
  const folder = temporaryDirectory();
  const path = join(folder, "out");
  writeFileSync(`${path}.part`, "left");
  const file = new BackupFile(path, { replace: false });
  await file.write(FIRST);
  expect(readFileSync(`${path}.part`)).toEqual(FIRST);
  await file.discard();
  expect(readdirSync(folder)).toEqual([]);
});
