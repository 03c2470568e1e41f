// A persona stays within its limits for any quotes of its strategy and any answers of the market.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { BUY, type Side } from "../../../engine/market/order-book.ts";
import type { PersonaLimits } from "../../../sim/personas/limits.ts";
import type { PersonaAction } from "../../../sim/personas/persona.ts";
import type { StrategyPersona } from "../../../sim/personas/strategy-persona.ts";
import type { TradedContract } from "../../../sim/personas/traded-contract.ts";
import type { Strategy } from "../../../sim/strategies/strategy.ts";
import { size } from "../../support/sizes.ts";
import { contract, personaWith, START, view } from "./support.ts";

const RUNS = size(50, 20_000);
const FORECAST = 4_000;

interface MarketOrder {
  readonly reference: number;
  readonly contract: TradedContract;
  readonly side: Side;
  price: number;
  quantity: number;
  filled: number;
  /** The unanswered action. */
  unanswered: PersonaAction | null;
}

/** A market that tracks every order sent to it, and answers and fills arbitrarily. */
class HostileMarket {
  readonly orders: MarketOrder[] = [];
  readonly positions = new Map<TradedContract, number>();

  constructor(readonly persona: StrategyPersona, readonly limits: PersonaLimits) {}

  order(reference: number): MarketOrder {
    return this.orders.find((order) => order.reference === reference) ?? expect.unreachable();
  }

  take(action: PersonaAction): void {
    if (action.kind === "submit") this.orders.push({ ...action, filled: 0, unanswered: action });
    else this.order(action.reference).unanswered = action;
  }

  answer(at: number, accept: boolean): void {
    const waiting = this.orders.filter(({ unanswered }) => unanswered !== null);
    const order = waiting[at % Math.max(1, waiting.length)];
    const action = order?.unanswered ?? null;
    if (order === undefined || action === null) return;
    order.unanswered = null;
    const { reference, filled } = order;
    const isFilled = filled === order.quantity;
    if (action.kind === "submit" && (accept || filled > 0)) this.persona.onAccepted(reference);
    else if (
      action.kind === "submit" || !accept || isFilled || (action.kind === "modify" && action.quantity <= filled)
    ) {
      const code = isFilled ? "not_modifiable" : accept ? "invalid_quantity" : "market_closed";
      if (action.kind === "submit") this.forget(order);
      this.persona.onRefused(reference, action.kind, code);
    } else {
      this.persona.onAccepted(reference);
      if (action.kind === "cancel") this.close(order);
      else Object.assign(order, { price: action.price, quantity: action.quantity });
    }
    if (order.filled === order.quantity) this.forget(order);
  }

  /** Fills a part of an order, answered or not. */
  fill(at: number, share: number): void {
    const order = this.orders[at % Math.max(1, this.orders.length)];
    if (order === undefined || order.filled === order.quantity) return;
    const { lot } = order.contract;
    const open = order.quantity - order.filled;
    const quantity = Math.min(open, Math.max(1, Math.floor(share * open / lot)) * lot);
    order.filled += quantity;
    const signed = order.side === BUY ? quantity : -quantity;
    this.positions.set(order.contract, (this.positions.get(order.contract) ?? 0) + signed);
    this.persona.onFill(order.reference, order.price, quantity);
    if (order.filled === order.quantity && order.unanswered === null) this.forget(order);
  }

  expire(at: number): void {
    const order = this.orders[at % Math.max(1, this.orders.length)];
    if (order !== undefined && order.unanswered === null) this.close(order);
  }

  close(order: MarketOrder): void {
    this.forget(order);
    this.persona.onClosed(order.reference);
  }

  forget(order: MarketOrder): void {
    const at = this.orders.indexOf(order);
    if (at >= 0) this.orders.splice(at, 1);
  }

  /** The largest absolute position if all open orders on one side are filled and none on the other. */
  worst(traded: TradedContract): number {
    const open = (wanted: Side) =>
      this.orders.filter(({ contract, side }) => contract === traded && side === wanted)
        .reduce((sum, { quantity, filled, unanswered }) => {
          const changed = unanswered?.kind === "modify" ? unanswered.quantity : 0;
          return sum + Math.max(quantity, changed) - filled;
        }, 0);
    const position = this.positions.get(traded) ?? 0;
    return Math.max(Math.abs(position + open(0)), Math.abs(position - open(1)));
  }

  check(contracts: readonly TradedContract[]): void {
    const { contractPositionMw, totalPositionMw, workingOrders } = this.limits;
    const worsts = contracts.map((traded) => this.worst(traded));
    expect(Math.max(...worsts)).toBeLessThanOrEqual(contractPositionMw * 1_000);
    expect(worsts.reduce((sum, worst) => sum + worst, 0)).toBeLessThanOrEqual(totalPositionMw * 1_000);
    expect(this.orders.length).toBeLessThanOrEqual(workingOrders);
    for (const traded of contracts) {
      expect(this.persona.account.position(traded)).toBe(this.positions.get(traded) ?? 0);
    }
  }
}

const anyNumber = fc.oneof(
  fc.integer({ min: -2_000_000, max: 2_000_000 }),
  fc.double({ min: -50_000, max: 50_000 }),
  fc.constantFrom(NaN, Infinity, -Infinity, 0),
);
const usually = (min: number, max: number) =>
  fc.oneof({ weight: 4, arbitrary: fc.integer({ min, max }) }, { weight: 1, arbitrary: anyNumber });
const anyQuotes = fc.array(
  fc.tuple(usually(3_000, 4_100), usually(0, 40_000), usually(3_900, 5_000), usually(0, 40_000)),
  { minLength: 1, maxLength: 20 },
);
const anyStep = fc.record({
  kind: fc.constantFrom("wake", "answer", "answer", "fill", "expire"),
  at: fc.nat(9),
  accept: fc.constantFrom(true, true, true, false),
  share: fc.constantFrom(0, 0.1, 0.5, 1),
});
const anyLimits = fc.record({
  workingOrders: fc.integer({ min: 0, max: 6 }),
  orderLots: fc.integer({ min: 1, max: 30 }),
  contractPositionMw: fc.integer({ min: 0, max: 60 }),
  totalPositionMw: fc.integer({ min: 0, max: 100 }),
  collarShare: fc.constantFrom(0, 0.01, 0.1, 0.5, 1),
  collarCents: fc.integer({ min: 0, max: 3_000 }),
});

function quoting(quotes: readonly (readonly [number, number, number, number])[]): Strategy {
  let calls = 0;
  return {
    quote(_market, _account, wanted) {
      const [bidPrice, bidQuantity, askPrice, askQuantity] = quotes[calls++ % quotes.length] ?? [0, 0, 0, 0];
      wanted.set(0, bidPrice, bidQuantity);
      wanted.set(1, askPrice, askQuantity);
    },
  };
}

/** Checks that the contract takes an order or change, and that it alone is within the limits. */
function checkAction(action: PersonaAction, market: HostileMarket, limits: PersonaLimits): void {
  if (action.kind === "cancel") return;
  const { contract, filled } = action.kind === "submit" ? { ...action, filled: 0 } : market.order(action.reference);
  const open = action.quantity - filled;
  expect(open).toBeGreaterThan(0);
  expect(open).toBeLessThanOrEqual(limits.orderLots * contract.lot);
  expect(Math.abs(open % contract.lot)).toBe(0);
  expect(Math.abs(action.price % contract.tick)).toBe(0);
  expect(action.price).toBeWithin(contract.minimumPrice, contract.maximumPrice + 1);
  const collar = Math.max(limits.collarCents, limits.collarShare * FORECAST);
  expect(Math.abs(action.price - FORECAST)).toBeLessThanOrEqual(collar);
}

describe("a persona with any strategy, in a market with any answers", () => {
  test("never exceeds its limits, and sends only what the contract allows", () => {
    const contracts = [
      contract(0),
      contract(1, { lot: 5_000, tick: 25, minimumPrice: 0, maximumPrice: 4_500 }),
      contract(2, { lot: 100, tick: 7, minimumPrice: -3, maximumPrice: 900_000 }),
    ];
    let sent = 0;
    let filled = 0;
    const steps = fc.array(anyStep, { minLength: 40, maxLength: 150 });
    const property = fc.property(anyQuotes, anyLimits, steps, (quotes, limits, steps) => {
      const persona = personaWith({ contracts, strategy: quoting(quotes), limits });
      const market = new HostileMarket(persona, limits);
      let time = START;
      for (const { kind, at, accept, share } of steps) {
        if (kind === "answer") market.answer(at, accept);
        else if (kind === "fill") market.fill(at, share);
        else if (kind === "expire") market.expire(at);
        else {
          time += 600_000;
          for (const action of persona.act(view({ time }))) {
            checkAction(action, market, limits);
            market.take(action);
            sent += 1;
          }
        }
        market.check(contracts);
      }
      filled += persona.account.trades;
    });
    fc.assert(property, { numRuns: RUNS });
    expect(sent).toBeGreaterThan(3 * RUNS);
    expect(filled).toBeGreaterThan(RUNS);
  });
});
