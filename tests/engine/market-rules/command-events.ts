// The events of a command: a scenario for each row of the table.

import { expect } from "bun:test";
import { type Checked, EngineDriver } from "../support/engine-driver.ts";
import { marketWithoutCredit, SECRET, USERS, withMonth } from "../support/market.ts";
import { CLOSE, marketAt, OPEN, PREOPEN } from "../support/sessions.ts";
import type { Row } from "../../support/document-tables.ts";

const { alpha, beta, gamma, operator, publisher, viewer } = USERS;

function halted(): EngineDriver {
  const engine = new EngineDriver();
  engine.execute(operator, "market.halt", {});
  return engine;
}

/** An engine, halted or not, with a working or held order of ALPHA. */
function ordered(engine = new EngineDriver()) {
  return { engine, orderId: engine.buy(alpha, one).orderId };
}

const one = { price: 5, quantity: 1 };
const contractLimit = { contractId: "N-H12", limit: 5 };

const SCENARIOS: Readonly<Record<string, () => Checked>> = {
  "an order is submitted and rests": () => new EngineDriver().buy(alpha, one),
  "an order is submitted and trades with one that rests": () => {
    const engine = new EngineDriver();
    engine.sell(beta, one);
    return engine.buy(alpha, one);
  },
  "an order is submitted and trades with two that rest": () => {
    const engine = new EngineDriver();
    const resting = [engine.sell(beta, one), engine.sell(gamma, { ...one, price: 4 })].map(({ orderId }) => orderId);
    const traded = engine.buy(alpha, { price: 5, quantity: 3 });
    const changed = traded.dataOf("change.order").map(({ id }) => id);
    expect(changed).toEqual([...resting.toReversed(), traded.orderId]);
    return traded;
  },
  "an order is submitted in preopen or while halted": () => {
    const preopen = marketAt(PREOPEN).buy(alpha, one);
    expect(halted().buy(alpha, one).eventTypes).toEqual(preopen.eventTypes);
    return preopen;
  },
  "an order is submitted and rejected": () => new EngineDriver().buy(alpha, { price: 5, quantity: 0.5 }),
  "an order gets less quantity": () => {
    const engine = new EngineDriver();
    const { orderId } = engine.buy(alpha, { price: 5, quantity: 2 });
    return engine.execute(alpha, "order.modify", { orderId, quantity: 1 });
  },
  "an order gets another price and rests": () => {
    const { engine, orderId } = ordered();
    return engine.execute(alpha, "order.modify", { orderId, price: 4 });
  },
  "a working order gets another price while halted": () => {
    const { engine, orderId } = ordered();
    engine.execute(operator, "market.halt", {});
    return engine.execute(alpha, "order.modify", { orderId, price: 4 });
  },
  "a held order gets another price": () => {
    const { engine, orderId } = ordered(halted());
    return engine.execute(alpha, "order.modify", { orderId, price: 4 });
  },
  "a working order is cancelled": () => {
    const { engine, orderId } = ordered();
    return engine.execute(alpha, "order.cancel", { orderId });
  },
  "a held order is cancelled": () => {
    const { engine, orderId } = ordered(halted());
    return engine.execute(alpha, "order.cancel", { orderId });
  },
  "a market is halted": () => new EngineDriver().execute(operator, "market.halt", {}),
  "a market is resumed into open, with one order held": () => {
    const { engine } = ordered(halted());
    return engine.execute(operator, "market.resume", {});
  },
  "a limit is set that changes nothing else": () => new EngineDriver().setLimit(alpha, "ALPHA:BETA", contractLimit),
  "documents are set, and two crossed orders may trade": () => {
    const engine = new EngineDriver();
    engine.setDocuments(alpha, "ALPHA:BETA", "pending");
    engine.sell(beta, one);
    engine.buy(alpha, one);
    return engine.setDocuments(alpha, "ALPHA:BETA", "docs_in_place");
  },
  "documents are set, and two pairs of crossed orders may trade": () => {
    const engine = new EngineDriver();
    engine.setDocuments(alpha, "ALPHA:BETA", "pending");
    for (let pairs = 0; pairs < 2; pairs++) {
      engine.sell(beta, one);
      engine.buy(alpha, one);
    }
    return engine.setDocuments(alpha, "ALPHA:BETA", "docs_in_place");
  },
  "a book with one order is flushed": () => {
    const { engine } = ordered();
    return engine.execute(operator, "engine.flush", { engineId: "ENG-N-H12" });
  },
  "all markets are flushed, with one order working and one held": () => {
    const { engine } = ordered();
    engine.execute(operator, "market.halt", {});
    engine.buy(beta, one);
    return engine.execute(operator, "market.flush", {});
  },
  "two entities without limits and documents are reset": () => {
    const market = marketWithoutCredit();
    const isGone = (entityId: string | null) => entityId === "GAMMA";
    const engine = new EngineDriver({
      ...market,
      entities: market.entities.filter(({ id }) => !isGone(id)),
      users: market.users.filter(({ entityId }) => !isGone(entityId)),
    });
    return engine.execute(viewer, "dev.reset", { secret: SECRET, creditLimit: 5 });
  },
  "two spot prices are published": () => {
    const price = { price: 1, regime: "base" as const, time: "2026-01-14T13:00:00Z" };
    const prices = [{ ...price, node: "NORTH" }, { ...price, node: "SOUTH" }];
    return new EngineDriver().execute(publisher, "spot.publish", { prices });
  },
  "the clock gets another speed": () => new EngineDriver().execute(operator, "clock.set", { speed: 10 }),
  "a user's first connection comes": () => new EngineDriver().setConnected(alpha, true),
  "a session opens, with one order held": () => {
    const { engine } = ordered(marketAt(PREOPEN));
    return engine.advanceTo(OPEN);
  },
  "a session closes, with one day order working": () => {
    const engine = marketAt(OPEN);
    engine.buy(alpha, { ...one, timeInForce: "day" });
    return engine.advanceTo(CLOSE);
  },
  "a delivery begins, with one order working": () => {
    const { engine } = ordered();
    return engine.advanceTo("2026-01-20T17:00:00Z");
  },
  "a contract leaves that one limit names": () => {
    const engine = new EngineDriver();
    engine.setLimit(alpha, "ALPHA:BETA", contractLimit);
    engine.advanceTo("2026-01-23T17:59:59.999Z");
    return engine.advanceTo("2026-01-23T18:00:00Z");
  },
  "a month is listed while the one before it goes to delivery": () => {
    const engine = marketAt("2026-02-01T04:59:59.999Z", withMonth());
    return engine.advanceTo("2026-02-01T05:00:00Z");
  },
};

export const EVENTS_OF_A_COMMAND = Object.fromEntries(
  Object.entries(SCENARIOS).map(([name, scenario]) => [
    name,
    (row: Row) => expect(scenario().eventTypes).toEqual(row.codes(1)),
  ]),
);
