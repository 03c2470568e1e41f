// Random runs of a market whose contracts are traded, delivered and removed, with checkpoints and a short history. After
// each call every entity's positions are compared with those that a reference computes in fractions, from the trades and
// spot prices that the calls have published.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ContractPosition, EventMessage } from "../../../protocol/index.ts";
import type { MarketDefinition } from "../../../engine/definition/market-definition.ts";
import { EngineDriver } from "../support/engine-driver.ts";
import { SECRET, smallMarket, START, USERS } from "../support/market.ts";
import { weighted } from "../support/weighted-command.ts";
import { size } from "../../support/sizes.ts";

const RUNS = size(5, 1000);
const HOUR = 3_600_000;
const KEPT_HOURS = 3;
const ENTITIES = ["ALPHA", "BETA", "GAMMA"] as const;
/** N-H12 delivers one hour, 6 hours after the start; S-PK 16 of 20 hours, 10 hours after the start. */
const DELIVERIES = new Map([
  ["N-H12", { after: 6, lasts: 1, hours: 1 }],
  ["S-PK", { after: 10, lasts: 20, hours: 16 }],
]);
/** Of a displayed number of dollars. */
const ROUNDING = 0.000051;

const command = fc.oneof(
  weighted(60, "submit", {
    userId: fc.constantFrom(USERS.alpha, USERS.beta, USERS.gamma, USERS.blind),
    contractId: fc.constantFrom("N-H12", "S-PK"),
    side: fc.constantFrom(0 as const, 1 as const),
    price: fc.integer({ min: -4, max: 4 }).map((steps) => steps * 1005),
    quantity: fc.integer({ min: 1, max: 9 }),
  }),
  weighted(4, "spot", { node: fc.constantFrom("NORTH", "SOUTH"), price: fc.integer({ min: -3000, max: 9000 }) }),
  weighted(4, "advance", { minutes: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 60, max: 600 })) }),
  weighted(6, "operate", {
    action: fc.constantFrom("market.flush", "market.halt", ...Array(4).fill("market.resume" as const)),
  }),
  weighted(1, "restore", {}),
);
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

function market(): MarketDefinition {
  const definition = smallMarket();
  const at = (hours: number) => new Date(START + hours * HOUR).toISOString();
  return {
    ...definition,
    markets: definition.markets.map((each) => ({ ...each, keepDeliveredHours: KEPT_HOURS })),
    contracts: definition.contracts.map((contract) => {
      const { after = 0, lasts = 0 } = DELIVERIES.get(contract.id) ?? {};
      return { ...contract, deliveryStart: at(after), deliveryEnd: at(after + lasts) };
    }),
  };
}

interface ReferenceTrade {
  readonly change: number;
  readonly price: number;
}

/** Net quantity, cash and average-cost profit of a list of trades; MW and cents, in floating point. */
function replayed(trades: readonly ReferenceTrade[], hours: number) {
  let [net, cash, average, realised, bought, sold] = [0, 0, 0, 0, 0, 0];
  for (const { change, price } of trades) {
    if (change > 0) bought += change;
    else sold -= change;
    cash -= change * price * hours;
    if (net * change >= 0) average = (average * net + price * change) / (net + change);
    else {
      const closed = Math.min(Math.abs(net), Math.abs(change)) * Math.sign(change);
      realised += (average - price) * closed * hours;
      if (Math.abs(change) > Math.abs(net)) average = price;
    }
    net += change;
  }
  return { net, cash, average, realised, bought, sold };
}

class PositionRun {
  engine = new EngineDriver(market(), SECRET, { closedOrders: 3, trades: 2 });
  trades = 0;
  settled = 0;
  readonly sources = new Set<string>();
  readonly #trades = new Map<string, ReferenceTrade[]>();
  readonly #spot = new Map<string, number[]>();
  readonly #settled = new Map<string, { contracts: number; profit: number }>();
  readonly #removed = new Set<string>();

  carryOut(command: Command): void {
    const { engine } = this;
    switch (command.kind) {
      case "submit": {
        const { kind: _, userId, ...terms } = command;
        return this.#note(engine.execute(userId, "order.submit", terms).events);
      }
      case "spot":
        return this.#publish(command.node, command.price);
      case "advance":
        return this.#note(engine.advanceTo(new Date(engine.now + command.minutes * 60_000).toISOString()).events);
      case "operate":
        return this.#note(engine.execute(USERS.operator, command.action, {}).events);
      case "restore":
        this.engine = EngineDriver.restored(engine, market());
    }
  }

  check(): void {
    for (const [contractId, { after, lasts }] of DELIVERIES) {
      if (this.engine.now >= START + (after + lasts + KEPT_HOURS) * HOUR) this.#settle(contractId);
    }
    const profits = ENTITIES.map((entityId) => this.#checkEntity(entityId));
    expect(Math.abs(profits.reduce((sum, profit) => sum + profit, 0))).toBeLessThan(3 * ROUNDING);
  }

  #checkEntity(entityId: string): number {
    const { positions, totals } = this.engine.engine.positions(entityId, this.engine.now) ?? {};
    if (positions === undefined || totals === undefined) throw new Error(`there is no entity ${entityId}`);
    const traded = [...DELIVERIES.keys()].filter((id) =>
      !this.#removed.has(id) && this.#trades.has(`${entityId} ${id}`)
    );
    expect(positions.map(({ contractId }) => contractId)).toEqual(traded);
    for (const position of positions) this.#checkPosition(entityId, position);
    const settled = this.#settled.get(entityId) ?? { contracts: 0, profit: 0 };
    expect(totals.settled.contracts).toBe(settled.contracts);
    near(totals.settled.profit, settled.profit);
    near(totals.profit, positions.reduce((sum, { profit }) => sum + profit, settled.profit), 4);
    near(totals.profit, totals.realisedProfit + totals.unrealisedProfit, 3);
    return totals.profit;
  }

  #checkPosition(entityId: string, position: ContractPosition): void {
    const { contractId, netQuantity, boughtQuantity, soldQuantity, averagePrice, mark, markSource } = position;
    const { hours = 0 } = DELIVERIES.get(contractId) ?? {};
    const { net, cash, average, realised, bought, sold } = this.#replayed(entityId, contractId);
    this.sources.add(markSource);
    expect([netQuantity, boughtQuantity, soldQuantity]).toEqual([net, bought, sold]);
    expect(position.netEnergy).toBe(net * hours);
    expect([markSource, mark]).toEqual(this.#markOf(contractId));
    if (net === 0) expect(averagePrice).toBeNull();
    else near(averagePrice ?? NaN, average);
    near(position.cash, cash / 100);
    const profit = (cash + net * hours * mark) / 100;
    const isDelivered = this.engine.now >= this.#deliveryOf(contractId).end;
    near(position.profit, profit);
    near(position.realisedProfit, isDelivered ? profit : realised / 100);
    near(position.unrealisedProfit, isDelivered ? 0 : profit - realised / 100);
  }

  #replayed(entityId: string, contractId: string) {
    return replayed(this.#trades.get(`${entityId} ${contractId}`) ?? [], DELIVERIES.get(contractId)?.hours ?? 0);
  }

  /** From what a client sees, as long as the contract is in the market. */
  #markOf(contractId: string): [source: ContractPosition["markSource"], mark: number] {
    const { bestBid, bestAsk, lastPrice } = this.engine.module("ENGINE", `ENG-${contractId}`);
    const isListed = this.engine.now < this.#deliveryOf(contractId).start;
    if (isListed && bestBid !== null && bestAsk !== null && bestBid < bestAsk) return ["book", (bestBid + bestAsk) / 2];
    const prices = this.#spot.get(contractId) ?? [];
    if (prices.length === 0) return ["trade", lastPrice ?? NaN];
    const mean = prices.reduce((sum, price) => sum + price, 0) / prices.length;
    return ["spot", Number((Math.sign(mean) * Math.round(Math.abs(mean) * 1e6) / 1e6).toFixed(6))];
  }

  #publish(node: string, price: number): void {
    const time = new Date(this.engine.now).toISOString();
    this.engine.execute(USERS.publisher, "spot.publish", { prices: [{ node, price, regime: "base", time }] });
    const contractId = node === "NORTH" ? "N-H12" : "S-PK";
    const { start, end } = this.#deliveryOf(contractId);
    if (this.engine.now < start || this.engine.now >= end) return;
    this.#spot.set(contractId, [...this.#spot.get(contractId) ?? [], price]);
  }

  #settle(contractId: string): void {
    if (this.#removed.has(contractId)) return;
    this.#removed.add(contractId);
    const prices = this.#spot.get(contractId) ?? [this.#lastPrice.get(contractId) ?? NaN];
    const mark = prices.reduce((sum, price) => sum + price, 0) / prices.length;
    for (const entityId of ENTITIES) {
      if (!this.#trades.has(`${entityId} ${contractId}`)) continue;
      const { net, cash } = this.#replayed(entityId, contractId);
      const settled = this.#settled.get(entityId) ?? { contracts: 0, profit: 0 };
      const profit = (cash + net * (DELIVERIES.get(contractId)?.hours ?? 0) * mark) / 100;
      this.#settled.set(entityId, { contracts: settled.contracts + 1, profit: settled.profit + profit });
      this.settled += 1;
    }
  }

  readonly #lastPrice = new Map<string, number>();

  #note(events: readonly EventMessage[]): void {
    for (const { type, data } of events) {
      if (type !== "new.trade") continue;
      const { contractId, price, quantity, buyEntityId, sellEntityId } = data;
      this.trades += 1;
      this.#lastPrice.set(String(contractId), Number(price));
      this.#add(`${buyEntityId} ${contractId}`, { change: Number(quantity), price: Number(price) });
      this.#add(`${sellEntityId} ${contractId}`, { change: -Number(quantity), price: Number(price) });
    }
  }

  #add(key: string, trade: ReferenceTrade): void {
    this.#trades.set(key, [...this.#trades.get(key) ?? [], trade]);
  }

  #deliveryOf(contractId: string): { start: number; end: number } {
    const { after = 0, lasts = 0 } = DELIVERIES.get(contractId) ?? {};
    return { start: START + after * HOUR, end: START + (after + lasts) * HOUR };
  }
}

function near(shown: number, expected: number, roundings = 1): void {
  const distance = Math.abs(shown - expected);
  if (!(distance <= roundings * ROUNDING)) expect(shown).toBe(expected);
}

describe("positions of entities", () => {
  test("are those of all trades, whatever is forgotten, flushed, delivered, removed or restored", () => {
    let [trades, settled] = [0, 0];
    const sources = new Set<string>();
    fc.assert(
      fc.property(fc.array(command, { minLength: 40, maxLength: 200, size: "max" }), (commands) => {
        const run = new PositionRun();
        for (const command of commands) {
          run.carryOut(command);
          run.check();
        }
        trades += run.trades;
        settled += run.settled;
        for (const source of run.sources) sources.add(source);
      }),
      { numRuns: RUNS },
    );
    expect(trades).toBeGreaterThan(3 * RUNS);
    expect(settled).toBeGreaterThan(RUNS / 8);
    expect([...sources].sort()).toEqual(["book", "spot", "trade"]);
  });
});
