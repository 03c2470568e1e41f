// The preset `credit`: companies with credit limits as trading desks have them.

import { expect, test } from "bun:test";
import { openEpisode } from "../../arena/server/open-episode.ts";
import { World } from "../../arena/world/world.ts";
import { BUILT_IN_OWN_USER_IDS } from "../../engine/definition/built-in-market.ts";
import { BUILT_IN_MARKET, builtInMarketNamed, TIGHT_CREDIT_MARKET } from "../../engine/definition/built-in-markets.ts";
import { checkDefinition } from "../../engine/definition/check-definition.ts";
import monitor from "../../plugins/monitor/index.ts";
import mutation from "../../plugins/mutation/index.ts";
import query from "../../plugins/query/index.ts";
import { presetExperiment } from "../../sim/experiment/read-experiment.ts";
import { startTimeOf } from "../../sim/experiment/start-time.ts";
import { placeInitialOrders } from "../../sim/live/initial-orders.ts";
import { HOUR, seldomRevised } from "../sim/headless/support.ts";
import { Caller, list, number, text, type Value } from "./support/desk.ts";
import { PROGRAM } from "./support/packs.ts";

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

/** With this seed it takes 50 minutes of market time. */
const SEED = 6;
const BETWEEN_LOOKS_MS = 25 * 60_000;

test("in a market with tight credit some pairs use it up, some nearly, and books stay live", async () => {
  const startTime = startTimeOf(TIGHT);
  const experiment = seldomRevised(presetExperiment("credit"), HOUR);
  const world = new World({ definition: TIGHT, experiment, seed: SEED, startTime });
  const opening = placeInitialOrders(
    { definition: TIGHT, execute: (request) => world.execute(request) },
    SEED,
    startTime,
    "credit",
  );
  expect(opening).toMatchObject({ placed: expect.any(Number), refused: [] });
  const own = await seatIn(world, "WILLOW", BUILT_IN_OWN_USER_IDS[0]!);
  const rows = list(await own.ok("mkt_get_credit_status", { entityId: "WILLOW" }), "creditLimits");
  expect(rows.filter(({ tradable }) => tradable === true).length).toBeGreaterThanOrEqual(10);
  expect(rows.filter(({ tradable }) => tradable === false).length).toBeGreaterThanOrEqual(1);
  let seen: Value[] = [];
  while (!seen.some(isUsedUp) || !seen.some(isNearlyUsed)) {
    expect(world.now - startTime).toBeLessThan(6 * HOUR);
    world.advanceTo(world.now + BETWEEN_LOOKS_MS);
    const operator = await seatIn(world, "OPERATOR", "operator");
    const pages = await Promise.all(
      TIGHT.entities.map(({ id }) => operator.ok("mkt_get_credit_status", { entityId: id })),
    );
    seen = pages.flatMap((page) => list(page, "creditLimits"));
  }
  const { trades } = world.engine.engine.figures;
  world.advanceTo(world.now + HOUR / 4);
  expect(world.engine.engine.figures.trades).toBeGreaterThan(trades + 20);
  const operator = await seatIn(world, "OPERATOR", "operator");
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

/** A user's tools, which see the market as it is now. */
async function seatIn(world: World, entityId: string, userId: string): Promise<Caller> {
  const { dispatcher } = openEpisode({
    world,
    mandate: {
      name: "look",
      title: "Look",
      brief: "Look.",
      amounts: {},
      terms: null,
      time: { mode: "turns" },
      operating: null,
      userId,
      entityId,
    },
    endTime: world.now + HOUR,
    calls: 100,
    packs: [query, mutation, monitor],
    program: PROGRAM,
  });
  const seat = new Caller(dispatcher);
  await seat.ok("mkt_connect_pubsub");
  return seat;
}
