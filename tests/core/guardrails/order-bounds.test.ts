import { describe, expect, test } from "bun:test";
import { ACTION_NAMES, orderBounds } from "../../../protocol/index.ts";
import { boundedPayload, orderBoundsOf } from "../../../core/guardrails/order-bounds.ts";
import { configurationFor } from "../support/services.ts";

const ALL = {
  MKT_MAX_ORDER_QUANTITY: "10.5",
  MKT_MAX_ORDER_NOTIONAL: "20000.25",
  MKT_MAX_OPEN_ORDERS: "3",
  MKT_MAX_OPEN_NOTIONAL: "50000",
  MKT_MAX_NET_POSITION: "0.1",
};
const ALL_BOUNDS = {
  maxQuantity: 10.5,
  maxNotional: 20_000.25,
  maxOpenOrders: 3,
  maxOpenNotional: 50_000,
  maxNetPosition: 0.1,
};

describe("the bounds of a process", () => {
  test("are null without a variable, and complete with all variables", () => {
    expect(orderBoundsOf(configurationFor())).toBeNull();
    expect(orderBoundsOf(configurationFor(ALL))).toEqual(ALL_BOUNDS);
  });

  test.each(Object.entries(ALL).map(([variable, value], at) => [variable, value, Object.entries(ALL_BOUNDS)[at]!]))(
    "of %s alone are that one",
    (variable, value, [name, bound]) => {
      expect(orderBoundsOf(configurationFor({ [variable]: value }))).toEqual({ [name]: bound });
    },
  );

  test("are valid in the protocol at the maximum of each variable", () => {
    const most = Object.fromEntries(Object.keys(ALL).map((variable) => [variable, "9".repeat(15)]));
    const configuration = configurationFor({ ...most, MKT_MAX_OPEN_ORDERS: "1000000000" });
    expect(orderBounds.safeParse(orderBoundsOf(configuration)).success).toBe(true);
  });
});

test.each([...ACTION_NAMES])("%s has bounds if and only if it submits or modifies an order", (action) => {
  const payload = { orderId: "o", bounds: { maxQuantity: 1e6 } };
  const carries = action === "order.submit" || action === "order.modify";
  expect(boundedPayload(action, payload, ALL_BOUNDS)).toEqual(carries ? { ...payload, bounds: ALL_BOUNDS } : payload);
  expect(boundedPayload(action, payload, null)).toBe(payload);
});
