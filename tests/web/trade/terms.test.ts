// What is typed as price and quantity, and what the server is sent for it.

import { describe, expect, test } from "bun:test";
import { deedWords } from "../../../web/dashboard/trade/deed.ts";
import { cancelRequest, requestOf } from "../../../web/dashboard/trade/request.ts";
import {
  megawattsText,
  priceText,
  steppedPrice,
  steppedQuantity,
  termsOf,
} from "../../../web/dashboard/trade/terms.ts";
import { deed, ORDER, STEPS } from "./support.ts";

describe("typed terms", () => {
  test.each([
    ["46.00", "2.5", 4_600, 2.5],
    [" 46 ", "2", 4_600, 2],
    ["46.5", "0.1", 4_650, 0.1],
    ["-12.25", "0.30", -1_225, 0.3],
    ["\u221212.25", "1000000", -1_225, 1_000_000],
    ["0", "5.100", 0, 5.1],
    ["-0.00", "5", 0, 5],
    ["-500", "5", -50_000, 5],
    ["3000", "5", 300_000, 5],
  ])("%p at %p MW are whole cents and kW", (price, megawatts, cents, quantity) => {
    expect(termsOf({ price, megawatts }, STEPS, null)).toEqual({ price: cents, quantity });
  });

  test.each(["", "46.001", "46,00", "4e3", "46.10", "-500.25", "3000.25", "--1", "NaN", "."])(
    "%p is no price",
    (price) => {
      expect(termsOf({ price, megawatts: "5" }, STEPS, null)).toEqual({
        fault: "Price: dollars per MWh from \u2212500.00 to 3,000.00, in steps of 0.25.",
      });
    },
  );

  test.each(["", "0", "-1", "0.05", "2.0001", "1,5", "1e2", "1000000.1", "10000000"])(
    "%p is no quantity",
    (megawatts) => {
      expect(termsOf({ price: "46", megawatts }, STEPS, null)).toEqual({
        fault: "Quantity: MW above 0, in steps of 0.1.",
      });
    },
  );

  test("a change needs other terms, above what is filled", () => {
    const change = (price: string, megawatts: string) => termsOf({ price, megawatts }, STEPS, ORDER);
    expect(change("46.25", "5")).toEqual({ price: 4_625, quantity: 5 });
    expect(change("46.00", "2.1")).toEqual({ price: 4_600, quantity: 2.1 });
    expect(change("46.00", "5")).toEqual({ fault: "Change price or quantity first." });
    expect(change("47.00", "2")).toEqual({ fault: "2 MW are filled: give more, or cancel the rest." });
  });

  test("arrow keys go by a tick and a lot, within the range, and leave what is no number", () => {
    const prices = (text: string) => [steppedPrice(text, 1, STEPS), steppedPrice(text, -1, STEPS)];
    expect([prices("46.00"), prices("46.10"), prices("-0.25")]).toEqual([
      ["46.25", "45.75"],
      ["46.25", "46.00"],
      ["0.00", "-0.50"],
    ]);
    expect([prices("3000"), prices("-500"), prices("x")]).toEqual([
      ["3000", "2999.75"],
      ["-499.75", "-500"],
      ["x", "x"],
    ]);
    const quantities = (text: string) => [steppedQuantity(text, 1, STEPS), steppedQuantity(text, -1, STEPS)];
    expect([quantities("2.5"), quantities("0.1"), quantities("2.55"), quantities("x")]).toEqual([
      ["2.6", "2.4"],
      ["0.2", "0.1"],
      ["2.6", "2.5"],
      ["x", "x"],
    ]);
  });

  test("numbers are written as they are typed", () => {
    expect([priceText(4_600), priceText(-1_225), priceText(5), megawattsText(2.5), megawattsText(0.30000000000000004)])
      .toEqual(["46.00", "-12.25", "0.05", "2.5", "0.3"]);
  });
});

describe("what is sent", () => {
  const TERMS = { price: 4_625, quantity: 5 };

  test("a new order, and a cancel, are calls of the tools of agents", () => {
    expect(requestOf(deed(), TERMS, "k")).toEqual({
      path: "/dashboard/tools/mkt_create_test_order",
      body: { arguments: { contractId: "N-9", side: "BUY", ...TERMS, idempotencyKey: "k" } },
      idempotencyKey: "k",
    });
    expect(cancelRequest("ORD-1", "k")).toEqual({
      path: "/dashboard/tools/mkt_cancel_order",
      body: { arguments: { orderId: "ORD-1", idempotencyKey: "k" } },
      idempotencyKey: "k",
    });
  });

  test("a change says only what changes, so that less quantity alone keeps the order's place", () => {
    const change = {
      kind: "change",
      contractId: "N-9",
      order: { ...ORDER, id: "A/1" },
      price: "",
      megawatts: "",
    } as const;
    const bodies = [TERMS, { price: 4_600, quantity: 4 }, { price: 4_650, quantity: 6 }].map((terms) =>
      requestOf(change, terms, "k")
    );
    expect(bodies.map(({ path, body }) => [path, body])).toEqual([
      ["/dashboard/orders/A%2F1", { price: 4_625, idempotencyKey: "k" }],
      ["/dashboard/orders/A%2F1", { quantity: 4, idempotencyKey: "k" }],
      ["/dashboard/orders/A%2F1", { price: 4_650, quantity: 6, idempotencyKey: "k" }],
    ]);
  });

  test("is named with side, quantity and price", () => {
    expect(deedWords(deed({ side: "SELL" }))).toBe("New order: sell 2.5 MW at 46.00 $/MWh");
    expect(deedWords({ kind: "change", contractId: "N-9", order: ORDER, price: "", megawatts: "" }))
      .toBe("Change order ORD-1: buy 3 MW at 46.00 $/MWh");
    expect(deedWords({ kind: "cancel", contractId: "N-9", order: { ...ORDER, side: "SELL" } }))
      .toBe("Cancel order ORD-1: sell 3 MW at 46.00 $/MWh");
  });
});
