// What the audit trail and the events say of what operators and the schedule do: the whole details, not only the names.

import { describe, expect, test } from "bun:test";
import { type MarketDefinition, marketDefinition } from "../../../engine/definition/market-definition.ts";
import { EngineDriver } from "../support/engine-driver.ts";
import { SECRET, smallMarket, USERS } from "../support/market.ts";
import { CLOSE, marketAt, OPEN } from "../support/sessions.ts";

const { alpha, beta, operator, publisher } = USERS;

/** The small market, with a second market in which WEST delivers in the same hour as NORTH. */
function twoMarkets(): MarketDefinition {
  const definition = smallMarket();
  const [market, product, contract] = [definition.markets[0]!, definition.products[0]!, definition.contracts[0]!];
  return marketDefinition.parse({
    ...definition,
    markets: [market, { ...market, id: "M2", code: "M2", nodes: ["WEST"] }],
    products: [...definition.products, { ...product, id: "W-HOUR", code: "W-HOUR", marketId: "M2", node: "WEST" }],
    contracts: [...definition.contracts, { ...contract, id: "W-H12", code: "W-H12", productId: "W-HOUR" }],
  });
}

/** The new audit events since the last call: name, module, who did it, and all details. */
function noted(engine: EngineDriver) {
  return engine.audit.splice(0).map(({ event, moduleType, moduleId, userId, details }) => [
    event,
    `${moduleType} ${moduleId}`,
    userId,
    details,
  ]);
}

describe("the audit trail tells", () => {
  test("why and by whom a market was halted and resumed, as the events do", () => {
    const engine = marketAt(OPEN);
    noted(engine);
    const halt = { marketId: "M1", status: "halted", previousStatus: "open", reason: "storm", userId: operator };
    expect(engine.execute(operator, "market.halt", { reason: "storm" }).dataOf("halt.market")).toEqual([halt]);
    const resume = { marketId: "M1", status: "open", previousStatus: "halted", reason: "calm", userId: operator };
    expect(engine.execute(operator, "market.resume", { reason: "calm" }).dataOf("resume.market")).toEqual([resume]);
    engine.execute(operator, "market.halt", {});
    engine.execute(operator, "market.resume", {});
    expect(noted(engine)).toEqual([
      ["marketHalted", "MARKET M1", operator, halt],
      ["marketResumed", "MARKET M1", operator, resume],
      ["marketHalted", "MARKET M1", operator, { ...halt, reason: null }],
      ["marketResumed", "MARKET M1", operator, { ...resume, reason: null }],
    ]);
    const change = { marketId: "M1", status: "closed", previousStatus: "open", reason: null, userId: null };
    expect(engine.advanceTo(CLOSE).dataOf("change.market")).toEqual([change]);
    expect(noted(engine)).toEqual([["marketStatusChanged", "MARKET M1", null, change]]);
  });

  test("how many orders a flush has cancelled, working and held ones, in its own contract or market", () => {
    const engine = new EngineDriver(twoMarkets());
    const order = (contractId: string) => engine.buy(alpha, { contractId, price: 5, quantity: 1 });
    const contracts = ["N-H12", "N-H12", "S-PK", "W-H12"];
    for (const contractId of contracts) order(contractId);
    engine.execute(operator, "market.halt", {});
    order("N-H12");
    noted(engine);
    const affected = { engineId: "ENG-N-H12", contractId: "N-H12", ordersAffected: 3 };
    const preview = engine.execute(operator, "engine.flush", { engineId: "ENG-N-H12", preview: true });
    expect([preview.result, preview.eventTypes, noted(engine)]).toEqual([affected, [], []]);
    expect(engine.execute(operator, "market.flush", { preview: true }).result).toEqual({ ordersAffected: 5 });
    expect(engine.execute(operator, "engine.flush", { engineId: "ENG-N-H12" }).result).toEqual(affected);
    const ofOrders = ({ audited }: { readonly audited: string[] }) =>
      audited.filter((name) => name.startsWith("order"));
    const flushed = noted(engine).filter(([event]) => event === "engineFlushed");
    const details = { contractId: "N-H12", ordersAffected: 3 };
    expect(flushed).toEqual([["engineFlushed", "ENGINE ENG-N-H12", operator, details]]);
    for (const contractId of ["S-PK", "W-H12", "W-H12"]) order(contractId);
    noted(engine);
    const all = engine.execute(operator, "market.flush", {});
    expect([all.result, ofOrders(all).length]).toEqual([{ ordersAffected: 5 }, 5]);
    expect(noted(engine).filter(([event]) => event === "marketFlushed")).toEqual([
      ["marketFlushed", "MARKET M1", operator, { ordersCancelled: 2 }],
      ["marketFlushed", "MARKET M2", operator, { ordersCancelled: 3 }],
    ]);
    expect(engine.all("ORDER").map(({ closeReason }) => closeReason)).toEqual(Array(8).fill("flushed"));
  });

  test("which limits and documents were set, and what a reset of a development market has set", () => {
    const engine = new EngineDriver();
    const limit = { entityId: "ALPHA", counterpartyId: "BETA", limitType: "mw" as const, limit: 7 };
    engine.execute(alpha, "credit.setLimit", { ...limit, scope: "per_contract", contractId: "N-H12" });
    engine.setDocuments(beta, "BETA:GAMMA", "pending", "in the mail");
    const set = { ...limit, scope: "per_contract", contractId: "N-H12", marginPercent: 100, userId: alpha };
    const documents = { entityId: "BETA", counterpartyId: "GAMMA", status: "pending", notes: "in the mail" };
    expect(noted(engine)).toEqual([
      ["creditLimitSet", "CREDIT ALPHA:BETA", alpha, set],
      ["documentationStatusSet", "CREDIT BETA:GAMMA", beta, { ...documents, userId: beta }],
    ]);
    const reset = (options: object) =>
      engine.execute(operator, "dev.reset", { secret: SECRET, creditLimit: 50, ...options }).result["summary"];
    const pairs = { entities: 3, pairs: 6 };
    const summaries = [
      { ...pairs, creditUpdates: 0, docsUpdates: 6 },
      { ...pairs, creditUpdates: 6, docsUpdates: 0 },
    ];
    expect([reset({ skipCredit: true }), reset({ skipDocs: true })]).toEqual(summaries);
    expect(noted(engine)).toEqual([
      ["developmentReset", "SYSTEM test-engine", operator, {
        ...{ creditLimit: 50, skipCredit: true, skipDocs: false },
        ...summaries[0],
      }],
      ["developmentReset", "SYSTEM test-engine", operator, {
        ...{ creditLimit: 50, skipCredit: false, skipDocs: true },
        ...summaries[1],
      }],
    ]);
  });

  test("how the clock was set, and from what", () => {
    const engine = new EngineDriver();
    engine.execute(operator, "clock.set", { speed: 60 });
    engine.execute(operator, "clock.set", { speed: 60 });
    engine.setClock({ mode: "lockstep", speed: 1 });
    const fast = { mode: "fast", speed: 60, previousMode: "real", previousSpeed: 1 };
    expect(noted(engine)).toEqual([
      ["clockSet", "SYSTEM test-engine", operator, fast],
      ["clockSet", "SYSTEM test-engine", null, {
        ...{ mode: "lockstep", speed: 1 },
        ...{ previousMode: "fast", previousSpeed: 60 },
      }],
    ]);
  });

  test("the end of a contract, of its limits and of the credit that it took", () => {
    const definition = smallMarket();
    const markets = definition.markets.map((market) => ({ ...market, keepDeliveredHours: 1 }));
    const engine = new EngineDriver(marketDefinition.parse({ ...definition, markets }));
    engine.setLimit(alpha, "ALPHA:GAMMA", { limit: 9, contractId: "N-H12", marginPercent: 50 });
    engine.sell(beta, { price: 5, quantity: 1 });
    engine.buy(alpha, { price: 5, quantity: 1 });
    noted(engine);
    const passed = ["2026-01-20T17:00:00Z", "2026-01-20T18:00:00Z", "2026-01-20T19:00:00Z"].map((time) => {
      engine.advanceTo(time);
      return noted(engine);
    });
    const contract = "CONTRACT N-H12";
    const pair = { entityId: "ALPHA", counterpartyId: "GAMMA" };
    const dropped = { limitType: "mw", scope: "per_contract", contractId: "N-H12", limit: 9, marginPercent: 50 };
    expect(passed).toEqual([
      [["contractExpired", contract, null, {}]],
      [["deliveryEnded", contract, null, { pairsFreed: 1 }]],
      [
        ["contractRemoved", contract, null, {}],
        ["creditLimitRemoved", "CREDIT ALPHA:GAMMA", null, { ...pair, ...dropped }],
      ],
    ]);
  });
});

test("each published spot price counts for the contracts of its own node that deliver, in the order of publication", () => {
  const engine = new EngineDriver(twoMarkets());
  for (const contractId of ["N-H12", "W-H12", "S-PK"]) {
    engine.sell(beta, { contractId, price: 5, quantity: 1 });
    engine.buy(alpha, { contractId, price: 5, quantity: 1 });
  }
  engine.advanceTo("2026-01-20T17:00:00Z");
  const price = (node: string, price: number) => ({
    node,
    price,
    regime: "base" as const,
    time: "2026-01-20T17:00:00Z",
  });
  const prices = [price("NORTH", 100), price("WEST", 30), price("SOUTH", 7), price("WEST", 50)];
  const published = engine.execute(publisher, "spot.publish", { prices });
  expect([published.result, published.dataOf("change.spot").map(({ node, price }) => [node, price])])
    .toEqual([{ published: 4 }, [["NORTH", 100], ["WEST", 30], ["SOUTH", 7], ["WEST", 50]]]);
  const marks = engine.engine.positions("ALPHA", engine.now)!.positions;
  expect(marks.map(({ contractId, mark, markSource }) => [contractId, mark, markSource]))
    .toEqual([["N-H12", 100, "spot"], ["W-H12", 40, "spot"], ["S-PK", 5, "trade"]]);
});

test("a call that comes late tells of a contract with held orders only that they have expired and that it is gone", () => {
  const definition = smallMarket();
  const markets = definition.markets.map((market) => ({ ...market, keepDeliveredHours: 1 }));
  const engine = new EngineDriver(marketDefinition.parse({ ...definition, markets }));
  engine.execute(operator, "market.halt", {});
  engine.buy(alpha, { price: 5, quantity: 1 });
  const late = engine.advanceTo("2026-01-20T20:00:00Z");
  expect(late.story).toEqual([
    "change.contract N-H12 expired",
    "expire.order ORD-1 cancelled",
    "remove.contract",
  ]);
  expect(late.paths.filter((path) => path.endsWith("-N-H12"))).toEqual(["/ENGINE/ENG-N-H12", "/QUEUE/QUE-N-H12"]);
  expect(late.removed).toEqual(["/CONTRACT/N-H12", "/ENGINE/ENG-N-H12", "/QUEUE/QUE-N-H12", "/ORDER/ORD-1"]);
});
