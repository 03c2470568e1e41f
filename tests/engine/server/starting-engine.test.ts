// What a start passes on to the engine that it serves, and what it ends if it fails, or at the stop.

import { beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { AuditStore } from "../../../common/audit/audit-store.ts";
import { UsageError } from "../../../common/command-line.ts";
import { logger } from "../../../common/logger.ts";
import { AuditDelivery } from "../../../engine/audit/audit-delivery.ts";
import { ThreadedAuditStore } from "../../../engine/audit/threaded-audit-store.ts";

import { JournalWriter } from "../../../engine/journal/journal-writer.ts";
import * as engineServer from "../../../engine/server/engine-server.ts";
import { newJournalHeader, startEngine, type StartEngineOptions } from "../../../engine/server/start-engine.ts";
import { replaced } from "../../support/replaced.ts";
import { smallMarket } from "../support/market.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const NOW = Date.parse("2026-05-05T05:05:05.005Z");
/** Of the server, once there is one. */
const MARKET_TIME = Date.parse("2031-01-01T00:00:00Z");
const SETTINGS = { hostname: "127.0.0.1", port: 0, token: null, secret: null, log: logger("test"), now: () => NOW };

let ended: unknown[];
let fault: Error | null;
/** What the server was given. */
let served: Parameters<typeof engineServer.serveEngine>[];

beforeEach(() => {
  ended = [];
  fault = null;
  served = replaced(engineServer, "serveEngine", () => {
    if (fault !== null) throw fault;
    const marketTime = () => MARKET_TIME;
    const stop = () => Promise.resolve(void ended.push("server"));
    return { url: "http://it", webSocketUrl: "ws://it", marketTime, stop };
  });
  const { close } = ThreadedAuditStore.prototype;
  replaced(ThreadedAuditStore.prototype, "close", function (this: ThreadedAuditStore) {
    ended.push("audit");
    return close.call(this);
  } as never);
  const { close: closeJournal } = JournalWriter.prototype;
  replaced(JournalWriter.prototype, "close", function (this: JournalWriter) {
    ended.push("journal");
    return closeJournal.call(this);
  } as never);
});

const start = (options: Partial<StartEngineOptions> = {}) =>
  startEngine({ definition: smallMarket(), ...SETTINGS, ...options });

/** Ends also what the replaced server would end. */
async function stopped(engine: Awaited<ReturnType<typeof start>>): Promise<void> {
  await engine.stop();
  served.at(-1)?.[0].journal?.close();
}

describe("a start", () => {
  test("in memory follows any step of the clock, and one with a directory only so large ones", async () => {
    const memory = await start({ maxClockJumpMs: 5 });
    const [[inMemory] = []] = served;
    expect([inMemory?.maxClockJumpMs, inMemory?.journal, inMemory?.backupSource, inMemory?.storage]).toEqual([
      undefined,
      null,
      undefined,
      undefined,
    ]);
    await stopped(memory);
    const kept = await start({ maxClockJumpMs: 5, data: temporaryDirectory() });
    const [, [inDirectory] = []] = served;
    expect(inDirectory?.maxClockJumpMs).toBe(5);
    expect(inDirectory?.journal).toBeInstanceOf(JournalWriter);
    expect(await inDirectory?.storage?.()).toMatchObject({ checkpoint: null });
    expect(inDirectory?.backupSource?.audit).toBe(inDirectory!.audit);
    await stopped(kept);
  });

  test.each([[false], [true]])("gives its audit trail the day of market time, with a directory: %p", async (isKept) => {
    const { open } = ThreadedAuditStore;
    const asked = replaced(ThreadedAuditStore, "open", (options) => open.call(ThreadedAuditStore, options));
    const engine = await start(isKept ? { data: temporaryDirectory() } : {});
    const [[{ now } = { now: () => NaN }] = []] = asked;
    expect(now()).toBe(MARKET_TIME);
    await stopped(engine);
  });

  test("makes a market whose id and epoch are of its time", async () => {
    const engine = await start();
    const header = newJournalHeader(smallMarket(), NOW);
    expect([engine.engineId, engine.isNew, served[0]?.[0].engine.epoch]).toEqual([header.engineId, true, NOW * 1000]);
    expect(header).toMatchObject({ epoch: NOW * 1000, startedAt: NOW, clock: { mode: "real", speed: 1 } });
    expect(newJournalHeader({ ...smallMarket(), markets: [] }, NOW).engineId).toBe(
      `market-${(NOW * 1000).toString(36)}`,
    );
    await stopped(engine);
  });

  test("stops the server, then what delivers its audit trail, for five seconds at most, then the trail", async () => {
    const stops = replaced(AuditDelivery.prototype, "stop", () => Promise.resolve(void ended.push("delivery")));
    const target = { append: () => Promise.resolve() } as unknown as AuditStore;
    const engine = await start({ auditTarget: target });
    await engine.stop();
    expect([ended, stops]).toEqual([["server", "delivery", "audit"], [[5000]]]);
    ended.length = 0;
    await (await start()).stop();
    expect([ended, stops.length]).toEqual([["server", "audit"], 1]);
  });

  test("that can't be served ends what it has opened, and the next one finds it free", async () => {
    const data = temporaryDirectory();
    fault = new Error("the port is taken");
    await expect(start({ data })).rejects.toThrow("the port is taken");
    expect(ended.splice(0)).toEqual(["journal", "audit"]);
    await expect(start()).rejects.toThrow("the port is taken");
    expect(ended.splice(0)).toEqual(["audit"]);
    fault = null;
    await stopped(await start({ data }));
  });

  test("with another definition, another time or another market is refused, and ends what it has opened", async () => {
    const data = temporaryDirectory();
    await stopped(await start({ data }));
    ended.length = 0;
    const definition = {
      ...smallMarket(),
      markets: smallMarket().markets.map((each) => ({ ...each, name: "Other" })),
    };
    const other = start({ data, definition, mustMatch: true });
    await expect(other).rejects.toThrow(
      new UsageError(
        `${data} holds a market with another definition than the file; leave out --market to continue with it, or name another ` +
          "directory",
      ),
    );
    expect(ended.splice(0)).toEqual(["audit"]);
    await expect(start({ data, clock: { start: NOW - 1, speed: null, lockstep: false } })).rejects.toThrow(UsageError);
    expect(ended.splice(0)).toEqual(["audit"]);
    await expect(start({ data, identity: join(data, "market") })).rejects.toThrow("would be lost together");
    for (const options of [{ definition }, { mustMatch: true }]) await stopped(await start({ data, ...options }));
  });
});
