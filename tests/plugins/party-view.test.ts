// Entities and users for a user without Market.View: at any time those of the own entity, and the tools say so.

import { beforeAll, describe, expect, test } from "bun:test";
import { column, Desk } from "./support/desk.ts";
import { MARKET } from "./support/market.ts";

/** Of beta: trades and manages credit, but may not view the market. */
const BLIND = "blind";
/** Of no entity, and may do nothing. */
const STRANGER = "stranger";

const DEFINITION = {
  ...MARKET,
  users: [
    ...MARKET.users,
    { id: BLIND, name: "Blind", entityId: "beta", permissions: ["Order.Submit", "Credit.View", "Credit.Manage"] },
    { id: STRANGER, name: "Stranger", entityId: null, permissions: [] },
  ],
} as typeof MARKET;

const part = (userId: string) =>
  `User ${userId} lacks the permission Market.View, and sees only the own entity and its users.`;

let desk: Desk;
beforeAll(async () => {
  desk = await Desk.open(DEFINITION);
});

describe.each([["without a connection", "seat"], ["connected", "connected"]] as const)("%s", (_when, how) => {
  test("the own entity and its users are listed, with a note", async () => {
    const seat = await desk[how](BLIND);
    const entities = await seat.ok("mkt_list_entities");
    expect([column(entities, "entities", "id"), entities["note"]]).toEqual([["beta"], part(BLIND)]);
    const users = await seat.ok("mkt_list_users");
    expect([column(users, "users", "id"), users["note"]]).toEqual([["bob", BLIND], part(BLIND)]);
    expect(await seat.ok("mkt_get_entity", { entityId: "beta" })).toMatchObject({ id: "beta" });
    expect(await seat.ok("mkt_get_user", { userId: "bob" })).toMatchObject({ id: "bob", entityId: "beta" });
    expect(await seat.ok("mkt_list_users", { entityId: "beta" })).toMatchObject({ count: 2, note: part(BLIND) });
  });

  test("an entity or a user that is not shown is never said not to exist", async () => {
    const seat = await desk[how](BLIND);
    for (
      const [tool, input, named] of [
        ["mkt_get_entity", { entityId: "alpha" }, 'ENTITY "alpha"'],
        ["mkt_get_user", { userId: "alice" }, 'USER "alice"'],
        ["mkt_list_users", { entityId: "alpha" }, 'ENTITY "alpha"'],
      ] as const
    ) {
      expect(await seat.failure(tool, input)).toMatchObject({
        code: "not_found",
        message: `There is no ${named} that you can see. ${part(BLIND)}`,
        hint: expect.stringContaining("Market.View"),
      });
    }
  });

  test("a user of no entity sees none, and is told why", async () => {
    const seat = await desk[how](STRANGER);
    for (const tool of ["mkt_list_entities", "mkt_list_users"]) {
      expect(await seat.ok(tool)).toMatchObject({ count: 0, note: part(STRANGER) });
    }
  });

  test("a user who sees all is told nothing of a part", async () => {
    const seat = await desk[how]("vera");
    const entities = await seat.ok("mkt_list_entities");
    expect([entities["count"], entities["note"]]).toEqual([3, undefined]);
    expect(await seat.failure("mkt_get_entity", { entityId: "delta" })).toMatchObject({
      message: 'There is no ENTITY "delta".',
    });
  });
});

test("credit and documents for a counterparty that is not shown can be set and read", async () => {
  const seat = await desk.connected(BLIND);
  const pair = { entityId: "beta", counterpartyId: "gamma" };
  const limit = { ...pair, limitType: "mw", scope: "total", limit: 5 };
  expect(await seat.ok("mkt_set_credit_limit", limit)).toMatchObject({ status: "success" });
  expect(await seat.ok("mkt_set_documentation_status", { ...pair, status: "pending" })).toMatchObject({
    status: "success",
  });
  expect(await seat.ok("mkt_get_extended_credit", pair)).toMatchObject({ counterpartyId: "gamma" });
  expect(await seat.ok("mkt_find_modules", { moduleType: "FILL", filters: { counterpartyId: "gamma" } }))
    .toMatchObject({ total: 0 });
});
