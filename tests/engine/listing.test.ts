// Contracts over time: listed by rules, delivered, and removed with their orders and trades.

import { describe, expect, test } from "bun:test";
import { type MarketDefinition, marketDefinition } from "../../engine/definition/market-definition.ts";
import { Engine } from "../../engine/engine.ts";
import { DEFAULT_RETENTION } from "../../engine/state/initial-state.ts";
import { EngineDriver } from "./support/engine-driver.ts";
import { EPOCH, smallMarket, START, USERS } from "./support/market.ts";
import { readExecution } from "./support/read-execution.ts";
import { auditOf, snapshotOf } from "../support/executions.ts";
import { wholeCheckpoint } from "./support/checkpoints.ts";

const { alpha, beta } = USERS;
const HOUR = 3_600_000;
const iso = (time: number) => new Date(time).toISOString();

/** The small market, with rules that list tomorrow's hours and the next month; it keeps delivered contracts for two hours. */
function rollingMarket(definition: MarketDefinition = smallMarket()): MarketDefinition {
  const [hour, peak] = definition.products;
  return marketDefinition.parse({
    ...definition,
    markets: definition.markets.map((market) => ({ ...market, keepDeliveredHours: 2 })),
    products: [
      { ...hour, listing: { ahead: 1 } },
      peak,
      { ...hour, id: "N-MONTH", code: "N-MO", name: "North month", type: "month", listing: { ahead: 1 } },
    ],
  });
}

const listed = (engine: EngineDriver) => engine.all("CONTRACT").filter(({ status }) => status === "listed");

describe("contracts listed by rules", () => {
  test("are listed from the beginning, beside those of the definition", () => {
    const engine = new EngineDriver(rollingMarket());
    const ids = engine.all("CONTRACT").map(({ id }) => id);
    expect(ids.slice(0, 2)).toEqual(["N-H12", "S-PK"]);
    // It is 08:00 in New York: the sixteen hours from 09:00 to midnight less the one under way, and tomorrow's.
    expect(ids.filter((id) => id.startsWith("N-HOUR-2026-01-14"))).toHaveLength(15);
    expect(ids.filter((id) => id.startsWith("N-HOUR-2026-01-15"))).toHaveLength(24);
    expect(ids).toContain("N-MONTH-2026-02");
  });

  test("appear with engine and queue, and one new.contract event each, in the order of delivery", () => {
    const engine = new EngineDriver(rollingMarket());
    const before = engine.advanceTo("2026-01-15T04:59:59.999Z");
    expect(before.eventTypes).not.toContain("new.contract");
    const midnight = engine.advanceTo("2026-01-15T05:00:00Z");
    const announced = midnight.dataOf("new.contract");
    expect(announced.map(({ id }) => id)).toEqual(
      Array.from({ length: 24 }, (_, hour) => `N-HOUR-2026-01-16-H${String(hour + 1).padStart(2, "0")}`),
    );
    expect(announced[0]).toMatchObject({ productCode: "N-HOUR", marketId: "M1", status: "listed", hours: 1 });
    const paths = midnight.paths.filter((path) => path.endsWith("N-HOUR-2026-01-16-H01"));
    expect(paths).toEqual([
      "/ENGINE/ENG-N-HOUR-2026-01-16-H01",
      "/QUEUE/QUE-N-HOUR-2026-01-16-H01",
    ]);
    expect(engine.audit.at(-1)).toMatchObject({ event: "contractListed", moduleId: "N-HOUR-2026-01-16-H24" });
  });

  test("trade as soon as they are listed, even if the first call after that is a request", () => {
    const engine = new EngineDriver(rollingMarket());
    engine.now = Date.parse("2026-01-15T05:00:00Z");
    const contractId = "N-HOUR-2026-01-16-H12";
    expect(engine.buy(alpha, { contractId, price: 5000, quantity: 3 }).outcome).toBe("ok");
    expect(engine.sell(beta, { contractId, price: 5000, quantity: 2 }).order.status).toBe("filled");
  });

  test("are listed once if several listings are due at once; contracts that would already be removed are left out", () => {
    const engine = new EngineDriver(rollingMarket());
    const late = engine.advanceTo("2026-06-15T16:30:00Z");
    const announced = late.dataOf("new.contract").map(({ id }) => id);
    expect(announced).toEqual([
      ...Array.from({ length: 11 }, (_, hour) => `N-HOUR-2026-06-15-H${hour + 14}`),
      ...Array.from({ length: 24 }, (_, hour) => `N-HOUR-2026-06-16-H${String(hour + 1).padStart(2, "0")}`),
      "N-MONTH-2026-07",
    ]);
    expect(listed(engine).map(({ id }) => id)).toEqual(announced as string[]);
    expect(engine.all("CONTRACT")).toHaveLength(announced.length);
    expect(iso(engine.engine.nextDeadline() ?? 0)).toBe("2026-06-15T17:00:00.000Z");
  });

  test("are the same whether the clock advances every hour or rarely", () => {
    const [often, seldom] = [new EngineDriver(rollingMarket()), new EngineDriver(rollingMarket())];
    for (let hour = 1; hour <= 96; hour++) {
      often.advanceTo(iso(START + hour * HOUR));
      if (hour % 19 !== 0) continue;
      seldom.advanceTo(iso(START + hour * HOUR));
      const ids = (engine: EngineDriver) => listed(engine).map(({ id }) => id).sort();
      expect(ids(seldom)).toEqual(ids(often));
    }
  });
});

describe("a contract that is removed", () => {
  const contractId = "N-HOUR-2026-01-15-H01";

  /** Alpha buys 2 MW of tomorrow's first hour from beta; 1 MW of beta's order remains. */
  function traded(): EngineDriver {
    const engine = new EngineDriver(rollingMarket());
    engine.sell(beta, { contractId, price: 5000, quantity: 3 });
    engine.buy(alpha, { contractId, price: 5000, quantity: 2 });
    return engine;
  }

  test("is kept for exactly the time that its market says", () => {
    const engine = traded();
    const delivered = engine.advanceTo("2026-01-15T07:59:59.999Z");
    expect(engine.module("CONTRACT", contractId).status).toBe("expired");
    expect(delivered.audited).toContain("deliveryEnded");
    const gone = engine.advanceTo("2026-01-15T08:00:00Z");
    expect(gone.removed.toSorted()).toEqual([
      `/CONTRACT/${contractId}`,
      `/ENGINE/ENG-${contractId}`,
      "/FILL/FIL-1",
      "/FILL/FIL-2",
      "/ORDER/ORD-1",
      "/ORDER/ORD-2",
      `/QUEUE/QUE-${contractId}`,
      "/TRADE/TRD-1",
    ]);
    expect(gone.dataOf("remove.contract")).toEqual([
      { contractId, productCode: "N-HOUR", engineId: `ENG-${contractId}` },
    ]);
    expect(auditOf(gone.execution).filter(({ event }) => event === "contractRemoved").map(({ moduleId }) => moduleId))
      .toEqual([contractId]);
  });

  test("is removed at the end of its delivery if its market keeps it for no time", () => {
    const market = rollingMarket();
    const engine = new EngineDriver({
      ...market,
      markets: market.markets.map((each) => ({ ...each, keepDeliveredHours: 0 })),
    });
    engine.advanceTo("2026-01-15T05:59:59.999Z");
    expect(engine.modules.has(`/CONTRACT/${contractId}`)).toBe(true);
    engine.advanceTo("2026-01-15T06:00:00Z");
    expect(engine.modules.has(`/CONTRACT/${contractId}`)).toBe(false);
  });

  test("removes the credit limits that name it, with an event and an audit event for each", () => {
    const engine = traded();
    const pair = { entityId: "ALPHA", counterpartyId: "BETA" };
    for (const id of [contractId, "S-PK"]) engine.setLimit(alpha, "ALPHA:BETA", { limit: 50, contractId: id });
    const gone = engine.advanceTo("2026-01-15T08:00:00Z");
    const dropped = { ...pair, limitType: "mw", scope: "per_contract", contractId, limit: 50, marginPercent: 100 };
    expect(gone.dataOf("remove.credit")).toEqual([dropped]);
    expect(engine.credit("ALPHA", "BETA").limits.map((each) => each.contractId)).toEqual([null, "S-PK"]);
    expect(engine.audit.filter(({ event }) => event === "creditLimitRemoved")).toMatchObject([
      { moduleId: "ALPHA:BETA", entityId: "ALPHA", details: dropped },
    ]);
  });

  test("is not found afterwards, nor are its orders; the audit trail still has them", () => {
    const engine = traded();
    engine.advanceTo("2026-01-15T08:00:00Z");
    expect(engine.buy(alpha, { contractId, price: 5000, quantity: 1 }).outcome).toBe("not_found");
    expect(engine.execute(alpha, "order.cancel", { orderId: "ORD-2" }).outcome).toBe("not_cancellable");
    expect(engine.audit.filter(({ orderId }) => orderId === "ORD-2").map(({ event }) => event)).toEqual([
      "orderQueued",
      "orderFilled",
    ]);
  });

  test("leaves its key in the credit ledger to the next contract, without its limits and usage", () => {
    const engine = new EngineDriver(rollingMarket());
    for (const { id } of engine.all("CONTRACT").filter(({ id }) => id.startsWith("N-HOUR-2026-01-15"))) {
      engine.setLimit(alpha, "ALPHA:BETA", { limit: 1, contractId: id });
    }
    engine.advanceTo("2026-01-18T06:00:00Z");
    for (const { id } of listed(engine).filter(({ id }) => id.startsWith("N-HOUR"))) {
      engine.sell(beta, { contractId: id, price: 10, quantity: 5 });
      expect(engine.buy(alpha, { contractId: id, price: 10, quantity: 5 }).order.status).toBe("filled");
    }
    expect(engine.credit("ALPHA", "BETA").limits.filter(({ scope }) => scope === "per_contract")).toEqual([]);
  });
});

describe("an engine whose contracts are listed and removed", () => {
  test("continues from a checkpoint of any time without a difference", () => {
    const options = { epoch: EPOCH, now: START, engineId: "test-engine", secret: null, retention: DEFAULT_RETENTION };
    const market = rollingMarket();
    let engine = new Engine(market, options);
    const straight = new Engine(market, options);
    for (let step = 1; step <= 120; step++) {
      const now = START + step * HOUR * 0.7;
      const contracts = snapshotOf(straight, now).filter(({ statePath, state }) =>
        statePath.startsWith("/CONTRACT/") && state?.["status"] === "listed"
      );
      const contractId = contracts[(step * 7) % contracts.length]?.state?.id;
      const payload = { contractId, price: 4000 + step % 5, quantity: 1 + step % 3, side: step % 2 };
      const request = {
        userId: step % 3 === 0 ? alpha : beta,
        operationId: `op-${step}`,
        action: "order.submit",
        payload,
      };
      const [execution, expected] = [engine, straight].map((each) => readExecution(each.execute(request, now)));
      expect(execution).toEqual(expected!);
      if (step % 10 !== 0) continue;
      engine = Engine.restore(market, wholeCheckpoint(engine), options);
      expect([...engine.snapshot(now)]).toEqual([...straight.snapshot(now)]);
      expect(engine.nextDeadline()).toBe(straight.nextDeadline());
    }
  });

  test("keeps only the contracts that are listed or recently delivered, over months", () => {
    const engine = new Engine(rollingMarket(), { epoch: EPOCH, now: START, engineId: "test-engine", secret: null });
    const sizes = new Set<number>();
    for (let day = 40; day <= 100; day++) {
      const now = START + day * 24 * HOUR;
      engine.advance(now);
      sizes.add([...engine.snapshot(now)].filter(({ type }) => type === "CONTRACT").length);
    }
    expect(Math.max(...sizes)).toBeLessThanOrEqual(48 + 3 + 1);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(39);
  });
});
