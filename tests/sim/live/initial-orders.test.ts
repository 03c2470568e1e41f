import { describe, expect, test } from "bun:test";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { contractsAt } from "../../../engine/definition/listed-contracts.ts";
import { placeInitialOrders } from "../../../sim/live/initial-orders.ts";
import { Engine } from "../../../engine/engine.ts";
import type { EngineRequest } from "../../../engine/api/market-engine.ts";
import { snapshotOf } from "../../support/executions.ts";
import { size } from "../../support/sizes.ts";
import { gainOf, packagesAt, type Quotes } from "./free-money.ts";

const NOW = Date.parse("2026-01-14T18:00:00Z");
const HOUR = 3_600_000;
const NO_QUOTES = { bestBid: null, bestAsk: null };

function openedMarket(seed: number, definition = builtInMarket(), now = NOW) {
  const engine = new Engine(definition, { epoch: now * 1000, now, engineId: "test", secret: null });
  const requests: EngineRequest[] = [];
  const execute = (request: EngineRequest) => {
    requests.push(request);
    return engine.execute(request, now);
  };
  const book = placeInitialOrders({ definition, execute }, seed, now);
  const modules = (type: string) =>
    snapshotOf(engine, now).filter(({ statePath }) => statePath.startsWith(`/${type}/`)).map(({ state }) => state);
  return { definition, engine, requests, book, modules };
}

function booksOf(engines: readonly (Readonly<Record<string, unknown>> | null)[]) {
  const quoted = engines.flatMap((engine) => engine?.["bestBid"] == null ? [] : [engine]);
  return new Map(quoted.map((engine) => {
    const [bestBid, bestAsk] = [Number(engine["bestBid"]), Number(engine["bestAsk"])];
    return [String(engine["contractId"]), { ...engine, bestBid, bestAsk } as Record<string, unknown> & Quotes];
  }));
}

describe("the initial orders", () => {
  const { definition, book, modules } = openedMarket(1);

  /** The books with quotes, by their contract. */
  const books = booksOf(modules("ENGINE"));

  test("give every contract that personas trade five levels on each side that do not cross, and others none", () => {
    expect(book.refused).toEqual([]);
    expect(modules("TRADE")).toEqual([]);
    const waiting = contractsAt(definition, NOW).filter(({ deliveryStart }) => Date.parse(deliveryStart) > NOW);
    const isThird = ({ id }: { readonly id: string }) => /(MO-(BASE|PEAK)-2026-04|QU-BASE-2026-Q4)$/.test(id);
    const isSoon = ({ deliveryStart }: { readonly deliveryStart: string }) =>
      Date.parse(deliveryStart) <= NOW + HOUR / 12;
    const traded = waiting.filter((contract) => !isThird(contract) && !isSoon(contract)).map(({ id }) => id);
    expect([...books.keys()].toSorted()).toEqual(traded.toSorted());
    expect(book.placed).toBe(traded.length * 10);
    for (const engine of books.values()) {
      expect([engine["bids"], engine["asks"]].map((side) => Array.isArray(side) ? side.length : 0)).toEqual([5, 5]);
      expect(Number(engine["bestBid"])).toBeLessThan(Number(engine["bestAsk"]));
    }
  });

  test("have sizes of their own in each contract", () => {
    const bids = [...books.values()].map((engine) =>
      (engine["bids"] as { volume: number }[]).map(({ volume }) => volume).join()
    );
    expect(new Set(bids).size).toBeGreaterThan(0.9 * bids.length);
  });

  test.each(Array.from({ length: size(3, 20) }, (_, at) => at + 1))("of seed %d hold no arbitrage", (seed) => {
    const now = NOW + seed * 53 * HOUR;
    const { definition, modules } = openedMarket(seed, builtInMarket(), now);
    const books = booksOf(modules("ENGINE"));
    const gains = packagesAt(definition, now).map((each) => gainOf(each, ({ id }) => books.get(id) ?? NO_QUOTES));
    expect(gains.filter((gain) => !Number.isNaN(gain)).length).toBeGreaterThanOrEqual(2);
    expect(gains.filter((gain) => gain > 0)).toEqual([]);
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
    const price = (start: string, end = "") => {
      const [, engine] = [...books].find(([id]) => id.startsWith(start) && id.endsWith(end)) ?? [];
      return (Number(engine?.["bestBid"]) + Number(engine?.["bestAsk"])) / 2;
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
    expect(refused[0]).toMatch(/^NORTH-DA-HOUR-.+: .+/);
  });
});
