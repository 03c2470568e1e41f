// Quotes of one entity's personas: no bid at or above an ask of the same entity, also while actions are unanswered.

import { describe, expect, test } from "bun:test";
import { BUY, opposite, SELL, type Side } from "../../../engine/market/order-book.ts";
import { EntityBook, EntityOrders } from "../../../sim/personas/entity-orders.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import type { Strategy } from "../../../sim/strategies/strategy.ts";
import { always, personaWith, view } from "./support.ts";

function order(side: Side, price: number) {
  return { side, price, nextPrice: price, pending: null as "modify" | null };
}

describe("an entity's orders in a contract", () => {
  test("keep a price one tick behind the best opposite order", () => {
    const book = new EntityBook();
    book.changed(order(SELL, 100));
    book.changed(order(SELL, 104));
    expect(book.behind(BUY, 99, 1, null)).toBe(99);
    expect(book.behind(BUY, 100, 5, null)).toBe(95);
    expect(book.behind(BUY, 120, 1, null)).toBe(99);
    expect(book.behind(SELL, 90, 1, null)).toBe(90);
  });

  test("leave out an order of the same persona", () => {
    const book = new EntityBook();
    const own = order(SELL, 100);
    book.changed(own);
    book.changed(order(SELL, 104));
    expect(book.behind(BUY, 102, 1, own)).toBe(102);
    expect(book.behind(BUY, 104, 1, own)).toBe(103);
    expect(book.bestWithout(SELL, own)).toBe(104);
    const other = order(SELL, 100);
    book.changed(other);
    expect(book.bestWithout(SELL, own)).toBe(100);
    Object.assign(other, { pending: "modify", nextPrice: 98 });
    book.changed(other);
    expect(book.bestWithout(SELL, other)).toBe(100);
  });

  test("count at the more aggressive price while a change is unanswered", () => {
    const book = new EntityBook();
    const ask = order(SELL, 100);
    book.changed(ask);
    Object.assign(ask, { pending: "modify", nextPrice: 110 });
    book.changed(ask);
    expect(book.behind(BUY, 105, 1, null)).toBe(99);
    Object.assign(ask, { pending: null, price: 110 });
    book.changed(ask);
    expect(book.behind(BUY, 105, 1, null)).toBe(105);
    book.remove(ask);
    expect(book.behind(BUY, 120, 1, null)).toBe(120);
  });

  test.each([1, 2, 3, 4, 5])("answer as a search through all orders does (seed %d)", (seed) => {
    const random = new SeededRandom(seed);
    const book = new EntityBook();
    const orders: ReturnType<typeof order>[] = [];
    for (let step = 0; step < 2_000; step++) {
      const side = random.next() < 0.5 ? BUY : SELL;
      const at = orders[random.integer(0, 20)];
      if (at === undefined || orders.length < 5) {
        const added = order(side, random.integer(90, 110));
        orders.push(added);
        book.changed(added);
      } else if (random.next() < 0.3) {
        orders.splice(orders.indexOf(at), 1);
        book.remove(at);
      } else {
        at.price = at.nextPrice;
        at.pending = random.next() < 0.5 ? "modify" : null;
        if (at.pending !== null) at.nextPrice = random.integer(90, 110);
        book.changed(at);
      }
      const price = random.integer(85, 115);
      const facing = orders.filter((other) => other.side === opposite(side)).flatMap(({ price, nextPrice, pending }) =>
        pending === null ? [price] : [price, nextPrice]
      );
      const behind = side === BUY ? Math.min(...facing) - 1 : Math.max(...facing) + 1;
      expect(book.behind(side, price, 1, null)).toBe(side === BUY ? Math.min(price, behind) : Math.max(price, behind));
    }
  });
});

test("an entity's orders in a contract are those of the contract until it is no longer traded", () => {
  const orders = new EntityOrders();
  const books = [0, 1].map((index) => orders.of({ index }));
  orders.forget({ index: 0 });
  expect([0, 1].map((index) => orders.of({ index }) === books[index])).toEqual([false, true]);
});

describe("personas of one entity", () => {
  test("keep their bids below the asks of the others, and their asks above the bids", () => {
    const entityOrders = new EntityOrders();
    const seller = personaWith({ strategy: always(0, 0, 4_000, 1_000), entityOrders });
    const buyer = personaWith({ strategy: always(4_100, 1_000, 0, 0), entityOrders });
    expect(seller.act(view())).toMatchObject([{ kind: "submit", side: SELL, price: 4_000 }]);
    expect(buyer.act(view())).toMatchObject([{ kind: "submit", side: BUY, price: 3_999 }]);
    const other = personaWith({ strategy: always(0, 0, 3_900, 1_000), entityOrders });
    expect(other.act(view())).toMatchObject([{ kind: "submit", side: SELL, price: 4_000 }]);
    const stranger = personaWith({ strategy: always(4_100, 1_000, 0, 0) });
    expect(stranger.act(view())).toMatchObject([{ price: 4_100 }]);
  });

  test("forget the orders of a persona that has lost its connection", () => {
    const entityOrders = new EntityOrders();
    const seller = personaWith({ strategy: always(0, 0, 4_000, 1_000), entityOrders });
    seller.act(view());
    seller.onDisconnected();
    const buyer = personaWith({ strategy: always(4_100, 1_000, 0, 0), entityOrders });
    expect(buyer.act(view())).toMatchObject([{ price: 4_100 }]);
  });
});

test.each([
  { moves: "up", from: [3_990, 4_010], to: [4_020, 4_040], first: SELL },
  { moves: "up to its ask", from: [3_990, 4_010], to: [4_010, 4_030], first: SELL },
  { moves: "down", from: [3_990, 4_010], to: [3_950, 3_980], first: BUY },
])("a persona that moves both quotes $moves first replaces the one in the way", ({ from, to, first }) => {
  let [bid, ask] = from as [number, number];
  const strategy: Strategy = { quote: (...given) => always(bid, 1_000, ask, 1_000).quote(...given) };
  const persona = personaWith({ strategy });
  const references = persona.act(view()).map(({ reference }) => reference);
  references.forEach((reference) => persona.onAccepted(reference));
  [bid, ask] = to as [number, number];
  const actions = persona.act(view()).map((action) => action.kind === "submit" ? action.side : action.reference);
  const [bidReference, askReference] = references;
  const replaced = [[bidReference!, BUY], [askReference!, SELL]];
  expect(actions).toEqual((first === BUY ? replaced : replaced.toReversed()).flat());
});

test("a strategy that only takes quotes places nothing if its own entity quotes, or if nothing would trade", () => {
  const taking = { ...always(4_050, 5_000, 0, 0), onlyTakes: true };
  const ordersFacing = (bestAsk: number | null, isOwn = false) => {
    const entityOrders = new EntityOrders();
    if (isOwn) personaWith({ strategy: always(0, 0, 4_050, 5_000), entityOrders }).act(view());
    const book = () => ({ bestBid: null, bestAsk, lastPrice: null });
    return personaWith({ strategy: taking, entityOrders }).act(view({ book }));
  };
  expect(ordersFacing(4_050)).toMatchObject([{ kind: "submit", price: 4_050 }]);
  expect(ordersFacing(4_060)).toEqual([]);
  expect(ordersFacing(null)).toEqual([]);
  expect(ordersFacing(4_050, true)).toEqual([]);
});
