// `--data DIR` on the command line: what survives a stop, and directories that can't be used.

import { beforeEach, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { cpSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import type { StartEngineOptions } from "../../engine/server/start-engine.ts";
import { healthResponse } from "../../protocol/index.ts";
import {
  BARE_ENVIRONMENT,
  MKT,
  type RunningEngineProcess,
  startEngineProcess,
  startMkt,
} from "../support/executable.ts";
import { runMktHere } from "../support/command-line-here.ts";
import { startTestEngine } from "../support/engines.ts";
import { keepBusy } from "../support/load-client.ts";
import { startPowerMarket } from "../support/power-market.ts";
import { startProcess } from "../support/processes.ts";
import { MARKET_FILE } from "./support/market.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { BUYER, restingBuy } from "./support/built-in-market.ts";
import { contentOf } from "./support/storage-harm.ts";
import { lookAt } from "./support/engine-view.ts";
import { LONG } from "../support/sizes.ts";

let directory: string;
/** Outlives a test. */
const ofFile = temporaryDirectory();
beforeEach(() => void (directory = temporaryDirectory()));

/** The same in this process. */
const startHere = (options: Partial<StartEngineOptions> = {}) => startTestEngine({ data: directory, ...options });

async function engineIdOf({ url }: RunningEngineProcess): Promise<string> {
  return healthResponse.parse(await (await fetch(`${url}/health`)).json()).engineId;
}

const at = (port: number) => ({ webSocketUrl: `ws://127.0.0.1:${port}/ws` });
const look = (engine: { readonly webSocketUrl: string }) => lookAt(engine, BUYER);

/** Places an order, which is confirmed. */
async function place({ client }: Awaited<ReturnType<typeof look>>, operationId: string): Promise<void> {
  expect((await client.request("order.submit", restingBuy(), operationId))?.status).toBe("ok");
}

async function refusal(...args: string[]) {
  const { exitCode, stdout, stderr } = await runMktHere(["engine", "--port", "0", ...args], { LOG_LEVEL: "error" });
  expect(stdout).toBe("");
  return { exitCode, stderr: stderr.trim() };
}

describe("mkt engine --data", () => {
  test("gives only the owner access to its files, refuses a second engine in one line, and continues after an orderly stop", async () => {
    const data = join(directory, "data");
    const first = await startEngineProcess({ args: ["--data", data] });
    const engineId = await engineIdOf(first);
    await place(await look(first), "once");
    expect(await refusal("--data", data)).toEqual({
      exitCode: 1,
      stderr: `mkt: journal in ${data}: another engine, process ${first.pid} on ${hostname()}, is using it`,
    });
    if (process.platform !== "win32") {
      // Only the owner may use the files, even with an open umask.
      const names = await readdir(data);
      const modes = await Promise.all(names.map(async (name) => (await stat(join(data, name))).mode & 0o777));
      expect((await stat(data)).mode & 0o777).toBe(0o700);
      expect(modes.length).toBeGreaterThanOrEqual(4);
      expect(new Set(modes)).toEqual(new Set([0o600]));
    }
    expect(await first.stop()).toBe(0);
    const second = await startHere({ data });
    expect(second.engineId).toBe(engineId);
    expect((await look(second)).openOrders).toHaveLength(1);
  });

  test("--identity refuses an empty directory in place of its market, and needs --data", async () => {
    const identity = join(temporaryDirectory(), "market");
    const first = await startHere({ identity });
    await first.stop();
    const empty = temporaryDirectory();
    const { exitCode, stderr } = await refusal("--data", empty, "--identity", identity);
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining(`${empty} holds no market, and ${identity} expects ${first.engineId}`),
    ]);
    expect((await refusal("--identity", identity)).stderr).toBe("mkt: --identity: needs --data DIR");
  });

  test("started twice at once serves with one engine, which keeps what it confirms", async () => {
    const args = ["engine", "--port", "0", "--data", directory];
    const both = [startMkt(args), startMkt(args)];
    const served = await Promise.allSettled(
      both.map((each) => each.untilStderr(/engine: http:\/\/127\.0\.0\.1:(\d+)/)),
    );
    const [port, ...others] = served.flatMap((each) => each.status === "fulfilled" ? [Number(each.value[1])] : []);
    expect(others).toEqual([]);
    await place(await look(at(port ?? 0)), "1");
    for (const each of both) each.kill("SIGKILL");
    await Promise.all(both.map(({ exited }) => exited));
    expect((await look(await startHere())).openOrders).toHaveLength(1);
  });

  test("refuses another market than the directory's, and says what to do", async () => {
    await (await startPowerMarket({ data: directory })).stop();
    const changed = await Bun.file(MARKET_FILE).json();
    changed.markets[0].name = "another name";
    const other = join(directory, "other.json");
    await Bun.write(other, JSON.stringify(changed));
    const { exitCode, stderr } = await refusal("--data", directory, "--market", other);
    // A restart would not help: units don't start an engine again that ended with 2.
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^mkt: \S+ holds a market with another definition than the file; leave out --market .*$/);
    expect((await startPowerMarket({ data: directory })).engineId).toStartWith(changed.markets[0].id);
  });

  test("stops at damage and says what is readable; with --accept-data-loss copies the files and continues in a new epoch", async () => {
    const running = temporaryDirectory();
    const looked = await look(await startHere({ data: running }));
    const { epoch, openOrders: none } = looked;
    expect(none).toEqual([]);
    for (const id of ["1", "2", "3"]) await place(looked, id);
    cpSync(running, directory, { recursive: true });
    const database = new Database(join(directory, "journal.sqlite"));
    database.run('update record set text = replace(text, \'"2"\', \'"9"\') where text like \'%"operationId":"2"%\'');
    database.close();
    const before = contentOf(directory);
    for (let time = 0; time < 2; time++) {
      const { exitCode, stderr } = await refusal("--data", directory);
      expect(exitCode).toBe(1);
      expect(stderr.split("\n")).toEqual([
        `mkt: the data in ${directory} is damaged, so the engine did not start`,
        expect.stringMatching(/^mkt: damaged: journal\.sqlite is damaged: record \d+ has the wrong checksum$/),
        expect.stringMatching(/^mkt: readable: records 1 to \d+ of \d+, up to \d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
        expect.stringMatching(/^mkt: restore the directory from a backup; or add --accept-data-loss, .*$/),
      ]);
    }
    expect(contentOf(directory)).toEqual(before);
    const second = await startEngineProcess({ args: ["--data", directory, "--accept-data-loss"] });
    const again = await look(second);
    expect(again.openOrders).toHaveLength(1);
    expect(again.epoch).toBeGreaterThan(epoch);
    expect(second.stderr()).toMatch(/data loss accepted: .*; .*records 1 to \d+ of \d+.*; the damaged files are in /);
    const copies = (await readdir(directory)).filter((name) => name.startsWith("damaged-"));
    expect(copies).toHaveLength(1);
    const copy = contentOf(join(directory, copies[0] ?? ""));
    for (const [name, text] of copy) expect([name, text === before.get(name)]).toEqual([name, true]);
    expect((await stat(join(directory, copies[0] ?? ""))).mode & 0o777).toBe(0o700);
    await place(again, "4");
    await second.crash();
    expect((await look(await startHere())).openOrders).toHaveLength(2);
  });

  test.each(["journal.sqlite", "journal.sqlite-wal", "journal.witness", "audit.sqlite"])(
    "stops if %s is missing, even if a checkpoint covers the calls",
    async (file) => {
      await twoOrders();
      await rm(join(directory, file));
      const { exitCode, stderr } = await refusal("--data", directory);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`damaged: ${file.replace(/-wal$/, "")} `)]);
      const third = await startHere({ acceptDataLoss: true });
      const { openOrders: orders } = await look(third);
      expect(orders.length).toBe(file === "journal.sqlite" ? 0 : file === "journal.sqlite-wal" ? 1 : 2);
      if (file !== "journal.sqlite") return;
      await third.stop();
      expect((await look(await startHere())).openOrders).toHaveLength(orders.length);
    },
  );

  /** Fills the directory as a kill leaves it: an order that a checkpoint covers, and one after it. */
  const twoOrders = async () => cpSync(await (prepared ??= prepare()), directory, { recursive: true });
  let prepared: Promise<string> | null = null;
  async function prepare(): Promise<string> {
    const [data, copy] = [temporaryDirectory(), ofFile];
    const first = await startHere({ data });
    await place(await look(first), "1");
    await first.stop();
    const second = await startHere({ data });
    await place(await look(second), "2");
    cpSync(data, copy, { recursive: true });
    await second.stop();
    return copy;
  }

  test("--accept-data-loss changes nothing in an undamaged directory", async () => {
    const first = await startHere({ acceptDataLoss: true });
    const { epoch } = await look(first);
    await first.stop();
    expect((await look(await startHere({ acceptDataLoss: true }))).epoch).toBe(epoch);
    expect((await readdir(directory)).filter((name) => name.startsWith("damaged-"))).toEqual([]);
  });

  test.each(["/dev/null/data", "/proc/mkt"])("on %s, which can't be written, is an error of one line", async (path) => {
    const { exitCode, stderr } = await refusal("--data", path);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(new RegExp(`^mkt: journal in ${path}: .+$`));
  });
});

describe.skipIf(process.platform !== "linux")("mkt engine --data on a disk that is full", () => {
  test.skipIf(!LONG)("ends with one line and exit 1, and has every confirmed order after a restart", async () => {
    // The shell limits the size of files, which has the effect of a full disk.
    const script = `trap '' XFSZ; ulimit -f 1000; exec "${MKT}" engine --port 0 --data "${directory}"`;
    const child = startProcess(["bash", "-c", script], {
      env: { ...BARE_ENVIRONMENT, LOG_LEVEL: "error" },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
    });
    let stderr = "";
    const started = Promise.withResolvers<number>();
    const reading = (async () => {
      for await (const chunk of child.stderr) {
        stderr += new TextDecoder().decode(chunk);
        const port = /engine: http:\/\/127\.0\.0\.1:(\d+)/.exec(stderr)?.[1];
        if (port !== undefined) started.resolve(Number(port));
      }
    })();
    const { client } = await look(at(await started.promise));
    const payload = restingBuy();
    let sent = 0;
    let confirmed = 0;
    const next = () => ({ operationId: String(++sent), action: "order.submit", payload });
    await keepBusy(client, 32, next, (_, response) => {
      if (response !== null) confirmed += 1;
    });
    expect(await child.exited).toBe(1);
    await reading;
    expect(stderr.trim().split("\n").slice(1)).toEqual([
      expect.stringMatching(/^mkt: the journal can't be written: journal in \S+: .*(disk|full)/),
    ]);
    expect(confirmed).toBeGreaterThan(100);
    const { openOrders: orders } = await look(await startHere());
    expect(orders).toHaveLength(confirmed);
  });
});

describe("mkt demo --data", () => {
  test.skipIf(!LONG)("places its initial orders once", async () => {
    const orders: string[][] = [];
    for (let time = 0; time < 2; time++) {
      const demo = startMkt(["demo", "--port", "0", "--engine-port", "0", "--data", directory]);
      const [, port] = await demo.untilStderr(/127\.0\.0\.1:(\d+)/);
      orders.push((await look(at(Number(port)))).openOrders);
      expect(await demo.stop()).toBe(0);
    }
    const [first, second] = orders as [string[], string[]];
    // Fewer if the delivery of an hour has begun meanwhile.
    expect(second.length).toBeGreaterThan(100);
    expect(second.filter((id) => !first.includes(id))).toEqual([]);
  });
});
