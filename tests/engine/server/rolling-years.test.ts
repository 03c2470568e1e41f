// The built-in market over three years, hour by hour, on an engine with a journal and a simulated clock. At every hour:
// - tomorrow's day-ahead hours and the next weeks, months, quarters and years are listed, as a connection sees it;
// - trades use credit until the end of their delivery, and not longer; cash and profit stay in the totals;
// - a restart from the journal changes nothing, and memory stays flat.
//
// test:long runs every hour of 2027 to 2029, which have six changes of the clocks and a leap day. Other runs take the days
// around a change of each kind, a new year and a leap day. The test computes from the calendar what must be listed,
// without the listing rules.

import { describe, expect, test } from "bun:test";
import { logger } from "../../../common/logger.ts";
import type { EngineMessage, StateMessage } from "../../../protocol/index.ts";
import { SqliteAuditStore } from "../../../engine/audit/sqlite-audit-store.ts";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { EngineHost } from "../../../engine/server/host/engine-host.ts";
import { recoverEngine } from "../../../engine/server/recovery/recover-engine.ts";
import { newJournalHeader } from "../../../engine/server/start-engine.ts";
import { MemoryDisk, MemoryJournal } from "../support/memory-journal.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { ClientModules } from "../../support/client-modules.ts";
import { LONG } from "../../support/sizes.ts";
import { statesOf } from "../../support/executions.ts";

const CHICAGO = "America/Chicago";
const HOUR = 3_600_000;
const BUYER = "meridian-trader-1";
const SELLER = "riverbend-trader-1";
const WATCHER = "viewer";

/** Local dates. Each period has a market of its own, from its first midnight to its last. */
const STRETCHES: readonly (readonly [from: string, until: string])[] = LONG ? [["2027-01-01", "2030-01-01"]] : [
  ["2027-11-05", "2027-11-10"],
  ["2027-12-29", "2028-01-03"],
  ["2028-02-27", "2028-03-02"],
  ["2028-03-10", "2028-03-14"],
];

interface Bought {
  readonly until: number;
  /** Hundredths of a cent, so sums are whole numbers. */
  readonly notional: number;
}

class Market {
  now: number;
  readonly #received = new ClientModules();
  /** Makes the connection take what is published. */
  #take: () => void = () => {};
  orders = 0;
  restarts = 0;
  readonly #random = new SeededRandom(5);
  readonly #bought: Bought[] = [];
  readonly #disk = new MemoryDisk();
  readonly #audit = SqliteAuditStore.inMemory({ now: () => this.now, capacity: 10_000 });
  #host: EngineHost;

  constructor(start: number) {
    this.now = start;
    this.#host = this.#start();
  }

  /** The modules as the connection has received them. */
  get received(): ReadonlyMap<string, NonNullable<StateMessage["state"]>> {
    this.#take();
    return this.#received;
  }

  /** Sets the clock and executes what is due, without a request. */
  advanceTo(time: number): void {
    this.now = time;
    this.#host.readDirectory();
  }

  /** Makes one trade in a listed contract, and one resting order. */
  trade(): void {
    const contracts = this.listed();
    const contract = contracts[this.#random.integer(0, contracts.length - 1)];
    if (contract === undefined) throw new Error("nothing is listed");
    const { id: contractId, hours, deliveryEnd } = contract as { id: string; hours: number; deliveryEnd: string };
    const price = this.#random.integer(1_000, 9_000);
    const quantity = this.#random.integer(1, 20);
    this.#send(SELLER, { contractId, side: 1, price, quantity });
    this.#send(BUYER, { contractId, side: 0, price, quantity });
    this.#send(BUYER, { contractId, side: 0, price: 900, quantity });
    this.#bought.push({ until: Date.parse(deliveryEnd), notional: price * quantity * hours });
  }

  /** Notional of the trades that are not delivered yet, in dollars. */
  expectedUse(): number {
    return this.#bought.reduce((sum, { until, notional }) => until > this.now ? sum + notional : sum, 0) / 100;
  }

  /** What the buyer has paid in all, in dollars. */
  paid(): number {
    return this.#bought.reduce((sum, { notional }) => sum + notional, 0) / 100;
  }

  /** The totals of the buyer's and of the seller's positions. */
  totals() {
    return ["MERIDIAN", "RIVERBEND"].map((entityId) => this.#host.positions(entityId)?.totals);
  }

  usedCredit(): unknown {
    return this.snapshot().get("/CREDIT/MERIDIAN:RIVERBEND")?.["usedNotional"];
  }

  /** The listed CONTRACT modules, as the connection has received them. */
  listed() {
    return [...this.received].filter(([path, state]) => path.startsWith("/CONTRACT/") && state["status"] === "listed")
      .map(([, state]) => state);
  }

  snapshot(): Map<string, NonNullable<StateMessage["state"]>> {
    const states = statesOf({ messages: [...this.#host.snapshot()] });
    return new Map(states.map(({ statePath, state }) => [statePath, state!]));
  }

  /** Starts another engine from what is durable, as after a kill. */
  restart(): void {
    this.#host.flush();
    this.#host = this.#start();
    this.restarts += 1;
  }

  #start(): EngineHost {
    const now = () => this.now;
    const log = logger("test");
    const recovered = recoverEngine({
      store: new MemoryJournal(this.#disk),
      audit: this.#audit,
      header: () => newJournalHeader(builtInMarket(), this.now),
      secret: null,
      now,
      log,
      historySize: 1000,
      checkpointRecords: 2000,
    });
    const timers = { after: () => () => {} };
    const host = new EngineHost({ ...recovered, now, log, timers, historySize: 1000, defer: () => {} });
    const user = recovered.engine.user(WATCHER);
    if (user === undefined) throw new Error(`no user ${WATCHER}`);
    host.announce(WATCHER);
    this.#received.clear();
    for (const message of statesOf({ messages: [...host.snapshot()] })) this.#received.apply(message);
    const updates = host.updatesFor(user);
    this.#take = () => updates.takeFrames().forEach((frame) => this.#hear(frame));
    const deliver = () => {
      this.#take();
      return true;
    };
    host.subscribe({ user, cancelOnDisconnect: false, deliver, respond: () => {}, cutOff: () => {} });
    return host;
  }

  #hear(frame: string): void {
    const messages: EngineMessage[] = JSON.parse(frame);
    for (const message of messages) {
      if ("statePath" in message || message.kind === "event") this.#received.apply(message);
    }
  }

  #send(userId: string, terms: Record<string, unknown>): void {
    this.orders += 1;
    const request = { userId, operationId: `op-${this.orders}`, action: "order.submit", payload: terms };
    const { response } = this.#host.execute(request);
    expect(response?.status).toBe("ok");
    this.#host.flush();
  }
}

/** The delivery periods that the calendar says must be listed at a time, by product. */
function due(now: number): Record<string, string[]> {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(CHICAGO).toPlainDate();
  const tomorrow = today.add({ days: 1 });
  const daysTo = (weekday: number) => (weekday - today.dayOfWeek + 7) % 7 || 7;
  const monday = today.add({ days: daysTo(1) });
  const saturday = today.add({ days: daysTo(6) });
  const peakDay = tomorrow.dayOfWeek <= 5 ? tomorrow : monday;
  const month = (count: number) => today.with({ day: 1 }).add({ months: count }).toPlainYearMonth().toString();
  const quarter = (count: number) => {
    const date = today.with({ day: 1 }).add({ months: 3 * count });
    return `${date.year}-Q${Math.ceil(date.month / 3)}`;
  };
  const week = (date: Temporal.PlainDate) => `${date.yearOfWeek}-W${String(date.weekOfYear).padStart(2, "0")}`;
  return {
    "DA-HOUR": Array.from(
      { length: tomorrow.toZonedDateTime(CHICAGO).hoursInDay },
      (_, hour) => `${tomorrow}-H${String(hour + 1).padStart(2, "0")}`,
    ),
    "DA-BASE": [String(tomorrow)],
    "DA-PEAK": [String(peakDay)],
    "WE-BASE": [`${week(saturday)}-WE`],
    "WK-BASE": [week(monday), week(monday.add({ days: 7 }))],
    "MO-BASE": [month(1), month(2), month(3)],
    "MO-PEAK": [month(1), month(2), month(3)],
    "QU-BASE": [quarter(1), quarter(2), quarter(3)],
    "YR-BASE": [String(today.year + 1), String(today.year + 2)],
  };
}

function missingAt({ now, received }: Market): string[] {
  return Object.entries(due(now)).flatMap(([product, periods]) =>
    ["NORTH", "WEST"].flatMap((node) => periods.map((period) => `${node}-${product}-${period}`))
  ).filter((id) => received.get(`/CONTRACT/${id}`)?.["status"] !== "listed");
}

const withoutConnections = (modules: ReadonlyMap<string, StateMessage["state"]>) =>
  [...modules].filter(([path]) => !/^\/(USER|MARKET)\//.test(path)).sort(([a], [b]) => a < b ? -1 : 1);

/** The modules that the viewer may see. */
const visible = (modules: ReadonlyMap<string, StateMessage["state"]>) =>
  withoutConnections(modules).filter(([path]) => !path.startsWith("/CREDIT/"));

describe("a market over years", () => {
  test.each([...STRETCHES])("from %s to %s lists the next contracts at every hour", (from, until) => {
    const midnight = (date: string) => Temporal.PlainDate.from(date).toZonedDateTime(CHICAGO).epochMilliseconds;
    const start = midnight(from);
    const market = new Market(start);
    const hours = (midnight(until) - start) / HOUR;
    const sizes: { day: number; contracts: number; modules: number; snapshotKb: number; heapMb: number }[] = [];
    const daysOfHours = new Set<number>();
    for (let hour = 0; hour <= hours; hour++) {
      market.advanceTo(start + hour * HOUR);
      const missing = missingAt(market);
      if (missing.length > 0) throw new Error(`at ${new Date(market.now).toISOString()}: ${missing.join(", ")}`);
      daysOfHours.add(due(market.now)["DA-HOUR"]!.length);
      if (hour % 5 === 0) market.trade();
      if (hour % 24 === 7) {
        expect(market.usedCredit()).toBeCloseTo(market.expectedUse(), 2);
        const [buyer, seller] = market.totals();
        expect(buyer?.creditUsed).toBeCloseTo(market.expectedUse(), 2);
        expect([buyer?.cash, seller?.cash]).toEqual([-market.paid(), market.paid()]);
        expect(buyer?.profit).toBeCloseTo(-(seller?.profit ?? NaN), 3);
      }
      if (hour % (24 * 61) === 24 * 3 + 11) {
        const [before, totals] = [withoutConnections(market.snapshot()), market.totals()];
        market.restart();
        expect(withoutConnections(market.snapshot())).toEqual(before);
        expect(market.totals()).toEqual(totals);
        expect(missingAt(market)).toEqual([]);
      }
      if (hour % (24 * 30) === 24 * 5) {
        const snapshot = market.snapshot();
        expect(visible(market.received)).toEqual(visible(snapshot));
        Bun.gc(true);
        sizes.push({
          day: hour / 24,
          contracts: [...snapshot.keys()].filter((path) => path.startsWith("/CONTRACT/")).length,
          modules: snapshot.size,
          snapshotKb: Math.round(JSON.stringify([...snapshot]).length / 1024),
          heapMb: Math.round(process.memoryUsage().heapUsed / 2 ** 20),
        });
      }
    }
    console.log(`${from} to ${until}: ${hours} hours, ${market.orders} orders, ${market.restarts} restarts`);
    for (const each of sizes) console.log(JSON.stringify(each));
    expect(market.restarts).toBeGreaterThan(0);
    expect(market.totals()[0]?.settled.contracts).toBeGreaterThan(0);
    expect(Math.max(...sizes.map(({ contracts }) => contracts))).toBeLessThan(400);
    if (!LONG) return;
    expect([...daysOfHours].sort()).toEqual([23, 24, 25]);
    const settled = sizes.filter(({ day }) => day > 120);
    const late = (of: "contracts" | "heapMb") => Math.max(...settled.slice(-6).map((each) => each[of]));
    const early = (of: "contracts" | "heapMb") => Math.max(...settled.slice(0, 6).map((each) => each[of]));
    expect(late("contracts")).toBeLessThan(early("contracts") * 1.1);
    // Orders and trades of next year's contracts stay until that year is over, and the test makes more all the time.
    expect(late("heapMb")).toBeLessThan(early("heapMb") + 20);
  });
});
