// What each call of a host carries out before it answers, and what a stop, an abandonment and the end of a connection leave.

import { describe, expect, test } from "bun:test";
import { logger } from "../../../../common/logger.ts";
import { SqliteAuditStore } from "../../../../engine/audit/sqlite-audit-store.ts";
import { EngineHost } from "../../../../engine/server/host/engine-host.ts";
import type { Subscriber } from "../../../../engine/server/publication/subscribers.ts";
import { recoverEngine } from "../../../../engine/server/recovery/recover-engine.ts";
import type { ClockSetting } from "../../../../protocol/index.ts";
import { EPOCH, smallMarket, START, USERS } from "../../support/market.ts";
import { MemoryDisk, MemoryJournal } from "../../support/memory-journal.ts";
import { SteppedTimers } from "./stepped-timers.ts";

/** When the first contract goes to delivery. */
const DELIVERY = Date.parse("2026-01-20T17:00:00Z");

interface Given {
  readonly clock?: ClockSetting;
  readonly hasJournal?: boolean;
  readonly disk?: MemoryDisk;
}

function started({ clock, hasJournal = true, disk = new MemoryDisk() }: Given = {}) {
  const [timers, state] = [new SteppedTimers(), { now: START }];
  const [log, now] = [logger("test"), () => state.now];
  const store = new MemoryJournal(disk);
  const header = () => ({
    engineId: "test-engine",
    epoch: EPOCH,
    startedAt: START,
    definition: smallMarket(),
    ...(clock && { clock }),
  });
  const audit = SqliteAuditStore.inMemory({ now });
  const recovered = recoverEngine({ store, audit, header, secret: null, now, log });
  const journal = hasJournal ? recovered.journal : null;
  const host = new EngineHost({ ...recovered, journal, now, log, timers, defer: () => {} });
  const subscriber = (cancelOnDisconnect = false) => {
    const responses: string[] = [];
    const user = host.engine.user(USERS.alpha)!;
    const each: Subscriber = {
      user,
      cancelOnDisconnect,
      respond: (response) => void responses.push(response),
      deliver: () => true,
      cutOff: () => {},
    };
    return { each, responses };
  };
  let count = 0;
  const ask = (to: Subscriber | null, action: string, payload: object, userId: string = USERS.alpha) =>
    host.execute({ userId, operationId: `o-${++count}`, action, payload }, to && { to, requestId: `r-${count}` });
  const submit = (to: Subscriber | null) =>
    ask(to, "order.submit", { contractId: "S-PK", side: 0, price: 5, quantity: 1 });
  /** The kinds of the records that were committed since the last call. */
  let seen = 0;
  const committed = () => {
    const kinds = disk.records.slice(seen).map(({ text }) => JSON.parse(text).kind as string);
    seen = disk.records.length;
    return kinds;
  };
  return { ask, host, timers, state, disk, subscriber, submit, committed };
}

describe("a host carries out what is due", () => {
  test.each<[string, (of: ReturnType<typeof started>) => unknown]>([
    ["a request", ({ submit }) => submit(null)],
    ["it announces a user", ({ host }) => host.announce(USERS.alpha)],
    [
      "it announces a user again",
      ({ host, subscriber }) => (host.subscribe(subscriber().each), host.announce(USERS.alpha)),
    ],
    ["it shows its directory", ({ host }) => host.readDirectory()],
    ["it shows positions", ({ host }) => host.positions("ALPHA")],
    ["it explains an order", ({ host }) => host.explainOrder("ORD-1", host.engine.user(USERS.alpha)!)],
    ["it begins a backup", ({ host }) => host.backupPoint()?.release()],
    ["it accepts the clock", ({ host }) => host.acceptClock()],
  ])("before %s", (_, call) => {
    for (const [now, isDue] of [[DELIVERY - 1, false], [DELIVERY, true]] as const) {
      const of = started();
      const before = of.host.engine.sequence;
      of.state.now = now;
      call(of);
      of.host.flush();
      expect(of.committed().includes("advance")).toBe(isDue);
      if (isDue) expect(of.host.engine.sequence).toBeGreaterThan(before);
    }
  });

  test("at its deadline, though nobody asks", () => {
    const { host, timers, state } = started();
    const before = host.engine.sequence;
    state.now = DELIVERY;
    timers.pass(500);
    expect(host.engine.sequence).toBeGreaterThan(before);
  });
});

describe("a host commits", () => {
  test.each<[string, (of: ReturnType<typeof started>) => unknown]>([
    ["its history", ({ host }) => host.readHistory()],
    ["its audit trail", ({ host }) => host.readAudit()],
    ["its directory", ({ host }) => host.readDirectory()],
    ["a snapshot", ({ host }) => host.snapshot()],
    ["positions", ({ host }) => host.positions("ALPHA")],
    ["the blocks of an order", ({ host }) => host.explainOrder("ORD-1", host.engine.user(USERS.alpha)!)],
    ["what a backup has", ({ host }) => host.backupPoint()],
  ])("everything before it shows %s", (_, call) => {
    const of = started();
    const { each, responses } = of.subscriber();
    of.submit(each);
    expect([of.committed(), responses]).toEqual([[], []]);
    call(of);
    expect([of.committed(), responses.length]).toEqual([["execute"], 1]);
  });
});

describe("the connections of a user", () => {
  test("are one for the market: the first one connects, and the last one disconnects", () => {
    const { host, subscriber, committed } = started();
    const [first, second] = [subscriber().each, subscriber().each];
    for (const each of [first, second]) {
      host.announce(USERS.alpha);
      host.subscribe(each);
    }
    host.flush();
    expect([committed(), host.subscribers.countOf(USERS.alpha)]).toEqual([["setConnected"], 2]);
    host.unsubscribe(first);
    host.unsubscribe(first);
    host.flush();
    expect([committed(), host.subscribers.countOf(USERS.alpha)]).toEqual([[], 1]);
    host.unsubscribe(second);
    host.flush();
    expect(committed()).toEqual(["setConnected"]);
    host.unsubscribe(second);
    host.flush();
    expect(committed()).toEqual([]);
  });

  test("that want it have their own orders cancelled when they end, before the user is disconnected", () => {
    const { host, subscriber, submit, committed, disk } = started();
    const [wants, other] = [subscriber(true).each, subscriber(false).each];
    for (const each of [wants, other]) host.subscribe(each);
    for (const each of [wants, other, wants]) submit(each);
    submit(null);
    host.flush();
    committed();
    host.unsubscribe(other);
    host.unsubscribe(wants);
    host.flush();
    expect(committed()).toEqual(["cancelDisconnected", "setConnected"]);
    expect(JSON.parse(disk.records.at(-2)!.text).orderIds).toEqual(["ORD-1", "ORD-3"]);
  });

  test("leave nothing to cancel of orders that ended before: filled, cancelled or expired", () => {
    const { ask, host, subscriber, submit, disk, state } = started();
    const wants = subscriber(true).each;
    host.subscribe(wants);
    for (let order = 1; order <= 3; order++) submit(wants);
    ask(wants, "order.submit", { contractId: "N-H12", side: 0, price: 5, quantity: 1 });
    ask(null, "order.cancel", { orderId: "ORD-2" });
    ask(null, "order.submit", { contractId: "S-PK", side: 1, price: 5, quantity: 1 }, USERS.beta);
    state.now = DELIVERY;
    host.readDirectory();
    host.unsubscribe(wants);
    host.flush();
    const cancelled = disk.records.map(({ text }) => JSON.parse(text)).filter(({ kind }) =>
      kind === "cancelDisconnected"
    );
    expect(cancelled.map(({ orderIds }) => orderIds)).toEqual([["ORD-3"]]);
  });

  test("end with their process: the next one cancels what they wanted cancelled, and disconnects their users", () => {
    const before = started();
    const wants = before.subscriber(true).each;
    before.host.announce(USERS.alpha);
    before.host.subscribe(wants);
    for (const to of [wants, null, wants]) before.submit(to);
    before.host.flush();
    const { host, disk } = started({ disk: before.disk });
    expect(host.readDirectory().users().filter(({ connected }) => connected)).toEqual([]);
    expect(disk.records.slice(-2).map(({ text }) => JSON.parse(text))).toMatchObject([
      { kind: "cancelDisconnected", orderIds: ["ORD-1", "ORD-3"] },
      { kind: "setConnected", userId: USERS.alpha, connected: false },
    ]);
    expect(host.engine.figures.openOrders).toBe(1);
  });
});

describe("a host that stops", () => {
  test.each<[ClockSetting | undefined, string[]]>([
    [undefined, ["execute"]],
    [{ mode: "fast", speed: 60 }, ["execute", "advance"]],
    [{ mode: "lockstep", speed: 0 }, ["execute"]],
  ])("saves all that was executed, and the time of a fast market, once: %o", async (clock, kinds) => {
    const { host, timers, subscriber, submit, disk } = started({ ...(clock && { clock }) });
    const { each, responses } = subscriber();
    submit(each);
    const before = disk.records.length;
    await host.stop();
    expect([responses.length, timers.pending, disk.checkpoint?.upTo]).toEqual([1, 0, before + kinds.length]);
    await host.stop();
    expect(disk.checkpoint?.upTo).toBe(before + kinds.length);
  });

  test("that is abandoned saves nothing more and leaves no timer", () => {
    const { host, timers, submit, disk, state } = started({ clock: { mode: "fast", speed: 60 } });
    submit(null);
    const before = disk.records.length;
    host.abandon();
    state.now = DELIVERY;
    timers.pass(60_000);
    expect([disk.records.length, disk.checkpoint, timers.pending]).toEqual([before, null, 0]);
  });

  test("has no backup without a journal", () => {
    expect(started({ hasJournal: false }).host.backupPoint()).toBeNull();
  });
});
