// In a live run, too, an entity's own orders never lock or cross a book: those of its personas, and those that others sent for
// it before.

import { describe, expect, test } from "bun:test";
import type { ModuleData } from "../../../protocol/modules/registry.ts";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { placeInitialOrders } from "../../../sim/live/initial-orders.ts";
import { OtherOrders } from "../../../sim/live/other-orders.ts";
import { BUY, SELL } from "../../../engine/market/order-book.ts";
import { EntityOrders } from "../../../sim/personas/entity-orders.ts";
import { orderState } from "../../support/scripted-engine.ts";
import { until } from "../../support/until.ts";
import { contract } from "../personas/support.ts";
import { openOrders, simulated } from "./support.ts";

/** The entities that have a bid at or above their own ask in a contract. */
function lockedOrCrossed(orders: readonly ModuleData<"ORDER">[]): string[] {
  const books = Map.groupBy(orders, ({ entityId, contractId }) => `${entityId} ${contractId}`);
  return [...books].filter(([, own]) => {
    const prices = (wanted: number) => own.filter(({ side }) => side === wanted).map(({ price }) => price);
    return Math.max(...prices(BUY)) >= Math.min(...prices(SELL));
  }).map(([name]) => name);
}

test("personas keep their quotes behind the orders that their entities had before", async () => {
  const definition = builtInMarket();
  // Only one company trades, so no order is ever filled.
  const users = definition.users.filter(({ entityId }) => [null, "OPERATOR", "MERIDIAN"].includes(entityId));
  const { engine, api } = await simulated({ definition: { ...definition, users } });
  placeInitialOrders(engine, 1, Date.now());
  expect(lockedOrCrossed(await openOrders(engine))).toEqual([]);
  await api.start({ preset: "stress", seed: 7, speed: 500, personas: [{ strategy: "gvwy", count: 20 }] });
  for (const orders of [5, 20, 40]) {
    await until(async () => (await api.status()).totals.orders > orders, "orders");
    expect(lockedOrCrossed(await openOrders(engine))).toEqual([]);
  }
});

describe("the orders of others", () => {
  const ONLY = contract(0);
  const ENTITY = "ALPHA";
  function counted() {
    const orders = new EntityOrders();
    const others = new OtherOrders({
      idPrefix: "sim-1.",
      entityOrders: new Map([[ENTITY, orders]]),
      contractOf: (id) => id === ONLY.id ? ONLY : undefined,
    });
    const tell = (id: string, fields: Parameters<typeof orderState>[1]) => {
      const message = orderState(id, { entityId: ENTITY, contractId: ONLY.id, clientOrderId: "mine", ...fields });
      others.changed((message as unknown as { state: ModuleData<"ORDER"> }).state);
    };
    return { others, tell, best: (side: 0 | 1) => orders.of(ONLY).bestWithout(side, null) };
  }

  test("count from their publication to their end", () => {
    const { tell, best, others } = counted();
    tell("1", { side: SELL, price: 110 });
    tell("2", { side: SELL, price: 105 });
    tell("3", { side: BUY, price: 100 });
    expect([best(BUY), best(SELL)]).toEqual([100, 105]);
    tell("2", { side: SELL, price: 120 });
    expect(best(SELL)).toBe(110);
    tell("1", { side: SELL, price: 110, closeReason: "filled" });
    expect(best(SELL)).toBe(120);
    others.removed("2");
    expect([best(BUY), best(SELL)]).toEqual([100, null]);
    others.forgetAll();
    expect(best(BUY)).toBeNull();
  });

  test("leave out those of the run, of other entities and in other contracts", () => {
    const { tell, best } = counted();
    tell("1", { side: BUY, price: 100, clientOrderId: "sim-1.zip-1-4" });
    tell("2", { side: BUY, price: 100, entityId: "BETA" });
    tell("3", { side: BUY, price: 100, contractId: "OTHER" });
    expect(best(BUY)).toBeNull();
  });
});
