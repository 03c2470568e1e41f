// `mkt backup` and `mkt restore` on the command line: there is a whole backup or none, and one line that says why.

import { beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BackupEncoder } from "../../engine/backup/backup-encoder.ts";
import { BACKUP_FORMAT } from "../../engine/backup/backup-format.ts";
import { FORMAT_VERSION } from "../../engine/journal/journal-tables.ts";
import { atEnd } from "../support/at-end.ts";
import { runMktHere } from "../support/command-line-here.ts";
import { BARE_ENVIRONMENT, MKT, startMkt } from "../support/executable.ts";
import { freePort } from "../support/free-port.ts";
import { run, startProcess } from "../support/processes.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { EPOCH, smallMarket, START } from "../engine/support/market.ts";
import { until } from "../support/until.ts";

/** A backup of a market in which nothing has happened, with incompressible text of some size in its header. */
function madeBackup(size = 0, sequence = EPOCH): Uint8Array<ArrayBuffer> {
  const encoder = new BackupEncoder();
  encoder.describe({
    kind: "mkt backup",
    format: BACKUP_FORMAT,
    mkt: "1.2.3",
    journalFormat: FORMAT_VERSION,
    engineId: "M-1",
    epoch: EPOCH,
    upTo: 0,
    sequence,
    marketTime: "2026-05-05T05:05:05.000Z",
    time: "2026-05-05T05:05:06.000Z",
    checkpoint: null,
    auditPosition: 0,
    auditDelivered: null,
  });
  const noise = crypto.getRandomValues(new Uint8Array(size)).toHex();
  encoder.addHeader(
    JSON.stringify({ engineId: "M-1", epoch: EPOCH, startedAt: START, definition: smallMarket(), noise }),
  );
  return encoder.lastFrame();
}

/** A whole backup whose calls lead to another event than it says. */
const otherOutcome = () => madeBackup(0, EPOCH + 42);

const SAID = `engine M-1 up to record 0, event ${EPOCH}, audit event 0, market time 2026-05-05T05:05:05.000Z; ` +
  "taken at 2026-05-05T05:05:06.000Z by mkt 1.2.3";

const AS_BACKUP = { headers: { "Content-Type": "application/zstd" } };
const whole = () => new Response(madeBackup(), AS_BACKUP);

/** The environment of a client of an engine that answers so. */
function engineThat(answer: (request: Request) => Response): Record<string, string> {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer });
  atEnd(() => server.stop(true));
  return clientOf(server.port ?? 0);
}

/** The environment of a client of an engine that ends the connection in the middle of its answer. */
function engineThatIsLost(): Record<string, string> {
  const head = "HTTP/1.1 200 OK\r\nContent-Type: application/zstd\r\nContent-Length: 1000000\r\n\r\n";
  const answer = Buffer.concat([Buffer.from(head), madeBackup().subarray(0, 100)]);
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: (socket) => void socket.end(answer) } });
  atEnd(() => server.stop(true));
  return clientOf(server.port);
}

function clientOf(port: number): Record<string, string> {
  return { MKT_HOST: `127.0.0.1:${port}`, MKT_BASE_URL: `http://127.0.0.1:${port}`, MKT_USER_ID: "operator" };
}

let [folder, out] = ["", ""];
beforeEach(() => {
  folder = temporaryDirectory();
  out = join(folder, "out");
});

describe("mkt backup", () => {
  test("writes a file, says what it has, and replaces it only with --force", async () => {
    const environment = engineThat((request) => {
      expect(request.headers.get("X-Mkt-User")).toBe("operator");
      expect(request.headers.get("Authorization")).toBe("Bearer secret");
      return whole();
    });
    const env = { ...environment, MKT_BEARER_TOKEN: "secret" };
    const first = await runMktHere(["backup", out], env);
    const { length } = readFileSync(out);
    expect(first).toEqual({ exitCode: 0, stdout: `${out}: ${SAID}; ${length} bytes\n`, stderr: "" });
    expect(await runMktHere(["backup", out], env)).toMatchObject({
      exitCode: 2,
      stderr: `mkt: ${out} exists already: choose another name, or add --force\n`,
    });
    writeFileSync(out, "an old one");
    expect(await runMktHere(["backup", out, "--force"], env)).toMatchObject({ exitCode: 0 });
    expect(readFileSync(out)).toHaveLength(length);
    expect(readdirSync(folder)).toEqual(["out"]);
  });

  test("keeps no file that can't be restored, unless --no-check allows it", async () => {
    const env = engineThat(() => new Response(otherOutcome(), AS_BACKUP));
    expect(await runMktHere(["backup", out], env)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(
        /^mkt: \S+out\.part can't be restored: under the rules of this version .*; \S+out was not written\n$/,
      ),
    });
    expect(readdirSync(folder)).toEqual([]);
    expect(await runMktHere(["backup", out, "--no-check"], env)).toMatchObject({ exitCode: 0 });
    expect(await runMktHere(["restore", out, "--check"])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("can't be restored: under the rules of this version"),
    });
    expect(readdirSync(folder)).toEqual(["out"]);
  });

  test("asks for the address if only another one is known", async () => {
    expect(await runMktHere(["backup", out], { MKT_HOST: "engine:3001", MKT_USER_ID: "operator" })).toMatchObject({
      exitCode: 2,
      stderr: "mkt: MKT_BASE_URL: is required with MKT_HOST=engine:3001, for example http://engine:3001\n",
    });
  });

  test("writes to stdout", async () => {
    const env = { ...BARE_ENVIRONMENT, ...engineThat(whole) };
    const child = startProcess([MKT, "backup", "-"], { env, stderr: "pipe" });
    expect(new Uint8Array(await new Response(child.stdout).arrayBuffer())).toEqual(madeBackup());
    expect(await new Response(child.stderr).text()).toBe(`stdout: ${SAID}; ${madeBackup().length} bytes\n`);
    expect(await child.exited).toBe(0);
  });

  test.each<[string, () => Record<string, string> | Promise<Record<string, string>>, RegExp]>([
    [
      "no engine",
      async () => clientOf(await freePort()),
      /there is no answer from the engine at http:\S+: .*; check that it is running and that MKT_BASE_URL/,
    ],
    [
      "an engine without the route",
      () => engineThat(() => new Response("", { status: 404 })),
      /offers no backups \(status 404\); check that/,
    ],
    [
      "another server",
      () => engineThat(() => new Response("<html>")),
      /answered with text\/plain.*, not with a backup; check that/,
    ],
    [
      "a refusal",
      () =>
        engineThat(() => Response.json({ error: { code: "forbidden", message: "user lacks it" } }, { status: 403 })),
      /the engine refused: user lacks it; set MKT_USER_ID to a user with the permissions Market\.Operate and Scope\.Global/,
    ],
    [
      "a backup that ends early",
      () => engineThat(() => new Response(madeBackup().subarray(0, 200), AS_BACKUP)),
      /the backup is not whole/,
    ],
    [
      "a connection that is lost",
      engineThatIsLost,
      /the connection to the engine was lost after \d+ bytes: .*; try again/,
    ],
  ])("leaves no file after %s", async (_, environment, message) => {
    const env = await environment();
    const { exitCode, stdout, stderr } = await runMktHere(["backup", out], env);
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(message);
    expect(stderr).toEndWith(`; ${out} was not written\n`);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("leaves no file after Ctrl-C", async () => {
    const [started, never] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const env = engineThat(() => {
      const stream = new ReadableStream({
        start: (controller) => controller.enqueue(madeBackup(50_000).subarray(0, 40_000)),
        pull: () => (started.resolve(), never.promise),
      });
      return new Response(stream, AS_BACKUP);
    });
    const child = startMkt(["backup", out], env);
    await started.promise;
    await until(() => readdirSync(folder).includes("out.part"), "the beginning of a file");
    child.kill("SIGINT");
    expect(await child.exited).toBe(1);
    expect(child.stderr()).toBe(`mkt: interrupted; ${out} was not written\n`);
    expect(readdirSync(folder)).toEqual([]);
    never.resolve();
  });

  test.skipIf(process.platform === "win32")("leaves no file on a full disk", async () => {
    const env = engineThat(() => new Response(madeBackup(100_000), AS_BACKUP));
    // The shell limits the size of files, which has the effect of a full disk.
    const script = `trap '' XFSZ; ulimit -f 16; exec "${MKT}" backup "${out}"`;
    const { exitCode, stderr } = await run(["bash", "-c", script], { env: { ...BARE_ENVIRONMENT, ...env } });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^mkt: \S+out\.part can't be written: .+; \S+out was not/);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("mkt restore", () => {
  test("checks a backup, names what is wrong, and asks for what it needs", async () => {
    writeFileSync(out, madeBackup());
    expect(await runMktHere(["restore", out, "--check"])).toMatchObject({
      exitCode: 0,
      stdout: `${out}: a whole backup: ${SAID}\n`,
    });
    writeFileSync(out, madeBackup().subarray(0, 100));
    expect(await runMktHere(["restore", out, "--check"])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/^mkt: \S+out is not whole: .+\n$/),
    });
    const needed = "mkt: --data: is required: a new or empty directory; or use --check\n";
    expect(await runMktHere(["restore", out])).toMatchObject({ exitCode: 2, stderr: needed });
    // As of an unset variable: --data "$DATA".
    expect(await runMktHere(["restore", out, "--data", ""])).toMatchObject({ exitCode: 2, stderr: needed });
    const data = join(folder, "data");
    mkdirSync(data);
    writeFileSync(join(data, "journal.sqlite"), "");
    writeFileSync(out, madeBackup());
    expect(await runMktHere(["restore", out, "--data", data])).toMatchObject({
      exitCode: 2,
      stderr: `mkt: --data: ${data} is not empty: a backup is restored into a new or empty directory\n`,
    });
  });
});
