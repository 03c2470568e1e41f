// What an exchange in the process notes of a transaction.

import { expect, test } from "bun:test";
import { FactRecorder } from "../../../engine/embedded/fact-recorder.ts";
import { BUY, SELL } from "../../../engine/market/order-book.ts";
import type { Order, Trade } from "../../../engine/state/market-state.ts";
import type { OrderEvent, OtherEvent } from "../../../engine/transaction/recorder.ts";

const order = (id: string) => ({ id }) as Order;
const NOTHING = { trades: [], expired: [], changes: [] };

test("trades are noted with who rested and who came, orders only if they expire, and contracts as they come and go", () => {
  const recorder = new FactRecorder();
  const [buy, sell] = [order("buy"), order("sell")];
  recorder.tradeEvent({ price: 5, quantity: 2, aggressorSide: BUY } as Trade, buy, sell);
  recorder.tradeEvent({ price: 6, quantity: 3, aggressorSide: SELL } as Trade, buy, sell);
  for (const type of ["new.order", "cancel.order", "expire.order", "change.order"] as OrderEvent[]) {
    recorder.orderEvent(type, order(type));
  }
  recorder.orderEvent("expire.order", buy);
  const events: [string, Record<string, unknown>][] = [
    ["remove.contract", { contractId: "A" }],
    ["new.contract", { id: "B" }],
    ["change.market", { id: "M" }],
    ["change.contract", { id: "C" }],
    ["remove.contract", { contractId: "D" }],
  ];
  for (const [type, data] of events) recorder.event(type as OtherEvent, data);
  expect(recorder.take()).toEqual({
    trades: [
      { resting: sell, aggressor: buy, price: 5, quantity: 2 },
      { resting: buy, aggressor: sell, price: 6, quantity: 3 },
    ],
    expired: [order("expire.order"), buy],
    changes: [
      { kind: "removed", contractId: "A" },
      { kind: "listed", contractId: "B" },
      { kind: "expired", contractId: "C" },
      { kind: "removed", contractId: "D" },
    ],
  });
  expect([recorder.take(), recorder.end()]).toEqual([NOTHING, { messages: [], audit: "" }] as never);
});

test("what was taken stays as it was, and each fact is taken once", () => {
  const recorder = new FactRecorder();
  recorder.orderEvent("expire.order", order("a"));
  const first = recorder.take();
  recorder.orderEvent("expire.order", order("b"));
  recorder.event("new.contract", { id: "B" });
  recorder.tradeEvent({ price: 5, quantity: 2, aggressorSide: BUY } as Trade, order("x"), order("y"));
  const second = recorder.take();
  expect([first.expired.length, second.expired.length, second.changes.length, second.trades.length]).toEqual([
    1,
    1,
    1,
    1,
  ]);
  expect([first.expired, recorder.take()]).toEqual([[order("a")], NOTHING]);
});
