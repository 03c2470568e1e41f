// When an order is kept, reduced and replaced. And what a persona's open orders leave of its limits: as much as the orders that
// it has now, also after answers, fills and ends in any order. A limit that never comes back would silence a persona without a
// fault.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { BUY, SELL, type Side } from "../../../engine/market/order-book.ts";
import { Assignments } from "../../../sim/personas/assignments.ts";
import { ContractTrader } from "../../../sim/personas/contract-trader.ts";
import { EntityOrders } from "../../../sim/personas/entity-orders.ts";
import { Exposure } from "../../../sim/personas/exposure.ts";
import { DEFAULT_LIMITS } from "../../../sim/personas/limits.ts";
import type { PersonaAction } from "../../../sim/personas/persona.ts";
import { WorkingOrders } from "../../../sim/personas/working-orders.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { STRATEGIES } from "../../../sim/strategies/registry.ts";
import { contract, profileOf } from "./support.ts";

const CONTRACTS = [contract(0), contract(1), contract(2)];
/** Small enough that each order matters to the other contracts. */
const CONTRACT_KW = 25_000;
const TOTAL_KW = 30_000;
const LIMITS = { ...DEFAULT_LIMITS, contractPositionMw: CONTRACT_KW / 1_000, totalPositionMw: TOTAL_KW / 1_000 };
const MOST_ORDERS = 4;

/** What the test knows of an order. */
interface Known {
  readonly place: number;
  readonly side: Side;
  quantity: number;
  filled: number;
  unanswered: PersonaAction | null;
}

/** Orders in three contracts, and what is known of them. */
class Rehearsal {
  readonly exposure = new Exposure(LIMITS);
  readonly orders = new WorkingOrders(MOST_ORDERS, this.exposure);
  readonly traders = CONTRACTS.map((each) =>
    new ContractTrader(each, 4_000, {
      entry: { sides: "both", make: (setup) => STRATEGIES.gvwy.make(setup, undefined as never) },
      profile: profileOf(CONTRACTS, ["NORTH"], 3),
      random: new SeededRandom(1),
      entityOrders: new EntityOrders(),
      halfSpread: 0.01,
      usualLots: 1,
    })
  );
  readonly known = new Map<number, Known>();
  readonly positions = [0, 0, 0];
  readonly over = new Set<number>();

  want(place: number, side: Side, quantity: number): void {
    const trader = this.traders[place]!;
    if (trader.isWaiting) return;
    const actions: PersonaAction[] = [];
    this.orders.bringInLine(trader, side, 4_000 + quantity % 7, quantity, actions);
    for (const action of actions) {
      if (action.kind === "submit") {
        this.known.set(action.reference, { place, side, quantity, filled: 0, unanswered: action });
      } else this.known.get(action.reference)!.unanswered = action;
    }
  }

  answer(reference: number, code: string | null): void {
    const order = this.known.get(reference)!;
    const { unanswered } = order;
    if (unanswered === null) return;
    order.unanswered = null;
    if (code !== null) {
      this.orders.onRefused(reference, unanswered.kind, code);
      if (unanswered.kind === "submit" || code === "not_found") this.known.delete(reference);
    } else {
      this.orders.onAccepted(reference);
      if (unanswered.kind === "modify") order.quantity = unanswered.quantity;
      if (unanswered.kind === "cancel") this.close(reference);
    }
    this.#forgetFilled(reference);
  }

  fill(reference: number, share: number): void {
    const order = this.known.get(reference)!;
    const quantity = Math.ceil((order.quantity - order.filled) * share);
    if (quantity === 0) return;
    order.filled += quantity;
    this.positions[order.place]! += order.side === BUY ? quantity : -quantity;
    this.orders.onFill(reference, quantity);
    this.#forgetFilled(reference);
  }

  close(reference: number): void {
    this.known.delete(reference);
    this.orders.onClosed(reference);
  }

  deliver(place: number): void {
    if (this.over.has(place)) return;
    this.over.add(place);
    this.exposure.end(this.traders[place]!.exposure);
  }

  disconnect(): void {
    this.known.clear();
    this.orders.onDisconnected();
  }

  /** As the class describes it, from what is known alone. */
  headroom(place: number, side: Side): number {
    const total = this.positions.reduce(
      (sum, _, each) => each === place || this.over.has(each) ? sum : sum + this.#worst(each),
      0,
    );
    // Of a contract in delivery, its own worst position counts as free.
    const left = TOTAL_KW - total + (this.over.has(place) ? this.#worst(place) : 0);
    const position = this.positions[place]!;
    return Math.max(0, Math.min(CONTRACT_KW, left) + (side === BUY ? -position : position));
  }

  #worst(place: number): number {
    const open = (wanted: Side) =>
      [...this.known.values()].filter((order) => order.place === place && order.side === wanted)
        .reduce((sum, { quantity, filled, unanswered }) => {
          const next = unanswered?.kind === "modify" ? unanswered.quantity : 0;
          return sum + Math.max(quantity, next) - filled;
        }, 0);
    const position = this.positions[place]!;
    return Math.max(Math.abs(position + open(BUY)), Math.abs(position - open(SELL)));
  }

  #forgetFilled(reference: number): void {
    const order = this.known.get(reference);
    if (order?.unanswered === null && order.filled >= order.quantity) this.known.delete(reference);
  }
}

const anyStep = fc.record({
  kind: fc.constantFrom("want", "want", "accept", "accept", "refuse", "fill", "close", "deliver", "disconnect"),
  place: fc.nat(2),
  side: fc.constantFrom(BUY, SELL),
  quantity: fc.constantFrom(0, 1_000, 2_000, 10_000, 20_000),
  at: fc.nat(9),
  share: fc.constantFrom(0.25, 1),
  code: fc.constantFrom("not_found", "not_modifiable", "market_closed"),
});

test("the headroom is what the orders and positions of now leave, on both sides, and so is the number of orders", () => {
  let [filled, refused, most] = [0, 0, 0];
  fc.assert(
    fc.property(fc.array(anyStep, { minLength: 20, maxLength: 80 }), (steps) => {
      const rehearsal = new Rehearsal();
      for (const { kind, place, side, quantity, at, share, code } of steps) {
        const references = [...rehearsal.known.keys()];
        const reference = references[at % Math.max(1, references.length)];
        if (kind === "want") rehearsal.want(place, side, quantity);
        else if (kind === "disconnect") {
          if (at === 0) rehearsal.disconnect();
        } else if (kind === "deliver") {
          if (at === 0) rehearsal.deliver(place);
        } else if (reference === undefined) continue;
        else if (kind === "accept") rehearsal.answer(reference, null);
        else if (kind === "refuse") rehearsal.answer(reference, code);
        else if (kind === "fill") rehearsal.fill(reference, share);
        else rehearsal.close(reference);
        const { exposure, traders, orders, known } = rehearsal;
        const rooms = traders.map((trader) => [BUY, SELL].map((side) => exposure.headroom(trader.exposure, side)));
        expect(rooms).toEqual(traders.map((_, each) => [BUY, SELL].map((side) => rehearsal.headroom(each, side))));
        expect(orders.size).toBe(known.size);
        expect(known.size).toBeLessThanOrEqual(MOST_ORDERS);
        most = Math.max(most, known.size);
        if (kind === "fill") filled += 1;
        if (kind === "refuse") refused += 1;
      }
    }),
    { numRuns: 60 },
  );
  expect([filled > 50, refused > 50, most]).toEqual([true, true, MOST_ORDERS]);
});

describe("a bid of 10 MW at 4,000 cents", () => {
  /** What the persona does about the bid, of which a part is filled, when it wants another price and quantity. */
  function actionsFor(tolerance: number, filled: number, price: number, quantity: number): PersonaAction[] {
    const { orders, traders: [trader] } = new Rehearsal();
    const actions: PersonaAction[] = [];
    orders.bringInLine(trader!, BUY, 4_000, 10_000, actions);
    const { reference } = actions.pop()!;
    orders.onAccepted(reference);
    if (filled > 0) orders.onFill(reference, filled);
    trader!.terms.tolerance = tolerance;
    orders.bringInLine(trader!, BUY, price, quantity, actions);
    return actions;
  }

  test.each([
    ["half of the wanted quantity is left", 5, 5_000, 4_000, 10_000],
    ["more is left than half of a wanted quantity that has grown", 5, 0, 4_000, 19_000],
    ["the wanted price is higher by no more than is tolerated", 5, 0, 4_005, 10_000],
    ["the wanted price is lower by no more than is tolerated", 5, 0, 3_995, 10_000],
    ["its price is the wanted one and nothing is tolerated, however little is left", 0, 9_000, 4_000, 10_000],
    ["less is wanted than it was, but no less than is left", 0, 4_000, 4_000, 6_000],
  ])("stays if %s", (_when, tolerance, filled, price, quantity) => {
    expect(actionsFor(tolerance, filled, price, quantity)).toEqual([]);
  });

  test.each([
    ["a price is tolerated and less than half of the wanted quantity is left", 5, 6_000, 4_000, 10_000],
    ["a price is tolerated and the wanted quantity has grown to more than twice what is left", 5, 5_000, 4_000, 11_000],
    ["the wanted price is higher by more than is tolerated", 5, 0, 4_006, 10_000],
    ["the wanted price is lower by more than is tolerated", 5, 0, 3_994, 10_000],
    ["the wanted price is another and nothing is tolerated", 0, 0, 4_001, 10_000],
    ["there is just room for both", 0, 0, 4_001, CONTRACT_KW - 10_000],
  ])("is replaced if %s", (_when, tolerance, filled, price, quantity) => {
    expect(actionsFor(tolerance, filled, price, quantity)).toMatchObject([
      { kind: "cancel", reference: 1 },
      { kind: "submit", reference: 2, side: BUY, price, quantity },
    ]);
  });

  test("is only reduced, at its own price, if less is wanted at a price that is tolerated", () => {
    expect(actionsFor(5, 2_000, 4_005, 7_000)).toEqual([
      { kind: "modify", reference: 1, price: 4_000, quantity: 9_000 },
    ]);
  });

  test("is what it was reduced to once that is accepted, and counts as cancelled only if its persona cancelled it", () => {
    const { orders, exposure, traders: [trader] } = new Rehearsal();
    const actions: PersonaAction[] = [];
    for (const quantity of [10_000, 7_000]) {
      orders.bringInLine(trader!, BUY, 4_000, quantity, actions);
      expect(exposure.headroom(trader!.exposure, BUY)).toBe(CONTRACT_KW);
      orders.onAccepted(1);
    }
    expect(trader!.openOn(BUY)).toBe(7_000);
    orders.onFill(1, 7_000);
    expect([orders.size, actions.length]).toEqual([0, 2]);
    orders.bringInLine(trader!, BUY, 4_000, 1_000, actions);
    orders.onAccepted(2);
    orders.onClosed(2);
    expect({ ...orders.counts }).toEqual({ orders: 2, changes: 1, cancels: 0, rejected: 0 });
  });

  test("fills the assignment for which it was last placed, kept or reduced", () => {
    const { orders, traders: [trader] } = new Rehearsal();
    const assignments = new Assignments();
    const issued = [0, 1, 2].map(() => assignments.issue(CONTRACTS[0]!, 0, BUY, 4_000, 10_000));
    for (const [at, quantity] of [10_000, 10_000, 7_000].entries()) {
      trader!.terms.assignment = issued[at]!;
      orders.bringInLine(trader!, BUY, 4_000, quantity, []);
      orders.onAccepted(1);
      orders.onFill(1, 1_000);
    }
    expect(issued.map(({ remaining }) => remaining)).toEqual([9_000, 9_000, 9_000]);
  });

  test("is cancelled if nothing is wanted", () => {
    expect(actionsFor(5, 0, 4_000, 0)).toEqual([{ kind: "cancel", reference: 1 }]);
  });
});
