import { describe, expect, test } from "bun:test";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import {
  factsOf,
  type MarketFacts,
  publishingUser,
  tradingUsers,
  watchingUser,
} from "../../../sim/live/market-facts.ts";
import { entitiesOfOthers } from "../../../sim/population/traders.ts";
import { modulesOf } from "./support.ts";
import { startTestEngine } from "../../support/engines.ts";

const built = builtInMarket();

function withUsers(...users: MarketFacts["users"]): MarketFacts {
  return { ...built, users };
}

describe("the users of a simulation", () => {
  test("in the built-in market are a separate one for each company, and one to watch and publish", () => {
    const ofOthers = new Set<string | null>(entitiesOfOthers(built));
    const traders = tradingUsers(built).filter(({ entityId }) => !ofOthers.has(entityId));
    expect([traders.length, [...ofOthers]]).toEqual([13, ["WILLOW", "JUNIPER", "ASPEN", "HAWTHORN"]]);
    for (const { id, entityId } of traders) expect(id).toBe(`sim-${entityId?.toLowerCase()}`);
    expect([watchingUser(built), publishingUser(built)]).toEqual(["simulator", "simulator"]);
  });

  test("in another market are the first of each entity who may trade and does not operate the market", () => {
    const facts = withUsers(
      { id: "boss", entityId: "A", permissions: ["Order.Submit", "Market.Operate", "Market.View"] },
      { id: "looker", entityId: "A", permissions: ["Market.View"] },
      { id: "first", entityId: "A", permissions: ["Order.Submit"] },
      { id: "second", entityId: "A", permissions: ["Order.Submit"] },
      { id: "nobody", entityId: null, permissions: ["Order.Submit"] },
    );
    expect(tradingUsers(facts).map(({ id }) => id)).toEqual(["first"]);
    expect([watchingUser(facts), publishingUser(facts)]).toEqual(["looker", null]);
  });

  test("include nobody to watch the market if nobody may see it", () => {
    expect(watchingUser(withUsers({ id: "blind", entityId: "A", permissions: ["Order.Submit"] }))).toBeNull();
  });
});

test("the facts of a market are the same from its definition and from an engine's snapshot", async () => {
  const engine = await startTestEngine();
  const facts = factsOf(await modulesOf(engine));
  const known = engine.definition.products.map(({ id, marketId, type, node, lot, tick, ...prices }) => {
    const { minimumPrice, maximumPrice } = prices;
    return { id, marketId, type, node, lot, tick, minimumPrice, maximumPrice };
  });
  expect([...facts.products]).toEqual(known);
  expect(tradingUsers(facts).map(({ id }) => id)).toEqual(tradingUsers(engine.definition).map(({ id }) => id));
  expect(entitiesOfOthers(facts)).toEqual(entitiesOfOthers(engine.definition));
  expect(facts.markets).toEqual(engine.definition.markets.map(({ id, timezone, nodes }) => ({ id, timezone, nodes })));
});

test("a snapshot in which no user is marked as simulated leaves out no entity", async () => {
  const users = built.users.filter(({ id }) => !id.startsWith("sim-"));
  const facts = factsOf(await modulesOf(await startTestEngine({ definition: { ...built, users } })));
  expect(entitiesOfOthers(facts)).toEqual([]);
});
