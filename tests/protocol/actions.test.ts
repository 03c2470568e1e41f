// Both sides of each limit on the payload of a request, its defaults, and who may send it.

import { expect, test } from "bun:test";
import { type Action, ACTION_NAMES, ACTIONS } from "../../protocol/actions.ts";

const TIME = "2026-03-01T00:00:00.000Z";
const PRICE = { node: "n", price: -5, regime: "base", time: TIME };
/** A payload of each action with every field, and the fields that may be absent with what they are then. */
const FULL: Record<Action, [Record<string, unknown>, Record<string, unknown>]> = {
  "order.submit": [
    { contractId: "c", side: 0, price: 1, quantity: 2, timeInForce: "day", clientOrderId: "o", bounds: {} },
    { timeInForce: "gtc", clientOrderId: undefined, bounds: undefined },
  ],
  "order.modify": [
    { orderId: "o", price: 1, quantity: 2, bounds: {} },
    { price: undefined, quantity: undefined, bounds: undefined },
  ],
  "order.cancel": [{ orderId: "o" }, {}],
  "market.halt": [{ marketId: "m", reason: "r" }, { marketId: undefined, reason: undefined }],
  "market.resume": [{ marketId: "m", reason: "r" }, { marketId: undefined, reason: undefined }],
  "credit.setLimit": [
    {
      entityId: "e",
      counterpartyId: "f",
      limitType: "notional",
      scope: "per_contract",
      contractId: "c",
      limit: 5,
      marginPercent: 7,
    },
    { contractId: undefined, marginPercent: 100 },
  ],
  "credit.setDocumentation": [
    { entityId: "e", counterpartyId: "f", status: "docs_in_place", notes: "n" },
    { notes: undefined },
  ],
  "engine.flush": [{ engineId: "e", preview: true }, { preview: false }],
  "market.flush": [{ preview: true }, { preview: false }],
  "dev.reset": [
    { secret: "s", creditLimit: 1, skipCredit: true, skipDocs: true },
    { skipCredit: false, skipDocs: false },
  ],
  "clock.set": [{ speed: 2 }, {}],
  "clock.advance": [{ to: TIME }, {}],
  "spot.publish": [{ prices: [PRICE] }, {}],
};

test.each(ACTION_NAMES)("%s: every field arrives, and only those with a default may be absent", (action) => {
  const { payload } = ACTIONS[action];
  const [full, absent] = FULL[action];
  expect(Object.keys(payload.shape).sort()).toEqual(Object.keys(full).sort());
  const parsed = payload.safeParse({ ...full, more: 1 });
  expect(parsed.error?.issues).toBeUndefined();
  expect(parsed.data).toEqual(full as never);
  for (const name of Object.keys(full)) {
    const { [name]: _, ...rest } = full;
    const without = payload.safeParse(rest);
    expect({ name, success: without.success }).toEqual({ name, success: name in absent });
    if (without.success) expect((without.data as Record<string, unknown>)[name]).toEqual(absent[name]);
  }
});

const LIMITS: [Action, string, unknown[], unknown[]][] = [
  ["order.submit", "contractId", ["x".repeat(200)], ["", 3, null]],
  ["order.submit", "side", [0, 1], [2, -1, "0", true]],
  ["order.submit", "price", [1e9, -1e9, 0], [1e9 + 1, -1e9 - 1, 0.5, "1"]],
  ["order.submit", "quantity", [0.1, 1e6], [0, -1, 1e6 + 1, Infinity]],
  ["order.submit", "timeInForce", ["day", "gtc"], ["ioc", ""]],
  ["order.submit", "clientOrderId", ["a"], [""]],
  ["order.modify", "price", [1e9, -1e9], [1e9 + 1, 0.5, null]],
  ["order.modify", "quantity", [1e6], [0, 1e6 + 1, null]],
  ["credit.setLimit", "limit", [0, 1e12], [-1, 1e12 + 1]],
  ["credit.setLimit", "marginPercent", [0, 100], [-1, 101]],
  ["credit.setLimit", "limitType", ["notional"], ["none"]],
  ["credit.setLimit", "scope", ["per_contract"], ["none"]],
  ["credit.setDocumentation", "status", ["docs_in_place", "no_docs", "pending"], ["none", ""]],
  ["dev.reset", "creditLimit", [0, 1e12], [-1, 1e12 + 1]],
  ["clock.set", "speed", [0.1, 1000], [0.09, 1000.1, 0]],
  ["clock.advance", "to", [TIME, "2026-03-01T00:00:00Z"], ["2026-03-01", `2026-03-01T00:00:00.${"0".repeat(30)}Z`]],
  ["spot.publish", "prices", [Array(1000).fill(PRICE)], [[], Array(1001).fill(PRICE), [{ ...PRICE, price: 0.5 }]]],
  ["spot.publish", "prices", [[{ ...PRICE, regime: "spike" }, { ...PRICE, regime: "drop" }]], [[{
    ...PRICE,
    node: "",
  }]]],
  ...["maxQuantity", "maxNotional", "maxOpenNotional", "maxNetPosition"].map((name) =>
    [
      "order.submit",
      "bounds",
      [{ [name]: 0 }, { [name]: 1e15 }],
      [{ [name]: -1 }, { [name]: 1.1e15 }],
    ] satisfies [Action, string, unknown[], unknown[]]
  ),
  ["order.modify", "bounds", [{ maxOpenOrders: 0 }, { maxOpenOrders: 1e9 }], [
    { maxOpenOrders: -1 },
    { maxOpenOrders: 0.5 },
    { maxOpenOrders: 1e9 + 1 },
  ]],
];

test.each(LIMITS)("%s: the limits of %s", (action, name, good, bad) => {
  const takes = (value: unknown) => ACTIONS[action].payload.safeParse({ ...FULL[action][0], [name]: value }).success;
  expect(good.map(takes)).toEqual(good.map(() => true));
  expect(bad.map(takes)).toEqual(bad.map(() => false));
});

test("who may send each action", () => {
  expect(Object.fromEntries(ACTION_NAMES.map((action) => [action, ACTIONS[action].permissions.join(" ")]))).toEqual({
    "order.submit": "Order.Submit",
    "order.modify": "Order.Submit",
    "order.cancel": "Order.Submit Market.Operate",
    "market.halt": "Market.Operate",
    "market.resume": "Market.Operate",
    "credit.setLimit": "Credit.Manage",
    "credit.setDocumentation": "Credit.Manage",
    "engine.flush": "Market.Operate",
    "market.flush": "Market.Operate",
    "dev.reset": "",
    "clock.set": "Market.Operate Spot.Publish",
    "clock.advance": "Market.Operate Spot.Publish",
    "spot.publish": "Spot.Publish",
  });
});
