// What a checkpoint has of orders and trades, and how much is in each of its parts. checkpoint.test.ts restores it.

import { describe, expect, test } from "bun:test";
import { Engine } from "../../../engine/engine.ts";
import type { CheckpointPart } from "../../../engine/checkpoint/checkpoint.ts";
import { EPOCH, SECRET, smallMarket, START, USERS } from "../support/market.ts";

const { alpha, beta } = USERS;

type Retention = { closedOrders: number; trades: number };

/** An engine without the checks of EngineDriver, because these tests make many calls. */
function newEngine(retention?: Retention) {
  const engine = new Engine(smallMarket(), { epoch: EPOCH, now: START, engineId: "test", secret: SECRET, retention });
  let operations = 0;
  const submit = (userId: string, side: 0 | 1, price: number, quantity: number) => {
    const payload = { contractId: "N-H12", side, price, quantity };
    engine.execute({ userId, operationId: `o-${++operations}`, action: "order.submit", payload }, START);
  };
  return { engine, submit };
}

function restored(engine: Engine, retention?: Retention): Engine {
  const options = { epoch: EPOCH, now: START, engineId: "test", secret: SECRET, retention };
  return Engine.restore(smallMarket(), engine.checkpoint(), options);
}

type Sections = Extract<CheckpointPart, { kind: "state" }>["sections"];

const statePartsOf = (engine: Engine): Sections[] =>
  [...engine.checkpoint()].flatMap((part) => part.kind === "state" ? [part.sections] : []);

function itemsOf(engine: Engine, section: Sections[number][0]): readonly (readonly unknown[])[] {
  const sections = statePartsOf(engine).flat() as (readonly [string, readonly (readonly unknown[])[]])[];
  return sections.flatMap(([name, items]) => name === section ? items : []);
}

describe("trades", () => {
  test("come once each and oldest first, also those that only an order still has, with where they are kept", () => {
    const retention = { closedOrders: 2, trades: 2 };
    const { engine, submit } = newEngine(retention);
    submit(alpha, 1, 100, 5);
    for (let trade = 1; trade <= 4; trade++) submit(beta, 0, 100, 1);
    // Key and places: 1 in the list, 2 in the buying order, 4 in the selling one.
    const saved = [[1, 4], [2, 4], [3, 1 | 2 | 4], [4, 1 | 2 | 4]];
    expect(itemsOf(engine, "trades").map(([places, key]) => [key, places])).toEqual(saved);
    const again = restored(engine, retention);
    expect(itemsOf(again, "trades")).toEqual(itemsOf(engine, "trades"));
    const fills = (of: Engine) =>
      [...of.snapshot(START)].flatMap(({ type, id, text }) => type === "FILL" ? [[id, text]] : []);
    expect(fills(again).map(([id]) => id)).toEqual(["FIL-1", "FIL-3", "FIL-5", "FIL-6", "FIL-7", "FIL-8"]);
    expect(fills(again)).toEqual(fills(engine));
  });
});

test("closed orders come before the open ones, each in the order in which they were closed or accepted", () => {
  const { engine, submit } = newEngine();
  for (let order = 1; order <= 5; order++) submit(alpha, 0, order, 1);
  for (const orderId of ["ORD-4", "ORD-2"]) {
    engine.execute({ userId: alpha, operationId: `c-${orderId}`, action: "order.cancel", payload: { orderId } }, START);
  }
  const keys = (of: Engine) => itemsOf(of, "orders").map((item) => item[5]);
  expect([keys(engine), keys(restored(engine))]).toEqual([[4, 2, 1, 3, 5], [4, 2, 1, 3, 5]]);
});

test("each part has a thousand items, the last one the rest, and a section goes on in the next part", () => {
  const { engine, submit } = newEngine();
  for (let order = 0; order < 1_050; order++) submit(alpha, 0, 1, 1);
  const sizes = statePartsOf(engine).map((sections) => sections.reduce((sum, [, items]) => sum + items.length, 0));
  expect([sizes.length, sizes[0], sizes[1]! < 1_000]).toEqual([2, 1_000, true]);
  expect(itemsOf(engine, "orders").map((item) => item[5])).toEqual(Array.from({ length: 1_050 }, (_, at) => at + 1));
  expect(itemsOf(restored(engine), "orders")).toEqual(itemsOf(engine, "orders"));
});
