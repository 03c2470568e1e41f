// The engine throws as soon as it meets a state that can't be right. The process then ends.

import { beforeEach, describe, expect, test } from "bun:test";
import type { EngineState } from "../../engine/state/engine-state.ts";
import { createState } from "../../engine/state/initial-state.ts";
import type { Order } from "../../engine/state/market-state.ts";
import { required } from "../../engine/state/required.ts";
import { acceptOrder, closeOrder } from "../../engine/trading/order-lifecycle.ts";
import { Transaction } from "../../engine/transaction/transaction.ts";
import { BUY, SELL, type Side } from "../../engine/market/order-book.ts";
import { Changes } from "../../engine/transaction/changes.ts";
import { EPOCH, smallMarket, START, USERS } from "./support/market.ts";

let state: EngineState;
let transaction: Transaction;

beforeEach(() => {
  state = createState(smallMarket(), { engineId: "test-engine", epoch: EPOCH, now: START });
  transaction = new Transaction(state, new Changes(), null);
  transaction.begin();
});

function submit(entityId: string, side: Side, price: number): Order {
  return acceptOrder(transaction, {
    clientOrderId: "c",
    contract: required(state.contracts.get("N-H12"), "contract"),
    entity: required(state.entities.get(entityId), "entity"),
    user: required(state.users.get(USERS.alpha), "user"),
    side,
    price,
    quantity: 1000,
    timeInForce: "gtc",
    maxNotional: null,
  });
}

describe("the engine throws if it meets", () => {
  test("an open order that is neither held nor in its book", () => {
    const order = submit("ALPHA", BUY, 5);
    order.contract.book.remove(order.key);
    expect(() => closeOrder(transaction, order, "cancelled")).toThrow("is held or in its book");
  });

  test("an open order that is both held and in its book", () => {
    const order = submit("ALPHA", BUY, 5);
    order.contract.heldOrders.set(order.key, order);
    expect(() => closeOrder(transaction, order, "cancelled")).toThrow("is held or in its book");
  });

  test("an order that is closed twice", () => {
    const order = submit("ALPHA", BUY, 5);
    closeOrder(transaction, order, "cancelled");
    expect(() => state.openOrders.remove(order)).toThrow("only an open order is closed");
  });

  test("an order in the book that is not open", () => {
    submit("ALPHA", BUY, 5).contract.book.add(99, BUY, 6, 1000, 1, 99);
    expect(() => submit("GAMMA", SELL, 5)).toThrow("resting order");
  });

  test("a book with more of an order than remains of it", () => {
    const order = submit("ALPHA", BUY, 5);
    order.filledQuantity = 600;
    expect(() => submit("BETA", SELL, 5)).toThrow("what an order has left");
  });

  test("a book with an order under another party", () => {
    const { contract, key } = submit("ALPHA", BUY, 5);
    contract.book.remove(key);
    contract.book.add(key, BUY, 5, 1000, 2, 1);
    expect(() => submit("ALPHA", SELL, 5)).toThrow("does not trade with itself");
  });

  test("an index of parties that lacks an order of its book", () => {
    const { contract, key } = submit("ALPHA", BUY, 5);
    contract.book.byParty().get(0)?.remove(key);
    expect(() => contract.book.remove(key)).toThrow("hold the orders of the whole book");
  });
});
