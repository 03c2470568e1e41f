// What the messages of rejections say: the given value, the bound, the state, who may do it, and which names there are.

import { describe, expect, test } from "bun:test";
import { MAX_TEXT_LENGTH } from "../../../protocol/limits.ts";
import { type Checked, EngineDriver } from "../support/engine-driver.ts";
import { scheduledMarket, smallMarket, USERS } from "../support/market.ts";

const { alpha, beta, operator, viewer, blind, publisher } = USERS;
const OF_ALPHA = { entityId: "ALPHA", permissions: ["Market.Operate" as const] };
const peak = { contractId: "S-PK" };

/** A user's order of 5 MW. */
function resting(engine: EngineDriver): string {
  return engine.buy(alpha, { price: 100, quantity: 5 }).orderId;
}

type Row = [what: string, code: string, message: string, refused: (engine: EngineDriver) => Checked];

const ROWS: Row[] = [
  [
    "a missing permission: who holds it",
    "forbidden",
    `User ${alpha} does not hold the permission Market.Operate. Held by ${operator}.`,
    (engine) => engine.execute(alpha, "market.halt", {}),
  ],
  [
    "two permissions of which one would do: both, and the first of those who hold one",
    "forbidden",
    `User ${viewer} holds neither the permission Order.Submit nor Market.Operate. ` +
    `Held by ${alpha}, ${beta}, ${USERS.gamma}, ${USERS.alphaSecond} and 3 more.`,
    (engine) => engine.execute(viewer, "order.cancel", { orderId: "ORD-1" }),
  ],
  [
    "another entity's order: whose, and who can cancel it",
    "forbidden",
    "Order ORD-1 belongs to entity ALPHA, and user user-beta belongs to entity BETA. It can be cancelled by users of its own " +
    "entity with Order.Submit or by users with Market.Operate.",
    (engine) => engine.execute(beta, "order.cancel", { orderId: resting(engine) }),
  ],
  [
    "another entity's order, without the owner for a user who may not see it",
    "forbidden",
    "Order ORD-1 belongs to another entity, and user user-blind belongs to entity BETA. It can be changed by users of its own " +
    "entity with Order.Submit.",
    (engine) => engine.execute(blind, "order.modify", { orderId: resting(engine), price: 1 }),
  ],
  [
    "another entity's limits: who may set them",
    "forbidden",
    `User ${alpha} belongs to entity ALPHA. Limits and documents of entity BETA are set by its own users with ` +
    `Credit.Manage: ${beta}.`,
    (engine) => engine.setLimit(alpha, "BETA:ALPHA", { limit: 1 }),
  ],
  [
    "an unknown counterparty: which entities there are",
    "not_found",
    "There is no entity with id DELTA. There are: ALPHA, BETA, GAMMA.",
    (engine) => engine.setDocuments(alpha, "ALPHA:DELTA", "pending"),
  ],
  [
    "an unknown counterparty, near the name of another",
    "not_found",
    "There is no entity with id GAMA. Did you mean GAMMA? There are: ALPHA, BETA, GAMMA.",
    (engine) => engine.setDocuments(alpha, "ALPHA:GAMA", "pending"),
  ],
  [
    "a missing permission, without holders that the user may not see",
    "forbidden",
    `User ${blind} does not hold the permission Market.Operate.`,
    (engine) => engine.execute(blind, "market.halt", {}),
  ],
  [
    "an unknown market: which there are",
    "not_found",
    "There is no market with id M2. There are: M1.",
    (engine) => engine.execute(operator, "market.resume", { marketId: "M2" }),
  ],
  [
    "an unknown price node: which there are",
    "not_found",
    "There is no price node with id EAST. There are: NORTH, SOUTH.",
    (engine) =>
      engine.execute(publisher, "spot.publish", {
        prices: [{ node: "EAST", price: 1, regime: "base", time: "2026-01-14T13:00:00.000Z" }],
      }),
  ],
  [
    "a quantity off the lot: the lot, and the nearest that fit",
    "invalid_quantity",
    "The quantity is 1.2 MW; it must be a multiple of 0.5 MW, the lot of S-PK: for example 1 or 1.5.",
    (engine) => engine.buy(alpha, { ...peak, price: 5, quantity: 1.2 }),
  ],
  [
    "a quantity off the kilowatt",
    "invalid_quantity",
    "The quantity is not a whole number of kW; it must be a multiple of 0.5 MW, the lot of S-PK.",
    (engine) => engine.buy(alpha, { ...peak, price: 5, quantity: 0.50001 }),
  ],
  [
    "a quantity below the lot",
    "invalid_quantity",
    "The quantity is 0.2 MW; it must be a multiple of 0.5 MW, the lot of S-PK: for example 0.5.",
    (engine) => engine.buy(alpha, { ...peak, price: 5, quantity: 0.2 }),
  ],
  [
    "a price off the tick: range, tick, and the nearest that fit",
    "invalid_price",
    "The price is -7 cents/MWh; S-PK takes prices from -50000 to 500000 in multiples of 5, its tick: for example -10 or -5.",
    (engine) => engine.buy(alpha, { ...peak, price: -7, quantity: 1 }),
  ],
  [
    "a price out of range: range and tick",
    "invalid_price",
    "The price is 500001 cents/MWh; N-H12 takes prices from -50000 to 500000 in multiples of 1, its tick.",
    (engine) => engine.buy(alpha, { price: 500_001, quantity: 1 }),
  ],
  [
    "a cancelled order: when, why, and what was filled",
    "not_cancellable",
    "Order ORD-1 was cancelled (flushed) at 2026-01-14T13:00:00.000Z; 2 of 5 MW were filled.",
    (engine) => {
      const orderId = resting(engine);
      engine.sell(beta, { price: 100, quantity: 2 });
      engine.execute(operator, "market.flush", {});
      return engine.execute(alpha, "order.cancel", { orderId });
    },
  ],
  [
    "a filled order",
    "not_modifiable",
    "Order ORD-1 was filled at 2026-01-14T13:00:00.000Z; 5 of 5 MW were filled.",
    (engine) => {
      const orderId = resting(engine);
      engine.sell(beta, { price: 100, quantity: 5 });
      return engine.execute(alpha, "order.modify", { orderId, price: 1 });
    },
  ],
  [
    "too many open orders: how many to cancel",
    "limit_exceeded",
    `User ${alpha} would have 2 open orders, more than 1 (maxOpenOrders): cancel 1 first. Nothing was changed.`,
    (engine) => {
      resting(engine);
      return engine.buy(alpha, { price: 1, quantity: 1, bounds: { maxOpenOrders: 1 } });
    },
  ],
  [
    "a position above its bound: how much is left",
    "limit_exceeded",
    `User ${alpha} could become 9 MW long of N-H12, above 7 MW (maxNetPosition): the position, the open orders of that side ` +
    "and this order. 2 MW are left. Nothing was changed.",
    (engine) => {
      resting(engine);
      return engine.buy(alpha, { price: 1, quantity: 4, bounds: { maxNetPosition: 7 } });
    },
  ],
  [
    "too much open notional: what the other orders make",
    "limit_exceeded",
    `The open orders of user ${alpha} would make 9 dollars at their limit prices, above 8 dollars (maxOpenNotional). The other ` +
    "open orders make 5 dollars. Nothing was changed.",
    (engine) => {
      resting(engine);
      return engine.buy(alpha, { price: 100, quantity: 4, bounds: { maxOpenNotional: 8 } });
    },
  ],
];

describe("a rejection says", () => {
  test.each(ROWS)("%s", (_what, code, message, refused) => {
    const checked = refused(new EngineDriver());
    expect([checked.outcome, checked.message]).toEqual([code, message]);
  });

  test.each([[0, " No user does."], [1, " Held by h0."], [4, " Held by h0, h1, h2, h3."], [
    5,
    " Held by h0, h1, h2, h3 and 1 more.",
  ]])("of a permission that %d users hold, who they are", (count, who) => {
    const definition = smallMarket();
    const holders = Array.from({ length: count }, (_, number) => ({ ...OF_ALPHA, id: `h${number}`, name: "h" }));
    const others = definition.users.filter(({ permissions }) => !permissions.includes("Market.Operate"));
    const engine = new EngineDriver({ ...definition, users: [...holders, ...others] });
    expect(engine.execute(alpha, "market.halt", {}).message)
      .toBe(`User ${alpha} does not hold the permission Market.Operate.${who}`);
  });

  test.each([
    ["user-viewer belongs to no entity", viewer, ": user-beta, user-blind"],
    ["user-alpha belongs to entity ALPHA", alpha, ": user-beta, user-blind"],
    ["user-out belongs to entity ALPHA", "user-out", ""],
  ])("who may set another entity's limits, to those who see its users: %s", (belongs, userId, who) => {
    const definition = smallMarket();
    const all = definition.users.map((user) => ({
      ...user,
      permissions: [...new Set([...user.permissions, "Credit.Manage" as const])],
    }));
    const out = { ...OF_ALPHA, id: "user-out", name: "o", permissions: ["Credit.Manage" as const] };
    const refused = new EngineDriver({ ...definition, users: [...all, out] }).setLimit(userId, "BETA:ALPHA", {
      limit: 1,
    });
    expect(refused.message).toBe(
      `User ${belongs}. Limits and documents of entity BETA are set by its own users with Credit.Manage${who}.`,
    );
  });

  test("that nobody may set an entity's limits, if that is so", () => {
    const definition = smallMarket();
    const users = definition.users.map((user) =>
      user.entityId === "BETA" ? { ...user, permissions: ["Market.View" as const] } : user
    );
    expect(new EngineDriver({ ...definition, users }).setLimit(alpha, "BETA:ALPHA", { limit: 1 }).message)
      .toEndWith("with Credit.Manage: there are none.");
  });

  test("of an unknown counterparty, no entity to a user who may not see the market", () => {
    const definition = smallMarket();
    const out = { ...OF_ALPHA, id: "user-out", name: "o", permissions: ["Credit.Manage" as const] };
    const refused = new EngineDriver({ ...definition, users: [...definition.users, out] })
      .setLimit("user-out", "ALPHA:GAMA", { limit: 1 });
    expect([refused.outcome, refused.message]).toEqual(["not_found", expect.not.stringMatching(/GAMMA|BETA/)]);
  });

  test("of a closed market, when it takes orders and when it matches them", () => {
    const engine = new EngineDriver(scheduledMarket());
    expect(engine.buy(alpha, { price: 1, quantity: 1 })).toMatchObject({
      outcome: "market_closed",
      message: "Market M1 is closed. It takes orders from 2026-01-14T13:30:00.000Z and matches them from " +
        "2026-01-14T14:00:00.000Z.",
    });
  });

  test("of a contract in delivery, since when", () => {
    const engine = new EngineDriver();
    engine.advanceTo("2026-01-20T17:00:00.000Z");
    expect(engine.buy(alpha, { price: 1, quantity: 1 })).toMatchObject({
      outcome: "contract_expired",
      message: "Delivery of N-H12 began at 2026-01-20T17:00:00.000Z.",
    });
  });

  test("at most as much as the protocol allows, whatever the ids", () => {
    const definition = smallMarket();
    const names = Array.from({ length: 4 }, (_, number) => String(number).repeat(200));
    const engine = new EngineDriver({
      ...definition,
      users: [
        ...names.map((id) => ({ id, name: id, entityId: "ALPHA", permissions: ["Market.Operate" as const] })),
        ...definition.users,
      ],
    });
    const refused = engine.send(alpha, "market.flush", {}, "y".repeat(200));
    expect(refused.outcome).toBe("forbidden");
    expect(refused.message.length).toBeWithin(850, MAX_TEXT_LENGTH + 1);
    expect(engine.execute("z".repeat(200), "market.flush", {}).message.length).toBeLessThan(MAX_TEXT_LENGTH);
  });
});
