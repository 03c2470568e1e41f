// Each kind of call that changes an engine is in the journal before the next one, with all that its replay needs: after every
// call a replay of the journal so far gives the engine's very state.

import { describe, expect, test } from "bun:test";
import { logger } from "../../../../common/logger.ts";
import { type Action, type ActionRequest, ACTIONS, LOCKSTEP_CLOCK } from "../../../../protocol/index.ts";
import type { Execution } from "../../../../engine/api/market-engine.ts";
import { Engine } from "../../../../engine/engine.ts";
import { applyCall, type JournalCall } from "../../../../engine/journal/journal-call.ts";
import { JournalWriter } from "../../../../engine/journal/journal-writer.ts";
import { secretDigest } from "../../../../engine/journal/secret-digest.ts";
import { EngineCalls } from "../../../../engine/server/host/engine-calls.ts";
import { EngineCounters } from "../../../../engine/server/metrics/engine-counters.ts";
import { EPOCH, scheduledMarket, SECRET, START, USERS } from "../../support/market.ts";
import { MemoryDisk, MemoryJournal } from "../../support/memory-journal.ts";

const { alpha, operator, publisher } = USERS;
const ENGINE_ID = "test-engine";
const MINUTE = 60_000;

/** At START it has been open for half an hour. */
const DEFINITION = scheduledMarket({ days: ["wed"], preopen: "07:00", open: "07:30", close: "09:00" });
const newEngine = () =>
  new Engine(DEFINITION, {
    epoch: EPOCH,
    now: START,
    engineId: ENGINE_ID,
    secret: secretDigest(ENGINE_ID, SECRET),
  });

class JournalledCalls {
  readonly engine = newEngine();
  readonly calls: EngineCalls;
  readonly #disk = new MemoryDisk();
  readonly #writer: JournalWriter;
  #now = START;
  #operations = 0;

  constructor() {
    const store = new MemoryJournal(this.#disk);
    this.#writer = new JournalWriter(store, { lastNumber: 0, checkpointNumber: 0, checkpointParts: 0 });
    this.calls = new EngineCalls({
      engine: this.engine,
      engineId: ENGINE_ID,
      journal: this.#writer,
      now: () => this.#now,
      log: logger("test"),
      counters: new EngineCounters(),
      onFailure: () => {},
    });
  }

  /** Makes a call. Returns whether the clock has changed with it, or was moved on. */
  changesClock(call: (calls: EngineCalls, times: ReturnType<EngineCalls["times"]>) => Execution): boolean {
    call(this.calls, this.calls.times());
    return this.calls.followClock();
  }

  /** The calls in the journal. */
  get journal(): JournalCall[] {
    this.#writer.commit();
    return this.#disk.records.map(({ text }) => JSON.parse(text));
  }

  wait(milliseconds: number): void {
    this.#now += milliseconds;
  }

  /** Makes a call, and returns the kinds of the records that it left. The journal must lead to the engine's state. */
  does(call: (calls: EngineCalls, times: ReturnType<EngineCalls["times"]>) => Execution): string[] {
    const before = this.journal.length;
    call(this.calls, this.calls.times());
    this.calls.followClock();
    const { journal } = this;
    const kinds = journal.slice(before).map(({ kind }) => kind);
    const replayed = newEngine();
    for (const each of journal) applyCall(replayed, each);
    expect(JSON.stringify([...replayed.checkpoint()])).toBe(this.#state());
    return kinds;
  }

  requests<Name extends Action>(
    action: Name,
    payload: ActionRequest<Name> | Record<string, unknown>,
    userId: string = alpha,
    operationId = `operation-${++this.#operations}`,
  ): string[] {
    return this.does((calls, times) => calls.execute({ userId, operationId, action, payload }, false, times));
  }

  #state(): string {
    return JSON.stringify([...this.engine.checkpoint()]);
  }
}

const TERMS = { contractId: "N-H12", side: 0, price: 1000, quantity: 4 } as const;
const pair = { entityId: "ALPHA", counterpartyId: "BETA" };
const order = (market: JournalledCalls) => market.requests("order.submit", TERMS);

/** A request of each action that changes something, with what must be there before. */
const REQUESTS: { readonly [Name in Action]: readonly [ActionRequest<Name>, ((market: JournalledCalls) => unknown)?] } =
  {
    "order.submit": [TERMS],
    "order.modify": [{ orderId: "ORD-1", price: 900, quantity: 5 }, order],
    "order.cancel": [{ orderId: "ORD-1" }, order],
    "market.halt": [{ reason: "a test" }],
    "market.resume": [{}, (market) => market.requests("market.halt", {}, operator)],
    "credit.setLimit": [{ ...pair, limitType: "mw", scope: "total", limit: 5 }],
    "credit.setDocumentation": [{ ...pair, status: "no_docs", notes: "expired" }],
    "engine.flush": [{ engineId: "ENG-N-H12" }, order],
    "market.flush": [{}, order],
    "dev.reset": [{ secret: SECRET, creditLimit: 15 }, order],
    "clock.set": [
      { speed: 20 },
      (market) => market.does((calls, times) => calls.setClock({ mode: "fast", speed: 10 }, times)),
    ],
    "clock.advance": [
      { to: new Date(START + 30 * MINUTE).toISOString() },
      (market) => market.does((calls, times) => calls.setClock(LOCKSTEP_CLOCK, times)),
    ],
    "spot.publish": [{ prices: [{ node: "NORTH", price: 5, regime: "base", time: new Date(START).toISOString() }] }],
  };
const SENDERS: Partial<Record<Action, string>> = { "spot.publish": publisher };

describe("the journal has, and leads to what comes of,", () => {
  test.each(Object.keys(ACTIONS) as Action[])("an accepted %s", (action) => {
    const [payload, before] = REQUESTS[action];
    const market = new JournalledCalls();
    before?.(market);
    market.wait(MINUTE);
    const sender = SENDERS[action] ?? (/^(order|credit)/.test(action) ? alpha : operator);
    expect(market.requests(action, payload, sender, "the-one")).toEqual(["execute"]);
    expect(market.journal.at(-1)).toMatchObject({ kind: "execute", action, userId: sender, operationId: "the-one" });
    expect(JSON.stringify(market.journal)).not.toContain(SECRET);
    expect(market.requests(action, payload, sender, "the-one")).toEqual([]);
  });

  test("a rejected request, but not its repeat", () => {
    const market = new JournalledCalls();
    expect(market.requests("order.cancel", { orderId: "ORD-9" }, alpha, "the-one")).toEqual(["rejected"]);
    expect(market.requests("order.cancel", { orderId: "ORD-9" }, alpha, "the-one")).toEqual([]);
  });

  test("changes that were due, also if the request that came then left no trace", () => {
    const market = new JournalledCalls();
    order(market);
    market.wait(60 * MINUTE);
    expect(market.requests("order.submit", { nothing: true })).toEqual(["advance"]);
    expect(market.requests("order.submit", { nothing: true })).toEqual([]);
    market.wait(7 * 24 * 60 * MINUTE);
    expect(market.does((calls, times) => calls.advance(times))).toEqual(["advance"]);
  });

  test("a connection and its end", () => {
    const market = new JournalledCalls();
    for (const connected of [true, false]) {
      expect(market.does((calls, times) => calls.setConnected(alpha, connected, times))).toEqual(["setConnected"]);
      expect(market.journal.at(-1)).toMatchObject({ userId: alpha, connected });
    }
  });

  test("the orders that are cancelled with their connection", () => {
    const market = new JournalledCalls();
    for (let count = 0; count < 3; count++) order(market);
    const orderIds = ["ORD-3", "ORD-1"];
    expect(market.does((calls, times) => calls.cancelDisconnected(orderIds, times))).toEqual(["cancelDisconnected"]);
    expect(market.journal.at(-1)).toMatchObject({ orderIds });
  });

  test("each setting of the clock, with both times of the calls that follow", () => {
    const market = new JournalledCalls();
    for (const clock of [{ mode: "fast", speed: 90 }, LOCKSTEP_CLOCK, { mode: "fast", speed: 0.5 }] as const) {
      market.wait(MINUTE);
      expect(market.does((calls, times) => calls.setClock(clock, times))).toEqual(["setClock"]);
      expect(market.journal.at(-1)).toMatchObject({ clock });
      market.wait(MINUTE);
      expect(order(market)).toEqual(["execute"]);
    }
    const { now, realNow } = market.calls.times();
    expect(market.journal.at(-1)).toMatchObject({ now, realNow });
    expect(now).not.toBe(realNow);
  });
});

describe("market time", () => {
  const advanceTo = (time: number) => (calls: EngineCalls, times: ReturnType<EngineCalls["times"]>) => {
    const payload = { to: new Date(time).toISOString() };
    return calls.execute(
      { userId: operator, operationId: String(time), action: "clock.advance", payload },
      false,
      times,
    );
  };

  test("stands still in lockstep, and is where each advance moves it", () => {
    const market = new JournalledCalls();
    expect(market.changesClock((calls, times) => calls.setClock(LOCKSTEP_CLOCK, times))).toBe(true);
    for (const minutes of [1, 5, 5, 30]) {
      const { now } = market.calls.times();
      const to = START + minutes * MINUTE;
      market.wait(MINUTE);
      expect(market.calls.times().now).toBe(now);
      expect(market.changesClock(advanceTo(to))).toBe(to !== now);
      expect([market.calls.times().now, market.calls.waitMs(to), market.calls.waitMs(to + 1)]).toEqual([
        to,
        0,
        Infinity,
      ]);
    }
  });

  test("follows each change of the clock from where it is, and no other call changes it", () => {
    const market = new JournalledCalls();
    expect(market.changesClock((calls, times) => calls.setConnected(alpha, true, times))).toBe(false);
    let expected = START;
    for (const speed of [60, 2]) {
      expect(market.changesClock((calls, times) => calls.setClock({ mode: "fast", speed }, times))).toBe(true);
      for (let second = 1; second <= 2; second++) {
        market.wait(1000);
        expected += speed * 1000;
        expect(market.calls.times().now).toBe(expected);
        expect(market.changesClock((calls, times) => calls.setConnected(alpha, second === 1, times))).toBe(false);
      }
      expect(market.calls.waitMs(expected + speed * 500)).toBe(500);
    }
  });
});
