import { describe, expect, test } from "bun:test";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { contractsAt } from "../../../engine/definition/listed-contracts.ts";
import { expectedPriceOf, placeInitialOrders } from "../../../sim/live/initial-orders.ts";
import { Engine } from "../../../engine/engine.ts";
import type { EngineRequest } from "../../../engine/api/market-engine.ts";
import { SpotProcess } from "../../../sim/spot/spot-process.ts";
import { snapshotOf } from "../../support/executions.ts";

const NOW = Date.parse("2026-01-14T18:00:00Z");

function openedMarket(seed: number, definition = builtInMarket()) {
  const engine = new Engine(definition, { epoch: NOW * 1000, now: NOW, engineId: "test", secret: null });
  const requests: EngineRequest[] = [];
  const execute = (request: EngineRequest) => {
    requests.push(request);
    return engine.execute(request, NOW);
  };
  const book = placeInitialOrders({ definition, execute }, seed, NOW);
  const modules = (type: string) =>
    snapshotOf(engine, NOW).filter(({ statePath }) => statePath.startsWith(`/${type}/`)).map(({ state }) => state);
  return { definition, engine, requests, book, modules };
}

describe("the initial orders", () => {
  const { definition, book, modules } = openedMarket(1);

  test("give every contract five levels on each side that do not cross", () => {
    expect(book.refused).toEqual([]);
    expect(book.placed).toBeGreaterThan(contractsAt(definition, NOW).length * 10);
    expect(modules("TRADE")).toEqual([]);
    const engines = modules("ENGINE");
    expect(engines).toHaveLength(contractsAt(definition, NOW).length);
    for (const engine of engines) {
      expect([engine?.["bids"], engine?.["asks"]].map((side) => Array.isArray(side) ? side.length : 0)).toEqual([5, 5]);
      expect(Number(engine?.["bestBid"])).toBeLessThan(Number(engine?.["bestAsk"]));
    }
  });

  test("come from several entities, never from the operator", () => {
    const entities = new Set(modules("ORDER").map((order) => order?.["entityId"]));
    expect(entities.size).toBeGreaterThanOrEqual(8);
    expect(entities.has("OPERATOR")).toBe(false);
  });

  test("depend on the seed alone", () => {
    const requests = (seed: number) => openedMarket(seed).requests;
    expect(requests(7)).toEqual(requests(7));
    // The prices differ because those of the spot process do, so they would not show that all else has the same seed.
    const drawn = (seed: number) =>
      requests(seed).map(({ userId, payload }) => [userId, (payload as { readonly quantity: number }).quantity]);
    expect(drawn(8)).not.toEqual(drawn(7));
  });

  test("price the evening above the night, peak above base, and the first node above the second", () => {
    const nodes = ["NORTH", "WEST"] as const;
    const prices = new SpotProcess({ seed: 1, startTime: NOW, timezone: "America/Chicago", nodes });
    const price = (start: string, end = "") => {
      const contract = contractsAt(definition, NOW).find(({ id }) => id.startsWith(start) && id.endsWith(end));
      const product = definition.products.find(({ id }) => id === contract?.productId);
      if (contract === undefined || product === undefined) throw new Error(`no contract ${start} ${end}`);
      return expectedPriceOf(contract, product, prices);
    };
    expect(price("NORTH-DA-HOUR", "H19")).toBeGreaterThan(price("NORTH-DA-HOUR", "H04") * 1.3);
    expect(price("NORTH-MO-PEAK")).toBeGreaterThan(price("NORTH-MO-BASE"));
    expect(price("NORTH-QU-BASE")).toBeGreaterThan(price("WEST-QU-BASE"));
    expect(price("WEST-WK-BASE")).toBeGreaterThan(1000);
    expect(price("WEST-WK-BASE")).toBeLessThan(10_000);
  });

  test("respect lot, tick and price range of another market's products", () => {
    const limits = { lot: 0.3, tick: 25, minimumPrice: 3000, maximumPrice: 3500 };
    const products = definition.products.map((product) => ({ ...product, ...limits }));
    const { refused, placed } = openedMarket(3, { ...definition, products }).book;
    expect([refused, placed > 0]).toEqual([[], true]);
  });

  test("report the refused orders with the reasons", () => {
    const schedule = { days: ["mon" as const], preopen: "08:00", open: "09:00", close: "17:00" };
    const markets = definition.markets.map((market) => ({ ...market, schedule }));
    const { refused, placed } = openedMarket(3, { ...definition, markets }).book;
    expect(placed).toBe(0);
    expect(refused[0]).toMatch(/^NORTH-DA-BASE-.+: .+/);
  });
});
