// How an engine's host ends, and that nothing goes on afterwards. All waits are on timers that only the test moves.

import { describe, expect, test } from "bun:test";
import { logger } from "../../../../common/logger.ts";
import { SqliteAuditStore } from "../../../../engine/audit/sqlite-audit-store.ts";
import { EngineHost } from "../../../../engine/server/host/engine-host.ts";
import { recoverEngine } from "../../../../engine/server/recovery/recover-engine.ts";
import type { ClockSetting } from "../../../../protocol/index.ts";
import { EPOCH, scheduledMarket, START, USERS } from "../../support/market.ts";
import { MemoryDisk, MemoryJournal } from "../../support/memory-journal.ts";
import { SteppedTimers } from "./stepped-timers.ts";

const LOG = logger("test");
const HOUR_MS = 3_600_000;

/** A host with a journal, one hour before its market opens. `breakAudit` makes its audit trail fail. */
function started(clock?: ClockSetting) {
  const timers = new SteppedTimers();
  const now = () => START + timers.processTime;
  const header = { engineId: "test-engine", epoch: EPOCH, startedAt: START, definition: scheduledMarket() };
  const audit = SqliteAuditStore.inMemory({ now });
  let breakAudit: (failure: Error) => void = () => {};
  audit.watch = (onFailure) => void (breakAudit = onFailure);
  const store = new MemoryJournal(new MemoryDisk());
  const options = { store, audit, header: () => ({ ...header, ...(clock && { clock }) }), secret: null, now, log: LOG };
  const failures: string[] = [];
  const onFailure = ({ message }: Error) => void failures.push(message);
  const host = new EngineHost({ ...recoverEngine(options), now, timers, log: LOG, onFailure, defer: (task) => task() });
  const buy = () => {
    const payload = { contractId: "N-H12", side: 0, timeInForce: "gtc", price: 5, quantity: 1 };
    return host.execute({ userId: USERS.alpha, operationId: crypto.randomUUID(), action: "order.submit", payload });
  };
  return { host, timers, failures, buy, breakAudit: (text: string) => breakAudit(new Error(text)) };
}

describe("a host", () => {
  test("fails with its audit trail although nobody asks for anything, says so once, and then waits for nothing", () => {
    const { host, timers, failures, buy, breakAudit } = started({ mode: "fast", speed: 60 });
    buy();
    expect([host.hasFailed, timers.pending > 0]).toEqual([false, true]);
    breakAudit("the thread\nhas ended");
    breakAudit("again");
    expect([host.hasFailed, failures]).toEqual([true, ["the journal can't be written: the thread has ended"]]);
    expect(buy).toThrow("the thread has ended");
    timers.pass(HOUR_MS);
    expect([timers.pending, failures.length]).toEqual([0, 1]);
  });

  test.each<["stop" | "abandon", ClockSetting | undefined]>([
    ["stop", undefined],
    ["stop", { mode: "fast", speed: 60 }],
    ["abandon", undefined],
    ["abandon", { mode: "fast", speed: 60 }],
  ])("waits for nothing after its %s, with the clock %j", async (end, clock) => {
    const { host, timers, failures, buy } = started(clock);
    for (let count = 0; count < 20; count++) buy();
    expect(timers.pending).toBeGreaterThan(1);
    await host[end]();
    expect(timers.pending).toBe(0);
    timers.pass(HOUR_MS);
    expect([timers.pending, failures]).toEqual([0, []]);
  });

  test("begins a backup with what is due by then", () => {
    const { host, timers } = started();
    const { sequence } = host.engine;
    timers.processTime += 2 * HOUR_MS;
    const point = host.backupPoint()!;
    expect([point.sequence > sequence, point.sequence, point.marketTime, point.time])
      .toEqual([true, host.engine.sequence, START + 2 * HOUR_MS, START + 2 * HOUR_MS]);
    point.release();
  });
});
