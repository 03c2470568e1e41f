// Random commands against one engine, sessions and clock included. EngineDriver checks each message against the protocol
// and the client's modules against a snapshot. After each command this test also checks
// the invariants of the market (market-checks.ts).

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { MarketDefinition } from "../../engine/definition/market-definition.ts";
import { WEEKDAYS } from "../../engine/market/session-schedule.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";
import { type Checked, EngineDriver } from "./support/engine-driver.ts";
import { scheduledMarket, SECRET, USERS } from "./support/market.ts";
import { checkBooks, checkCredit, checkOrders, mayTrade } from "./support/market-checks.ts";
import { weighted } from "./support/weighted-command.ts";
import { size } from "../support/sizes.ts";

const RUNS = size(3, 100);
const CONTRACTS = ["N-H12", "S-PK"] as const;
const ENTITIES = ["ALPHA", "BETA", "GAMMA"] as const;
const TRADERS = [USERS.alpha, USERS.beta, USERS.gamma, USERS.blind] as const;
const DOCUMENTATION = ["docs_in_place", "docs_in_place", "docs_in_place", "no_docs", "pending"] as const;

const contract = fc.constantFrom(...CONTRACTS);
const steps = { price: fc.integer({ min: -2, max: 3 }), quantity: fc.integer({ min: 1, max: 6 }) };
const pair = fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 2 })).map(([entity, further]) => ({
  entityId: ENTITIES[entity] ?? "ALPHA",
  counterpartyId: ENTITIES[(entity + further) % 3] ?? "BETA",
}));
const limit = fc.record({
  limitType: fc.constantFrom("notional", "mw", "mwh"),
  contractId: fc.option(contract, { nil: undefined }),
  limit: fc.constantFrom(0, 2.5, 8, 20, 20, 60, 60, 200),
  marginPercent: fc.constantFrom(100, 50, 12.5, 0),
});

const command = fc.oneof(
  weighted(30, "submit", {
    userId: fc.constantFrom(...TRADERS),
    contractId: contract,
    side: fc.constantFrom(0 as const, 1 as const),
    timeInForce: fc.constantFrom("gtc" as const, "day" as const),
    ...steps,
  }),
  weighted(4, "modify", { pick: fc.nat(1000), ...steps }),
  weighted(3, "cancel", { pick: fc.nat(1000) }),
  weighted(3, "limit", { pair, limit }),
  weighted(4, "documents", { pair, status: fc.constantFrom(...DOCUMENTATION) }),
  weighted(1, "halt", {}),
  weighted(3, "resume", {}),
  weighted(1, "flushEngine", { contractId: contract }),
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("flushAll", "reset", "reset", "repeat") }) },
  weighted(2, "advance", { minutes: fc.integer({ min: 1, max: 240 }) }),
);
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

/** Every day except a quarter of an hour at midnight, of which five minutes are preopen. */
const SCHEDULE = { days: [...WEEKDAYS], preopen: "00:05", open: "00:10", close: "23:55" };

function randomMarket(): MarketDefinition {
  return {
    ...scheduledMarket(SCHEDULE),
    creditDefaults: {
      limits: [{ limitType: "notional", scope: "total", limit: 20, marginPercent: 100 }],
      documentation: "docs_in_place",
    },
  };
}

/** Runs commands and notes the arrival of each order; a larger number means a later arrival. */
class RandomRun {
  readonly engine = new EngineDriver(randomMarket());
  readonly arrivals = new Map<string, number>();
  /** MW of each order whose fills have been flushed. */
  readonly flushedFills = new Map<string, number>();
  /** How many reasons orders have had for not trading. */
  reasons = 0;
  #lastArrival = 0;
  #lastSubmission: { userId: string; payload: unknown; operationId: string } | null = null;

  carryOut(command: Command, number: number): void {
    const before = new Map(this.engine.all("ORDER").map((order) => [order.id, order]));
    const wasMatching = this.engine.module("MARKET", "M1").status === "open";
    const checked = this.#execute(command, number);
    this.#noteArrivals(checked, before);
    const mayMatch = wasMatching || this.engine.module("MARKET", "M1").status === "open" || command.kind === "advance";
    if (!mayMatch) expect(checked.eventTypes).not.toContain("new.trade");
    if (command.kind === "repeat") expect([checked.paths, checked.eventTypes]).toEqual([[], []]);
    this.#checkTrades(checked);
    if (command.kind === "flushAll") this.#noteFlush(checked);
    checkOrders(this.engine, this.flushedFills);
    const open = this.engine.all("ORDER").filter(({ closeReason }) => closeReason === null);
    const preview = this.engine.execute(USERS.operator, "market.flush", { preview: true });
    expect(preview.result).toEqual({ ordersAffected: open.length });
    checkBooks(this.engine);
    checkCredit(this.engine);
    this.#checkNothingLeftToTrade();
    this.#checkReasons();
  }

  #execute(command: Command, number: number): Checked {
    const { engine } = this;
    switch (command.kind) {
      case "submit": {
        const { kind: _, userId, ...terms } = command;
        this.#lastSubmission = { userId, payload: { ...terms, ...scaled(terms) }, operationId: `random-${number}` };
        return engine.send(userId, "order.submit", this.#lastSubmission.payload, this.#lastSubmission.operationId);
      }
      case "modify": {
        const order = this.#pick(command.pick);
        if (order === undefined) return engine.advanceTo(this.#now());
        return engine.execute(order.userId, "order.modify", {
          orderId: order.id,
          ...scaled({ ...command, contractId: order.contractId }),
        });
      }
      case "cancel":
        return engine.execute(USERS.operator, "order.cancel", { orderId: this.#pick(command.pick)?.id ?? "ORD-0" });
      case "limit": {
        const scope = command.limit.contractId === undefined ? "total" : "per_contract";
        return engine.execute(USERS.operator, "credit.setLimit", { ...command.pair, ...command.limit, scope });
      }
      case "documents":
        return engine.execute(USERS.operator, "credit.setDocumentation", { ...command.pair, status: command.status });
      case "halt":
        return engine.execute(USERS.operator, "market.halt", {});
      case "resume":
        return engine.execute(USERS.operator, "market.resume", {});
      case "flushEngine":
        return engine.execute(USERS.operator, "engine.flush", { engineId: `ENG-${command.contractId}` });
      case "flushAll":
        return engine.execute(USERS.operator, "market.flush", {});
      case "reset":
        return engine.execute(USERS.viewer, "dev.reset", { secret: SECRET, creditLimit: 15 });
      case "repeat": {
        if (this.#lastSubmission === null) return engine.advanceTo(this.#now());
        const { userId, payload, operationId } = this.#lastSubmission;
        return engine.send(userId, "order.submit", payload, operationId);
      }
      case "advance":
        return engine.advanceTo(new Date(engine.now + command.minutes * 60_000).toISOString());
    }
  }

  #noteFlush({ outcome }: Checked): void {
    expect(outcome).toBe("ok");
    expect(this.engine.all("FILL")).toEqual([]);
    for (const { id, closeReason, filledQuantity } of this.engine.all("ORDER")) {
      expect(closeReason).not.toBeNull();
      this.flushedFills.set(id, filledQuantity);
    }
  }

  #now(): string {
    return new Date(this.engine.now).toISOString();
  }

  /** Any order, open or closed. */
  #pick(pick: number): ModuleData<"ORDER"> | undefined {
    const orders = this.engine.all("ORDER");
    return orders[pick % Math.max(orders.length, 1)];
  }

  #noteArrivals({ events }: Checked, before: ReadonlyMap<string, ModuleData<"ORDER">>): void {
    const [first] = events;
    for (const event of events) {
      const id = String(event.data.id);
      const previous = before.get(id);
      const changed = event === first && event.type === "change.order" && previous !== undefined &&
        (previous.price !== event.data.price || previous.quantity < Number(event.data.quantity));
      if (event.type === "new.order" || event.type === "release.order" || changed) {
        this.arrivals.set(id, ++this.#lastArrival);
      }
    }
  }

  /** Of two orders that traded the older one was resting and gave the price; the aggressor's limit was kept. */
  #checkTrades({ events }: Checked): void {
    const fills = events.filter(({ type }) => type === "new.fill").map(({ data }) => data);
    const terms = new Map(
      events.filter(({ type }) => type.endsWith(".order")).map(({ data }) => [data.id, data]),
    );
    for (let at = 0; at < fills.length; at += 2) {
      const [resting, aggressor] = [fills[at], fills[at + 1]];
      if (resting === undefined || aggressor === undefined) throw new Error("a fill without its other side");
      expect([resting.liquidity, aggressor.liquidity, aggressor.tradeId]).toEqual([
        "resting",
        "aggressor",
        resting.tradeId,
      ]);
      expect(this.#arrivalOf(resting.orderId)).toBeLessThan(this.#arrivalOf(aggressor.orderId));
      expect(resting.price).toBe(terms.get(resting.orderId)?.price);
      const limitPrice = Number(terms.get(aggressor.orderId)?.price);
      if (aggressor.side === 0) expect(Number(aggressor.price)).toBeLessThanOrEqual(limitPrice);
      else expect(Number(aggressor.price)).toBeGreaterThanOrEqual(limitPrice);
    }
  }

  /** An open order has a reason for each MW that it crosses and may not trade with, and for no other. */
  #checkReasons(): void {
    const { engine } = this;
    const orders = engine.all("ORDER");
    const isMatching = engine.module("MARKET", "M1").status === "open";
    for (const order of orders) {
      const explained = engine.explain(order.id, USERS.operator);
      const ofMarket = explained.filter(({ reason }) => reason.startsWith("market_"));
      expect(explained.slice(ofMarket.length).every(({ counterpartyId }) => counterpartyId !== null)).toBe(true);
      const crossed = orders.filter((other) => order.closeReason === null && isResting(other) && cross(order, other));
      const expected = new Map<string, number>();
      for (const other of crossed) {
        const isOlder = order.status === "held" || this.#arrivalOf(other.id) < this.#arrivalOf(order.id);
        const price = isOlder ? other.price : order.price;
        if (mayTrade(engine, order.entityId, other.entityId, order.contractId, price)) continue;
        expected.set(other.entityId, (expected.get(other.entityId) ?? 0) + other.remainingQuantity);
      }
      const most = new Map<string, number>();
      for (const { counterpartyId, quantity } of explained.slice(ofMarket.length)) {
        most.set(counterpartyId ?? "", Math.max(quantity, most.get(counterpartyId ?? "") ?? 0));
      }
      expect([...most.keys()].toSorted()).toEqual([...expected.keys()].toSorted());
      for (const [entityId, quantity] of most) expect(quantity).toBeLessThanOrEqual(expected.get(entityId) ?? 0);
      const allCrossed = crossed.reduce((sum, { remainingQuantity }) => sum + remainingQuantity, 0);
      expect(ofMarket.map(({ quantity }) => quantity)).toEqual(isMatching || allCrossed === 0 ? [] : [allCrossed]);
      this.reasons += explained.length;
    }
  }

  #arrivalOf(orderId: unknown): number {
    const arrival = this.arrivals.get(String(orderId));
    if (arrival === undefined) throw new Error(`order ${orderId} never arrived`);
    return arrival;
  }

  /** In an open market no two crossed orders may trade with each other. */
  #checkNothingLeftToTrade(): void {
    const { engine } = this;
    if (engine.module("MARKET", "M1").status !== "open") return;
    const working = engine.all("ORDER").filter(({ status }) => status === "working" || status === "partial");
    for (const buy of working.filter(({ side }) => side === 0)) {
      for (const sell of working.filter(({ side }) => side === 1)) {
        if (buy.contractId !== sell.contractId || buy.price < sell.price) continue;
        const older = this.#arrivalOf(buy.id) < this.#arrivalOf(sell.id) ? buy : sell;
        const left = `${buy.id} and ${sell.id} could trade at ${older.price}`;
        expect(mayTrade(engine, buy.entityId, sell.entityId, buy.contractId, older.price) ? left : "").toBe("");
      }
    }
  }
}

function isResting({ status }: ModuleData<"ORDER">): boolean {
  return status === "working" || status === "partial";
}

function cross(order: ModuleData<"ORDER">, other: ModuleData<"ORDER">): boolean {
  if (order.contractId !== other.contractId || order.side === other.side) return false;
  return order.side === 0 ? order.price >= other.price : order.price <= other.price;
}

/** Converts steps of the contract's tick and lot to cents and MW. */
function scaled(terms: { contractId: string; price: number; quantity: number }): { price: number; quantity: number } {
  return terms.contractId === "S-PK"
    ? { price: terms.price * 5, quantity: terms.quantity / 2 }
    : { price: terms.price, quantity: terms.quantity };
}

describe("a random run of the market", () => {
  test("keeps every invariant after each command", () => {
    let trades = 0;
    let reasons = 0;
    fc.assert(
      fc.property(fc.array(command, { minLength: 30, maxLength: 120, size: "max" }), (commands) => {
        const run = new RandomRun();
        commands.forEach((command, number) => run.carryOut(command, number));
        trades += run.engine.all("TRADE").length;
        reasons += run.reasons;
      }),
      { numRuns: RUNS },
    );
    expect(trades).toBeGreaterThan(4 * RUNS);
    expect(reasons).toBeGreaterThan(5 * RUNS);
  });
});
