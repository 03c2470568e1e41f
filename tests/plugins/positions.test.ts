// Positions in mkt_get_entity. BASE delivers 24 hours: Alice, who may see credit, buys 20 MW from Bob at $45/MWh and sells
// 5 MW back at $47/MWh.

import { beforeAll, describe, expect, test } from "bun:test";
import type { StateClient } from "../../core/backend/state-client.ts";
import { column, Desk, list, part, type Seat, text } from "./support/desk.ts";
import { BASE, ISLAND, PEAK } from "./support/market.ts";
import { StillMarket } from "./support/still-market.ts";

const desk = await Desk.open();
const [alice, bob] = await desk.all("alice", "bob");

beforeAll(async () => {
  await alice.buy(BASE, 4500, 20);
  await bob.sell(BASE, 4500, 20);
  await alice.sell(BASE, 4700, 5);
  await bob.buy(BASE, 4700, 5);
  await alice.buy(ISLAND, -100, 2);
  await bob.sell(ISLAND, -100, 2);
});

const positionsOf = (seat: Seat, entityId: string, more: Record<string, unknown> = {}) =>
  seat.ok("mkt_get_entity", { entityId, positions: true, ...more });

describe("mkt_get_entity with positions", () => {
  test("gives each contract's position and the totals, beside the entity", async () => {
    const answer = await positionsOf(alice, "alpha");
    expect(answer).toMatchObject({
      id: "alpha",
      name: "alpha Energy",
      count: 2,
      total: 2,
      hasMore: false,
      cursor: null,
    });
    expect(column(answer, "positions", "contractId")).toEqual([BASE, ISLAND]);
    expect(list(answer, "positions")[0]).toEqual({
      contractId: BASE,
      node: "N1",
      netQuantity: 15,
      netEnergy: 360,
      boughtQuantity: 20,
      soldQuantity: 5,
      averagePrice: 4500,
      cash: -15_960,
      mark: 4700,
      markSource: "trade",
      realisedProfit: 240,
      unrealisedProfit: 720,
      profit: 960,
      creditUsed: 27_240,
    });
    expect(list(answer, "positions")[1]).toMatchObject({ cash: 48, averagePrice: -100, creditUsed: 48 });
    expect(part(answer, "totals")).toEqual({
      netQuantity: 17,
      netEnergy: 408,
      cash: -15_912,
      realisedProfit: 240,
      unrealisedProfit: 720,
      profit: 960,
      creditUsed: 27_288,
      settled: { contracts: 0, profit: 0 },
    });
    expect(Math.abs(Date.parse(text(answer, "asOf")) - Date.now())).toBeLessThan(60_000);
    expect(answer).not.toHaveProperty("note");
  });

  test("gives the counterparty the opposite position", async () => {
    const { totals } = await positionsOf(bob, "beta");
    expect(totals).toMatchObject({ netEnergy: -408, cash: 15_912, profit: -960 });
  });

  test("gives the entity alone if positions are not asked for", async () => {
    for (const input of [{}, { positions: false }]) {
      const answer = await alice.ok("mkt_get_entity", { entityId: "alpha", ...input });
      expect(Object.keys(answer)).toEqual(["id", "name", "code", "userIds", "creditStatus"]);
    }
  });

  test("needs no connection: MKT_USER_ID acts", async () => {
    const seat = await desk.seat("alice");
    expect(await positionsOf(seat, "alpha")).toMatchObject({ count: 2, totals: { profit: 960 } });
  });

  test("comes in pages, in the order of delivery", async () => {
    const first = await positionsOf(alice, "alpha", { limit: 1 });
    expect(first).toMatchObject({ count: 1, total: 2, hasMore: true, totals: { profit: 960 } });
    const second = await positionsOf(alice, "alpha", { limit: 1, cursor: first["cursor"] });
    expect(second).toMatchObject({ count: 1, total: 2, hasMore: false, cursor: null });
    expect([...column(first, "positions", "contractId"), ...column(second, "positions", "contractId")])
      .toEqual([BASE, ISLAND]);
    const other = { entityId: "beta", positions: true, cursor: first["cursor"] };
    expect((await bob.failure("mkt_get_entity", other))["code"]).toBe("invalid_input");
    expect(await alice.failure("mkt_get_entity", { entityId: "alpha", cursor: first["cursor"] })).toMatchObject({
      code: "invalid_input",
      hint: expect.stringContaining("positions: true"),
    });
  });

  test("comes with the columns asked for, page by page", async () => {
    const asked = { fields: ["profit", "deliveryEnd"], limit: 1 };
    const first = await alice.ok("mkt_get_entity", { entityId: "alpha", ...asked });
    expect(list(first, "positions")).toEqual([
      { contractId: BASE, profit: 960, deliveryEnd: "2099-01-02T00:00:00.000Z" },
    ]);
    const second = await alice.ok("mkt_get_entity", { entityId: "alpha", ...asked, cursor: first["cursor"] });
    expect(list(second, "positions")).toEqual([
      { contractId: ISLAND, profit: 0, deliveryEnd: "2099-01-02T00:00:00.000Z" },
    ]);
    const [whole] = list(await positionsOf(alice, "alpha", { fields: ["all"] }), "positions");
    expect(whole).toMatchObject({ timezone: "America/Chicago", netQuantity: 15 });
    for (
      const [wrong, hint] of [
        [{ fields: ["pnl"] }, /realisedProfit.*\["all"\]/],
        [{ by: "hour", fields: ["mark"] }, /hour, contracts, netEnergy, cash/],
        [{ day: "someday" }, /yesterday/],
      ] as const
    ) {
      expect(await alice.failure("mkt_get_entity", { entityId: "alpha", ...wrong })).toMatchObject({
        code: "invalid_input",
        hint: expect.stringMatching(hint),
      });
    }
  });

  test("sums up by the local day of each market; deliveries of more than an hour have one sum among the hours", async () => {
    const days = await alice.ok("mkt_get_entity", { entityId: "alpha", by: "day" });
    expect(list(days, "sums").map(({ day, contracts }) => [day, contracts])).toEqual([
      ["2099-01-01", 1],
      ["2099-01-02", 1],
    ]);
    const hours = await alice.ok("mkt_get_entity", { entityId: "alpha", by: "hour", fields: ["profit"] });
    expect([hours["sums"], hours["total"], part(hours, "totals")["profit"]]).toEqual([
      [{ hour: null, profit: 960 }],
      1,
      960,
    ]);
  });

  test("is refused for another entity without Scope.Global, connected or not", async () => {
    expect(await alice.failure("mkt_get_entity", { entityId: "beta", positions: true })).toMatchObject({
      code: "forbidden",
      message: expect.stringMatching(/alice belongs to entity alpha.*Scope\.Global/),
      hint: expect.stringMatching(/entityId alpha.*Market\.View for it: bob\.$/),
    });
    const unconnected = await desk.seat("alice");
    expect(await unconnected.failure("mkt_get_entity", { entityId: "beta", positions: true })).toMatchObject({
      code: "forbidden",
      message: expect.stringMatching(/alice.* belongs to entity .*alpha.*Scope\.Global/),
    });
    const olga = await desk.connected("olga");
    expect(await positionsOf(olga, "beta")).toMatchObject({ count: 2, totals: { creditUsed: 27_288 } });
  });

  test("gives no used credit without Credit.View, and says why", async () => {
    const vera = await desk.connected("vera");
    const answer = await positionsOf(vera, "alpha");
    expect(column(answer, "positions", "creditUsed")).toEqual([null, null]);
    expect(answer).toMatchObject({ totals: { profit: 960, creditUsed: null } });
    expect(text(answer, "note")).toContain("Credit.View");
  });

  test("values the position at the book once it has two sides", async () => {
    await bob.buy(PEAK, 4000, 5);
    await alice.sell(PEAK, 4000, 5);
    await bob.buy(PEAK, 4010, 5);
    await alice.sell(PEAK, 4100, 5);
    const { positions } = await positionsOf(alice, "alpha");
    const peak = (positions as { contractId: string }[]).find(({ contractId }) => contractId === PEAK);
    expect(peak).toMatchObject({ netQuantity: -5, mark: 4055, markSource: "book", unrealisedProfit: -27.5 });
  });
});

describe("mkt_get_entity at other backends", () => {
  const entity = { id: "entity-1", name: "One", code: "ONE", userIds: [], creditStatus: "ok" as const };

  function marketWith(positions: StateClient["positions"]): StillMarket {
    const backend = { entities: () => Promise.resolve([entity]), positions } as unknown as StateClient;
    return new StillMarket({ services: { backend } });
  }

  test("says so if the backend gives no positions", async () => {
    const market = marketWith(() => Promise.resolve(null));
    const { isError, value } = await market.call("mkt_get_entity", { entityId: "entity-1", positions: true });
    expect(isError).toBe(true);
    expect(part(value, "error")).toMatchObject({
      code: "not_configured",
      hint: expect.stringContaining("mkt_list_fills"),
    });
    expect((await market.call("mkt_get_entity", { entityId: "entity-1" })).value).toEqual(entity);
  });

  test("takes less than 12,000 bytes by default, however many contracts there are", async () => {
    const position = {
      contractId: "SOUTH-DA-2026-01-14-H",
      node: "SOUTH",
      deliveryStart: "2026-01-14T00:00:00.000Z",
      deliveryEnd: "2026-01-14T00:00:00.000Z",
      netQuantity: -1234.5,
      netEnergy: -12_345.25,
      boughtQuantity: 12_345.5,
      soldQuantity: 13_580,
      averagePrice: -12_345.123456,
      cash: -12_345_678.1234,
      mark: 12_345.123456,
      markSource: "spot" as const,
      realisedProfit: -1_234_567.1234,
      unrealisedProfit: -1_234_567.1234,
      profit: -12_345_678.1234,
      creditUsed: 123_456_789.1234,
    };
    const positions = Array.from({ length: 400 }, (_, number) => ({
      ...position,
      contractId: `${position.contractId}${number}`,
    }));
    const { netEnergy, cash, realisedProfit, unrealisedProfit, profit, creditUsed } = position;
    const sums = { netQuantity: null, netEnergy, cash, realisedProfit, unrealisedProfit, profit, creditUsed };
    const totals = { ...sums, settled: { contracts: 100_000, profit } };
    const market = marketWith(() =>
      Promise.resolve({ entityId: "entity-1", asOf: position.deliveryEnd, positions, totals })
    );
    const { value } = await market.call("mkt_get_entity", { entityId: "entity-1", positions: true });
    expect(value).toMatchObject({ count: 30, total: 400, hasMore: true });
    expect(JSON.stringify(value).length).toBeLessThan(12_000);
  });
});
