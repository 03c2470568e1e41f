import { expect, test } from "bun:test";
import { createState } from "../../../engine/state/initial-state.ts";
import { NO_TEXT, Order } from "../../../engine/state/market-state.ts";
import { Changes } from "../../../engine/transaction/changes.ts";
import { EPOCH, smallMarket, START, USERS } from "../support/market.ts";

const state = createState(smallMarket(), { engineId: "test", epoch: EPOCH, now: START });
const [north, south] = [...state.contracts.values()];
const [alpha] = state.parties;
const user = state.users.get(USERS.alpha)!;
const [market] = [...state.markets.values()];

function orderOf(key: number): Order {
  const terms = { contract: north!, entity: alpha!, user, side: 0 as const, timeInForce: "gtc" as const };
  return new Order(key, { ...terms, clientOrderId: "", price: 1, quantity: 1, maxNotional: null }, "working", START);
}

function sizes(changes: Changes): number[] {
  const { orders, pairs, books, queues, entities, credit, markets, listed, users } = changes;
  return [
    ...[orders, pairs, books, queues, entities, credit].map((list) => list.length),
    ...[markets, listed, users]
      .map((set) => set.size),
  ];
}

test("what changes in a transaction is listed once, and again in the next one, which begins with nothing", () => {
  const changes = new Changes();
  const order = orderOf(1);
  for (let transaction = 0; transaction < 2; transaction++) {
    changes.begin(state);
    expect(sizes(changes)).toEqual(Array(9).fill(0));
    for (let time = 0; time < 2; time++) {
      changes.addOrder(order);
      changes.addPair(state.pairs[1]!);
      changes.addBook(north!);
      changes.addQueue(north!);
      changes.addQueue(south!);
      changes.addCredit(alpha!);
      changes.markets.add(market!);
      changes.listed.add(south!);
      changes.users.add(user);
    }
    changes.entities.push(alpha!);
    expect(sizes(changes)).toEqual([1, 1, 1, 2, 1, 1, 1, 1, 1]);
    expect([changes.isToldByBook(north!), changes.isToldByBook(south!)]).toEqual([true, false]);
    changes.end();
  }
  changes.begin(state);
  expect(changes.isToldByBook(north!)).toBe(false);
  changes.addBook(south!);
  expect(changes.isToldByBook(south!)).toBe(true);
  changes.listed.add(south!);
  expect(changes.isToldByBook(south!)).toBe(false);
  changes.end();
});

test("a contract that leaves the market has changed nothing that is told", () => {
  const changes = new Changes();
  changes.begin(state);
  for (const contract of [north!, south!]) {
    changes.addBook(contract);
    changes.addQueue(contract);
    changes.listed.add(contract);
  }
  changes.dropContract(north!);
  expect([changes.books, changes.queues, [...changes.listed]]).toEqual([[south!], [south!], [south!]]);
  changes.dropContract(north!);
  expect(sizes(changes)).toEqual([0, 0, 1, 1, 0, 0, 0, 1, 0]);
  changes.end();
});

test("at the end the text of an order in its call is forgotten, and the beginning of a closed one", () => {
  const changes = new Changes();
  changes.begin(state);
  const [open, closed] = [orderOf(1), orderOf(2)];
  closed.closeReason = "cancelled";
  for (const order of [open, closed]) {
    Object.assign(order, { textStart: 3, textEnd: 9, fixedText: "fixed" });
    changes.addOrder(order);
  }
  changes.end();
  expect([open.textStart, closed.textStart]).toEqual([NO_TEXT, NO_TEXT]);
  expect([open.fixedText, closed.fixedText]).toEqual(["fixed", ""]);
});
