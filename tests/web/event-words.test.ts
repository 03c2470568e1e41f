import { describe, expect, test } from "bun:test";
import { eventWords } from "../../web/dashboard/pages/event-words.ts";

function wordsOf(type: string, data: Record<string, unknown>) {
  return eventWords({ sequence: 1, category: "other", type, time: "2026-07-01T00:00:00.000Z", data });
}

const TERMS = { contractId: "C-1", entityId: "E-1", side: 0, price: 4673, quantity: 5 };

describe("eventWords", () => {
  test("an order has its side, terms and links", () => {
    expect(wordsOf("new.order", { ...TERMS, id: "ORD-1", filledQuantity: 0, status: "working" })).toEqual({
      side: "buy",
      text: "5 MW at 46.73 $/MWh",
      orderId: "ORD-1",
      contractId: "C-1",
      entityIds: ["E-1"],
    });
  });

  test("a cancelled order says how much was filled, and why it ended", () => {
    const data = { ...TERMS, id: "ORD-1", filledQuantity: 2, status: "cancelled", closeReason: "limit_exceeded" };
    expect(wordsOf("cancel.order", data).text).toBe("5 MW at 46.73 $/MWh, 2 MW filled, limit exceeded");
  });

  test("a refused order has the reason, and no order to link to", () => {
    const refusal = { ...TERMS, clientOrderId: "x", code: "price", message: "Price too high." };
    expect(wordsOf("reject.order", refusal))
      .toMatchObject({ text: "5 MW at 46.73 $/MWh refused: Price too high.", orderId: null });
  });

  test("a fill links to its order, a trade names buyer and seller", () => {
    expect(wordsOf("new.fill", { ...TERMS, side: 1, orderId: "ORD-2", counterpartyId: "E-2" }))
      .toMatchObject({ side: "sell", orderId: "ORD-2", entityIds: ["E-1", "E-2"] });
    const trade = { contractId: "C-1", buyEntityId: "E-3", sellEntityId: "E-4", price: 100, quantity: 1 };
    expect(wordsOf("new.trade", trade))
      .toMatchObject({ orderId: null, entityIds: ["E-3", "E-4"], text: "1 MW at 1.00 $/MWh" });
  });

  const PAIR = { entityId: "A", counterpartyId: "B" };
  const MW_LIMIT = "A for B, 5.5 mw, per contract, by op";
  const HALT = { status: "halted", previousStatus: "open", reason: "drill", userId: "op" };
  test.each<[string, Record<string, unknown>, string]>([
    ["change.book", { contractId: "C", bestBid: 100, bestAsk: null }, "bid 1.00, ask –"],
    ["change.spot", { node: "WEST", price: -500, regime: "drop" }, "WEST \u22125.00 $/MWh, drop"],
    ["halt.market", HALT, "open → halted, drill, by op"],
    ["change.user", { userId: "u", connected: true }, "u connected"],
    ["new.contract", { id: "C-9", name: "Base", status: "listed" }, "Base, listed"],
    ["strange.thing", { a: 1, b: "two", c: { d: 3 } }, "a: 1, b: two"],
    ["strange.thing", { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7 }, "a: 1, b: 2, c: 3, d: 4, e: 5, f: 6"],
    ["reject.order", { ...TERMS, code: "halted" }, "5 MW at 46.73 $/MWh refused: halted"],
    ["cancel.order", { ...TERMS, closeReason: "filled", status: "filled" }, "5 MW at 46.73 $/MWh"],
    ["change.order", { ...TERMS, filledQuantity: 0.5, status: "held" }, "5 MW at 46.73 $/MWh, 0.5 MW filled, held"],
    ["new.fill", { ...TERMS, quantity: 2.5, price: -100 }, "2.5 MW at \u22121.00 $/MWh"],
    ["change.book", { bestBid: null, bestAsk: 250 }, "bid –, ask 2.50"],
    ["open.market", { status: "open" }, "? → open"],
    ["change.user", { userId: "u", connected: false }, "u disconnected"],
    ["change.documentation", { ...PAIR, status: "pending", userId: "op" }, "A for B, pending, by op"],
    ["change.credit", { ...PAIR, limitType: "notional", limit: 5_000 }, "A for B, 5,000.00 dollars"],
    ["change.credit", { ...PAIR, limitType: "mw", limit: 5.5, scope: "per_contract", userId: "op" }, MW_LIMIT],
    ["change.credit", { ...PAIR, limitType: "mw", limit: null }, "A for B"],
    ["change.clock", { mode: "fast", speed: 60, userId: "op" }, "fast, 60 times as fast, by op"],
    ["change.clock", { mode: "lockstep", speed: null }, "lockstep, ? times as fast"],
  ])("%s in words", (type, data, text) => {
    expect(wordsOf(type, data).text).toBe(text);
  });

  test.each<[data: Record<string, unknown>, side: "buy" | "sell" | null]>([
    [{ side: 0 }, "buy"],
    [{ side: 1 }, "sell"],
    [{ side: "BUY" }, "buy"],
    [{ side: "SELL" }, "sell"],
    [{ aggressorSide: 0 }, "buy"],
    [{ aggressorSide: 1 }, "sell"],
    [{ side: 2 }, null],
    [{ side: "buyer" }, null],
    [{}, null],
  ])("the side of %j is %p", (data, side) => expect(wordsOf("new.order", data).side).toBe(side));

  test.each<[type: string, data: Record<string, unknown>, orderId: string | null, contractId: string | null]>([
    ["new.order", { id: "O", contractId: "C" }, "O", "C"],
    ["reject.order", { id: "O", contractId: "C" }, null, "C"],
    ["new.fill", { id: "F", orderId: "O", contractId: "C" }, "O", "C"],
    ["new.trade", { id: "T", contractId: "C" }, null, "C"],
    ["new.contract", { id: "C", contractId: "D" }, null, "C"],
    ["expire.contract", { contractId: "D" }, null, "D"],
    ["change.book", { id: "B", contractId: "C" }, null, "C"],
  ])("%s of %j is about the order %p and the contract %p", (type, data, orderId, contractId) => {
    expect(wordsOf(type, data)).toMatchObject({ orderId, contractId });
  });

  test("the entities are those that an event names, the one that acted first", () => {
    const all = { counterpartyId: "D", sellEntityId: "C", buyEntityId: "B", entityId: "A" };
    expect(wordsOf("x", all).entityIds).toEqual(["A", "B", "C", "D"]);
    expect(wordsOf("x", { ...all, entityId: 5, buyEntityId: null }).entityIds).toEqual(["C", "D"]);
  });

  test("data without the expected fields does no harm", () => {
    for (const type of ["new.order", "new.fill", "change.book", "change.credit", "halt.market", "x", ""]) {
      expect(wordsOf(type, {}).entityIds).toEqual([]);
    }
  });
});
