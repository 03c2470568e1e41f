// The preset `credit`: companies with credit limits as trading desks have them.

import { expect, test } from "bun:test";
import { logger } from "../../common/logger.ts";
import { BUILT_IN_OWN_USER_IDS } from "../../engine/definition/built-in-market.ts";
import { BUILT_IN_MARKET, builtInMarketNamed, TIGHT_CREDIT_MARKET } from "../../engine/definition/built-in-markets.ts";
import { checkDefinition } from "../../engine/definition/check-definition.ts";
import { presetExperiment } from "../../sim/experiment/read-experiment.ts";
import { embedSimulator } from "../../sim/live/embedded-simulator.ts";
import { placeInitialOrders } from "../../sim/live/initial-orders.ts";
import { atEnd } from "../support/at-end.ts";
import { until } from "../support/until.ts";
import { Desk, list, number, text, type Value } from "./support/desk.ts";

const TIGHT = builtInMarketNamed(TIGHT_CREDIT_MARKET)!;

const isUsedUp = (row: Value) => row["tradable"] === false && text(row, "reason").endsWith("_limit");
const isNearlyUsed = (row: Value) =>
  row["tradable"] === true && number(row, "usedCredit") > 0.9 * number(row, "creditLimit");

test("the market of the preset credit is the built-in one with a limit of its own for each pair", () => {
  expect(presetExperiment("credit").market).toBe(TIGHT_CREDIT_MARKET);
  expect(checkDefinition(JSON.parse(JSON.stringify(TIGHT)))).toMatchObject({ ok: true });
  const { credit: _, creditDefaults: _none, ...rest } = TIGHT;
  const { credit: _free, creditDefaults: _ample, ...usual } = builtInMarketNamed(BUILT_IN_MARKET)!;
  expect(rest).toEqual(usual);
  expect(TIGHT.credit).toHaveLength(usual.entities.length * (usual.entities.length - 1));
  for (const { limits: [total] } of TIGHT.credit) {
    expect(total).toMatchObject({ limitType: "notional", scope: "total" });
    expect(total?.limit).toBeWithin(250_000, 4_000_001);
  }
});

test("in a market with tight credit some pairs use it up, some nearly, and books stay live", async () => {
  const desk = await Desk.open(TIGHT);
  const { engine } = desk;
  placeInitialOrders(engine, 1, Date.now(), "credit");
  const simulator = embedSimulator({ engine, log: logger("test"), now: Date.now });
  atEnd(() => simulator.close());
  const own = await desk.connected(BUILT_IN_OWN_USER_IDS[0]!);
  const rows = list(await own.ok("mkt_get_credit_status", { entityId: "WILLOW" }), "creditLimits");
  expect(rows.filter(({ tradable }) => tradable === true).length).toBeGreaterThanOrEqual(10);
  expect(rows.filter(({ tradable }) => tradable === false).length).toBeGreaterThanOrEqual(1);
  const operator = await desk.connected("operator");
  await simulator.start({ preset: "credit", seed: 1, speed: 600 });
  const everyRow = async () => {
    const pages = await Promise.all(
      TIGHT.entities.map(({ id }) => operator.ok("mkt_get_credit_status", { entityId: id })),
    );
    return pages.flatMap((page) => list(page, "creditLimits"));
  };
  await until(everyRow, (seen) => seen.some(isUsedUp) && seen.some(isNearlyUsed));
  const { trades } = simulator.status().totals;
  await until(() => simulator.status().totals.trades > trades + 20, "further trades");
  const found = await operator.ok("mkt_find_modules", {
    moduleType: "CONTRACT",
    filters: { productId: "NORTH-DA-HOUR" },
    fields: ["bestBid", "bestAsk"],
    limit: 100,
  });
  const books = list(found, "modules");
  const twoSided = books.filter(({ bestBid, bestAsk }) => typeof bestBid === "number" && typeof bestAsk === "number");
  expect(twoSided.length).toBeGreaterThan(books.length / 2);
});
