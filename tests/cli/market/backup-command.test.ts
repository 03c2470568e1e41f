// What each option of `mkt backup` and `mkt restore` changes, and what `mkt accept-clock` says.

import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { addBackupCommands } from "../../../cli/market/backup-command.ts";
import { addClockCommand } from "../../../cli/market/clock-command.ts";
import { UsageError } from "../../../common/command-line.ts";
import * as asking from "../../../engine/backup/backup-client.ts";
import { type BackupDescription, BackupFault } from "../../../engine/backup/backup-format.ts";
import * as reading from "../../../engine/backup/backup-reader.ts";
import * as restoring from "../../../engine/backup/restore.ts";
import { atEnd } from "../../support/at-end.ts";
import { runCommandHere } from "../../support/command-line-here.ts";
import { replaced } from "../../support/replaced.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const ENGINE = { baseUrl: "http://engine", token: "secret", userId: "operator" };
const DESCRIPTION = {
  engineId: "M-1",
  upTo: 2,
  sequence: 3,
  auditPosition: 4,
  marketTime: "2026-05-05T05:05:05.000Z",
  time: "2026-05-05T05:05:06.000Z",
  mkt: "1.2.3",
} as BackupDescription;
const SAID = "engine M-1 up to record 2, event 3, audit event 4, market time 2026-05-05T05:05:05.000Z; " +
  "taken at 2026-05-05T05:05:06.000Z by mkt 1.2.3";

const run = (...args: string[]) => runCommandHere((program) => addBackupCommands(program, () => ENGINE), args);

/** A backup of five bytes; `fault`: what its check finds. */
function backups(fault: Error | null = null) {
  const asked = replaced(asking, "requestBackup", async function* () {
    yield new Uint8Array([1, 2]);
    yield await Promise.resolve(new Uint8Array([3, 4, 5]));
  });
  replaced(reading, "readBackup", async function* (chunks) {
    for await (const _ of chunks);
    yield { kind: "description", description: DESCRIPTION };
  });
  const checked = replaced(restoring, "checkBackup", () => {
    if (fault !== null) return Promise.reject(fault);
    return Promise.resolve(DESCRIPTION);
  });
  const folder = temporaryDirectory();
  return { asked, checked, folder, out: join(folder, "out") };
}

test("mkt backup checks the file beside its place before it gets its name, and --no-check leaves that out", async () => {
  const { asked, checked, folder, out } = backups();
  expect(await run("backup", out)).toEqual({ exitCode: 0, stdout: `${out}: ${SAID}; 5 bytes\n`, stderr: "" });
  expect([asked[0]![0], checked]).toEqual([ENGINE, [[`${out}.part`, Date.now, folder]]]);
  checked.length = 0;
  expect(await run("backup", `${out}2`, "--no-check")).toMatchObject({ exitCode: 0 });
  expect(checked).toEqual([]);
});

test("mkt backup keeps no file that its check refuses, and with --no-check never learns of it", async () => {
  const { out } = backups(new BackupFault("can't be restored"));
  const refused = `mkt: the backup can't be restored; ${out} was not written\n`;
  expect(await run("backup", out)).toEqual({ exitCode: 1, stdout: "", stderr: refused });
  expect(await Bun.file(out).exists()).toBe(false);
  expect(await run("backup", out, "--no-check")).toMatchObject({ exitCode: 0 });
  expect(await Bun.file(out).exists()).toBe(true);
});

test("mkt backup replaces a file only with --force, and - is stdout, with its line on stderr", async () => {
  const { out, checked } = backups();
  writeFileSync(out, "old");
  expect(await run("backup", out)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("add --force") });
  expect(await Bun.file(out).text()).toBe("old");
  expect(await run("backup", out, "--force")).toMatchObject({ exitCode: 0 });
  expect(await Bun.file(out).bytes()).toEqual(new Uint8Array([1, 2, 3, 4, 5]));
  checked.length = 0;
  expect(await run("backup", "-")).toEqual({
    exitCode: 0,
    stdout: "\u0001\u0002\u0003\u0004\u0005",
    stderr: `stdout: ${SAID}; 5 bytes\n`,
  });
  expect(checked).toEqual([]);
});

test("mkt restore makes a directory with --data, only reads with --check, and needs one of both", async () => {
  const { checked } = backups();
  const restored = replaced(restoring, "restoreBackup", () => Promise.resolve({ description: DESCRIPTION }));
  expect(await run("restore", "b", "--check")).toMatchObject({ exitCode: 0, stdout: `b: a whole backup: ${SAID}\n` });
  expect([checked, restored]).toEqual([[["b", Date.now]], []]);
  const { stdout } = await run("restore", "b", "--data", "d");
  expect(stdout).toStartWith(`d: restored ${SAID}\n`);
  expect(stdout).toEndWith("Next: mkt engine --data d\n");
  expect(restored).toEqual([["b", "d", Date.now]]);
  const needed = "mkt: --data: is required: a new or empty directory; or use --check\n";
  expect(await run("restore", "b")).toMatchObject({ exitCode: 2, stderr: needed });
  expect(await run("restore", "b", "--data", "")).toMatchObject({ exitCode: 2, stderr: needed });
  const both = "mkt: --check: only reads the backup; leave out --data\n";
  expect(await run("restore", "b", "--check", "--data", "d")).toMatchObject({ exitCode: 2, stderr: both });
  expect([checked.length, restored.length]).toEqual([1, 1]);
});

const ACCEPTED = { time: "2026-05-05T05:05:05.000Z", marketTime: "2026-05-05T06:05:05.000Z" };

test.each<[object, number, number, string]>([
  [{ ...ACCEPTED, clockJumpSeconds: 120 }, 200, 0, "accepted the clock, which was 2 minutes ahead: engine time is"],
  [{ ...ACCEPTED, clockJumpSeconds: -120 }, 200, 0, "accepted the clock, which was 2 minutes behind: engine time is"],
  [{ error: { code: "conflict", message: "It follows it." } }, 409, 1, "mkt: It follows it.\n"],
  [{ error: { code: "forbidden", message: "It may not." } }, 403, 1, "It may not."],
])("mkt accept-clock says what the engine answered: %j", async (answer, status, exitCode, said) => {
  const seen: unknown[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => {
      seen.push(request.headers.get("x-mkt-user"), request.headers.get("authorization"), request.method);
      return Response.json(answer, { status });
    },
  });
  atEnd(() => server.stop(true));
  const engine = { ...ENGINE, baseUrl: server.url.href.replace(/\/$/, "") };
  const outcome = await runCommandHere((program) => addClockCommand(program, () => engine), ["accept-clock"]);
  expect([outcome.exitCode, seen]).toEqual([exitCode, ["operator", "Bearer secret", "POST"]]);
  expect(outcome.stdout + outcome.stderr).toContain(said);
  if (status === 200) {
    const times = `${ACCEPTED.time}, market time ${ACCEPTED.marketTime}\n`;
    expect(outcome.stdout).toEndWith(`engine time is ${times}`);
  }
});

test("without an engine in the configuration, no command asks one", async () => {
  const none = () => {
    throw new UsageError("MKT_BASE_URL: is required");
  };
  const said = { exitCode: 2, stderr: "mkt: MKT_BASE_URL: is required\n" };
  expect(await runCommandHere((program) => addBackupCommands(program, none), ["backup", "b"])).toMatchObject(said);
  expect(await runCommandHere((program) => addClockCommand(program, none), ["accept-clock"])).toMatchObject(said);
});
