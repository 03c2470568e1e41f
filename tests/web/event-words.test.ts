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

  const HALT = { status: "halted", previousStatus: "open", reason: "drill", userId: "op" };
  test.each<[string, Record<string, unknown>, string]>([
    ["change.book", { contractId: "C", bestBid: 100, bestAsk: null }, "bid 1.00, ask –"],
    ["change.spot", { node: "WEST", price: -500, regime: "drop" }, "WEST \u22125.00 $/MWh, drop"],
    ["halt.market", HALT, "open → halted, drill, by op"],
    ["change.user", { userId: "u", connected: true }, "u connected"],
    ["new.contract", { id: "C-9", name: "Base", status: "listed" }, "Base, listed"],
    ["strange.thing", { a: 1, b: "two", c: { d: 3 } }, "a: 1, b: two"],
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

  test("data without the expected fields does no harm", () => {
    for (const type of ["new.order", "new.fill", "change.book", "change.credit", "halt.market", "x", ""]) {
      expect(wordsOf(type, {}).entityIds).toEqual([]);
    }
  });
});
