// The exchange trades as the engine does: the same random orders, changes and cancels at the same times give the same
// trades, books and order ends, with scarce credit, a schedule and deliveries.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ModuleData } from "../../../protocol/modules/registry.ts";
import type { EventMessage } from "../../../protocol/index.ts";
import type { MarketDefinition } from "../../../engine/definition/market-definition.ts";
import { Engine } from "../../../engine/engine.ts";
import type { Execution } from "../../../engine/api/market-engine.ts";
import { Exchange } from "../../../engine/embedded/exchange.ts";
import type { TradeFact } from "../../../engine/embedded/fact-recorder.ts";
import type { ReadonlyOrder } from "../../../engine/embedded/read-only.ts";
import type { ContractState } from "../../../engine/state/market-state.ts";
import { BUY, SELL } from "../../../engine/market/order-book.ts";
import { kilowattsOf, megawattsOf } from "../../../engine/market/units.ts";
import { size } from "../../support/sizes.ts";
import { EPOCH, scheduledMarket, smallMarket, START, USERS, withMonth } from "../support/market.ts";
import { weighted } from "../support/weighted-command.ts";
import { eventsOf, resultOf, snapshotOf } from "../../support/executions.ts";

const RUNS = size(15, 1_000);
const CONTRACTS = ["N-H12", "S-PK"] as const;
const TRADERS = [
  { userId: USERS.alpha, entityId: "ALPHA" },
  { userId: USERS.beta, entityId: "BETA" },
  { userId: USERS.gamma, entityId: "GAMMA" },
  { userId: USERS.alphaSecond, entityId: "ALPHA" },
] as const;

const terms = { price: fc.integer({ min: -3, max: 4 }), quantity: fc.integer({ min: 1, max: 8 }) };
const command = fc.oneof(
  weighted(30, "submit", {
    trader: fc.constantFrom(...TRADERS),
    contractId: fc.constantFrom(...CONTRACTS),
    side: fc.constantFrom(BUY, SELL),
    ...terms,
  }),
  weighted(12, "modify", { pick: fc.nat(50), ...terms }),
  weighted(4, "cancel", { pick: fc.nat(50) }),
  weighted(3, "wait", { minutes: fc.integer({ min: 1, max: 900 }) }),
);
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * At most 100,000 dollars of credit between two entities, no documents between ALPHA and GAMMA, open from 09:00 to
 * 17:00.
 */
function scarceMarket(): MarketDefinition {
  const definition = scheduledMarket();
  return {
    ...definition,
    contracts: definition.contracts.map((contract) => ({ ...contract, hours: 1 })),
    credit: [
      { entityId: "ALPHA", counterpartyId: "GAMMA", limits: [], documentation: "no_docs" },
      {
        entityId: "BETA",
        counterpartyId: "GAMMA",
        limits: [{ limitType: "mw", scope: "total", limit: 12, marginPercent: 100 }],
        documentation: "docs_in_place",
      },
    ],
  };
}

interface SeenTrade {
  readonly contractId: string;
  readonly price: number;
  /** kW. */
  readonly quantity: number;
  readonly resting: string;
  readonly aggressor: string;
}

/** Both markets, with the same commands. */
class Twins {
  readonly engine = new Engine(scarceMarket(), { epoch: EPOCH, now: START, engineId: "twin", secret: null });
  readonly exchange = new Exchange(scarceMarket(), START);
  /** Keys on the exchange, by the engine's ids. Both number their orders alike. */
  readonly keys = new Map<string, number>();
  trades = 0;
  #now = START;
  #operations = 0;

  carryOut(command: Command): void {
    if (command.kind === "wait") return this.#wait(command.minutes);
    const ids = [...this.keys.keys()];
    if (command.kind === "submit") this.#submit(command);
    else {
      const orderId = ids[command.pick % Math.max(1, ids.length)];
      if (orderId === undefined) return;
      if (command.kind === "modify") this.#modify(orderId, command.price, command.quantity);
      else this.#cancel(orderId);
    }
  }

  #submit({ trader, contractId, side, price: steps, quantity: lots }: Extract<Command, { kind: "submit" }>): void {
    const { price, quantity } = termsOn(contractId, steps, lots);
    const contract = [...this.exchange.contracts].find(({ id }) => id === contractId);
    if (contract === undefined) throw new Error(`no contract ${contractId}`);
    const submit = () => this.exchange.submit(trader.userId, contract, side, price, quantity);
    // The exchange refuses an order that the engine would hold, so it is not sent to the engine.
    if (!contract.expired && !this.exchange.isOpen(contract)) {
      expect(submit()).toEqual({ accepted: false, code: "not_open" });
      return;
    }
    const payload = { contractId, side, price, quantity: megawattsOf(quantity) };
    const execution = this.#execute(trader.userId, "order.submit", payload);
    const { response } = execution;
    const orderId = String((resultOf(execution) as { order?: { id: string } } | undefined)?.order?.id);
    const answer = submit();
    if (!answer.accepted) return expect<string | undefined>(response?.code).toBe(answer.code);
    this.keys.set(orderId, answer.order.key);
    this.#compareTrades(eventsOf(execution), answer.trades);
  }

  #modify(orderId: string, steps: number, lots: number): void {
    const order = this.exchange.order(this.keys.get(orderId) ?? 0);
    if (order === undefined || !this.exchange.isOpen(order.contract)) return;
    const { price, quantity } = termsOn(order.contract.id, steps, lots);
    const payload = { orderId, price, quantity: megawattsOf(quantity) };
    const execution = this.#execute(order.userId, "order.modify", payload);
    const { response } = execution;
    const answer = this.exchange.modify(order, price, quantity);
    if (answer.accepted) this.#compareTrades(eventsOf(execution), answer.trades);
    else expect<string | undefined>(response?.code).toBe(answer.code);
  }

  #cancel(orderId: string): void {
    const order = this.exchange.order(this.keys.get(orderId) ?? 0);
    if (order === undefined) return;
    const { response } = this.#execute(order.userId, "order.cancel", { orderId });
    expect(response?.status).toBe("ok");
    this.exchange.cancel(order);
  }

  #wait(minutes: number): void {
    this.#now += minutes * 60_000;
    const events = eventsOf(this.engine.advance(this.#now));
    const expired: ReadonlyOrder[] = [];
    const trades: TradeFact[] = [];
    while (this.exchange.nextDeadline <= this.#now) {
      const passage = this.exchange.processDeadline();
      expired.push(...passage.expired);
      trades.push(...passage.trades);
    }
    this.#compareTrades(events, trades);
    const ended = events.filter(({ type }) => type === "expire.order").map(({ data }) => String(data["id"]));
    expect(expired.map(({ id }) => id)).toEqual(ended);
  }

  #execute(userId: string, action: string, payload: unknown): Execution {
    return this.engine.execute({ userId, operationId: `op-${++this.#operations}`, action, payload }, this.#now);
  }

  #compareTrades(events: readonly EventMessage[], trades: readonly TradeFact[]): void {
    const expected = events.filter(({ type }) => type === "new.trade").map(({ data }) =>
      seen(data as ModuleData<"TRADE">)
    );
    const actual = trades.map(({ resting, aggressor, price, quantity }): SeenTrade => ({
      contractId: resting.contract.id,
      price,
      quantity,
      resting: resting.id,
      aggressor: aggressor.id,
    }));
    expect(actual).toEqual(expected);
    this.trades += actual.length;
  }

  compareBooks(): void {
    const modules = new Map(snapshotOf(this.engine, this.#now).map(({ statePath, state }) => [statePath, state]));
    for (const { id, bookId, book } of this.exchange.contracts as Iterable<ContractState>) {
      const { bids, asks } = modules.get(`/ENGINE/${bookId}`) as ModuleData<"ENGINE">;
      for (const [side, levels] of [[BUY, bids], [SELL, asks]] as const) {
        const shown = book.depth(side, 10).map(({ price, volume, orderCount }) => ({
          price,
          volume: megawattsOf(volume),
          orderCount,
        }));
        expect({ id, side, levels: shown }).toEqual({ id, side, levels: [...levels] });
      }
    }
    const orders = [...modules].filter(([path]) => path.startsWith("/ORDER/")).map(([, order]) => order);
    expect(this.exchange.openOrders).toBe(orders.filter((order) => order?.["closeReason"] === null).length);
  }
}

function seen({ contractId, price, quantity, buyOrderId, sellOrderId, aggressorSide }: ModuleData<"TRADE">): SeenTrade {
  const [aggressor, resting] = aggressorSide === BUY ? [buyOrderId, sellOrderId] : [sellOrderId, buyOrderId];
  return { contractId, price, quantity: kilowattsOf(quantity) ?? NaN, resting, aggressor };
}

/** Prices around 0, where notional is small, up to 2,000 cents; mostly whole ticks and lots. */
function termsOn(contractId: string, steps: number, lots: number): { price: number; quantity: number } {
  const odd = steps === 4 && lots === 8;
  return contractId === "S-PK"
    ? { price: steps * 500 + (odd ? 1 : 0), quantity: lots * 500 }
    : { price: steps * 500, quantity: lots * 1_000 + (odd ? 1 : 0) };
}

describe("an exchange", () => {
  test("trades, rests and expires orders as the engine does", () => {
    let trades = 0;
    fc.assert(
      fc.property(fc.array(command, { minLength: 30, maxLength: 120 }), (commands) => {
        const twins = new Twins();
        twins.carryOut({ kind: "wait", minutes: 90 });
        for (const command of commands) {
          twins.carryOut(command);
          twins.compareBooks();
        }
        trades += twins.trades;
      }),
      { numRuns: RUNS },
    );
    expect(trades).toBeGreaterThan(RUNS);
  });
});

test("while the market is not open orders are neither taken nor changed, only cancelled, and none of them counts", () => {
  const exchange = new Exchange(scheduledMarket(), START);
  const contract = exchange.contract("N-H12");
  const until = (isOpen: boolean) => {
    while (exchange.isOpen(contract) !== isOpen) exchange.processDeadline();
  };
  const notOpen = { accepted: false, code: "not_open" } as const;
  expect(exchange.submit(USERS.alpha, contract, BUY, 5, 1_000)).toEqual(notOpen);
  until(true);
  const taken = exchange.submit(USERS.alpha, contract, BUY, 5, 3_000);
  if (!taken.accepted) return expect.unreachable();
  until(false);
  expect([exchange.submit(USERS.beta, contract, SELL, 5, 1_000), exchange.modify(taken.order, 6, 2_000)])
    .toEqual([notOpen, notOpen]);
  expect([exchange.order(taken.order.key)?.price, exchange.order(taken.order.key)?.quantity]).toEqual([5, 3_000]);
  expect([exchange.commands, exchange.openOrders]).toEqual([1, 1]);
  exchange.cancel(taken.order);
  expect([exchange.commands, exchange.openOrders, exchange.order(taken.order.key)]).toEqual([2, 0, undefined]);
});

test("once delivery has begun orders are refused as those of the engine are, and at last nothing is due any more", () => {
  const exchange = new Exchange(smallMarket(), START);
  const contract = exchange.contract("N-H12");
  const taken = exchange.submit(USERS.alpha, contract, BUY, 5, 1_000);
  if (!taken.accepted) return expect.unreachable();
  expect(exchange.nextDeadline).toBe(Date.parse(contract.definition.deliveryStart));
  expect(exchange.processDeadline()).toEqual({
    trades: [],
    expired: [taken.order],
    changes: [{ kind: "expired", contractId: "N-H12" }],
  });
  expect([exchange.isOpen(contract), exchange.openOrders]).toEqual([false, 0]);
  expect(exchange.submit(USERS.beta, contract, SELL, 5, 1_000)).toEqual({ accepted: false, code: "contract_expired" });
  expect(exchange.commands).toBe(2);
  const removed: string[] = [];
  while (exchange.nextDeadline < Infinity) {
    const { changes, expired, trades } = exchange.processDeadline();
    expect([expired, trades]).toEqual([[], []]);
    removed.push(...changes.map(({ kind, contractId }) => `${kind} ${contractId}`));
  }
  expect(removed).toEqual(["expired S-PK", "removed N-H12", "removed S-PK"]);
  expect([...exchange.contracts]).toEqual([]);
  expect(() => exchange.contract("N-H12")).toThrow("contract N-H12");
});

test("a contract that a rule lists is told of by its id, and taken from then on", () => {
  const exchange = new Exchange(withMonth(), START);
  while (exchange.nextDeadline < Date.parse("2026-02-01T05:00:00Z")) exchange.processDeadline();
  expect(exchange.processDeadline().changes).toEqual([
    { kind: "expired", contractId: "N-HOUR-2026-02" },
    { kind: "listed", contractId: "N-HOUR-2026-03" },
  ]);
  const taken = exchange.submit(USERS.alpha, exchange.contract("N-HOUR-2026-03"), BUY, 5, 1_000);
  expect(taken.accepted).toBe(true);
});

test("credit is exhausted if limits exclude every trade, and neither if some is left nor if no limit was set", () => {
  const limits = (limit: number) => [{ limitType: "mw", scope: "total", limit, marginPercent: 100 }] as const;
  const exchange = new Exchange({
    ...smallMarket(),
    creditDefaults: undefined,
    credit: [
      { entityId: "ALPHA", counterpartyId: "BETA", limits: [...limits(2)], documentation: "docs_in_place" },
      { entityId: "BETA", counterpartyId: "ALPHA", limits: [...limits(9)], documentation: "docs_in_place" },
    ],
  }, START);
  const exhausted = () => ["ALPHA", "BETA", "GAMMA"].map((id) => exchange.isCreditExhausted(id));
  expect(exhausted()).toEqual([false, false, false]);
  const contract = exchange.contract("N-H12");
  exchange.submit(USERS.alpha, contract, BUY, 5, 3_000);
  const sold = exchange.submit(USERS.beta, contract, SELL, 5, 3_000);
  expect(sold.accepted && sold.trades.map(({ quantity }) => quantity)).toEqual([2_000]);
  expect(exhausted()).toEqual([true, false, false]);
});
